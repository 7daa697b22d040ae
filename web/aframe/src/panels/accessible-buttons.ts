/**
 * Makes a panel's buttons usable by keyboard and screen reader: visually hidden HTML buttons inside its element. Focus
 * shows on the panel itself. All texts are those of the panel, so no translation is needed.
 */
import type { PanelButton, PanelLayout } from "./layout-builder.ts";

/** Callbacks of the buttons. */
export interface ButtonCallbacks {
  readonly onFocus: (button: PanelButton | null) => void;
  readonly onPress: (button: PanelButton) => void;
}

/** One panel's buttons in the page. */
export class AccessibleButtons {
  readonly #group: HTMLElement;

  constructor(el: HTMLElement, layout: PanelLayout, callbacks: ButtonCallbacks) {
    const { ownerDocument: document } = el;
    this.#group = document.createElement("div");
    this.#group.setAttribute("role", "group");
    this.#group.dataset.stoaKeys = "";
    const words = layout.lines.filter((line) => !line.raised).map(({ text }) => text);
    if (words.length > 0) this.#group.setAttribute("aria-label", words.join(" "));
    hide(this.#group);
    this.#group.append(...layout.buttons.map((button) => keyOf(document, button, callbacks)));
    el.append(this.#group);
  }

  remove(): void {
    this.#group.remove();
  }
}

function keyOf(document: Document, button: PanelButton, { onFocus, onPress }: ButtonCallbacks): HTMLButtonElement {
  const key = document.createElement("button");
  key.type = "button";
  key.textContent = button.name;
  key.addEventListener("focus", () => onFocus(button));
  key.addEventListener("blur", () => onFocus(null));
  key.addEventListener("click", () => onPress(button));
  return key;
}

/**
 * Hides an element from sight but keeps it focusable. A script sets the styles, because the realm's Content Security
 * Policy forbids style attributes.
 */
function hide({ style }: HTMLElement): void {
  Object.assign(style, {
    position: "absolute",
    width: "1px",
    height: "1px",
    overflow: "hidden",
    clipPath: "inset(50%)",
  });
}
