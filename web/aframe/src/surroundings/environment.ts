/** Parses `env-presets`: sky, light, fog, ground and dressing. Pure. */
import { groups } from "@stoa/client/generated";
import { defaultsOf, read, readersOf } from "../mapping/attribute-readers.ts";
import { bag, finite, flag, type JsonObject, text, type Xyz, xyz } from "../values.ts";
import { BETWEEN, PRESETS } from "./environment-presets.ts";

const readers = readersOf("env-presets", groups["env-presets"]);
const defaults = defaultsOf(groups["env-presets"], Object.keys(readers));

/** The ground. */
export interface Ground {
  readonly shape: string;
  readonly texture: string;
  readonly color: string;
  readonly color2: string;
  /** Vertices along each side. */
  readonly density: number;
  /** Noise cells along each side: more cells give narrower hills. */
  readonly frequency: number;
  readonly heightM: number;
  readonly scale: Xyz;
  readonly grid: string;
  readonly gridColor: string;
}

/** The dressing: decorative shapes such as trees, drawn as instances. */
export interface Dressing {
  readonly kind: string;
  readonly amount: number;
  readonly color: string;
  readonly scale: number;
  readonly variance: Xyz;
  readonly uniform: boolean;
  /** The share of instances near the centre. */
  readonly onPlayArea: number;
}

/** The surroundings of a scene. */
export interface Surroundings {
  readonly skyType: string;
  readonly sky: string;
  readonly horizon: string;
  readonly lighting: string;
  readonly light: Xyz;
  /** 0 (none) to 1. */
  readonly fog: number;
  readonly flatShading: boolean;
  readonly playArea: number;
  readonly stageM: number;
  readonly seed: number;
  readonly hideInAr: boolean;
  readonly ground: Ground;
  readonly dressing: Dressing;
}

/** Values for a scene without a known preset: a sky, and A-Frame's default light. */
const NOTHING: JsonObject = {
  skyType: "gradient",
  skyColor: "#8fb8de",
  horizonColor: "#e6eef5",
  ground: "none",
  lighting: "none",
  stageSize: 400,
  groundColor: "#e6eef5",
};

/** The surroundings of a scene whose `env-presets` is missing or inactive. */
export const PLAIN: Surroundings = surroundingsFrom({ ...defaults, ...NOTHING });

/** The surroundings that `env-presets` describes. */
export function surroundingsOf(attributes: unknown): Surroundings {
  const group = bag(attributes);
  if (!group) return PLAIN;
  // No attribute is a URL, so the base is empty.
  const own = read(readers, group, "");
  if (own.active === false) return PLAIN;
  const preset = presetOf(group.preset ?? defaults.preset);
  return surroundingsFrom({ ...defaults, ...(preset ? { ...BETWEEN, ...preset } : NOTHING), ...own });
}

function presetOf(name: unknown): JsonObject | undefined {
  return typeof name === "string" && Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
}

function surroundingsFrom(all: JsonObject): Surroundings {
  const word = (key: string): string => text(all[key]) ?? "";
  const number = (key: string): number => finite(all[key]) ?? 0;
  const place = (key: string): Xyz => xyz(all[key]) ?? { x: 0, y: 0, z: 0 };
  return {
    skyType: word("skyType"),
    sky: word("skyColor"),
    horizon: word("horizonColor"),
    lighting: word("lighting"),
    light: place("lightPosition"),
    fog: number("fog"),
    flatShading: flag(all.flatShading) === true,
    playArea: number("playArea"),
    stageM: number("stageSize"),
    seed: number("seed"),
    hideInAr: flag(all.hideInAR) !== false,
    ground: {
      shape: word("ground"),
      texture: word("groundTexture"),
      color: word("groundColor"),
      color2: word("groundColor2"),
      density: number("groundDensity"),
      frequency: number("groundFrequency"),
      heightM: number("groundYScale"),
      scale: place("groundScale"),
      grid: word("grid"),
      gridColor: word("gridColor"),
    },
    dressing: {
      kind: word("dressing"),
      amount: number("dressingAmount"),
      color: word("dressingColor"),
      scale: number("dressingScale"),
      variance: place("dressingVariance"),
      uniform: flag(all.dressingUniformScale) !== false,
      onPlayArea: number("dressingOnPlayArea"),
    },
  };
}
