/** Somebody else in the scene: a head with a name, moved smoothly. Page: docs/components/stoa-avatar.md */
import type { Pose } from "@stoa/client";
import { type AFrame, type Behaviour, type Entity, makeEntity, type Three } from "./aframe.ts";
import { eyeParts, headParts, trunk } from "./body-parts.ts";
import { NAME_HEIGHT_M, SIGN_ABOVE_M } from "./limits.ts";
import { dispose, nameSign } from "./meshes.ts";
import { type Clock, Moving } from "./moving.ts";
import type { Track } from "./track.ts";
import { color as colorOf } from "./values.ts";

/** The settings of `stoa-avatar`. */
export interface AvatarSettings {
  readonly name: string;
  readonly color: string;
  /** A glTF head served by the realm; empty: the built-in head. */
  readonly model: string;
}

const HEAD = "stoa-head";
const BODY = "stoa-body";
const SIGN = "stoa-name";
const DEFAULT_COLOR = "#4f7cac";

/** One head. */
export class Avatar implements Behaviour<AvatarSettings> {
  readonly #aframe: AFrame;
  readonly #el: Entity;
  readonly #moving: Moving;
  readonly #place: Three.Vector3;
  readonly #eyes: Three.Vector3;
  readonly #upright: Three.Quaternion;
  #model: Entity | null = null;

  constructor(aframe: AFrame, el: Entity, now: Clock) {
    this.#aframe = aframe;
    this.#el = el;
    this.#moving = new Moving(el, now);
    this.#place = new aframe.THREE.Vector3();
    this.#eyes = new aframe.THREE.Vector3();
    this.#upright = new aframe.THREE.Quaternion();
  }

  update(settings: AvatarSettings): void {
    this.#clear();
    const color = colorOf(settings.color) ?? DEFAULT_COLOR;
    this.#el.setObject3D(HEAD, headMesh(this.#aframe, color));
    this.#el.setObject3D(BODY, bodyMesh(this.#aframe, color));
    const sign = nameSign(this.#aframe, settings.name, this.#el.ownerDocument);
    if (sign) this.#el.setObject3D(SIGN, sign);
    this.#stand();
    if (settings.model !== "") this.#load(settings.model);
  }

  /** Takes a pose that has just arrived. */
  push(pose: Pose): void {
    this.#moving.push(pose);
  }

  /** From now on it is where `track` is. */
  follow(track: Track): void {
    this.#moving.follow(track);
  }

  tick(): void {
    this.#moving.tick();
    this.#stand();
  }

  remove(): void {
    this.#clear();
  }

  #clear(): void {
    this.#model?.remove();
    this.#model = null;
    for (const name of [HEAD, BODY, SIGN]) {
      const object = this.#el.getObject3D(name);
      if (!object) continue;
      this.#el.removeObject3D(name);
      dispose(object);
    }
  }

  /** The realm's model replaces the built-in head and body once it is there; a model that fails changes nothing. */
  #load(url: string): void {
    const model = makeEntity(this.#el.ownerDocument);
    model.setAttribute("gltf-model", url);
    model.setAttribute("rotation", { x: 0, y: 180, z: 0 });
    model.addEventListener("model-loaded", () => {
      if (this.#model !== model) return;
      for (const name of [HEAD, BODY]) {
        const part = this.#el.getObject3D(name);
        if (part) part.visible = false;
      }
    });
    this.#model = model;
    this.#el.append(model);
  }

  /** Whoever nods keeps the body upright and the name above, as high as it must be to be read from where one stands. */
  #stand(): void {
    const { quaternion } = this.#el.object3D;
    const body = this.#el.getObject3D(BODY);
    this.#upright.copy(quaternion).invert();
    body?.quaternion.set(0, quaternion.y, 0, quaternion.w).normalize().premultiply(this.#upright);
    const sign = this.#el.getObject3D(SIGN);
    const camera = this.#el.sceneEl?.camera;
    if (!sign || !camera) return;
    sign.position.set(0, SIGN_ABOVE_M, 0).applyQuaternion(this.#upright);
    const distanceM = this.#el.object3D.getWorldPosition(this.#place).distanceTo(camera.getWorldPosition(this.#eyes));
    const heightM = nameHeight(distanceM);
    sign.scale.set((sign.scale.x / sign.scale.y) * heightM, heightM, 1);
  }
}

/** How high a name is drawn, seen from a distance; both in metres. */
export function nameHeight(distanceM: number): number {
  const { min, max, perMetre } = NAME_HEIGHT_M;
  return Math.min(max, Math.max(min, distanceM * perMetre));
}

function headMesh(aframe: AFrame, color: string): Three.Group {
  return new aframe.THREE.Group().add(...headParts(aframe, color), ...eyeParts(aframe));
}

function bodyMesh(aframe: AFrame, color: string): Three.Group {
  return new aframe.THREE.Group().add(trunk(aframe, color));
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
