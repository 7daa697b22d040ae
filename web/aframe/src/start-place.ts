/** Where one stands at first: at a landmark of the scene that is a starting position, or near its middle. Pure. */
import type { SceneObject } from "@stoa/client";
import { groups } from "@stoa/client/generated";
import { EYE_HEIGHT_M } from "./limits.ts";
import { eulerOf } from "./mapping-pose.ts";
import { defaultsOf, read, readersOf } from "./readers.ts";
import { type Bag, bag, finite, flag, type Xyz, xyz } from "./values.ts";

const readers = readersOf("landmark", groups.landmark);
const defaults = defaultsOf(groups.landmark, Object.keys(readers));

/** A place on the floor, and which way one looks there. */
export interface StartPlace {
  readonly position: Xyz;
  /** About the upward axis; 0 looks along -z. */
  readonly yawRad: number;
}

/** One of the starting positions, and a spot around it: not in the head of whoever came before. `random` gives 0 to 1. */
export function startPlace(objects: Iterable<SceneObject>, random: () => number): StartPlace {
  const starts = [...objects].filter(({ attributes }) => flag(bag(attributes.landmark)?.startingPosition) === true);
  const chosen = starts[Math.floor(random() * starts.length)];
  if (chosen === undefined) return { position: { x: 4 * random() - 2, y: 0, z: 3 + 1.5 * random() }, yawRad: 0 };
  return around(chosen.attributes, random);
}

function around(attributes: Bag, random: () => number): StartPlace {
  const landmark: Bag = { ...defaults, ...read(readers, bag(attributes.landmark) ?? {}, "") };
  const at = xyz(attributes.position) ?? { x: 0, y: 0, z: 0 };
  const offset = xyz(landmark.offsetPosition) ?? { x: 0, y: EYE_HEIGHT_M, z: 0 };
  const near = finite(landmark.randomRadiusMin) ?? 0;
  const far = Math.max(near, finite(landmark.randomRadiusMax) ?? 0);
  const radiusM = near + (far - near) * random();
  const angleRad = 2 * Math.PI * random();
  const [east, south] = [radiusM * Math.cos(angleRad), radiusM * Math.sin(angleRad)];
  const position = { x: at.x + offset.x + east, y: at.y + offset.y - EYE_HEIGHT_M, z: at.z + offset.z + south };
  const turned = ((eulerOf(attributes.rotation)?.y ?? 0) * Math.PI) / 180;
  const facing = landmark.lookAtLandmark === true && radiusM > 0;
  return { position, yawRad: facing ? Math.atan2(east, south) : turned };
}
