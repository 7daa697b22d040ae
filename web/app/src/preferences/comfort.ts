/** Parses the user's comfort settings, as stored in this browser. Pure functions. */
import { COMFORT, type Comfort } from "@stoa/aframe/comfort";

/** The selectable values. */
export const SPEEDS = [1.5, 3, 5] as const;
export const ANGLES = [15, 30, 45, 90] as const;
export const VIGNETTES = [0, 0.6, 1] as const;
/** Raises of the eyes for seated users, in metres. */
export const RAISES = [0, 0.2, 0.4, 0.6] as const;

/** Parses stored settings. Any value that isn't selectable gives the default. */
export function comfortOf(text: string): Comfort {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return COMFORT;
  }
  if (typeof stored !== "object" || stored === null) return COMFORT;
  const chosen = (key: keyof Comfort, choices: readonly number[], usual: number): number => {
    const value: unknown = Reflect.get(stored, key);
    return choices.find((choice) => choice === value) ?? usual;
  };
  return {
    speed: chosen("speed", SPEEDS, COMFORT.speed),
    turn: Reflect.get(stored, "turn") === "smooth" ? "smooth" : "snap",
    angle: chosen("angle", ANGLES, COMFORT.angle),
    vignette: chosen("vignette", VIGNETTES, COMFORT.vignette),
    raise: chosen("raise", RAISES, COMFORT.raise),
    jump: Reflect.get(stored, "jump") === true,
    letterKeys: Reflect.get(stored, "letterKeys") !== false,
  };
}
