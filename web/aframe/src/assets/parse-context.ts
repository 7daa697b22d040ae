/** What parsers of files need of their surroundings. */
import type { AFrame, Loaders, Three } from "../aframe.ts";
import { fileUrl, realmUrl } from "../safe-url.ts";
import { AssetError } from "./asset-error.ts";
import { type ByteBudget, fetchAsset } from "./fetch-asset.ts";

/** One file that is parsed. */
export interface Parsing {
  readonly aframe: AFrame;
  readonly loaders: Loaders;
  /** The file's own address. */
  readonly url: string;
  /** What its relative addresses begin at. */
  readonly base: string;
  readonly signal: AbortSignal;
  /** For it and for all files that it names; it has taken its own already. */
  readonly room: ByteBudget;
  /** Whether the files that it names are the realm's, too: what people wear is chosen by anybody, and every page nearby would ask another host for it. */
  readonly onlyOfRealm?: boolean;
}

/** What a parser made. */
export interface Parsed {
  readonly root: Three.Object3D;
  readonly animations?: readonly Three.AnimationClip[];
  /** Where A-Frame reads a picture or a sound. */
  readonly address?: string;
  /** What its textures take, where they aren't in `root`. */
  readonly textureBytes?: number;
  /** The bones that move it, of a VRM. */
  readonly vrm?: unknown;
  /** One more to show; default: three.js's own copy, which shares geometry and materials. */
  readonly copy?: () => Three.Object3D;
  /** Frees what isn't in `root`'s meshes. */
  readonly dispose?: () => void;
}

/** Files that another one names: fetched within the limit they have together, and handed to three.js as `blob:` addresses. Nothing else is loaded. */
export class FilesWithin {
  readonly manager: Three.LoadingManager;
  readonly #parsing: Parsing;
  readonly #blobs = new Map<string, string>();
  #pending = 0;

  constructor(parsing: Parsing) {
    this.#parsing = parsing;
    this.manager = new parsing.aframe.THREE.LoadingManager();
    this.manager.onStart = (_url, _loaded, total) => {
      this.#pending = total;
    };
    this.manager.setURLModifier((url) =>
      /^(data|blob):/.test(url) ? url : (this.#blobs.get(this.#absolute(url)) ?? "data:,"),
    );
  }

  /** Fetches one that may be asked for. Errors: {@link AssetError}. */
  async fetch(address: string): Promise<Uint8Array<ArrayBuffer>> {
    const { base, onlyOfRealm, room, signal } = this.#parsing;
    const url = onlyOfRealm === true ? realmUrl(address, base) : fileUrl(address, base);
    if (url === undefined) throw new AssetError("not-allowed", address);
    return await fetchAsset(url, { room, signal });
  }

  /** Fetches all of them, so that three.js finds them. */
  async prepare(addresses: readonly string[]): Promise<void> {
    const others = new Set(addresses.filter((address) => !address.startsWith("data:")));
    for (const address of others) {
      const blob = new Blob([await this.fetch(address)]);
      this.#blobs.set(this.#absolute(address), URL.createObjectURL(blob));
    }
  }

  /** Resolves once three.js has loaded what it was told to so far. */
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
