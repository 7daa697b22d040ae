/** Keyboard shortcuts of the editor. Pure functions. */

/** The action of a shortcut. */
export type ShortcutAction =
  | "move"
  | "turn"
  | "size"
  | "snap"
  | "own"
  | "lock"
  | "copy"
  | "cut"
  | "paste"
  | "duplicate"
  | "group"
  | "ungroup"
  | "remove"
  | "none";

/** The parts of a browser's `KeyboardEvent` that are used. */
export interface ShortcutKeyEvent {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Actions of keys without a modifier. */
const PLAIN: Readonly<Record<string, ShortcutAction>> = {
  "1": "move",
  "2": "turn",
  "3": "size",
  n: "snap",
  x: "own",
  l: "lock",
  delete: "remove",
  backspace: "remove",
  escape: "none",
};
/** Actions of keys with Ctrl or Cmd. */
const WITH_CTRL: Readonly<Record<string, ShortcutAction>> = {
  c: "copy",
  x: "cut",
  v: "paste",
  d: "duplicate",
  g: "group",
};

/** The action of a key; `undefined` for none. `letters` enables letters and digits without a modifier. */
export function actionOf(
  { key, ctrlKey, metaKey, shiftKey, altKey }: ShortcutKeyEvent,
  letters = true,
): ShortcutAction | undefined {
  if (altKey) return undefined;
  const name = key.toLowerCase();
  if (ctrlKey || metaKey) {
    if (shiftKey) return name === "g" ? "ungroup" : undefined;
    return Object.hasOwn(WITH_CTRL, name) ? WITH_CTRL[name] : undefined;
  }
  if (!letters && name.length === 1) return undefined;
  return Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
}

/** Whether a key event's target uses keys itself: text fields, lists, and inputs other than buttons and boxes. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "color"].includes(target.type);
}
