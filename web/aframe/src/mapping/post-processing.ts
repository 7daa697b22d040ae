/** Maps the scene option `post-processing` to effects, and `renderer-settings` to the settings of `stoa-picture`. */
import { groups } from "@stoa/client/generated";
import { bag, type JsonObject } from "../values.ts";
import { defaultsOf, read, readersOf } from "./attribute-readers.ts";

/** The effects, in the order in which they are applied. */
const EFFECTS = ["ssao", "sao", "pixel", "bloom", "glitch", "smaa", "fxaa"] as const;

/** An effect's name. */
export type EffectName = (typeof EFFECTS)[number];

/** An effect with its settings. */
export interface Effect {
  readonly name: EffectName;
  readonly settings: JsonObject;
}

const readers = new Map(EFFECTS.map((name) => [name, readersOf(name, groups[name])]));

/** The effects that a scene enables. */
export function effectsOf(value: unknown): readonly Effect[] {
  const all = bag(value) ?? {};
  return EFFECTS.flatMap((name) => {
    const asked = all[name];
    // ARENA's scenes write `{}` or an empty text for an effect with defaults.
    const own = asked === true || asked === "" ? {} : bag(asked);
    if (!own) return [];
    const shown = readers.get(name) ?? {};
    return [{ name, settings: { ...defaultsOf(groups[name], Object.keys(shown)), ...read(shown, own, "") } }];
  });
}

const rendererReaders = readersOf("renderer-settings", groups["renderer-settings"]);

/** The renderer settings of a scene. */
export function rendererSettings(value: unknown): JsonObject {
  const shown = Object.keys(rendererReaders);
  return { ...defaultsOf(groups["renderer-settings"], shown), ...read(rendererReaders, bag(value) ?? {}, "") };
}
