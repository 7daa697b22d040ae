import type { TalkState } from "@stoa/voice";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Preferences } from "../../src/preferences/preferences.ts";
import { StoaVoicePanel } from "../../src/voice/stoa-voice.ts";
import { FakeVoice } from "../support/fake-voice.ts";
import { button, drawn, find, show } from "../support/page.ts";
import { texts } from "../support/texts.ts";

if (customElements.get("stoa-voice") === undefined) customElements.define("stoa-voice", StoaVoicePanel);

type Device = Pick<MediaDeviceInfo, "kind" | "deviceId" | "label">;

/** The devices of a browser, which tells their names only while one is in use. */
class FakeDevices extends EventTarget {
  list: readonly Device[] = [];

  enumerateDevices(): Promise<readonly Device[]> {
    return Promise.resolve(this.list);
  }

  plug(list: readonly Device[]): void {
    this.list = list;
    this.dispatchEvent(new Event("devicechange"));
  }
}

const USB: Device = { kind: "audioinput", deviceId: "usb", label: "USB microphone" };
const BUILT_IN: Device = { kind: "audioinput", deviceId: "own", label: "Built-in microphone" };
const SPEAKER: Device = { kind: "audiooutput", deviceId: "out", label: "Loudspeaker" };

let voice: FakeVoice;
let devices: FakeDevices;
let preferences: Preferences;
let panel: StoaVoicePanel;

beforeEach(async () => {
  [voice, devices, preferences] = [new FakeVoice(), new FakeDevices(), new Preferences(new Storage())];
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { mediaDevices: devices }));
  panel = await show(new StoaVoicePanel(), { voice: voice.asVoice, preferences });
});

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

/** The labels of the microphones in the list; `null` without a list. */
function offered(): readonly string[] | null {
  const list = panel.shadowRoot?.querySelector("select");
  return list ? [...list.options].map(({ text }) => text) : null;
}

async function talk(talk: Partial<Extract<TalkState, { kind: "talking" }>> = {}): Promise<void> {
  voice.set({ talk: { kind: "talking", isMuted: false, level: 127, isSpeech: false, ...talk } });
  await drawn(panel);
}

describe("the panel of the own voice", () => {
  it("says how to begin before the first press of Talk", () => {
    expect(panel.shadowRoot?.textContent).toContain(texts.voice.isOff);
    expect(offered()).toBeNull();
  });

  it("lists the microphones once one is in use, and again after one was plugged in", async () => {
    devices.list = [BUILT_IN, SPEAKER, { ...USB, label: "" }];
    await talk();
    expect(offered()).toEqual([BUILT_IN.label]);
    devices.plug([BUILT_IN, USB]);
    await drawn(panel);
    expect(offered()).toEqual([BUILT_IN.label, USB.label]);
  });

  it("marks the microphone in use, and talks with another one, which it remembers", async () => {
    devices.list = [BUILT_IN, USB];
    voice.microphone = { label: USB.label, deviceId: "usb", echoCancellation: "all" };
    await talk();
    const list = find(panel.shadowRoot, "select", HTMLSelectElement);
    expect(list.value).toBe("usb");
    list.value = "own";
    list.dispatchEvent(new Event("change"));
    expect(voice.startTalking.mock.calls).toEqual([["own"]]);
    expect(preferences.microphone).toBe("own");
  });

  it("shows the loudness of the own voice, and none while it is muted", async () => {
    // happy-dom's property ends at 1.
    const level = () => Number(panel.shadowRoot?.querySelector("meter")?.getAttribute("value"));
    await talk({ level: 30 });
    expect(level()).toBe(40);
    await talk({ level: 127 });
    expect(level(), "silence").toBe(0);
    await talk({ level: 30, isMuted: true });
    expect(level()).toBe(0);
  });

  it("stops talking", async () => {
    await talk();
    button(panel.shadowRoot, texts.voice.stop).click();
    expect(voice.stopTalking).toHaveBeenCalledTimes(1);
  });

  it("sets and remembers when the own voice is heard", () => {
    const [open, push] = [...(panel.shadowRoot?.querySelectorAll<HTMLInputElement>("[type=radio]") ?? [])];
    expect([open?.checked, push?.checked]).toEqual([true, false]);
    push?.click();
    expect([voice.mode, preferences.talkMode]).toEqual(["push", "push"]);
  });

  it.each(["denied", "no-device", "taken", "insecure", "unsupported", "codec"] as const)(
    "says what to do about the hindrance %s",
    async (hindrance) => {
      voice.set({ talk: { kind: "hindered", hindrance } });
      await drawn(panel);
      const alert = find(panel.shadowRoot, "[role=alert]", HTMLElement);
      expect(alert.textContent).toBe(texts.voice.hindrances[hindrance]);
    },
  );

  it("stays usable in a browser without a list of devices", async () => {
    vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { mediaDevices: undefined }));
    panel = await show(new StoaVoicePanel(), { voice: voice.asVoice, preferences });
    await talk();
    expect(offered()).toBeNull();
    expect(panel.shadowRoot?.querySelector("meter")).not.toBeNull();
  });

  it("follows neither voice nor devices after it is closed", async () => {
    const list = vi.spyOn(devices, "enumerateDevices");
    expect(voice.listeners).toBe(1);
    panel.remove();
    devices.plug([USB]);
    expect([voice.listeners, list.mock.calls]).toEqual([0, []]);
  });
});
