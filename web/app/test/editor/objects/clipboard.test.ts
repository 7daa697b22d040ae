import { describe, expect, it } from "vitest";
import { browserClipboard } from "../../../src/editor/objects/clipboard.ts";

const clip = (objectId: string) => ({ things: [{ objectId, attributes: {} }] });

describe("the clipboard", () => {
  it("returns the last clip although the storage is full, and another page's clip once it isn't", () => {
    let stored: string | null = null;
    let isFull = false;
    const storage = {
      getItem: () => stored,
      setItem: (_: string, value: string) => {
        if (isFull) throw new DOMException("full", "QuotaExceededError");
        stored = value;
      },
    };
    const clipboard = browserClipboard(storage);
    clipboard.write(clip("first"));
    isFull = true;
    clipboard.write(clip("second"));
    expect(clipboard.read()).toEqual(clip("second"));
    isFull = false;
    browserClipboard(storage).write(clip("elsewhere"));
    expect(clipboard.read()).toEqual(clip("elsewhere"));
  });
});
