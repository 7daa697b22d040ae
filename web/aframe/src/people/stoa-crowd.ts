/**
 * Far people in at most five instanced draw calls. Belongs on the entity that contains all people. Page:
 * docs/components/stoa-crowd.md
 */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import type { Clock } from "../clock.ts";
import { COLORS_MAX, CROWD_MIN, RAISED_ABOVE_M } from "../limits.ts";
import { dispose } from "../meshes.ts";
import { color as checkedColor } from "../values.ts";
import { eyeParts, handParts, headParts, raisedParts, trunk } from "./body-parts.ts";
import type { PoseArray } from "./interpolation.ts";
import { mergedGeometry } from "./merged-geometry.ts";
import type { PoseTrack } from "./track.ts";

/** A person in the crowd. */
export interface DistantPerson {
  readonly head: PoseTrack;
  readonly left: PoseTrack | null;
  readonly right: PoseTrack | null;
  /** Whether a raised hand is shown over the head. */
  readonly isRaised: boolean;
  /** A CSS colour. */
  readonly color: string;
}

/** The source of the crowd's people. */
export interface CrowdSource {
  /** Once per render frame before drawing; `eyes` is the user's camera position. */
  tick(nowMs: number, eyes: Three.Vector3): void;
  readonly distant: Iterable<DistantPerson>;
}

const DEFAULT_COLOR = "#4f7cac";
/** Share of the full number of edges: a fifth of the triangles. */
const DETAIL = 0.4;
const PARTS = ["head", "eyes", "body", "hands", "raised"] as const;
type CrowdPartName = (typeof PARTS)[number];

/** The crowd's instanced meshes. */
export class CrowdBehaviour implements Behaviour<unknown> {
  source: CrowdSource | null = null;

  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #now: Clock;
  readonly #meshes = new Map<CrowdPartName, Three.InstancedMesh>();
  readonly #colors = new Map<string, Three.Color>();
  readonly #pose: PoseArray = new Float64Array(7);
  readonly #eyes: Three.Vector3;
  readonly #position: Three.Vector3;
  readonly #rotation: Three.Quaternion;
  readonly #scale: Three.Vector3;
  readonly #matrix: Three.Matrix4;

  constructor(aframe: AFrameAdapter, el: Entity, now: Clock) {
    this.#aframe = aframe;
    this.#el = el;
    this.#now = now;
    this.#eyes = new aframe.THREE.Vector3();
    this.#position = new aframe.THREE.Vector3();
    this.#rotation = new aframe.THREE.Quaternion();
    this.#scale = new aframe.THREE.Vector3(1, 1, 1);
    this.#matrix = new aframe.THREE.Matrix4();
  }

  /** Number of people in the crowd. */
  get count(): number {
    return this.#meshes.get("head")?.count ?? 0;
  }

  tick(): void {
    const { source } = this;
    if (source === null) return;
    const nowMs = this.#now();
    this.#el.sceneEl?.camera?.getWorldPosition(this.#eyes);
    source.tick(nowMs, this.#eyes);
    for (const mesh of this.#meshes.values()) mesh.count = 0;
    for (const person of source.distant) this.#draw(person, nowMs);
    for (const mesh of this.#meshes.values()) markForUpload(mesh);
  }

  remove(): void {
    this.source = null;
    for (const part of PARTS) this.#drop(part);
  }

  #draw({ head, left, right, color: css, isRaised }: DistantPerson, nowMs: number): void {
    if (!head.isKnown) return;
    const color = this.#colorOf(css);
    head.sample(nowMs, this.#pose);
    this.#compose();
    this.#put("head", color);
    this.#put("eyes", null);
    // The body stays upright when the head nods.
    this.#rotation.set(0, this.#rotation.y, 0, this.#rotation.w).normalize();
    this.#matrix.compose(this.#position, this.#rotation, this.#scale);
    this.#put("body", color);
    if (isRaised) {
      this.#position.y += RAISED_ABOVE_M;
      this.#matrix.compose(this.#position, this.#rotation, this.#scale);
      this.#put("raised", color);
    }
    this.#drawHand(left, color, nowMs);
    this.#drawHand(right, color, nowMs);
  }

  #drawHand(hand: PoseTrack | null, color: Three.Color, nowMs: number): void {
    if (hand === null || !hand.isKnown) return;
    hand.sample(nowMs, this.#pose);
    this.#compose();
    this.#put("hands", color);
  }

  #colorOf(css: string): Three.Color {
    const known = this.#colors.get(css);
    if (known !== undefined) return known;
    if (this.#colors.size >= COLORS_MAX) this.#colors.clear();
    const color = new this.#aframe.THREE.Color(checkedColor(css) ?? DEFAULT_COLOR);
    this.#colors.set(css, color);
    return color;
  }

  #compose(): void {
    const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = this.#pose;
    this.#position.set(x, y, z);
    this.#rotation.set(qx, qy, qz, qw);
    this.#matrix.compose(this.#position, this.#rotation, this.#scale);
  }

  /** Adds an instance of a part at `#matrix`. */
  #put(part: CrowdPartName, color: Three.Color | null): void {
    const mesh = this.#withRoom(part);
    mesh.setMatrixAt(mesh.count, this.#matrix);
    if (color !== null) mesh.setColorAt(mesh.count, color);
    mesh.count += 1;
  }

  #withRoom(part: CrowdPartName): Three.InstancedMesh {
    const before = this.#meshes.get(part);
    if (before !== undefined && before.count < before.instanceMatrix.count) return before;
    const { THREE } = this.#aframe;
    const geometry = before?.geometry.clone() ?? this.#geometry(part);
    const material = new THREE.MeshLambertMaterial({ vertexColors: true });
    const mesh = new THREE.InstancedMesh(geometry, material, Math.max(CROWD_MIN, 2 * (before?.count ?? 0)));
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    // The instances cover the whole scene, so their bounds aren't worth computing.
    mesh.frustumCulled = false;
    mesh.count = before?.count ?? 0;
    if (before !== undefined) {
      mesh.instanceMatrix.array.set(before.instanceMatrix.array);
      if (before.instanceColor !== null && mesh.count > 0) {
        mesh.setColorAt(0, new THREE.Color());
        mesh.instanceColor?.array.set(before.instanceColor.array);
      }
    }
    this.#drop(part);
    this.#el.setObject3D(nameOf(part), mesh);
    this.#meshes.set(part, mesh);
    return mesh;
  }

  #geometry(part: CrowdPartName): Three.BufferGeometry {
    const white = "#ffffff";
    switch (part) {
      case "head":
        return mergedGeometry(this.#aframe, headParts(this.#aframe, white, DETAIL));
      case "eyes":
        return mergedGeometry(this.#aframe, eyeParts(this.#aframe, DETAIL));
      case "body":
        return mergedGeometry(this.#aframe, [trunk(this.#aframe, white, DETAIL)]);
      case "raised":
        return mergedGeometry(this.#aframe, raisedParts(this.#aframe, white, DETAIL));
      case "hands":
        return mergedGeometry(this.#aframe, handParts(this.#aframe, white, DETAIL));
    }
  }

  #drop(part: CrowdPartName): void {
    const mesh = this.#meshes.get(part);
    if (mesh === undefined) return;
    this.#meshes.delete(part);
    this.#el.removeObject3D(nameOf(part));
    dispose(mesh);
  }
}

function nameOf(part: CrowdPartName): string {
  return `stoa-crowd-${part}`;
}

/** Marks the drawn instances for upload to the GPU. */
function markForUpload(mesh: Three.InstancedMesh): void {
  mesh.visible = mesh.count > 0;
  for (const attribute of [mesh.instanceMatrix, mesh.instanceColor]) {
    if (attribute === null) continue;
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, mesh.count * attribute.itemSize);
    attribute.needsUpdate = true;
  }
}

/** Registers `stoa-crowd`. */
export function registerCrowd(aframe: AFrameAdapter, now: Clock): void {
  aframe.registerComponent<object, CrowdBehaviour>({
    name: "stoa-crowd",
    schema: {},
    create: (el) => new CrowdBehaviour(aframe, el, now),
  });
}
