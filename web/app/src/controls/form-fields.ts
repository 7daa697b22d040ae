/** Reads the values of form fields, by name or by event, and restores them. */

/** The value of a form's field; empty if there is no such field. */
export function textOf(form: EventTarget | null, name: string): string {
  if (!(form instanceof HTMLFormElement)) return "";
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}

/** The value of the field that fired the event. */
export function typedIn(event: Event): string {
  const { target } = event;
  return target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
    ? target.value
    : "";
}

/** Restores the former value of the field that fired the event. */
export function showAgain({ target }: Event, before: string): void {
  if (target instanceof HTMLInputElement) target.value = before;
}

/** Whether the checkbox that fired the event is checked. */
export function isTicked(event: Event): boolean {
  return event.target instanceof HTMLInputElement && event.target.checked;
}
