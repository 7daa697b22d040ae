/** Asks the user for a text when the object is pressed. Page: docs/components/stoa-text-input.md */
import type { AFrameAdapter, Behaviour, Entity } from "../aframe.ts";
import { isRemotePress } from "./remote-presses.ts";

export interface TextInputSettings {
  readonly on: string;
  readonly title: string;
  readonly label: string;
  readonly placeholder: string;
  /** The type of the field, as in HTML. */
  readonly inputType: string;
  readonly inputValue: string;
  readonly inputOptions: readonly string[];
}

/** Event that asks the page for a text; its detail is a `TextRequest`. */
export const ASK = "stoa-ask";

/** An object's request for a text. */
export interface TextRequest extends Omit<TextInputSettings, "on"> {
  readonly objectId: string;
}

/** The text input of one object. */
export class TextInputBehaviour implements Behaviour<TextInputSettings> {
  readonly #el: Entity;
  #listening = new AbortController();

  constructor(el: Entity) {
    this.#el = el;
  }

  update({ on, ...question }: TextInputSettings): void {
    this.remove();
    this.#listening = new AbortController();
    const request: TextRequest = { ...question, objectId: this.#el.dataset.objectId ?? "" };
    this.#el.addEventListener(on, (event) => isRemotePress(event) || this.#el.emit(ASK, request, true), {
      signal: this.#listening.signal,
    });
  }

  remove(): void {
    this.#listening.abort();
  }
}

/** Registers `stoa-text-input`. */
export function registerTextInput(aframe: AFrameAdapter): void {
  const text = { type: "plain", default: "" };
  aframe.registerComponent<TextInputSettings, TextInputBehaviour>({
    name: "stoa-text-input",
    schema: {
      on: { type: "string", default: "mousedown" },
      title: text,
      label: text,
      placeholder: text,
      inputType: { type: "string", default: "text" },
      inputValue: text,
      inputOptions: { type: "plain", default: [] },
    },
    create: (el) => new TextInputBehaviour(el),
  });
}
