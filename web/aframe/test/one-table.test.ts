/**
 * One table: every attribute of every schema in `spec/objects/` is shown with every value that its schema allows, or is named in
 * `UNSHOWN` with a reason, and what is named there is not shown.
 */
import type { Attribute, Group, SceneObject, Shape } from "@stoa/client";
import { groups, objectTypes } from "@stoa/client/generated";
import { describe, expect, test } from "vitest";
import { surroundingsOf } from "../src/environment.ts";
import { CAPS, NUMBER_MAX } from "../src/limits.ts";
import { parentOf, settingsOf } from "../src/mapping.ts";
import { startPlace } from "../src/start-place.ts";
import { isShown, UNSHOWN } from "../src/unshown.ts";

type Bag = Readonly<Record<string, unknown>>;

const tables: Readonly<Record<string, Group>> = { ...groups, ...objectTypes };

/** What is shown for an object with these attributes: entity, surroundings, and where one begins. */
function shownOf(attributes: Bag): string {
  const object: SceneObject = { objectId: "it", type: "object", attributes, persist: false };
  const settings = settingsOf(attributes, { base: "https://realm.local/public/lobby" });
  const place = startPlace([object], () => 0.25);
  return JSON.stringify([settings, parentOf(attributes), surroundingsOf(attributes["env-presets"]), place]);
}

/** What has to stand beside an attribute for it to matter: one of these. */
const BESIDE: Readonly<Record<string, readonly Bag[]>> = {
  animation: [{ property: "rotation" }],
  "env-presets": [{ skyType: "gradient" }],
  "goto-landmark": [{ landmark: "door" }],
  "goto-url": [{ url: "/public/lobby" }],
  landmark: [{ startingPosition: true }, { startingPosition: true, randomRadiusMax: 100 }],
  light: [{ type: "spot", castShadow: true }, { type: "spot" }, { type: "directional" }, { type: "hemisphere" }],
  material: [{ shader: "standard" }, { shader: "phong" }, { shader: "flat" }],
  "obj-model": [{ obj: "/store/duck.obj" }],
  rotation: [{}, { x: 1 }],
  sound: [{ src: "/store/bell.mp3" }],
};

/** Objects that may carry a component or an attribute of any object. */
const CARRIERS: readonly Bag[] = [{ object_type: "entity" }, { object_type: "gltf-model" }];

/** Values for what is text to the schema and more to a browser. */
const WORDS: Readonly<Record<string, readonly unknown[]>> = {
  "animation.from": ["0 90 0", 1, true, { x: 1, y: 2, z: 3 }],
  "animation.pauseEvents": [["one", "two"], "one"],
  "animation.resumeEvents": [["one", "two"], "one"],
  "animation.startEvents": [["one", "two"], "one"],
  "animation.loop": [true, 0, 3, "5"],
  "animation.property": ["rotation", "material.color"],
  "animation.to": ["0 90 0", 1, true, { x: 1, y: 2, z: 3 }],
  "animation.type": ["color", ""],
  "thickline.path": ["0 0 0, 1 1 1", "0 0 0, 2 2 2, 3 3 3"],
};

/** Attributes several of whose values look the same, each with its reason. */
const ALIKE: Readonly<Record<string, string>> = {
  "any-object.hide-on-enter-ar": "it hides or it doesn't",
  "any-object.hide-on-enter-vr": "it hides or it doesn't",
  "env-presets.ground": "the ground is flat, or there is none",
  "env-presets.preset": "`none` is the plain sky",
  "env-presets.skyType": "an atmosphere is a gradient",
  "text.font": "two fonts stand for nine",
};

/** Values that the schema allows: ends and middle of a range, each word, one of each shape. */
function legal(name: string, { shape, format }: Attribute): readonly unknown[] {
  const words = WORDS[name];
  if (words) return words;
  if (format === "color") return ["#123456", "#abcdef"];
  if (format === "uri-reference") return ["/store/a.png", "https://example.org/b.png"];
  return legalOf(shape, CAPS[name] ?? CAPS[name.split(".").at(-1) ?? ""] ?? NUMBER_MAX);
}

function legalOf(shape: Shape, cap: number): readonly unknown[] {
  switch (shape.kind) {
    case "boolean":
      return [true, false];
    case "text":
      return shape.values ?? ["one", "two"];
    case "number":
    case "integer": {
      const [min, max] = [shape.minimum ?? -NUMBER_MAX, Math.min(shape.maximum ?? NUMBER_MAX, cap)];
      const step = shape.kind === "integer" ? 1 : (max - min) / 1_000;
      return [min, min + step, max - step, max];
    }
    case "group":
      return Object.keys(shape.group.attributes).flatMap((axis) => [{ [axis]: -7 }, { [axis]: 1_000 }]);
    case "choice":
      return shape.shapes.flatMap((one) => legalOf(one, cap));
    case "array":
      return [["one"], ["two"]];
    default:
      return [{ x: 1 }, { x: 2 }];
  }
}

/** Whole objects that hold `key: value` of a schema, in every surrounding in which it may matter. */
function carry(schema: string, inner: Bag): readonly Bag[] {
  const beside = (BESIDE[schema] ?? [{}]).map((more) => ({ ...more, ...inner }));
  if (Object.hasOwn(objectTypes, schema)) return beside.map((own) => ({ object_type: schema, ...own }));
  if (schema === "any-object") return CARRIERS.map((carrier) => ({ ...carrier, ...inner }));
  return beside.flatMap((own) => [
    { object_type: "box", [schema]: own },
    { object_type: "entity", [schema]: own },
    { object_type: "box", [`${schema}__2`]: own },
  ]);
}

/** For each surrounding: how many of the values look different, and whether any matters at all. */
function tried(schema: string, key: string, values: readonly unknown[]): { distinct: boolean; matters: boolean } {
  const looks = values.map((value) => carry(schema, { [key]: value }).map(shownOf));
  const without = carry(schema, {}).map(shownOf);
  const places = without.map((_, at) => new Set(looks.map((look) => look[at])).size);
  return {
    distinct: places.some((different) => different === values.length),
    matters: without.some((plain, at) => looks.some((look) => look[at] !== plain)),
  };
}

/** The attributes of a schema that are values in themselves: components have tables of their own. */
function valuesIn(group: Group): [key: string, attribute: Attribute][] {
  return Object.entries(group.attributes).filter(([key]) => !Object.hasOwn(groups, key));
}

const schemas = Object.entries(tables);
const attributes = schemas.flatMap(([schema, group]) =>
  valuesIn(group).map(([key, attribute]) => ({ schema, key, attribute, name: `${schema}.${key}` })),
);

describe("one table", () => {
  const taken = attributes.filter(({ schema, key }) => isShown(schema, key));
  test.each(taken)("$name is shown with every value that its schema allows", ({ schema, key, attribute, name }) => {
    const { distinct, matters } = tried(schema, key, legal(name, attribute));
    expect(matters, "nothing of it is shown").toBe(true);
    if (!Object.hasOwn(ALIKE, name)) expect(distinct, "some of its values are shown as others").toBe(true);
  });

  const left = attributes.filter(({ schema, key }) => !isShown(schema, key));
  test.each(left)("$name is named as unshown, and isn't shown", ({ schema, key, attribute, name }) => {
    expect(tried(schema, key, legal(name, attribute)).matters).toBe(false);
  });

  test("every schema is walked, and what is named as unshown is in one", () => {
    expect(attributes.length).toBeGreaterThan(500);
    for (const [schema, unshown] of Object.entries(UNSHOWN)) {
      expect(Object.keys(tables)).toContain(schema);
      const keys = typeof unshown === "string" ? [] : Object.keys(unshown);
      for (const key of keys) expect(Object.keys(tables[schema]?.attributes ?? {}), schema).toContain(key);
    }
    for (const name of [...Object.keys(ALIKE), ...Object.keys(WORDS)]) {
      expect(attributes.map((one) => one.name)).toContain(name);
    }
  });

  test("a component is shown where its schema is, and only there", () => {
    for (const [schema, unshown] of Object.entries(UNSHOWN)) {
      if (typeof unshown !== "string" || Object.hasOwn(objectTypes, schema)) continue;
      const plain = shownOf({ object_type: "box" });
      for (const value of [{}, true, ""]) expect(shownOf({ object_type: "box", [schema]: value }), schema).toBe(plain);
    }
  });
});
