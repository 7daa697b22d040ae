/** Messages between a page and its processors. Units don't pass here, but through the ports that a page hands over. */

/** Names of the processors. */
export const PLAYER_PROCESSOR = "stoa-voice-player";
export const SOURCE_PROCESSOR = "stoa-voice-source";

/** Options of the player. */
export interface PlayerOptions {
  /** Outputs, one for each voice at once. */
  readonly slots: number;
}

/** From the page to the player: the channel to the motion plane. */
export interface PlayerRequest {
  readonly port: MessagePort;
}

/** State of one output of the player. */
export interface SlotState {
  readonly slot: number;
  /** The flow, as in `ReceivedUnit`. */
  readonly voice: number;
  /** Loudness of the newest unit as RFC 6464 has it, with the bit for speech. */
  readonly level: number;
  /** Whether units have arrived within `SPEAKING_MS`. */
  readonly isActive: boolean;
  /** Time between the arrival of a unit and its playing, and the delay aimed at. */
  readonly waitedMs: number;
  readonly targetMs: number;
}

/** From each processor once: whether the codec could be loaded. */
export type LoadReport = { readonly kind: "ready" } | { readonly kind: "failed"; readonly error: string };

/** From the player to the page: the outputs in use, when one begins and each `REPORT_MS` while some are active. */
export interface PlayerReport {
  readonly kind: "slots";
  readonly slots: readonly SlotState[];
  /** Units that no output was free for. */
  readonly unplaced: number;
}

/** From the page to the source. */
export type SourceRequest =
  /** The channel to the motion plane. */
  { readonly port: MessagePort } | { readonly isMuted: boolean };

/** From the source to the page, each `REPORT_MS`: the loudest level since the last report, as RFC 6464 has it. */
export interface SourceReport {
  readonly kind: "level";
  readonly level: number;
  readonly isSpeech: boolean;
}
