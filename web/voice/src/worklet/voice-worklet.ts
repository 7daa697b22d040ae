/** The audio worklet of voices: a player with one output for each voice, and a source for the microphone. */
import type { ReceivedUnit, VoicePortReport, VoicePortRequest } from "@stoa/client";
import { UnitCapture } from "../capture/unit-capture.ts";
import { Opus } from "../codec/opus.ts";
import { REPORT_MS } from "../limits.ts";
import {
  type LoadReport,
  PLAYER_PROCESSOR,
  type PlayerOptions,
  type PlayerReport,
  type PlayerRequest,
  SOURCE_PROCESSOR,
  type SourceReport,
  type SourceRequest,
} from "./messages.ts";
import { audioScope, type ProcessorOptions } from "./scope.ts";
import { VoiceSlots } from "./voice-slots.ts";

// Compiled once for all processors of this context.
const library = Opus.load();

const nowMs = () => 1_000 * audioScope.currentTime;

function reportLoaded(port: MessagePort, report: LoadReport): void {
  port.postMessage(report);
}

/** Plays voices, one on each output. */
class VoicePlayer extends audioScope.AudioWorkletProcessor {
  #slots: VoiceSlots | undefined;
  #port: MessagePort | undefined;
  #reportedAt = 0;
  #isActive = false;

  constructor({ processorOptions }: ProcessorOptions<PlayerOptions>) {
    super();
    this.port.onmessage = ({ data }: MessageEvent<PlayerRequest>) => this.#connect(data.port);
    library.then(
      (opus) => {
        this.#slots = new VoiceSlots(processorOptions.slots, audioScope.sampleRate, () => opus.decoder());
        reportLoaded(this.port, { kind: "ready" });
      },
      (error: unknown) => reportLoaded(this.port, { kind: "failed", error: String(error) }),
    );
  }

  process(_: readonly Float32Array[][], outputs: readonly Float32Array[][]): boolean {
    const [slots, now] = [this.#slots, nowMs()];
    if (slots === undefined) return true;
    for (let slot = 0; slot < outputs.length; slot += 1) {
      const out = outputs[slot]?.[0];
      if (out !== undefined) slots.render(slot, out, now);
    }
    if (this.#isActive && now - this.#reportedAt >= REPORT_MS) this.#report(slots, now);
    return true;
  }

  #connect(port: MessagePort): void {
    this.#port?.close();
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<VoicePortReport>) => {
      if ("unit" in data) this.#insert(data.unit);
    };
  }

  #insert(unit: ReceivedUnit): void {
    const [slots, now] = [this.#slots, nowMs()];
    if (slots === undefined) return;
    const isPlaced = slots.insert(unit, now);
    if (isPlaced || !this.#isActive) this.#report(slots, now);
    this.#isActive = true;
  }

  #report(slots: VoiceSlots, now: number): void {
    const report: PlayerReport = { kind: "slots", slots: slots.states(now), unplaced: slots.unplaced };
    this.port.postMessage(report);
    this.#reportedAt = now;
    this.#isActive = report.slots.some(({ isActive }) => isActive);
  }
}

/** Encodes the microphone's sound. */
class VoiceSource extends audioScope.AudioWorkletProcessor {
  #capture: UnitCapture | undefined;
  #port: MessagePort | undefined;
  #reportedAt = 0;
  #isMuted = false;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<SourceRequest>) => {
      if ("port" in data) this.#connect(data.port);
      else {
        this.#isMuted = data.isMuted;
        this.#capture?.clear();
      }
    };
    library.then(
      (opus) => {
        this.#capture = new UnitCapture(opus.encoder(), audioScope.sampleRate);
        reportLoaded(this.port, { kind: "ready" });
      },
      (error: unknown) => reportLoaded(this.port, { kind: "failed", error: String(error) }),
    );
  }

  process(inputs: readonly Float32Array[][]): boolean {
    const [samples, capture, now] = [inputs[0]?.[0], this.#capture, nowMs()];
    if (samples === undefined || capture === undefined || this.#isMuted) return true;
    capture.push(samples, now, this.#send);
    if (now - this.#reportedAt >= REPORT_MS) {
      const level = capture.level & 0x7f;
      const report: SourceReport = { kind: "level", level, isSpeech: capture.level >= 0x80 };
      this.port.postMessage(report);
      this.#reportedAt = now;
    }
    return true;
  }

  readonly #send = (unit: VoicePortRequest["unit"]): void => {
    const request: VoicePortRequest = { unit };
    this.#port?.postMessage(request, [unit.payload.buffer]);
  };

  #connect(port: MessagePort): void {
    this.#port?.close();
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<VoicePortReport>) => {
      if ("uplink" in data) this.#capture?.adapt(data.uplink);
    };
  }
}

audioScope.registerProcessor(PLAYER_PROCESSOR, VoicePlayer);
audioScope.registerProcessor(SOURCE_PROCESSOR, VoiceSource);
