/** Transforms between the spaces of two objects. */
import type { Three } from "../aframe.ts";
import type { Xyz } from "../values.ts";

/** Position, rotation and scale in some space, in the format of attributes. */
export interface Placed {
  readonly position: Xyz;
  readonly rotation: Xyz & { readonly w: number };
  readonly scale: Xyz;
}

/**
 * The transform of `object` relative to `space`. A rotation below a non-uniform scale has no exact result: this is an
 * approximation.
 */
export function relativeTransform(object: Three.Object3D, space: Three.Object3D): Placed {
  object.updateWorldMatrix(true, false);
  space.updateWorldMatrix(true, false);
  const spaceFromObject = object.matrixWorld.clone().premultiply(space.matrixWorld.clone().invert());
  const position = object.position.clone();
  const turned = object.quaternion.clone();
  const scale = object.scale.clone();
  spaceFromObject.decompose(position, turned, scale);
  const round = (value: number): number => Math.round(value * 1e5) / 1e5 || 0;
  return {
    position: { x: round(position.x), y: round(position.y), z: round(position.z) },
    rotation: { x: round(turned.x), y: round(turned.y), z: round(turned.z), w: round(turned.w) },
    scale: { x: round(scale.x), y: round(scale.y), z: round(scale.z) },
  };
}
