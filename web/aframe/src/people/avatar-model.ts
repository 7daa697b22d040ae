/** Loads a model of the realm as a person's head or body, by the scene's queue and within the avatar limits. */
import type { AFrameAdapter, Entity, Three } from "../aframe.ts";
import type { AssetErrorCode } from "../assets/asset-error.ts";
import { CameraDistance } from "../assets/camera-distance.ts";
import type { AssetLibrary, LoadedAsset } from "../assets/library.ts";
import { urgencyOf } from "../assets/load-queue.ts";
import { freeOptions } from "../assets/model-options.ts";
import { BODY } from "../limits.ts";
import { bodyKind } from "./model-check.ts";
import type { VrmBody } from "./vrm-body.ts";

/** Event of an avatar model that failed to load; its detail is an {@link AvatarModelFailure}. */
export const MODEL_REFUSED = "stoa-model-refused";

/** The model that failed to load, and the reason. */
export interface AvatarModelFailure {
  readonly url: string;
  readonly code: AssetErrorCode;
}

export interface AvatarModelOptions {
  readonly aframe: AFrameAdapter;
  /** The person's head entity. */
  readonly el: Entity;
  readonly library: AssetLibrary;
  readonly url: string;
  /** The model has loaded and replaces the built-in body. */
  readonly onWorn: () => void;
}

/** Eye height of a standing person, for the load priority. */
const TALL_M = BODY.torsoM + BODY.legM;

/** The model that one person wears. */
export class AvatarModel {
  /** The rig of a loaded VRM. */
  vrm: VrmBody | null = null;

  readonly #options: AvatarModelOptions;
  readonly #release: () => void;
  #head: Three.Object3D | null = null;
  #isOff = false;

  constructor(options: AvatarModelOptions) {
    const { aframe, el, library, url } = options;
    this.#options = options;
    const distance = new CameraDistance(aframe, el);
    const kind = bodyKind(url);
    const own = kind === "vrm" ? { own: el.dataset.idTag ?? "" } : {};
    this.#release = library.take(
      { kind, src: url, base: "", ...own },
      {
        urgency: () => urgencyOf(TALL_M, distance.metres),
        // Far people have no model at all, so the budget never unloads one.
        distance: () => 0,
        onReady: (asset) => void this.#show(asset),
        onBroken: (code) => {
          const refusal: AvatarModelFailure = { url, code };
          el.emit(MODEL_REFUSED, refusal, true);
        },
        onAway: () => undefined,
      },
    );
  }

  remove(): void {
    this.#isOff = true;
    this.vrm?.remove();
    this.vrm = null;
    if (this.#head) {
      this.#head.removeFromParent();
      freeOptions(this.#options.aframe, this.#head);
    }
    this.#head = null;
    this.#release();
  }

  async #show(asset: LoadedAsset): Promise<void> {
    const { aframe, el, onWorn } = this.#options;
    if (asset.vrm === undefined) {
      // A glTF model faces +z, a head faces -z.
      this.#head = new aframe.THREE.Group().add(asset.copy());
      this.#head.rotation.y = Math.PI;
      el.object3D.add(this.#head);
    } else {
      const { vrmBodyOf } = await import("./vrm-body.ts");
      if (this.#isOff) return;
      this.vrm = vrmBodyOf(aframe, asset.vrm);
      if (this.vrm) el.object3D.add(this.vrm.group);
    }
    onWorn();
  }
}
