/** Renames an object and updates all references to it. Pure functions. */
import type { Attributes, SceneObject } from "@stoa/client";
import type { Change } from "./changes.ts";
import { isBag } from "./object-fields.ts";

/** Attributes that refer to other objects, directly or within a group. `look-at` may write `#id`. */
const NAMING: readonly (readonly [key: string, inner?: string])[] = [
  ["parent"],
  ["target"],
  ["cutoutEntity"],
  ["look-at"],
  ["look-at", "target"],
  ["goto-landmark", "landmark"],
  ["physx-joint", "target"],
  ["video-control", "video_object"],
];

/**
 * The changes that give an object another id. The new object is created before the old one is removed, since that
 * removes its children.
 */
export function renamed(objects: ReadonlyMap<string, SceneObject>, from: SceneObject, to: string): readonly Change[] {
  const { objectId: old, attributes, persist, type } = from;
  const own = { ...attributes, ...namedAnew(attributes, old, to) };
  const others = [...objects.values()].flatMap(({ objectId, attributes: theirs }): Change[] => {
    const patch = objectId === old ? undefined : namedAnew(theirs, old, to);
    return patch === undefined ? [] : [{ kind: "update", objectId, attributes: patch }];
  });
  return [
    { kind: "create", objectId: to, attributes: own, options: { persist, type } },
    ...others,
    { kind: "remove", objectId: old },
  ];
}

function namedAnew(attributes: Attributes, old: string, to: string): Attributes | undefined {
  const patch: Record<string, unknown> = {};
  const other = (value: unknown): string | undefined =>
    value === old ? to : value === `#${old}` ? `#${to}` : undefined;
  for (const [key, inner] of NAMING) {
    const value = attributes[key];
    if (inner === undefined) {
      if (other(value) !== undefined) patch[key] = other(value);
    } else if (isBag(value) && other(value[inner]) !== undefined) patch[key] = { [inner]: other(value[inner]) };
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
