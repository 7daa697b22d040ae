// The settings of the own voice in the text view: microphones, level, push to talk.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Preferences } from "../../src/preferences/preferences.ts";
import { defineTextView } from "../../src/text-view/index.ts";
import { StoaTextView } from "../../src/text-view/stoa-text.ts";
import { FakeSession } from "../support/fake-session.ts";
import { FakeVoice } from "../support/fake-voice.ts";
import { drawn, find, show } from "../support/page.ts";
import { texts } from "../support/texts.ts";

defineTextView(customElements);

let voice: FakeVoice;
let preferences: Preferences;
let view: StoaTextView;

beforeEach(async () => {
  [voice, preferences] = [new FakeVoice(), new Preferences(new Storage())];
  const list = [
    { kind: "audioinput", deviceId: "own", label: "Built-in microphone" },
    { kind: "audioinput", deviceId: "usb", label: "USB microphone" },
  ];
  const devices = Object.assign(new EventTarget(), { enumerateDevices: async () => list });
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { mediaDevices: devices }));
  const status = { kind: "live" } as const;
  view = await show(new StoaTextView(), { session: new FakeSession(), voice: voice.asVoice, preferences, status });
});

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const section = () => view.shadowRoot?.querySelector('[aria-labelledby="voice"]') ?? null;
const panel = () => find(section(), "stoa-voice", HTMLElement).shadowRoot;

describe("the section Voice of the text view", () => {
  it("has a choice of microphones with a level meter, which the browser remembers", async () => {
    voice.microphone = { label: "USB microphone", deviceId: "usb", echoCancellation: true };
    voice.set({ talk: { kind: "talking", isMuted: false, level: 30, isSpeech: true } });
    await vi.waitFor(() => expect(find(panel(), "select", HTMLSelectElement).options).toHaveLength(2));
    expect(panel()?.querySelector("meter")?.getAttribute("value")).toBe("40");
    const choice = find(panel(), "select", HTMLSelectElement);
    choice.value = "own";
    choice.dispatchEvent(new Event("change"));
    expect([voice.startTalking.mock.calls, preferences.microphone]).toEqual([[["own"]], "own"]);
  });

  it("can be reached by a link at the top", () => {
    const links = [...(view.shadowRoot?.querySelectorAll("nav a") ?? [])].map(({ textContent }) => textContent);
    expect(links.at(-1)).toBe(texts.overlay.panels.voice);
  });

  it("is missing, with its link, for a person who may not speak", async () => {
    voice.set({ rights: { speak: false, hear: true } });
    await drawn(view);
    expect(section()).toBeNull();
    expect(view.shadowRoot?.querySelector('nav a[href="#voice"]')).toBeNull();
  });

  it("advises headphones to a person whose microphone hears the voices", async () => {
    voice.set({ hasEcho: true, talk: { kind: "talking", isMuted: false, level: 30, isSpeech: true } });
    await drawn(view);
    expect(view.shadowRoot?.querySelector(".echo")?.textContent).toBe(texts.voice.echo);
    expect(panel()?.textContent).toContain(texts.voice.echo);
    voice.set({ hasEcho: false });
    await drawn(view);
    expect(view.shadowRoot?.querySelector(".echo")?.textContent).toBe("");
    expect(panel()?.textContent).not.toContain(texts.voice.echo);
  });

  it("leaves the reason why the person can't talk to the head of the page", async () => {
    voice.set({ talk: { kind: "hindered", hindrance: "denied" } });
    await drawn(view);
    expect(view.shadowRoot?.querySelector('[role="alert"]')?.textContent).toBe(texts.voice.hindrances.denied);
    expect(panel()?.querySelector('[role="alert"]')).toBeNull();
  });
});
