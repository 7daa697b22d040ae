/**
 * Places the scene in the user's room, on the surface in view in AR. Belongs on the rig. Page:
 * docs/components/stoa-placing.md
 */
import type { ClientEvent } from "@stoa/client";
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { dispose } from "../meshes.ts";
import { OWN_LOOK, OwnPanel, type RigSpacePose } from "../panels/own-panel.ts";
import type { CapturedPress } from "../pressing/stoa-pointer.ts";
import type { LocomotionBehaviour } from "./stoa-locomotion.ts";

export interface ArPlacementSettings {
  /** Hint shown while placing; empty disables placing. */
  readonly hint: string;
  /** Label of the button that ends placing and keeps the position. */
  readonly keep: string;
  /** ARENA's `ar-hit-test`: the reticle stays, and presses on the room emit events. */
  readonly tells: boolean;
  /** A picture in place of the ring, and its size in metres. */
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

const MARK = "stoa-placing";
const RING_M = { inner: 0.12, outer: 0.15 } as const;
const HINT_SCALE = 0.35;
const HINT_WIDTH_M = 1.2;
const HINT_BELOW_M = 0.18;
/** Smallest upward component of a horizontal surface's normal: a table passes, a wall doesn't. */
const LYING = 0.8;
/** A hit horizontally nearer than this is below the user, so it has no direction. */
const NEAR_M = 0.05;

/** Places the scene. */
export class ScenePlacementBehaviour implements Behaviour<ArPlacementSettings> {
  locomotion: Pick<LocomotionBehaviour, "placeRig"> | null = null;
  /** A pose for a panel in front of the user. */
  placeAhead: (belowM: number) => RigSpacePose | null = () => null;
  /** The set of raycast targets has changed. */
  onTargets: () => void = () => undefined;
  /** Sends a press on the room to the scene. */
  onHit: (event: ClientEvent) => void = () => undefined;

  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #hint: OwnPanel;
  readonly #at: Three.Vector3;
  readonly #up: Three.Vector3;
  readonly #eyes: Three.Vector3;
  readonly #direction: Three.Vector3;
  #settings: ArPlacementSettings = { hint: "", keep: "", tells: false, src: "", width: 0.5, height: 0.5 };
  #session: XRSession | null = null;
  #source: XRHitTestSource | null = null;
  #isPlacing = false;

  constructor(aframe: AFrameAdapter, el: Entity) {
    const { THREE } = aframe;
    this.#aframe = aframe;
    this.#el = el;
    this.#hint = new OwnPanel(el, HINT_SCALE, () => this.#end());
    [this.#at, this.#up] = [new THREE.Vector3(), new THREE.Vector3()];
    [this.#eyes, this.#direction] = [new THREE.Vector3(), new THREE.Vector3()];
  }

  /** Whether placing is possible now: in AR, on a device that supports hit tests. */
  get isAble(): boolean {
    return this.#source !== null;
  }

  /** The raycast targets. */
  get targets(): readonly Three.Object3D[] {
    return this.#hint.target ? [this.#hint.target] : [];
  }

  owns(el: Entity | null): boolean {
    return this.#hint.is(el);
  }

  update(settings: ArPlacementSettings): void {
    const { src, width, height } = this.#settings;
    const isOther = src !== settings.src || width !== settings.width || height !== settings.height;
    this.#settings = settings;
    if (isOther) this.#removeMark();
  }

  /** Starts placing, if it is possible now and the settings have a hint. */
  start(): void {
    const { hint, keep } = this.#settings;
    if (!this.isAble || hint === "") return;
    this.#isPlacing = true;
    const buttons = [{ name: keep }];
    this.#hint.show({ ...OWN_LOOK, kind: "prompt", description: hint, buttons, width: HINT_WIDTH_M });
    this.onTargets();
  }

  /** Handles a press that hit none of the user's own panels; `isOnObject`: it hit an object. */
  take(isOnObject: boolean): CapturedPress | null {
    const mark = this.#mark;
    if (this.#isPlacing) {
      if (mark?.visible) this.#place(mark.position);
      return { move: () => undefined, end: () => undefined };
    }
    if (isOnObject || !this.#settings.tells || !mark?.visible) return null;
    this.#sendHit("hitstart", mark);
    return { move: () => undefined, end: () => this.#sendHit("hitend", mark) };
  }

  tick(): void {
    const { sceneEl } = this.#el;
    const session = (sceneEl?.is("ar-mode") && sceneEl.xrSession) || null;
    if (session !== this.#session) this.#changeSession(session);
    const isWanted = this.#source !== null && (this.#isPlacing || this.#settings.tells);
    if (isWanted) this.#updateReticle();
    else if (this.#mark) this.#mark.visible = false;
    if (!this.#isPlacing) return;
    const place = this.placeAhead(HINT_BELOW_M);
    if (place) this.#hint.place(place);
  }

  remove(): void {
    this.#changeSession(null);
    this.#removeMark();
  }

  get #mark(): Three.Object3D | undefined {
    return this.#el.getObject3D(MARK);
  }

  /**
   * Cancels the hit test source of the previous XR session and requests one for the new session. Without support the
   * scene keeps its position.
   */
  #changeSession(session: XRSession | null): void {
    const before = this.#source;
    [this.#session, this.#source] = [session, null];
    if (before) cancel(before);
    this.#end();
    if (session?.requestHitTestSource === undefined) return;
    this.#requestSource(session).catch(() => undefined);
  }

  async #requestSource(session: XRSession): Promise<void> {
    const space = await session.requestReferenceSpace("viewer");
    const source = await session.requestHitTestSource?.({ space });
    if (source === undefined) return;
    if (session !== this.#session) {
      source.cancel();
      return;
    }
    this.#source = source;
    this.start();
  }

  #end(): void {
    this.#isPlacing = false;
    this.#hint.hide();
    this.onTargets();
  }

  /** Moves the reticle to the surface in view. */
  #updateReticle(): void {
    const { sceneEl } = this.#el;
    const [frame, space] = [sceneEl?.frame, sceneEl?.renderer.xr.getReferenceSpace()];
    if (!frame || !space || !this.#source) return;
    const pose = frame.getHitTestResults(this.#source)[0]?.getPose(space);
    const mark = this.#mark ?? this.#draw();
    mark.visible = false;
    if (!pose) return;
    const { position, orientation } = pose.transform;
    mark.position.set(position.x, position.y, position.z);
    mark.quaternion.set(orientation.x, orientation.y, orientation.z, orientation.w);
    this.#up.set(0, 1, 0).applyQuaternion(mark.quaternion);
    mark.visible = !this.#isPlacing || this.#up.y >= LYING;
  }

  /** Moves the rig so that the scene's origin is at the point, with the scene's +z axis towards the user. */
  #place({ x, y, z }: Three.Vector3): void {
    const { camera } = this.#el.sceneEl ?? {};
    if (!camera) return;
    this.#el.object3D.updateWorldMatrix(true, true);
    camera.getWorldPosition(this.#eyes);
    this.#el.object3D.worldToLocal(this.#eyes);
    this.#direction.set(x - this.#eyes.x, 0, z - this.#eyes.z);
    if (this.#direction.length() < NEAR_M) {
      camera.getWorldDirection(this.#direction).applyQuaternion(this.#el.object3D.quaternion.clone().invert());
    }
    const yawRad = -Math.atan2(-this.#direction.x, -this.#direction.z);
    const [sin, cos] = [Math.sin(yawRad), Math.cos(yawRad)];
    this.locomotion?.placeRig({ x: -(x * cos + z * sin), y: -y, z: -(z * cos - x * sin) }, yawRad);
    this.#end();
  }

  #sendHit(type: string, mark: Three.Object3D): void {
    mark.updateWorldMatrix(true, false);
    const [at, turned] = [mark.getWorldPosition(this.#at), mark.getWorldQuaternion(mark.quaternion.clone())];
    this.#el.sceneEl?.camera?.getWorldPosition(this.#eyes);
    const { x, y, z, w } = turned;
    this.onHit({
      type,
      target: "",
      targetPosition: [at.x, at.y, at.z],
      originPosition: [this.#eyes.x, this.#eyes.y, this.#eyes.z],
      more: { targetRotation: { x, y, z, w } },
    });
  }

  /** A flat ring, or the scene's own picture. */
  #draw(): Three.Object3D {
    const { THREE } = this.#aframe;
    const { src, width, height } = this.#settings;
    const isRing = src === "";
    const shape = isRing
      ? new THREE.RingGeometry(RING_M.inner, RING_M.outer, 48)
      : new THREE.PlaneGeometry(width, height);
    const map = isRing ? null : new THREE.TextureLoader().load(src);
    if (map) map.colorSpace = THREE.SRGBColorSpace;
    const paint = new THREE.MeshBasicMaterial({ map, transparent: true, side: THREE.DoubleSide, fog: false });
    const mark = new THREE.Group().add(new THREE.Mesh(shape.rotateX(-Math.PI / 2), paint));
    this.#el.setObject3D(MARK, mark);
    return mark;
  }

  #removeMark(): void {
    const mark = this.#mark;
    if (!mark) return;
    this.#el.removeObject3D(MARK);
    dispose(mark);
  }
}

/** Cancels a hit test source, which throws if the XR session has ended. */
function cancel(source: XRHitTestSource): void {
  try {
    source.cancel();
  } catch {
    // The XR session has ended, so there is nothing to cancel.
  }
}

/** Registers `stoa-placing`. */
export function registerPlacing(aframe: AFrameAdapter): void {
  const text = { type: "plain", default: "" };
  aframe.registerComponent<ArPlacementSettings, ScenePlacementBehaviour>({
    name: "stoa-placing",
    schema: {
      hint: text,
      keep: text,
      tells: { type: "boolean", default: false },
      src: text,
      width: { type: "number", default: 0.5 },
      height: { type: "number", default: 0.5 },
    },
    create: (el) => new ScenePlacementBehaviour(aframe, el),
  });
}
