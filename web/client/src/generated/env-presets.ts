// Generated from spec/objects/env-presets.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** The surroundings: sky, ground and decoration. */
export interface EnvPresets {
  /** Whether the surroundings are drawn. Default `true`. */
  readonly active?: boolean;
  /** The decoration. Default `"none"`. */
  readonly dressing?: "apparatus" | "arches" | "cubes" | "cylinders" | "hexagons" | "mushrooms" | "none" | "pyramids" | "stones" | "torii" | "towers" | "trees";
  /** Their number. Range: at least 0. Default `10`. */
  readonly dressingAmount?: number;
  /** Their colour. Default `"#795449"`. */
  readonly dressingColor?: string;
  /** Share of the decoration within the play area. Range: 0 to 1. Default `0`. */
  readonly dressingOnPlayArea?: number;
  /** Their height. In metres. Default `5`. */
  readonly dressingScale?: number;
  /** Whether width and depth go with the height. Default `true`. */
  readonly dressingUniformScale?: boolean;
  /** By how much their sizes differ. Default `{"x":1,"y":1,"z":1}`. */
  readonly dressingVariance?: Vector3;
  /** Whether faces are drawn flat. Default `false`. */
  readonly flatShading?: boolean;
  /** Density of the fog. Range: at least 0. Default `0`. */
  readonly fog?: number;
  /** Pattern of lines on the ground. Default `"none"`. */
  readonly grid?: "1x1" | "2x2" | "crosses" | "dots" | "none" | "xlines" | "ylines";
  /** Colour of those lines. Default `"#ccc"`. */
  readonly gridColor?: string;
  /** Form of the ground. Default `"hills"`. */
  readonly ground?: "canyon" | "flat" | "hills" | "noise" | "none" | "spikes";
  /** Colour of the ground. Default `"#553e35"`. */
  readonly groundColor?: string;
  /** Second colour of the ground. Default `"#694439"`. */
  readonly groundColor2?: string;
  /** Into how many parts the ground is cut each way. Range: at least 1. Default `64`. */
  readonly groundDensity?: number;
  /** Density of the hills. Default `10`. */
  readonly groundFrequency?: number;
  /** Scale of the ground. Default `{"x":1,"y":1,"z":1}`. */
  readonly groundScale?: Vector3;
  /** Pattern of the ground's colours. Default `"none"`. */
  readonly groundTexture?: "checkerboard" | "none" | "squares" | "walkernoise";
  /** Height of hills and valleys. Default `3`. */
  readonly groundYScale?: number;
  /** Whether it is hidden in AR. Default `true`. */
  readonly hideInAR?: boolean;
  /** Colour of the horizon. Default `"#ffa500"`. */
  readonly horizonColor?: string;
  /** Position of that light. Default `{"x":0,"y":1,"z":-0.2}`. */
  readonly lightPosition?: Vector3;
  /** Lights in addition to the scene's own. Default `"distant"`. */
  readonly lighting?: "distant" | "none" | "point";
  /** Radius of the free area around the origin. In metres. Range: at least 0. Default `1`. */
  readonly playArea?: number;
  /** The preset that supplies missing values. Default `"default"`. */
  readonly preset?: "arches" | "checkerboard" | "contact" | "default" | "dream" | "egypt" | "forest" | "goaland" | "goldmine" | "japan" | "none" | "osiris" | "poison" | "starry" | "threetowers" | "tron" | "volcano" | "yavapai";
  /** Number from which all chance is drawn. Default `1`. */
  readonly seed?: number;
  /** Size of the area in which shadows are found. In metres. Range: at least 0. Default `10`. */
  readonly shadowSize?: number;
  /** Colour of the sky. Default `"#ffa500"`. */
  readonly skyColor?: string;
  /** Kind of sky. Default `"color"`. */
  readonly skyType?: "atmosphere" | "color" | "gradient" | "none";
  /** Size of the ground. In metres. Range: at least 0. Default `200`. */
  readonly stageSize?: number;
}

/** The schema's description of each attribute of {@link EnvPresets}. */
export const envPresetsAttributes: Group = {
  attributes: {
    active: { shape: { kind: "boolean" }, default: true, required: true },
    dressing: { shape: { kind: "text", values: ["apparatus", "arches", "cubes", "cylinders", "hexagons", "mushrooms", "none", "pyramids", "stones", "torii", "towers", "trees"] }, default: "none" },
    dressingAmount: { shape: { kind: "integer", minimum: 0 }, default: 10, cap: 1000 },
    dressingColor: { shape: { kind: "text" }, default: "#795449", format: "color" },
    dressingOnPlayArea: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0 },
    dressingScale: { shape: { kind: "number" }, default: 5, cap: 200, unit: "metres" },
    dressingUniformScale: { shape: { kind: "boolean" }, default: true },
    dressingVariance: { shape: { kind: "group", group: vector3Attributes }, default: { x: 1, y: 1, z: 1 } },
    flatShading: { shape: { kind: "boolean" }, default: false },
    fog: { shape: { kind: "number", minimum: 0 }, default: 0, cap: 1 },
    grid: { shape: { kind: "text", values: ["1x1", "2x2", "crosses", "dots", "none", "xlines", "ylines"] }, default: "none" },
    gridColor: { shape: { kind: "text" }, default: "#ccc", format: "color" },
    ground: { shape: { kind: "text", values: ["canyon", "flat", "hills", "noise", "none", "spikes"] }, default: "hills" },
    groundColor: { shape: { kind: "text" }, default: "#553e35", format: "color" },
    groundColor2: { shape: { kind: "text" }, default: "#694439", format: "color" },
    groundDensity: { shape: { kind: "number", minimum: 1 }, default: 64, cap: 256 },
    groundFrequency: { shape: { kind: "number" }, default: 10, cap: 1000 },
    groundScale: { shape: { kind: "group", group: vector3Attributes }, default: { x: 1, y: 1, z: 1 } },
    groundTexture: { shape: { kind: "text", values: ["checkerboard", "none", "squares", "walkernoise"] }, default: "none" },
    groundYScale: { shape: { kind: "number" }, default: 3, cap: 200 },
    hideInAR: { shape: { kind: "boolean" }, default: true },
    horizonColor: { shape: { kind: "text" }, default: "#ffa500", format: "color" },
    lightPosition: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 1, z: -0.2 } },
    lighting: { shape: { kind: "text", values: ["distant", "none", "point"] }, default: "distant" },
    playArea: { shape: { kind: "number", minimum: 0 }, default: 1, cap: 10, unit: "metres" },
    preset: { shape: { kind: "text", values: ["arches", "checkerboard", "contact", "default", "dream", "egypt", "forest", "goaland", "goldmine", "japan", "none", "osiris", "poison", "starry", "threetowers", "tron", "volcano", "yavapai"] }, default: "default", required: true },
    seed: { shape: { kind: "integer" }, default: 1 },
    shadowSize: { shape: { kind: "number", minimum: 0 }, default: 10, unit: "metres" },
    skyColor: { shape: { kind: "text" }, default: "#ffa500", format: "color" },
    skyType: { shape: { kind: "text", values: ["atmosphere", "color", "gradient", "none"] }, default: "color" },
    stageSize: { shape: { kind: "number", minimum: 0 }, default: 200, cap: 900, unit: "metres" },
  },
  prefixes: {
  },
};
