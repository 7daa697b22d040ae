// Generated from spec/objects/cone.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A cone, also with its top cut off. */
export interface Cone extends AnyObject {
  readonly object_type: "cone";
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** Size along y. In metres. Range: at least 0. Default `1`. */
  readonly height?: number;
  /** Whether the ends are left open, so that only the mantle is drawn. Default `false`. */
  readonly openEnded?: boolean;
  /** Radius of the lower end. In metres. Range: at least 0. Default `1`. */
  readonly radiusBottom?: number;
  /** Radius of the upper end. In metres. Range: at least 0. Default `0.01`. */
  readonly radiusTop?: number;
  /** Into how many parts the mesh is cut along y. Range: at least 1. Default `18`. */
  readonly segmentsHeight?: number;
  /** Into how many parts the mesh is cut around its axis. Range: at least 1. Default `36`. */
  readonly segmentsRadial?: number;
  /** Angle that the shape spans from where it begins. In degrees. Range: at least 0. Default `360`. */
  readonly thetaLength?: number;
  /** Angle at which the shape begins. In degrees. Default `0`. */
  readonly thetaStart?: number;
}

/** The schema's description of each attribute of {@link Cone}. */
export const coneAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    height: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    openEnded: { shape: { kind: "boolean" }, default: false },
    radiusBottom: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    radiusTop: { shape: { kind: "number", minimum: 0 }, default: 0.01, unit: "metres", required: true },
    segmentsHeight: { shape: { kind: "integer", minimum: 1 }, default: 18 },
    segmentsRadial: { shape: { kind: "integer", minimum: 1 }, default: 36 },
    thetaLength: { shape: { kind: "number", minimum: 0 }, default: 360, unit: "degrees" },
    thetaStart: { shape: { kind: "number" }, default: 0, unit: "degrees" },
  },
  prefixes: {
  },
};
