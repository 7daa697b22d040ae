/**
 * A panel's buttons for keyboards and screen readers: real buttons in the page, out of sight, under the panel's entity. Focus shows on the
 * panel itself. All that is said comes from the scene, so there are no texts of ours.
 */
import type { PanelButton, PanelLayout } from "./sheet.ts";

/** Whom the keys serve. */
export interface Pressed {
  readonly onFocus: (button: PanelButton | null) => void;
  readonly onPress: (button: PanelButton) => void;
}

/** One panel's buttons in the page. */
export class AccessibleButtons {
  readonly #group: HTMLElement;

  constructor(el: HTMLElement, layout: PanelLayout, pressed: Pressed) {
    const { ownerDocument: document } = el;
    this.#group = document.createElement("div");
    this.#group.setAttribute("role", "group");
    this.#group.dataset.stoaKeys = "";
    const words = layout.lines.filter((line) => !line.raised).map(({ text }) => text);
    if (words.length > 0) this.#group.setAttribute("aria-label", words.join(" "));
    hide(this.#group);
    this.#group.append(...layout.buttons.map((button) => keyOf(document, button, pressed)));
    el.append(this.#group);
  }

  remove(): void {
    this.#group.remove();
  }
}

function keyOf(document: Document, button: PanelButton, { onFocus, onPress }: Pressed): HTMLButtonElement {
  const key = document.createElement("button");
  key.type = "button";
  key.textContent = button.name;
  key.addEventListener("focus", () => onFocus(button));
  key.addEventListener("blur", () => onFocus(null));
  key.addEventListener("click", () => onPress(button));
  return key;
}

/** Out of sight, not out of reach: by the object model, since the realm's policy forbids styles in attributes. */
function hide({ style }: HTMLElement): void {
  Object.assign(style, {
    position: "absolute",
    width: "1px",
    height: "1px",
    overflow: "hidden",
    clipPath: "inset(50%)",
  });
}
