/** Emits events when an object's file fails to load or recovers, and remembers the broken file of each object. */
import type { Entity } from "../aframe.ts";
import type { AssetErrorCode } from "./asset-error.ts";

/** Event of a file that failed to load; its detail is a {@link Broken}. */
export const BROKEN = "stoa-broken";
/** Event of an object whose file recovered or is no longer used; its detail is a {@link Mended}. */
export const MENDED = "stoa-mended";

/** A broken file and the reason. */
export interface Broken {
  readonly objectId: string;
  readonly src: string;
  readonly code: AssetErrorCode;
}

/** The object that no longer has a broken file. */
export interface Mended {
  readonly objectId: string;
}

const brokenOf = new WeakMap<Entity, Broken>();

/** Emits that a file of an object is broken. */
export function emitBroken(el: Entity, src: string, code: AssetErrorCode): void {
  const broken: Broken = { objectId: el.dataset.objectId ?? "", src, code };
  brokenOf.set(el, broken);
  el.emit(BROKEN, broken, true);
}

/** Emits that an object's file is no longer broken; no event if none was. */
export function emitMended(el: Entity): void {
  if (!brokenOf.delete(el)) return;
  const mended: Mended = { objectId: el.dataset.objectId ?? "" };
  el.emit(MENDED, mended, true);
}

/** The object's broken file, if any. */
export function whatIsBroken(el: Entity): Broken | undefined {
  return brokenOf.get(el);
}
