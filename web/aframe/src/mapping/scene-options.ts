/** Reads the scene options of movement and interaction: flying, navigation mesh, clickability, origin marker. */
import { fileUrl } from "../safe-url.ts";
import { bag, flag } from "../values.ts";

export interface SceneInteractionOptions {
  /** Whether visitors may leave the floor. */
  readonly fly: boolean;
  /** URL of the navigation mesh's model. */
  readonly navMesh: string | undefined;
  /** Whether all objects emit click events, including those without a click listener. */
  readonly everyPressable: boolean;
  /** Whether the origin is marked. */
  readonly originMarker: boolean;
}

/** Parses the scene options. The defaults are walking, explicit click listeners and no origin marker. */
export function optionsOf(value: unknown, base: string): SceneInteractionOptions {
  const options = bag(value);
  return {
    fly: flag(options?.fly) ?? false,
    navMesh: fileUrl(options?.navMesh, base),
    everyPressable: flag(options?.clickableOnlyEvents) === false,
    originMarker: flag(options?.originMarker) ?? false,
  };
}
