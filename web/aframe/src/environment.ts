/** What `env-presets` means here: a sky, a ground, fog. Pure. The colours per preset are our own; A-Frame's environment package isn't used. */
import { groups } from "@stoa/client/generated";
import { read, readersOf } from "./readers.ts";
import { bag } from "./values.ts";

const readers = readersOf("env-presets", groups["env-presets"]);

/** The surroundings of a scene. */
export interface Surroundings {
  readonly sky: string;
  readonly horizon: string;
  /** Empty: no ground. */
  readonly ground: string;
  /** 0 (none) to 1. */
  readonly fog: number;
}

type Colours = readonly [sky: string, horizon: string, ground: string];

/** Where a scene says nothing. */
export const PLAIN: Surroundings = { sky: "#8fb8de", horizon: "#e6eef5", ground: "", fog: 0 };

const presets: Readonly<Record<string, Colours>> = {
  arches: ["#9ec5e8", "#f6e7d2", "#c8a97e"],
  checkerboard: ["#b9c6d2", "#eef2f5", "#8a949e"],
  contact: ["#2a1b3d", "#7a4f6d", "#4a3b52"],
  default: ["#88c9e8", "#eaf6fb", "#8a7350"],
  dream: ["#f7b7d2", "#fde9d9", "#b79ad0"],
  egypt: ["#e9c46a", "#f7e6bd", "#c49a4a"],
  forest: ["#7fb7a8", "#dcebd8", "#4f6b3a"],
  goaland: ["#9bd0f5", "#f2f7dd", "#7fa14a"],
  goldmine: ["#3b2f1e", "#6e552d", "#55401f"],
  japan: ["#f3c6cf", "#fdf0ee", "#7d9b62"],
  osiris: ["#e59a53", "#f8dfb8", "#9c6b3c"],
  poison: ["#21301c", "#53703a", "#3c5030"],
  starry: ["#0b1026", "#27305a", "#1d2233"],
  threetowers: ["#5aa9c9", "#d8ecf0", "#5d7a6a"],
  tron: ["#050d1a", "#0d2b45", "#08131f"],
  volcano: ["#3a1717", "#8a3a1e", "#40241f"],
  yavapai: ["#89b6d6", "#f1d8bd", "#a5623c"],
};

/** The surroundings that `env-presets` asks for. */
export function surroundingsOf(attributes: unknown): Surroundings {
  const group = bag(attributes);
  if (!group) return PLAIN;
  // None of these is an address.
  const { active, fog, ground, groundColor, horizonColor, skyColor, skyType } = read(readers, group, "");
  if (active === false) return PLAIN;
  const colours = coloursOf(group.preset ?? groups["env-presets"].attributes.preset?.default);
  const sky = String(skyColor ?? colours[0]);
  return {
    sky: skyType === "none" ? "#000000" : sky,
    horizon: skyType === "none" ? "#000000" : skyType === "color" ? sky : String(horizonColor ?? colours[1]),
    ground: ground === "none" ? "" : String(groundColor ?? colours[2]),
    fog: typeof fog === "number" ? fog : 0,
  };
}

function coloursOf(preset: unknown): Colours {
  const fallback: Colours = [PLAIN.sky, PLAIN.horizon, ""];
  return (typeof preset === "string" && Object.hasOwn(presets, preset) ? presets[preset] : undefined) ?? fallback;
}
