/** The surroundings that have a name, by a few of their colours: for pages that let people choose one. Pure. */
import { surroundingsOf } from "./environment.ts";
import { PRESETS } from "./environment-presets.ts";
import { AIR, sunHeight } from "./sky-dome.ts";

/** Colours from above to below, as CSS has them. */
export interface Swatch {
  readonly preset: string;
  readonly sky: string;
  readonly horizon: string;
  readonly ground: string;
}

/** One for each preset, in the order of their names. */
export function swatches(): readonly Swatch[] {
  return Object.keys(PRESETS).map(swatchOf);
}

/** Of a name that is no preset: the plain sky. */
export function swatchOf(preset: string): Swatch {
  const surroundings = surroundingsOf({ preset });
  const ground = surroundings.ground.color;
  if (surroundings.skyType !== "atmosphere")
    return { preset, sky: surroundings.sky, horizon: surroundings.horizon, ground };
  // Air is mixed between two heights of the sun; for a picture this small the nearer one will do.
  const height = sunHeight(surroundings);
  const [first] = AIR;
  const air = AIR.reduce<(typeof AIR)[number]>(
    (best, one) => (Math.abs(one[0] - height) < Math.abs(best[0] - height) ? one : best),
    first,
  );
  return { preset, sky: air[1], horizon: air[2], ground };
}
