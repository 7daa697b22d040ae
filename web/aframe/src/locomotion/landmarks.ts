/** Landmarks as destinations, and credits of the scene's files. Pure. */
import type { SceneObject } from "@stoa/client";
import { groups } from "@stoa/client/generated";
import { EYE_HEIGHT_M, LIST_MAX } from "../limits.ts";
import { defaultsOf, read, readersOf } from "../mapping/attribute-readers.ts";
import { safeUrl } from "../safe-url.ts";
import { bag, finite, flag, type JsonObject, text, type Xyz, xyz } from "../values.ts";

const readers = readersOf("landmark", groups.landmark);
const defaults = defaultsOf(groups.landmark, Object.keys(readers));
const creditReaders = readersOf("attribution", groups.attribution, {
  authorURL: safeUrl,
  licenseURL: safeUrl,
  sourceURL: safeUrl,
});

/** A named destination. */
export interface Landmark {
  readonly objectId: string;
  readonly label: string;
}

/** Author and licence of a file; URLs have passed `safe-url.ts`. */
export interface Credit {
  readonly title?: string;
  readonly author?: string;
  readonly authorURL?: string;
  readonly license?: string;
  readonly licenseURL?: string;
  readonly source?: string;
  readonly sourceURL?: string;
}

/** A position of the user's feet, and a heading. */
export interface SpawnPose {
  readonly position: Xyz;
  /** About the up axis; 0 looks along -z. */
  readonly yawRad: number;
}

/** A spawn pose with its navigation mesh constraint: anywhere, on the nearest part, or on one at a similar height. */
export interface ArrivalPose extends SpawnPose {
  readonly onFloor: "anywhere" | "nearest" | "level";
}

/** The named landmarks, sorted by name. */
export function landmarksOf(objects: Iterable<SceneObject>): readonly Landmark[] {
  const found: Landmark[] = [];
  for (const { objectId, attributes } of objects) {
    const label = labelOf(attributes);
    if (label !== "" && found.length < LIST_MAX) found.push({ objectId, label });
  }
  return found.sort((a, b) => a.label.localeCompare(b.label));
}

/** Finds a landmark by its object id or, ignoring case, by its name. */
export function landmarkNamed(objects: Iterable<SceneObject>, name: string): SceneObject | undefined {
  let named: SceneObject | undefined;
  for (const object of objects) {
    if (bag(object.attributes.landmark) === undefined) continue;
    if (object.objectId === name) return object;
    if (labelOf(object.attributes).toLowerCase() === name.toLowerCase()) named ??= object;
  }
  return named;
}

/** Whether a landmark itself spreads arrivals randomly. */
export function isSpread(attributes: JsonObject): boolean {
  const { randomRadiusMax, randomRadiusMin } = read(readers, bag(attributes.landmark) ?? {}, "");
  return (finite(randomRadiusMin) ?? 0) > 0 || (finite(randomRadiusMax) ?? 0) > 0;
}

/** The arrival pose at a landmark at position `at` with heading `turnedRad`. `random` returns 0 to 1. */
export function placeAt(attributes: JsonObject, at: Xyz, turnedRad: number, random: () => number): ArrivalPose {
  const landmark: JsonObject = { ...defaults, ...read(readers, bag(attributes.landmark) ?? {}, "") };
  const offset = xyz(landmark.offsetPosition) ?? { x: 0, y: EYE_HEIGHT_M, z: 0 };
  const near = finite(landmark.randomRadiusMin) ?? 0;
  const far = finite(landmark.randomRadiusMax) ?? 0;
  const radiusM = far > 0 ? near + (Math.max(near, far) - near) * random() : near;
  const angleRad = 2 * Math.PI * random();
  const [east, south] = [radiusM * Math.cos(angleRad) + offset.x, radiusM * Math.sin(angleRad) + offset.z];
  const position = { x: at.x + east, y: at.y + offset.y - EYE_HEIGHT_M, z: at.z + south };
  const facing = landmark.lookAtLandmark === true && Math.hypot(east, south) > 0.01;
  return {
    position,
    yawRad: facing ? Math.atan2(east, south) : turnedRad,
    onFloor: onFloorOf(landmark.constrainToNavMesh),
  };
}

function onFloorOf(constraint: unknown): ArrivalPose["onFloor"] {
  if (constraint === "coplanar") return "level";
  return constraint === "any" || flag(constraint) === true ? "nearest" : "anywhere";
}

/** The distinct credits of the scene's objects, except unpublished ones. */
export function creditsOf(objects: Iterable<SceneObject>, base: string): readonly Credit[] {
  const found = new Map<string, Credit>();
  for (const { attributes } of objects) {
    const group = bag(attributes.attribution);
    if (!group || flag(group.publish) === false || found.size >= LIST_MAX) continue;
    const { publish: _, ...credit } = read(creditReaders, group, base);
    if (Object.keys(credit).length > 0) found.set(JSON.stringify(credit), credit);
  }
  return [...found.values()];
}

function labelOf(attributes: JsonObject): string {
  return text(bag(attributes.landmark)?.label, 100)?.trim() ?? "";
}
