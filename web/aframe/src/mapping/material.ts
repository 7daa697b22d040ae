/** Maps `material`, and the top-level colour of older clients, to the settings of A-Frame's `material`. */
import { groups } from "@stoa/client/generated";
import { MATTE_ROUGHNESS_MIN } from "../limits.ts";
import { fileOrRefused } from "../safe-url.ts";
import { bag, color, type JsonObject } from "../values.ts";
import { defaultsOf, read, readersOf, type SettingsByComponent } from "./attribute-readers.ts";

/** The matte shader's name in `material: shader`. */
export const MATTE = "stoa-matte";

/** Texture settings that load through the scene's queue. A-Frame loads `envMap` itself. */
const PICTURES = Object.keys(groups.material.attributes).filter(
  (key) => key === "src" || (key.endsWith("Map") && key !== "envMap"),
);

const readers = readersOf("material", groups.material, Object.fromEntries(PICTURES.map((key) => [key, fileOrRefused])));
const defaults = defaultsOf(groups.material, ["color"]);

/** Settings of single A-Frame shaders: A-Frame warns about unsupported ones at each change. */
const environment = ["envMap", "sphericalEnvMap"];
const standardOnly = new Set(keysOf("metalness", "roughness", "ambientOcclusionTexture"));
const phongOnly = new Set([
  ...keysOf("bump"),
  ...["combine", "reflectivity", "refract", "refractionRatio", "shininess", "specular"],
]);
const litOnly = new Set([...keysOf("ambientOcclusion", "displacement", "emissive", "normal"), ...environment]);

/** Settings of a matte surface: no textures and no gloss. */
const matteKeys = new Set([
  ...["alphaTest", "blending", "color", "depthTest", "depthWrite", "dithering", "emissive", "emissiveIntensity"],
  ...["flatShading", "fog", "opacity", "side", "transparent", "vertexColorsEnabled", "visible", "wireframe"],
]);

/** The `material` settings of any object. */
export function materialSettings(attributes: JsonObject, base: string): JsonObject {
  const material = bag(attributes.material) ?? {};
  const old = color(attributes.color);
  const settings = { ...defaults, ...(old === undefined ? {} : { color: old }), ...read(readers, material, base) };
  return suited(settings);
}

/** Whether the matte shader, at half the cost, renders the material almost equally. */
function isMatte({ metalness = 0, roughness = 0, ...others }: JsonObject): boolean {
  const rough = typeof roughness === "number" && roughness >= MATTE_ROUGHNESS_MIN;
  return rough && metalness === 0 && Object.keys(others).every((key) => matteKeys.has(key));
}

/** The `material` settings of an image: unlit and double-sided, with the picture's transparency. */
export function imageMaterial(attributes: JsonObject, base: string): JsonObject {
  const settings = { transparent: true, ...materialSettings(attributes, base), shader: "flat", side: "double" };
  const url = fileOrRefused(attributes.url ?? attributes.src ?? bag(attributes.material)?.src, base);
  return suited(url === undefined ? settings : { ...settings, src: url });
}

/** Moves the pictures of a material into `stoa-pictures`. */
export function withPictures(settings: SettingsByComponent): SettingsByComponent {
  const material = bag(settings.material);
  if (!material || !PICTURES.some((key) => typeof material[key] === "string")) return settings;
  const isPicture = ([key, value]: readonly [string, unknown]): boolean =>
    PICTURES.includes(key) && typeof value === "string";
  const entries = Object.entries(material);
  const others = Object.fromEntries(entries.filter((entry) => !isPicture(entry)));
  const maps = JSON.stringify(Object.fromEntries(entries.filter(isPicture)));
  // Set after the material, which drops its pictures on a change.
  return { ...settings, material: others, "stoa-pictures": { maps, others: JSON.stringify(others) } };
}

/** Filters settings by shader. The shader is always named, because A-Frame would keep the previous one. */
function suited(settings: JsonObject): JsonObject {
  const shader = settings.shader ?? (isMatte(settings) ? MATTE : "standard");
  const keeps = (key: string): boolean => {
    if (shader === MATTE) return matteKeys.has(key);
    if (shader === "flat") return !litOnly.has(key) && !standardOnly.has(key) && !phongOnly.has(key);
    return key !== "toneMapped" && !(shader === "phong" ? standardOnly : phongOnly).has(key);
  };
  return { ...Object.fromEntries(Object.entries(settings).filter(([key]) => keeps(key))), shader };
}

function keysOf(...beginnings: readonly string[]): string[] {
  return Object.keys(groups.material.attributes).filter((key) => beginnings.some((start) => key.startsWith(start)));
}
