/** Presets of a scene's surroundings and lights, and the changes that apply them. Pure functions. */
import { type Swatch, swatches, swatchOf } from "@stoa/aframe/swatches";
import type { Attributes, SceneObject } from "@stoa/client";
import type { ObjectChangeRequest } from "../objects/changes.ts";

/** Id of the object that holds a scene's options, fixed by ARENA. */
export const OPTIONS_ID = "scene-options";
/** The preset with a plain sky and no surroundings. */
export const NO_SURROUNDINGS = "none";

type ObjectsById = ReadonlyMap<string, SceneObject>;

/** The presets; the first has no surroundings. */
export const choices: readonly Swatch[] = [swatchOf(NO_SURROUNDINGS), ...swatches()];

export type LightSetName = "day" | "evening" | "night" | "studio" | "lamps";

interface LightObjectTemplate {
  readonly part: string;
  readonly attributes: Attributes;
}

const lamp = (part: string, type: string, rest: Attributes): LightObjectTemplate => ({
  part,
  attributes: { object_type: "light", type, ...rest },
});
const at = (x: number, y: number, z: number): { readonly position: Attributes } => ({ position: { x, y, z } });

/** The lamps of each light set. A set is about as bright as A-Frame's default light, except evening and night. */
const LAMPS: Readonly<Record<LightSetName, readonly LightObjectTemplate[]>> = {
  day: [
    lamp("sun", "directional", { color: "#fff3dc", intensity: 2.4, castShadow: true, ...at(4, 9, 5) }),
    lamp("sky", "hemisphere", { color: "#cfe6ff", groundColor: "#8d8371", intensity: 1.6, ...at(0, 12, 0) }),
  ],
  evening: [
    lamp("sun", "directional", { color: "#ff9a55", intensity: 1.9, castShadow: true, ...at(-9, 2.5, 3) }),
    lamp("sky", "hemisphere", { color: "#7d7fc0", groundColor: "#5a4038", intensity: 0.9, ...at(0, 12, 0) }),
  ],
  night: [
    lamp("moon", "directional", { color: "#9db4ff", intensity: 0.5, castShadow: true, ...at(-4, 9, -3) }),
    lamp("sky", "hemisphere", { color: "#27355f", groundColor: "#0c0f18", intensity: 0.6, ...at(0, 12, 0) }),
  ],
  studio: [
    lamp("key", "directional", { color: "#ffffff", intensity: 1.7, ...at(3, 4, 5) }),
    lamp("fill", "directional", { color: "#e6eeff", intensity: 0.8, ...at(-5, 3, 3) }),
    lamp("back", "directional", { color: "#ffffff", intensity: 0.7, ...at(0, 5, -6) }),
    lamp("all", "ambient", { color: "#ffffff", intensity: 0.7, ...at(0, 6, 0) }),
  ],
  lamps: [
    lamp("left", "point", { color: "#ffcf8f", intensity: 14, distance: 30, ...at(-3, 2.6, -2) }),
    lamp("right", "point", { color: "#ffcf8f", intensity: 14, distance: 30, ...at(3, 2.6, 2) }),
    lamp("all", "ambient", { color: "#5b5570", intensity: 0.6, ...at(0, 3, 0) }),
  ],
};

/** The light sets, each with the colours of its swatch from top to bottom. */
export const lightSets: readonly { readonly name: LightSetName; readonly colors: readonly [string, string, string] }[] =
  [
    { name: "day", colors: ["#cfe6ff", "#fff3dc", "#8d8371"] },
    { name: "evening", colors: ["#7d7fc0", "#ff9a55", "#5a4038"] },
    { name: "night", colors: ["#0c0f18", "#27355f", "#9db4ff"] },
    { name: "studio", colors: ["#ffffff", "#e6eeff", "#c9ced6"] },
    { name: "lamps", colors: ["#5b5570", "#ffcf8f", "#2b2735"] },
  ];

const NAMES = lightSets.map(({ name }) => name);

/** The object id of one lamp of a set. */
function lampId(name: LightSetName, part: string): string {
  return `lights-${name}-${part}`;
}

function presetGroup(objects: ObjectsById): Readonly<Record<string, unknown>> | undefined {
  const group = objects.get(OPTIONS_ID)?.attributes["env-presets"];
  return typeof group === "object" && group !== null ? Object.fromEntries(Object.entries(group)) : undefined;
}

/** The scene's preset; `undefined` if it isn't one of the {@link choices}. */
export function chosenPreset(objects: ObjectsById): string | undefined {
  const group = presetGroup(objects);
  if (group === undefined || group.active === false) return NO_SURROUNDINGS;
  const { preset = "default" } = group;
  return choices.find((choice) => choice.preset === preset)?.preset;
}

/** The scene's light set; `null` for the light of its surroundings. */
export function chosenLights(objects: ObjectsById): LightSetName | null {
  return NAMES.find((name) => LAMPS[name].some(({ part }) => objects.has(lampId(name, part)))) ?? null;
}

/**
 * The changes that apply a preset. They clear the old preset's settings except `lighting`, which they turn off while
 * the scene has a light set.
 */
export function changesForPreset(objects: ObjectsById, preset: string): readonly ObjectChangeRequest[] {
  const group = presetGroup(objects) ?? {};
  const forgotten = Object.keys(group).filter((key) => key !== "preset" && key !== "lighting");
  // A light set replaces the light of the surroundings.
  const lighting = chosenLights(objects) === null ? {} : { lighting: "none" };
  const cleared = Object.fromEntries(forgotten.map((key) => [key, null]));
  return [setOptions(objects, { ...cleared, preset, ...lighting })];
}

/** The changes that apply a light set, or restore the light of the surroundings. Other lights of the scene stay. */
export function changesForLights(objects: ObjectsById, set: LightSetName | null): readonly ObjectChangeRequest[] {
  const old = NAMES.flatMap((name) => LAMPS[name].map(({ part }) => lampId(name, part))).filter((id) =>
    objects.has(id),
  );
  const removed = old.map((objectId): ObjectChangeRequest => ({ kind: "remove", objectId }));
  const made = set === null ? [] : LAMPS[set].map(({ part, attributes }) => created(lampId(set, part), attributes));
  // A scene without `env-presets` has no lighting to turn off.
  const options = presetGroup(objects) ? [setOptions(objects, { lighting: set === null ? null : "none" })] : [];
  const kept = new Set(made.map(({ objectId }) => objectId));
  return [...removed.filter(({ objectId }) => !kept.has(objectId)), ...options, ...made];
}

function created(objectId: string, attributes: Attributes): ObjectChangeRequest {
  return { kind: "create", objectId, attributes };
}

function setOptions(objects: ObjectsById, group: Attributes): ObjectChangeRequest {
  const attributes = { "env-presets": group };
  if (objects.has(OPTIONS_ID)) return { kind: "update", objectId: OPTIONS_ID, attributes };
  const own = Object.fromEntries(Object.entries(group).filter(([, value]) => value !== null));
  return { kind: "create", objectId: OPTIONS_ID, attributes: { "env-presets": own }, options: { type: OPTIONS_ID } };
}
