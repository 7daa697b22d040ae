/** The model of the virtual keyboard: its keys, and the effect of presses on the text. Pure. */

/** Key labels and characters of a language. */
export interface KeyboardLayout {
  /** Rows of lower-case letters; the upper-case ones are derived. */
  readonly letters: readonly string[];
  /** Rows of digits and symbols. */
  readonly signs: readonly string[];
  /** Symbols beside the space bar. */
  readonly beside: readonly [string, string];
  readonly shift: string;
  readonly toSigns: string;
  readonly toLetters: string;
  readonly backspace: string;
  readonly space: string;
  readonly send: string;
  readonly close: string;
}

/** The active key layer. `capital` lasts for one letter, `capitals` until switched off. */
export type KeyLayer = "small" | "capital" | "capitals" | "signs";

/** The text and the active layer. */
export interface KeyboardState {
  readonly text: string;
  readonly layer: KeyLayer;
}

/** The effect of a key. */
export type KeyEffect =
  | { readonly kind: "sign"; readonly sign: string }
  | { readonly kind: "shift" | "turn" | "backspace" | "send" | "close" };

/** One key; its width is in units of a letter key. */
export interface KeyboardKey {
  readonly name: string;
  readonly width: number;
  readonly press: KeyEffect;
}

/** The initial state: lower case, or symbols for a number. */
export function unwritten(text: string, isNumber = false): KeyboardState {
  return { text, layer: isNumber ? "signs" : "small" };
}

/** The keys by row, from the top. */
export function keysOf(layer: KeyLayer, words: KeyboardLayout): readonly (readonly KeyboardKey[])[] {
  const isCapital = layer === "capital" || layer === "capitals";
  const rows = layer === "signs" ? words.signs : words.letters;
  const signs = rows.map((row) => [...row].map((sign) => signKey(isCapital ? sign.toLocaleUpperCase() : sign)));
  const last = signs.at(-1) ?? [];
  const backspace: KeyboardKey = { name: words.backspace, width: 2, press: { kind: "backspace" } };
  const shift: KeyboardKey = { name: words.shift, width: 1.5, press: { kind: "shift" } };
  const [before, after] = words.beside;
  const lowest: readonly KeyboardKey[] = [
    { name: layer === "signs" ? words.toLetters : words.toSigns, width: 1.5, press: { kind: "turn" } },
    signKey(before),
    { name: words.space, width: 2.5, press: { kind: "sign", sign: " " } },
    signKey(after),
    { name: words.send, width: 2, press: { kind: "send" } },
    { name: words.close, width: 2, press: { kind: "close" } },
  ];
  const third = layer === "signs" ? [...last, backspace] : [shift, ...last, backspace];
  return [...signs.slice(0, -1), third, lowest];
}

/** Applies a press to the text. The caller handles sending and closing. */
export function pressed(written: KeyboardState, press: KeyEffect, lengthMax: number): KeyboardState {
  const { text, layer } = written;
  switch (press.kind) {
    case "sign": {
      const isFull = [...text].length >= lengthMax;
      return { text: isFull ? text : text + press.sign, layer: layer === "capital" ? "small" : layer };
    }
    case "backspace":
      return { text: [...text].slice(0, -1).join(""), layer };
    case "shift":
      return { text, layer: layer === "small" ? "capital" : layer === "capital" ? "capitals" : "small" };
    case "turn":
      return { text, layer: layer === "signs" ? "small" : "signs" };
    default:
      return written;
  }
}

function signKey(sign: string): KeyboardKey {
  return { name: sign, width: 1, press: { kind: "sign", sign } };
}
