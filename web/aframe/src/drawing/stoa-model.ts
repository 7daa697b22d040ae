/**
 * Shows a 3D file at an object's position: models, point clouds, robots, splats. Page: docs/components/stoa-model.md
 */
import { type AFrameAdapter, type Behaviour, type Entity, materialOf, type Three } from "../aframe.ts";
import type { AssetErrorCode } from "../assets/asset-error.ts";
import { emitBroken, emitMended } from "../assets/broken-files.ts";
import { brokenMarker } from "../assets/broken-marker.ts";
import { CameraDistance } from "../assets/camera-distance.ts";
import type { AssetConsumer, AssetKind, LoadedAsset } from "../assets/library.ts";
import { urgencyOf } from "../assets/load-queue.ts";
import { applyOptions, freeOptions, type ModelCopyOptions } from "../assets/model-options.ts";
import { librariesOf, type SceneLibraryLookup } from "../assets/scene-libraries.ts";
import { FAR_INTERVAL_MS } from "../limits.ts";
import { dispose } from "../meshes.ts";

export interface ModelSettings {
  readonly kind: AssetKind;
  readonly src: string;
  /** Base of the file's relative URLs; empty: the file itself. */
  readonly base: string;
  /** As JSON: options that apply without reloading the file. */
  readonly options: string;
}

/** Loading state of an object's file. */
export type ModelState = "none" | "loading" | "shown" | "broken" | "away";

const MESH = "mesh";
/** The `format` of model events, by kind of file. */
const FORMATS: Readonly<Record<AssetKind, string>> = {
  gltf: "gltf",
  pcd: "pcd",
  three: "threejs",
  urdf: "urdf",
  splats: "splats",
  obj: "obj",
  picture: "picture",
  sound: "sound",
  head: "gltf",
  vrm: "vrm",
};

interface RequestedFile {
  readonly src: string;
  readonly release: () => void;
}

/** The file of one object. */
export class ModelBehaviour implements Behaviour<ModelSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #libraryOf: SceneLibraryLookup;
  readonly #distance: CameraDistance;
  #settings: ModelSettings | null = null;
  #detail: string | null = null;
  #state: ModelState = "none";
  /** The file shown, the file loading, and a file that only stays loaded. */
  #current: RequestedFile | null = null;
  #pending: RequestedFile | null = null;
  #preloaded: RequestedFile | null = null;
  #checkedMs = 0;

  constructor(aframe: AFrameAdapter, el: Entity, libraryOf: SceneLibraryLookup) {
    this.#aframe = aframe;
    this.#el = el;
    this.#libraryOf = libraryOf;
    this.#distance = new CameraDistance(aframe, el);
  }

  get state(): ModelState {
    return this.#state;
  }

  /** The file's three.js object; `null` while there is none or only a broken-file marker. */
  get shown(): Three.Object3D | null {
    return this.#state === "shown" ? (this.#el.getObject3D(MESH) ?? null) : null;
  }

  update(settings: ModelSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    const isSame = before?.kind === settings.kind && before.src === settings.src && before.base === settings.base;
    if (!isSame) this.#request();
    else if (this.shown) {
      freeOptions(this.#aframe, this.shown);
      applyOptions(this.#aframe, this.shown, optionsOf(settings));
    }
  }

  /**
   * Shows another file instead of the object's own; `null` returns to the own file. The current one stays until the
   * other has loaded. With `isKept` the other file stays loaded afterwards.
   */
  showDetail(src: string | null, isKept: boolean): void {
    if (this.#detail === src) return;
    this.#detail = src;
    this.#request();
    if (!isKept || src === null || this.#preloaded?.src === src) return;
    this.#preloaded?.release();
    this.#preloaded = this.#take(src, { onReady: () => undefined, onBroken: () => undefined, onAway: () => undefined });
  }

  tick(timeMs: number): void {
    if (timeMs - this.#checkedMs < FAR_INTERVAL_MS || !this.#el.sceneEl) return;
    this.#checkedMs = timeMs;
    this.#libraryOf(this.#el.sceneEl).reloadNear(timeMs);
  }

  remove(): void {
    this.#clear();
    for (const file of [this.#current, this.#pending, this.#preloaded]) file?.release();
    this.#current = this.#pending = this.#preloaded = null;
    this.#settings = null;
    this.#state = "none";
  }

  #request(): void {
    this.#pending?.release();
    this.#pending = null;
    const src = this.#detail ?? this.#settings?.src ?? "";
    if (this.#state === "broken") this.#clear();
    if (this.#state !== "shown") this.#state = src === "" ? "none" : "loading";
    const pending = this.#take(src, {
      onReady: (asset) => {
        this.#replaceCurrent(pending);
        this.#show(asset);
      },
      onBroken: (code) => {
        // A broken finer model stays unused: the plain one remains.
        if (this.#detail === src && this.#state === "shown") return;
        this.#replaceCurrent(pending);
        this.#showBroken(src, code);
      },
      onAway: () => {
        this.#clear();
        this.#state = "away";
      },
    });
    this.#pending = pending;
  }

  #take(src: string, answers: Pick<AssetConsumer, "onReady" | "onBroken" | "onAway">): RequestedFile | null {
    const { sceneEl } = this.#el;
    if (!this.#settings || !sceneEl || src === "") return null;
    const { kind, base } = this.#settings;
    const priority = {
      urgency: () => urgencyOf(this.#sizeM(), this.#distance.metres),
      distance: () => this.#distance.metres,
    };
    return { src, release: this.#libraryOf(sceneEl).take({ kind, src, base }, { ...priority, ...answers }) };
  }

  /** Replaces the current file. */
  #replaceCurrent(file: RequestedFile | null): void {
    this.#clear();
    if (this.#current !== file) this.#current?.release();
    this.#current = file;
    if (this.#pending === file) this.#pending = null;
  }

  #show(asset: LoadedAsset): void {
    const model = asset.copy();
    model.animations = [...asset.animations];
    this.#state = "shown";
    if (this.#settings) applyOptions(this.#aframe, model, optionsOf(this.#settings));
    if (this.#settings?.kind === "obj" && this.#settings.base === "") this.#paint(model);
    this.#el.setObject3D(MESH, model);
    this.#el.emit("model-loaded", { format: this.#format, model });
  }

  /** Gives the object's material to a file without materials. */
  #paint(model: Three.Object3D): void {
    const material = materialOf(this.#el);
    if (!material) return;
    model.traverse((part) => {
      if (part instanceof this.#aframe.THREE.Mesh) part.material = material;
    });
  }

  #showBroken(src: string, code: AssetErrorCode): void {
    this.#state = "broken";
    this.#el.setObject3D(MESH, brokenMarker(this.#aframe));
    this.#el.emit("model-error", { format: this.#format, src });
    emitBroken(this.#el, src, code);
  }

  #clear(): void {
    const object = this.#el.getObject3D(MESH);
    if (object && (this.#state === "shown" || this.#state === "broken")) {
      this.#el.removeObject3D(MESH);
      if (this.#state === "broken") {
        dispose(object);
        emitMended(this.#el);
      } else freeOptions(this.#aframe, object);
    }
  }

  get #format(): string {
    return FORMATS[this.#settings?.kind ?? "gltf"];
  }

  #sizeM(): number {
    const { x, y, z } = this.#el.object3D.scale;
    return Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  }
}

function optionsOf({ options }: ModelSettings): ModelCopyOptions {
  return options === "" ? {} : JSON.parse(options);
}

/** Registers `stoa-model`. */
export function registerModel(aframe: AFrameAdapter, libraryOf: SceneLibraryLookup = librariesOf(aframe)): void {
  // A-Frame enables three.js's cache, which never frees a file. The library caches files instead, while an object
  // shows them.
  aframe.THREE.Cache.enabled = false;
  aframe.registerComponent<ModelSettings, ModelBehaviour>({
    name: "stoa-model",
    schema: {
      kind: { type: "string", default: "gltf" },
      src: { type: "string", default: "" },
      base: { type: "string", default: "" },
      options: { type: "string", default: "" },
    },
    create: (el) => new ModelBehaviour(aframe, el, libraryOf),
  });
}
