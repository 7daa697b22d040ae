/** Maps a light object to the settings of A-Frame's `light`. Older scenes put the settings below a key `light`. */
import { objectTypes } from "@stoa/client/generated";
import { SHADOW_MAP_PIXELS, SHADOW_REACH_M, SPOT_SHADOW_DEGREES_MAX } from "../limits.ts";
import { bag, type JsonObject, text } from "../values.ts";
import { type AttributeValueParsers, read, readersOf } from "./attribute-readers.ts";

const readers = readersOf("light", objectTypes.light);

/** Settings by light type: A-Frame warns about unsupported ones. */
const everywhere = ["type", "color", "intensity"];
const falling = ["decay", "distance"];
const shadows = Object.keys(readers).filter((key) => key.startsWith("shadow") || key === "castShadow");
const special: Readonly<Record<string, readonly string[]>> = {
  ambient: [],
  directional: shadows,
  hemisphere: ["groundColor"],
  point: [...falling, ...shadows],
  spot: ["angle", "penumbra", ...falling, ...shadows],
};
const readersByType: Readonly<Record<string, AttributeValueParsers>> = Object.fromEntries(
  Object.entries(special).map(([type, keys]) => [type, only([...everywhere, ...keys])]),
);

/** Shadow defaults of a directional light: cover a room, at a sufficient resolution. */
const room: JsonObject = {
  shadowCameraTop: SHADOW_REACH_M,
  shadowCameraRight: SHADOW_REACH_M,
  shadowCameraBottom: -SHADOW_REACH_M,
  shadowCameraLeft: -SHADOW_REACH_M,
  shadowCameraFar: 5 * SHADOW_REACH_M,
  shadowMapHeight: SHADOW_MAP_PIXELS,
  shadowMapWidth: SHADOW_MAP_PIXELS,
};

/** The settings of `light`; A-Frame's default type is directional. */
export function lightSettings(attributes: JsonObject, base: string): JsonObject {
  const source = { ...attributes, ...bag(attributes.light) };
  const type = readers.type?.(source.type, base) ?? objectTypes.light.attributes.type?.default;
  const settings: JsonObject = { type, ...read(readersByType[String(type)] ?? {}, source, base) };
  if (settings.castShadow !== true) return settings;
  if (type === "directional") return { ...room, ...settings };
  return typeof settings.angle === "number" && settings.angle > SPOT_SHADOW_DEGREES_MAX
    ? { ...settings, angle: SPOT_SHADOW_DEGREES_MAX }
    : settings;
}

/** The id of the light's target object; only directional and spot lights have one. */
export function lightTarget(attributes: JsonObject): string | undefined {
  const source = { ...attributes, ...bag(attributes.light) };
  const target = text(source.target, 256)?.replace(/^#/, "");
  const aims = source.type === undefined || source.type === "directional" || source.type === "spot";
  return aims && target !== "" ? target : undefined;
}

function only(keys: readonly string[]): AttributeValueParsers {
  return Object.fromEntries(Object.entries(readers).filter(([key]) => keys.includes(key)));
}
