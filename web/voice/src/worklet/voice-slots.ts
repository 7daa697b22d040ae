/** Distributes voices over the outputs of a player, and renders each. Pure: time is an argument. */
import type { ReceivedUnit } from "@stoa/client";
import { RENDER_SAMPLES, SLOT_IDLE_MS, SPEAKING_MS, VOICE_RATE_HZ } from "../limits.ts";
import type { SlotState } from "../messages.ts";
import { Resampler } from "../playout/resampler.ts";
import type { UnitDecoder } from "../playout/unit.ts";
import { VoicePlayout } from "../playout/voice-playout.ts";

/** One output. */
class VoiceSlot {
  readonly #decoder: UnitDecoder;
  readonly #output: RateAdapter;
  #playout: VoicePlayout;
  voice: number | undefined;
  level = 127;
  unitAt = Number.NEGATIVE_INFINITY;

  constructor(decoder: UnitDecoder, rateHz: number) {
    this.#decoder = decoder;
    this.#output = new RateAdapter(rateHz);
    this.#playout = new VoicePlayout(decoder);
  }

  /** Takes another voice. */
  assign(voice: number): void {
    this.#decoder.reset();
    this.#playout = new VoicePlayout(this.#decoder);
    this.voice = voice;
  }

  insert({ number, capturedMs, level, payload }: ReceivedUnit, nowMs: number): void {
    this.#playout.insert({ number, timeMs: capturedMs, level, payload }, nowMs);
    [this.level, this.unitAt] = [level, nowMs];
  }

  render(out: Float32Array, nowMs: number): void {
    this.#output.render(this.#playout, out, nowMs);
  }

  state(slot: number, voice: number, nowMs: number): SlotState {
    const { waitedMs, targetMs } = this.#playout.statistics;
    const isActive = nowMs - this.unitAt < SPEAKING_MS;
    return { slot, voice, level: this.level, isActive, waitedMs, targetMs };
  }
}

/** All outputs of a player. */
export class VoiceSlots {
  readonly #slots: readonly VoiceSlot[];
  #unplaced = 0;

  constructor(count: number, rateHz: number, newDecoder: () => UnitDecoder) {
    this.#slots = Array.from({ length: count }, () => new VoiceSlot(newDecoder(), rateHz));
  }

  /** Units that no output was free for. */
  get unplaced(): number {
    return this.#unplaced;
  }

  /** Takes an arrived unit. Returns whether its voice got an output by it. */
  insert(unit: ReceivedUnit, nowMs: number): boolean {
    const own = this.#slots.find(({ voice }) => voice === unit.voice);
    const slot = own ?? this.#freeSlot(nowMs);
    if (slot === undefined) {
      this.#unplaced += 1;
      return false;
    }
    if (own === undefined) slot.assign(unit.voice);
    slot.insert(unit, nowMs);
    return own === undefined;
  }

  /** Fills an output with its voice. */
  render(slot: number, out: Float32Array, nowMs: number): void {
    this.#slots[slot]?.render(out, nowMs);
  }

  /** Outputs that have a voice. */
  states(nowMs: number): readonly SlotState[] {
    return this.#slots.flatMap((slot, at) => (slot.voice === undefined ? [] : [slot.state(at, slot.voice, nowMs)]));
  }

  /** The output that is idle for the longest time. */
  #freeSlot(nowMs: number): VoiceSlot | undefined {
    const idle = this.#slots.filter(({ unitAt }) => nowMs - unitAt >= SLOT_IDLE_MS);
    return idle.reduce<VoiceSlot | undefined>(
      (longest, slot) => (longest === undefined || slot.unitAt < longest.unitAt ? slot : longest),
      undefined,
    );
  }
}

/** Converts the sound of a voice from 48 kHz to the rate of the context. */
class RateAdapter {
  readonly #resampler: Resampler | undefined;
  readonly #from = new Float32Array(RENDER_SAMPLES);
  /** Converted samples that no output had room for. */
  readonly #left: Float32Array;
  #leftCount = 0;

  constructor(rateHz: number) {
    this.#resampler = rateHz === VOICE_RATE_HZ ? undefined : new Resampler(VOICE_RATE_HZ, rateHz);
    this.#left = new Float32Array(2 * Math.ceil((RENDER_SAMPLES * rateHz) / VOICE_RATE_HZ) + 2 * RENDER_SAMPLES);
  }

  render(playout: VoicePlayout, out: Float32Array, nowMs: number): void {
    if (this.#resampler === undefined) {
      playout.render(out, nowMs);
      return;
    }
    while (this.#leftCount < out.length) {
      playout.render(this.#from, nowMs);
      this.#leftCount += this.#resampler.process(this.#from, RENDER_SAMPLES, this.#left.subarray(this.#leftCount));
    }
    for (let at = 0; at < out.length; at += 1) out[at] = this.#left[at] ?? 0;
    this.#left.copyWithin(0, out.length, this.#leftCount);
    this.#leftCount -= out.length;
  }
}
