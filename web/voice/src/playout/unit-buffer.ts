/**
 * Units of one voice by number, from the next one to be played on. Pure, and of fixed size: a unit beyond the last slot
 * removes the first ones.
 */
import { NUMBER_JUMP_MAX, PAUSE_MS_MIN, REANCHOR_MS, REANCHOR_UNITS, UNIT_MS, WAITING_UNITS_MAX } from "../limits.ts";
import type { VoiceUnit } from "./unit.ts";

/** The fate of an arrived unit. `restarted`: accepted, and all units before were removed. */
export type Arrival = "accepted" | "restarted" | "late" | "duplicate";

const MASK = WAITING_UNITS_MAX - 1;
const EMPTY = new Uint8Array(0);
/** Part of the difference between a unit's time and the count of units that corrects the media time. */
const TIME_GAIN = 1 / 32;
/** Added to the first number, so that the numbers before it aren't negative. */
const FIRST = 2 ** 32;
/** A number without a unit. */
const NONE = -1;

/** Numbers inside are unwrapped: they go on beyond 2^32. */
export class UnitBuffer {
  readonly #numbers = new Float64Array(WAITING_UNITS_MAX).fill(NONE);
  readonly #mediaMs = new Float64Array(WAITING_UNITS_MAX);
  readonly #arrivedMs = new Float64Array(WAITING_UNITS_MAX);
  readonly #levels = new Uint8Array(WAITING_UNITS_MAX);
  /** `EMPTY` once the unit was taken. */
  readonly #payloads: Uint8Array[] = new Array<Uint8Array>(WAITING_UNITS_MAX).fill(EMPTY);
  #waiting = 0;
  #next = NONE;
  #newest = NONE;
  /** Media time of the newest unit. */
  #newestMs = 0;
  /** Unwrapped time of the newest unit. */
  #newestTimeMs = 0;
  #removed = 0;
  #strayNext = NONE;
  #strays = 0;
  #straysFrom = 0;

  /** Count of waiting units. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Number of the next unit to be played, whether it has arrived or not. */
  get next(): number {
    return this.#next;
  }

  /** Count of units that were removed because too many waited. */
  get removed(): number {
    return this.#removed;
  }

  insert(unit: VoiceUnit, nowMs: number): Arrival {
    if (this.#newest === NONE) return this.#restart(unit, nowMs);
    const number = this.#newest + ((unit.number - this.#newest) | 0);
    const isKnown = this.#numbers[number & MASK] === number;
    if (isKnown) return "duplicate";
    if (number < this.#next || number - this.#newest > NUMBER_JUMP_MAX) return this.#handleStray(unit, nowMs);
    this.#strays = 0;
    this.skipTo(number - MASK, true);
    this.#store(number, unit, nowMs);
    return "accepted";
  }

  has(number: number): boolean {
    return this.#numbers[number & MASK] === number && number >= this.#next;
  }

  /** Number of the first waiting unit, or -1. */
  first(): number {
    if (this.#waiting === 0) return NONE;
    let number = this.#next;
    while (number <= this.#newest && !this.has(number)) number += 1;
    return number;
  }

  /** Capture of the unit's first sample, without the jitter of the sender's clock. */
  mediaMs(number: number): number {
    return this.#mediaMs[number & MASK] ?? 0;
  }

  /** Media time of a unit that came too late, or NaN if its number is too far from the newest. */
  lateMediaMs(unit: VoiceUnit): number {
    const behind = (unit.number - this.#newest) | 0;
    if (behind > 0 || behind < -WAITING_UNITS_MAX) return Number.NaN;
    return Math.min(this.#unwrapTime(unit.timeMs), this.#newestMs + behind * UNIT_MS);
  }

  arrivedMs(number: number): number {
    return this.#arrivedMs[number & MASK] ?? 0;
  }

  level(number: number): number {
    return this.#levels[number & MASK] ?? 0;
  }

  payload(number: number): Uint8Array {
    return this.#payloads[number & MASK] ?? EMPTY;
  }

  /** Makes `number` the next one to be played and removes the units before. */
  skipTo(number: number, isTooMany = false): void {
    const end = Math.min(number, this.#newest + 1);
    for (let at = this.#next; at < end; at += 1) {
      if (!this.has(at)) continue;
      this.#payloads[at & MASK] = EMPTY;
      this.#waiting -= 1;
      if (isTooMany) this.#removed += 1;
    }
    if (number > this.#next) this.#next = number;
  }

  #store(number: number, unit: VoiceUnit, nowMs: number): void {
    const at = number & MASK;
    this.#numbers[at] = number;
    this.#arrivedMs[at] = nowMs;
    this.#mediaMs[at] = this.#takeTime(number, unit.timeMs);
    this.#levels[at] = unit.level;
    this.#payloads[at] = unit.payload;
    this.#waiting += 1;
  }

  /** The media time of a unit: times are followed slowly, and at once after a pause or a step of the sender's clock. */
  #takeTime(number: number, timeMs: number): number {
    const unwrapped = this.#unwrapTime(timeMs);
    const expected = this.#newestMs + (number - this.#newest) * UNIT_MS;
    const difference = unwrapped - expected;
    const isContinuous = Math.abs(difference) < PAUSE_MS_MIN;
    if (number < this.#newest) return isContinuous ? expected : unwrapped;
    this.#newest = number;
    this.#newestTimeMs = unwrapped;
    this.#newestMs = isContinuous ? expected + difference * TIME_GAIN : unwrapped;
    return this.#newestMs;
  }

  #unwrapTime(timeMs: number): number {
    return this.#newestTimeMs + ((timeMs - this.#newestTimeMs) | 0);
  }

  /** Follows another sequence once it has lasted. */
  #handleStray(unit: VoiceUnit, nowMs: number): Arrival {
    if (this.#strays === 0 || unit.number !== this.#strayNext) {
      this.#strays = 0;
      this.#straysFrom = nowMs;
    }
    this.#strays += 1;
    this.#strayNext = (unit.number + 1) >>> 0;
    if (this.#strays < REANCHOR_UNITS || nowMs - this.#straysFrom < REANCHOR_MS) return "late";
    return this.#restart(unit, nowMs);
  }

  #restart(unit: VoiceUnit, nowMs: number): Arrival {
    this.#numbers.fill(NONE);
    this.#payloads.fill(EMPTY);
    this.#waiting = 0;
    this.#strays = 0;
    const number = FIRST + unit.number;
    this.#next = number;
    this.#newest = number;
    this.#newestMs = unit.timeMs;
    this.#newestTimeMs = unit.timeMs;
    this.#store(number, unit, nowMs);
    return "restarted";
  }
}
