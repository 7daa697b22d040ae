/** `scene-options`: what a scene's options say of its visitors' feet and hands. */
import { fileUrl } from "../safe-url.ts";
import { bag, flag } from "../values.ts";

/** Of a scene as a whole. */
export interface SceneOptions {
  /** Whether visitors may leave the floor. */
  readonly fly: boolean;
  /** Address of a model of the floor on which people may walk. */
  readonly navMesh: string | undefined;
  /** Whether all objects tell of presses, also those that don't say so. */
  readonly everyPressable: boolean;
  /** Whether a mark stands at the origin. */
  readonly originMarker: boolean;
}

/** What they say. Where they say nothing one walks, presses what listens, and sees no mark. */
export function optionsOf(value: unknown, base: string): SceneOptions {
  const options = bag(value);
  return {
    fly: flag(options?.fly) ?? false,
    navMesh: fileUrl(options?.navMesh, base),
    everyPressable: flag(options?.clickableOnlyEvents) === false,
    originMarker: flag(options?.originMarker) ?? false,
  };
}
