/** A panel that stands where one's own body is, seen and pressed by oneself alone: drawn and pressed as the scene's panels are. */
import type { ClientEvent } from "@stoa/client";
import { detailOf, type Entity, makeEntity, type Three } from "../aframe.ts";
import type { ShownPanel } from "../mapping/panel.ts";
import { CLIENT_EVENT } from "../pressing/stoa-clickable.ts";

/** What all panels of one's own look like. */
export const OWN_LOOK = { font: "Roboto", theme: "dark", themeOverride: [], materialSides: "both", title: "" } as const;

/** A place in the rig, looking along `yawRad` and leant back by `leanRad`. */
export interface PanelPose {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly yawRad: number;
  readonly leanRad: number;
}

/** One panel. It is in the page only while it is shown. */
export class OwnPanel {
  readonly #rig: Entity;
  readonly #el: Entity;
  readonly #scale: number;
  #isShown = false;

  /** `onPress` is told the button's number. Panels of one's own are smaller than the scene's: by `scale`. */
  constructor(rig: Entity, scale: number, onPress: (index: number) => void) {
    this.#rig = rig;
    this.#scale = scale;
    this.#el = makeEntity(rig.ownerDocument);
    this.#el.addEventListener(CLIENT_EVENT, (event) => {
      // It is nothing of the scene's: nobody else hears of it.
      event.stopPropagation();
      const { buttonIndex } = detailOf<ClientEvent>(event).more ?? {};
      if (typeof buttonIndex === "number") onPress(buttonIndex);
    });
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  /** What a ray meets. */
  get target(): Three.Object3D | null {
    return this.#isShown ? (this.#el.object3D ?? null) : null;
  }

  is(el: Entity | null): boolean {
    return el === this.#el;
  }

  show(panel: ShownPanel): void {
    this.#el.setAttribute("stoa-panel", { panel });
    if (this.#isShown) return;
    this.#isShown = true;
    this.#rig.append(this.#el);
    this.#el.object3D.scale.setScalar(this.#scale);
  }

  place({ x, y, z, yawRad, leanRad }: PanelPose): void {
    const { object3D } = this.#el;
    object3D?.position.set(x, y, z);
    object3D?.rotation.set(leanRad, yawRad, 0, "YXZ");
  }

  hide(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#el.remove();
  }
}
