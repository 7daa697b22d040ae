/** What the page is told of files that can't be shown, and of those that can again. */
import type { Entity } from "../aframe.ts";
import type { BrokenCode } from "./asset-error.ts";

/** The event of a file that could not be shown; its detail is a {@link Broken}. */
export const BROKEN = "stoa-broken";
/** The event of an object whose file is no longer broken, or no longer wanted; its detail is a {@link Mended}. */
export const MENDED = "stoa-mended";

/** Which file could not be shown, and why. */
export interface Broken {
  readonly objectId: string;
  readonly src: string;
  readonly code: BrokenCode;
}

/** Which object has nothing broken any more. */
export interface Mended {
  readonly objectId: string;
}

const brokenOf = new WeakMap<Entity, Broken>();

/** Tells that a file of an object can't be shown. */
export function tellBroken(el: Entity, src: string, code: BrokenCode): void {
  const broken: Broken = { objectId: el.dataset.objectId ?? "", src, code };
  brokenOf.set(el, broken);
  el.emit(BROKEN, broken, true);
}

/** Tells that what was broken of an object isn't any more; nothing where nothing was. */
export function tellMended(el: Entity): void {
  if (!brokenOf.delete(el)) return;
  const mended: Mended = { objectId: el.dataset.objectId ?? "" };
  el.emit(MENDED, mended, true);
}

/** What can't be shown of an object now. */
export function whatIsBroken(el: Entity): Broken | undefined {
  return brokenOf.get(el);
}
