// The menu in VR and AR, and the chat that it opens.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { MenuEntry, OpenWriting, WritingRequest } from "@stoa/aframe";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { defineElements } from "../../src/elements.ts";
import type { SceneViewController } from "../../src/scene/stage.ts";
import { texts } from "../../src/texts/texts.ts";
import { FakeSession } from "../support/fake-session.ts";
import { fakeStage } from "../support/fake-stage.ts";
import { FakeVoice } from "../support/fake-voice.ts";
import { drawn, show } from "../support/page.ts";

const FONT = resolve(import.meta.dirname, "../../../aframe/assets/fonts/Roboto-sdf.json");

const CHAT = texts.overlay.panels.chat;
const { build, knownAs, line, stopBuilding } = texts.inScene;
const { add, pieces, tools } = texts.edit;
const ADD_BOX = add.addAgain(pieces.box);
const shapes = [pieces.box, pieces.sphere, pieces.cylinder, pieces.cone].map(add.addAgain);

let session: FakeSession;
let entries: readonly MenuEntry[];
let writing: WritingRequest | null;
let lines: readonly string[];
let mayPlace: boolean;
let placed: number;

const open: OpenWriting = {
  setLines: (said) => {
    lines = said;
  },
  close: () => undefined,
};

function stage(): SceneViewController {
  return fakeStage({
    setMenu: (given) => {
      entries = given;
    },
    mayPlace: () => mayPlace,
    placeInRoom: () => {
      placed += 1;
    },
    write: (request) => {
      [writing, lines] = [request, request.lines];
      return open;
    },
  });
}

async function overlay() {
  return await show(document.createElement("stoa-overlay"), { session, stage: stage(), status: { kind: "live" } });
}

const said = (displayName: string, text: string, idTag = displayName) =>
  session.tell("chat", { idTag, displayName, text, own: false });

/** The current entries of the menu. */
const offered = () => entries.filter(({ may }) => may?.() ?? true).map(({ label, news }) => [label, news]);

beforeEach(() => {
  defineElements(customElements);
  document.body.replaceChildren();
  session = new FakeSession();
  session.me = { ...session.me, mayBuild: false };
  [entries, writing, lines] = [[], null, []];
  [mayPlace, placed] = [false, 0];
});

describe("the menu in VR and AR", () => {
  it("opens the chat with earlier messages and their senders, and sends typed text", async () => {
    await overlay();
    said("Bob", "hello");
    said("Owner", "obey", "anonymous-1234567890_0000000077");
    entries.find(({ label }) => label === CHAT)?.run();
    expect(lines).toEqual([line("Bob", "hello"), line(knownAs("Owner", "guest"), "obey")]);
    said("Bob", "are you there?");
    expect(lines.at(-1)).toBe(line("Bob", "are you there?"));
    writing?.onSend("yes");
    expect(session.asked).toEqual([["chat", "yes"]]);
  });

  it("counts messages that arrive while the chat is closed", async () => {
    await overlay();
    expect(offered()).toEqual([[CHAT, 0]]);
    said("Bob", "hello");
    said("Bob", "anybody?");
    expect(offered()).toEqual([[CHAT, 2]]);
    entries[0]?.run();
    expect(offered()).toEqual([[CHAT, 0]]);
    said("Bob", "ah");
    expect(offered(), "it is open").toEqual([[CHAT, 0]]);
    writing?.onClose?.();
    said("Bob", "gone?");
    expect(offered()).toEqual([[CHAT, 1]]);
  });

  it("drops the messages of the previous scene", async () => {
    const page = await overlay();
    said("Bob", "hello");
    entries[0]?.run();
    session = new FakeSession();
    session.me = { ...session.me, mayBuild: false };
    Object.assign(page, { session, stage: stage() });
    await drawn(page);
    expect(offered()).toEqual([[CHAT, 0]]);
    said("Cy", "welcome");
    expect(offered(), "its panel went with the other scene").toEqual([[CHAT, 1]]);
    entries[0]?.run();
    expect(lines).toEqual([line("Cy", "welcome")]);
  });

  it("offers to place the scene in the room again while that is possible", async () => {
    await overlay();
    const label = texts.inScene.placeAgain;
    expect(offered().map(([name]) => name)).not.toContain(label);
    mayPlace = true;
    expect(offered().map(([name]) => name)).toContain(label);
    entries.find((entry) => entry.label === label)?.run();
    expect(placed).toBe(1);
  });

  it("starts and stops editing for people who may edit, with the editor's tools meanwhile", async () => {
    session.me = { ...session.me, mayBuild: true };
    const page = await overlay();
    const choose = (label: string) => entries.find((entry) => entry.label === label)?.run();
    const labels = () => offered().map(([label]) => label);
    const settled = async () => {
      for (let turn = 0; turn < 5; turn += 1) await drawn(page);
    };
    expect(labels()).toEqual([CHAT, build]);
    choose(build);
    await vi.waitFor(() => expect(labels()).toContain(ADD_BOX));
    expect(labels()).toEqual([CHAT, ...shapes, stopBuilding]);
    choose(ADD_BOX);
    await settled();
    const [[, boxId]] = session.asked.filter((asked) => Array.isArray(asked) && asked[0] === "create") as [
      [string, string],
    ];
    session.objects.set(boxId, { objectId: boxId, type: "object", attributes: { object_type: "box" }, persist: true });
    session.tell("reset", undefined);
    await settled();
    expect(labels()).toEqual([CHAT, tools.duplicate, tools.delete, tools.done, stopBuilding]);
    choose(tools.delete);
    await settled();
    expect(session.asked).toContainEqual(["remove", boxId]);
    choose(stopBuilding);
    await settled();
    expect(labels()).toEqual([CHAT, build]);
  });

  it("offers no editing to a person who may not edit", async () => {
    session.me = { ...session.me, mayBuild: false };
    await overlay();
    expect(offered().map(([label]) => label)).toEqual([CHAT]);
  });

  it("starts talking, mutes and unmutes for speakers, also in the mode to hold", async () => {
    const page = await overlay();
    const voice = new FakeVoice();
    voice.rights = { speak: false, hear: true };
    Object.assign(page, { voice: voice.asVoice });
    const labels = async () => {
      await drawn(page);
      return offered().map(([label]) => label);
    };
    expect(await labels(), "without the right").toEqual([CHAT]);
    voice.set({ rights: { speak: true, hear: true } });
    expect(await labels()).toEqual([texts.voice.talk, CHAT]);
    entries[0]?.run();
    expect(voice.toggle).toHaveBeenCalledTimes(1);
    voice.set({ talk: { kind: "starting" } });
    expect(await labels()).toEqual([texts.voice.starting, CHAT]);
    voice.mode = "push";
    voice.setTalking(true);
    expect(await labels()).toEqual([texts.voice.unmute, CHAT]);
    voice.setTalking(false);
    expect(await labels()).toEqual([texts.voice.mute, CHAT]);
    voice.set({ rights: null });
    expect(await labels()).toEqual([CHAT]);
  });

  it("isn't set again while the loudness of the own voice changes", async () => {
    const page = await overlay();
    const voice = new FakeVoice();
    Object.assign(page, { voice: voice.asVoice });
    voice.setTalking(false);
    await drawn(page);
    const before = entries;
    voice.set({ talk: { kind: "talking", isMuted: false, level: 30, isSpeech: true } });
    await drawn(page);
    expect(entries).toBe(before);
    voice.setTalking(true);
    await drawn(page);
    expect(entries, "negative control").not.toBe(before);
  });

  it("is set on a new stage, and stops counting messages once the page is removed", async () => {
    const page = await overlay();
    entries = [];
    Object.assign(page, { stage: stage() });
    await drawn(page);
    expect(offered()).toEqual([[CHAT, 0]]);
    page.remove();
    said("Bob", "hello");
    expect(offered()).toEqual([[CHAT, 0]]);
  });
});

it("the panels' font has a glyph for every key of the keyboard", () => {
  const { chars } = JSON.parse(readFileSync(FONT, "utf8")) as { chars: readonly { id: number; index: number }[] };
  // Characters that a font lacks are drawn as its first glyph, an empty box.
  const drawn = new Set(chars.filter(({ index }) => index > 0).map(({ id }) => id));
  const said = Object.values(texts.inScene.keyboard).flat().join("");
  const all = [...said, ...said.toUpperCase()].map((sign) => sign.codePointAt(0) ?? 0);
  expect(all.filter((id) => id !== 32 && !drawn.has(id)).map((id) => String.fromCodePoint(id))).toEqual([]);
  expect(drawn.has("←".codePointAt(0) ?? 0), "negative control").toBe(false);
});
