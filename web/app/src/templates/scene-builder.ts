/** Builds the objects of a template scene, with readable ids. Metres and degrees; y is up, and people look along -z. */
import type { Attributes } from "@stoa/client";
import { hintOf } from "../scene/board-hint.ts";

/** A position in metres. */
export type Point = readonly [x: number, y: number, z: number];

/** One object in the format of an export. */
export interface ExportedObject {
  readonly object_id: string;
  readonly type: string;
  readonly attributes: Attributes;
}

/** Appearance and rotation of an object. */
export interface ObjectStyle {
  readonly color: string;
  /** Rotation about the y axis, in degrees. */
  readonly turned?: number;
  readonly roughness?: number;
  readonly metalness?: number;
  /** Casts no shadow and has no thickness to speak of: floors, rugs. */
  readonly flat?: boolean;
  readonly more?: Attributes;
}

/** Sky and light of a scene. */
export interface Sky {
  readonly sky: string;
  readonly horizon: string;
  readonly ground: string;
  readonly sun: string;
}

/** Collects the objects of a scene. */
export class SceneBuilder {
  readonly objects: ExportedObject[] = [];

  add(id: string, type: string, attributes: Attributes): void {
    this.objects.push({ object_id: id, type, attributes });
  }

  /** Adds the sky, soft ambient light that shows shapes, and a light that casts shadows. */
  light({ sky, horizon, ground, sun }: Sky): void {
    this.add("scene-options", "scene-options", {
      "env-presets": {
        active: true,
        preset: "none",
        skyType: "gradient",
        skyColor: sky,
        horizonColor: horizon,
        ground: "none",
        lighting: "none",
        fog: 0,
        dressing: "none",
      },
      "scene-options": { clickableOnlyEvents: true, originMarker: false },
    });
    this.#lamp("light-sky", [0, 6, 0], { type: "hemisphere", color: "#eaf1fb", groundColor: ground, intensity: 1.9 });
    this.#lamp("light-sun", [5, 10, 6], { type: "directional", color: sun, intensity: 1.8, castShadow: true });
  }

  #lamp(id: string, at: Point, attributes: Attributes): void {
    this.add(id, "object", { object_type: "light", ...standing(at), ...attributes });
  }

  /** Adds a point light. */
  bulb(id: string, at: Point, color: string): void {
    this.#lamp(id, at, { type: "point", color, intensity: 5, distance: 9, decay: 1.6 });
  }

  box(id: string, at: Point, [width, height, depth]: Point, style: ObjectStyle): void {
    this.add(id, "object", { object_type: "box", ...standing(at, style), width, height, depth, ...looking(style) });
  }

  /** Adds a box with rounded edges. */
  soft(id: string, at: Point, [width, height, depth]: Point, style: ObjectStyle): void {
    const radius = Math.min(0.06, width / 3, height / 3, depth / 3);
    const size = { width, height, depth, radius, radiusSegments: 4 };
    this.add(id, "object", { object_type: "roundedbox", ...standing(at, style), ...size, ...looking(style) });
  }

  column(id: string, at: Point, [radius, height]: readonly [number, number], style: ObjectStyle): void {
    const size = { radius, height, segmentsRadial: 40 };
    this.add(id, "object", { object_type: "cylinder", ...standing(at, style), ...size, ...looking(style) });
  }

  /** Adds a flat ring on the floor. */
  ring(id: string, at: Point, [radiusInner, radiusOuter]: readonly [number, number], color: string): void {
    this.add(id, "object", {
      object_type: "ring",
      ...standing(at),
      rotation: { x: -Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 },
      radiusInner,
      radiusOuter,
      segmentsTheta: 72,
      ...looking({ color, flat: true }),
    });
  }

  write(id: string, at: Point, value: string, how: { color: string; width: number; turned?: number }): void {
    const { color, width } = how;
    const style = { align: "center", font: "roboto", side: "front" };
    this.add(id, "object", { object_type: "text", ...standing(at, how), value, color, width, ...style });
  }

  /**
   * Adds the hint text in the middle of an empty board. It asks for a picture, and is removed once the board shows one.
   */
  hint(board: string, value: string, how: { color: string; width: number; before: number }): void {
    const { color, width, before } = how;
    const style = { align: "center", font: "roboto", side: "front" };
    this.#part(hintOf(board), board, [0, 0, before], { object_type: "text", value, color, width, ...style });
  }

  /** Adds a small tree in a pot. */
  plant(id: string, [x, y, z]: Point): void {
    const pot = { object_type: "cone", radiusBottom: 0.2, radiusTop: 0.28, height: 0.45 };
    this.add(id, "object", { ...pot, ...standing([x, y + 0.225, z]), ...looking({ color: "#a65a43" }) });
    const leaves: readonly (readonly [string, Point, number, string])[] = [
      ["low", [0, 0.5, 0], 0.38, "#4f7f56"],
      ["high", [0.08, 0.95, -0.04], 0.27, "#6a9a5f"],
    ];
    for (const [part, [dx, dy, dz], radius, color] of leaves)
      this.add(`${id}-${part}`, "object", {
        object_type: "icosahedron",
        radius,
        detail: 1,
        ...standing([dx, dy, dz]),
        ...looking({ color, more: { flatShading: true } }),
        parent: id,
      });
  }

  /** Adds a chair that faces -z, rotated by `turned` degrees. A press on the chair seats the user. */
  chair(id: string, at: Point, { color, turned = 0 }: ObjectStyle): void {
    const [x, y, z] = at;
    const seat = { seat: { offsetPosition: { x: 0, y: 0.03, z: 0 }, facing: 0 } };
    this.soft(id, [x, y + 0.45, z], [0.48, 0.07, 0.46], { color, turned, roughness: 0.85 });
    const made = this.objects.at(-1);
    if (made !== undefined)
      this.objects[this.objects.length - 1] = { ...made, attributes: { ...made.attributes, ...seat } };
    const steel = "#8b8f96";
    const back = { object_type: "roundedbox", width: 0.48, height: 0.44, depth: 0.05, radius: 0.02, radiusSegments: 4 };
    this.#part(`${id}-back`, id, [0, 0.27, 0.21], { ...back, ...looking({ color }) });
    const leg = { object_type: "cylinder", radius: 0.035, height: 0.42, segmentsRadial: 16 };
    this.#part(`${id}-leg`, id, [0, -0.24, 0], { ...leg, ...looking({ color: steel }) });
    const foot = { object_type: "cylinder", radius: 0.2, height: 0.03, segmentsRadial: 32 };
    this.#part(`${id}-foot`, id, [0, -0.435, 0], { ...foot, ...looking({ color: steel }) });
  }

  #part(id: string, parent: string, at: Point, attributes: Attributes): void {
    this.add(id, "object", { ...standing(at), ...attributes, parent });
  }

  /** Adds a landmark; `start` also makes it a starting position. */
  place(id: string, at: Point, how: { label: string; start?: boolean; turned?: number; around?: number }): void {
    const { label, start = false, around = 0 } = how;
    this.add(id, "object", {
      object_type: "entity",
      ...standing(at, how),
      landmark: {
        label,
        startingPosition: start,
        randomRadiusMin: 0,
        randomRadiusMax: around,
        lookAtLandmark: false,
        offsetPosition: { x: 0, y: 1.6, z: 0 },
      },
    });
  }
}

function standing([x, y, z]: Point, { turned = 0 }: { readonly turned?: number } = {}): Attributes {
  const half = (turned * Math.PI) / 360;
  const rotation = { x: 0, y: round(Math.sin(half)), z: 0, w: round(Math.cos(half)) };
  return { position: { x: round(x), y: round(y), z: round(z) }, rotation };
}

function looking({ color, roughness = 0.8, metalness = 0, flat = false, more = {} }: ObjectStyle): Attributes {
  return { material: { color, roughness, metalness, ...more }, shadow: { cast: !flat, receive: true } };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000 || 0;
}
