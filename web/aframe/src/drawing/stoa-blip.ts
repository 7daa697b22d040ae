/**
 * Reveals and hides an object by clipping planes that move through it: ARENA's `blip`. Page:
 * docs/components/stoa-blip.md
 */
import { type AFrameAdapter, type Behaviour, type Entity, entityOf, type Three } from "../aframe.ts";
import { BLIP_PLATE_MS } from "../limits.ts";
import { dispose } from "../meshes.ts";

export interface BlipSettings {
  readonly blipin: boolean;
  readonly blipout: boolean;
  /** Shape of the plates that mark the planes. */
  readonly geometry: "rect" | "disk" | "ring";
  /** The sides at which the planes start on exit and end on entrance. */
  readonly planes: "both" | "top" | "bottom";
  /** Duration of the movement, in milliseconds. */
  readonly duration: number;
}

const PLATE = { color: "#049ef4", emissive: "#000080", opacity: 0.75, shininess: 100 } as const;
const STEP_MAX_MS = 100;
/** A plate of size 0 has a singular matrix. */
const SIZE_MIN = 0.01;
const RING_M = 0.15;
const RING_SHARE = 0.1;

type ClippableMesh = Three.Mesh<Three.BufferGeometry, Three.Material | Three.Material[]>;

/** A clipping plane with its plate; levels are heights in scene space. */
interface MovingClippingPlane {
  readonly plane: Three.Plane;
  readonly plate: Three.Mesh;
  readonly from: number;
  readonly to: number;
}

/** A running animation. */
interface BlipAnimation {
  readonly cuts: readonly MovingClippingPlane[];
  /** The shapes' original materials. */
  readonly materials: ReadonlyMap<ClippableMesh, ClippableMesh["material"]>;
  readonly onEnd: () => void;
  elapsedMs: number;
}

/** The effect of one object. */
export class BlipBehaviour implements Behaviour<BlipSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #listening = new AbortController();
  #settings: BlipSettings | null = null;
  /** The object before its entrance, hidden until its position is known. */
  #waiting: Three.Object3D | null = null;
  #run: BlipAnimation | null = null;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
    const { signal } = this.#listening;
    // An object that is visible already has no entrance.
    if (el.hasLoaded && el.getObject3D("mesh")) this.#listening.abort();
    el.addEventListener("object3dset", (event) => event.target === el && this.#prepareEntrance(), { signal });
  }

  /** Whether an entrance or exit is running or pending. */
  get isOn(): boolean {
    return this.#run !== null || this.#waiting !== null;
  }

  update(settings: BlipSettings): void {
    this.#settings = settings;
    // During creation A-Frame sets up the geometry before this component.
    if (this.#el.getObject3D("mesh")) this.#prepareEntrance();
  }

  /** Starts the exit animation and calls `gone` at its end; `false` if there is none. */
  leave(gone: () => void): boolean {
    this.#finish();
    return this.#settings?.blipout === true && this.#start("out", gone);
  }

  tick(_timeMs: number, deltaMs: number): void {
    if (this.#waiting && this.#el.hasLoaded && this.#el.object3D.parent) {
      this.#finish();
      this.#start("in", () => undefined);
    }
    const run = this.#run;
    if (!run || !this.#settings) return;
    // A page that stutters while the object loads still shows the effect.
    run.elapsedMs += Math.min(deltaMs, STEP_MAX_MS);
    const { duration } = this.#settings;
    const [growing, shrinking] = [run.elapsedMs, run.elapsedMs - BLIP_PLATE_MS - duration];
    const size = shrinking > 0 ? 1 - shrinking / BLIP_PLATE_MS : growing / BLIP_PLATE_MS;
    const progress = Math.min(1, Math.max(0, (growing - BLIP_PLATE_MS) / Math.max(1, duration)));
    const eased = (1 - Math.cos(Math.PI * progress)) / 2;
    for (const cut of run.cuts) moveCut(cut, cut.from + (cut.to - cut.from) * eased, size);
    if (shrinking >= BLIP_PLATE_MS) this.#finish();
  }

  remove(): void {
    this.#listening.abort();
    this.#finish();
  }

  /** Hides the first mesh until its position is known, if the object has an entrance. */
  #prepareEntrance(): void {
    const mesh = this.#el.getObject3D("mesh");
    if (this.#listening.signal.aborted || this.#settings === null) return;
    this.#listening.abort();
    if (!mesh?.visible || !this.#settings.blipin) return;
    mesh.visible = false;
    this.#waiting = mesh;
  }

  #start(direction: "in" | "out", onEnd: () => void): boolean {
    const { THREE } = this.#aframe;
    const { sceneEl } = this.#el;
    const shapes = this.#shapes();
    const { planes } = this.#settings ?? {};
    if (shapes.length === 0 || !sceneEl || !planes) return false;
    this.#el.object3D.updateWorldMatrix(true, true);
    const box = new THREE.Box3();
    for (const shape of shapes) box.expandByObject(shape);
    const [low, high] = [box.min.y, box.max.y];
    const centre = (low + high) / 2;
    const [lowEnd, highEnd] = planes === "both" ? [centre, centre] : [high, low];
    const cuts: MovingClippingPlane[] = [];
    const add = (up: number, edge: number, end: number): void => {
      const [from, to] = direction === "out" ? [edge, end] : [end, edge];
      cuts.push({ plane: new THREE.Plane(new THREE.Vector3(0, up, 0)), plate: this.#plate(box), from, to });
    };
    if (planes !== "top") add(1, low, lowEnd);
    if (planes !== "bottom") add(-1, high, highEnd);
    sceneEl.renderer.localClippingEnabled = true;
    for (const cut of cuts) {
      moveCut(cut, cut.from, 0);
      sceneEl.object3D.add(cut.plate);
    }
    this.#run = { cuts, materials: clipped(shapes, cuts), onEnd, elapsedMs: 0 };
    return true;
  }

  /** The object's own meshes, without those of attached objects. */
  #shapes(): readonly ClippableMesh[] {
    const shapes: ClippableMesh[] = [];
    this.#el.getObject3D("mesh")?.traverse((part) => {
      if (part instanceof this.#aframe.THREE.Mesh && entityOf(part) === this.#el) shapes.push(part);
    });
    return shapes;
  }

  #plate(box: Three.Box3): Three.Mesh {
    const { THREE } = this.#aframe;
    const size = box.getSize(new THREE.Vector3());
    const radius = Math.max(size.x, size.z) / 2;
    const plate = new THREE.Mesh(
      this.#form(size, radius),
      new THREE.MeshPhongMaterial({ ...PLATE, transparent: true, side: THREE.DoubleSide }),
    );
    plate.raycast = () => undefined;
    box.getCenter(plate.position);
    plate.rotation.x = -Math.PI / 2;
    return plate;
  }

  #form({ x, z }: Three.Vector3, radius: number): Three.BufferGeometry {
    const { THREE } = this.#aframe;
    switch (this.#settings?.geometry) {
      case "disk":
        return new THREE.CircleGeometry(radius, 32);
      case "ring":
        return new THREE.RingGeometry(radius, radius + Math.min(RING_M, radius * RING_SHARE), 32);
      default:
        return new THREE.PlaneGeometry(x, z);
    }
  }

  #finish(): void {
    if (this.#waiting) this.#waiting.visible = true;
    this.#waiting = null;
    const run = this.#run;
    if (!run) return;
    this.#run = null;
    for (const [shape, materials] of run.materials) {
      for (const material of [shape.material].flat()) material.dispose();
      shape.material = materials;
    }
    for (const { plate } of run.cuts) dispose(plate);
    run.onEnd();
  }
}

/** Replaces the shapes' materials by clipped clones, because other objects may share them. Returns the originals. */
function clipped(
  shapes: readonly ClippableMesh[],
  cuts: readonly MovingClippingPlane[],
): ReadonlyMap<ClippableMesh, ClippableMesh["material"]> {
  const materials = new Map(shapes.map((shape) => [shape, shape.material]));
  const cut = (material: Three.Material): Three.Material =>
    Object.assign(material.clone(), { clippingPlanes: cuts.map(({ plane }) => plane), clipShadows: true });
  for (const [shape, material] of materials)
    shape.material = Array.isArray(material) ? material.map(cut) : cut(material);
  return materials;
}

/** Moves a plane and its plate to a level. */
function moveCut({ plane, plate }: MovingClippingPlane, level: number, size: number): void {
  plane.constant = -plane.normal.y * level;
  plate.position.y = level;
  const scale = Math.min(1, Math.max(SIZE_MIN, size));
  plate.scale.set(scale, scale, 1);
}

/** Registers `stoa-blip`. */
export function registerBlip(aframe: AFrameAdapter): void {
  aframe.registerComponent<BlipSettings, BlipBehaviour>({
    name: "stoa-blip",
    schema: {
      blipin: { type: "boolean", default: true },
      blipout: { type: "boolean", default: true },
      geometry: { type: "string", default: "rect" },
      planes: { type: "string", default: "both" },
      duration: { type: "number", default: 750 },
    },
    create: (el) => new BlipBehaviour(aframe, el),
  });
}
