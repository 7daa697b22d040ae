/** Reads the held movement keys, and counts new presses of the turning keys. */

/** The user's movement input: -1 to 1 each, or more if several devices add up. */
export interface MovementInput {
  /** To the right. */
  x: number;
  /** Up. */
  y: number;
  /** Backwards. */
  z: number;
  /** To the right, while held. */
  turn: number;
  /** To the right, in snap turns. */
  snap: number;
}

/** Axis and direction of movement, by key code. */
const KEYS: Readonly<Record<string, readonly [axis: "x" | "y" | "z", amount: number]>> = {
  KeyW: ["z", -1],
  ArrowUp: ["z", -1],
  KeyS: ["z", 1],
  ArrowDown: ["z", 1],
  KeyA: ["x", -1],
  ArrowLeft: ["x", -1],
  KeyD: ["x", 1],
  ArrowRight: ["x", 1],
  KeyR: ["y", 1],
  PageUp: ["y", 1],
  KeyF: ["y", -1],
  PageDown: ["y", -1],
};
/** Direction of turning by key code; 1 is to the right. */
const TURNS: Readonly<Record<string, number>> = { KeyQ: -1, ShiftArrowLeft: -1, KeyE: 1, ShiftArrowRight: 1 };

/** Listens to the page's keys, except while the user types into a field. */
export class MovementKeys {
  readonly #pressed = new Set<string>();
  readonly #listening = new AbortController();
  #isEnabled = true;
  #hasLetters = true;
  #snaps = 0;

  constructor(page: Window | null) {
    const { signal } = this.#listening;
    page?.addEventListener("keydown", (event) => this.#down(event), { signal });
    page?.addEventListener("keyup", ({ code }) => this.#up(code), { signal });
    page?.addEventListener("blur", () => this.#pressed.clear(), { signal });
  }

  setEnabled(isEnabled: boolean): void {
    this.#isEnabled = isEnabled;
    if (!isEnabled) this.#pressed.clear();
  }

  /** Whether letter keys move the user, in addition to arrows and page keys. */
  setLetters(hasLetters: boolean): void {
    this.#hasLetters = hasLetters;
    if (!hasLetters) this.#pressed.clear();
  }

  /** Adds the held keys, and the presses of turning keys since the last call. */
  addTo(movement: MovementInput): void {
    for (const code of this.#pressed) {
      const axis = KEYS[code];
      if (axis) movement[axis[0]] += axis[1];
      movement.turn += TURNS[code] ?? 0;
    }
    movement.snap += this.#snaps;
    this.#snaps = 0;
  }

  remove(): void {
    this.#listening.abort();
    this.#pressed.clear();
  }

  #down(event: KeyboardEvent): void {
    const code = event.shiftKey && Object.hasOwn(TURNS, `Shift${event.code}`) ? `Shift${event.code}` : event.code;
    const isLetter = code.startsWith("Key");
    const isBusy = event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target);
    if (isBusy || !this.#isEnabled || (isLetter && !this.#hasLetters)) return;
    if (!(Object.hasOwn(KEYS, code) || Object.hasOwn(TURNS, code))) return;
    if (!this.#pressed.has(code)) this.#snaps += TURNS[code] ?? 0;
    this.#pressed.add(code);
    if (!isLetter) event.preventDefault();
  }

  #up(code: string): void {
    this.#pressed.delete(code);
    this.#pressed.delete(`Shift${code}`);
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  );
}
