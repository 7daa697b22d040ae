/** The units of this person's voice on their way up, across connections. Pure: time is an argument. */
import { VOICE_CLOCK_SHIFT_MS, VOICE_REPEATS } from "../limits.ts";
import type { MediaUnit } from "./frame.ts";
import type { CapturedUnit } from "./voice-link.ts";

/** Numbers flows of one page; it has one. */
export const VOICE_FLOW = 0;

/** This person's voice: the units to send, with the ones before them that are repeated on lossy paths. */
export class OutgoingVoice {
  readonly epoch: number;
  #recent: MediaUnit[] = [];
  /** Milliseconds from the audio clock to the plane's; `undefined` before the first unit. */
  #clockOffsetMs: number | undefined;

  constructor(epoch: number) {
    this.epoch = epoch;
  }

  /** Adds a unit that was captured just now. Returns it after the units to repeat, by ascending number. */
  add({ number, capturedMs, level, payload }: CapturedUnit, lostPerMille: number, now: number): readonly MediaUnit[] {
    // The offset is kept while it is about right: the time of a message varies, the audio clock doesn't.
    const offsetMs = now - capturedMs;
    const shiftMs = Math.abs(offsetMs - (this.#clockOffsetMs ?? Number.POSITIVE_INFINITY));
    if (shiftMs > VOICE_CLOCK_SHIFT_MS) this.#clockOffsetMs = offsetMs;
    const onPlaneMs = Math.round(capturedMs + (this.#clockOffsetMs ?? 0)) >>> 0;
    const unit = { epoch: this.epoch, flow: VOICE_FLOW, number, capturedMs: onPlaneMs, level, layer: 0, payload };
    const repeated = this.#recent.slice(-repeatsAt(lostPerMille));
    this.#recent = [...this.#recent.slice(1 - VOICE_REPEATS.length), unit];
    return repeatsAt(lostPerMille) === 0 ? [unit] : [...repeated, unit];
  }
}

/** Units to repeat in each frame at that loss. */
function repeatsAt(lostPerMille: number): number {
  return VOICE_REPEATS.filter((fromPerMille) => lostPerMille >= fromPerMille).length;
}
