// Generated from spec/objects/animation.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A change of one property over time. */
export interface Animation {
  /** Whether it starts by itself. Default `true`. */
  readonly autoplay?: boolean;
  /** Delay before it starts. In ms. Range: at least 0. Default `0`. */
  readonly delay?: number;
  /** In which direction it runs. Default `"normal"`. */
  readonly dir?: "normal" | "alternate" | "reverse";
  /** Duration of one run. In ms. Range: at least 0. Default `1000`. */
  readonly dur?: number;
  /** Easing: the change of speed during a run. Default `"easeInQuad"`. */
  readonly easing?: "easeInQuad" | "easeInCubic" | "easeInQuart" | "easeInQuint" | "easeInSine" | "easeInExpo" | "easeInCirc" | "easeInBack" | "easeInElastic" | "easeOutQuad" | "easeOutCubic" | "easeOutQuart" | "easeOutQuint" | "easeOutSine" | "easeOutExpo" | "easeOutCirc" | "easeOutBack" | "easeOutElastic" | "easeInOutQuad" | "easeInOutCubic" | "easeInOutQuart" | "easeInOutQuint" | "easeInOutSine" | "easeInOutExpo" | "easeInOutCirc" | "easeInOutBack" | "easeInOutElastic" | "linear";
  /** Strength of an elastic easing. Range: at least 0. Default `400`. */
  readonly elasticity?: number;
  /** Whether it may run. Default `true`. */
  readonly enabled?: boolean;
  /** The value at the start; the present one where empty. Default `""`. */
  readonly from?: string | number | boolean | Readonly<Record<string, unknown>>;
  /** Whether the property is one of three.js and not of a component. Default `false`. */
  readonly isRawProperty?: boolean;
  /** Number of repetitions; `true` is endless. Default `0`. */
  readonly loop?: string | number | boolean;
  /** Events that halt it. Default `[]`. */
  readonly pauseEvents?: readonly (string)[] | string;
  /** The animated property, such as `position` or `material.opacity`. Default `""`. */
  readonly property?: string;
  /** Events that let it go on. Default `[]`. */
  readonly resumeEvents?: readonly (string)[] | string;
  /** Whether values are rounded to whole numbers. Default `false`. */
  readonly round?: boolean;
  /** Events that start it; it then does not start by itself. Default `[]`. */
  readonly startEvents?: readonly (string)[] | string;
  /** The value at the end. Default `""`. */
  readonly to?: string | number | boolean | Readonly<Record<string, unknown>>;
  /** `color` where the values are colours. Default `""`. */
  readonly type?: string;
}

/** The schema's description of each attribute of {@link Animation}. */
export const animationAttributes: Group = {
  attributes: {
    autoplay: { shape: { kind: "boolean" }, default: true },
    delay: { shape: { kind: "number", minimum: 0 }, default: 0, unit: "ms" },
    dir: { shape: { kind: "text", values: ["normal", "alternate", "reverse"] }, default: "normal" },
    dur: { shape: { kind: "number", minimum: 0 }, default: 1000, unit: "ms" },
    easing: { shape: { kind: "text", values: ["easeInQuad", "easeInCubic", "easeInQuart", "easeInQuint", "easeInSine", "easeInExpo", "easeInCirc", "easeInBack", "easeInElastic", "easeOutQuad", "easeOutCubic", "easeOutQuart", "easeOutQuint", "easeOutSine", "easeOutExpo", "easeOutCirc", "easeOutBack", "easeOutElastic", "easeInOutQuad", "easeInOutCubic", "easeInOutQuart", "easeInOutQuint", "easeInOutSine", "easeInOutExpo", "easeInOutCirc", "easeInOutBack", "easeInOutElastic", "linear"] }, default: "easeInQuad" },
    elasticity: { shape: { kind: "number", minimum: 0 }, default: 400 },
    enabled: { shape: { kind: "boolean" }, default: true },
    from: { shape: { kind: "choice", shapes: [{ kind: "text" }, { kind: "number" }, { kind: "boolean" }, { kind: "object" }] }, default: "" },
    isRawProperty: { shape: { kind: "boolean" }, default: false },
    loop: { shape: { kind: "choice", shapes: [{ kind: "text" }, { kind: "number" }, { kind: "boolean" }] }, default: 0 },
    pauseEvents: { shape: { kind: "choice", shapes: [{ kind: "array", items: { kind: "text" } }, { kind: "text" }] }, default: [] },
    property: { shape: { kind: "text" }, default: "" },
    resumeEvents: { shape: { kind: "choice", shapes: [{ kind: "array", items: { kind: "text" } }, { kind: "text" }] }, default: [] },
    round: { shape: { kind: "boolean" }, default: false },
    startEvents: { shape: { kind: "choice", shapes: [{ kind: "array", items: { kind: "text" } }, { kind: "text" }] }, default: [] },
    to: { shape: { kind: "choice", shapes: [{ kind: "text" }, { kind: "number" }, { kind: "boolean" }, { kind: "object" }] }, default: "" },
    type: { shape: { kind: "text" }, default: "" },
  },
  prefixes: {
  },
};
