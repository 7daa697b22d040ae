import { VOICE_RATE_HZ } from "../../src/limits.ts";
import type { PlayoutStatistics } from "../../src/playout/playout-statistics.ts";
import type { UnitDecoder } from "../../src/playout/unit.ts";
import { VoicePlayout } from "../../src/playout/voice-playout.ts";
import type { ArrivedUnit } from "./network.ts";

export interface PlayerOptions {
  readonly durationMs: number;
  /** Samples of a call of render. */
  readonly quantum?: number;
  /** Quanta rendered at once, as for the buffer of a sound card. */
  readonly burst?: number;
  /** Whether time is the count of samples, which a worklet has. Units then arrive between bursts. */
  readonly isSampleClock?: boolean;
  /** Called before each quantum. */
  readonly onQuantum?: (nowMs: number, playout: VoicePlayout) => void;
}

export interface Played {
  readonly output: Float32Array;
  readonly statistics: PlayoutStatistics;
}

/** Plays arrivals with calls of `render` in time. */
export function play(arrivals: readonly ArrivedUnit[], decoder: UnitDecoder, options: PlayerOptions): Played {
  const { durationMs, quantum = 128, burst = 1, isSampleClock = false, onQuantum } = options;
  const playout = new VoicePlayout(decoder);
  const quanta = Math.floor((durationMs * VOICE_RATE_HZ) / 1_000 / quantum);
  const output = new Float32Array(quanta * quantum);
  let arrival = 0;
  for (let at = 0; at < quanta; at += 1) {
    const burstMs = ((at - (at % burst)) * quantum * 1_000) / VOICE_RATE_HZ;
    const nowMs = isSampleClock ? (at * quantum * 1_000) / VOICE_RATE_HZ : burstMs;
    for (let next = arrivals[arrival]; next !== undefined && next.arrivedMs <= burstMs; next = arrivals[arrival]) {
      playout.insert(next.unit, isSampleClock ? nowMs : next.arrivedMs);
      arrival += 1;
    }
    onQuantum?.(nowMs, playout);
    playout.render(output.subarray(at * quantum, (at + 1) * quantum), nowMs);
  }
  return { output, statistics: { ...playout.statistics } };
}
