/** Somebody else in the scene: a head with a name, moved smoothly. Page: docs/components/stoa-avatar.md */
import type { Pose } from "@stoa/client";
import { type AFrame, type Behaviour, type Entity, makeEntity, type Three } from "./aframe.ts";
import { coloured, dispose, nameSign } from "./meshes.ts";
import { type Clock, Moving } from "./moving.ts";
import { color as colorOf } from "./values.ts";

/** The settings of `stoa-avatar`. */
export interface AvatarSettings {
  readonly name: string;
  readonly color: string;
  /** A glTF head served by the realm; empty: the built-in head. */
  readonly model: string;
}

const HEAD = "stoa-head";
const SIGN = "stoa-name";
const DEFAULT_COLOR = "#4f7cac";

/** One head. */
export class Avatar implements Behaviour<AvatarSettings> {
  readonly #aframe: AFrame;
  readonly #el: Entity;
  readonly #moving: Moving;
  #model: Entity | null = null;

  constructor(aframe: AFrame, el: Entity, now: Clock) {
    this.#aframe = aframe;
    this.#el = el;
    this.#moving = new Moving(el, now);
  }

  update(settings: AvatarSettings): void {
    this.#clear();
    this.#el.setObject3D(HEAD, this.#head(colorOf(settings.color) ?? DEFAULT_COLOR));
    const sign = nameSign(this.#aframe, settings.name, this.#el.ownerDocument);
    if (sign) {
      sign.position.y = 0.32;
      this.#el.setObject3D(SIGN, sign);
    }
    if (settings.model !== "") this.#load(settings.model);
  }

  /** Takes a pose that has just arrived. */
  push(pose: Pose): void {
    this.#moving.push(pose);
  }

  tick(): void {
    this.#moving.tick();
  }

  remove(): void {
    this.#clear();
  }

  #clear(): void {
    this.#model?.remove();
    this.#model = null;
    for (const name of [HEAD, SIGN]) {
      const object = this.#el.getObject3D(name);
      if (!object) continue;
      this.#el.removeObject3D(name);
      dispose(object);
    }
  }

  /** The realm's model replaces the built-in head once it is there; a model that fails changes nothing. */
  #load(url: string): void {
    const model = makeEntity(this.#el.ownerDocument);
    model.setAttribute("gltf-model", url);
    model.setAttribute("rotation", { x: 0, y: 180, z: 0 });
    model.addEventListener("model-loaded", () => {
      const head = this.#el.getObject3D(HEAD);
      if (head && this.#model === model) head.visible = false;
    });
    this.#model = model;
    this.#el.append(model);
  }

  /** A rounded head that looks along -z, as a camera does, with eyes so that one sees where it looks. */
  #head(color: string): Three.Group {
    const { THREE } = this.#aframe;
    const head = new THREE.Group();
    const skull = coloured(this.#aframe, new THREE.SphereGeometry(0.16, 24, 16), color);
    skull.scale.set(0.88, 1.08, 0.95);
    const chest = coloured(this.#aframe, new THREE.CapsuleGeometry(0.13, 0.14, 6, 16), color);
    chest.position.set(0, -0.38, 0.06);
    head.add(skull, chest);
    for (const side of [-1, 1]) {
      const white = coloured(this.#aframe, new THREE.SphereGeometry(0.038, 16, 12), "#ffffff");
      white.position.set(side * 0.058, 0.035, -0.125);
      const pupil = coloured(this.#aframe, new THREE.SphereGeometry(0.019, 12, 8), "#1e293b");
      pupil.position.set(side * 0.058, 0.035, -0.156);
      head.add(white, pupil);
    }
    return head;
  }
}

/** Makes `stoa-avatar` known to A-Frame. */
export function registerAvatar(aframe: AFrame, now: Clock): void {
  aframe.registerComponent<AvatarSettings, Avatar>({
    name: "stoa-avatar",
    schema: {
      name: { type: "string", default: "" },
      color: { type: "string", default: DEFAULT_COLOR },
      model: { type: "string", default: "" },
    },
    create: (el) => new Avatar(aframe, el, now),
  });
}
