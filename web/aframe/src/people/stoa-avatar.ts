/** Another person near the user: head, name and body, moved smoothly. Page: docs/components/stoa-avatar.md */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import type { SceneLibraryLookup } from "../assets/scene-libraries.ts";
import type { Clock } from "../clock.ts";
import {
  EYE_HEIGHT_M,
  HAND_REACH_M,
  BODY as MEASURES,
  NAME_HEIGHT_M,
  RAISED_ABOVE_M,
  SIGN_ABOVE_M,
  STEP_MAX_S,
} from "../limits.ts";
import { dispose, nameSign } from "../meshes.ts";
import type { GroundHeightSampler } from "../surroundings/terrain.ts";
import { color as colorOf } from "../values.ts";
import { AvatarModel } from "./avatar-model.ts";
import type { TrackedBodyInput } from "./body-pose.ts";
import { BuiltInBody } from "./body-shape.ts";
import type { PoseArray } from "./interpolation.ts";
import { personPart } from "./person-part.ts";
import type { PoseTrack } from "./track.ts";
import { TrackedEntity } from "./tracked-entity.ts";

export interface AvatarSettings {
  readonly name: string;
  readonly color: string;
  /** Whether a raised hand is shown over the head. */
  readonly raised: boolean;
  /** Whether the sign shows that the person speaks. */
  readonly speaking: boolean;
  /** `full`: with arms and legs; `half`: from the hips up. */
  readonly body: "full" | "half";
  /** A glTF head or a VRM served by the realm; empty: the built-in body. */
  readonly model: string;
}

const HEAD = "stoa-head";
const BODY = "stoa-body";
const SIGN = "stoa-name";
const RAISED = "stoa-raised";
const DEFAULT_COLOR = "#4f7cac";

/** Tracking input for the body below the head. */
export interface AvatarTracking {
  readonly left: PoseTrack | null;
  readonly right: PoseTrack | null;
  /** Height of the ground at a position. */
  readonly ground: GroundHeightSampler;
}

const NO_TRACKING: AvatarTracking = { left: null, right: null, ground: () => 0 };

/** One person's avatar. */
export class AvatarBehaviour implements Behaviour<AvatarSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #now: Clock;
  readonly #libraryOf: SceneLibraryLookup;
  readonly #moving: TrackedEntity;
  readonly #scratch: Three.Vector3;
  readonly #eyes: Three.Vector3;
  readonly #upright: Three.Quaternion;
  readonly #hands: readonly [Three.Vector3, Three.Vector3];
  readonly #targets: TrackedBodyInput;
  readonly #pose: PoseArray = new Float64Array(7);
  #tracking: AvatarTracking = NO_TRACKING;
  #shape: BuiltInBody | null = null;
  #model: AvatarModel | null = null;
  #settings: AvatarSettings | null = null;

  constructor(aframe: AFrameAdapter, el: Entity, now: Clock, libraryOf: SceneLibraryLookup) {
    this.#aframe = aframe;
    this.#libraryOf = libraryOf;
    this.#now = now;
    this.#hands = [new aframe.THREE.Vector3(), new aframe.THREE.Vector3()];
    this.#targets = { head: el.object3D.position, yawRad: 0, eyesM: EYE_HEIGHT_M, hands: [null, null] };
    this.#el = el;
    this.#moving = new TrackedEntity(el, now);
    this.#scratch = new aframe.THREE.Vector3();
    this.#eyes = new aframe.THREE.Vector3();
    this.#upright = new aframe.THREE.Quaternion();
  }

  update(settings: AvatarSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    const isSame = before?.color === settings.color && before.body === settings.body && before.model === settings.model;
    // A new name or raised hand must not reload the model.
    if (!isSame) this.#build(settings);
    // Speaking changes often, and each sign is a new texture.
    if (!isSame || before.name !== settings.name || before.speaking !== settings.speaking) this.#sign(settings);
    this.#removePart(RAISED);
    if (settings.raised)
      this.#el.setObject3D(RAISED, raisedHand(this.#aframe, colorOf(settings.color) ?? DEFAULT_COLOR));
    this.#keepUpright();
  }

  #sign(settings: AvatarSettings): void {
    this.#removePart(SIGN);
    const sign = nameSign(this.#aframe, settings, this.#el.ownerDocument);
    if (sign) this.#el.setObject3D(SIGN, sign);
  }

  #build(settings: AvatarSettings): void {
    this.#clear();
    const color = colorOf(settings.color) ?? DEFAULT_COLOR;
    this.#el.setObject3D(HEAD, headOf(this.#aframe, color));
    this.#shape = settings.body === "full" ? new BuiltInBody(this.#aframe, color) : null;
    this.#el.setObject3D(BODY, this.#shape?.group ?? personPart(this.#aframe, "trunk", color));
    if (settings.model !== "") this.#loadModel(settings.model);
  }

  /** Sets the track that moves this avatar. */
  follow(track: PoseTrack, tracking: AvatarTracking = NO_TRACKING): void {
    this.#tracking = tracking;
    this.#moving.follow(track);
  }

  tick(_timeMs = 0, deltaMs = 0): void {
    this.#moving.tick();
    this.#keepUpright();
    const vrm = this.#model?.vrm ?? null;
    if (!this.#el.object3D.visible || (vrm === null && this.#shape?.group.visible !== true)) return;
    this.#updateTargets();
    const seconds = Math.min(STEP_MAX_S, deltaMs / 1_000);
    if (vrm === null) this.#shape?.update(this.#targets, seconds);
    else {
      vrm.group.quaternion.copy(this.#upright);
      vrm.update(this.#targets, this.#el.object3D.quaternion, seconds);
    }
  }

  remove(): void {
    this.#clear();
  }

  #clear(): void {
    this.#model?.remove();
    this.#model = null;
    this.#shape = null;
    for (const name of [HEAD, BODY, SIGN, RAISED]) this.#removePart(name);
  }

  #removePart(name: string): void {
    const object = this.#el.getObject3D(name);
    if (!object) return;
    this.#el.removeObject3D(name);
    dispose(object);
  }

  /** Hides the built-in head and body once the model has loaded; a model that fails changes nothing. */
  #loadModel(url: string): void {
    const { sceneEl } = this.#el;
    if (!sceneEl) return;
    const onWorn = (): void => {
      for (const name of [HEAD, BODY])
        this.#el.getObject3D(name)?.traverse((part) => Object.assign(part, { visible: false }));
    };
    const library = this.#libraryOf(sceneEl);
    this.#model = new AvatarModel({ aframe: this.#aframe, el: this.#el, library, url, onWorn });
  }

  /** Updates the input of the inverse kinematics. */
  #updateTargets(): void {
    const { position, quaternion } = this.#el.object3D;
    const targets = this.#targets;
    this.#scratch.set(0, 0, -1).applyQuaternion(quaternion);
    // A vertical gaze has no heading: the chest keeps its own.
    if (Math.hypot(this.#scratch.x, this.#scratch.z) > 0.1)
      targets.yawRad = Math.atan2(-this.#scratch.x, -this.#scratch.z);
    const eyesM = position.y - this.#tracking.ground(position.x, position.z);
    targets.eyesM = eyesM > MEASURES.eyesMinM && eyesM < MEASURES.eyesMaxM ? eyesM : EYE_HEIGHT_M;
    targets.hands[0] = this.#hand(this.#tracking.left, this.#hands[0]);
    targets.hands[1] = this.#hand(this.#tracking.right, this.#hands[1]);
  }

  #hand(track: PoseTrack | null, into: Three.Vector3): Three.Vector3 | null {
    if (track?.isKnown !== true) return null;
    track.sample(this.#now(), this.#pose);
    const [x = 0, y = 0, z = 0] = this.#pose;
    into.set(x, y, z).sub(this.#el.object3D.position);
    // No arm reaches a hand left behind or put on a table.
    return into.length() < HAND_REACH_M ? into : null;
  }

  /** Keeps the body upright and the name above when the head nods. The name scales with the distance to the camera. */
  #keepUpright(): void {
    const { quaternion } = this.#el.object3D;
    const body = this.#el.getObject3D(BODY);
    this.#upright.copy(quaternion).invert();
    if (this.#shape) this.#shape.group.quaternion.copy(this.#upright);
    else body?.quaternion.set(0, quaternion.y, 0, quaternion.w).normalize().premultiply(this.#upright);
    const raised = this.#el.getObject3D(RAISED);
    raised?.position.set(0, RAISED_ABOVE_M, 0).applyQuaternion(this.#upright);
    raised?.quaternion.copy(this.#upright);
    const sign = this.#el.getObject3D(SIGN);
    const camera = this.#el.sceneEl?.camera;
    if (!sign || !camera) return;
    sign.position.set(0, SIGN_ABOVE_M, 0).applyQuaternion(this.#upright);
    const distanceM = this.#el.object3D.getWorldPosition(this.#scratch).distanceTo(camera.getWorldPosition(this.#eyes));
    const heightM = nameHeight(distanceM);
    sign.scale.set((sign.scale.x / sign.scale.y) * heightM, heightM, 1);
  }
}

/** Height of a name sign at a distance; both in metres. */
export function nameHeight(distanceM: number): number {
  const { min, max, perMetre } = NAME_HEIGHT_M;
  return Math.min(max, Math.max(min, distanceM * perMetre));
}

function headOf(aframe: AFrameAdapter, color: string): Three.Group {
  return new aframe.THREE.Group().add(personPart(aframe, "head", color), personPart(aframe, "eyes", color));
}

/** A hand pointing up, oversized to be visible from the back row. */
function raisedHand(aframe: AFrameAdapter, color: string): Three.Group {
  return new aframe.THREE.Group().add(personPart(aframe, "raised", color));
}

/** Registers `stoa-avatar`. */
export function registerAvatar(aframe: AFrameAdapter, now: Clock, libraryOf: SceneLibraryLookup): void {
  aframe.registerComponent<AvatarSettings, AvatarBehaviour>({
    name: "stoa-avatar",
    schema: {
      name: { type: "string", default: "" },
      color: { type: "string", default: DEFAULT_COLOR },
      raised: { type: "boolean", default: false },
      speaking: { type: "boolean", default: false },
      body: { type: "string", default: "full" },
      model: { type: "string", default: "" },
    },
    create: (el) => new AvatarBehaviour(aframe, el, now, libraryOf),
  });
}
