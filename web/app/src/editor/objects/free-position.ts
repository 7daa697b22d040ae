/** Finds a free position for a new object. Pure functions. */
import type { Body } from "@stoa/aframe";
import type { Attributes } from "@stoa/client";
import type { ScenePoint } from "../../scene/stage.ts";
import { FREE_PLACE_APART_M, FREE_PLACE_REACH_M, FREE_PLACE_STEP_M, ROOM_SIDE_M, UNKNOWN_SIDE_M } from "../limits.ts";
import { numbersOf } from "./object-fields.ts";

/** The body to place and the direction of view. */
export interface PlacementQuery {
  /** The wanted position on the floor. */
  readonly wanted: ScenePoint;
  /** Bounds relative to the position. */
  readonly body: Body;
  /** Direction of view along the floor, a unit vector. */
  readonly ahead: { readonly x: number; readonly z: number };
}

/**
 * The free position nearest to the wanted one: beside or behind it, never nearer to the viewer. Returns the wanted
 * position if none is free.
 */
export function freePosition({ wanted, body, ahead }: PlacementQuery, others: readonly Body[]): ScenePoint {
  const inTheWay = others.filter((other) => !isRoom(other));
  const isFree = (at: ScenePoint): boolean => !inTheWay.some((other) => meet(movedTo(body, at), other));
  const steps = Math.round(FREE_PLACE_REACH_M / FREE_PLACE_STEP_M);
  const spots: { readonly aside: number; readonly further: number }[] = [];
  for (let further = 0; further <= steps; further += 1)
    for (let aside = -steps; aside <= steps; aside += 1) spots.push({ aside, further });
  // At the same distance, the order is right, left, behind.
  spots.sort(
    (a, b) =>
      Math.hypot(a.aside, a.further) - Math.hypot(b.aside, b.further) || a.further - b.further || b.aside - a.aside,
  );
  const at = ({ aside, further }: { aside: number; further: number }): ScenePoint => {
    const [side, on] = [aside * FREE_PLACE_STEP_M, further * FREE_PLACE_STEP_M];
    return {
      x: round(wanted.x - ahead.z * side + ahead.x * on),
      y: wanted.y,
      z: round(wanted.z + ahead.x * side + ahead.z * on),
    };
  };
  return spots.map(at).find(isFree) ?? wanted;
}

/** Whether an object is as large as a room: new objects may be put into it. */
function isRoom({ min, max }: Body): boolean {
  return max.x - min.x > ROOM_SIDE_M && max.z - min.z > ROOM_SIDE_M;
}

function movedTo({ min, max }: Body, { x, y, z }: ScenePoint): Body {
  return {
    min: { x: min.x + x, y: min.y + y, z: min.z + z },
    max: { x: max.x + x, y: max.y + y, z: max.z + z },
  };
}

/** Whether two bodies intersect or nearly touch sideways. An object on top of another doesn't intersect it. */
function meet(a: Body, b: Body): boolean {
  const apart = FREE_PLACE_APART_M;
  const along = (axis: "x" | "z"): boolean => a.min[axis] - apart < b.max[axis] && b.min[axis] - apart < a.max[axis];
  return along("x") && along("z") && a.min.y + apart < b.max.y && b.min.y + apart < a.max.y;
}

/** Bounds of a new object relative to its position on the floor, as far as its attributes define them. */
export function bodyOf(attributes: Attributes, heightM: number): Body {
  const number = (...keys: readonly string[]): number | undefined =>
    keys.map((key) => attributes[key]).find((value): value is number => typeof value === "number" && value > 0);
  const radius = number("radius", "radiusBottom", "radiusOuter");
  const across = radius === undefined ? undefined : 2 * radius;
  const scale = numbersOf(attributes, "scale");
  // A text's `width` is that of its lines, not of the drawn text.
  const isText = attributes.object_type === "text";
  const width = ((isText ? undefined : number("width")) ?? across ?? UNKNOWN_SIDE_M) * scale.x;
  const height = (number("height") ?? across ?? UNKNOWN_SIDE_M) * scale.y;
  const depth = (number("depth") ?? across ?? UNKNOWN_SIDE_M) * scale.z;
  // Height 0 means an unknown centre, as of a model, or none, as of a landmark: the bounds begin at the floor.
  const below = heightM === 0 ? 0 : heightM - height / 2;
  return {
    min: { x: -width / 2, y: below, z: -depth / 2 },
    max: { x: width / 2, y: below + height, z: depth / 2 },
  };
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000 || 0;
}
