/** The user's locomotion preferences, and their defaults. Pure. */
import { WALK_M_PER_S } from "../limits.ts";

/** The user's preferences. */
export interface Comfort {
  /** Metres per second. */
  readonly speed: number;
  readonly turn: "snap" | "smooth";
  /** Angle of a snap turn, in degrees. */
  readonly angle: number;
  /** Darkness of the vignette during movement, 0 to 1. */
  readonly vignette: number;
  /** Extra eye height in VR, in metres. */
  readonly raise: number;
  /** Whether a click or tap on the floor teleports there. */
  readonly jump: boolean;
  /**
   * Whether keys of a single letter or digit are shortcuts. Users of speech input, and users who press keys by
   * accident, turn such shortcuts off (WCAG 2.1.4).
   */
  readonly letterKeys: boolean;
}

/** The defaults: walking speed, snap turning and no vignette. */
export const COMFORT: Comfort = {
  speed: WALK_M_PER_S,
  turn: "snap",
  angle: 30,
  vignette: 0,
  raise: 0,
  jump: false,
  letterKeys: true,
};
