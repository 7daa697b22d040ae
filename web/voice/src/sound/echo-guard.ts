/** Checks once whether a microphone hears the loudspeaker, and then quiets other voices while the person talks. */
import { EchoDetector } from "../echo/echo-detector.ts";
import { DUCK_MARGIN_DB, ECHO_POLL_S_MAX, ECHO_WINDOW_SAMPLES, METER_SAMPLES } from "../limits.ts";
import type { OwnVoice } from "./own-voice.ts";
import type { VoiceSpace } from "./voice-space.ts";

/** Follows the own voice and those that are played. */
export class EchoGuard {
  readonly #context: AudioContext;
  readonly #space: Pick<VoiceSpace, "output" | "duck">;
  #detector: EchoDetector;
  #tap: EchoTap | undefined;
  #meter: AnalyserNode | undefined;
  /** Whether this browser can't connect the microphone with the voices. */
  #isUnable = false;

  constructor(context: AudioContext, space: Pick<VoiceSpace, "output" | "duck">) {
    [this.#context, this.#space] = [context, space];
    this.#detector = new EchoDetector(context.sampleRate);
  }

  /** Whether people hear themselves. */
  get hasEcho(): boolean {
    return this.#detector.verdict === "echo";
  }

  /** Handles a change of the own voice, or the level of either. Called ten times a second while both are heard. */
  handle({ state, microphone }: Pick<OwnVoice, "state" | "microphone">, isPlaying: boolean): void {
    // The next start may be with another device, or with headphones.
    if (state.kind !== "talking") {
      this.close();
      return;
    }
    const stream = isPlaying && !state.isMuted ? microphone?.stream : undefined;
    if (stream === undefined || this.#detector.verdict !== undefined) this.#closeTap();
    else this.#check(stream);
    const meter = this.hasEcho ? this.#outputMeter() : undefined;
    const talks =
      meter !== undefined && stream !== undefined && state.isSpeech && this.#isAboveEcho(state.level, meter);
    this.#space.duck(talks);
  }

  /** Forgets what it knows. */
  close(): void {
    this.#closeTap();
    if (this.#meter !== undefined) this.#space.output.disconnect(this.#meter);
    this.#meter = undefined;
    if (this.#detector.verdict !== undefined) this.#detector = new EchoDetector(this.#context.sampleRate);
    this.#isUnable = false;
    this.#space.duck(false);
  }

  #check(stream: MediaStream): void {
    if (this.#isUnable) return;
    try {
      if (this.#tap?.stream !== stream) {
        this.#closeTap();
        this.#tap = new EchoTap(this.#context, this.#space.output, stream);
      }
      this.#tap.poll(this.#detector);
    } catch {
      // Firefox throws if the rates of microphone and context differ.
      this.#isUnable = true;
    }
  }

  /** Whether captured sound of this loudness, in −dBov, is more than the echo of the voices. */
  #isAboveEcho(level: number, meter: AnalyserNode): boolean {
    const samples = new Float32Array(METER_SAMPLES);
    meter.getFloatTimeDomainData(samples);
    const played = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    return -level > 10 * Math.log10(played * this.#detector.gain ** 2) + DUCK_MARGIN_DB;
  }

  /** Measures the voices from its first call on. */
  #outputMeter(): AnalyserNode {
    if (this.#meter !== undefined) return this.#meter;
    this.#meter = newAnalyser(this.#context, METER_SAMPLES);
    this.#space.output.connect(this.#meter);
    return this.#meter;
  }

  #closeTap(): void {
    this.#tap?.close();
    this.#tap = undefined;
  }
}

/** Reads what is played and captured in the same time. */
class EchoTap {
  readonly stream: MediaStream;
  readonly #context: AudioContext;
  readonly #output: AudioNode;
  readonly #played: AnalyserNode;
  readonly #source: AudioNode;
  readonly #captured: AnalyserNode;
  #since: number;
  #polledAt: number;

  constructor(context: AudioContext, output: AudioNode, stream: MediaStream) {
    this.#source = context.createMediaStreamSource(stream);
    [this.stream, this.#context, this.#output] = [stream, context, output];
    this.#played = newAnalyser(context, ECHO_WINDOW_SAMPLES);
    this.#captured = newAnalyser(context, ECHO_WINDOW_SAMPLES);
    output.connect(this.#played);
    this.#source.connect(this.#captured);
    this.#since = this.#polledAt = context.currentTime;
  }

  /** Hands the detector each window in which both were heard without a break. */
  poll(detector: EchoDetector): void {
    const now = this.#context.currentTime;
    if (now - this.#polledAt > ECHO_POLL_S_MAX) this.#since = now;
    this.#polledAt = now;
    if (now - this.#since < ECHO_WINDOW_SAMPLES / this.#context.sampleRate) return;
    this.#since = now;
    const [played, captured] = [new Float32Array(ECHO_WINDOW_SAMPLES), new Float32Array(ECHO_WINDOW_SAMPLES)];
    this.#played.getFloatTimeDomainData(played);
    this.#captured.getFloatTimeDomainData(captured);
    detector.handleWindow(played, captured);
  }

  close(): void {
    this.#output.disconnect(this.#played);
    this.#source.disconnect();
  }
}

function newAnalyser(context: AudioContext, samples: number): AnalyserNode {
  const analyser = context.createAnalyser();
  analyser.fftSize = samples;
  return analyser;
}
