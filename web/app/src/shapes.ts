/** What the edit mode can add, and how it stands on the floor. */
import type { Attributes } from "@stoa/client";

/** One thing to add. */
export interface Shape {
  readonly label: string;
  readonly attributes: Attributes;
  /** How high its middle is above the floor, in metres. */
  readonly heightM: number;
}

const material = { color: "#4f7cac" };

/** In the order of the panel. */
export const shapes: readonly Shape[] = [
  { label: "Box", heightM: 0.25, attributes: { object_type: "box", width: 0.5, height: 0.5, depth: 0.5, material } },
  { label: "Sphere", heightM: 0.3, attributes: { object_type: "sphere", radius: 0.3, material } },
  { label: "Cylinder", heightM: 0.3, attributes: { object_type: "cylinder", radius: 0.25, height: 0.6, material } },
  {
    label: "Cone",
    heightM: 0.3,
    attributes: { object_type: "cone", radiusBottom: 0.3, radiusTop: 0.01, height: 0.6, material },
  },
  { label: "Torus", heightM: 0.4, attributes: { object_type: "torus", radius: 0.3, radiusTubular: 0.05, material } },
  {
    label: "Plane",
    heightM: 0.5,
    attributes: { object_type: "plane", width: 1, height: 1, material: { ...material, side: "double" } },
  },
  {
    label: "Text",
    heightM: 1.5,
    attributes: { object_type: "text", value: "Hello", color: "#1f2933", align: "center", width: 4 },
  },
  { label: "Light", heightM: 2.2, attributes: { object_type: "light", type: "point", color: "#ffe2b0", intensity: 4 } },
];

/** A new id for something of this kind, unlikely to be anybody else's. */
export function newId(objectType: unknown, random: () => number = Math.random): string {
  const tail = Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, "0");
  return `${typeof objectType === "string" ? objectType : "object"}-${tail}`;
}
