/** The processors of an audio worklet: a player with one output for each voice, and a source for the microphone. */
import type { ReceivedUnit, VoicePortReport } from "@stoa/client";
import { UnitSource } from "../capture/unit-source.ts";
import type { Opus } from "../codec/opus.ts";
import { REPORT_MS } from "../limits.ts";
import {
  type LoadReport,
  PLAYER_PROCESSOR,
  type PlayerOptions,
  type PlayerReport,
  type PlayerRequest,
  SOURCE_PROCESSOR,
  type SourceRequest,
} from "../messages.ts";
import type { AudioWorkletScope, ProcessorOptions } from "./scope.ts";
import { VoiceSlots } from "./voice-slots.ts";

/** Registers the processors, which share one compiled codec. */
export function registerProcessors(scope: AudioWorkletScope, library: Promise<Opus>): void {
  const nowMs = () => 1_000 * scope.currentTime;

  /** Plays voices, one on each output. */
  class VoicePlayer extends scope.AudioWorkletProcessor {
    #slots: VoiceSlots | undefined;
    #port: MessagePort | undefined;
    #reportedAt = 0;
    #isActive = false;

    constructor({ processorOptions }: ProcessorOptions<PlayerOptions>) {
      super();
      this.port.onmessage = ({ data }: MessageEvent<PlayerRequest>) => this.#connect(data.port);
      const report = (report: LoadReport) => this.port.postMessage(report);
      library.then(
        (opus) => {
          this.#slots = new VoiceSlots(processorOptions.slots, scope.sampleRate, () => opus.decoder());
          report({ kind: "ready" });
        },
        (error: unknown) => report({ kind: "failed", error: String(error) }),
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
  class VoiceSource extends scope.AudioWorkletProcessor {
    readonly #source = new UnitSource(library, (report) => this.port.postMessage(report));

    constructor() {
      super();
      this.port.onmessage = ({ data }: MessageEvent<SourceRequest>) => this.#source.handle(data);
    }

    process(inputs: readonly Float32Array[][]): boolean {
      const samples = inputs[0]?.[0];
      if (samples !== undefined) this.#source.push(samples, scope.sampleRate, nowMs());
      return true;
    }
  }

  scope.registerProcessor(PLAYER_PROCESSOR, VoicePlayer);
  scope.registerProcessor(SOURCE_PROCESSOR, VoiceSource);
}
