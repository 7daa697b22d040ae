/** Effects over the whole picture: `post-processing` of a scene's options. */
import { groups } from "@stoa/client/generated";
import { type Bag, bag } from "../values.ts";
import { defaultsOf, read, readersOf } from "./attribute-readers.ts";

/** In the order in which they are laid over the picture. */
const EFFECTS = ["ssao", "sao", "pixel", "bloom", "glitch", "smaa", "fxaa"] as const;

/** An effect's name. */
export type EffectName = (typeof EFFECTS)[number];

/** One effect with its settings. */
export interface Effect {
  readonly name: EffectName;
  readonly settings: Bag;
}

const readers = new Map(EFFECTS.map((name) => [name, readersOf(name, groups[name])]));

/** The effects that a scene asks for. */
export function effectsOf(value: unknown): readonly Effect[] {
  const all = bag(value) ?? {};
  return EFFECTS.flatMap((name) => {
    const asked = all[name];
    // ARENA's scenes say `{}` or an empty text for an effect as it is.
    const own = asked === true || asked === "" ? {} : bag(asked);
    if (!own) return [];
    const shown = readers.get(name) ?? {};
    return [{ name, settings: { ...defaultsOf(groups[name], Object.keys(shown)), ...read(shown, own, "") } }];
  });
}

const rendererReaders = readersOf("renderer-settings", groups["renderer-settings"]);

/** What a scene asks of what draws it. */
export function rendererSettings(value: unknown): Bag {
  const shown = Object.keys(rendererReaders);
  return { ...defaultsOf(groups["renderer-settings"], shown), ...read(rendererReaders, bag(value) ?? {}, "") };
}
