// Generated from spec/objects/image.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A picture on a flat rectangle; `url` names it. */
export interface Image extends AnyObject {
  readonly object_type: "image";
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** Size along y. In metres. Range: at least 0. Default `1`. */
  readonly height?: number;
  /** Into how many parts the mesh is cut along y. Range: at least 1. Default `1`. */
  readonly segmentsHeight?: number;
  /** Into how many parts the mesh is cut along x. Range: at least 1. Default `1`. */
  readonly segmentsWidth?: number;
  /** Size along x. In metres. Range: at least 0. Default `1`. */
  readonly width?: number;
}

/** The schema's description of each attribute of {@link Image}. */
export const imageAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    height: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    segmentsHeight: { shape: { kind: "integer", minimum: 1 }, default: 1 },
    segmentsWidth: { shape: { kind: "integer", minimum: 1 }, default: 1 },
    width: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
  },
  prefixes: {
  },
};
