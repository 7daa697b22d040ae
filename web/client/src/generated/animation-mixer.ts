// Generated from spec/objects/animation-mixer.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** The playing clips of a glTF model. */
export interface AnimationMixer {
  /** Whether the last pose stays when the clip is over. Default `false`. */
  readonly clampWhenFinished?: boolean;
  /** Names of the clips to play; `*` matches any letters. Default `"*"`. */
  readonly clip?: string;
  /** Duration of the cross-fade between clips. In seconds. Range: at least 0. Default `0`. */
  readonly crossFadeDuration?: number;
  /** Duration of one run of the clip; 0 is the clip's own. In seconds. Range: at least 0. Default `0`. */
  readonly duration?: number;
  /** Behaviour at the end of the clip. Default `"repeat"`. */
  readonly loop?: "once" | "repeat" | "pingpong";
  /** Number of runs of the clip; endless if absent. Range: at least 0. */
  readonly repetitions?: number;
  /** Start time in the clip. In seconds. Default `0`. */
  readonly startAt?: number;
  /** Speed of the clip; negative plays backwards. Default `1`. */
  readonly timeScale?: number;
  /** Whether `clip` is a regular expression. Default `false`. */
  readonly useRegExp?: boolean;
}

/** The schema's description of each attribute of {@link AnimationMixer}. */
export const animationMixerAttributes: Group = {
  attributes: {
    clampWhenFinished: { shape: { kind: "boolean" }, default: false },
    clip: { shape: { kind: "text" }, default: "*", required: true },
    crossFadeDuration: { shape: { kind: "number", minimum: 0 }, default: 0, unit: "seconds" },
    duration: { shape: { kind: "number", minimum: 0 }, default: 0, unit: "seconds" },
    loop: { shape: { kind: "text", values: ["once", "repeat", "pingpong"] }, default: "repeat" },
    repetitions: { shape: { kind: "number", minimum: 0 } },
    startAt: { shape: { kind: "number" }, default: 0, unit: "seconds" },
    timeScale: { shape: { kind: "number" }, default: 1 },
    useRegExp: { shape: { kind: "boolean" }, default: false },
  },
  prefixes: {
  },
};
