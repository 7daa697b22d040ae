/** A Stoa scene in A-Frame: `registerComponents` once, then `mountScene` for each scene. */
import { AFrame } from "./aframe.ts";
import { registerGeometries } from "./geometries.ts";
import { keepLocal } from "./keep-local.ts";
import { registerMatte } from "./matte.ts";
import type { Clock } from "./moving.ts";
import { registerAvatar } from "./stoa-avatar.ts";
import { registerClickable } from "./stoa-clickable.ts";
import { registerCrowd } from "./stoa-crowd.ts";
import { registerEditGizmo } from "./stoa-edit-gizmo.ts";
import { registerEnvironment } from "./stoa-environment.ts";
import { registerGlide } from "./stoa-glide.ts";
import { registerHand } from "./stoa-hand.ts";
import { registerLandmark } from "./stoa-landmark.ts";
import { registerLink } from "./stoa-link.ts";
import { registerLocalAvatar } from "./stoa-local-avatar.ts";
import { registerLocomotion } from "./stoa-locomotion.ts";
import { registerLookAt } from "./stoa-look-at.ts";
import { registerPointer } from "./stoa-pointer.ts";

export { safeUrl } from "./safe-url.ts";
export { type MountOptions, mountScene, type SceneView } from "./scene-view.ts";
export { type StartPlace, startPlace } from "./start-place.ts";
export type { Selection } from "./stoa-edit-gizmo.ts";
export type { OpenRequest } from "./stoa-link.ts";

/** What `registerComponents` may be told. */
export interface RegisterOptions {
  readonly now?: Clock;
  readonly document?: Document;
}

/** Makes all components known to A-Frame (the default export of `aframe`) and takes its addresses on other hosts out. Before any `a-scene`. */
export function registerComponents(library: unknown, options: RegisterOptions = {}): void {
  const aframe = new AFrame(library);
  const now = options.now ?? (() => performance.now());
  keepLocal(aframe, options.document ?? document);
  registerGeometries(aframe);
  registerMatte(aframe);
  registerAvatar(aframe, now);
  registerClickable(aframe);
  registerCrowd(aframe, now);
  registerEditGizmo(aframe, now);
  registerEnvironment(aframe);
  registerGlide(aframe, now);
  registerHand(aframe, now);
  registerLandmark(aframe);
  registerLink(aframe);
  registerLocalAvatar(aframe);
  registerLocomotion(aframe);
  registerLookAt(aframe);
  registerPointer(aframe);
}
