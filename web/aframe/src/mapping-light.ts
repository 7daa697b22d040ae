/** The light object: its settings stand beside `object_type`, in older scenes under `light`. */
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

/** The settings of `light`; without a type it is A-Frame's default, directional. */
export function lightSettings(attributes: Bag): Bag {
  const source = { ...attributes, ...bag(attributes.light) };
  const type = oneOf(source.type, types) ?? "directional";
  const settings: Record<string, unknown> = { type };
  for (const [key, read] of Object.entries({ ...everywhere, ...special[type] })) {
    const value = read(source[key]);
    if (value !== undefined) settings[key] = value;
  }
  return settings;
}
