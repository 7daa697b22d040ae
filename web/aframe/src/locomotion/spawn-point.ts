/** Selects the user's start pose: at the landmark in the URL, at a starting position, or near the origin. Pure. */
import type { Person, Pose, SceneObject } from "@stoa/client";
import {
  ARRIVAL_AREA_M,
  ARRIVAL_GROWTH_M,
  ARRIVAL_ROOM_M,
  ARRIVAL_TRIES,
  ARRIVAL_TRIES_PLAIN,
  EYE_HEIGHT_M,
} from "../limits.ts";
import { bag, flag, type Xyz } from "../values.ts";
import { isSpread, landmarkNamed, placeAt, type SpawnPose } from "./landmarks.ts";
import { sceneTransformOf, yawOf } from "./scene-transform.ts";

export type { SpawnPose } from "./landmarks.ts";

/** The options of {@link startPlace}. */
export interface StartPoseQuery {
  /** Returns 0 to 1. */
  readonly random: () => number;
  /** Name or object id of the wanted landmark; default: a starting position. */
  readonly landmark?: string;
  /** Eye positions of the people already there. */
  readonly others?: Iterable<Xyz>;
}

/** The start pose in a scene without a starting position: facing the origin. */
const DEFAULT_START: SpawnPose = { position: { x: 0, y: 0, z: 3.75 }, yawRad: 0 };

/**
 * A start pose at the wanted landmark, else at a random starting position, else at {@link DEFAULT_START}. The pose
 * keeps clear of other people if it can. A landmark without a transform in the scene doesn't count.
 */
export function startPlace(
  objects: Iterable<SceneObject>,
  { random, landmark = "", others = [] }: StartPoseQuery,
): SpawnPose {
  const all = new Map([...objects].map((object) => [object.objectId, object]));
  const placeable = [...all.values()].filter((object) => sceneTransformOf(object, all) !== null);
  const named = landmark === "" ? undefined : landmarkNamed(placeable, landmark);
  const starts = placeable.filter(({ attributes }) => flag(bag(attributes.landmark)?.startingPosition) === true);
  const chosen = named ?? starts[Math.floor(random() * starts.length)];
  const place = chosen && sceneTransformOf(chosen, all);
  if (!chosen || !place) return mostRoom((tried) => scattered(DEFAULT_START, areaM(tried), random), others);
  const { attributes } = chosen;
  // The first candidates at a landmark with its own random spread use that spread alone; later ones add a growing area.
  const ownM = isSpread(attributes) ? ARRIVAL_AREA_M : 0;
  return mostRoom((tried) => {
    const pose = placeAt(attributes, place.position, yawOf(place.turned), random);
    // The first candidate is the landmark's own pose, the intended viewpoint. It applies if no other people are near.
    return tried === 0 ? pose : scattered(pose, areaM(tried) - ownM, random);
  }, others);
}

/** The known eye positions of people. */
export function eyesOf(people: Iterable<Person>): readonly Xyz[] {
  return [...people].flatMap(({ pose }) => {
    if (pose === undefined) return [];
    const [x, y, z] = pose.position;
    return [{ x, y, z }];
  });
}

/** The head pose of a user at a spawn pose, for the first message. */
export function firstPose({ position: { x, y, z }, yawRad }: SpawnPose): Pose {
  return { position: [x, y + EYE_HEIGHT_M, z], rotation: [0, Math.sin(yawRad / 2), 0, Math.cos(yawRad / 2)] };
}

/** The first candidate far enough from all other people, else the candidate farthest from them. */
function mostRoom(tryPlace: (tried: number) => SpawnPose, others: Iterable<Xyz>): SpawnPose {
  const taken = [...others];
  let best = tryPlace(0);
  let room = roomAt(best, taken);
  for (let tried = 1; tried < ARRIVAL_TRIES && room < ARRIVAL_ROOM_M; tried += 1) {
    const place = tryPlace(tried);
    const found = roomAt(place, taken);
    if (found > room) [best, room] = [place, found];
  }
  return best;
}

/** Horizontal distance to the nearest person on any floor: eye heights vary with sitting, flying and children. */
function roomAt({ position }: SpawnPose, taken: readonly Xyz[]): number {
  return Math.min(...taken.map(({ x, z }) => Math.hypot(x - position.x, z - position.z)));
}

function areaM(tried: number): number {
  return ARRIVAL_AREA_M + Math.max(0, tried - ARRIVAL_TRIES_PLAIN) * ARRIVAL_GROWTH_M;
}

/** A random position on the disc around a pose, with the same heading. */
function scattered(place: SpawnPose, radiusM: number, random: () => number): SpawnPose {
  if (radiusM <= 0) return place;
  const awayM = radiusM * Math.sqrt(random());
  const angleRad = 2 * Math.PI * random();
  const { x, y, z } = place.position;
  return { ...place, position: { x: x + awayM * Math.cos(angleRad), y, z: z + awayM * Math.sin(angleRad) } };
}
