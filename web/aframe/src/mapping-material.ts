/** `material`, and the colour that older clients put beside it. */
import { MATTE_ROUGHNESS_MIN } from "./limits.ts";
import { MATTE } from "./matte.ts";
import { safeUrl } from "./safe-url.ts";
import { type Bag, bag, color, flag, oneOf, within, xyz } from "./values.ts";

type Reader = (value: unknown) => unknown;

const unit: Reader = (value) => within(value, 0, 1);
const amount: Reader = (value) => within(value, -1_000, 1_000);
const plane: Reader = (value) => {
  const point = xyz(value);
  return point && { x: point.x, y: point.y };
};

const readers: Readonly<Record<string, Reader>> = {
  alphaTest: unit,
  ambientOcclusionMapIntensity: amount,
  blending: (value) => oneOf(value, ["none", "normal", "additive", "subtractive", "multiply"]),
  bumpMapScale: amount,
  color,
  combine: (value) => oneOf(value, ["mix", "add", "multiply"]),
  depthTest: flag,
  depthWrite: flag,
  displacementBias: amount,
  displacementScale: amount,
  dithering: flag,
  emissive: color,
  emissiveIntensity: (value) => within(value, 0, 1_000),
  flatShading: flag,
  fog: flag,
  metalness: unit,
  normalScale: plane,
  npot: flag,
  offset: plane,
  opacity: unit,
  reflectivity: unit,
  refract: flag,
  refractionRatio: unit,
  repeat: plane,
  roughness: unit,
  shader: (value) => oneOf(value, ["flat", "standard", "phong"]),
  shininess: amount,
  side: (value) => oneOf(value, ["front", "back", "double"]),
  specular: color,
  toneMapped: flag,
  transparent: flag,
  vertexColorsEnabled: flag,
  wireframe: flag,
};

/** Textures: each an address. */
const maps = [
  "src",
  "ambientOcclusionMap",
  "bumpMap",
  "displacementMap",
  "metalnessMap",
  "normalMap",
  "roughnessMap",
  "sphericalEnvMap",
];

/** What only the named shaders take: A-Frame warns of the rest at each change. */
const standardOnly = new Set(["metalness", "metalnessMap", "roughness", "roughnessMap", "sphericalEnvMap"]);
const phongOnly = new Set(["combine", "reflectivity", "refract", "refractionRatio", "shininess", "specular"]);
const flatKeys = new Set([
  ...["alphaTest", "blending", "color", "depthTest", "depthWrite", "dithering", "flatShading", "fog", "npot", "offset"],
  ...["opacity", "repeat", "shader", "side", "src", "toneMapped", "transparent", "vertexColorsEnabled", "wireframe"],
]);

/** What a matte surface may say: no textures, nothing of gloss. */
const matteKeys = new Set([
  ...["alphaTest", "blending", "color", "depthTest", "depthWrite", "dithering", "emissive", "emissiveIntensity"],
  ...["flatShading", "fog", "opacity", "side", "transparent", "vertexColorsEnabled", "wireframe"],
]);

/** The settings of `material` of any object. */
export function materialSettings(attributes: Bag, base: string): Bag {
  const material = bag(attributes.material) ?? {};
  const settings: Record<string, unknown> = { color: color(attributes.color) ?? "#ffffff" };
  for (const [key, read] of Object.entries(readers)) {
    const value = read(material[key]);
    if (value !== undefined) settings[key] = value;
  }
  for (const key of maps) {
    const url = safeUrl(material[key], base);
    if (url !== undefined) settings[key] = url;
  }
  return suited(settings);
}

/** Whether the plain shader, at half the cost, draws it as well. */
function isMatte({ metalness = 0, roughness = 0, ...others }: Bag): boolean {
  const rough = typeof roughness === "number" && roughness >= MATTE_ROUGHNESS_MIN;
  return rough && metalness === 0 && Object.keys(others).every((key) => matteKeys.has(key));
}

/** An image shows its picture as it is: unlit, from both sides. */
export function imageMaterial(attributes: Bag, base: string): Bag {
  const settings = { ...materialSettings(attributes, base), shader: "flat", side: "double" };
  const url = safeUrl(attributes.url ?? attributes.src ?? bag(attributes.material)?.src, base);
  return suited(url === undefined ? settings : { ...settings, src: url });
}

/** What the shader takes of the settings. It is always named: A-Frame keeps the one before where none is. */
function suited(settings: Bag): Bag {
  const shader = settings.shader ?? (isMatte(settings) ? MATTE : "standard");
  const keeps = (key: string): boolean => {
    if (shader === MATTE) return matteKeys.has(key);
    if (shader === "flat") return flatKeys.has(key);
    return shader === "phong" ? !standardOnly.has(key) : !phongOnly.has(key);
  };
  return { ...Object.fromEntries(Object.entries(settings).filter(([key]) => keeps(key))), shader };
}
