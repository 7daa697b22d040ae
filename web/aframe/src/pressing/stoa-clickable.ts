/**
 * A clickable object: outlined on hover, with click events sent to the scene. Page: docs/components/stoa-clickable.md
 */
import type { ClientEvent } from "@stoa/client";
import { type AFrameAdapter, type Behaviour, detailOf, type Entity, entityOf, type Three } from "../aframe.ts";
import type { PointerDetail, PointerEventType } from "./stoa-pointer.ts";

/** Event that sends its detail, a `ClientEvent` such as a press or a touch, to the scene. */
export const CLIENT_EVENT = "stoa-event";

const EVENTS: readonly PointerEventType[] = ["mousedown", "mouseup", "mouseenter", "mouseleave"];
const OUTLINE_COLOR = "#ffd166";

export interface ClickableSettings {
  /** Whether the nearest clickable ancestor is clicked too. */
  readonly bubble: boolean;
  /** Whether the events aren't sent to the scene. */
  readonly silent: boolean;
}

/** One clickable object. */
export class ClickableBehaviour implements Behaviour<ClickableSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #listening = new AbortController();
  #outline: Three.BoxHelper | null = null;
  #settings: ClickableSettings = { bubble: true, silent: false };

  constructor(aframe: AFrameAdapter, el: Entity) {
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
    // A synthetic or replayed click has no ray and isn't the user's.
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

  /** The nearest clickable ancestor. */
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

/** Registers `stoa-clickable`. */
export function registerClickable(aframe: AFrameAdapter): void {
  aframe.registerComponent<ClickableSettings, ClickableBehaviour>({
    name: "stoa-clickable",
    schema: { bubble: { type: "boolean", default: true }, silent: { type: "boolean", default: false } },
    create: (el) => new ClickableBehaviour(aframe, el),
  });
}
