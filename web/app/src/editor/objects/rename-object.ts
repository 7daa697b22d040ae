/** Renames an object and updates all references to it. Pure functions. */
import type { Attributes, Group, SceneObject } from "@stoa/client";
import { groups, objectTypes } from "@stoa/client/generated";
import type { ObjectChangeRequest } from "./changes.ts";
import { isBag } from "./object-fields.ts";

const components: Group["attributes"] = groups["any-object"].attributes;

/** Attributes that refer to other objects, directly or within a group: those with an `x-reference`. */
const NAMING: readonly (readonly [key: string, inner?: string])[] = [
  ...Object.values(objectTypes).flatMap(({ attributes }) => referencesIn(attributes).map((key) => [key] as const)),
  ...referencesIn(components).map((key) => [key] as const),
  ...Object.entries(components).flatMap(([key, { shape }]) =>
    shape.kind === "group" ? referencesIn(shape.group.attributes).map((inner) => [key, inner] as const) : [],
  ),
  // Other clients write `look-at` as a group too.
  ["look-at", "target"],
];

function referencesIn(attributes: Group["attributes"]): readonly string[] {
  return Object.keys(attributes).filter((key) => attributes[key]?.reference === true);
}

/**
 * The changes that give an object another id: create the new object, update the references, remove the old one. The
 * removal is last because it removes the object's children, which refer to the new object by then.
 */
export function renamed(
  objects: ReadonlyMap<string, SceneObject>,
  from: SceneObject,
  to: string,
): readonly ObjectChangeRequest[] {
  const { objectId: old, attributes, persist, type } = from;
  const own = { ...attributes, ...namedAnew(attributes, old, to) };
  const others = [...objects.values()].flatMap(({ objectId, attributes: theirs }): ObjectChangeRequest[] => {
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
