import { Api } from "@stoa/client";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CROWD_MAX } from "../../src/limits.ts";
import { StoaHelpPanel } from "../../src/panels/stoa-help.ts";
import { Preferences } from "../../src/preferences/preferences.ts";
import { HiddenPeople } from "../../src/scene/hidden-people.ts";
import { FakeSession, person } from "../support/fake-session.ts";
import { fakeStage } from "../support/fake-stage.ts";
import { button, drawn, find, show, submit, type } from "../support/page.ts";
import { holding, texts } from "../support/texts.ts";

if (customElements.get("stoa-help") === undefined) customElements.define("stoa-help", StoaHelpPanel);

const nothing = fakeStage();
const { headset, keys, touch } = texts.help.parts;

let session: FakeSession;

beforeEach(() => {
  session = new FakeSession();
});

describe("the people panel", () => {
  it("lists the user and adds a person who enters", async () => {
    const people = await show(document.createElement("stoa-people"), { session });
    const names = () => [...(people.shadowRoot?.querySelectorAll(".who") ?? [])].map((who) => who.textContent);
    expect(names()).toEqual([expect.stringContaining("Ada")]);
    session.people.set("bob", person("bob", "Bob"));
    session.tell("person", { idTag: "bob", person: person("bob", "Bob") });
    await drawn(people);
    expect(names()).toEqual([expect.stringContaining("Ada"), expect.stringContaining("Bob")]);
  });

  it("keeps a person's row element when another person is inserted above it", async () => {
    session.people.set("bob", person("bob", "Bob"));
    const people = await show(document.createElement("stoa-people"), { session });
    const rows = () => [...(people.shadowRoot?.querySelectorAll("li") ?? [])];
    const [, bob] = rows();
    session.people.set("ann", person("ann", "Ann"));
    session.tell("person", { idTag: "ann", person: person("ann", "Ann") });
    await drawn(people);
    expect(rows().map((row) => row.textContent?.trim())).toEqual([
      expect.stringContaining("Ada"),
      expect.stringContaining("Ann"),
      expect.stringContaining("Bob"),
    ]);
    expect(rows()[2]).toBe(bob);
  });

  it("shows the account or guest mark next to a self-chosen name, like the chat", async () => {
    const all = {
      "anonymous-1234567890_0000000077": "Owner",
      carol_0000000005: "carol",
      dave_0000000006: "Carol",
      "a-program": "a-program",
      bob_5: "bob",
    };
    for (const [idTag, name] of Object.entries(all)) session.people.set(idTag, person(idTag, name));
    const people = await show(document.createElement("stoa-people"), { session });
    const said = [...(people.shadowRoot?.querySelectorAll("li") ?? [])].slice(1).map((li) => li.textContent?.trim());
    expect(said.toSorted()).toEqual(["Carol (dave)", "Owner (guest)", "a-program", "bob (bob_5)", "carol"]);
    const chat = await show(document.createElement("stoa-chat"), { session });
    session.tell("chat", { idTag: "anonymous-1234567890_0000000077", displayName: "Owner", text: "obey", own: false });
    await drawn(chat);
    expect(find(chat.shadowRoot, "[role=log]", HTMLElement).textContent).toContain("Owner (guest): obey");
  });

  it("removes its listeners when it is removed from the page", async () => {
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

describe("the chat panel", () => {
  it("shows received messages and sends typed ones", async () => {
    const chat = await show(document.createElement("stoa-chat"), { session });
    session.tell("chat", { idTag: "bob", displayName: "Bob", text: "hello", own: false });
    await drawn(chat);
    expect(find(chat.shadowRoot, "[role=log]", HTMLElement).textContent).toContain("hello");
    type(find(chat.shadowRoot, "input", HTMLInputElement), " hi there ");
    submit(find(chat.shadowRoot, "form", HTMLFormElement));
    expect(session.asked).toEqual([["chat", "hi there"]]);
  });

  it("keeps typed text that can't be sent yet or is too long", async () => {
    const chat = await show(document.createElement("stoa-chat"), { session });
    const field = find(chat.shadowRoot, "input", HTMLInputElement);
    const say = (text: string) => {
      type(field, text);
      submit(find(chat.shadowRoot, "form", HTMLFormElement));
      return field.value;
    };
    session.status = { kind: "reconnecting", reason: "the line was cut" };
    expect(say("hello")).toBe("hello");
    session.status = { kind: "live" };
    expect(say("hello")).toBe("");
    const long = "ü".repeat(5_000);
    expect(say(long), "10,000 bytes").toBe(long);
  });

  it("aligns its log to the top once there are messages", async () => {
    const chat = await show(document.createElement("stoa-chat"), { session });
    const log = find(chat.shadowRoot, "[role=log]", HTMLElement);
    expect(log.className).toBe("lines");
    session.tell("chat", { idTag: "bob", displayName: "Bob", text: "hello", own: false });
    await drawn(chat);
    expect(log.className).toBe("lines some");
  });

  it("hides a hidden person's messages, and shows them once the person is shown again", async () => {
    const hiddenPeople = new HiddenPeople();
    hiddenPeople.set("bob", true);
    const chat = await show(document.createElement("stoa-chat"), { session, hiddenPeople });
    const heard: unknown[] = [];
    chat.addEventListener("stoa-heard", (event) => heard.push(event));
    const read = () => find(chat.shadowRoot, "[role=log]", HTMLElement).textContent;
    session.tell("chat", { idTag: "bob", displayName: "Bob", text: "buy my socks", own: false });
    session.tell("chat", { idTag: "cy", displayName: "Cy", text: "hello", own: false });
    await drawn(chat);
    expect(read()).toContain("hello");
    expect(read()).not.toContain("socks");
    expect(heard, "only Cy was heard").toHaveLength(1);
    hiddenPeople.set("bob", false);
    await drawn(chat);
    expect(read()).toContain("buy my socks");
    hiddenPeople.set("bob", true);
    await drawn(chat);
    expect(read()).not.toContain("socks");
  });

  it("counts messages on its button while it is closed", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    session.tell("chat", { idTag: "bob", displayName: "Bob", text: "hello", own: false });
    await drawn(overlay);
    expect(button(overlay.shadowRoot, texts.overlay.panels.chat).textContent).toContain("1");
    button(overlay.shadowRoot, texts.overlay.panels.chat).click();
    await drawn(overlay);
    expect(button(overlay.shadowRoot, texts.overlay.panels.chat).textContent).not.toContain("1");
  });
});

describe("a panel's heading", () => {
  it("names the open panel, and counts the people in the scene", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    const head = () => find(overlay.shadowRoot, "#panel h2", HTMLElement).textContent;
    button(overlay.shadowRoot, texts.overlay.panels.people).click();
    await drawn(overlay);
    expect(head()).toBe(holding(texts.people.hereNow(1), "1"));
    session.people.set("bob", person("bob", "Bob"));
    session.tell("person", { idTag: "bob", person: person("bob", "Bob") });
    await drawn(overlay);
    expect(head()).toBe(holding(texts.people.hereNow(2), "2"));
    button(overlay.shadowRoot, texts.overlay.panels.settings).click();
    await drawn(overlay);
    expect(head()).toBe(texts.overlay.panels.settings);
  });
});

describe("the edit panel", () => {
  it("turns on edit mode of a stage that is set after the panel was opened", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    const told: boolean[] = [];
    button(overlay.shadowRoot, texts.overlay.panels.edit).click();
    await drawn(overlay);
    overlay.stage = { ...nothing, setEditMode: (enabled: boolean) => void told.push(enabled) };
    await drawn(overlay);
    expect(told).toEqual([true]);
  });

  it("is only offered to people who may edit", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    expect(() => button(overlay.shadowRoot, texts.overlay.panels.edit)).not.toThrow();
    session.me = { ...session.me, mayBuild: false };
    session.tell("reset", undefined);
    await drawn(overlay);
    expect(() => button(overlay.shadowRoot, texts.overlay.panels.edit)).toThrow();
  });
});

describe("the connection status", () => {
  it.each([
    [{ kind: "connecting" }, "status", texts.status.connecting],
    [
      { kind: "reconnecting", reason: "the line was cut" },
      "status",
      `${texts.status.reconnecting} ${texts.status.away}`,
    ],
    [
      { kind: "reconnecting", reason: "the server is shutting down", hindrance: { code: "restarting" } },
      "status",
      `${texts.status.reconnecting} ${texts.status.restarting}`,
    ],
    [{ kind: "silent" }, "status", texts.status.silent],
    [{ kind: "refused", reason: "no such scene" }, "alert", `${texts.status.refused}: no such scene`],
  ] as const)("%j is shown and announced to screen readers", async (status, role, words) => {
    const element = await show(document.createElement("stoa-status"), { status });
    const text = find(element.shadowRoot, `[role=${role}]`, HTMLElement).textContent?.replaceAll(/\s+/g, " ");
    expect(text).toContain(words);
  });

  it("a refusal is shown with its limit as a toast", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    session.tell("refused", { reason: "flood", limit: "20 a second", count: 1 });
    await drawn(overlay);
    expect(find(overlay.shadowRoot, ".toast", HTMLElement).textContent).toContain(
      texts.reasons.atMost(texts.reasons.refused.get("flood") ?? "flood", "20 a second"),
    );
  });
});

describe("a newcomer", () => {
  it("sees the movement hint until it is dismissed, and never again", async () => {
    const preferences = new Preferences(new Storage());
    const hint = await show(document.createElement("stoa-hint"), { preferences });
    expect(find(hint.shadowRoot, "section", HTMLElement).textContent).toContain(texts.hint.walkKeys);
    button(hint.shadowRoot, texts.hint.gotIt).click();
    await drawn(hint);
    expect(hint.shadowRoot?.querySelector("section")).toBeNull();
    const again = await show(document.createElement("stoa-hint"), { preferences });
    expect(again.shadowRoot?.querySelector("section")).toBeNull();
  });

  it("on the server's own machine gets a share link with the network address", async () => {
    const api = new Api("http://realm.test", () =>
      Promise.resolve(Response.json({ username: null, network: "https://192.168.1.7:8443" })),
    );
    const settings = await show(document.createElement("stoa-share"), { api, scene: "public/lobby" });
    const link = () => find(settings.shadowRoot, "[name=link]", HTMLInputElement).value;
    await expect.poll(link).toBe("https://192.168.1.7:8443/public/lobby");
  });

  it("can select the fast graphics quality, which applies later", async () => {
    const preferences = new Preferences(new Storage());
    const settings = await show(document.createElement("stoa-settings"), { session, preferences, scene: "a/b" });
    const select = [...(settings.shadowRoot?.querySelectorAll("select") ?? [])].find(({ textContent }) =>
      textContent?.includes(texts.settings.pictures.fast),
    );
    if (select === undefined) throw new Error("there is no choice of pictures");
    select.value = "fast";
    select.dispatchEvent(new Event("change", { bubbles: true }));
    await drawn(settings);
    expect(preferences.picture).toBe("fast");
    expect(find(settings.shadowRoot, "[role=status]", HTMLElement).textContent).toContain(texts.settings.pictureLater);
  });
});

describe("closing a panel", () => {
  async function opened() {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    button(overlay.shadowRoot, texts.overlay.panels.chat).click();
    await drawn(overlay);
    return overlay;
  }

  it("by Escape leads back to the button that opened it", async () => {
    const overlay = await opened();
    const leaving = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true });
    find(overlay.shadowRoot, "stoa-chat", HTMLElement).dispatchEvent(leaving);
    await drawn(overlay);
    expect(overlay.panel).toBeNull();
    expect(overlay.shadowRoot?.activeElement).toBe(button(overlay.shadowRoot, texts.overlay.panels.chat));
  });

  it("by Escape first clears a filled search field", async () => {
    for (let at = 0; at < 40; at += 1) session.people.set(`p${at}`, person(`p${at}`, `Person ${at}`));
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    button(overlay.shadowRoot, texts.overlay.panels.people).click();
    await drawn(overlay);
    const people = find(overlay.shadowRoot, "stoa-people", HTMLElement);
    const seek = find(people.shadowRoot, "[type=search]", HTMLInputElement);
    type(seek, "Person 7");
    await drawn(overlay);
    const listed = () => people.shadowRoot?.querySelectorAll("li").length;
    expect(listed(), "oneself, and who was sought").toBe(2);
    const leave = async () => {
      seek.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true }));
      await drawn(overlay);
    };
    await leave();
    expect([overlay.panel, seek.value, listed()]).toEqual(["people", "", 41]);
    await leave();
    expect(overlay.panel).toBeNull();
  });

  it("with the mouse leaves no control focused", async () => {
    const overlay = await opened();
    const close = find(overlay.shadowRoot, ".close", HTMLButtonElement);
    close.dispatchEvent(new MouseEvent("click", { detail: 1, bubbles: true }));
    await drawn(overlay);
    expect(overlay.panel).toBeNull();
    expect(overlay.shadowRoot?.activeElement ?? null).toBeNull();
  });
});

describe("reactions", () => {
  it("keys and buttons raise a hand, react and point, and a new session starts without pointing", async () => {
    const told: unknown[] = [];
    const stage = {
      ...nothing,
      setDoing: (doing: unknown) => told.push(doing),
      react: (reaction: unknown) => told.push(reaction),
    };
    const overlay = await show(document.createElement("stoa-overlay"), { session, stage, status: { kind: "live" } });
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
    button(overlay.shadowRoot, texts.overlay.panels.reactions).click();
    await drawn(overlay);
    const react = find(overlay.shadowRoot, "stoa-react", HTMLElement);
    button(react.shadowRoot, texts.react.lower).click();
    button(react.shadowRoot, texts.react.names.clap).click();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "L", bubbles: true }));
    expect(told).toEqual([{ handRaised: true }, { handRaised: false }, "clap", "heart", { pointing: true }]);
    Object.assign(overlay, { session: new FakeSession() });
    await drawn(overlay);
    expect(find(overlay.shadowRoot, "stoa-react", HTMLElement).hasAttribute("pointing")).toBe(false);
  });

  it("the people list marks the person who raised a hand", async () => {
    const doing = { body: "full", handRaised: true, laser: null } as const;
    session.people.set("bob", { ...person("bob", "Bob"), doing });
    session.people.set("eve", person("eve", "Eve"));
    const people = await show(document.createElement("stoa-people"), { session });
    const hands = [...(people.shadowRoot?.querySelectorAll("li") ?? [])].map((li) => li.querySelector("[role=img]"));
    expect(hands.map((hand) => hand?.getAttribute("aria-label"))).toEqual([
      undefined,
      texts.people.handRaised,
      undefined,
    ]);
  });
});

describe("comfort settings", () => {
  it("take effect at once and are stored", async () => {
    const shelf = new Map<string, string>();
    const preferences = new Preferences({
      getItem: (key) => shelf.get(key) ?? null,
      setItem: (key, value) => void shelf.set(key, value),
    });
    const told: unknown[] = [];
    const stage = { ...nothing, setComfort: (comfort: unknown) => told.push(comfort) };
    const comfort = await show(document.createElement("stoa-comfort"), { preferences, stage });
    const choose = async (name: string, value: string) => {
      const select = find(comfort.shadowRoot, `[name=${name}]`, HTMLSelectElement);
      select.value = value;
      select.dispatchEvent(new Event("change"));
      await drawn(comfort);
    };
    await choose("vignette", "0.6");
    await choose("turn", "smooth");
    expect(told).toEqual([preferences.comfort && { ...preferences.comfort, turn: "snap" }, preferences.comfort]);
    expect(preferences.comfort).toMatchObject({ vignette: 0.6, turn: "smooth", angle: 30 });
    expect(find(comfort.shadowRoot, "[name=angle]", HTMLSelectElement).disabled, "smooth turning has no step").toBe(
      true,
    );
  });
});

describe("the help panel", () => {
  const titles = async (pointer: "coarse" | "fine") => {
    vi.spyOn(globalThis, "matchMedia").mockImplementation((query) =>
      Object.assign(new EventTarget(), { matches: query === `(pointer: ${pointer})` } as MediaQueryList),
    );
    const help = await show(Object.assign(new StoaHelpPanel(), { scene: "public/lobby" }), {});
    vi.restoreAllMocks();
    return [...(help.shadowRoot?.querySelectorAll("h3") ?? [])].map((title) => title.textContent);
  };

  it("begins with touch on a touchscreen, and with keys where there is a mouse", async () => {
    expect(await titles("coarse")).toEqual([touch.title, keys.title, headset.title]);
    expect(await titles("fine")).toEqual([keys.title, touch.title, headset.title]);
  });
});

describe("a panel that is loaded on demand", () => {
  it("is open after repeated clicks on its button while it loads", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    for (let press = 0; press < 3; press += 1) {
      button(overlay.shadowRoot, texts.overlay.panels.help).click();
      await overlay.updateComplete;
    }
    await vi.waitFor(() => expect(overlay.loaded.has("help")).toBe(true));
    await drawn(overlay);
    expect([overlay.toast.text, overlay.panel]).toEqual(["", "help"]);
  });
});

describe("the owner's scene settings", () => {
  it("have a visible heading, and suggest a valid name for an invalid one", async () => {
    session.me = { ...session.me, role: "owner" };
    const api = new Api("http://realm.test:8080", () => Promise.resolve(Response.json({})));
    const preferences = new Preferences(new Storage());
    const parts = { session, api, preferences, scene: "public/lobby" };
    const settings = await show(document.createElement("stoa-settings"), parts);
    await vi.waitFor(() => expect(settings.shadowRoot?.querySelector("#rights")).not.toBeNull());
    const section = find(settings.shadowRoot, "[aria-labelledby=rights]", HTMLElement);
    expect(find(section, "h3", HTMLElement).className).toBe("");
    expect(section.textContent).toContain(texts.settings.rights);
    expect(section.querySelectorAll("input[type=checkbox]").length).toBe(3);
    const name = find(settings.shadowRoot, "input[name=scene]", HTMLInputElement);
    type(name, "My röom");
    submit(find(settings.shadowRoot, "form:has([name=scene])", HTMLFormElement));
    await settings.updateComplete;
    const wrong = find(settings.shadowRoot, "#scene-wrong", HTMLElement);
    expect(wrong.textContent, "what would do is said beside the field").toContain(
      holding(texts.settings.badSceneName("My röom", "my.roeom"), "“my.roeom”"),
    );
    expect(name.getAttribute("aria-describedby")).toBe(wrong.id);
  });
});

describe("resetting a scene", () => {
  it("takes a second press, which is no double click", async () => {
    session.me = { ...session.me, role: "owner" };
    const asked: unknown[] = [];
    const api = new Api("http://realm.test:8080", (url, init) => {
      asked.push(`${init?.method ?? "GET"} ${new URL(url).pathname}`);
      return Promise.resolve(Response.json({}));
    });
    const parts = { session, api, preferences: new Preferences(new Storage()), scene: "public/lobby" };
    const settings = await show(document.createElement("stoa-settings"), parts);
    await vi.waitFor(() => expect(settings.shadowRoot?.querySelector("#rights")).not.toBeNull());
    const before = asked.length;
    const press = async (detail: number) => {
      const reset = find(settings.shadowRoot, "button.danger", HTMLButtonElement);
      reset.dispatchEvent(new MouseEvent("click", { detail, bubbles: true }));
      await drawn(settings);
    };
    await press(1);
    await press(2);
    expect(asked.slice(before)).toEqual([]);
    await press(1);
    expect(asked.slice(before)).toHaveLength(1);
  });
});

describe("changing scene settings", () => {
  const KEPT = { owner: "ada", public_read: true, public_write: false, anonymous_users: true, people_max: null };
  let kept: Record<string, unknown>;
  let sent: Record<string, unknown>;
  let answer: () => void;
  let refuses: boolean;

  /** The settings of a fake realm that stores changes and answers on request. */
  async function opened() {
    kept = { ...KEPT, motion_policy: "radius:8", motion_bytes_per_s: 9_000 };
    refuses = false;
    session.me = { ...session.me, role: "owner" };
    const api = new Api("http://realm.test", async (url, init) => {
      if (!url.includes("/scenes/public/lobby")) return Response.json({});
      if (init?.method !== "PUT") return Response.json(kept);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      if (refuses) return Response.json({ title: "not now" }, { status: 503 });
      sent = JSON.parse(String(init.body));
      kept = { voice: kept.voice, ...sent };
      return Response.json(kept);
    });
    const preferences = new Preferences(new Storage());
    const parts = { session, api, preferences, scene: "public/lobby" };
    const settings = await show(document.createElement("stoa-settings"), parts);
    await vi.waitFor(() => expect(settings.shadowRoot?.querySelector("#rights")).not.toBeNull());
    const section = find(settings.shadowRoot, "[aria-labelledby=rights]", HTMLElement);
    const boxes = [...section.querySelectorAll<HTMLInputElement>("[type=checkbox]")];
    const ticked = () => boxes.map(({ checked }) => checked);
    return { settings, boxes, ticked };
  }

  async function answered(settings: HTMLElement, said: string): Promise<void> {
    answer();
    await vi.waitFor(() => expect(find(settings.shadowRoot, "[role=status]", HTMLElement).textContent).toContain(said));
  }

  it("saves two quick changes, and keeps the settings that have no field", async () => {
    const { boxes, ticked } = await opened();
    boxes[0]?.click();
    boxes[1]?.click();
    for (const key of ["public_read", "anonymous_users"]) {
      await vi.waitFor(() => {
        answer();
        expect(kept[key]).toBe(false);
      });
      expect(ticked()).toEqual([false, false, false]);
    }
    expect(kept).toMatchObject({ public_read: false, anonymous_users: false, people_max: null });
    expect(kept, "what the page has no field for").toMatchObject({
      motion_policy: "radius:8",
      motion_bytes_per_s: 9_000,
    });
  });

  it("turns voice on and off, says when that counts, and otherwise leaves it to the realm", async () => {
    const { settings, boxes } = await opened();
    const voice = find(settings.shadowRoot, "[aria-labelledby=voice] input", HTMLInputElement);
    const saved = async (check: () => void) =>
      await vi.waitFor(() => {
        answer();
        check();
      });
    expect(voice.checked, "a scene without the setting").toBe(false);
    voice.click();
    await saved(() => expect(kept).toMatchObject({ voice: "open", video_conference: true, public_read: true }));
    await answered(settings, texts.settings.voiceSaved);
    expect(voice.checked).toBe(true);
    boxes[0]?.click();
    await saved(() => expect(kept.anonymous_users).toBe(false));
    expect("voice" in sent, "no change of another setting sends it").toBe(false);
    voice.click();
    await saved(() => expect(kept.voice).toBe("off"));
    await vi.waitFor(() => expect(voice.checked).toBe(false));
  });

  it.each(["-5", "0", "2.5", "1e9"])(
    "refuses %s as the people limit, and restores the previous value",
    async (typed) => {
      const { settings } = await opened();
      const field = find(settings.shadowRoot, "[name=people-max]", HTMLInputElement);
      field.value = "12";
      field.dispatchEvent(new Event("change"));
      await vi.waitFor(() => {
        answer();
        expect(kept.people_max).toBe(12);
      });
      await answered(settings, texts.settings.saved);
      field.value = typed;
      field.dispatchEvent(new Event("change"));
      await drawn(settings);
      expect(find(settings.shadowRoot, "[role=status]", HTMLElement).textContent).toContain(
        holding(texts.settings.peopleWrong(CROWD_MAX, typed), typed, "1", "100,000"),
      );
      expect([field.value, kept.people_max]).toEqual(["12", 12]);
      field.value = "";
      field.dispatchEvent(new Event("change"));
      await vi.waitFor(() => {
        answer();
        expect(kept.people_max).toBeNull();
      });
    },
  );

  it("shows the server's values again after a refusal", async () => {
    const { settings, boxes, ticked } = await opened();
    refuses = true;
    boxes[0]?.click();
    await drawn(settings);
    expect(ticked()).toEqual([false, true, false]);
    await answered(settings, "Not now.");
    await drawn(settings);
    expect(ticked()).toEqual([true, true, false]);
  });
});

describe("keyboard shortcuts", () => {
  it("B opens the edit panel and Escape closes it, but B in a panel does nothing", async () => {
    const overlay = await show(document.createElement("stoa-overlay"), { session, status: { kind: "live" } });
    const press = async (target: EventTarget, key: string) => {
      target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
      await drawn(overlay);
    };
    await press(find(overlay.shadowRoot, "stoa-chat", HTMLElement), "b");
    expect(overlay.panel).toBeNull();
    await press(document.body, "b");
    expect(overlay.panel).toBe("edit");
    await press(document.body, "Escape");
    expect(overlay.panel).toBeNull();
  });

  it("letter and digit keys do nothing while they are switched off in the settings", async () => {
    const preferences = new Preferences(new Storage());
    const told: unknown[] = [];
    const tell = (what: unknown) => void told.push(what);
    const stage = { ...nothing, setDoing: tell, react: tell };
    const parts = { session, stage, preferences, status: { kind: "live" } } as const;
    const overlay = await show(document.createElement("stoa-overlay"), parts);
    const press = async () => {
      for (const key of ["h", "l", "1", "b"])
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      await drawn(overlay);
    };
    button(overlay.shadowRoot, texts.overlay.panels.settings).click();
    await drawn(overlay);
    const settings = find(overlay.shadowRoot, "stoa-settings", HTMLElement);
    const comfort = find(settings.shadowRoot, "stoa-comfort", HTMLElement);
    find(comfort.shadowRoot, "[name=letter-keys]", HTMLInputElement).click();
    await press();
    expect([told, overlay.panel]).toEqual([[], "settings"]);
    find(comfort.shadowRoot, "[name=letter-keys]", HTMLInputElement).click();
    await press();
    expect([told, overlay.panel]).toEqual([[{ handRaised: true }, { pointing: true }, "heart"], "edit"]);
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
