// Generated from spec/objects/panel.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A flat box for user interfaces. */
export interface Panel {
  /** Thickness. In metres. Range: at least 0. Default `0.05`. */
  readonly depth?: number;
  /** Size along y. In metres. Range: at least 0. Default `1`. */
  readonly height?: number;
  /** Size along x. In metres. Range: at least 0. Default `1`. */
  readonly width?: number;
}

/** The schema's description of each attribute of {@link Panel}. */
export const panelAttributes: Group = {
  attributes: {
    depth: { shape: { kind: "number", minimum: 0 }, default: 0.05, unit: "metres", required: true },
    height: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    width: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
  },
  prefixes: {
  },
};
