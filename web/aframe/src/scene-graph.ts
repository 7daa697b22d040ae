/**
 * Tests an object's ancestors. An object whose parent is missing waits outside of the scene, and its pose means
 * nothing.
 */
import type { Three } from "./aframe.ts";

/** Whether the object is below the scene, visible or not. */
export function isInScene(object: Three.Object3D): boolean {
  let at = object;
  while (at.parent !== null) at = at.parent;
  return "isScene" in at;
}

/** Whether the object and all its ancestors up to the scene are visible. */
export function isSeen(object: Three.Object3D): boolean {
  let at = object;
  while (at.visible && at.parent !== null) at = at.parent;
  return at.visible && "isScene" in at;
}
