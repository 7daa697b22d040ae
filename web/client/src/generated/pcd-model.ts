// Generated from spec/objects/pcd-model.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A cloud of points in the PCD format; `url` names it. */
export interface PcdModel extends AnyObject {
  readonly object_type: "pcd-model";
  /** Opacity of the points: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`. */
  readonly opacity?: number;
  /** Colour of all points; each point's own where empty. Default `""`. */
  readonly pointColor?: string;
  /** Size of each point. In metres. Range: at least 0. Default `0.01`. */
  readonly pointSize?: number;
}

/** The schema's description of each attribute of {@link PcdModel}. */
export const pcdModelAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    opacity: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 1, required: true },
    pointColor: { shape: { kind: "text" }, default: "", format: "color" },
    pointSize: { shape: { kind: "number", minimum: 0 }, default: 0.01, unit: "metres", required: true },
  },
  prefixes: {
  },
};
