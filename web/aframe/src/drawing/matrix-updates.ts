/**
 * Skips matrix updates of objects that haven't changed. three.js composes and multiplies every object's matrices in
 * every frame. For an optimized object this happens only after a change of its position, rotation, scale or parent,
 * or a move of an ancestor. The ancestors need the optimization too.
 */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { CALM_FRAMES, CALM_TURNS } from "../limits.ts";

/** Options of {@link updateMatricesOnChange}. */
export interface MatrixUpdateOptions {
  /** Called after the world matrix has changed. */
  readonly moved?: () => void;
  /**
   * Whether the object is checked only every few frames after a second without movement. Not set for avatars and hands,
   * whose first movement would show late.
   */
  readonly rests?: boolean;
}

let optimizedCount = 0;

/** Optimizes an object's matrix updates. Skips an object that overrides `updateMatrixWorld`. */
export function updateMatricesOnChange(
  { THREE }: AFrameAdapter,
  object: Three.Object3D,
  { moved, rests = false }: MatrixUpdateOptions = {},
): void {
  if (object.updateMatrixWorld !== THREE.Object3D.prototype.updateMatrixWorld) return;
  // A-Frame and other code write plain numbers without notification, so a comparison detects changes.
  const last = new Float64Array(10).fill(Number.NaN);
  const { children } = object;
  let parent: Three.Object3D | null = null;
  let stillFrames = 0;
  // Spreads the checks of resting objects over frames.
  optimizedCount += 1;
  let turn = optimizedCount % CALM_TURNS;
  object.updateMatrixWorld = (force = false): void => {
    turn = turn === 0 ? CALM_TURNS - 1 : turn - 1;
    let isMoved = force;
    if (force || turn === 0 || stillFrames < CALM_FRAMES) {
      // `getWorldPosition` sets `matrixWorldNeedsUpdate` on all ancestors, so the flag counts only for manual matrices.
      const isElsewhere = object.matrixAutoUpdate ? differs(object, last) : object.matrixWorldNeedsUpdate;
      if (isElsewhere && object.matrixAutoUpdate) object.updateMatrix();
      const hasMovedItself = isElsewhere || object.parent !== parent;
      if (rests) stillFrames = hasMovedItself ? 0 : stillFrames + 1;
      isMoved = force || hasMovedItself;
    }
    if (isMoved) {
      ({ parent } = object);
      if (object.matrixWorldAutoUpdate) {
        if (parent === null) object.matrixWorld.copy(object.matrix);
        else object.matrixWorld.multiplyMatrices(parent.matrixWorld, object.matrix);
      }
      object.matrixWorldNeedsUpdate = false;
      moved?.();
    }
    for (let at = 0; at < children.length; at += 1) children[at]?.updateMatrixWorld(isMoved);
  };
}

/** Whether position, rotation or scale differ from `last`; stores the new values. */
function differs({ position: p, quaternion: q, scale: s }: Three.Object3D, last: Float64Array): boolean {
  const same =
    p.x === last[0] &&
    p.y === last[1] &&
    p.z === last[2] &&
    q.x === last[3] &&
    q.y === last[4] &&
    q.z === last[5] &&
    q.w === last[6] &&
    s.x === last[7] &&
    s.y === last[8] &&
    s.z === last[9];
  if (same) return false;
  [last[0], last[1], last[2]] = [p.x, p.y, p.z];
  [last[3], last[4], last[5], last[6]] = [q.x, q.y, q.z, q.w];
  [last[7], last[8], last[9]] = [s.x, s.y, s.z];
  return true;
}
