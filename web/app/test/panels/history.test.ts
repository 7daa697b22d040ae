import type { HistoryEntry } from "@stoa/client";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { TOAST_MS } from "../../src/limits.ts";
import { groupsOf, wordsFor } from "../../src/panels/history-lines.ts";
import { StoaHistoryPanel } from "../../src/panels/stoa-history.ts";
import { bytesInWords } from "../../src/texts/byte-sizes.ts";
import { FakeSession } from "../support/fake-session.ts";
import { button, drawn, find, show, submit, type } from "../support/page.ts";
import { holding, texts } from "../support/texts.ts";

if (customElements.get("stoa-history") === undefined) customElements.define("stoa-history", StoaHistoryPanel);

let session: FakeSession;

function entry(more: Partial<HistoryEntry>): HistoryEntry {
  return {
    revision: 1,
    atMs: 60_000,
    author: "ada",
    authorName: "ada",
    guest: false,
    objectId: "lamp",
    action: "update",
    changes: 1,
    objects: undefined,
    before: null,
    after: null,
    ...more,
  };
}

beforeEach(() => {
  session = new FakeSession();
});

describe("history entries", () => {
  it("are grouped by person and minute", () => {
    const entries = [
      entry({ revision: 4, atMs: 130_000 }),
      entry({ revision: 3, atMs: 121_000 }),
      entry({ revision: 2, atMs: 120_500, author: "bob", authorName: "bob" }),
      entry({ revision: 1, atMs: 60_000, author: "bob", authorName: "bob" }),
    ];
    const told = groupsOf(entries).map(({ name, entries: of }) => [name, ...of.map(({ revision }) => revision)]);
    expect(told).toEqual([
      ["ada", 4, 3],
      ["bob", 2],
      ["bob", 1],
    ]);
  });

  it("show readable author names for the server, the first scenes and guests", () => {
    const name = (more: Partial<HistoryEntry>) => groupsOf([entry(more)])[0]?.name;
    expect(name({ author: "stoa", authorName: "stoa" })).toBe(texts.history.realm);
    expect(name({ author: "stoa-first-scenes", authorName: "stoa-first-scenes" })).toBe(texts.history.firstScenes);
    expect(name({ author: "bo", authorName: "Bo", guest: true })).toBe(holding(texts.history.guest("Bo"), "Bo"));
  });

  it("describe each change, with the old and the new value if they are short", () => {
    const words = (more: Partial<HistoryEntry>) => wordsFor(entry(more));
    expect(words({ action: "create", objects: 0, after: { color: "red" } })).toBe(
      holding(texts.history.made("lamp"), "lamp"),
    );
    expect(words({ before: { material: { color: "red" } }, after: { material: { color: "blue" } } })).toBe(
      holding(texts.history.changed("lamp", ["material"], ["red", "blue"]), "lamp", "red", "blue"),
    );
    expect(words({ before: { position: { x: 1, y: 2 } }, after: { position: { x: 3, y: 2 } } })).toBe(
      holding(texts.history.changed("lamp", ["position"]), "lamp"),
    );
    expect(words({ action: "delete", objects: 3, before: {} })).toBe(
      holding(texts.history.deleted("lamp", 2), "lamp", "2"),
    );
    expect(words({ before: null, after: null })).toBe(texts.history.changed("lamp", []));
  });
});

describe("the history panel", () => {
  it("shows how long history is kept, asks before it restores, and says what was done", async () => {
    session.told = {
      ...session.told,
      oldestMs: 60_000,
      reaches: 1,
      entries: [
        entry({ revision: 9, action: "delete", objects: 1, before: { x: 1 } }),
        entry({
          revision: 5,
          guest: true,
          author: "anonymous-1_2",
          authorName: "Bo",
          before: { x: 0 },
          after: { x: 1 },
        }),
      ],
    };
    session.restored = { created: 1, changed: 0, removed: 0, left: 0 };
    const panel = await show(new StoaHistoryPanel(), { session });
    await drawn(panel);
    const text = () => panel.shadowRoot?.textContent ?? "";
    expect(text()).toContain(holding(texts.history.kept(90, bytesInWords(2 ** 30)), "90", "1.1"));
    expect(text()).toContain(texts.history.guest("Bo"));
    button(find(panel.shadowRoot, "li li", HTMLElement), texts.history.bringBack).click();
    await drawn(panel);
    await drawn(panel);
    expect(session.asked.at(-1)).toEqual(["restore", { to: { revision: 8 }, objectId: "lamp", dryRun: true }]);
    expect(text()).toContain(holding(texts.history.would({ created: 1, changed: 0, removed: 0 }), "1"));
    button(find(panel.shadowRoot, ".wish", HTMLElement), texts.history.doIt).click();
    await drawn(panel);
    await drawn(panel);
    expect(session.asked).toContainEqual(["restore", { to: { revision: 8 }, objectId: "lamp" }]);
    expect(find(panel.shadowRoot, "[role=status]", HTMLElement).textContent).toContain(
      holding(texts.history.done(1), "1"),
    );
  });

  it("returns the focus to the button on cancel, and moves it to the result after a restore", async () => {
    session.told = { ...session.told, reaches: 1, entries: [entry({ revision: 6 }), entry({ revision: 5 })] };
    session.restored = { created: 0, changed: 1, removed: 0, left: 0 };
    const panel = await show(new StoaHistoryPanel(), { session });
    await drawn(panel);
    const ask = async () => {
      const [, trigger] = panel.shadowRoot?.querySelectorAll<HTMLButtonElement>("ul button") ?? [];
      trigger?.focus();
      trigger?.click();
      await drawn(panel);
      await drawn(panel);
      return trigger;
    };
    const focused = () => panel.shadowRoot?.activeElement;
    const trigger = await ask();
    expect(focused()?.id).toBe("wish");
    const press = async (name: string) => {
      const question = find(panel.shadowRoot, ".wish", HTMLElement);
      button(question, name).focus();
      button(question, name).click();
      await drawn(panel);
      await drawn(panel);
    };
    await press(texts.history.cancel);
    expect(focused() === trigger, "where one was").toBe(true);
    await ask();
    await press(texts.history.doIt);
    expect(focused()?.textContent).toBe(texts.history.done(1));
  });

  it("offers the listed objects as filters, also inside the overlay", async () => {
    session.told = { ...session.told, entries: [entry({ revision: 6 }), entry({ revision: 5, objectId: "cup" })] };
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    button(overlay.shadowRoot, texts.overlay.panels.history).click();
    await vi.waitFor(() => expect(overlay.shadowRoot?.querySelector("stoa-history")).not.toBeNull());
    const panel = find(overlay.shadowRoot, "stoa-history", StoaHistoryPanel);
    await vi.waitFor(() => expect(panel.entries).toHaveLength(2));
    await drawn(panel);
    const options = panel.shadowRoot?.querySelectorAll(".filters label:nth-child(2) option") ?? [];
    expect([...options].map(({ textContent }) => textContent)).toEqual([texts.history.everything, "cup", "lamp"]);
  });

  it("previews the scene or the chosen object at a given date and time", async () => {
    session.told = { ...session.told, reaches: 1, entries: [entry({ revision: 6 })] };
    const panel = await show(new StoaHistoryPanel(), { session });
    await drawn(panel);
    const form = find(panel.shadowRoot, "form", HTMLFormElement);
    type(find(form, "input", HTMLInputElement), "2026-11-22T13:00:00");
    submit(form);
    await drawn(panel);
    const to = { timeMs: new Date("2026-11-22T13:00:00").getTime() };
    expect(session.asked.at(-1)).toEqual(["restore", { to, dryRun: true }]);
    expect(panel.shadowRoot?.textContent, "it would do nothing").toContain(texts.history.noChange);
    find(panel.shadowRoot, ".filters label:nth-child(2) select", HTMLSelectElement).value = "lamp";
    find(panel.shadowRoot, ".filters label:nth-child(2) select", HTMLSelectElement).dispatchEvent(new Event("change"));
    await drawn(panel);
    submit(form);
    await drawn(panel);
    expect(session.asked.at(-1)).toEqual(["restore", { to, objectId: "lamp", dryRun: true }]);
  });

  it("offers no restore past the log's end, and shows the server's refusal", async () => {
    session.told = { ...session.told, reaches: 5, entries: [entry({ revision: 6 }), entry({ revision: 4 })] };
    const panel = await show(new StoaHistoryPanel(), { session });
    await drawn(panel);
    expect(panel.shadowRoot?.querySelectorAll("ul button").length).toBe(1);
    session.refusal = new Error("the history leads back to noon and no further");
    find(panel.shadowRoot, "ul button", HTMLButtonElement).click();
    await drawn(panel);
    await drawn(panel);
    expect(find(panel.shadowRoot, "[role=alert]", HTMLElement).textContent).toContain("no further");
  });
});

describe("the undo buttons", () => {
  it("undo one step per key press, also during another step, and ignore key repeats", async () => {
    await show(document.createElement("stoa-undo"), { session });
    for (const objectId of ["hat", "rug", "mat", "cup"]) {
      session.undo.noteCreate(objectId, {}, {})(Promise.resolve());
      session.objects.set(objectId, { objectId, type: "object", persist: false, attributes: {} });
    }
    const press = (repeat: boolean) => dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true, repeat }));
    for (const repeat of [false, true, true, false]) press(repeat);
    await expect.poll(() => session.asked.length).toBeGreaterThan(1);
    await session.undo.undo();
    expect(session.asked, "two were pressed, and the last was asked for here").toEqual([
      ["remove", "cup"],
      ["remove", "mat"],
      ["remove", "rug"],
    ]);
  });

  it("show a message for a limited time after an undo", async () => {
    const element = await show(document.createElement("stoa-undo"), { session });
    session.undo.noteCreate("rug", {}, {})(Promise.resolve());
    session.objects.set("rug", { objectId: "rug", type: "object", persist: false, attributes: {} });
    await drawn(element);
    vi.useFakeTimers();
    button(element.shadowRoot, texts.undo.undo).click();
    const said = () => find(element.shadowRoot, "[role=status]", HTMLElement).textContent;
    for (let turn = 0; turn < 5; turn += 1) await drawn(element);
    expect(said()).toBe(texts.undo.done.undo);
    vi.advanceTimersByTime(TOAST_MS - 1);
    await drawn(element);
    expect(said(), "negative control").toBe(texts.undo.done.undo);
    vi.advanceTimersByTime(1);
    await drawn(element);
    expect(said()).toBe("");
    vi.useRealTimers();
  });

  it("undo and redo by keys, except in text fields and while hidden", async () => {
    const element = await show(document.createElement("stoa-undo"), { session });
    const [undo, redo] = element.shadowRoot?.querySelectorAll("button") ?? [];
    expect([undo?.disabled, redo?.disabled]).toEqual([true, true]);
    session.objects.set("lamp", { objectId: "lamp", type: "object", persist: true, attributes: { x: 0 } });
    session.undo.noteCreate("rug", {}, {})(Promise.resolve());
    session.objects.set("rug", { objectId: "rug", type: "object", persist: false, attributes: {} });
    await drawn(element);
    expect(undo?.disabled).toBe(false);
    const press = (on: EventTarget, shiftKey = false) =>
      on.dispatchEvent(
        new KeyboardEvent("keydown", { key: "z", ctrlKey: true, shiftKey, bubbles: true, composed: true }),
      );
    for (const type of ["text", "number", "email", "password", "tel", "url"]) {
      const field = Object.assign(document.createElement("input"), { type });
      document.body.append(field);
      press(field);
    }
    press(document.body.appendChild(document.createElement("textarea")));
    await drawn(element);
    expect(session.asked, "negative control: somebody types").toEqual([]);
    element.active = false;
    press(document.body);
    element.active = true;
    await drawn(element);
    expect(session.asked, "negative control: it is hidden").toEqual([]);
    press(document.body);
    await expect.poll(() => session.asked).toEqual([["remove", "rug"]]);
    await expect.poll(() => element.shadowRoot?.textContent).toContain(texts.undo.done.undo);
    session.objects.delete("rug");
    press(document.body, true);
    await expect.poll(() => session.asked.at(-1)).toEqual(["create", "rug"]);
  });
});
