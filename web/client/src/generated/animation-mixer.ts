// Generated from spec/objects/animation-mixer.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-decoder.ts";

/** Which clips of a glTF model play. */
export interface AnimationMixer {
  /** Whether the last pose stays when the clip is over. Default `false`. */
  readonly clampWhenFinished?: boolean;
  /** Which clips play; `*` stands for any letters. Default `"*"`. */
  readonly clip?: string;
  /** How long one clip fades into the next. In seconds. Range: at least 0. Default `0`. */
  readonly crossFadeDuration?: number;
  /** How long one run of the clip takes; 0 is as long as it was made. In seconds. Range: at least 0. Default `0`. */
  readonly duration?: number;
  /** What happens at the end of the clip. Default `"repeat"`. */
  readonly loop?: "once" | "repeat" | "pingpong";
  /** How often the clip plays; without end where absent. Range: at least 0. */
  readonly repetitions?: number;
  /** Where in the clip it begins. In seconds. Default `0`. */
  readonly startAt?: number;
  /** How fast the clip plays; negative is backwards. Default `1`. */
  readonly timeScale?: number;
  /** Whether `clip` is a regular expression. Default `false`. */
  readonly useRegExp?: boolean;
}

/** What the schema says of each attribute of {@link AnimationMixer}. */
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
