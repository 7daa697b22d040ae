/**
 * Draws plain shapes of equal appearance in one call. Belongs on the entity that contains all objects. Page:
 * docs/components/stoa-batches.md
 */
import type { AFrameAdapter, Behaviour, Entity, SceneElement, Three } from "../aframe.ts";
import { BATCHED_LAYER, BATCHED_MIN, BATCHED_TURNS, CALM_FRAMES } from "../limits.ts";
import { isSeen } from "../scene-graph.ts";
import { Batch } from "./batch.ts";
import { BATCH_KEY_LENGTH, type PlainMesh, readBatchKey } from "./batch-key.ts";
import { updateMatricesOnChange } from "./matrix-updates.ts";
import { ShadowRenewal } from "./shadow-renewal.ts";

interface BatchCandidate {
  readonly mesh: PlainMesh;
  /** The entity's three.js object: the mesh, or a group that contains it. */
  readonly root: Three.Object3D;
  readonly key: Float64Array;
  readonly layers: number;
  /** The group of equal appearance, if the shape is plain. */
  group: BatchGroup | null;
  /** Instance id in the batch, and the state last written there. */
  number: number;
  isShown: boolean;
  geometry: Three.BufferGeometry;
  readonly color: Float64Array;
  /** Whether the batch still needs the new matrix. */
  hasMoved: boolean;
  /** Remaining frames of checks in every frame after a change. */
  livelyFrames: number;
  readonly turn: number;
}

/** A group of meshes that is added, removed and hidden as a whole. */
interface BatchedMeshGroup {
  readonly root: Three.Object3D;
  readonly members: Set<BatchCandidate>;
  isShown: boolean;
}

/** Shapes of equal appearance, drawn one by one up to a minimum count, then batched until the group is empty. */
interface BatchGroup {
  readonly key: string;
  readonly members: Set<BatchCandidate>;
  batch: Batch | null;
}

const UNBATCHED = -1;

/** Batches the plain shapes of a scene. */
export class BatchesBehaviour implements Behaviour<unknown> {
  readonly #aframe: AFrameAdapter;
  readonly #scene: Three.Object3D;
  readonly #members = new Map<Three.Object3D, BatchCandidate>();
  readonly #groups = new Map<string, BatchGroup>();
  readonly #assemblies = new Map<Three.Object3D, BatchedMeshGroup>();
  readonly #currentKey = new Float64Array(BATCH_KEY_LENGTH);
  readonly #listening = new AbortController();
  readonly #turns = Array.from({ length: BATCHED_TURNS }, () => new Set<BatchCandidate>());
  readonly #lively = new Set<BatchCandidate>();
  readonly #moved: BatchCandidate[] = [];
  readonly #shadows: ShadowRenewal;
  /** Objects that outlive their scene's entities, with optimized matrix updates to undo on removal. */
  readonly #optimized: readonly Three.Object3D[];
  #turn = 0;

  constructor(aframe: AFrameAdapter, el: Entity, { object3D: scene, renderer }: SceneElement) {
    this.#aframe = aframe;
    this.#scene = scene;
    this.#shadows = new ShadowRenewal(scene, renderer?.shadowMap);
    const { signal } = this.#listening;
    el.addEventListener("object3dset", (event) => this.#handleObjectSet(event), { signal });
    this.#optimized = [scene, el.object3D].filter((object) => !Object.hasOwn(object, "updateMatrixWorld"));
    for (const object of this.#optimized) updateMatricesOnChange(aframe, object);
    // Runs after the frame's matrix updates and before rendering.
    scene.onBeforeRender = () => this.sync();
  }

  /** Number of batched meshes. */
  get count(): number {
    return [...this.#members.values()].filter(({ number }) => number !== UNBATCHED).length;
  }

  remove(): void {
    this.#listening.abort();
    for (const member of [...this.#members.values()]) this.#drop(member);
    Reflect.deleteProperty(this.#scene, "onBeforeRender");
    for (const object of this.#optimized) Reflect.deleteProperty(object, "updateMatrixWorld");
    this.#shadows.remove();
  }

  /**
   * Synchronizes the batches. Animations write without notification, so all shapes are polled in turns, and recently
   * changed ones in every frame.
   */
  sync(): void {
    this.#turn = (this.#turn + 1) % BATCHED_TURNS;
    for (const assembly of this.#assemblies.values()) this.#showWhole(assembly);
    for (const member of this.#turns[this.#turn] ?? []) this.#check(member);
    for (const member of this.#lively) {
      if (member.turn !== this.#turn) this.#check(member);
      member.livelyFrames -= 1;
      if (member.livelyFrames <= 0) this.#lively.delete(member);
    }
    for (const member of this.#moved) this.#move(member);
    this.#moved.length = 0;
    this.#shadows.handleFrame();
  }

  #handleObjectSet(event: Event): void {
    const { object, type }: { object?: unknown; type?: unknown } = event instanceof CustomEvent ? event.detail : {};
    if (!(object instanceof this.#aframe.THREE.Object3D)) return;
    this.#shadows.stir();
    // People and hands must not rest: they can start to move at any moment.
    const rests = event.target instanceof HTMLElement && event.target.dataset.objectId !== undefined;
    const moved = () => this.#shadows.stir();
    if (object.parent !== null) updateMatricesOnChange(this.#aframe, object.parent, { rests });
    // A group named `mesh` is a model with its own structure.
    if (type === "mesh" && !isMesh(object)) updateMatricesOnChange(this.#aframe, object, { rests, moved });
    else object.traverse((one) => this.#add(one, { root: object, rests }));
  }

  #add(object: Three.Object3D, { root, rests }: { readonly root: Three.Object3D; readonly rests: boolean }): void {
    if (this.#members.has(object)) return;
    if (!isMesh(object)) {
      updateMatricesOnChange(
        this.#aframe,
        object,
        "isLight" in object ? { rests, moved: () => this.#shadows.stir() } : { rests },
      );
      return;
    }
    const member: BatchCandidate = {
      mesh: object,
      root,
      key: new Float64Array(BATCH_KEY_LENGTH),
      layers: object.layers.mask,
      group: null,
      number: UNBATCHED,
      isShown: true,
      geometry: object.geometry,
      color: new Float64Array(3),
      hasMoved: false,
      livelyFrames: 0,
      turn: this.#members.size % BATCHED_TURNS,
    };
    this.#members.set(object, member);
    this.#turns[member.turn]?.add(member);
    if (root !== object) this.#assemble(member);
    updateMatricesOnChange(this.#aframe, object, { rests, moved: () => this.#handleMoved(member) });
  }

  #assemble(member: BatchCandidate): void {
    const { root } = member;
    const assembly = this.#assemblies.get(root) ?? { root, members: new Set(), isShown: false };
    this.#assemblies.set(root, assembly);
    assembly.members.add(member);
  }

  /** Shows or hides all meshes of a group in one frame, not one by one in turns. */
  #showWhole(assembly: BatchedMeshGroup): void {
    const { root, members } = assembly;
    const isShown = isSeen(root);
    if (isShown === assembly.isShown) return;
    assembly.isShown = isShown;
    for (const member of members) this.#check(member);
  }

  #handleMoved(member: BatchCandidate): void {
    if (member.mesh.castShadow) this.#shadows.stir();
    if (member.number === UNBATCHED || member.hasMoved) return;
    member.hasMoved = true;
    this.#moved.push(member);
  }

  #move(member: BatchCandidate): void {
    member.hasMoved = false;
    if (member.number !== UNBATCHED) member.group?.batch?.mesh.setMatrixAt(member.number, member.mesh.matrixWorld);
  }

  #check(member: BatchCandidate): void {
    if (member.root.parent === null) {
      this.#drop(member);
      return;
    }
    this.#updateKey(member);
    const batch = member.group?.batch;
    if (!batch) return;
    const isNew = member.number === UNBATCHED || member.geometry !== member.mesh.geometry;
    if (isNew) this.#enter(member, batch);
    if (!writeChanges(member, batch) && !isNew) return;
    if (member.mesh.castShadow) this.#shadows.stir();
    member.livelyFrames = CALM_FRAMES;
    this.#lively.add(member);
  }

  #updateKey(member: BatchCandidate): void {
    const { mesh, key } = member;
    const isPlain = !Array.isArray(mesh.material) && readBatchKey(mesh, this.#currentKey);
    if (!isPlain) this.#leave(member);
    else if (member.group === null || !equal(key, this.#currentKey)) {
      this.#leave(member);
      key.set(this.#currentKey);
      this.#join(member);
    }
  }

  #join(member: BatchCandidate): void {
    const key = member.key.join();
    const group: BatchGroup = this.#groups.get(key) ?? { key, members: new Set(), batch: null };
    this.#groups.set(key, group);
    group.members.add(member);
    member.group = group;
    if (group.members.size >= BATCHED_MIN) group.batch ??= new Batch(this.#aframe, this.#scene, member.mesh);
  }

  #enter(member: BatchCandidate, batch: Batch): void {
    if (member.number !== UNBATCHED) batch.remove(member.number, member.geometry);
    member.geometry = member.mesh.geometry;
    member.number = batch.add(member.mesh);
    member.isShown = true;
    member.color.fill(Number.NaN);
    this.#move(member);
    member.mesh.layers.set(BATCHED_LAYER);
  }

  #leave(member: BatchCandidate): void {
    const { group } = member;
    if (group === null) return;
    group.members.delete(member);
    member.group = null;
    if (member.number !== UNBATCHED) group.batch?.remove(member.number, member.geometry);
    if (member.number !== UNBATCHED) member.mesh.layers.mask = member.layers;
    member.number = UNBATCHED;
    if (group.members.size > 0) return;
    group.batch?.dispose();
    this.#groups.delete(group.key);
  }

  #drop(member: BatchCandidate): void {
    this.#leave(member);
    this.#members.delete(member.mesh);
    this.#turns[member.turn]?.delete(member);
    this.#lively.delete(member);
    const assembly = this.#assemblies.get(member.root);
    assembly?.members.delete(member);
    if (assembly?.members.size === 0) this.#assemblies.delete(member.root);
    if (member.mesh.castShadow) this.#shadows.stir();
  }
}

/** Writes a shape's changed visibility and colour to its batch. Returns whether anything changed. */
function writeChanges(member: BatchCandidate, { mesh: batch }: Batch): boolean {
  const { mesh, number, color } = member;
  const isShown = isSeen(mesh);
  const { r, g, b } = mesh.material.color;
  const isOther = r !== color[0] || g !== color[1] || b !== color[2];
  if (isShown === member.isShown && !isOther) return false;
  if (isShown !== member.isShown) batch.setVisibleAt(number, isShown);
  member.isShown = isShown;
  if (isOther) batch.setColorAt(number, mesh.material.color);
  [color[0], color[1], color[2]] = [r, g, b];
  return true;
}

function equal(one: Float64Array, other: Float64Array): boolean {
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

function isMesh(object: Three.Object3D): object is PlainMesh {
  return "isMesh" in object && !("isSkinnedMesh" in object) && !("isInstancedMesh" in object);
}

/** Registers `stoa-batches`. */
export function registerBatches(aframe: AFrameAdapter): void {
  aframe.registerComponent<object, BatchesBehaviour>({
    name: "stoa-batches",
    schema: {},
    create: (el) => {
      if (!el.sceneEl) throw new Error("stoa-batches must be inside an a-scene");
      return new BatchesBehaviour(aframe, el, el.sceneEl);
    },
  });
}
