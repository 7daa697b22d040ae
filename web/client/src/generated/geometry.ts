// Generated from spec/objects/geometry.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** The form of an entity: a primitive and that primitive's own attributes. */
export interface Geometry {
  /** The shape. Default `"box"`. */
  readonly primitive?: "box" | "capsule" | "circle" | "cone" | "cylinder" | "dodecahedron" | "icosahedron" | "octahedron" | "plane" | "ring" | "roundedbox" | "sphere" | "tetrahedron" | "torus" | "torusKnot" | "triangle";
}

/** The schema's description of each attribute of {@link Geometry}. */
export const geometryAttributes: Group = {
  attributes: {
    primitive: { shape: { kind: "text", values: ["box", "capsule", "circle", "cone", "cylinder", "dodecahedron", "icosahedron", "octahedron", "plane", "ring", "roundedbox", "sphere", "tetrahedron", "torus", "torusKnot", "triangle"] }, default: "box", required: true },
  },
  prefixes: {
  },
};
