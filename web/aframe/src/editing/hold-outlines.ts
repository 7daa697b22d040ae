/** Outlines objects that other people have selected, in each person's colour, with names. Part of `stoa-edit-gizmo`. */
import type { AFrameAdapter, Entity, SceneElement, Three } from "../aframe.ts";
import { HELD_SHOWN_MAX } from "../limits.ts";
import { dispose, nameSign } from "../meshes.ts";
import { nameHeight } from "../people/stoa-avatar.ts";
import { color as colorOf } from "../values.ts";

/** An object that another person has selected. */
export interface RemoteHold {
  readonly el: Entity;
  readonly name: string;
  readonly color: string;
}

/** Name of the outlines' three.js objects. */
export const HELD_NAME = "stoa-held";
const DEFAULT_COLOR = "#e5a50a";
/** Extra size over the user's own selection outline, so that both are visible on one object. */
const WIDER_M = 0.03;
/** Height of the name above the outline. */
const ABOVE_M = 0.05;

interface HoldOutline {
  readonly hold: RemoteHold;
  readonly lines: Three.Box3Helper;
  readonly sign: Three.Sprite | null;
}

/** All outlines of one scene. */
export class HoldOutlines {
  readonly #aframe: AFrameAdapter;
  readonly #scene: SceneElement;
  readonly #eyes: Three.Vector3;
  #outlines: readonly HoldOutline[] = [];

  constructor(aframe: AFrameAdapter, scene: SceneElement) {
    this.#aframe = aframe;
    this.#scene = scene;
    this.#eyes = new aframe.THREE.Vector3();
  }

  /** Shows exactly these outlines, up to the limit. */
  show(all: readonly RemoteHold[]): void {
    const wanted = all.slice(0, HELD_SHOWN_MAX);
    const kept = this.#outlines.filter(({ hold }) => wanted.some((one) => isSame(one, hold)));
    for (const outline of this.#outlines) if (!kept.includes(outline)) remove(outline);
    const made = wanted.filter((one) => !kept.some(({ hold }) => isSame(one, hold))).map((hold) => this.#make(hold));
    this.#outlines = [...kept, ...made];
    this.tick();
  }

  /** Updates the outlines to their objects' bounds. */
  tick(): void {
    const { camera } = this.#scene;
    for (const { hold, lines, sign } of this.#outlines) {
      const { box } = lines;
      box.setFromObject(hold.el.object3D);
      const isThere = !box.isEmpty();
      lines.visible = isThere;
      if (sign) sign.visible = isThere;
      if (!isThere) continue;
      box.expandByScalar(WIDER_M);
      if (!sign || !camera) continue;
      sign.position.set((box.min.x + box.max.x) / 2, box.max.y + ABOVE_M, (box.min.z + box.max.z) / 2);
      const heightM = nameHeight(sign.position.distanceTo(camera.getWorldPosition(this.#eyes)));
      sign.scale.set((sign.scale.x / sign.scale.y) * heightM, heightM, 1);
    }
  }

  #make(hold: RemoteHold): HoldOutline {
    const { THREE } = this.#aframe;
    const lines = new THREE.Box3Helper(new THREE.Box3(), new THREE.Color(colorOf(hold.color) ?? DEFAULT_COLOR));
    lines.name = HELD_NAME;
    lines.userData.heldBy = hold.name;
    const sign = nameSign(this.#aframe, { name: hold.name }, this.#scene.ownerDocument);
    this.#scene.object3D.add(lines);
    if (sign) this.#scene.object3D.add(sign);
    return { hold, lines, sign };
  }
}

function isSame(a: RemoteHold, b: RemoteHold): boolean {
  return a.el === b.el && a.name === b.name && a.color === b.color;
}

function remove({ lines, sign }: HoldOutline): void {
  dispose(lines);
  if (sign) dispose(sign);
}
