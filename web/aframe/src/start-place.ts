/** Where one stands at first: at the landmark that the address names, at one that is a starting position, or near the middle. Pure. */
import type { SceneObject } from "@stoa/client";
import { landmarkNamed, placeAt, type StartPlace } from "./places.ts";
import { standingOf, yawOf } from "./standing.ts";
import { bag, flag } from "./values.ts";

export type { StartPlace } from "./places.ts";

/**
 * The landmark of that name, else one of the starting positions, and a spot around it: not in the head of whoever came before. `random` gives
 * 0 to 1. What hangs on something stands where that carries it; on what isn't there it isn't there either.
 */
export function startPlace(objects: Iterable<SceneObject>, random: () => number, landmark = ""): StartPlace {
  const all = new Map([...objects].map((object) => [object.objectId, object]));
  const standing = [...all.values()].filter((object) => standingOf(object, all) !== null);
  const named = landmark === "" ? undefined : landmarkNamed(standing, landmark);
  const starts = standing.filter(({ attributes }) => flag(bag(attributes.landmark)?.startingPosition) === true);
  const chosen = named ?? starts[Math.floor(random() * starts.length)];
  const place = chosen && standingOf(chosen, all);
  if (!chosen || !place) return { position: { x: 4 * random() - 2, y: 0, z: 3 + 1.5 * random() }, yawRad: 0 };
  return placeAt(chosen.attributes, place.position, yawOf(place.turned), random);
}
