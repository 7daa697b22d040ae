/** The light object: its settings stand beside `object_type`, in older scenes under `light`. */
import { SHADOW_MAP_PIXELS, SHADOW_REACH_M } from "./limits.ts";
import { type Bag, bag, color, flag, oneOf, within } from "./values.ts";

type Reader = (value: unknown) => unknown;

const types = ["ambient", "directional", "hemisphere", "point", "spot"] as const;
const amount: Reader = (value) => within(value, 0, 10_000);
const pixels: Reader = (value) => within(value, 64, 4_096);

const everywhere: Readonly<Record<string, Reader>> = { color, intensity: amount };

const shadows: Readonly<Record<string, Reader>> = {
  castShadow: flag,
  shadowBias: (value) => within(value, -1, 1),
  shadowCameraFar: amount,
  shadowCameraNear: amount,
  shadowMapHeight: pixels,
  shadowMapWidth: pixels,
  shadowRadius: amount,
};

const special: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  directional: shadows,
  hemisphere: { groundColor: color },
  point: { decay: amount, distance: amount, ...shadows },
  spot: { angle: (value) => within(value, 0, 90), decay: amount, distance: amount, penumbra: amount, ...shadows },
};

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
export function lightSettings(attributes: Bag): Bag {
  const source = { ...attributes, ...bag(attributes.light) };
  const type = oneOf(source.type, types) ?? "directional";
  const settings: Record<string, unknown> = { type };
  for (const [key, read] of Object.entries({ ...everywhere, ...special[type] })) {
    const value = read(source[key]);
    if (value !== undefined) settings[key] = value;
  }
  return type === "directional" && settings.castShadow === true ? { ...room, ...settings } : settings;
}
