/**
 * Surface settings beyond `material`: ARENA's `material-extras` and `multisrc`. Page: docs/components/stoa-surface.md
 */
import { DisplayP3ColorSpace, DisplayP3ColorSpaceImpl } from "three/addons/math/ColorSpaces.js";
import { type AFrameAdapter, type Behaviour, detailOf, type Entity, type Three } from "../aframe.ts";
import { ObjectTextureLoader, type RequestedTexture } from "../assets/queued-texture.ts";
import type { SceneLibraryLookup } from "../assets/scene-libraries.ts";

/** Settings of `stoa-surface`; omitted keys change nothing. */
export interface SurfaceOverrides {
  /** A picture that replaces the model's own. */
  readonly overrideSrc?: string;
  readonly colorSpace?: string;
  readonly colorWrite?: boolean;
  readonly renderOrder?: number;
  readonly transparentOccluder?: boolean;
  readonly gltfOpacity?: number;
  /** A picture for each side, in the order of the geometry's groups. */
  readonly sides?: readonly string[];
}

/** The settings of `stoa-surface`: a {@link SurfaceOverrides} as JSON. */
export interface SurfaceSettings {
  readonly surface: string;
}

type SurfaceMesh = Three.Mesh<Three.BufferGeometry, Three.Material | Three.Material[]>;

/** Render order of an occluder: before other objects, to hide the objects behind it. */
const OCCLUDER_ORDER = -1;

/** The surfaces of one object. */
export class SurfaceOverridesBehaviour implements Behaviour<SurfaceSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #listening = new AbortController();
  #surface: SurfaceOverrides = {};
  readonly #queue: ObjectTextureLoader;
  #taken: readonly RequestedTexture[] = [];
  #undo: (() => void)[] = [];

  constructor(aframe: AFrameAdapter, el: Entity, libraryOf: SceneLibraryLookup) {
    this.#aframe = aframe;
    this.#el = el;
    this.#queue = new ObjectTextureLoader(aframe, el, libraryOf);
    const { signal } = this.#listening;
    el.addEventListener("model-loaded", () => this.#apply(), { signal });
    el.addEventListener("object3dset", (event) => isMesh(event) && this.#apply(), { signal });
    // A-Frame keeps writing to its own material; late changes such as loaded pictures are copied.
    el.addEventListener("componentchanged", (event) => isMaterial(event) && this.#apply(), { signal });
    el.addEventListener("materialtextureloaded", (event) => event.target === el && this.#apply(), { signal });
  }

  update({ surface }: SurfaceSettings): void {
    this.#surface = surface === "" ? {} : JSON.parse(surface);
    this.#queue.clear();
    this.#take();
    this.#apply();
  }

  remove(): void {
    this.#listening.abort();
    this.#back();
    for (const { release } of this.#taken) release();
    this.#taken = [];
    this.#queue.clear();
  }

  #take(): void {
    const { overrideSrc, sides = [] } = this.#surface;
    const pictures = sides.length > 0 ? sides : overrideSrc === undefined ? [] : [overrideSrc];
    const before = this.#taken;
    this.#taken = pictures.map((src) => this.#queue.take(src));
    // Released last, so that a picture used again stays loaded.
    for (const { release } of before) release();
  }

  #back(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
  }

  /** Paints cloned materials, because all objects with the same file share the originals. */
  #apply(): void {
    this.#back();
    const textures = this.#taken.map(({ texture }) => this.#dressed(texture));
    this.#el.getObject3D("mesh")?.traverse((object) => {
      if (object instanceof this.#aframe.THREE.Mesh) this.#paint(object, textures);
    });
  }

  #paint(mesh: SurfaceMesh, textures: readonly Three.Texture[]): void {
    const { material: before, renderOrder: order } = mesh;
    const { sides = [], renderOrder, transparentOccluder } = this.#surface;
    const painted = [before].flat().map((material) => this.#own(material, textures[0]));
    const [first] = painted;
    // One material per side, if the geometry has groups.
    const isSided = sides.length > 1 && mesh.geometry.groups.length > 1 && first !== undefined;
    const own = isSided
      ? mesh.geometry.groups.map((_, at) => this.#own(first, textures[Math.min(at, textures.length - 1)]))
      : painted;
    mesh.material = own.length === 1 && own[0] ? own[0] : own;
    if (transparentOccluder) mesh.renderOrder = OCCLUDER_ORDER;
    else if (renderOrder !== undefined) mesh.renderOrder = renderOrder;
    this.#undo.push(() => {
      // If other code has replaced the material meanwhile, the replacement stays.
      if ([mesh.material].flat()[0] === own[0]) mesh.material = before;
      mesh.renderOrder = order;
      for (const material of new Set([...own, ...painted])) material.dispose();
    });
  }

  #own(material: Three.Material, picture: Three.Texture | undefined): Three.Material {
    const own = material.clone();
    const { colorWrite, gltfOpacity, transparentOccluder } = this.#surface;
    if (picture && "map" in own) own.map = picture;
    if (colorWrite !== undefined) own.colorWrite = colorWrite;
    if (transparentOccluder) own.colorWrite = false;
    if (gltfOpacity !== undefined && gltfOpacity < 1) {
      own.transparent = true;
      own.opacity *= gltfOpacity;
    }
    return own;
  }

  /** Sets the texture's orientation, colour space and wrapping. glTF and primitives differ in `flipY`. */
  #dressed(texture: Three.Texture): Three.Texture {
    const { THREE } = this.#aframe;
    texture.flipY = !this.#el.hasAttribute("stoa-model");
    texture.colorSpace = colorSpaceOf(this.#aframe, this.#surface.colorSpace);
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    return texture;
  }
}

/** Whether the entity's `mesh` was set. False for other objects, such as a picture's broken-file marker. */
function isMesh(event: Event): boolean {
  return detailOf<{ readonly type?: string } | null>(event)?.type === "mesh";
}

function isMaterial(event: Event): boolean {
  return detailOf<{ readonly name?: string } | null>(event)?.name === "material";
}

function colorSpaceOf({ THREE }: AFrameAdapter, name: string | undefined): string {
  if (name === "LinearSRGBColorSpace") return THREE.LinearSRGBColorSpace;
  if (name === "NoColorSpace") return THREE.NoColorSpace;
  if (name !== "DisplayP3ColorSpace") return THREE.SRGBColorSpace;
  // three.js supports Display P3 only after registration.
  THREE.ColorManagement.define({ [DisplayP3ColorSpace]: DisplayP3ColorSpaceImpl });
  return DisplayP3ColorSpace;
}

/** Registers `stoa-surface`. */
export function registerSurface(aframe: AFrameAdapter, libraryOf: SceneLibraryLookup): void {
  aframe.registerComponent<SurfaceSettings, SurfaceOverridesBehaviour>({
    name: "stoa-surface",
    schema: { surface: { type: "string", default: "" } },
    create: (el) => new SurfaceOverridesBehaviour(aframe, el, libraryOf),
  });
}
