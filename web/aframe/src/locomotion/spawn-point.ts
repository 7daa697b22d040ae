/** Where one stands at first: at the landmark that the address names, at one that is a starting position, or near the middle. Pure. */
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

/** What one's first place is chosen by. */
export interface Arrival {
  /** Gives 0 to 1. */
  readonly random: () => number;
  /** The name or the id of the landmark that one wants to be at; default: a starting position. */
  readonly landmark?: string;
  /** Where the others' eyes are. */
  readonly others?: Iterable<Xyz>;
}

/** Whoever comes where there is no starting position looks at the middle from here. */
const BEFORE_THE_MIDDLE: SpawnPose = { position: { x: 0, y: 0, z: 3.75 }, yawRad: 0 };

/**
 * The landmark of that name, else one of the starting positions, and a spot around it: not in the body of whoever came before. What hangs on
 * something stands where that carries it; on what isn't there it isn't there either.
 */
export function startPlace(objects: Iterable<SceneObject>, { random, landmark = "", others = [] }: Arrival): SpawnPose {
  const all = new Map([...objects].map((object) => [object.objectId, object]));
  const standing = [...all.values()].filter((object) => sceneTransformOf(object, all) !== null);
  const named = landmark === "" ? undefined : landmarkNamed(standing, landmark);
  const starts = standing.filter(({ attributes }) => flag(bag(attributes.landmark)?.startingPosition) === true);
  const chosen = named ?? starts[Math.floor(random() * starts.length)];
  const place = chosen && sceneTransformOf(chosen, all);
  if (!chosen || !place) return freest((tried) => beside(BEFORE_THE_MIDDLE, areaM(tried), random), others);
  const { attributes } = chosen;
  // A landmark that spreads people itself is asked first; only where it has no room left, they stand around it.
  const ownM = isSpread(attributes) ? ARRIVAL_AREA_M : 0;
  return freest((tried) => {
    const spot = placeAt(attributes, place.position, yawOf(place.turned), random);
    // Whoever is alone stands at the start itself, from where its scene was made to be seen.
    return tried === 0 ? spot : beside(spot, areaM(tried) - ownM, random);
  }, others);
}

/** Where people's eyes are, as far as they have said so. */
export function eyesOf(people: Iterable<Person>): readonly Xyz[] {
  return [...people].flatMap(({ pose }) => {
    if (pose === undefined) return [];
    const [x, y, z] = pose.position;
    return [{ x, y, z }];
  });
}

/** The head of somebody who stands there, as others are told of it. */
export function firstPose({ position: { x, y, z }, yawRad }: SpawnPose): Pose {
  return { position: [x, y + EYE_HEIGHT_M, z], rotation: [0, Math.sin(yawRad / 2), 0, Math.cos(yawRad / 2)] };
}

/** The first place with room to stand, else the one with most. */
function freest(tryPlace: (tried: number) => SpawnPose, others: Iterable<Xyz>): SpawnPose {
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

/** How far it is to the next person, on any floor: eyes may be those of somebody who sits, flies or is a child. */
function roomAt({ position }: SpawnPose, taken: readonly Xyz[]): number {
  return Math.min(...taken.map(({ x, z }) => Math.hypot(x - position.x, z - position.z)));
}

function areaM(tried: number): number {
  return ARRIVAL_AREA_M + Math.max(0, tried - ARRIVAL_TRIES_PLAIN) * ARRIVAL_GROWTH_M;
}

/** Somewhere on the disc around a place, looking the same way. */
function beside(place: SpawnPose, radiusM: number, random: () => number): SpawnPose {
  if (radiusM <= 0) return place;
  const awayM = radiusM * Math.sqrt(random());
  const angleRad = 2 * Math.PI * random();
  const { x, y, z } = place.position;
  return { ...place, position: { x: x + awayM * Math.cos(angleRad), y, z: z + awayM * Math.sin(angleRad) } };
}
