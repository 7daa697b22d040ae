import { render } from "lit";
import { beforeEach, describe, expect, it } from "vitest";
import { talkButton } from "../../src/voice/talk-button.ts";
import { FakeVoice } from "../support/fake-voice.ts";
import { find } from "../support/page.ts";
import { texts } from "../support/texts.ts";

let voice: FakeVoice;
let root: HTMLElement;

beforeEach(() => {
  [voice, root] = [new FakeVoice(), document.createElement("div")];
  document.body.replaceChildren(root);
});

/** The button as drawn now. */
function button(): HTMLButtonElement {
  render(talkButton(voice.asVoice), root);
  return find(root, "button", HTMLButtonElement);
}

describe("the button Talk", () => {
  it("is missing without voice, and without the right to speak", () => {
    for (const rights of [null, { speak: false, hear: true }]) {
      voice.rights = rights;
      render(talkButton(voice.asVoice), root);
      expect(root.querySelector("button")).toBeNull();
    }
    render(talkButton(undefined), root);
    expect(root.querySelector("button")).toBeNull();
  });

  it("starts talking, and can't be pressed while that takes time", () => {
    expect(button().textContent?.trim()).toBe(texts.voice.talk);
    button().click();
    expect(voice.toggle).toHaveBeenCalledTimes(1);
    voice.talk = { kind: "starting" };
    expect([button().disabled, button().textContent?.trim()]).toEqual([true, texts.voice.starting]);
    voice.talk = { kind: "hindered", hindrance: "denied" };
    expect([button().disabled, button().textContent?.trim()], "another try").toEqual([false, texts.voice.talk]);
  });

  it("mutes and unmutes, and names the effect of a press", () => {
    voice.setTalking(false);
    expect(button().textContent?.trim()).toBe(texts.voice.mute);
    button().click();
    voice.setTalking(true);
    expect(button().textContent?.trim()).toBe(texts.voice.unmute);
    button().click();
    expect(voice.toggle).toHaveBeenCalledTimes(2);
  });
});

describe("the button Hold to talk", () => {
  beforeEach(() => {
    voice.mode = "push";
    voice.setTalking(true);
  });

  it("shows whether it is held", () => {
    expect(button().textContent?.trim()).toBe(texts.voice.hold);
    expect(button().getAttribute("aria-pressed")).toBe("false");
    voice.setTalking(false);
    expect(button().getAttribute("aria-pressed")).toBe("true");
  });

  it.each(["pointerup", "pointercancel", "pointerleave", "blur"])("talks from a press to %s", (end) => {
    button().dispatchEvent(new Event("pointerdown"));
    expect(voice.hold.mock.calls).toEqual([[true]]);
    button().dispatchEvent(new Event(end));
    expect(voice.hold.mock.calls).toEqual([[true], [false]]);
  });

  it.each([" ", "Enter"])("talks while the key %j is held, and ignores other keys", (key) => {
    button().dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" }));
    button().dispatchEvent(new KeyboardEvent("keydown", { key }));
    button().dispatchEvent(new KeyboardEvent("keyup", { key }));
    expect(voice.hold.mock.calls).toEqual([[true], [false]]);
  });

  it("starts talking by a press like the other button", () => {
    voice.talk = { kind: "off" };
    button().click();
    expect(voice.toggle).toHaveBeenCalledTimes(1);
  });
});
