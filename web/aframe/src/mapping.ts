/** From an object's attributes to the settings of A-Frame's components. Pure: no page, no WebGL. */

import { PATH_POINTS_MAX } from "./limits.ts";
import { animationSettings } from "./mapping-animation.ts";
import { componentSettings } from "./mapping-components.ts";
import { geometrySettings } from "./mapping-geometry.ts";
import { lightSettings } from "./mapping-light.ts";
import { imageMaterial, materialSettings } from "./mapping-material.ts";
import { poseSettings } from "./mapping-pose.ts";
import { textSettings } from "./mapping-text.ts";
import { safeUrl } from "./safe-url.ts";
import { type Bag, bag, color, text, within, xyz } from "./values.ts";

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
    ...animationSettings(attributes),
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
      return { text: textSettings(attributes) };
    case "image":
      return { geometry: geometrySettings("plane", attributes), material: imageMaterial(attributes, base) };
    case "light":
      return { light: lightSettings(attributes) };
    case "gltf-model":
      return modelOf(attributes, base);
    case "obj-model":
      return objOf(attributes, base);
    case "line":
      return { line: lineSettings(attributes) };
    case "thickline":
      return pathSettings(attributes);
    case "entity":
      return entityShape(attributes, base);
    default:
      return primitiveShape(attributes.object_type, attributes, base);
  }
}

function primitiveShape(type: unknown, attributes: Bag, base: string): Settings {
  const geometry = geometrySettings(type, attributes);
  return geometry ? { geometry, material: materialSettings(attributes, base) } : {};
}

/** An entity may carry any of the nested groups. */
function entityShape(attributes: Bag, base: string): Settings {
  const geometry = bag(attributes.geometry);
  const light = bag(attributes.light);
  const words = bag(attributes.text);
  return {
    ...(geometry ? primitiveShape(geometry.primitive, { ...attributes, ...geometry }, base) : {}),
    ...(light ? { light: lightSettings(light) } : {}),
    ...(words ? { text: textSettings(words) } : {}),
  };
}

function modelOf(attributes: Bag, base: string): Settings {
  const url = safeUrl(attributes.url ?? attributes.src, base);
  return url === undefined ? {} : { "gltf-model": url };
}

function objOf(attributes: Bag, base: string): Settings {
  const obj = safeUrl(attributes.obj, base);
  const mtl = safeUrl(attributes.mtl, base);
  if (obj === undefined) return {};
  const material = mtl === undefined ? { material: materialSettings(attributes, base) } : {};
  return { "obj-model": mtl === undefined ? { obj } : { obj, mtl }, ...material };
}

function lineSettings(attributes: Bag): Settings {
  return {
    start: xyz(attributes.start) ?? { x: 0, y: 0.5, z: 0 },
    end: xyz(attributes.end) ?? { x: -0.5, y: -0.5, z: 0 },
    color: color(attributes.color) ?? "#ffffff",
    opacity: within(attributes.opacity, 0, 1) ?? 1,
  };
}

/** A `thickline` is drawn as thin lines between its points: width and styles are not supported. */
function pathSettings(attributes: Bag): Settings {
  const path = text(attributes.path) ?? "-2 -1 0, 0 20 0, 10 -1 10";
  const points = path.split(",", PATH_POINTS_MAX).flatMap((part) => xyz(part, Number.NaN) ?? []);
  const stroke = color(attributes.color) ?? "#ffffff";
  const pieces = points.slice(1).map((end, at) => [`line__${at}`, { start: points[at], end, color: stroke }] as const);
  return Object.fromEntries(pieces);
}
