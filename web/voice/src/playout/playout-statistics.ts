/** Counts and measurements of one voice. */
export interface PlayoutStatistics {
  /** Units decoded and played. */
  played: number;
  /** Units recovered from the FEC of the next one. */
  recovered: number;
  /** Samples made by concealment, without the fades after speech. */
  concealedSamples: number;
  /** Units that arrived after their turn, or out of any sequence. */
  late: number;
  duplicate: number;
  /** Units that the decoder refused. */
  invalid: number;
  /** Units removed unplayed because they were too late or too many. */
  skipped: number;
  /** Samples removed by stretching and by skipping the beginning of a late unit. */
  removedSamples: number;
  /** Samples added by stretching. */
  addedSamples: number;
  /** Interruptions of speech that outlasted concealment. */
  gaps: number;
  /** Time from the quickest possible arrival of a unit to its playing, averaged. */
  delayMs: number;
  /** Time from the arrival of the unit played last to its playing. */
  waitedMs: number;
  /** The delay aimed at. */
  targetMs: number;
}

export function emptyStatistics(): PlayoutStatistics {
  return {
    played: 0,
    recovered: 0,
    concealedSamples: 0,
    late: 0,
    duplicate: 0,
    invalid: 0,
    skipped: 0,
    removedSamples: 0,
    addedSamples: 0,
    gaps: 0,
    delayMs: 0,
    waitedMs: 0,
    targetMs: 0,
  };
}
