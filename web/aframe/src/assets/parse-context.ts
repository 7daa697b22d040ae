/** The input and result of file parsers, and their access to a file's dependencies. */
import type { AFrameAdapter, GltfLoaderFactory, Three } from "../aframe.ts";
import { fileUrl, realmUrl } from "../safe-url.ts";
import { AssetError } from "./asset-error.ts";
import { type ByteBudget, fetchAsset } from "./fetch-asset.ts";

/** The context of one parse. */
export interface ParseContext {
  readonly aframe: AFrameAdapter;
  readonly loaders: GltfLoaderFactory;
  /** The file's own URL. */
  readonly url: string;
  /** Base of the relative URLs in the file. */
  readonly base: string;
  readonly signal: AbortSignal;
  /** Byte limit of the file and its dependencies; the file's own bytes are already counted. */
  readonly budget: ByteBudget;
  /**
   * Whether dependencies must be on the realm. Any user picks an avatar, and every page nearby would contact the other
   * host.
   */
  readonly onlyOfRealm?: boolean;
}

/** A parser's result. */
export interface ParsedFile {
  readonly root: Three.Object3D;
  readonly animations?: readonly Three.AnimationClip[];
  /** URL from which A-Frame reads a picture or sound. */
  readonly address?: string;
  /** GPU memory of textures that aren't in `root`. */
  readonly textureBytes?: number;
  /** The humanoid rig of a VRM. */
  readonly vrm?: unknown;
  /** Creates a copy; default: three.js's `clone`, which shares geometry and materials. */
  readonly copy?: () => Three.Object3D;
  /** Frees resources other than the meshes of `root`. */
  readonly dispose?: () => void;
}

/**
 * A file's dependencies: fetched within its byte limit and passed to three.js as `blob:` URLs. Of other URLs three.js
 * loads only `data:` and `blob:`.
 */
export class FileDependencyLoader {
  readonly manager: Three.LoadingManager;
  readonly #parsing: ParseContext;
  readonly #blobs = new Map<string, string>();
  #pending = 0;

  constructor(parsing: ParseContext) {
    this.#parsing = parsing;
    this.manager = new parsing.aframe.THREE.LoadingManager();
    this.manager.onStart = (_url, _loaded, total) => {
      this.#pending = total;
    };
    this.manager.setURLModifier((url) =>
      /^(data|blob):/.test(url) ? url : (this.#blobs.get(this.#absolute(url)) ?? "data:,"),
    );
  }

  /** Fetches a dependency. Errors: {@link AssetError}, `not-allowed` for a URL that isn't permitted. */
  async fetch(address: string): Promise<Uint8Array<ArrayBuffer>> {
    const { base, onlyOfRealm, budget, signal } = this.#parsing;
    const url = onlyOfRealm === true ? realmUrl(address, base) : fileUrl(address, base);
    if (url === undefined) throw new AssetError("not-allowed", address);
    return await fetchAsset(url, { budget, signal });
  }

  /** Fetches all dependencies so that three.js finds them. */
  async prepare(addresses: readonly string[]): Promise<void> {
    const others = new Set(addresses.filter((address) => !address.startsWith("data:")));
    for (const address of others) {
      const blob = new Blob([await this.fetch(address)]);
      this.#blobs.set(this.#absolute(address), URL.createObjectURL(blob));
    }
  }

  /** Resolves once three.js has finished its pending loads. */
  loaded(): Promise<void> {
    if (this.#pending === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.manager.onLoad = resolve;
    });
  }

  dispose(): void {
    for (const blob of this.#blobs.values()) URL.revokeObjectURL(blob);
    this.#blobs.clear();
  }

  #absolute(address: string): string {
    return URL.canParse(address, this.#parsing.base) ? new URL(address, this.#parsing.base).href : address;
  }
}
