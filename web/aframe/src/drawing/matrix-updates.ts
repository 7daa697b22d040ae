/**
 * What stands still costs nearly nothing: three.js composes and multiplies the matrices of every object in every frame; a calm one does so when its place, turn, size or
 * parent is another than before, or when something above it moved. Works only below parents that are calm themselves.
 */
import type { AFrame, Three } from "../aframe.ts";
import { CALM_FRAMES, CALM_TURNS } from "../limits.ts";

/** How calm an object is, and who wants to know of it. */
export interface MatrixUpdateOptions {
  /** It stands elsewhere now. */
  readonly moved?: () => void;
  /** Once it has stood still for a second it is looked at only every few frames, until it moves again: not for what people wear, whose first step would come late. */
  readonly rests?: boolean;
}

let made = 0;

/** Makes an object calm; everything else about it stays as three.js has it. One that does more than others with its matrices is left alone. */
export function updateMatricesOnChange(
  { THREE }: AFrame,
  object: Three.Object3D,
  { moved, rests = false }: MatrixUpdateOptions = {},
): void {
  if (object.updateMatrixWorld !== THREE.Object3D.prototype.updateMatrixWorld) return;
  // What A-Frame and others write is plain numbers: nobody tells of a change, so it is looked for.
  const last = new Float64Array(10).fill(Number.NaN);
  const { children } = object;
  let parent: Three.Object3D | null = null;
  let stillFrames = 0;
  // So that not all have their turn in the same frame.
  made += 1;
  let turn = made % CALM_TURNS;
  object.updateMatrixWorld = (force = false): void => {
    turn = turn === 0 ? CALM_TURNS - 1 : turn - 1;
    let isMoved = force;
    if (force || turn === 0 || stillFrames < CALM_FRAMES) {
      // Whoever asks any object for its place in the world leaves the flag at all above it, the scene too: it counts where matrices are set by hand alone.
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

/** Whether place, turn or size are others than `last`, which they become. */
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
