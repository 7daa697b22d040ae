// Generated from spec/objects/dodecahedron.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A solid of twelve faces. */
export interface Dodecahedron extends AnyObject {
  readonly object_type: "dodecahedron";
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** Subdivisions of each face; more makes it rounder. Range: at least 0. Default `0`. */
  readonly detail?: number;
  /** Distance from the centre to the surface. In metres. Range: at least 0. Default `1`. */
  readonly radius?: number;
}

/** The schema's description of each attribute of {@link Dodecahedron}. */
export const dodecahedronAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    detail: { shape: { kind: "integer", minimum: 0 }, default: 0 },
    radius: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
  },
  prefixes: {
  },
};
