/**
 * Plays one voice: decides at each missing sample between the next unit, its concealment, silence and stretching. Pure:
 * time is an argument, and `render` allocates nothing.
 */
import {
  AHEAD_MS_MAX,
  BACKLOG_MS_MAX,
  CONCEAL_FULL_SAMPLES,
  CONCEAL_SAMPLES,
  CONCEAL_SAMPLES_MAX,
  DELAY_TOLERANCE_MS,
  DELAY_TOLERANCE_SHARE,
  FADE_IN_SAMPLES,
  FADE_SAMPLES,
  FIRST_MISSING_MAX,
  FIRST_MISSING_MS,
  HURRY_MS,
  INTACT_UNITS,
  LATE_SKIP_SAMPLES_MAX,
  MISSING_MS_MAX,
  PAUSE_MS_MIN,
  RENDER_SAMPLES_MAX,
  STRETCH_SAMPLES_MAX,
  TARGET_MS_MAX,
  UNIT_MS,
  UNIT_SAMPLES,
  VOICE_RATE_HZ,
} from "../limits.ts";
import { CheckedDecoder } from "./checked-decoder.ts";
import { DelayEstimator } from "./delay-estimator.ts";
import { emptyStatistics, type PlayoutStatistics } from "./playout-statistics.ts";
import { SampleRing } from "./sample-ring.ts";
import { TimeStretcher } from "./time-stretcher.ts";
import { SPEECH_BIT, type UnitDecoder, type VoiceUnit } from "./unit.ts";
import { type Arrival, UnitBuffer } from "./unit-buffer.ts";

const SAMPLES_PER_MS = VOICE_RATE_HZ / 1_000;
/** Holds the longest output, the unit after it and all that a stretch compares. A power of two. */
const RING_SAMPLES = 8_192;
/** Units over which the measured delay is averaged. */
const DELAY_UNITS = 8;
/** Sound without speech that is missing for longer before the next unit is a pause. */
const LOST_MS_MAX = 3 * UNIT_MS;
/** Part of the passed time by which the count of samples falls back to the clock, which may be slower. */
const CLOCK_LEAK = 0.01;
/** Part of the longest time ahead that remains at the next call. */
const AHEAD_KEPT = 0.9995;
/** Media times of consecutive units differ from their count by less than this. */
const MEDIA_ERROR_MS = 2.5;

/** Playout of one voice at 48 kHz, one channel. */
export class VoicePlayout {
  readonly #decoder: CheckedDecoder;
  readonly #units = new UnitBuffer();
  readonly #delays = new DelayEstimator();
  readonly #ring = new SampleRing(RING_SAMPLES);
  readonly #stretcher = new TimeStretcher();
  readonly #scratch = new Float32Array(UNIT_SAMPLES);
  readonly #tail = new Float32Array(UNIT_SAMPLES);
  readonly #statistics: PlayoutStatistics = emptyStatistics();
  /** Whether a talkspurt is being played. */
  #isActive = false;
  #isSpeech = false;
  #unitsOfTalkspurt = 0;
  /** The first unit of a talkspurt whose FEC recovered nothing. */
  #unrecovered = -1;
  /** Samples concealed since the last decoded one. */
  #concealed = 0;
  /** Media time of the end of the decoded sound. */
  #endMs = 0;
  #nowMs = 0;
  /** Moments of the first sample of this output and of the first one after it, by the count of samples. */
  #startMs = 0;
  #endOfOutputMs = 0;
  /** Longest time, of late, by which a sample was rendered ahead of the clock. */
  #aheadMsMax = 0;

  constructor(decoder: UnitDecoder) {
    this.#decoder = new CheckedDecoder(decoder);
  }

  /** Changes with each call; copy it to keep it. */
  get statistics(): Readonly<PlayoutStatistics> {
    this.#statistics.targetMs = this.#targetMs;
    return this.#statistics;
  }

  /** Samples decoded and waiting, in milliseconds. */
  get bufferedMs(): number {
    return this.#units.waiting * UNIT_MS + this.#ring.available / SAMPLES_PER_MS;
  }

  /** Takes an arrived unit. `nowMs` is of the same clock as that of `render`, such as a worklet's `currentTime`. */
  insert(unit: VoiceUnit, nowMs: number): Arrival {
    const removed = this.#units.removed;
    const arrival = this.#units.insert(unit, nowMs);
    this.#statistics.skipped += this.#units.removed - removed;
    if (arrival === "duplicate") this.#statistics.duplicate += 1;
    if (arrival === "late") this.#statistics.late += 1;
    if (arrival === "restarted") this.#restart();
    if (arrival === "duplicate") return arrival;
    const mediaMs = arrival === "late" ? this.#units.lateMediaMs(unit) : this.#units.mediaMs(unit.number);
    if (!Number.isNaN(mediaMs)) this.#delays.handleArrival(mediaMs, nowMs);
    return arrival;
  }

  /** Samples rendered ahead of the clock must have arrived earlier. */
  get #targetMs(): number {
    return Math.min(TARGET_MS_MAX, this.#delays.targetMs + this.#aheadMsMax);
  }

  #restart(): void {
    this.#isActive = false;
    this.#delays.reset();
    this.#decoder.reset();
  }

  /** Fills `out`, at most `RENDER_SAMPLES_MAX` samples. Returns whether it has sound. */
  render(out: Float32Array, nowMs: number): boolean {
    this.#takeTime(out.length, nowMs);
    if (!this.#isActive && this.#units.waiting === 0 && this.#ring.available === 0) {
      out.fill(0);
      return false;
    }
    const needed = Math.min(out.length, RENDER_SAMPLES_MAX);
    while (this.#ring.available < needed && this.#extend());
    const count = this.#ring.read(out);
    out.fill(0, count);
    return count > 0;
  }

  #takeTime(samples: number, nowMs: number): void {
    const passedMs = nowMs - this.#nowMs;
    this.#nowMs = nowMs;
    this.#startMs = Math.max(nowMs, this.#endOfOutputMs - passedMs * CLOCK_LEAK);
    this.#endOfOutputMs = this.#startMs + samples / SAMPLES_PER_MS;
    const aheadMs = Math.min(AHEAD_MS_MAX, this.#endOfOutputMs - nowMs);
    this.#aheadMsMax = Math.max(this.#aheadMsMax * AHEAD_KEPT, aheadMs);
  }

  /** Appends samples; false if silence follows. */
  #extend(): boolean {
    const units = this.#units;
    const first = units.first();
    if (!this.#isActive) return first >= 0 && this.#start(first);
    const next = units.next;
    if (first < 0) return this.#isSpeech ? this.#conceal() : this.#end();
    const missingMs = units.mediaMs(first) - this.#endMs;
    if (first === next && this.#concealed === 0) {
      return missingMs < PAUSE_MS_MIN ? this.#play(next) : this.#end();
    }
    if (missingMs < MEDIA_ERROR_MS || this.#isOverdue(first, MISSING_MS_MAX)) return this.#play(first);
    if (!this.#isSpeech && missingMs > LOST_MS_MAX) return this.#end();
    return (missingMs < UNIT_MS + MEDIA_ERROR_MS && this.#recover(first)) || this.#conceal();
  }

  /**
   * Begins a talkspurt with a unit once it has waited for the target. If units before it are missing, it waits a little
   * longer, or follows the one that its FEC recovers.
   */
  #start(first: number): boolean {
    const missing = first - this.#units.next;
    const delay = this.#delayOf(first);
    const isRecovering = missing > 0 && this.#decoder.hasFec && this.#unrecovered !== first;
    const isPatient = missing > 0 && missing <= FIRST_MISSING_MAX;
    const extraMs = isRecovering ? -UNIT_MS : isPatient ? FIRST_MISSING_MS : 0;
    if (delay < this.#targetMs + extraMs) return false;
    this.#unitsOfTalkspurt = 0;
    this.#statistics.delayMs = delay - extraMs;
    this.#concealed = CONCEAL_SAMPLES_MAX;
    this.#endMs = this.#units.mediaMs(first);
    this.#isSpeech = true;
    this.#isActive = isRecovering ? this.#recover(first) : true;
    if (!this.#isActive) this.#unrecovered = first;
    return isRecovering ? this.#isActive : this.#play(first);
  }

  /** The delay of a unit if its first sample followed the decoded ones. */
  #delayOf(number: number): number {
    return this.#delayAt(this.#units.mediaMs(number));
  }

  #delayAt(mediaMs: number): number {
    return this.#startMs + this.#ring.available / SAMPLES_PER_MS - mediaMs - this.#delays.originMs;
  }

  /** Whether a unit's delay exceeds the target by more than `excessMs`, and units of as much time wait. */
  #isOverdue(number: number, excessMs: number): boolean {
    return this.#units.waiting * UNIT_MS > excessMs && this.#delayOf(number) > this.#targetMs + excessMs;
  }

  #play(first: number): boolean {
    const number = this.#skipBacklog(first);
    const units = this.#units;
    const isJoined = this.#concealed > 0 || number !== first;
    if (isJoined) this.#decodeTail();
    const count = this.#decoder.decode(units.payload(number), this.#scratch);
    const mediaMs = units.mediaMs(number);
    this.#statistics.waitedMs = this.#startMs - units.arrivedMs(number);
    this.#isSpeech = (units.level(number) & SPEECH_BIT) !== 0;
    units.skipTo(number + 1);
    if (count <= 0) {
      this.#statistics.invalid += 1;
      return this.#conceal();
    }
    this.#statistics.played += 1;
    this.#append(count, mediaMs, isJoined);
    return true;
  }

  /** Recovers the unit before `following` from its FEC. */
  #recover(following: number): boolean {
    if (!this.#decoder.hasFec) return false;
    const isJoined = this.#concealed > 0;
    if (isJoined) this.#decodeTail();
    const count = this.#decoder.decodeFec(this.#units.payload(following), this.#scratch);
    if (count <= 0) return false;
    this.#units.skipTo(following);
    this.#statistics.recovered += 1;
    this.#append(count, this.#units.mediaMs(following) - UNIT_MS, isJoined);
    return true;
  }

  /** Appends the decoded samples and brings the delay nearer to the target. */
  #append(count: number, mediaMs: number, isJoined: boolean): void {
    const delay = this.#delayAt(mediaMs);
    const skipped = isJoined ? this.#join(count, mediaMs, delay) : 0;
    this.#unitsOfTalkspurt += 1;
    this.#ring.append(this.#scratch, skipped, count);
    this.#endMs = mediaMs + count / SAMPLES_PER_MS;
    this.#concealed = 0;
    this.#measureDelay(delay - skipped / SAMPLES_PER_MS);
    this.#stretch();
  }

  /** The first unit that isn't too late, or the last one. */
  #skipBacklog(first: number): number {
    let number = first;
    const units = this.#units;
    for (let at = first; this.#isOverdue(number, BACKLOG_MS_MAX); ) {
      at += 1;
      if (!units.has(at)) continue;
      units.skipTo(at);
      this.#statistics.skipped += 1;
      number = at;
    }
    return number;
  }

  /**
   * Fades from the concealed sound to the decoded one. After a short concealment the beginning of a late unit is
   * skipped, so that the delay doesn't grow beyond the target. Returns the samples skipped.
   */
  #join(count: number, mediaMs: number, delay: number): number {
    const excessMs = delay - this.#targetMs;
    const isSkipped = excessMs > this.#toleranceMs && this.#concealed <= LATE_SKIP_SAMPLES_MAX;
    const longestMs = Math.min(this.#endMs - mediaMs, excessMs, this.#headroomMs);
    const longest = Math.min(count - FADE_SAMPLES, Math.round(longestMs * SAMPLES_PER_MS));
    const skipped = isSkipped ? Math.max(0, longest) : 0;
    this.#statistics.removedSamples += skipped;
    const gain = concealGain(this.#concealed);
    const fade = gain === 0 ? FADE_IN_SAMPLES : FADE_SAMPLES;
    for (let at = 0; at < fade; at += 1) {
      const part = (at + 0.5) / fade;
      const old = (this.#tail[at] ?? 0) * gain;
      this.#scratch[skipped + at] = old * (1 - part) + (this.#scratch[skipped + at] ?? 0) * part;
    }
    return skipped;
  }

  get #toleranceMs(): number {
    return DELAY_TOLERANCE_MS + DELAY_TOLERANCE_SHARE * this.#targetMs;
  }

  /** Time that can be skipped without running out of units: on a path that became longer, all of them are late. */
  get #headroomMs(): number {
    return Math.max(this.#statistics.waitedMs, this.#units.waiting * UNIT_MS);
  }

  #measureDelay(delay: number): void {
    const averaged = this.#statistics.delayMs;
    const isFar = Math.abs(delay - averaged) > HURRY_MS;
    this.#statistics.delayMs = isFar ? delay : averaged + (delay - averaged) / DELAY_UNITS;
  }

  /** Brings the delay nearer to the target by at most one step. */
  #stretch(): void {
    const errorMs = this.#statistics.delayMs - this.#targetMs;
    const distanceMs = Math.abs(errorMs);
    const isBeginning = this.#unitsOfTalkspurt <= INTACT_UNITS && distanceMs < HURRY_MS;
    if (distanceMs <= this.#toleranceMs || isBeginning) return;
    const longestMs = Math.min(distanceMs + this.#toleranceMs, errorMs > 0 ? this.#headroomMs : distanceMs * 2);
    const longest = Math.min(STRETCH_SAMPLES_MAX, Math.round(longestMs * SAMPLES_PER_MS));
    const shortest = distanceMs > HURRY_MS ? STRETCH_SAMPLES_MAX / 3 : 0;
    // 0.9 at the tolerance, 0.4 at twice that.
    const similarityMin = this.#isSpeech ? 1.4 - distanceMs / this.#toleranceMs / 2 : -1;
    const sign = Math.sign(errorMs);
    const samples = this.#stretcher.stretch(this.#ring, sign * shortest, sign * longest, similarityMin);
    if (samples > 0) this.#statistics.removedSamples += samples;
    else this.#statistics.addedSamples -= samples;
    this.#statistics.delayMs -= samples / SAMPLES_PER_MS;
  }

  /** Continues the sound without a unit, fading after 100 ms. The talkspurt ends once it is silent. */
  #conceal(): boolean {
    this.#decoder.conceal(this.#scratch, CONCEAL_SAMPLES);
    for (let at = 0; at < CONCEAL_SAMPLES; at += 1) {
      this.#scratch[at] = (this.#scratch[at] ?? 0) * concealGain(this.#concealed + at);
    }
    this.#ring.append(this.#scratch, 0, CONCEAL_SAMPLES);
    this.#concealed += CONCEAL_SAMPLES;
    this.#endMs += CONCEAL_SAMPLES / SAMPLES_PER_MS;
    this.#statistics.concealedSamples += CONCEAL_SAMPLES;
    if (this.#concealed < CONCEAL_SAMPLES_MAX) return true;
    this.#statistics.gaps += 1;
    this.#isActive = false;
    return true;
  }

  /** Ends a talkspurt with a fade. */
  #end(): boolean {
    this.#isActive = false;
    this.#decoder.conceal(this.#scratch, CONCEAL_SAMPLES);
    for (let at = 0; at < CONCEAL_SAMPLES; at += 1) {
      this.#scratch[at] = (this.#scratch[at] ?? 0) * (1 - (at + 1) / CONCEAL_SAMPLES);
    }
    this.#ring.append(this.#scratch, 0, CONCEAL_SAMPLES);
    return true;
  }

  /** Continues the played sound into `#tail`, to fade from. It has no part in the fade from silence. */
  #decodeTail(): void {
    if (concealGain(this.#concealed) > 0) this.#decoder.conceal(this.#tail, FADE_SAMPLES);
  }
}

/** 1 for the first 100 ms, then falling to 0. */
function concealGain(concealed: number): number {
  const faded = (concealed - CONCEAL_FULL_SAMPLES) / (CONCEAL_SAMPLES_MAX - CONCEAL_FULL_SAMPLES);
  return Math.max(0, Math.min(1, 1 - faded));
}
