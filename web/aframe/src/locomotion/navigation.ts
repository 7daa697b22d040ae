/** Teleports the user to landmarks and people, and follows camera commands of programs. */
import type { CameraOrder, SceneSession } from "@stoa/client";
import { type Entity, nod, type SceneElement, type Three } from "../aframe.ts";
import { BEFORE_PERSON_M, EYE_HEIGHT_M, OTHER_FLOOR_M } from "../limits.ts";
import { unreachable } from "../unreachable.ts";
import type { JsonObject, Xyz } from "../values.ts";
import { type Gaze, lookTowards, orderOf } from "./camera-orders.ts";
import { placeAt } from "./landmarks.ts";
import type { LocomotionBehaviour } from "./stoa-locomotion.ts";

export interface SceneTeleporterOptions {
  readonly scene: SceneElement;
  readonly rig: Entity;
  readonly camera: Entity;
  readonly session: Pick<SceneSession, "objects">;
  readonly locomotion: () => LocomotionBehaviour | null;
  /** The node of a rendered object. */
  readonly find: (objectId: string) => Three.Object3D | null;
  /** Writes the position of a person's head; false if unknown. */
  readonly headOf: (idTag: string, place: Three.Vector3) => boolean;
}

/** The user's teleports within a scene. */
export class SceneTeleporter {
  readonly #options: SceneTeleporterOptions;

  constructor(options: SceneTeleporterOptions) {
    this.#options = options;
  }

  /** Executes a program's camera command, if it is valid. */
  follow(given: CameraOrder): void {
    const order = orderOf(given);
    const locomotion = this.#options.locomotion();
    if (order === null || locomotion === null) return;
    switch (order.kind) {
      case "eyes":
        if (order.at) locomotion.eyesTo(order.at);
        if (order.gaze) this.#look(order.gaze);
        return;
      case "rig":
        locomotion.placeRig(order.at ?? locomotion.rigPosition, order.yawRad);
        return;
      case "look":
        this.#lookAt(order.at);
        return;
      case "landmark":
        this.goTo(order.objectId);
        return;
      default:
        unreachable(order);
    }
  }

  /** Teleports to an object; its `landmark` sets offset, random spread and heading. */
  goTo(objectId: string): void {
    const { session, find } = this.#options;
    const locomotion = this.#options.locomotion();
    const target = find(objectId);
    const object = session.objects.get(objectId);
    if (target && object && locomotion) this.#arrive(target, object.attributes, locomotion);
  }

  /** Teleports to a node of a model, facing the node's direction. */
  goToNode(node: Three.Object3D): void {
    const locomotion = this.#options.locomotion();
    if (locomotion) this.#arrive(node, { landmark: { lookAtLandmark: false } }, locomotion);
  }

  #arrive(target: Three.Object3D, attributes: JsonObject, locomotion: LocomotionBehaviour): void {
    target.updateWorldMatrix(true, false);
    const { elements } = target.matrixWorld;
    const [x = 0, y = 0, z = 0] = elements.slice(12, 15);
    const turnedRad = Math.atan2(elements[8] ?? 0, elements[10] ?? 1);
    const place = placeAt(attributes, { x, y, z }, turnedRad, Math.random);
    const { floor } = locomotion;
    locomotion.goTo(
      place.onFloor === "anywhere"
        ? place.position
        : (floor.nearest?.(place.position, place.onFloor) ?? place.position),
    );
    locomotion.face(place.yawRad);
  }

  /** Teleports next to a person, approaching from the user's side, and faces them. */
  goToPerson(idTag: string): void {
    const locomotion = this.#options.locomotion();
    const head = this.#options.rig.object3D.position.clone();
    if (!locomotion || !this.#options.headOf(idTag, head)) return;
    const position = locomotion.rigPosition;
    const [dx, dz] = [position.x - head.x, position.z - head.z];
    const distance = Math.hypot(dx, dz) || 1;
    // Approaches from the user's side. The user's height stays, unless the person is on another floor.
    const [x, z] = [head.x + (dx / distance) * BEFORE_PERSON_M, head.z + (dz / distance) * BEFORE_PERSON_M];
    const floor = head.y - EYE_HEIGHT_M;
    const y = Math.abs(floor - position.y) < OTHER_FLOOR_M ? position.y : floor;
    locomotion.goTo({ x, y, z });
    locomotion.face(Math.atan2(x - head.x, z - head.z));
  }

  #lookAt(target: Xyz | string): void {
    const { scene, rig, find, headOf } = this.#options;
    const { camera } = scene;
    if (!camera) return;
    rig.object3D.updateWorldMatrix(true, true);
    const eyes = camera.getWorldPosition(rig.object3D.position.clone());
    const at = eyes.clone();
    if (typeof target !== "string") at.set(target.x, target.y, target.z);
    else if (!headOf(target, at)) {
      const object = find(target);
      if (!object) return;
      object.getWorldPosition(at);
    }
    const gaze = lookTowards(eyes, at);
    if (gaze) this.#look(gaze);
  }

  #look({ yawRad, pitchRad }: Gaze): void {
    const { scene, camera, locomotion } = this.#options;
    if (!scene.is("vr-mode") && !scene.is("ar-mode")) nod(camera, pitchRad);
    locomotion()?.face(yawRad);
  }
}
