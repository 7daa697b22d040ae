/**
 * The user's locomotion: walking, turning, flying, sitting. Belongs on the rig. Page:
 * docs/components/stoa-locomotion.md
 */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { DEAD_ZONE, SITTING_EYES_M, SNAP_AT, SPEED_M_PER_S, STEP_MAX_S, TURN_DEG_PER_S } from "../limits.ts";
import type { Xyz } from "../values.ts";
import { COMFORT } from "./comfort.ts";
import { type Floor, OpenGround } from "./floor.ts";
import { type MovementInput, MovementKeys } from "./movement-keys.ts";
import type { SceneSittingPose } from "./stoa-seat.ts";
import { ThumbstickEdgeDetector } from "./thumbstick.ts";

export interface LocomotionSettings {
  readonly enabled: boolean;
  /** Metres per second. */
  readonly speed: number;
  /** `snap`: by a fixed angle; `smooth`: continuously. */
  readonly turn: "snap" | "smooth";
  /** Angle of a snap turn, in degrees. */
  readonly angle: number;
  /** Whether the user may leave the floor. */
  readonly fly: boolean;
  /** Extra eye height in VR, in metres, for users who sit at home but stand in the scene. */
  readonly raise: number;
  /** Whether letter keys move the user, besides arrows and page keys. */
  readonly letterKeys: boolean;
}

/** The defaults. */
export const LOCOMOTION: LocomotionSettings = {
  enabled: true,
  speed: COMFORT.speed,
  turn: COMFORT.turn,
  angle: COMFORT.angle,
  fly: false,
  raise: COMFORT.raise,
  letterKeys: COMFORT.letterKeys,
};

const DEGREE = Math.PI / 180;

/** Moves the rig. */
export class LocomotionBehaviour implements Behaviour<LocomotionSettings> {
  /** The floor in use. */
  floor: Floor = new OpenGround();

  readonly #el: Entity;
  readonly #keys: MovementKeys;
  readonly #snap = new ThumbstickEdgeDetector(SNAP_AT);
  readonly #input: MovementInput = { x: 0, y: 0, z: 0, turn: 0, snap: 0 };
  readonly #step: Three.Vector3;
  readonly #to: Three.Vector3;
  readonly #pivot: Three.Vector3;
  readonly #up: Three.Vector3;
  readonly #facing: Three.Quaternion;
  readonly #beforeSitting: Three.Vector3;
  #settings = LOCOMOTION;
  #padX = 0;
  #padZ = 0;
  #isSeated = false;
  #isGliding = false;
  #raisedM = 0;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#el = el;
    this.#step = new aframe.THREE.Vector3();
    this.#to = new aframe.THREE.Vector3();
    this.#pivot = new aframe.THREE.Vector3();
    this.#up = new aframe.THREE.Vector3(0, 1, 0);
    this.#facing = new aframe.THREE.Quaternion();
    this.#beforeSitting = new aframe.THREE.Vector3();
    this.#keys = new MovementKeys(el.ownerDocument.defaultView);
  }

  /** Whether the user moves continuously by an input device, which can cause motion sickness. */
  get isGliding(): boolean {
    return this.#isGliding;
  }

  get isSeated(): boolean {
    return this.#isSeated;
  }

  update(settings: LocomotionSettings): void {
    this.#settings = settings;
    this.#keys.setEnabled(settings.enabled);
    this.#keys.setLetters(settings.letterKeys);
  }

  /** Input of the on-screen joystick: -1 to 1 each, x to the right, z backwards. */
  setMove(x: number, z: number): void {
    this.#padX = clamp(x);
    this.#padZ = clamp(z);
  }

  /** Teleports to a position on the floor. The eyes end above it, wherever the head is in the tracked room. */
  goTo({ x, y, z }: Xyz): void {
    this.#isSeated = false;
    const { position } = this.#el.object3D;
    const camera = this.#el.sceneEl?.camera;
    if (!camera) {
      position.set(x, y, z);
      return;
    }
    camera.getWorldPosition(this.#pivot);
    position.set(x + position.x - this.#pivot.x, y + this.#raisedM, z + position.z - this.#pivot.z);
  }

  /** Turns the rig so that the view has a heading; 0 is along -z. */
  face(yawRad: number): void {
    const camera = this.#el.sceneEl?.camera;
    if (!camera) return;
    camera.getWorldQuaternion(this.#facing);
    this.#step.set(0, 0, -1).applyQuaternion(this.#facing);
    this.#turn(yawRad - Math.atan2(-this.#step.x, -this.#step.z), camera);
  }

  /** Moves the eyes to a position at any height. */
  eyesTo({ x, y, z }: Xyz): void {
    const camera = this.#el.sceneEl?.camera;
    if (!camera) return;
    this.#isSeated = false;
    this.#el.object3D.updateWorldMatrix(true, true);
    camera.getWorldPosition(this.#pivot);
    this.#el.object3D.position.add(this.#step.set(x, y, z).sub(this.#pivot));
  }

  /** Moves the rig, the origin of the tracked room, to a position, and turns it to `yawRad` if given. */
  placeRig({ x, y, z }: Xyz, yawRad: number | null): void {
    this.#isSeated = false;
    const { position, rotation } = this.#el.object3D;
    position.set(x, y + this.#raisedM, z);
    if (yawRad !== null) rotation.set(0, yawRad, 0);
  }

  /** The rig's position without the raise, as {@link placeRig} takes it. */
  get rigPosition(): Xyz {
    const { x, y, z } = this.#el.object3D.position;
    return { x, y: y - this.#raisedM, z };
  }

  /** Sits down. Walking later returns to the position before sitting. */
  sit({ position: { x, y, z }, yawRad }: SceneSittingPose): void {
    const { camera } = this.#el.sceneEl ?? {};
    if (!camera) return;
    const { position } = this.#el.object3D;
    if (!this.#isSeated) this.#beforeSitting.copy(this.rigPosition);
    this.face(yawRad);
    this.#el.object3D.updateWorldMatrix(true, true);
    camera.getWorldPosition(this.#pivot);
    position.add(this.#step.set(x, y + SITTING_EYES_M, z).sub(this.#pivot));
    this.#isSeated = true;
  }

  stand(): void {
    if (!this.#isSeated) return;
    this.#isSeated = false;
    this.placeRig(this.#beforeSitting, null);
  }

  /** Moves onto the floor's nearest part within a distance, for a user who arrived before the floor had loaded. */
  settle(withinM: number): void {
    const { x, y, z } = this.rigPosition;
    if (this.#isSeated || this.floor.landing(x, y, z) !== null) return;
    const place = this.floor.nearest?.({ x, y, z }, "level");
    if (place && Math.hypot(place.x - x, place.z - z) <= withinM) this.goTo(place);
  }

  tick(_timeMs: number, deltaMs: number): void {
    const camera = this.#el.sceneEl?.camera;
    this.#isGliding = false;
    if (!camera) return;
    this.#raise();
    if (!this.#settings.enabled) return;
    this.#readInput();
    const seconds = Math.min(STEP_MAX_S, deltaMs / 1_000);
    this.#rotate(camera, seconds);
    this.#walk(camera, seconds);
  }

  remove(): void {
    this.#keys.remove();
  }

  /** Sums the input of keys, joystick and thumbsticks. */
  #readInput(): void {
    const { fly, turn } = this.#settings;
    const asked = this.#input;
    asked.x = this.#padX;
    asked.z = this.#padZ;
    asked.y = asked.turn = asked.snap = 0;
    this.#keys.addTo(asked);
    const sources = this.#el.sceneEl?.xrSession?.inputSources;
    for (let at = 0; at < (sources?.length ?? 0); at += 1) {
      const source = sources?.[at];
      const axes = source?.gamepad?.axes;
      const [x, y] = [axes?.[2] ?? 0, axes?.[3] ?? 0];
      if (source?.handedness === "right") this.#rightStick(x, y, fly);
      else if (Math.hypot(x, y) > DEAD_ZONE) {
        asked.x += x;
        asked.z += y;
      }
    }
    if (turn === "snap") asked.turn = 0;
    else asked.snap = 0;
  }

  /**
   * The right stick turns. Pushed forward it starts a teleport (`stoa-teleport`). In scenes that allow flying it
   * moves up and down instead.
   */
  #rightStick(x: number, y: number, fly: boolean): void {
    const sideways = Math.abs(x) > Math.abs(y) ? x : 0;
    this.#input.snap += this.#snap.push(sideways);
    if (Math.abs(sideways) > DEAD_ZONE) this.#input.turn += sideways;
    if (fly && sideways === 0 && Math.abs(y) > DEAD_ZONE) this.#input.y -= y;
  }

  #rotate(camera: Three.Object3D, seconds: number): void {
    const { snap, turn } = this.#input;
    if (snap !== 0) this.#turn(-snap * this.#settings.angle * DEGREE, camera);
    if (turn === 0) return;
    this.#isGliding = true;
    this.#turn(-clamp(turn) * TURN_DEG_PER_S * DEGREE * seconds, camera);
  }

  /** Rotates about the head, wherever it is in the tracked room. */
  #turn(angle: number, camera: Three.Object3D): void {
    const rig = this.#el.object3D;
    camera.getWorldPosition(this.#pivot);
    rig.position.sub(this.#pivot).applyAxisAngle(this.#up, angle).add(this.#pivot);
    rig.rotateY(angle);
  }

  #walk(camera: Three.Object3D, seconds: number): void {
    const { x, y, z } = this.#input;
    const { fly, speed } = this.#settings;
    if (x * x + z * z < 1e-6 && (!fly || y === 0)) return;
    if (this.#isSeated) {
      this.stand();
      return;
    }
    this.#step.set(x, 0, z);
    if (this.#step.lengthSq() > 1) this.#step.normalize();
    const share = this.#step.length();
    camera.getWorldQuaternion(this.#facing);
    this.#step.applyQuaternion(this.#facing).setY(0);
    // A vertical gaze has no forward direction: standing still is better than a jump.
    const length = this.#step.length();
    if (length > 1e-3) this.#step.multiplyScalar(share / length);
    if (fly) this.#step.y = clamp(y);
    const { min, max } = SPEED_M_PER_S;
    this.#step.multiplyScalar(Math.min(max, Math.max(min, speed)) * seconds);
    this.#isGliding = true;
    this.#moveRig(fly);
  }

  /** Steps with the feet, which are below the rig by its extra height. */
  #moveRig(fly: boolean): void {
    const { position } = this.#el.object3D;
    position.y -= this.#raisedM;
    this.#to.copy(position).add(this.#step);
    if (!fly) this.floor.step(position, this.#to);
    position.copy(this.#to);
    position.y += this.#raisedM;
  }

  #raise(): void {
    const wanted = this.#el.sceneEl?.is("vr-mode") === true ? this.#settings.raise : 0;
    this.#el.object3D.position.y += wanted - this.#raisedM;
    this.#raisedM = wanted;
  }
}

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0;
}

/** Registers `stoa-locomotion`. */
export function registerLocomotion(aframe: AFrameAdapter): void {
  aframe.registerComponent<LocomotionSettings, LocomotionBehaviour>({
    name: "stoa-locomotion",
    schema: {
      enabled: { type: "boolean", default: LOCOMOTION.enabled },
      speed: { type: "number", default: LOCOMOTION.speed },
      turn: { type: "string", default: LOCOMOTION.turn },
      angle: { type: "number", default: LOCOMOTION.angle },
      fly: { type: "boolean", default: LOCOMOTION.fly },
      raise: { type: "number", default: LOCOMOTION.raise },
      letterKeys: { type: "boolean", default: LOCOMOTION.letterKeys },
    },
    create: (el) => new LocomotionBehaviour(aframe, el),
  });
}
