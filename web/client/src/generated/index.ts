// Generated from spec/objects/*.json by cargo xtask gen. Do not edit.
import { findWrongObject, type Group, type Wrong, withoutNulls } from "../attribute-decoder.ts";
import { anyObjectAttributes } from "./any-object.ts";
import { type Box, boxAttributes } from "./box.ts";
import { clickListenerAttributes } from "./click-listener.ts";
import { materialAttributes } from "./material.ts";
import { vector3Attributes } from "./vector3.ts";

export type { AnyObject } from "./any-object.ts";
export type { Box } from "./box.ts";
export type { ClickListener } from "./click-listener.ts";
export type { Material } from "./material.ts";
export type { Vector3 } from "./vector3.ts";

/** What a message about an object holds under `data`, by `object_type`. */
export type SceneAttributes =
  | Box;

/** A value of `object_type` that the schemas name. */
export type ObjectType = SceneAttributes["object_type"];

/** The table of each object type. */
export const objectTypes: Readonly<Record<ObjectType, Group>> = {
  box: boxAttributes,
};

/** The table of each schema that is no object type: components, values, options, messages. */
export const groups: Readonly<Record<string, Group>> = {
  "any-object": anyObjectAttributes,
  "click-listener": clickListenerAttributes,
  material: materialAttributes,
  vector3: vector3Attributes,
};

/** What {@link decodeAttributes} found. */
export type Decoded =
  | { readonly ok: true; readonly value: SceneAttributes }
  | { readonly ok: false; readonly path: string; readonly reason: Wrong["reason"] };

/**
 * Checks and reads attributes. `null` stands for absence and is left out; required keys may be absent; unknown keys are kept.
 * A failure names the first value that is of a wrong type, not among those allowed, or out of range.
 */
export function decodeAttributes(value: unknown): Decoded {
  const wrong = findWrongObject(objectTypes, value);
  if (wrong !== undefined) {
    return { ok: false, path: wrong.path, reason: wrong.reason };
  }
  const attributes = withoutNulls(value);
  return conforms(attributes) ? { ok: true, value: attributes } : { ok: false, path: "", reason: "wrong type" };
}

function conforms(value: unknown): value is SceneAttributes {
  return findWrongObject(objectTypes, value) === undefined;
}
