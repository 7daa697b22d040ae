/** How somebody likes to be moved. Pure, without anything that draws. */
import { WALK_M_PER_S } from "../limits.ts";

/** The choices. */
export interface Comfort {
  /** Metres a second. */
  readonly speed: number;
  readonly turn: "snap" | "smooth";
  /** Of a snap, in degrees. */
  readonly angle: number;
  /** How dark the rim of the sight gets while one is moved, 0 to 1. */
  readonly vignette: number;
  /** How much higher the eyes are in VR, in metres. */
  readonly raise: number;
  /** Whether a click or a tap on the floor takes one there. */
  readonly jump: boolean;
  /** Whether keys of one letter or digit do something by themselves: whoever speaks, or hits keys unawares, is better off without (WCAG 2.1.4). */
  readonly letterKeys: boolean;
}

/** What suits most: turning in steps, no faster than one can follow. */
export const COMFORT: Comfort = {
  speed: WALK_M_PER_S,
  turn: "snap",
  angle: 30,
  vignette: 0,
  raise: 0,
  jump: false,
  letterKeys: true,
};
