// The key of the own voice, in an element that handles it.
import { LitElement } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TalkController } from "../../src/voice/talk-keys.ts";
import { FakeSession } from "../support/fake-session.ts";
import { FakeVoice } from "../support/fake-voice.ts";
import { drawn, find, show } from "../support/page.ts";

let voice: FakeVoice;
let takesKeys: boolean;
let element: TalkingElement;
const onHindered = vi.fn();
const onEcho = vi.fn();

/** An element with a voice, which counts its updates. */
class TalkingElement extends LitElement {
  updates = 0;

  constructor() {
    super();
    new TalkController(this, { voice: () => voice.asVoice, takesKeys: () => takesKeys, onHindered, onEcho });
  }

  override updated(): void {
    this.updates += 1;
  }
}

customElements.define("talking-element", TalkingElement);

const key = (type: "keydown" | "keyup", init: KeyboardEventInit = {}, at: EventTarget = document.body) =>
  at.dispatchEvent(new KeyboardEvent(type, { key: "m", bubbles: true, composed: true, ...init }));

beforeEach(async () => {
  [voice, takesKeys] = [new FakeVoice(), true];
  onHindered.mockClear();
  onEcho.mockClear();
  element = await show(new TalkingElement(), {});
});

afterEach(() => document.body.replaceChildren());

describe("the key M", () => {
  it("starts talking, then mutes and unmutes, in either case", () => {
    key("keydown");
    voice.setTalking(false);
    key("keydown", { key: "M" });
    expect(voice.toggle).toHaveBeenCalledTimes(2);
  });

  it("talks while it is held in the mode for that", () => {
    voice.mode = "push";
    key("keydown");
    expect([voice.toggle.mock.calls.length, voice.hold.mock.calls], "it starts talking first").toEqual([1, []]);
    voice.setTalking(true);
    key("keydown");
    key("keydown", { repeat: true });
    expect(voice.hold.mock.calls).toEqual([[true]]);
    key("keyup");
    expect(voice.hold.mock.calls).toEqual([[true], [false]]);
    expect(voice.toggle).toHaveBeenCalledTimes(1);
  });

  it("ends talking when the window loses the focus", () => {
    voice.mode = "push";
    voice.setTalking(true);
    key("keydown");
    dispatchEvent(new Event("blur"));
    expect(voice.hold.mock.calls).toEqual([[true], [false]]);
  });

  it("ends talking when it is released in a panel, which keeps its keys to itself", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), {
      session: new FakeSession(),
      voice: voice.asVoice,
      status: { kind: "live" },
      panel: "chat",
    });
    voice.mode = "push";
    voice.setTalking(true);
    key("keydown");
    key("keyup", {}, find(overlay.shadowRoot, "stoa-chat", HTMLElement));
    expect(voice.hold.mock.calls).toEqual([[true], [false]]);
  });

  it.each(["input", "textarea", "select"])("is a letter within an element %s", (name) => {
    const field = document.createElement(name);
    element.append(field);
    key("keydown", {}, field);
    expect(voice.toggle).not.toHaveBeenCalled();
  });

  it("counts on a checkbox, into which no one types", () => {
    const box = Object.assign(document.createElement("input"), { type: "checkbox" });
    element.append(box);
    key("keydown", {}, box);
    expect(voice.toggle).toHaveBeenCalledTimes(1);
  });

  it("does nothing together with a modifier, while it repeats, or as another letter", () => {
    for (const init of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }, { key: "n" }])
      key("keydown", init);
    expect(voice.toggle).not.toHaveBeenCalled();
  });

  it("does nothing while letters are no shortcuts", () => {
    takesKeys = false;
    key("keydown");
    expect(voice.toggle).not.toHaveBeenCalled();
  });

  it("does nothing without the right to speak", () => {
    voice.rights = { speak: false, hear: true };
    key("keydown");
    voice.rights = null;
    key("keydown");
    expect(voice.toggle).not.toHaveBeenCalled();
  });

  it("does nothing after its element is gone, which then follows no voice", () => {
    expect(voice.listeners).toBe(1);
    element.remove();
    key("keydown");
    expect([voice.toggle.mock.calls, voice.listeners]).toEqual([[], 0]);
  });
});

describe("an element with a voice", () => {
  it("reports each hindrance once", () => {
    voice.set({ talk: { kind: "hindered", hindrance: "denied" } });
    voice.set({ needsGesture: true });
    expect(onHindered.mock.calls).toEqual([["denied"]]);
    voice.set({ talk: { kind: "starting" } });
    voice.set({ talk: { kind: "hindered", hindrance: "taken" } });
    expect(onHindered.mock.calls).toEqual([["denied"], ["taken"]]);
  });

  it("reports an echo once, and again after the next start of talking", () => {
    voice.set({ hasEcho: true });
    voice.setTalking(false);
    expect(onEcho).toHaveBeenCalledTimes(1);
    voice.set({ hasEcho: false });
    voice.set({ hasEcho: true });
    expect(onEcho).toHaveBeenCalledTimes(2);
  });

  it("is drawn again when the voice's state changes, but not its level", async () => {
    voice.setTalking(false);
    await drawn(element);
    const before = element.updates;
    voice.set({ talk: { kind: "talking", isMuted: false, level: 40, isSpeech: true } });
    await drawn(element);
    expect(element.updates).toBe(before);
    voice.setTalking(true);
    await drawn(element);
    expect(element.updates).toBe(before + 1);
  });

  it("follows the voice of the next scene", async () => {
    const before = voice;
    voice = new FakeVoice();
    element.requestUpdate();
    await drawn(element);
    expect([before.listeners, voice.listeners]).toEqual([0, 1]);
  });
});
