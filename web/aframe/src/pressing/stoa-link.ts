/** Opens a URL when the object is pressed. Page: docs/components/stoa-link.md */
import type { AFrameAdapter, Behaviour, Entity } from "../aframe.ts";
import { isRemotePress } from "./remote-presses.ts";

/** The settings of `stoa-link`; `url` has passed `safe-url.ts`. */
export interface LinkSettings {
  readonly url: string;
  readonly on: string;
  readonly dest: string;
}

/** Event that asks the page to open a URL; its detail is an `OpenRequest`. */
export const OPEN = "stoa-open";

/** A request to open a URL. */
export interface OpenRequest {
  readonly url: string;
  readonly newTab: boolean;
}

/** One link. */
export class LinkBehaviour implements Behaviour<LinkSettings> {
  readonly #el: Entity;
  #listening = new AbortController();

  constructor(el: Entity) {
    this.#el = el;
  }

  update({ url, on, dest }: LinkSettings): void {
    this.remove();
    this.#listening = new AbortController();
    const request: OpenRequest = { url, newTab: dest !== "sametab" };
    this.#el.addEventListener(on, (event) => isRemotePress(event) || this.#el.emit(OPEN, request, true), {
      signal: this.#listening.signal,
    });
  }

  remove(): void {
    this.#listening.abort();
  }
}

/** Registers `stoa-link`. */
export function registerLink(aframe: AFrameAdapter): void {
  aframe.registerComponent<LinkSettings, LinkBehaviour>({
    name: "stoa-link",
    schema: {
      url: { type: "string", default: "" },
      on: { type: "string", default: "mousedown" },
      dest: { type: "string", default: "sametab" },
    },
    create: (el) => new LinkBehaviour(el),
  });
}
