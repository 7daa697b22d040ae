/**
 * Requests an object's file from the scene's library with the object's priority, and shows a marker while the file
 * is broken.
 */
import type { AFrameAdapter, Entity } from "../aframe.ts";
import { dispose } from "../meshes.ts";
import type { AssetErrorCode } from "./asset-error.ts";
import { emitBroken, emitMended } from "./broken-files.ts";
import { brokenMarker } from "./broken-marker.ts";
import { CameraDistance } from "./camera-distance.ts";
import type { AssetKind, AssetLibrary, LoadedAsset } from "./library.ts";
import { urgencyOf } from "./load-queue.ts";

const MARKER = "stoa-broken";

/** A file and the callbacks of its requester. */
export interface AssetRequest {
  readonly kind: AssetKind;
  readonly src: string;
  readonly onReady: (asset: LoadedAsset) => void;
  readonly onAway: () => void;
}

/** The file requests of one object. */
export class ObjectAssetLoader {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #distance: CameraDistance;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
    this.#distance = new CameraDistance(aframe, el);
  }

  /**
   * Requests a file until the returned function is called. A broken file puts a marker around the object and emits an
   * event.
   */
  take(library: AssetLibrary, { kind, src, onReady, onAway }: AssetRequest): () => void {
    const { x, y, z } = this.#el.object3D.scale;
    const sizeM = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    return library.take(
      { kind, src, base: "" },
      {
        ...{ onReady, onAway },
        urgency: () => urgencyOf(sizeM, this.#distance.metres),
        distance: () => this.#distance.metres,
        onBroken: (code) => this.showBroken(src, code),
      },
    );
  }

  /** Removes the broken-file marker, if any, and emits that the file is no longer broken. */
  clear(): void {
    const marker = this.#el.getObject3D(MARKER);
    if (!marker) return;
    this.#el.removeObject3D(MARKER);
    dispose(marker);
    emitMended(this.#el);
  }

  /** Shows the broken-file marker until {@link clear}. */
  showBroken(src: string, code: AssetErrorCode): void {
    this.clear();
    this.#el.setObject3D(MARKER, brokenMarker(this.#aframe, this.#el.getObject3D("mesh")));
    emitBroken(this.#el, src, code);
  }
}
