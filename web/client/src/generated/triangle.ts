// Generated from spec/objects/triangle.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** A flat triangle. */
export interface Triangle extends AnyObject {
  readonly object_type: "triangle";
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** First corner. In metres. Default `{"x":0,"y":0.5,"z":0}`. */
  readonly vertexA?: Vector3;
  /** Second corner. In metres. Default `{"x":-0.5,"y":-0.5,"z":0}`. */
  readonly vertexB?: Vector3;
  /** Third corner. In metres. Default `{"x":0.5,"y":-0.5,"z":0}`. */
  readonly vertexC?: Vector3;
}

/** The schema's description of each attribute of {@link Triangle}. */
export const triangleAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    vertexA: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0.5, z: 0 }, unit: "metres", required: true },
    vertexB: { shape: { kind: "group", group: vector3Attributes }, default: { x: -0.5, y: -0.5, z: 0 }, unit: "metres", required: true },
    vertexC: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0.5, y: -0.5, z: 0 }, unit: "metres", required: true },
  },
  prefixes: {
  },
};
