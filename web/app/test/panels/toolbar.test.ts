import { beforeEach, describe, expect, it } from "vitest";
import type { StoaSceneOverlay } from "../../src/panels/stoa-overlay.ts";
import { arranged, slotsIn } from "../../src/panels/toolbar.ts";
import { FakeSession } from "../support/fake-session.ts";
import { drawn, find, show } from "../support/page.ts";

describe("the number of toolbar buttons", () => {
  it("is 5 on a phone and 13 on a laptop", () => {
    expect(slotsIn(390, 16)).toBe(5);
    expect(slotsIn(1280, 16)).toBe(13);
  });

  it("is smaller with larger type, but at least two", () => {
    expect(slotsIn(390, 32)).toBe(2);
    expect(slotsIn(1280, 32)).toBeLessThan(slotsIn(1280, 16));
  });

  it("leaves the last slot to the overflow menu if not all buttons fit", () => {
    expect(arranged([1, 2, 3], 3)).toEqual({ shown: [1, 2, 3], more: [] });
    expect(arranged([1, 2, 3, 4], 3)).toEqual({ shown: [1, 2], more: [3, 4] });
  });
});

describe("the menu of the toolbar", () => {
  let overlay: StoaSceneOverlay;

  beforeEach(async () => {
    const session = new FakeSession();
    overlay = document.createElement("stoa-overlay");
    // happy-dom has no layout.
    Object.defineProperty(overlay, "clientWidth", { value: 160 });
    await show(overlay, { session, status: { kind: "live" } });
  });

  it("opens a panel and closes", async () => {
    find(overlay.shadowRoot, "[data-more]", HTMLButtonElement).click();
    await drawn(overlay);
    expect(find(overlay.shadowRoot, "#more", HTMLElement).hidden).toBe(false);
    find(overlay.shadowRoot, "#more [data-panel=chat]", HTMLButtonElement).click();
    await drawn(overlay);
    expect(overlay.panel).toBe("chat");
    expect(find(overlay.shadowRoot, "#more", HTMLElement).hidden).toBe(true);
    expect(find(overlay.shadowRoot, "[data-more]", HTMLElement).getAttribute("aria-pressed")).toBe("true");
  });

  it("gives the focus back to its button when its panel is closed", async () => {
    find(overlay.shadowRoot, "#more [data-panel=chat]", HTMLButtonElement).click();
    await drawn(overlay);
    const leaving = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true });
    find(overlay.shadowRoot, "stoa-chat", HTMLElement).dispatchEvent(leaving);
    await drawn(overlay);
    expect(overlay.panel).toBeNull();
    expect(overlay.shadowRoot?.activeElement).toBe(find(overlay.shadowRoot, "[data-more]", HTMLElement));
  });
});
