// Generated from spec/objects/clickPos.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Position of the person at a click. @deprecated */
export interface ClickPos {
  /** Along x, to the right. In metres. */
  readonly x?: number;
  /** Along y, upwards. In metres. */
  readonly y?: number;
  /** Along z, towards the viewer. In metres. */
  readonly z?: number;
}

/** The schema's description of each attribute of {@link ClickPos}. */
export const clickPosAttributes: Group = {
  attributes: {
    x: { shape: { kind: "number" }, unit: "metres" },
    y: { shape: { kind: "number" }, unit: "metres" },
    z: { shape: { kind: "number" }, unit: "metres" },
  },
  prefixes: {
  },
};
