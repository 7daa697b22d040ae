// Generated from spec/objects/position.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Position of the object: metres, right-handed, y up. */
export interface Position {
  /** Along x, to the right. In metres. Default `0`. */
  readonly x?: number;
  /** Along y, upwards. In metres. Default `0`. */
  readonly y?: number;
  /** Along z, towards the viewer. In metres. Default `0`. */
  readonly z?: number;
}

/** The schema's description of each attribute of {@link Position}. */
export const positionAttributes: Group = {
  attributes: {
    x: { shape: { kind: "number" }, default: 0, unit: "metres", required: true },
    y: { shape: { kind: "number" }, default: 0, unit: "metres", required: true },
    z: { shape: { kind: "number" }, default: 0, unit: "metres", required: true },
  },
  prefixes: {
  },
};
