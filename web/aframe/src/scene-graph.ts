/** Whether something is in the scene: an object whose parent isn't there waits outside of it, and its place means nothing. */
import type { Three } from "./aframe.ts";

/** Whether it hangs in the scene, seen or not. */
export function isInScene(object: Three.Object3D): boolean {
  let at = object;
  while (at.parent !== null) at = at.parent;
  return "isScene" in at;
}

/** Whether it and everything above it is to be seen, up to the scene. */
export function isSeen(object: Three.Object3D): boolean {
  let at = object;
  while (at.visible && at.parent !== null) at = at.parent;
  return at.visible && "isScene" in at;
}
