/** Maps `spe-particles` (sparks, smoke, snow) to the settings of `stoa-particles`. */
import { groups } from "@stoa/client/generated";
import { RAMP_KEYS_MAX } from "../limits.ts";
import { bag, color, finite, type JsonObject, type Xyz, xyz } from "../values.ts";
import { defaultsOf, read, readersOf } from "./attribute-readers.ts";

const readers = readersOf("spe-particles", groups["spe-particles"], {
  angle: numbers,
  angleSpread: numbers,
  color: (value) => listOf(value, color),
  colorSpread: (value) => listOf(value, (one) => xyz(one)),
  opacity: numbers,
  opacitySpread: numbers,
  size: numbers,
  sizeSpread: numbers,
});
const defaults = defaultsOf(groups["spe-particles"], Object.keys(readers));

/** Settings of `stoa-particles`: metres, seconds and radians. Lists are ramps over a particle's lifetime. */
export interface ParticleSettings {
  readonly acceleration: Xyz;
  readonly accelerationDistribution: string;
  readonly accelerationSpread: Xyz;
  readonly activeMultiplier: number;
  readonly affectedByFog: boolean;
  readonly alphaTest: number;
  readonly angle: readonly number[];
  readonly angleSpread: readonly number[];
  readonly blending: string;
  readonly color: readonly string[];
  readonly colorSpread: readonly Xyz[];
  readonly depthTest: boolean;
  readonly depthWrite: boolean;
  readonly direction: string;
  readonly distribution: string;
  readonly drag: number;
  readonly dragSpread: number;
  readonly duration: number;
  readonly emitterScale: number;
  readonly enabled: boolean;
  readonly frustumCulled: boolean;
  readonly hasPerspective: boolean;
  readonly maxAge: number;
  readonly maxAgeSpread: number;
  readonly opacity: readonly number[];
  readonly opacitySpread: readonly number[];
  readonly particleCount: number;
  readonly positionDistribution: string;
  readonly positionOffset: Xyz;
  readonly positionSpread: Xyz;
  readonly radius: number;
  readonly radiusScale: Xyz;
  readonly randomizeAcceleration: boolean;
  readonly randomizeAngle: boolean;
  readonly randomizeColor: boolean;
  readonly randomizeDrag: boolean;
  readonly randomizeOpacity: boolean;
  readonly randomizePosition: boolean;
  readonly randomizeSize: boolean;
  readonly randomizeVelocity: boolean;
  readonly size: readonly number[];
  readonly sizeSpread: readonly number[];
  readonly texture: string;
  readonly textureFrameCount: number;
  readonly textureFrameLoop: number;
  readonly textureFrames: { readonly x: number; readonly y: number };
  readonly useTransparency: boolean;
  readonly velocity: Xyz;
  readonly velocityDistribution: string;
  readonly velocitySpread: Xyz;
  readonly wiggle: number;
  readonly wiggleSpread: number;
}

/** The settings of `stoa-particles`. */
export function particleSettings(value: unknown, base: string): JsonObject | undefined {
  const group = bag(value);
  return group && { particles: { ...defaults, color: ["#ffffff"], ...read(readers, group, base) } };
}

function numbers(value: unknown): readonly number[] | undefined {
  return listOf(value, finite);
}

/** A list, or one value for the whole lifetime; `undefined` without a valid element. */
function listOf<T>(value: unknown, reader: (one: unknown) => T | undefined): readonly T[] | undefined {
  const all: readonly unknown[] = Array.isArray(value) ? value.slice(0, RAMP_KEYS_MAX) : [value];
  const found = all.map(reader).filter((one) => one !== undefined);
  return found.length === 0 ? undefined : found;
}
