/**
 * Measures how much later than the quickest units arrive, and the wait that makes nearly all of them in time. Pure:
 * time is an argument.
 */
import {
  ARRIVAL_BIN_MS,
  ARRIVAL_BINS,
  ARRIVAL_KEPT,
  ARRIVAL_MS_MAX,
  ARRIVAL_QUANTILE,
  ARRIVAL_WINDOW_MS,
  DRIFT_MAX,
  ORIGIN_WINDOW_MS,
  REANCHOR_UNITS,
  TARGET_MARGIN_MS,
  TARGET_MS_FIRST,
  TARGET_MS_MAX,
  TARGET_MS_MIN,
} from "../limits.ts";

/** Parts of the window of the quickest unit. */
const PARTS = 8;
const PART_MS = ORIGIN_WINDOW_MS / PARTS;
/** An origin that moves by more than this means another path. */
const OTHER_PATH_MS = 20;
/** Least units of a part that show another path by being late. */
const PART_UNITS_MIN = 6;

/** Drift moves the origin by less than this at once. */
const DRIFT_STEP_MS = 1;

/** The spread of one voice's arrivals. */
export class DelayEstimator {
  /** Smallest transit (arrival minus media time) of each part of the window. */
  readonly #parts = new Float64Array(PARTS).fill(Number.POSITIVE_INFINITY);
  #part = 0;
  #partFrom = Number.NEGATIVE_INFINITY;
  #partUnits = 0;
  #origin = Number.NaN;
  /** Sum of the steps towards quicker units. It decays. */
  #quickenedMs = 0;
  /** Weights of delays, from `#binsFrom` on. */
  readonly #bins = new Float64Array(ARRIVAL_BINS);
  #binsFrom = 0;
  #windows = 0;
  #windowFrom = Number.NaN;
  #windowMax = 0;
  #tooLate = 0;
  #targetMs = TARGET_MS_FIRST;
  #arrivedAt = Number.NaN;

  /** The quickest transit: arrival minus media time. NaN before the first unit. */
  get originMs(): number {
    return this.#origin;
  }

  /** Time from the quickest possible arrival of a unit to its playing. */
  get targetMs(): number {
    return this.#targetMs;
  }

  /** Forgets all arrivals: another sequence of units follows. */
  reset(): void {
    this.#parts.fill(Number.POSITIVE_INFINITY);
    this.#partFrom = Number.NEGATIVE_INFINITY;
    this.#partUnits = 0;
    this.#origin = Number.NaN;
    this.#quickenedMs = 0;
    this.#bins.fill(0);
    this.#binsFrom = 0;
    this.#windows = 0;
    this.#windowFrom = Number.NaN;
    this.#tooLate = 0;
    this.#targetMs = TARGET_MS_FIRST;
    this.#arrivedAt = Number.NaN;
  }

  /** Takes an arrival, late ones too. */
  handleArrival(mediaMs: number, nowMs: number): void {
    const transit = nowMs - mediaMs;
    if (transit - this.#origin > ARRIVAL_MS_MAX && this.#tooLate < REANCHOR_UNITS) {
      this.#tooLate += 1;
      return;
    }
    if (this.#tooLate >= REANCHOR_UNITS) this.#parts.fill(Number.POSITIVE_INFINITY);
    this.#tooLate = 0;
    this.#updateOrigin(transit, nowMs);
    this.#updateSpread(transit, nowMs);
  }

  #updateOrigin(transit: number, nowMs: number): void {
    const parts = this.#parts;
    const pauseMs = nowMs - this.#arrivedAt - PART_MS;
    if (pauseMs > 0) for (let at = 0; at < PARTS; at += 1) parts[at] = (parts[at] ?? 0) + pauseMs * DRIFT_MAX;
    this.#arrivedAt = nowMs;
    if (nowMs - this.#partFrom >= PART_MS) this.#startPart(nowMs);
    this.#partUnits += 1;
    parts[this.#part] = Math.min(parts[this.#part] ?? transit, transit);
    let origin = Number.POSITIVE_INFINITY;
    for (let at = 0; at < PARTS; at += 1) origin = Math.min(origin, parts[at] ?? origin);
    // Bins keep their distance from the origin under drift and on another path, and their transits otherwise.
    const moved = origin - this.#origin;
    const quickened = Math.max(0, this.#quickenedMs - moved);
    const isSpread = Math.abs(moved) > DRIFT_STEP_MS && moved <= OTHER_PATH_MS && quickened <= OTHER_PATH_MS;
    if (isSpread) this.#quickenedMs = quickened;
    else this.#binsFrom += moved;
    if (moved > OTHER_PATH_MS) this.#foldBins(Math.floor(moved / ARRIVAL_BIN_MS));
    this.#origin = origin;
    if (Number.isNaN(this.#binsFrom)) {
      this.#binsFrom = origin;
      this.#bins[Math.floor((TARGET_MS_FIRST - TARGET_MARGIN_MS) / ARRIVAL_BIN_MS) - 1] = 1;
    }
    this.#moveBins();
  }

  /** Begins a part. If all units of the last one were too late, the path has changed, and older parts are forgotten. */
  #startPart(nowMs: number): void {
    const quickest = this.#parts[this.#part] ?? 0;
    if (this.#partUnits >= PART_UNITS_MIN && quickest > this.#origin + this.#targetMs) {
      this.#parts.fill(Number.POSITIVE_INFINITY);
      this.#parts[this.#part] = quickest;
    }
    this.#part = (this.#part + 1) % PARTS;
    this.#parts[this.#part] = Number.POSITIVE_INFINITY;
    this.#partFrom = nowMs;
    this.#partUnits = 0;
  }

  /** Moves the bins from `by` on to the beginning: they were counted on a path that is longer by so much. */
  #foldBins(by: number): void {
    const bins = this.#bins;
    for (let at = Math.min(by, ARRIVAL_BINS - 1); at < ARRIVAL_BINS; at += 1) {
      const to = Math.max(0, at - by);
      bins[to] = (bins[to] ?? 0) + (bins[at] ?? 0);
      bins[at] = 0;
    }
  }

  /** Moves the bins by whole widths until the origin is in the first one. */
  #moveBins(): void {
    const by = Math.floor((this.#origin - this.#binsFrom) / ARRIVAL_BIN_MS);
    if (by === 0) return;
    this.#binsFrom += by * ARRIVAL_BIN_MS;
    const bins = this.#bins;
    if (by > 0) {
      let early = 0;
      for (let at = 0; at < Math.min(by, ARRIVAL_BINS); at += 1) early += bins[at] ?? 0;
      bins.copyWithin(0, Math.min(by, ARRIVAL_BINS));
      bins.fill(0, Math.max(0, ARRIVAL_BINS - by));
      bins[0] = (bins[0] ?? 0) + early;
    } else {
      let late = 0;
      for (let at = Math.max(0, ARRIVAL_BINS + by); at < ARRIVAL_BINS; at += 1) late += bins[at] ?? 0;
      bins.copyWithin(-by, 0);
      bins.fill(0, 0, Math.min(-by, ARRIVAL_BINS));
      bins[ARRIVAL_BINS - 1] = (bins[ARRIVAL_BINS - 1] ?? 0) + late;
    }
  }

  #updateSpread(transit: number, nowMs: number): void {
    if (!(nowMs - this.#windowFrom < ARRIVAL_WINDOW_MS)) {
      if (!Number.isNaN(this.#windowFrom)) this.#countWindow();
      this.#windowFrom = nowMs;
      this.#windowMax = transit;
    } else if (transit > this.#windowMax) {
      this.#windowMax = transit;
    }
    this.#targetMs = this.#quantileMs();
  }

  /** Counts the latest unit of a window. The first windows weigh more, so that the target is soon right. */
  #countWindow(): void {
    this.#windows += 1;
    this.#quickenedMs *= ARRIVAL_KEPT;
    const kept = Math.min(ARRIVAL_KEPT, 1 - 1 / (this.#windows + 1));
    const bins = this.#bins;
    for (let at = 0; at < ARRIVAL_BINS; at += 1) bins[at] = (bins[at] ?? 0) * kept;
    const bin = Math.floor((this.#windowMax - this.#binsFrom) / ARRIVAL_BIN_MS);
    const at = Math.max(0, Math.min(ARRIVAL_BINS - 1, bin));
    bins[at] = (bins[at] ?? 0) + 1 - kept;
  }

  #quantileMs(): number {
    const bins = this.#bins;
    let all = 0;
    for (let at = 0; at < ARRIVAL_BINS; at += 1) all += bins[at] ?? 0;
    let late = all * (1 - ARRIVAL_QUANTILE);
    let at = ARRIVAL_BINS - 1;
    while (at > 0) {
      late -= bins[at] ?? 0;
      if (late < 0) break;
      at -= 1;
    }
    const spread = this.#binsFrom + (at + 1) * ARRIVAL_BIN_MS - this.#origin;
    return Math.max(TARGET_MS_MIN, Math.min(TARGET_MS_MAX, spread + TARGET_MARGIN_MS));
  }
}
