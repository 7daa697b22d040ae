/** Where one thing is, seen from another. */
import type { Three } from "../aframe.ts";
import type { Xyz } from "../values.ts";

/** A place, a turn and a size in some space, as attributes have them. */
export interface Placed {
  readonly position: Xyz;
  readonly rotation: Xyz & { readonly w: number };
  readonly scale: Xyz;
}

/** Where `object` is in `space`. A turn within a size that differs by axis has no exact form: the nearest is given. */
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
