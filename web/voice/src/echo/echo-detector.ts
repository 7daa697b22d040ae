/**
 * Finds the played sound in the captured one: correlates them over all delays of a room and its devices. Pure: windows
 * of samples are arguments.
 */
import {
  ECHO_AGREED,
  ECHO_DELAY_MAX_S,
  ECHO_GAIN_MIN,
  ECHO_RATE_HZ,
  ECHO_SILENT_WINDOWS,
  ECHO_WINDOWS_MAX,
  PLAYED_RMS_MIN,
} from "../limits.ts";

/** Whether people hear themselves: `echo`, or `none` that they would notice. */
export type EchoVerdict = "echo" | "none";

/** The delay at which captured sound is most like the played one. */
interface EchoCandidate {
  /** In steps of the lower rate. */
  readonly delay: number;
  /** From loudspeaker to microphone. */
  readonly gain: number;
  /** Share of the captured power that it explains. */
  readonly share: number;
}

/** Listens to one microphone until it is sure. */
export class EchoDetector {
  readonly #step: number;
  readonly #delays: number;
  readonly #candidates: EchoCandidate[] = [];
  #silentWindows = 0;
  #verdict: EchoVerdict | undefined;
  #gain = 0;

  constructor(rateHz: number) {
    this.#step = Math.max(1, Math.round(rateHz / ECHO_RATE_HZ));
    this.#delays = Math.round((ECHO_DELAY_MAX_S * rateHz) / this.#step);
  }

  /** `undefined` until the sound that was played suffices. */
  get verdict(): EchoVerdict | undefined {
    return this.#verdict;
  }

  /** The gain from loudspeaker to microphone; 0 without an echo. */
  get gain(): number {
    return this.#gain;
  }

  /** Takes what was played and captured in the same time. Both have the same length. */
  handleWindow(played: Float32Array, captured: Float32Array): void {
    if (this.#verdict !== undefined || rmsOf(played) < PLAYED_RMS_MIN) return;
    const [one, other] = [whitened(played, this.#step), whitened(captured, this.#step)];
    if (rmsOf(other) < ECHO_GAIN_MIN * rmsOf(one)) this.#silentWindows += 1;
    else this.#candidates.push(bestDelay(one, other, this.#delays));
    this.#decide();
  }

  /**
   * The sound of the room, or of a person who talks, is like the played one at a random delay. Echo is at the same one
   * in each window.
   */
  #decide(): void {
    for (const { delay } of this.#candidates) {
      const agreeing = this.#candidates.filter((one) => Math.abs(one.delay - delay) <= 1);
      const gain = mean(agreeing.map((one) => one.gain));
      const agreed = agreeing.reduce((sum, { share }) => sum + share, 0);
      if (agreeing.length < 2 || agreed < ECHO_AGREED || gain < ECHO_GAIN_MIN) continue;
      [this.#verdict, this.#gain] = ["echo", gain];
      return;
    }
    const isOver = this.#candidates.length + this.#silentWindows >= ECHO_WINDOWS_MAX;
    if (this.#silentWindows >= ECHO_SILENT_WINDOWS || isOver) this.#verdict = "none";
  }
}

function bestDelay(played: Float32Array, captured: Float32Array, delays: number): EchoCandidate {
  const count = played.length - delays;
  const playedPower = powerOf(played.subarray(0, count));
  let best = { delay: 0, gain: 0, share: 0 };
  for (let delay = 0; delay < delays; delay += 1) {
    let product = 0;
    for (let at = 0; at < count; at += 1) product += (played[at] ?? 0) * (captured[at + delay] ?? 0);
    const gain = Math.abs(product) / playedPower;
    if (gain > best.gain) best = { delay, gain, share: 0 };
  }
  const power = powerOf(captured.subarray(best.delay, best.delay + count));
  return { ...best, share: (best.gain ** 2 * playedPower) / power };
}

/** Fewer samples, of which the differences are taken: speech has most of its power in low tones, which blur delays. */
function whitened(samples: Float32Array, step: number): Float32Array {
  const means = new Float32Array(Math.floor(samples.length / step));
  for (let at = 0; at < means.length; at += 1) {
    let sum = 0;
    for (let part = 0; part < step; part += 1) sum += samples[at * step + part] ?? 0;
    means[at] = sum / step;
  }
  for (let at = means.length - 1; at > 0; at -= 1) means[at] = (means[at] ?? 0) - (means[at - 1] ?? 0);
  return means;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function powerOf(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0);
}

function rmsOf(samples: Float32Array): number {
  return Math.sqrt(powerOf(samples) / samples.length);
}
