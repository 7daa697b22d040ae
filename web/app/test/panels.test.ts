import { Api, RefusedError } from "@stoa/client";
import { beforeEach, describe, expect, it } from "vitest";
import { Preferences } from "../src/preferences.ts";
import { FakeSession, person } from "./support/fake-session.ts";
import { button, drawn, find, show, submit, type } from "./support/page.ts";

let session: FakeSession;

beforeEach(() => {
  session = new FakeSession();
});

describe("people", () => {
  it("shows oneself and the others, and follows their coming and going", async () => {
    const people = await show(document.createElement("stoa-people"), { session });
    expect(people.shadowRoot?.textContent).toContain("Here now: 1");
    session.people.set("bob", person("bob", "Bob"));
    session.tell("person", { idTag: "bob", person: person("bob", "Bob") });
    await drawn(people);
    expect(people.shadowRoot?.textContent).toContain("Here now: 2");
    expect(people.shadowRoot?.textContent).toContain("Bob");
  });

  it("tells the account beside a name that somebody gave themselves, and nothing twice", async () => {
    const all = { "anonymous-1234567890_77": "Owner", carol_5: "carol", dave_6: "Carol", "a-program": "a-program" };
    for (const [idTag, name] of Object.entries(all)) session.people.set(idTag, person(idTag, name));
    const people = await show(document.createElement("stoa-people"), { session });
    const said = [...(people.shadowRoot?.querySelectorAll("li") ?? [])].slice(1).map((li) => li.textContent?.trim());
    expect(said.toSorted()).toEqual(["Carol (dave)", "Owner (guest)", "a-program", "carol"]);
    const chat = await show(document.createElement("stoa-chat"), { session });
    session.tell("chat", { idTag: "anonymous-1234567890_77", displayName: "Owner", text: "obey", own: false });
    await drawn(chat);
    expect(find(chat.shadowRoot, "[role=log]", HTMLElement).textContent).toContain("Owner (guest) obey");
  });

  it("stops listening when it is taken away", async () => {
    const people = await show(document.createElement("stoa-people"), { session });
    expect(session.listeners).toBeGreaterThan(0);
    people.remove();
    expect(session.listeners).toBe(0);
  });

  it("a name is text, never markup", async () => {
    session.people.set("eve", person("eve", "<img src=x onerror=alert(1)>"));
    const people = await show(document.createElement("stoa-people"), { session });
    expect(people.shadowRoot?.querySelector("img")).toBeNull();
    expect(people.shadowRoot?.textContent).toContain("<img src=x");
  });
});

describe("chat", () => {
  it("shows what was said, and says what was typed", async () => {
    const chat = await show(document.createElement("stoa-chat"), { session });
    session.tell("chat", { idTag: "bob", displayName: "Bob", text: "hello", own: false });
    await drawn(chat);
    expect(find(chat.shadowRoot, "[role=log]", HTMLElement).textContent).toContain("hello");
    type(find(chat.shadowRoot, "input", HTMLInputElement), " hi there ");
    submit(find(chat.shadowRoot, "form", HTMLFormElement));
    expect(session.asked).toEqual([["chat", "hi there"]]);
  });

  it("counts what is said while it is hidden", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    session.tell("chat", { idTag: "bob", displayName: "Bob", text: "hello", own: false });
    await drawn(overlay);
    expect(button(overlay.shadowRoot, "Chat").textContent).toContain("1");
    button(overlay.shadowRoot, "Chat").click();
    await drawn(overlay);
    expect(button(overlay.shadowRoot, "Chat").textContent).not.toContain("1");
  });
});

describe("edit", () => {
  it("is only offered to those who may build", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    expect(() => button(overlay.shadowRoot, "Edit")).not.toThrow();
    session.me = { ...session.me, mayBuild: false };
    session.tell("reset", undefined);
    await drawn(overlay);
    expect(() => button(overlay.shadowRoot, "Edit")).toThrow();
  });

  it("adds what was asked for before the eyes, to stay, and chooses it", async () => {
    const edit = await show(document.createElement("stoa-edit"), { session, place: () => ({ x: 1, y: 0, z: -2 }) });
    const chosen: unknown[] = [];
    edit.addEventListener("stoa-choose", (event) => chosen.push(event instanceof CustomEvent ? event.detail : null));
    button(edit.shadowRoot, "Box").click();
    await drawn(edit);
    expect(session.asked).toMatchObject([
      [
        "create",
        expect.stringMatching(/^box-/),
        { object_type: "box", position: { x: 1, y: 0.25, z: -2 } },
        { persist: true },
      ],
    ]);
    expect(chosen).toEqual([expect.stringMatching(/^box-/)]);
  });

  it("moves, colours and deletes what is chosen", async () => {
    const attributes = { object_type: "box", position: { x: 0, y: 1, z: 0 } };
    session.objects.set("lamp", { objectId: "lamp", type: "object", attributes, persist: true });
    const edit = await show(document.createElement("stoa-edit"), { session, selected: "lamp" });
    button(edit.shadowRoot, "Up").click();
    type(find(edit.shadowRoot, "[aria-label='Position (m) x']", HTMLInputElement), "2.5");
    type(find(edit.shadowRoot, "[type=color]", HTMLInputElement), "#112233");
    button(edit.shadowRoot, "Delete").click();
    expect(session.asked).toEqual([
      ["update", "lamp", { position: { x: 0, y: 1.1, z: 0 } }],
      ["update", "lamp", { position: { x: 2.5, y: 1, z: 0 } }],
      ["update", "lamp", { material: { color: "#112233" } }],
      ["remove", "lamp"],
    ]);
  });

  it("says why the realm refused", async () => {
    session.refusal = new RefusedError("too_many_objects");
    const edit = await show(document.createElement("stoa-edit"), { session });
    button(edit.shadowRoot, "Box").click();
    await drawn(edit);
    expect(find(edit.shadowRoot, "[role=alert]", HTMLElement).textContent).toContain("too_many_objects");
  });
});

describe("the state of the session", () => {
  it.each([
    [{ kind: "connecting" }, "status", "Connecting"],
    [{ kind: "reconnecting", reason: "the line was cut" }, "status", "Reconnecting: the line was cut"],
    [{ kind: "refused", reason: "no such scene" }, "alert", "You can't be here: no such scene"],
  ] as const)("%j is told to eyes and ears", async (status, role, words) => {
    const element = await show(document.createElement("stoa-status"), { status });
    const text = find(element.shadowRoot, `[role=${role}]`, HTMLElement).textContent?.replaceAll(/\s+/g, " ");
    expect(text).toContain(words);
  });

  it("a refusal is shown for a while", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    session.tell("refused", { reason: "flood", limit: "20 a second", count: 1 });
    await drawn(overlay);
    expect(find(overlay.shadowRoot, ".toast", HTMLElement).textContent).toContain("flood, 20 a second");
  });
});

describe("a newcomer", () => {
  it("is told how to move until it was read, and never again", async () => {
    const preferences = new Preferences(new Storage());
    const hint = await show(document.createElement("stoa-hint"), { preferences });
    expect(find(hint.shadowRoot, "section", HTMLElement).textContent).toContain("W A S D");
    button(hint.shadowRoot, "Got it").click();
    await drawn(hint);
    expect(hint.shadowRoot?.querySelector("section")).toBeNull();
    const again = await show(document.createElement("stoa-hint"), { preferences });
    expect(again.shadowRoot?.querySelector("section")).toBeNull();
  });

  it("on the realm's own machine shares an address that others reach", async () => {
    const api = new Api("http://realm.test", () =>
      Promise.resolve(Response.json({ username: null, network: "https://192.168.1.7:8443" })),
    );
    const settings = await show(document.createElement("stoa-settings"), { api, session, scene: "public/lobby" });
    const link = () => find(settings.shadowRoot, "[name=link]", HTMLInputElement).value;
    await expect.poll(link).toBe("https://192.168.1.7:8443/public/lobby");
  });

  it("may choose a picture that the machine can draw", async () => {
    const preferences = new Preferences(new Storage());
    const settings = await show(document.createElement("stoa-settings"), { session, preferences, scene: "a/b" });
    const select = [...(settings.shadowRoot?.querySelectorAll("select") ?? [])].find(({ textContent }) =>
      textContent?.includes("weak machines"),
    );
    if (select === undefined) throw new Error("there is no choice of pictures");
    select.value = "fast";
    select.dispatchEvent(new Event("change", { bubbles: true }));
    await drawn(settings);
    expect(preferences.picture).toBe("fast");
    expect(find(settings.shadowRoot, "[role=status]", HTMLElement).textContent).toContain("next time");
  });
});

describe("closing a panel", () => {
  async function opened() {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    button(overlay.shadowRoot, "Chat").click();
    await drawn(overlay);
    return overlay;
  }

  it("by Escape leads back to the button that opened it", async () => {
    const overlay = await opened();
    const leaving = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true });
    find(overlay.shadowRoot, "stoa-chat", HTMLElement).dispatchEvent(leaving);
    await drawn(overlay);
    expect(overlay.panel).toBeNull();
    expect(overlay.shadowRoot?.activeElement).toBe(button(overlay.shadowRoot, "Chat"));
  });

  it("with the mouse leaves the keys to the scene", async () => {
    const overlay = await opened();
    const close = find(overlay.shadowRoot, ".close", HTMLButtonElement);
    close.dispatchEvent(new MouseEvent("click", { detail: 1, bubbles: true }));
    await drawn(overlay);
    expect(overlay.panel).toBeNull();
    expect(overlay.shadowRoot?.activeElement ?? null).toBeNull();
  });
});

describe("typing", () => {
  it("E opens the edit panel and Escape closes it, unless one types", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    const press = async (target: EventTarget, key: string) => {
      target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
      await drawn(overlay);
    };
    await press(find(overlay.shadowRoot, "stoa-chat", HTMLElement), "e");
    expect(overlay.panel).toBeNull();
    await press(document.body, "e");
    expect(overlay.panel).toBe("edit");
    await press(document.body, "Escape");
    expect(overlay.panel).toBeNull();
  });

  it("a key pressed in a panel does not reach the page, where it would walk", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    const heard: string[] = [];
    const listen = (event: KeyboardEvent) => heard.push(event.key);
    addEventListener("keydown", listen);
    const press = (key: string) => new KeyboardEvent("keydown", { key, bubbles: true, composed: true });
    find(overlay.shadowRoot, "stoa-chat", HTMLElement).dispatchEvent(press("w"));
    document.body.dispatchEvent(press("a"));
    removeEventListener("keydown", listen);
    expect(heard).toEqual(["a"]);
  });
});
