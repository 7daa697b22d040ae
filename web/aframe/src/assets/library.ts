/**
 * The files of one scene. Each is fetched and parsed once for all objects that show it, and freed with the last of
 * them.
 */
import type { Three } from "../aframe.ts";
import { FAR_AGAIN, FAR_INTERVAL_MS, FAR_M, LOADS_AT_ONCE } from "../limits.ts";
import { type AssetErrorCode, codeOf } from "./asset-error.ts";
import { LoadQueue, type LoadQueueProgress } from "./load-queue.ts";

/** File types; `head` and `vrm` are avatars. */
export type AssetKind = "gltf" | "pcd" | "urdf" | "three" | "splats" | "obj" | "picture" | "sound" | "head" | "vrm";

/** A file, and the base of its relative URLs (empty: the file itself). */
export interface AssetSource {
  readonly kind: AssetKind;
  readonly src: string;
  readonly base: string;
  /** The owner of a file that can't be shared: the file is parsed once for each owner. */
  readonly own?: string;
}

/** A parsed file. */
export interface LoadedAsset {
  /** Creates a copy to show; geometry and textures are shared. */
  readonly copy: () => Three.Object3D;
  readonly animations: readonly Three.AnimationClip[];
  /** GPU memory of the asset's textures, in bytes. */
  readonly textureBytes: number;
  /** URL from which A-Frame reads a picture or sound. */
  readonly address?: string | undefined;
  /** The humanoid rig of a `vrm`. */
  readonly vrm?: unknown;
  readonly dispose: () => void;
}

/** An object that shows a file: its priority, and its callbacks for the file's state. */
export interface AssetConsumer {
  /** Load priority; larger is sooner. */
  readonly urgency: () => number;
  /** Distance from the camera, in metres. */
  readonly distance: () => number;
  readonly onReady: (asset: LoadedAsset) => void;
  readonly onBroken: (code: AssetErrorCode) => void;
  /** The file was unloaded because it is far and the budget is exceeded. `onReady` follows when it is near again. */
  readonly onAway: () => void;
}

export interface LibraryOptions {
  readonly load: (name: AssetSource, signal: AbortSignal, textureBytesLeft: number) => Promise<LoadedAsset>;
  readonly onProgress: (progress: LoadQueueProgress) => void;
  /** Budget of all textures, in bytes. */
  readonly textureBytesMax: number;
}

interface Entry {
  readonly key: string;
  readonly name: AssetSource;
  readonly requesters: Set<AssetConsumer>;
  readonly abort: AbortController;
  /** `away`: unloaded while far; reloads when near. */
  state: "waiting" | "loading" | "ready" | "broken" | "away";
  asset: LoadedAsset | undefined;
  code: AssetErrorCode | undefined;
}

/** All files of a scene. */
export class AssetLibrary {
  readonly #options: LibraryOptions;
  readonly #queue = new LoadQueue(LOADS_AT_ONCE);
  readonly #entries = new Map<string, Entry>();
  #checkedMs = Number.NEGATIVE_INFINITY;

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  /** Texture memory of all loaded files, in bytes. */
  get textureBytes(): number {
    let bytes = 0;
    for (const { asset } of this.#entries.values()) bytes += asset?.textureBytes ?? 0;
    return bytes;
  }

  /** Files in the library, in any state. */
  get size(): number {
    return this.#entries.size;
  }

  /** Requests a file until the returned function is called. The callbacks never run before `take` returns. */
  take(name: AssetSource, requester: AssetConsumer): () => void {
    const key = `${name.kind} ${name.base} ${name.src} ${name.own ?? ""}`;
    const entry = this.#entries.get(key) ?? this.#add(key, name);
    entry.requesters.add(requester);
    queueMicrotask(() => this.#notify(entry, requester));
    return () => this.#release(entry, requester);
  }

  /** Loads a file and frees it at once, to see whether loading works. Errors: those of `loadAsset`. */
  async check(name: AssetSource): Promise<void> {
    const asset = await this.#options.load(name, new AbortController().signal, this.#options.textureBytesMax);
    asset.dispose();
  }

  /** Reloads unloaded files that are near again. Call it at any rate. */
  reloadNear(nowMs: number): void {
    if (nowMs - this.#checkedMs < FAR_INTERVAL_MS) return;
    this.#checkedMs = nowMs;
    for (const entry of this.#entries.values()) {
      if (entry.state === "away" && distanceOf(entry) < FAR_M * FAR_AGAIN) this.#enqueue(entry);
    }
  }

  #add(key: string, name: AssetSource): Entry {
    const abort = new AbortController();
    const entry: Entry = {
      ...{ key, name, abort, requesters: new Set<AssetConsumer>() },
      ...{ state: "waiting", asset: undefined, code: undefined },
    };
    this.#entries.set(key, entry);
    this.#enqueue(entry);
    return entry;
  }

  #enqueue(entry: Entry): void {
    entry.state = "waiting";
    this.#queue.add(entry.key, () => Math.max(...[...entry.requesters].map((requester) => requester.urgency())));
    // A scene's objects arrive in one batch, and the first isn't always the nearest.
    queueMicrotask(() => this.#next());
  }

  #next(): void {
    for (let key = this.#queue.take(); key !== undefined; key = this.#queue.take()) {
      const entry = this.#entries.get(key);
      if (entry) void this.#load(entry);
    }
    this.#options.onProgress(this.#queue.progress);
  }

  async #load(entry: Entry): Promise<void> {
    entry.state = "loading";
    const { signal } = entry.abort;
    const left = Math.max(0, this.#options.textureBytesMax - this.textureBytes);
    try {
      const asset = await this.#options.load(entry.name, signal, left);
      if (signal.aborted) asset.dispose();
      else [entry.state, entry.asset] = ["ready", asset];
    } catch (error) {
      [entry.state, entry.code] = ["broken", codeOf(error)];
    }
    if (signal.aborted) return;
    this.#queue.settle(entry.key, entry.state === "ready");
    this.#freeMemory(entry);
    for (const requester of entry.requesters) this.#notify(entry, requester);
    this.#next();
  }

  #notify({ requesters, state, asset, code }: Entry, requester: AssetConsumer): void {
    if (!requesters.has(requester)) return;
    if (state === "ready" && asset) requester.onReady(asset);
    else if (state === "broken" && code) requester.onBroken(code);
  }

  /** Over the budget, unloads far files, farthest first. A file without textures frees nothing. */
  #freeMemory(newest: Entry): void {
    let bytes = this.textureBytes;
    if (bytes <= this.#options.textureBytesMax) return;
    const ready = [...this.#entries.values()].filter(
      ({ state, asset }) => state === "ready" && asset !== undefined && asset.textureBytes > 0,
    );
    const far = ready.map((entry) => ({ entry, distanceM: distanceOf(entry) })).filter((one) => one.distanceM > FAR_M);
    far.sort((one, other) => other.distanceM - one.distanceM);
    for (const { entry } of far) {
      if (bytes <= this.#options.textureBytesMax) return;
      bytes -= entry.asset?.textureBytes ?? 0;
      this.#unload(entry, entry !== newest);
    }
  }

  #unload(entry: Entry, isShown: boolean): void {
    if (isShown) for (const requester of entry.requesters) requester.onAway();
    entry.asset?.dispose();
    [entry.asset, entry.state] = [undefined, "away"];
  }

  #release(entry: Entry, requester: AssetConsumer): void {
    if (!entry.requesters.delete(requester) || entry.requesters.size > 0) return;
    this.#entries.delete(entry.key);
    entry.abort.abort();
    this.#queue.drop(entry.key);
    entry.asset?.dispose();
    entry.asset = undefined;
    queueMicrotask(() => this.#next());
  }
}

function distanceOf({ requesters }: Entry): number {
  return Math.min(...[...requesters].map((requester) => requester.distance()));
}
