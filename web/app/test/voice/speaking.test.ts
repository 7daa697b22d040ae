import { render } from "lit";
import { beforeEach, describe, expect, it } from "vitest";
import { followSpeakers, speaking } from "../../src/voice/speaking.ts";
import { FakeSession, person } from "../support/fake-session.ts";
import { FakeVoice } from "../support/fake-voice.ts";
import { drawn, show } from "../support/page.ts";
import { texts } from "../support/texts.ts";

let voice: FakeVoice;

beforeEach(() => {
  voice = new FakeVoice();
});

const speakers = (...idTags: readonly string[]) => new Map(idTags.map((idTag) => [idTag, 30]));

describe("the sign beside a name", () => {
  /** The label of the sign for Bo. */
  function sign(hasAudio = false, of: FakeVoice | undefined = voice): string | null {
    const root = document.createElement("div");
    render(speaking(of?.asVoice, "bo_1", hasAudio), root);
    return root.querySelector("[role=img]")?.getAttribute("aria-label") ?? null;
  }

  it("tells speech from a microphone that is on", () => {
    expect([sign(), sign(true)]).toEqual([null, texts.voice.isOn]);
    voice.speaking = speakers("bo_1");
    expect([sign(), sign(true)]).toEqual([texts.voice.speaking, texts.voice.speaking]);
    voice.speaking = speakers("cy_1");
    expect(sign()).toBeNull();
  });

  it("is missing in a scene without voice", () => {
    voice.speaking = speakers("bo_1");
    voice.rights = null;
    expect(sign(true)).toBeNull();
    expect(sign(true, undefined)).toBeNull();
  });
});

describe("a follower of speakers", () => {
  it("hears of those present and of each change, but not of loudness", () => {
    const said: string[][] = [];
    voice.speaking = speakers("bo_1");
    const stop = followSpeakers(voice.asVoice, (idTags) => said.push([...idTags]));
    voice.set({ speaking: new Map([["bo_1", 12]]) });
    voice.set({ speaking: speakers("cy_1", "bo_1") });
    voice.set({ speaking: speakers("bo_1", "cy_1") });
    voice.set({ speaking: speakers() });
    expect(said).toEqual([["bo_1"], ["bo_1", "cy_1"], []]);
    stop();
    voice.set({ speaking: speakers("bo_1") });
    expect([said.length, voice.listeners]).toEqual([3, 0]);
  });

  it("hears nothing while all are silent", () => {
    const said: unknown[] = [];
    followSpeakers(voice.asVoice, (idTags) => said.push(idTags));
    voice.set({ speaking: speakers() });
    expect(said).toEqual([]);
  });
});

describe("the list of people", () => {
  it("marks a speaker while the voice is heard", async () => {
    const session = new FakeSession();
    session.people.set("bo_1", { ...person("bo_1", "Bo"), hasAudio: true });
    const list = await show(document.createElement("stoa-people"), { session, voice: voice.asVoice });
    const signs = () => [...(list.shadowRoot?.querySelectorAll<HTMLElement>("[data-voice]") ?? [])];
    const shown = () => signs().map(({ dataset }) => dataset.voice);
    expect(shown()).toEqual(["microphone"]);
    voice.set({ speaking: speakers("bo_1") });
    await drawn(list);
    expect(shown()).toEqual(["speaking"]);
    voice.set({ speaking: speakers() });
    await drawn(list);
    expect(shown()).toEqual(["microphone"]);
    list.remove();
    expect(voice.listeners).toBe(0);
  });
});
