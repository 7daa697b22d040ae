/** An object that can be clicked: shows it, and tells the scene. Page: docs/components/stoa-clickable.md */
import type { ClientEvent } from "@stoa/client";
import { type AFrame, type Behaviour, detailOf, type Entity, type Three } from "./aframe.ts";
import type { PointerDetail, PointerEventType } from "./stoa-pointer.ts";

/** The event that tells the scene of a press; its detail is a `ClientEvent`. */
export const CLIENT_EVENT = "stoa-event";

const EVENTS: readonly PointerEventType[] = ["mousedown", "mouseup", "mouseenter", "mouseleave"];
const OUTLINE_COLOR = "#ffd166";

/** One clickable object. */
export class Clickable implements Behaviour<unknown> {
  readonly #aframe: AFrame;
  readonly #el: Entity;
  readonly #listening = new AbortController();
  #outline: Three.BoxHelper | null = null;

  constructor(aframe: AFrame, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
    for (const type of EVENTS) {
      el.addEventListener(type, (event) => this.#on(type, detailOf(event)), { signal: this.#listening.signal });
    }
  }

  tick(): void {
    if (this.#outline?.visible) this.#outline.update();
  }

  remove(): void {
    this.#listening.abort();
    this.#outline?.removeFromParent();
    this.#outline?.dispose();
    this.#outline = null;
  }

  #on(type: PointerEventType, detail: PointerDetail): void {
    // A click that some page code made by itself has no ray, and is nobody's.
    if (!detail?.point) return;
    if (type === "mouseenter") this.#show(true);
    if (type === "mouseleave") this.#show(false);
    const event: ClientEvent = {
      type,
      target: this.#el.dataset.objectId ?? "",
      targetPosition: detail.point,
      originPosition: detail.origin,
      source: detail.source,
    };
    this.#el.emit(CLIENT_EVENT, event, true);
  }

  #show(hovered: boolean): void {
    if (hovered && !this.#outline) {
      this.#outline = new this.#aframe.THREE.BoxHelper(this.#el.object3D, OUTLINE_COLOR);
      this.#el.sceneEl?.object3D.add(this.#outline);
    }
    if (this.#outline) this.#outline.visible = hovered;
  }
}

/** Makes `stoa-clickable` known to A-Frame. */
export function registerClickable(aframe: AFrame): void {
  aframe.registerComponent<object, Clickable>({
    name: "stoa-clickable",
    schema: {},
    create: (el) => new Clickable(aframe, el),
  });
}
