/**
 * Maps objects that show a 3D file, and the components that adjust a model, to the settings of `stoa-model` and its
 * relatives.
 */
import { groups, objectTypes } from "@stoa/client/generated";
import { PARTS_MAX, SIDES_MAX } from "../limits.ts";
import { fileOrRefused, fileUrl } from "../safe-url.ts";
import { bag, finite, type JsonObject, text, type Xyz, xyz } from "../values.ts";
import { defaultsOf, read, readersOf, type SettingsByComponent } from "./attribute-readers.ts";
import { quaternionOf } from "./pose.ts";

const clipReaders = readersOf("animation-mixer", groups["animation-mixer"]);
const lodReaders = readersOf("gltf-model-lod", groups["gltf-model-lod"]);
const containerReaders = readersOf("model-container", groups["model-container"]);
const containerDefaults = defaultsOf(groups["model-container"], ["x", "y", "z", "uniform"]);
const surfaceReaders = readersOf("material-extras", groups["material-extras"]);
const { url: _url, ...pointReaders } = readersOf("pcd-model", objectTypes["pcd-model"]);
const pointDefaults = defaultsOf(objectTypes["pcd-model"], ["pointSize", "pointColor", "opacity"]);

/** Pose of a part in its parent, with a quaternion; omitted keys keep the file's values. */
export interface ModelNodePose {
  readonly position?: Xyz;
  readonly rotation?: Xyz & { readonly w: number };
  readonly scale?: Xyz;
}

/** Settings of `stoa-model-form`. */
export interface ModelAdjustments {
  /** Morph target → weight, 0 to 1 or beyond. */
  readonly morphs: Readonly<Record<string, number>>;
  /** Part's name → its pose. */
  readonly parts: Readonly<Record<string, ModelNodePose>>;
  /** Size to fit into, in metres; `null` keeps the file's size. */
  readonly container: (Xyz & { readonly uniform: boolean }) | null;
}

/** Maps a glTF model. */
export function gltfSettings(attributes: JsonObject, base: string): SettingsByComponent {
  return fileOf("gltf", fileOrRefused(attributes.url ?? attributes.src, base));
}

/** Maps a point cloud. */
export function pcdSettings(attributes: JsonObject, base: string): SettingsByComponent {
  const { pointSize: size, pointColor: color, opacity } = { ...pointDefaults, ...read(pointReaders, attributes, base) };
  return fileOf("pcd", fileOrRefused(attributes.url ?? attributes.src, base), { points: { size, color, opacity } });
}

/** Maps a robot; the attribute `urlBase` is the base of its meshes' URLs. */
export function urdfSettings(attributes: JsonObject, base: string): SettingsByComponent {
  const joints = jointsOf(attributes.joints);
  const own = fileUrl(attributes.urlBase, base);
  const folder = own === undefined || own.endsWith("/") ? own : `${own}/`;
  return fileOf("urdf", fileOrRefused(attributes.url ?? attributes.src, base), { joints }, folder);
}

/** Maps a scene in three.js's format. */
export function threeSettings(attributes: JsonObject, base: string): SettingsByComponent {
  return fileOf("three", fileOrRefused(attributes.url ?? attributes.src, base));
}

/** Maps Gaussian splats. */
export function splatSettings(attributes: JsonObject, base: string): SettingsByComponent {
  return fileOf("splats", fileOrRefused(attributes.src ?? attributes.url, base));
}

function fileOf(kind: string, src: string | undefined, options: JsonObject = {}, within = ""): SettingsByComponent {
  return src === undefined ? {} : { "stoa-model": { kind, src, base: within, options: JSON.stringify(options) } };
}

/** The model components of an object of any type. */
export function modelComponents(attributes: JsonObject, base: string): SettingsByComponent {
  return {
    ...clips(attributes["animation-mixer"], base),
    ...lod(attributes["gltf-model-lod"], base),
    ...form(attributes, base),
    ...surface(attributes, base),
    ...submodel(attributes["submodel-parent"]),
  };
}

function clips(value: unknown, base: string): SettingsByComponent {
  const group = bag(value);
  return group ? { "stoa-clips": read(clipReaders, group, base) } : {};
}

function lod(value: unknown, base: string): SettingsByComponent {
  const settings = read(lodReaders, bag(value) ?? {}, base);
  return settings.detailedUrl === undefined ? {} : { "stoa-lod": settings };
}

function form(attributes: JsonObject, base: string): SettingsByComponent {
  const form: ModelAdjustments = {
    morphs: morphsOf(attributes),
    parts: partsOf(attributes.modelUpdate),
    container: containerOf(attributes["model-container"], base),
  };
  const isThere = Object.keys(form.morphs).length + Object.keys(form.parts).length > 0 || form.container !== null;
  return isThere ? { "stoa-model-form": { form: JSON.stringify(form) } } : {};
}

/** `gltf-morph`, and any number of `gltf-morph__<name>`. */
function morphsOf(attributes: JsonObject): Record<string, number> {
  const morphs: [string, number][] = [];
  for (const [key, value] of Object.entries(attributes)) {
    if (!/^gltf-morph(__.{1,60})?$/.test(key) || morphs.length >= PARTS_MAX) continue;
    const { morphtarget, value: far } = bag(value) ?? {};
    const [target, amount] = [text(morphtarget, 256), finite(far)];
    if (target !== undefined && target !== "" && amount !== undefined) morphs.push([target, amount]);
  }
  return Object.fromEntries(morphs);
}

function partsOf(value: unknown): Record<string, ModelNodePose> {
  const parts = Object.entries(bag(value) ?? {}).slice(0, PARTS_MAX);
  return Object.fromEntries(
    parts.map(([name, pose]) => {
      const { position, rotation, scale } = bag(pose) ?? {};
      const [at, turned, sized] = [xyz(position), quaternionOf(rotation), xyz(scale, 1)];
      return [
        name,
        { ...(at && { position: at }), ...(turned && { rotation: turned }), ...(sized && { scale: sized }) },
      ];
    }),
  );
}

function containerOf(value: unknown, base: string): ModelAdjustments["container"] {
  const group = bag(value);
  if (!group) return null;
  const { x, y, z, uniform } = { ...containerDefaults, ...read(containerReaders, group, base) };
  return { x: Number(x), y: Number(y), z: Number(z), uniform: uniform === true };
}

function surface(attributes: JsonObject, base: string): SettingsByComponent {
  const extras = bag(attributes["material-extras"]);
  const sides = sidesOf(attributes.multisrc, base);
  if (!extras && sides.length === 0) return {};
  const settings = { ...read(surfaceReaders, extras ?? {}, base), ...(sides.length > 0 ? { sides } : {}) };
  return { "stoa-surface": { surface: JSON.stringify(settings) } };
}

/** The pictures' URLs: comma-separated names within a folder. */
function sidesOf(value: unknown, base: string): string[] {
  const { srcs, srcspath } = bag(value) ?? {};
  const [names, folder] = [text(srcs), text(srcspath)];
  if (names === undefined || folder === undefined) return [];
  const path = folder === "" || folder.endsWith("/") ? folder : `${folder}/`;
  return names
    .split(",", SIDES_MAX)
    .flatMap((name) => (name.trim() === "" ? [] : (fileUrl(`${path}${name.trim()}`, base) ?? [])));
}

function submodel(value: unknown): SettingsByComponent {
  const part = text(value, 256);
  return part === undefined || part === "" ? {} : { "stoa-submodel": { part } };
}

/** Degrees, or metres of sliders, by joint name: from an object, its JSON, or ARENA's `name:value, name:value`. */
function jointsOf(value: unknown): Record<string, number> {
  const entries = typeof value === "string" ? spread(value) : Object.entries(bag(value) ?? {});
  const joints = entries.slice(0, PARTS_MAX).flatMap(([name, far]): [string, number][] => {
    const amount = finite(far);
    return amount === undefined ? [] : [[name, amount]];
  });
  return Object.fromEntries(joints);
}

function spread(words: string): [string, unknown][] {
  return words
    .replace(/[{}"'\s]/g, "")
    .split(",", PARTS_MAX)
    .map((pair) => {
      const [name = "", far] = pair.split(/[:=]/, 2);
      return [name, far];
    });
}
