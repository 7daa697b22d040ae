import { beforeEach, describe, expect, it } from "vitest";
import { StoaSceneOverlay } from "../../src/panels/stoa-overlay.ts";
import { defineTextView } from "../../src/text-view/index.ts";
import { StoaTextView } from "../../src/text-view/stoa-text.ts";
import { FakeSession } from "../support/fake-session.ts";
import { FakeVoice } from "../support/fake-voice.ts";
import { drawn, find, show } from "../support/page.ts";
import { texts } from "../support/texts.ts";

defineTextView(customElements);

const VIEWS = [
  { view: "3D view", create: () => new StoaSceneOverlay() },
  { view: "text view", create: () => new StoaTextView() },
];

describe.each(VIEWS)("the hint to press anywhere, in the $view", ({ create }) => {
  let voice: FakeVoice;

  beforeEach(() => {
    voice = new FakeVoice();
  });

  async function view() {
    const element = create();
    const status = { kind: "live" } as const;
    await show(element, Object.assign(element, { session: new FakeSession(), voice: voice.asVoice, status }));
    return { element, text: () => find(element.shadowRoot, ".press", HTMLElement).textContent?.trim() };
  }

  it("appears while voices wait for a press, and disappears after it", async () => {
    const { element, text } = await view();
    expect(text()).toBe("");
    voice.set({ needsGesture: true });
    await drawn(element);
    expect(text()).toBe(texts.voice.press);
    voice.set({ needsGesture: false });
    await drawn(element);
    expect(text()).toBe("");
  });

  it("is announced by screen readers", async () => {
    const { element } = await view();
    expect(find(element.shadowRoot, ".press", HTMLElement).getAttribute("role")).toBe("status");
  });
});
