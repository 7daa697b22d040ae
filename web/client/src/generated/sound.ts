// Generated from spec/objects/sound.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A sound at the object's place. */
export interface Sound {
  /** Whether it plays by itself. Default `false`. */
  readonly autoplay?: boolean;
  /** Model of the volume's decay with distance. Default `"inverse"`. */
  readonly distanceModel?: "linear" | "inverse" | "exponential";
  /** Whether it begins anew at its end. Default `false`. */
  readonly loop?: boolean;
  /** Distance beyond which loudness falls no further. In metres. Range: at least 0. Default `10000`. */
  readonly maxDistance?: number;
  /** Event at which it plays. Default `"mousedown"`. */
  readonly on?: "mousedown" | "mouseup" | "mouseenter" | "mouseleave" | "triggerdown" | "triggerup" | "gripdown" | "gripup" | "menudown" | "menuup" | "systemdown" | "systemup" | "trackpaddown" | "trackpadup";
  /** Number that may play at once. Range: at least 1. Default `1`. */
  readonly poolSize?: number;
  /** Whether it is heard from where the object is. Default `true`. */
  readonly positional?: boolean;
  /** Distance up to which loudness does not fall. In metres. Range: at least 0. Default `1`. */
  readonly refDistance?: number;
  /** Decay of the volume with distance. Range: at least 0. Default `1`. */
  readonly rolloffFactor?: number;
  /** Address of the sound file. */
  readonly src?: string;
  /** Loudness; 1 is that of the file. Range: at least 0. Default `1`. */
  readonly volume?: number;
}

/** The schema's description of each attribute of {@link Sound}. */
export const soundAttributes: Group = {
  attributes: {
    autoplay: { shape: { kind: "boolean" }, default: false },
    distanceModel: { shape: { kind: "text", values: ["linear", "inverse", "exponential"] }, default: "inverse" },
    loop: { shape: { kind: "boolean" }, default: false },
    maxDistance: { shape: { kind: "number", minimum: 0 }, default: 10000, unit: "metres" },
    on: { shape: { kind: "text", values: ["mousedown", "mouseup", "mouseenter", "mouseleave", "triggerdown", "triggerup", "gripdown", "gripup", "menudown", "menuup", "systemdown", "systemup", "trackpaddown", "trackpadup"] }, default: "mousedown" },
    poolSize: { shape: { kind: "number", minimum: 1 }, default: 1 },
    positional: { shape: { kind: "boolean" }, default: true },
    refDistance: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres" },
    rolloffFactor: { shape: { kind: "number", minimum: 0 }, default: 1 },
    src: { shape: { kind: "text" }, format: "uri-reference" },
    volume: { shape: { kind: "number", minimum: 0 }, default: 1 },
  },
  prefixes: {
  },
};
