/** A model of the realm as somebody's head or body. It comes through the scene's queue, within the limits of what people wear. */
import type { AFrame, Entity, Three } from "../aframe.ts";
import type { BrokenCode } from "../assets/asset-error.ts";
import { CameraDistance } from "../assets/camera-distance.ts";
import type { Asset, Library } from "../assets/library.ts";
import { urgencyOf } from "../assets/load-queue.ts";
import { freeOptions } from "../assets/model-options.ts";
import { BODY } from "../limits.ts";
import { bodyKind } from "./model-check.ts";
import type { VrmBody } from "./vrm-body.ts";

/** The event that tells why somebody's model isn't shown; its detail is a {@link WornRefusal}. */
export const MODEL_REFUSED = "stoa-model-refused";

/** Whose model isn't shown, and why. */
export interface WornRefusal {
  readonly url: string;
  readonly code: BrokenCode;
}

/** What it is made of. */
export interface WornOptions {
  readonly aframe: AFrame;
  /** Whose it is. */
  readonly el: Entity;
  readonly library: Library;
  readonly url: string;
  /** It is there, and stands in for the built-in body. */
  readonly onWorn: () => void;
}

/** How tall somebody is to the eye. */
const TALL_M = BODY.torsoM + BODY.legM;

/** One model that somebody wears. */
export class AvatarModel {
  /** What moves it, of a VRM that is there. */
  vrm: VrmBody | null = null;

  readonly #options: WornOptions;
  readonly #release: () => void;
  #head: Three.Object3D | null = null;
  #isOff = false;

  constructor(options: WornOptions) {
    const { aframe, el, library, url } = options;
    this.#options = options;
    const distance = new CameraDistance(aframe, el);
    const kind = bodyKind(url);
    const own = kind === "vrm" ? { own: el.dataset.idTag ?? "" } : {};
    this.#release = library.take(
      { kind, src: url, base: "", ...own },
      {
        urgency: () => urgencyOf(TALL_M, distance.metres),
        // Those who are far have no model at all, so nobody's is sent away.
        distance: () => 0,
        onReady: (asset) => void this.#show(asset),
        onBroken: (code) => {
          const refusal: WornRefusal = { url, code };
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

  async #show(asset: Asset): Promise<void> {
    const { aframe, el, onWorn } = this.#options;
    if (asset.vrm === undefined) {
      // glTF's front is +z, a head's is -z.
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
