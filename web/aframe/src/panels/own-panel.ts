/**
 * Shows the local user a private panel in VR and AR. The panel looks and works like those of the scene, but other
 * people don't see it.
 */
import type { ClientEvent } from "@stoa/client";
import { detailOf, type Entity, makeEntity, type Three } from "../aframe.ts";
import type { AnyPanelSettings } from "../mapping/panel.ts";
import { CLIENT_EVENT } from "../pressing/stoa-clickable.ts";

/** Common style of the user's own panels. */
export const OWN_LOOK = { font: "Roboto", theme: "dark", themeOverride: [], materialSides: "both", title: "" } as const;

/** A pose in the rig's space, facing `yawRad`. A negative `leanRad` tilts the panel's top away from the user. */
export interface RigSpacePose {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly yawRad: number;
  readonly leanRad: number;
}

/** One panel; it is in the DOM only while visible. */
export class OwnPanel {
  readonly #rig: Entity;
  readonly #el: Entity;
  readonly #scale: number;
  #isShown = false;

  /** `onPress` receives the button's index. `scale` shrinks it relative to the scene's panels. */
  constructor(rig: Entity, scale: number, onPress: (index: number) => void) {
    this.#rig = rig;
    this.#scale = scale;
    this.#el = makeEntity(rig.ownerDocument);
    this.#el.addEventListener(CLIENT_EVENT, (event) => {
      // The event must not reach the scene, which would send it to the realm.
      event.stopPropagation();
      const { buttonIndex } = detailOf<ClientEvent>(event).more ?? {};
      if (typeof buttonIndex === "number") onPress(buttonIndex);
    });
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  /** The raycast target while visible. */
  get target(): Three.Object3D | null {
    return this.#isShown ? (this.#el.object3D ?? null) : null;
  }

  is(el: Entity | null): boolean {
    return el === this.#el;
  }

  show(panel: AnyPanelSettings): void {
    this.#el.setAttribute("stoa-panel", { panel });
    if (this.#isShown) return;
    this.#isShown = true;
    this.#rig.append(this.#el);
    this.#el.object3D.scale.setScalar(this.#scale);
  }

  place({ x, y, z, yawRad, leanRad }: RigSpacePose): void {
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
