import type { LitElement } from "lit";
import { defineEditor } from "../../src/editor/index.ts";
import { defineElements } from "../../src/elements.ts";

defineElements(customElements);
defineEditor(customElements);

/** Adds an element to the page and waits until it is drawn. */
export async function show<T extends LitElement>(element: T, properties: Partial<T>): Promise<T> {
  Object.assign(element, properties);
  document.body.replaceChildren(element);
  await drawn(element);
  return element;
}

/** Waits until an element and the promises that it started have settled. */
export async function drawn(element: LitElement): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  while (!(await element.updateComplete));
}

/** The first matching element within `root`; fails if there is none. */
export function find<T extends Element>(
  root: ParentNode | null,
  selector: string,
  type: abstract new (...args: never[]) => T,
): T {
  const found = root?.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`there is no ${selector}`);
}

/** The first element within `root` with this label; fails if there is none. */
export function labelled<T extends Element>(
  root: ParentNode | null,
  label: string,
  type: abstract new (...args: never[]) => T,
): T {
  const all = [...(root?.querySelectorAll("[aria-label]") ?? [])];
  const found = all.find((candidate) => candidate.getAttribute("aria-label") === label);
  if (found instanceof type) return found;
  throw new Error(`nothing is labelled "${label}"`);
}

/** The button with this text. */
export function button(root: ParentNode | null, text: string): HTMLButtonElement {
  const found = [...(root?.querySelectorAll("button") ?? [])].find((candidate) =>
    candidate.textContent?.trim().startsWith(text),
  );
  if (found === undefined) throw new Error(`there is no button "${text}"`);
  return found;
}

/** Types into a field like a person. */
export function type(field: HTMLInputElement, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Submits a form. */
export function submit(form: HTMLFormElement): void {
  form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
}
