/** Maps an object's primitive, such as `box`, to the settings of A-Frame's `geometry`. ARENA uses A-Frame's names. */
import { type ObjectType, objectTypes } from "@stoa/client/generated";
import type { JsonObject } from "../values.ts";
import { type AttributeValueParsers, read, readersOf } from "./attribute-readers.ts";

/** Object types that are a primitive of `geometry`. */
const PRIMITIVES = [
  ...["box", "capsule", "circle", "cone", "cylinder", "dodecahedron", "icosahedron", "octahedron", "plane"],
  ...["ring", "roundedbox", "sphere", "tetrahedron", "torus", "torusKnot", "triangle"],
] as const satisfies readonly ObjectType[];

/** Readers by primitive, without the legacy colour attribute, which belongs to the material. */
const readers: ReadonlyMap<string, AttributeValueParsers> = new Map(
  PRIMITIVES.map((primitive) => {
    const { color: _, ...own } = readersOf(primitive, objectTypes[primitive]);
    return [primitive, own];
  }),
);

/** The settings of `geometry`, or `undefined` for other types. `cube` is the legacy name of `box`. */
export function geometrySettings(type: unknown, attributes: JsonObject, base: string): JsonObject | undefined {
  const primitive = type === "cube" ? "box" : type;
  const own = typeof primitive === "string" ? readers.get(primitive) : undefined;
  return own && { primitive, ...read(own, attributes, base) };
}
