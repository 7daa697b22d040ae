/** Publishes the user's own pose. Belongs on the rig. Page: docs/components/stoa-local-avatar.md */
import type { Pose, SceneSession, Side } from "@stoa/client";
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import type { SceneLibraryLookup } from "../assets/scene-libraries.ts";
import { MOVED_M, PUBLISH_INTERVAL_MS, TURNED_RAD } from "../limits.ts";
import { bodyKind, type ModelRefusal, refusalOf } from "./model-check.ts";

/** The part of the session that sends poses. */
export type PosePublisher = Pick<SceneSession, "publishCamera" | "publishHand">;

/** Reads the user's tracked hands. */
export interface HandPoseReader {
  /** Writes the pose of that hand's controller, in scene space; false without a controller. */
  handPose(side: Side, position: Three.Vector3, rotation: Three.Quaternion): boolean;
}

class LastSentPose {
  readonly position: Three.Vector3;
  readonly rotation: Three.Quaternion;
  known = false;

  constructor(aframe: AFrameAdapter) {
    this.position = new aframe.THREE.Vector3();
    this.rotation = new aframe.THREE.Quaternion();
  }

  /** Whether the pose differs from the last one sent; if so, it is stored. */
  take(position: Three.Vector3, rotation: Three.Quaternion): boolean {
    const near = this.position.distanceToSquared(position) < MOVED_M * MOVED_M;
    if (this.known && near && this.rotation.angleTo(rotation) < TURNED_RAD) return false;
    this.known = true;
    this.position.copy(position);
    this.rotation.copy(rotation);
    return true;
  }
}

/** The user's head and hands as a source of poses. */
export class LocalAvatarBehaviour implements Behaviour<unknown> {
  /** Sends the poses; while `null`, no pose is sent. */
  publisher: PosePublisher | null = null;
  /** Source of hand poses. */
  pointer: HandPoseReader | null = null;

  readonly #el: Entity;
  readonly #libraryOf: SceneLibraryLookup;
  readonly #position: Three.Vector3;
  readonly #rotation: Three.Quaternion;
  readonly #scale: Three.Vector3;
  readonly #camera: LastSentPose;
  readonly #hands: Readonly<Record<Side, LastSentPose>>;
  #checkedMs = Number.NEGATIVE_INFINITY;

  constructor(aframe: AFrameAdapter, el: Entity, libraryOf: SceneLibraryLookup) {
    this.#el = el;
    this.#libraryOf = libraryOf;
    this.#position = new aframe.THREE.Vector3();
    this.#rotation = new aframe.THREE.Quaternion();
    this.#scale = new aframe.THREE.Vector3();
    this.#camera = new LastSentPose(aframe);
    this.#hands = { left: new LastSentPose(aframe), right: new LastSentPose(aframe) };
  }

  tick(timeMs: number): void {
    const camera = this.#el.sceneEl?.camera;
    if (!this.publisher || !camera || timeMs - this.#checkedMs < PUBLISH_INTERVAL_MS) return;
    this.#checkedMs = timeMs;
    camera.updateWorldMatrix(true, false);
    camera.matrixWorld.decompose(this.#position, this.#rotation, this.#scale);
    if (this.#camera.take(this.#position, this.#rotation)) this.publisher.publishCamera(this.#pose());
    this.#hand("left");
    this.#hand("right");
  }

  /** Loads a model as other people's pages would; `null` if that succeeds. */
  async checkModel(src: string): Promise<ModelRefusal | null> {
    const { sceneEl } = this.#el;
    if (!sceneEl) return null;
    try {
      await this.#libraryOf(sceneEl).check({ kind: bodyKind(src), src, base: "" });
      return null;
    } catch (error) {
      return refusalOf(error);
    }
  }

  remove(): void {
    for (const side of ["left", "right"] as const) if (this.#hands[side].known) this.publisher?.publishHand(side, null);
    this.publisher = null;
  }

  #hand(side: Side): void {
    const sent = this.#hands[side];
    if (this.pointer?.handPose(side, this.#position, this.#rotation)) {
      if (sent.take(this.#position, this.#rotation)) this.publisher?.publishHand(side, this.#pose());
    } else if (sent.known) {
      sent.known = false;
      this.publisher?.publishHand(side, null);
    }
  }

  /** Copies the current pose into a new object, because the client keeps a reference. */
  #pose(): Pose {
    const { x, y, z, w } = this.#rotation;
    return { position: [this.#position.x, this.#position.y, this.#position.z], rotation: [x, y, z, w] };
  }
}

/** Registers `stoa-local-avatar`. */
export function registerLocalAvatar(aframe: AFrameAdapter, libraryOf: SceneLibraryLookup): void {
  aframe.registerComponent<object, LocalAvatarBehaviour>({
    name: "stoa-local-avatar",
    schema: {},
    create: (el) => new LocalAvatarBehaviour(aframe, el, libraryOf),
  });
}
