/** What was typed into a field of a form; an empty text where there is no such field. */
export function textOf(form: EventTarget | null, name: string): string {
  if (!(form instanceof HTMLFormElement)) return "";
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}

/** What stands in the field that an event came from. */
export function typedIn(event: Event): string {
  const { target } = event;
  return target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
    ? target.value
    : "";
}

/** Shows in the field that an event came from what stood there before. */
export function showAgain({ target }: Event, before: string): void {
  if (target instanceof HTMLInputElement) target.value = before;
}

/** Whether the box that an event came from is ticked. */
export function isTicked(event: Event): boolean {
  return event.target instanceof HTMLInputElement && event.target.checked;
}
