/** Presets of the surroundings with a few of their colours, for pages that offer a choice. Pure. */
import { surroundingsOf } from "./environment.ts";
import { PRESETS } from "./environment-presets.ts";
import { AIR, sunHeight } from "./sky-dome.ts";

/** CSS colours from top to bottom. */
export interface Swatch {
  readonly preset: string;
  readonly sky: string;
  readonly horizon: string;
  readonly ground: string;
}

/** A swatch for each preset, in the order of {@link PRESETS}. */
export function swatches(): readonly Swatch[] {
  return Object.keys(PRESETS).map(swatchOf);
}

/** The swatch of a preset; an unknown name gives the plain sky. */
export function swatchOf(preset: string): Swatch {
  const surroundings = surroundingsOf({ preset });
  const ground = surroundings.ground.color;
  if (surroundings.skyType !== "atmosphere")
    return { preset, sky: surroundings.sky, horizon: surroundings.horizon, ground };
  // Takes the nearest entry instead of interpolating, which is enough for a small picture.
  const height = sunHeight(surroundings);
  const [first] = AIR;
  const air = AIR.reduce<(typeof AIR)[number]>(
    (best, one) => (Math.abs(one[0] - height) < Math.abs(best[0] - height) ? one : best),
    first,
  );
  return { preset, sky: air[1], horizon: air[2], ground };
}
