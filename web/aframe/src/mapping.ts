/** From an object's attributes to the settings of A-Frame's components. Pure: no page, no WebGL. */

import { objectTypes } from "@stoa/client/generated";
import { PATH_POINTS_MAX } from "./limits.ts";
import { animationSettings } from "./mapping-animation.ts";
import { componentSettings } from "./mapping-components.ts";
import { geometrySettings } from "./mapping-geometry.ts";
import { lightSettings } from "./mapping-light.ts";
import { imageMaterial, materialSettings } from "./mapping-material.ts";
import { poseSettings } from "./mapping-pose.ts";
import { textSettings } from "./mapping-text.ts";
import { defaultsOf, read, readersOf } from "./readers.ts";
import { fileUrl } from "./safe-url.ts";
import { type Bag, bag, text, xyz } from "./values.ts";

const lineReaders = readersOf("line", objectTypes.line);
const lineDefaults = defaultsOf(objectTypes.line, ["color", "end", "start"]);
const objReaders = readersOf("obj-model", objectTypes["obj-model"]);
const { path: _path, ...pathReaders } = readersOf("thickline", objectTypes.thickline);
const pathDefaults = defaultsOf(objectTypes.thickline, ["color", "path"]);

/** What to set: component name → its settings. What isn't named isn't there. */
export type Settings = Readonly<Record<string, unknown>>;

/** What the mapping knows besides the attributes. */
export interface MappingContext {
  /** The page's address: what relative addresses start from. */
  readonly base: string;
}

/** All settings of one object; an unknown `object_type` gets those of its components alone, so it shows nothing and breaks nothing. */
export function settingsOf(attributes: Bag, context: MappingContext): Settings {
  return {
    ...shapeOf(attributes, context),
    ...poseSettings(attributes),
    ...animationSettings(attributes, context.base),
    ...componentSettings(attributes, context.base),
  };
}

/** The id that `parent` names, if it names one. */
export function parentOf(attributes: Bag): string | null {
  return typeof attributes.parent === "string" && attributes.parent !== "" ? attributes.parent : null;
}

function shapeOf(attributes: Bag, context: MappingContext): Settings {
  const { base } = context;
  switch (attributes.object_type) {
    case "text":
      return { text: textSettings(attributes, base) };
    case "image":
      return { geometry: geometrySettings("plane", attributes, base), material: imageMaterial(attributes, base) };
    case "light":
      return { light: lightSettings(attributes, base) };
    case "gltf-model":
      return modelOf(attributes, base);
    case "obj-model":
      return objOf(attributes, base);
    case "line":
      return { line: { ...lineDefaults, ...read(lineReaders, attributes, base) } };
    case "thickline":
      return pathSettings(attributes, base);
    case "entity":
      return entityShape(attributes, base);
    default:
      return primitiveShape(attributes.object_type, attributes, base);
  }
}

function primitiveShape(type: unknown, attributes: Bag, base: string): Settings {
  const geometry = geometrySettings(type, attributes, base);
  return geometry ? { geometry, material: materialSettings(attributes, base) } : {};
}

/** An entity may carry any of the nested groups. */
function entityShape(attributes: Bag, base: string): Settings {
  const geometry = bag(attributes.geometry);
  const light = bag(attributes.light);
  const words = bag(attributes.text);
  return {
    ...(geometry ? primitiveShape(geometry.primitive, { ...attributes, ...geometry }, base) : {}),
    ...(light ? { light: lightSettings(light, base) } : {}),
    ...(words ? { text: textSettings(words, base) } : {}),
  };
}

function modelOf(attributes: Bag, base: string): Settings {
  const url = fileUrl(attributes.url ?? attributes.src, base);
  return url === undefined ? {} : { "gltf-model": url };
}

function objOf(attributes: Bag, base: string): Settings {
  const model = read(objReaders, attributes, base);
  if (model.obj === undefined) return {};
  return { "obj-model": model, ...("mtl" in model ? {} : { material: materialSettings(attributes, base) }) };
}

/** A `thickline` is drawn as thin lines between its points. */
function pathSettings(attributes: Bag, base: string): Settings {
  const path = text(attributes.path ?? pathDefaults.path) ?? "";
  const points = path.split(",", PATH_POINTS_MAX).flatMap((part) => xyz(part, Number.NaN) ?? []);
  const { color } = { ...pathDefaults, ...read(pathReaders, attributes, base) };
  const pieces = points.slice(1).map((end, at) => [`line__${at}`, { start: points[at], end, color }] as const);
  return Object.fromEntries(pieces);
}
