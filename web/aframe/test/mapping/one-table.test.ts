/**
 * One table: each attribute of each schema in `spec/objects/` is supported with every valid value, or listed in
 * `UNSHOWN` with a reason. Listed attributes have no effect.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Attribute, Group, SceneObject, Shape } from "@stoa/client";
import { groups, objectTypes } from "@stoa/client/generated";
import { describe, expect, test } from "vitest";
import { NUMBER_MAX } from "../../src/limits.ts";
import { creditsOf, landmarksOf } from "../../src/locomotion/landmarks.ts";
import { startPlace } from "../../src/locomotion/spawn-point.ts";
import { capOf } from "../../src/mapping/attribute-readers.ts";
import { worldOf } from "../../src/mapping/body-settings.ts";
import { parentOf, settingsOf } from "../../src/mapping/object-settings.ts";
import { effectsOf, rendererSettings } from "../../src/mapping/post-processing.ts";
import { optionsOf } from "../../src/mapping/scene-options.ts";
import { isShown, UNSHOWN } from "../../src/mapping/unshown.ts";
import { voiceFadingOf } from "../../src/mapping/voice-fading.ts";
import { surroundingsOf } from "../../src/surroundings/environment.ts";

const SCHEMAS = resolve(import.meta.dirname, "../../../../spec/objects");

type JsonObject = Readonly<Record<string, unknown>>;

const tables: Readonly<Record<string, Group>> = { ...groups, ...objectTypes };

/** The mapping's output for an object with these attributes: entity, surroundings and start pose. */
function shownOf(attributes: JsonObject): string {
  const object: SceneObject = { objectId: "it", type: "object", attributes, persist: false };
  const settings = settingsOf(attributes, { base: "https://realm.local/public/lobby" });
  const place = startPlace([object], { random: () => 0.25 });
  const physics = worldOf(attributes.physics, "https://realm.local/");
  const picture = [effectsOf(attributes["post-processing"]), rendererSettings(attributes["renderer-settings"])];
  const options = optionsOf(attributes["scene-options"], "https://realm.local/public/lobby");
  const lists = [
    picture,
    physics,
    options,
    voiceFadingOf(attributes["scene-options"]),
    landmarksOf([object]),
    creditsOf([object], "https://realm.local/public/lobby"),
  ];
  return JSON.stringify([settings, parentOf(attributes), surroundingsOf(attributes["env-presets"]), place, lists]);
}

/** Sibling attributes without which an attribute has no effect; one of these sets is needed. */
const BESIDE: Readonly<Record<string, readonly JsonObject[]>> = {
  animation: [{ property: "rotation" }],
  attribution: [{}, { author: "Ada" }],
  "env-presets": [{ skyType: "gradient" }],
  gaussian_splatting: [{ src: "/store/room.spz" }],
  "gltf-model-lod": [{ detailedUrl: "/store/fine.glb" }],
  "gltf-morph": [{ morphtarget: "smile", value: 1 }],
  "goto-landmark": [{ landmark: "door" }],
  "goto-url": [{ url: "/public/lobby" }],
  landmark: [{ startingPosition: true }, { startingPosition: true, randomRadiusMax: 100 }],
  light: [{ type: "spot", castShadow: true }, { type: "spot" }, { type: "directional" }, { type: "hemisphere" }],
  material: [{ shader: "standard" }, { shader: "phong" }, { shader: "flat" }],
  multisrc: [{ srcs: "a.png,b.png", srcspath: "/store/sides" }],
  "physx-joint": [{ target: "hook" }],
  "physx-joint-constraint": [{}, { constrainedAxes: ["x", "twist", "swing"] }, { linearLimit: {}, twistLimit: {} }],
  "physx-joint-driver": [{ axes: ["x", "y", "z", "slerp"] }, { axes: ["x"] }],
  "pcd-model": [{ url: "/store/room.pcd" }],
  "urdf-model": [{ url: "/store/arm.urdf" }],
  "obj-model": [{ obj: "/store/duck.obj" }],
  portal: [{ scene: "public/lobby" }],
  rotation: [{}, { x: 1 }],
  sound: [{ src: "/store/bell.mp3" }],
  "video-control": [{ video_path: "/store/film.mp4" }],
  videosphere: [{ src: "/store/film.mp4" }],
};

/** Further components of the object without which a component has no effect. */
const WITH: Readonly<Record<string, readonly JsonObject[]>> = {
  "physx-joint": [{ "physx-body": {} }],
  "physx-joint-constraint": ["D6", "Revolute"].map(jointed),
  "physx-joint-driver": [jointed("D6")],
  "physx-material": [{ "physx-body": {} }],
};

function jointed(type: string): JsonObject {
  return { "physx-body": {}, "physx-joint": { type, target: "hook" } };
}

/** Objects that can carry a component or an attribute of any object. */
const CARRIERS: readonly JsonObject[] = [
  { object_type: "entity" },
  { object_type: "gltf-model" },
  { object_type: "box", "physx-body": {} },
];

/** Values nested deeply within objects of one type. */
const WITHIN: Readonly<Record<string, (own: JsonObject) => JsonObject>> = {
  ...Object.fromEntries(
    ["bloom", "fxaa", "glitch", "pixel", "sao", "smaa", "ssao"].map((effect) => [
      effect,
      (own: JsonObject) => ({ "post-processing": { [effect]: own } }),
    ]),
  ),
  button: (own) => ({ object_type: "arenaui-button-panel", buttons: [{ name: "Go", ...own }] }),
};

/** Values of attributes that are plain text in the schema but have a syntax in the browser. */
const WORDS: Readonly<Record<string, readonly unknown[]>> = {
  "arenaui-button-panel.themeOverride": [[["bg", "#ff0000"]], { bg: "#00ff00" }],
  "arenaui-card.themeOverride": [[["bg", "#ff0000"]], { bg: "#00ff00" }],
  "arenaui-prompt.themeOverride": [[["bg", "#ff0000"]], { bg: "#00ff00" }],
  "animation.from": ["0 90 0", 1, true, { x: 1, y: 2, z: 3 }],
  "animation.pauseEvents": [["one", "two"], "one"],
  "animation.resumeEvents": [["one", "two"], "one"],
  "animation.startEvents": [["one", "two"], "one"],
  "animation.loop": [true, 0, 3, "5"],
  "animation.property": ["rotation", "material.color"],
  "animation.to": ["0 90 0", 1, true, { x: 1, y: 2, z: 3 }],
  "animation.type": ["color", ""],
  "portal.scene": ["public/lobby", "public/sandbox"],
  "gltf-morph.morphtarget": ["smile", "frown"],
  "gltf-morph.value": [0, 0.5, "0.7"],
  "physics.groundCollisionLayers": [[1], [2, 3]],
  "physics.groundCollisionMask": [[1], [2, 3]],
  "physx-joint-constraint.constrainedAxes": [["x"], ["twist"]],
  "physx-joint-constraint.freeAxes": [["x"], ["swing"]],
  "physx-joint-constraint.lockedAxes": [["x"], ["swing"]],
  "physx-joint-driver.axes": [["x"], ["slerp"]],
  "physx-material.collisionLayers": [[2], [2, 3]],
  "physx-material.collidesWithLayers": [[2], [3]],
  "any-object.collision-listener": ["", "name", {}],
  "multisrc.srcs": ["a.png", "a.png,b.png"],
  "urdf-model.joints": ["arm:30", '{"arm": 31}', { arm: 32 }],
  "spe-particles.angle": [[0.25], [0.75, 1]],
  "spe-particles.angleSpread": [[0.25], [0.75, 1]],
  "spe-particles.opacity": [[0.25], [0.75, 1]],
  "spe-particles.opacitySpread": [[0.25], [0.75, 1]],
  "spe-particles.size": [[0.25], [0.75, 1]],
  "spe-particles.sizeSpread": [[0.25], [0.75, 1]],
  "spe-particles.color": [["red", "blue"], "green"],
  "spe-particles.colorSpread": [[{ x: 1, y: 0, z: 0 }], [{ x: 0, y: 1, z: 0 }]],
  "thickline.path": ["0 0 0, 1 1 1", "0 0 0, 2 2 2, 3 3 3"],
};

/** Attributes with several values of equal effect, with reasons. */
const ALIKE: Readonly<Record<string, string>> = {
  "any-object.collision-listener": "it listens or it doesn't, by whatever name",
  "box-collision-listener.enabled": "it listens or it doesn't",
  "physics.gravity": "not stronger than on a heavy star",
  "physics.speed": "time runs forwards, and bodies don't go through walls",
  "any-object.hide-on-enter-ar": "it hides or it doesn't",
  "any-object.hide-on-enter-vr": "it hides or it doesn't",
  "env-presets.preset": "`none` is the plain sky",
  "any-object.show-on-enter-ar": "it is there or it isn't",
  "any-object.show-on-enter-vr": "it is there or it isn't",
  "physx-joint-constraint.angularLimit": "a range, whichever end comes first",
  "physx-joint-constraint.limitCone": "a range, whichever end comes first",
  "physx-joint-constraint.linearLimit": "a range, whichever end comes first",
  "physx-joint-constraint.twistLimit": "a range, whichever end comes first",
  "any-object.physx-grabbable": "it can be held or it can't",
  "physx-joint-driver.stiffness": "a spring pulls back, and never away",
  "landmark.constrainToNavMesh": "true is `any`, false is `false`",
  "text.font": "two fonts stand for nine",
};

/** Valid values: the ends and middle of a range, each enumerated word, one of each shape. */
function legal(name: string, attribute: Attribute): readonly unknown[] {
  const { shape, format } = attribute;
  const words = WORDS[name];
  if (words) return words;
  if (format === "color") return ["#123456", "#abcdef"];
  if (format === "uri-reference") return ["/store/a.png", "https://example.org/b.png"];
  return legalOf(shape, capOf(name.split(".").at(-1) ?? "", attribute));
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

/** Whole objects with `key: value` of a schema, in every context in which it may have an effect. */
function carry(schema: string, inner: JsonObject): readonly JsonObject[] {
  const beside = (BESIDE[schema] ?? [{}]).map((more) => ({ ...more, ...inner }));
  if (Object.hasOwn(objectTypes, schema)) return beside.map((own) => ({ object_type: schema, ...own }));
  const within = WITHIN[schema];
  if (within) return beside.map(within);
  if (schema === "any-object") return CARRIERS.map((carrier) => ({ ...carrier, ...inner }));
  return beside.flatMap((own) => [
    ...(WITH[schema] ?? [{}]).flatMap((others) => [
      { object_type: "box", ...others, [schema]: own },
      { object_type: "entity", ...others, [schema]: own },
    ]),
    { object_type: "box", [`${schema}__2`]: own },
  ]);
}

/** Whether all values have different effects in some context, and whether any value has an effect. */
function tried(schema: string, key: string, values: readonly unknown[]): { distinct: boolean; matters: boolean } {
  const looks = values.map((value) => carry(schema, { [key]: value }).map(shownOf));
  const without = carry(schema, {}).map(shownOf);
  const places = without.map((_, at) => new Set(looks.map((look) => look[at])).size);
  return {
    distinct: places.some((different) => different === values.length),
    matters: without.some((plain, at) => looks.some((look) => look[at] !== plain)),
  };
}

/** The plain attributes of a schema; components have tables of their own. */
function valuesIn(group: Group): [key: string, attribute: Attribute][] {
  return Object.entries(group.attributes).filter(([key]) => !Object.hasOwn(groups, key));
}

/** Attributes that the editor and the realm implement. */
const FOLLOWED_ELSEWHERE: readonly string[] = ["any-object.locked", "any-object.ttl"];

/** The attributes that a schema marks as unsupported. */
function unshownIn(stem: string): readonly string[] {
  const { properties = {} } = JSON.parse(readFileSync(join(SCHEMAS, `${stem}.json`), "utf8"));
  const marked = Object.entries(properties).filter(([, one]) => Object(one)["x-unshown"] === true);
  return marked.map(([key]) => `${stem}.${key}`);
}

const schemas = Object.entries(tables);
const attributes = schemas.flatMap(([schema, group]) =>
  valuesIn(group).map(([key, attribute]) => ({ schema, key, attribute, name: `${schema}.${key}` })),
);

describe("the mapping table", () => {
  const taken = attributes.filter(({ schema, key }) => isShown(schema, key));
  test.each(taken)("$name is shown with every value that its schema allows", ({ schema, key, attribute, name }) => {
    const { distinct, matters } = tried(schema, key, legal(name, attribute));
    expect(matters, "has no effect: a component needs an x-component in any-object.json").toBe(true);
    if (!Object.hasOwn(ALIKE, name)) expect(distinct, "some of its values are shown as others").toBe(true);
  });

  const left = attributes.filter(({ schema, key }) => !isShown(schema, key));
  test.each(left)("$name is listed as unshown, and has no effect", ({ schema, key, attribute, name }) => {
    expect(tried(schema, key, legal(name, attribute)).matters).toBe(false);
  });

  test("all schemas are covered, and the lists of exceptions name only existing attributes", () => {
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

  test("the x-unshown marks in the schemas match the list of unshown attributes", () => {
    const marked = Object.keys(tables).flatMap((stem) => unshownIn(stem));
    const named = Object.entries(UNSHOWN).flatMap(([schema, unshown]) =>
      typeof unshown === "string" ? [] : Object.keys(unshown).map((key) => `${schema}.${key}`),
    );
    const followed = new Set(FOLLOWED_ELSEWHERE);
    expect(marked.sort()).toEqual(named.filter((name) => !followed.has(name)).sort());
  });

  test("a component whose whole schema is unshown has no effect", () => {
    for (const [schema, unshown] of Object.entries(UNSHOWN)) {
      if (typeof unshown !== "string" || Object.hasOwn(objectTypes, schema)) continue;
      const plain = shownOf({ object_type: "box" });
      for (const value of [{}, true, ""]) expect(shownOf({ object_type: "box", [schema]: value }), schema).toBe(plain);
    }
  });
});
