/** Objects that can be added without a file, with the height of their centres above the floor. */
import type { Attributes } from "@stoa/client";
import { DOORWAY } from "../../scene/object-names.ts";
import { texts } from "../../texts/texts.ts";

export interface PaletteEntry {
  readonly label: string;
  readonly attributes: Attributes;
  /** Height of the object's centre above the floor, in metres. */
  readonly heightM: number;
  /** Stem of the object's id; its type if absent. */
  readonly stem?: string;
}

const material = { color: "#4f7cac" };
const words = texts.edit.pieces;

/** Shapes, in the order of the panel. */
export const shapes: readonly PaletteEntry[] = [
  {
    label: words.box,
    heightM: 0.25,
    attributes: { object_type: "box", width: 0.5, height: 0.5, depth: 0.5, material },
  },
  { label: words.sphere, heightM: 0.3, attributes: { object_type: "sphere", radius: 0.3, material } },
  { label: words.cylinder, heightM: 0.3, attributes: { object_type: "cylinder", radius: 0.25, height: 0.6, material } },
  {
    label: words.cone,
    heightM: 0.3,
    attributes: { object_type: "cone", radiusBottom: 0.3, radiusTop: 0.01, height: 0.6, material },
  },
  {
    label: words.torus,
    heightM: 0.4,
    attributes: { object_type: "torus", radius: 0.3, radiusTubular: 0.05, material },
  },
  {
    label: words.plane,
    heightM: 0.5,
    attributes: { object_type: "plane", width: 1, height: 1, material: { ...material, side: "double" } },
  },
];

/** A scene that every account may enter. */
const LOBBY = "public/lobby";

/** The entries of the panel after the shapes, for the given scene. */
export const others = (here: string): readonly PaletteEntry[] => [
  {
    label: words.text,
    heightM: 1.5,
    attributes: { object_type: "text", value: words.hello, color: "#1f2933", align: "center", width: 4 },
  },
  {
    label: words.light,
    heightM: 2.2,
    attributes: { object_type: "light", type: "point", color: "#ffe2b0", intensity: 4 },
  },
  {
    label: words.landmark,
    stem: "place",
    heightM: 0,
    attributes: {
      object_type: "entity",
      landmark: { label: words.landmark, lookAtLandmark: false, randomRadiusMin: 0, randomRadiusMax: 0.5 },
    },
  },
  {
    label: words.link,
    stem: DOORWAY,
    heightM: 1,
    attributes: {
      object_type: "box",
      width: 0.9,
      height: 2,
      depth: 0.05,
      material: { color: "#7ec8b7", opacity: 0.8, transparent: true },
      // A new portal leads to the lobby, and in the lobby itself to no scene yet.
      portal: { scene: here === LOBBY ? "" : LOBBY, landmark: "", radius: 0.6 },
    },
  },
];
