/** The files of one scene: each is fetched and parsed once, however many objects show it, and freed when the last one goes. */
import type { Three } from "../aframe.ts";
import { FAR_AGAIN, FAR_INTERVAL_MS, FAR_M, LOADS_AT_ONCE } from "../limits.ts";
import { type BrokenCode, codeOf } from "./asset-error.ts";
import { LoadQueue, type Progress } from "./load-queue.ts";

/** What kinds of files there are; `head` and `vrm` are what people wear. */
export type AssetKind = "gltf" | "pcd" | "urdf" | "three" | "splats" | "obj" | "picture" | "sound" | "head" | "vrm";

/** Which file, and what its own relative addresses begin at (empty: at itself). */
export interface AssetName {
  readonly kind: AssetKind;
  readonly src: string;
  readonly base: string;
  /** Whose alone it is: what can't be shared is read once for each. */
  readonly own?: string;
}

/** A file as it was parsed. */
export interface Asset {
  /** One more copy to show; geometry and textures are shared. */
  readonly copy: () => Three.Object3D;
  readonly animations: readonly Three.AnimationClip[];
  /** What its textures take in the graphics card, in bytes. */
  readonly textureBytes: number;
  /** Where A-Frame reads a picture or a sound. */
  readonly address?: string | undefined;
  /** The bones that move it, of a `vrm`. */
  readonly vrm?: unknown;
  readonly dispose: () => void;
}

/** Somebody who wants a file. */
export interface Taker {
  /** How urgent it is: the larger, the sooner. */
  readonly urgency: () => number;
  /** How far from the eyes it is, in metres. */
  readonly distance: () => number;
  readonly onReady: (asset: Asset) => void;
  readonly onBroken: (code: BrokenCode) => void;
  /** It is far, and others need the room: its copy goes. `onReady` comes again when it is near. */
  readonly onAway: () => void;
}

/** What the library is made of. */
export interface LibraryParts {
  readonly load: (name: AssetName, signal: AbortSignal, textureBytesLeft: number) => Promise<Asset>;
  readonly onProgress: (progress: Progress) => void;
  /** What all textures may take, in bytes. */
  readonly textureBytesMax: number;
}

interface Entry {
  readonly key: string;
  readonly name: AssetName;
  readonly takers: Set<Taker>;
  readonly giveUp: AbortController;
  /** `away`: it was loaded and is far; it comes back by itself. */
  state: "waiting" | "loading" | "ready" | "broken" | "away";
  asset: Asset | undefined;
  code: BrokenCode | undefined;
}

/** All files of a scene. */
export class Library {
  readonly #parts: LibraryParts;
  readonly #queue = new LoadQueue(LOADS_AT_ONCE);
  readonly #entries = new Map<string, Entry>();
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  /** What the textures that are loaded take, in bytes. */
  get textureBytes(): number {
    let bytes = 0;
    for (const { asset } of this.#entries.values()) bytes += asset?.textureBytes ?? 0;
    return bytes;
  }

  /** Files that are held. */
  get size(): number {
    return this.#entries.size;
  }

  /** Asks for a file until the returned function is called. The answer comes by `taker`, never before this returns. */
  take(name: AssetName, taker: Taker): () => void {
    const key = `${name.kind} ${name.base} ${name.src} ${name.own ?? ""}`;
    const entry = this.#entries.get(key) ?? this.#add(key, name);
    entry.takers.add(taker);
    queueMicrotask(() => this.#tell(entry, taker));
    return () => this.#release(entry, taker);
  }

  /** Loads a file once and frees it. Errors: what loading it says. */
  async check(name: AssetName): Promise<void> {
    const asset = await this.#parts.load(name, new AbortController().signal, this.#parts.textureBytesMax);
    asset.dispose();
  }

  /** Whenever somebody thinks of it: what was far may be near again. */
  look(nowMs: number): void {
    if (nowMs - this.#lookedMs < FAR_INTERVAL_MS) return;
    this.#lookedMs = nowMs;
    for (const entry of this.#entries.values()) {
      if (entry.state === "away" && distanceOf(entry) < FAR_M * FAR_AGAIN) this.#enqueue(entry);
    }
  }

  #add(key: string, name: AssetName): Entry {
    const giveUp = new AbortController();
    const entry: Entry = {
      ...{ key, name, giveUp, takers: new Set<Taker>() },
      ...{ state: "waiting", asset: undefined, code: undefined },
    };
    this.#entries.set(key, entry);
    this.#enqueue(entry);
    return entry;
  }

  #enqueue(entry: Entry): void {
    entry.state = "waiting";
    this.#queue.add(entry.key, () => Math.max(...[...entry.takers].map((taker) => taker.urgency())));
    // A scene's objects come in one go: the first of them isn't the nearest.
    queueMicrotask(() => this.#next());
  }

  #next(): void {
    for (let key = this.#queue.take(); key !== undefined; key = this.#queue.take()) {
      const entry = this.#entries.get(key);
      if (entry) void this.#load(entry);
    }
    this.#parts.onProgress(this.#queue.progress);
  }

  async #load(entry: Entry): Promise<void> {
    entry.state = "loading";
    const { signal } = entry.giveUp;
    const left = Math.max(0, this.#parts.textureBytesMax - this.textureBytes);
    try {
      const asset = await this.#parts.load(entry.name, signal, left);
      if (signal.aborted) asset.dispose();
      else [entry.state, entry.asset] = ["ready", asset];
    } catch (error) {
      [entry.state, entry.code] = ["broken", codeOf(error)];
    }
    if (signal.aborted) return;
    this.#queue.settle(entry.key, entry.state === "ready");
    this.#makeRoom(entry);
    for (const taker of entry.takers) this.#tell(entry, taker);
    this.#next();
  }

  #tell({ takers, state, asset, code }: Entry, taker: Taker): void {
    if (!takers.has(taker)) return;
    if (state === "ready" && asset) taker.onReady(asset);
    else if (state === "broken" && code) taker.onBroken(code);
  }

  /** Over the budget, what is far goes, the farthest first; a file without textures makes no room. */
  #makeRoom(newest: Entry): void {
    let bytes = this.textureBytes;
    if (bytes <= this.#parts.textureBytesMax) return;
    const ready = [...this.#entries.values()].filter(
      ({ state, asset }) => state === "ready" && asset !== undefined && asset.textureBytes > 0,
    );
    const far = ready.map((entry) => ({ entry, distanceM: distanceOf(entry) })).filter((one) => one.distanceM > FAR_M);
    far.sort((one, other) => other.distanceM - one.distanceM);
    for (const { entry } of far) {
      if (bytes <= this.#parts.textureBytesMax) return;
      bytes -= entry.asset?.textureBytes ?? 0;
      this.#sendAway(entry, entry !== newest);
    }
  }

  #sendAway(entry: Entry, isShown: boolean): void {
    if (isShown) for (const taker of entry.takers) taker.onAway();
    entry.asset?.dispose();
    [entry.asset, entry.state] = [undefined, "away"];
  }

  #release(entry: Entry, taker: Taker): void {
    if (!entry.takers.delete(taker) || entry.takers.size > 0) return;
    this.#entries.delete(entry.key);
    entry.giveUp.abort();
    this.#queue.drop(entry.key);
    entry.asset?.dispose();
    entry.asset = undefined;
    queueMicrotask(() => this.#next());
  }
}

function distanceOf({ takers }: Entry): number {
  return Math.min(...[...takers].map((taker) => taker.distance()));
}
