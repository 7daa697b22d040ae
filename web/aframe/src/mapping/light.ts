/** The light object: its settings stand beside `object_type`, in older scenes under `light`. */
import { objectTypes } from "@stoa/client/generated";
import { SHADOW_MAP_PIXELS, SHADOW_REACH_M, SPOT_SHADOW_DEGREES_MAX } from "../limits.ts";
import { type Bag, bag, text } from "../values.ts";
import { type Readers, read, readersOf } from "./attribute-readers.ts";

const readers = readersOf("light", objectTypes.light);

/** Which settings each type has in A-Frame, which warns of others. */
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
const readersByType: Readonly<Record<string, Readers>> = Object.fromEntries(
  Object.entries(special).map(([type, keys]) => [type, only([...everywhere, ...keys])]),
);

/** A sun's shadows cover a room, in a map fine enough for it; a light that says otherwise has its way. */
const room: Bag = {
  shadowCameraTop: SHADOW_REACH_M,
  shadowCameraRight: SHADOW_REACH_M,
  shadowCameraBottom: -SHADOW_REACH_M,
  shadowCameraLeft: -SHADOW_REACH_M,
  shadowCameraFar: 5 * SHADOW_REACH_M,
  shadowMapHeight: SHADOW_MAP_PIXELS,
  shadowMapWidth: SHADOW_MAP_PIXELS,
};

/** The settings of `light`; without a type it is A-Frame's default, directional. */
export function lightSettings(attributes: Bag, base: string): Bag {
  const source = { ...attributes, ...bag(attributes.light) };
  const type = readers.type?.(source.type, base) ?? objectTypes.light.attributes.type?.default;
  const settings: Bag = { type, ...read(readersByType[String(type)] ?? {}, source, base) };
  if (settings.castShadow !== true) return settings;
  if (type === "directional") return { ...room, ...settings };
  return typeof settings.angle === "number" && settings.angle > SPOT_SHADOW_DEGREES_MAX
    ? { ...settings, angle: SPOT_SHADOW_DEGREES_MAX }
    : settings;
}

/** The id of the object that it shines at; lamps that shine everywhere have none. */
export function lightTarget(attributes: Bag): string | undefined {
  const source = { ...attributes, ...bag(attributes.light) };
  const target = text(source.target, 256)?.replace(/^#/, "");
  const aims = source.type === undefined || source.type === "directional" || source.type === "spot";
  return aims && target !== "" ? target : undefined;
}

function only(keys: readonly string[]): Readers {
  return Object.fromEntries(Object.entries(readers).filter(([key]) => keys.includes(key)));
}
