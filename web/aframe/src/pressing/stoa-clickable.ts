/** An object that can be clicked: shows it, and tells the scene. Page: docs/components/stoa-clickable.md */
import type { ClientEvent } from "@stoa/client";
import { type AFrame, type Behaviour, detailOf, type Entity, entityOf, type Three } from "../aframe.ts";
import type { PointerDetail, PointerEventType } from "./stoa-pointer.ts";

/** The event that tells the scene of a press; its detail is a `ClientEvent`. */
export const CLIENT_EVENT = "stoa-event";

const EVENTS: readonly PointerEventType[] = ["mousedown", "mouseup", "mouseenter", "mouseleave"];
const OUTLINE_COLOR = "#ffd166";

/** The settings of `stoa-clickable`. */
export interface ClickableSettings {
  /** Whether the next object above that can be clicked is clicked as well. */
  readonly bubble: boolean;
  /** Whether the scene isn't told. */
  readonly silent: boolean;
}

/** One clickable object. */
export class Clickable implements Behaviour<ClickableSettings> {
  readonly #aframe: AFrame;
  readonly #el: Entity;
  readonly #listening = new AbortController();
  #outline: Three.BoxHelper | null = null;
  #settings: ClickableSettings = { bubble: true, silent: false };

  constructor(aframe: AFrame, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
    for (const type of EVENTS) {
      el.addEventListener(type, (event) => this.#on(type, detailOf(event)), { signal: this.#listening.signal });
    }
  }

  update(settings: ClickableSettings): void {
    this.#settings = settings;
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
    if (this.#settings.bubble) this.#above()?.emit(type, detail, false);
    if (this.#settings.silent) return;
    const event: ClientEvent = {
      type,
      target: this.#el.dataset.objectId ?? "",
      targetPosition: detail.point,
      originPosition: detail.origin,
      source: detail.source,
    };
    this.#el.emit(CLIENT_EVENT, event, true);
  }

  /** The next clickable object that this one is part of. */
  #above(): Entity | null {
    for (let at = this.#el.object3D.parent; at; at = at.parent) {
      const el = entityOf(at);
      if (el === null) return null;
      if (el.hasAttribute("stoa-clickable")) return el;
      at = el.object3D;
    }
    return null;
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
  aframe.registerComponent<ClickableSettings, Clickable>({
    name: "stoa-clickable",
    schema: { bubble: { type: "boolean", default: true }, silent: { type: "boolean", default: false } },
    create: (el) => new Clickable(aframe, el),
  });
}
