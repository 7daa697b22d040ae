/** Where something new stands so that it is in nothing else. Pure. */
import type { Body } from "@stoa/aframe";
import type { Attributes } from "@stoa/client";
import type { ScenePosition } from "../../scene/stage.ts";
import { FREE_PLACE_APART_M, FREE_PLACE_REACH_M, FREE_PLACE_STEP_M, ROOM_SIDE_M, UNKNOWN_SIDE_M } from "../limits.ts";
import { numbersOf } from "./object-fields.ts";

/** What is to be placed, and how it is looked at. */
export interface Wanted {
  /** On the floor. */
  readonly place: ScenePosition;
  /** What it reaches from there. */
  readonly body: Body;
  /** Which way one looks, along the floor; of length 1. */
  readonly ahead: { readonly x: number; readonly z: number };
}

/** The nearest free place to the one that is wanted: beside it or behind, never nearer to the eyes. The wanted one where all is taken. */
export function freePlace({ place, body, ahead }: Wanted, others: readonly Body[]): ScenePosition {
  const inTheWay = others.filter((other) => !isRoom(other));
  const isFree = (at: ScenePosition): boolean => !inTheWay.some((other) => meet(movedTo(body, at), other));
  const steps = Math.round(FREE_PLACE_REACH_M / FREE_PLACE_STEP_M);
  const spots: { readonly aside: number; readonly further: number }[] = [];
  for (let further = 0; further <= steps; further += 1)
    for (let aside = -steps; aside <= steps; aside += 1) spots.push({ aside, further });
  // Of those that are as near, first the one to the right, then to the left, then behind.
  spots.sort(
    (a, b) =>
      Math.hypot(a.aside, a.further) - Math.hypot(b.aside, b.further) || a.further - b.further || b.aside - a.aside,
  );
  const at = ({ aside, further }: { aside: number; further: number }): ScenePosition => {
    const [side, on] = [aside * FREE_PLACE_STEP_M, further * FREE_PLACE_STEP_M];
    return {
      x: round(place.x - ahead.z * side + ahead.x * on),
      y: place.y,
      z: round(place.z + ahead.x * side + ahead.z * on),
    };
  };
  return spots.map(at).find(isFree) ?? place;
}

/** What is as large as a room is one to be in. */
function isRoom({ min, max }: Body): boolean {
  return max.x - min.x > ROOM_SIDE_M && max.z - min.z > ROOM_SIDE_M;
}

function movedTo({ min, max }: Body, { x, y, z }: ScenePosition): Body {
  return {
    min: { x: min.x + x, y: min.y + y, z: min.z + z },
    max: { x: max.x + x, y: max.y + y, z: max.z + z },
  };
}

/** Whether they are in each other, or nearly beside; what stands on something is not in it. */
function meet(a: Body, b: Body): boolean {
  const apart = FREE_PLACE_APART_M;
  const along = (axis: "x" | "z"): boolean => a.min[axis] - apart < b.max[axis] && b.min[axis] - apart < a.max[axis];
  return along("x") && along("z") && a.min.y + apart < b.max.y && b.min.y + apart < a.max.y;
}

/** What a new object reaches from its place on the floor, with its middle so high; as far as its attributes tell. */
export function bodyOf(attributes: Attributes, heightM: number): Body {
  const number = (...keys: readonly string[]): number | undefined =>
    keys.map((key) => attributes[key]).find((value): value is number => typeof value === "number" && value > 0);
  const radius = number("radius", "radiusBottom", "radiusOuter");
  const across = radius === undefined ? undefined : 2 * radius;
  const scale = numbersOf(attributes, "scale");
  // The width of a text is that of its lines, not of what is written there.
  const isText = attributes.object_type === "text";
  const width = ((isText ? undefined : number("width")) ?? across ?? UNKNOWN_SIDE_M) * scale.x;
  const height = (number("height") ?? across ?? UNKNOWN_SIDE_M) * scale.y;
  const depth = (number("depth") ?? across ?? UNKNOWN_SIDE_M) * scale.z;
  // Of a file nobody knows where its middle is: it stands on the floor.
  const below = heightM === 0 ? 0 : heightM - height / 2;
  return {
    min: { x: -width / 2, y: below, z: -depth / 2 },
    max: { x: width / 2, y: below + height, z: depth / 2 },
  };
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000 || 0;
}
