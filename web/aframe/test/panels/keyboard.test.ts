import { describe, expect, test } from "vitest";
import { type KeyboardLayout, type KeyboardState, keysOf, pressed, unwritten } from "../../src/panels/keyboard.ts";

const WORDS: KeyboardLayout = {
  letters: ["qwertyuiop", "asdfghjkl", "zxcvbnm"],
  signs: ["1234567890", "@#&*()-+_/", "\"':;!?%"],
  beside: [",", "."],
  shift: "Abc",
  toSigns: "123",
  toLetters: "abc",
  backspace: "Delete",
  space: "Space",
  send: "Send",
  close: "Close",
};

/** The text after presses of the keys with these names. */
function typed(names: readonly string[], from: KeyboardState = unwritten(""), lengthMax = 100): KeyboardState {
  return names.reduce((written, name) => {
    const key = keysOf(written.layer, WORDS)
      .flat()
      .find((one) => one.name === name);
    if (key === undefined) throw new Error(`there is no key ${name}`);
    return pressed(written, key.press, lengthMax);
  }, from);
}

describe("the keyboard", () => {
  test("a word is written with blanks, signs and a capital letter at its beginning", () => {
    const { text } = typed(["Abc", "H", "i", "Space", "t", "h", "e", "r", "e", ",", "123", "2", "!", "abc", "x"]);
    expect(text).toBe("Hi there,2!x");
  });

  test("Shift pressed twice locks capitals until it is pressed again", () => {
    expect(typed(["Abc", "Abc", "A", "B", "C"])).toEqual({ text: "ABC", layer: "capitals" });
    expect(typed(["Abc", "Abc", "A", "Abc", "b"])).toEqual({ text: "Ab", layer: "small" });
  });

  test("Delete removes the last whole character, and does nothing on an empty text", () => {
    expect(typed(["a", "b", "Delete"]).text).toBe("a");
    expect(typed(["Delete"], unwritten("so 👍")).text).toBe("so ");
    expect(typed(["Delete"]).text).toBe("");
  });

  test("the length of the text is limited", () => {
    expect(typed(["a", "b", "c"], unwritten("👍"), 3).text).toBe("👍ab");
  });

  test("Send and Close don't change the text", () => {
    const written = unwritten("hello");
    expect(typed(["Send"], written)).toBe(written);
    expect(typed(["Close"], written)).toBe(written);
  });

  test("a number input starts on the layer with digits", () => {
    expect(keysOf(unwritten("", true).layer, WORDS)[0]?.map(({ name }) => name)).toEqual([..."1234567890"]);
  });

  test("on each layer the rows are about as long as the first one", () => {
    for (const layer of ["small", "capital", "capitals", "signs"] as const) {
      const widths = keysOf(layer, WORDS).map((row) => row.reduce((sum, { width }) => sum + width, 0));
      expect(widths.length).toBe(4);
      for (const width of widths) expect(width).toBeGreaterThanOrEqual(8.5);
      for (const width of widths) expect(width).toBeLessThanOrEqual(10.5);
    }
  });
});
