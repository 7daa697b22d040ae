import { Api, type EnterOptions, RefusedError, type SceneSession } from "@stoa/client";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { StoaNewSceneForm } from "../../src/pages/stoa-new-scene.ts";
import type { StoaScenePage } from "../../src/pages/stoa-scene.ts";
import { Preferences } from "../../src/preferences/preferences.ts";
import type { StageOptions } from "../../src/scene/stage.ts";
import { FakeSession } from "../support/fake-session.ts";
import { fakeStage } from "../support/fake-stage.ts";
import { button, drawn, find, show, submit, type } from "../support/page.ts";
import { holding, texts } from "../support/texts.ts";

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

const { kinds } = texts.refused;
const GUEST: Answer = { body: { username: null, owner: false, owner_exists: true } };
let answers: Record<string, Answer>;
let asked: { readonly path: string; readonly body: unknown }[];
let preferences: Preferences;

beforeEach(() => {
  answers = { "GET /api/v1/me": GUEST };
  asked = [];
  const shelf = new Map<string, string>();
  preferences = new Preferences({
    getItem: (key) => shelf.get(key) ?? null,
    setItem: (key, value) => void shelf.set(key, value),
  });
});

const api = new Api("http://realm.test", (url, init) => {
  const path = `${init?.method ?? "GET"} ${new URL(url).pathname}`;
  asked.push({ path, body: typeof init?.body === "string" ? JSON.parse(init.body) : undefined });
  const { status = 200, body } = answers[path] ?? { status: 404, body: { title: "not found" } };
  return Promise.resolve(Response.json(body, { status }));
});

async function settle(element: Parameters<typeof drawn>[0]): Promise<void> {
  // Reading a body takes the response a turn of the event loop.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await drawn(element);
}

describe("the list of scenes", () => {
  it("shows each scene with its entry link and the number of people inside", async () => {
    answers["GET /api/v1/scenes"] = { body: [{ namespace: "public", scene: "lobby", role: "viewer", people: 1 }] };
    const home = await show(document.createElement("stoa-home"), { api, preferences });
    await settle(home);
    const link = find(home.shadowRoot, "li a", HTMLAnchorElement);
    expect(link.getAttribute("href")).toBe("/public/lobby");
    expect(link.textContent?.trim()).toBe(`${texts.home.enter} public/lobby ${texts.home.asGuest}`);
    expect(find(home.shadowRoot, "li", HTMLElement).textContent).toContain(texts.home.inside(1, []));
  });

  it("deletes a scene on the second click, but not on a double click", async () => {
    answers["GET /api/v1/me"] = { body: { username: "ada", owner: false, owner_exists: true } };
    answers["GET /api/v1/scenes"] = { body: [{ namespace: "ada", scene: "room", role: "owner", people: 0 }] };
    const home = await show(document.createElement("stoa-home"), { api, preferences });
    await settle(home);
    const removed = () => asked.filter(({ path }) => path.startsWith("DELETE")).length;
    const press = async (detail: number) => {
      const remove = find(home.shadowRoot, ".scenes .danger", HTMLButtonElement);
      remove.dispatchEvent(new MouseEvent("click", { detail, bubbles: true }));
      await settle(home);
    };
    await press(1);
    await press(2);
    expect(removed()).toBe(0);
    await press(1);
    expect(removed()).toBe(1);
  });

  it("stores the typed display name without extra spaces", async () => {
    answers["GET /api/v1/scenes"] = { body: [] };
    const home = await show(document.createElement("stoa-home"), { api, preferences });
    type(find(home.shadowRoot, "input[name=name]", HTMLInputElement), "  Ada   L. ");
    expect(preferences.name).toBe("Ada L.");
  });

  it("shows an invalid scene name's error in the form", async () => {
    answers["GET /api/v1/me"] = { body: { username: "ada", owner: true, owner_exists: true } };
    answers["GET /api/v1/scenes"] = { body: [] };
    const home = await show(document.createElement("stoa-home"), { api, preferences });
    await settle(home);
    const element = find(home.shadowRoot, "[aria-labelledby=new] stoa-new-scene", StoaNewSceneForm);
    const form = find(element.shadowRoot, "form", HTMLFormElement);
    type(find(form, "[name=scene]", HTMLInputElement), "no slash");
    submit(form);
    await settle(element);
    expect(find(form, "[role=alert]", HTMLElement).textContent).toContain(texts.home.badName);
  });

  it.each([
    ["<html>", texts.scenes.make.noScene("cat.jsonl")],
    ['{"name": "holidays", "days": []}', texts.scenes.make.noScene("cat.jsonl")],
    ['["object_id"]', texts.scenes.make.noScene("cat.jsonl")],
    ['\n{"stoa_scene": 1, "scene": "ada/room"}', ""],
    ['[{"_id": 1, "object_id" : "box"}]', ""],
  ])("a file that holds %s is sent only if it is a scene", async (content, said) => {
    const sent: unknown[] = [];
    class Request {
      readonly upload = {};
      readonly status = 422;
      readonly responseText = "{}";
      onload: () => void = () => undefined;
      open = () => undefined;
      setRequestHeader = () => undefined;
      send(body: unknown): void {
        sent.push(body);
        this.onload();
      }
    }
    vi.stubGlobal("XMLHttpRequest", Request);
    const account = { username: "ada", owner: false, ownerExists: true, accounts: "closed", network: null } as const;
    const element = await show(new StoaNewSceneForm(), { account, begin: "file" });
    const form = find(element.shadowRoot, "form", HTMLFormElement);
    type(find(form, "[name=scene]", HTMLInputElement), "room");
    const file = new File([content], "cat.jsonl");
    const chooser = find(form, "[name=file]", HTMLInputElement);
    const chosen = new DataTransfer();
    chosen.items.add(file);
    chooser.files = chosen.files;
    submit(form);
    const wrong = () => find(form, "[role=alert]", HTMLElement).textContent ?? "";
    await expect.poll(wrong).toContain(said === "" ? "422" : said);
    expect(sent).toHaveLength(said === "" ? 1 : 0);
    vi.unstubAllGlobals();
  });

  it("shows the error when the scenes can't be loaded", async () => {
    answers = {};
    const home = await show(document.createElement("stoa-home"), { api, preferences });
    await settle(home);
    expect(find(home.shadowRoot, "[role=alert]", HTMLElement).textContent).toContain(
      holding(texts.home.notListed("Not found."), "Not found."),
    );
  });
});

describe("signing in", () => {
  it("a wrong password shows an error, and a correct one reports the account", async () => {
    answers["POST /api/v1/login"] = { status: 401, body: { title: "wrong" } };
    const element = await show(document.createElement("stoa-sign-in"), { api });
    const told: unknown[] = [];
    element.addEventListener("stoa-account", (event) => told.push(event instanceof CustomEvent ? event.detail : null));
    submit(find(element.shadowRoot, "form", HTMLFormElement));
    await settle(element);
    expect(find(element.shadowRoot, "[role=alert]", HTMLElement).textContent).toContain(texts.signIn.wrong);
    answers["POST /api/v1/login"] = { body: { username: "ada", owner: true, owner_exists: true } };
    submit(find(element.shadowRoot, "form", HTMLFormElement));
    await settle(element);
    const ada = { username: "ada", owner: true, ownerExists: true, accounts: "closed", network: null };
    expect(told).toEqual([ada]);
    expect(button(element.shadowRoot, texts.signIn.signOut)).toBeDefined();
  });

  it("a failed sign-out shows the error and can be repeated", async () => {
    const account = { username: "ada", owner: false, ownerExists: true, accounts: "closed", network: null } as const;
    answers["POST /api/v1/logout"] = { status: 503, body: { title: "the realm is restarting" } };
    const element = await show(document.createElement("stoa-sign-in"), { api, account });
    button(element.shadowRoot, texts.signIn.signOut).click();
    await settle(element);
    expect(find(element.shadowRoot, "[role=alert]", HTMLElement).textContent).toContain("The realm is restarting.");
    expect(button(element.shadowRoot, texts.signIn.signOut).disabled, "to try again").toBe(false);
  });
});

describe("the owner link", () => {
  beforeEach(() => {
    answers["GET /api/v1/me"] = { body: { username: null, owner: false, owner_exists: false } };
  });

  it("shows that it was used, without a form", async () => {
    answers["GET /api/v1/me"] = GUEST;
    const owner = await show(document.createElement("stoa-owner"), { api, secret: "s3cret" });
    await settle(owner);
    expect(owner.shadowRoot?.querySelector("form")).toBeNull();
    expect(find(owner.shadowRoot, "[role=alert]", HTMLElement).textContent).toContain(texts.owner.used);
  });

  it("redeems the secret with a name and a password typed twice", async () => {
    answers["POST /api/v1/owner"] = { body: { username: "ada", owner: true, owner_exists: true } };
    const owner = await show(document.createElement("stoa-owner"), { api, secret: "s3cret" });
    const field = (name: string) => find(owner.shadowRoot, `[name=${name}]`, HTMLInputElement);
    type(field("username"), "ada");
    type(field("password"), "correct horse");
    type(field("again"), "another");
    submit(find(owner.shadowRoot, "form", HTMLFormElement));
    await settle(owner);
    expect(owner.shadowRoot?.textContent).toContain(texts.owner.differ);
    type(field("again"), "correct horse");
    submit(find(owner.shadowRoot, "form", HTMLFormElement));
    await settle(owner);
    expect(asked.slice(1)).toEqual([
      { path: "POST /api/v1/owner", body: { secret: "s3cret", username: "ada", password: "correct horse" } },
    ]);
    expect(owner.shadowRoot?.textContent).toContain(holding(texts.owner.yours("ada"), "ada"));
  });

  it("shows that it is void, and removes the form", async () => {
    answers["POST /api/v1/owner"] = { status: 403, body: { title: "Forbidden" } };
    const owner = await show(document.createElement("stoa-owner"), { api, secret: "s3cret" });
    const field = (name: string) => find(owner.shadowRoot, `[name=${name}]`, HTMLInputElement);
    for (const [name, value] of Object.entries({
      username: "eve",
      password: "correct horse",
      again: "correct horse",
    })) {
      type(field(name), value);
    }
    submit(find(owner.shadowRoot, "form", HTMLFormElement));
    await settle(owner);
    expect(find(owner.shadowRoot, "[role=alert]", HTMLElement).textContent).toContain(texts.owner.voided);
    expect(owner.shadowRoot?.querySelector("form"), "it would be of no use").toBeNull();
  });

  it("without a secret shows that it is incomplete", async () => {
    const owner = await show(document.createElement("stoa-owner"), { api, secret: "" });
    expect(owner.shadowRoot?.querySelector("form")).toBeNull();
    expect(owner.shadowRoot?.textContent).toContain(texts.owner.noSecret);
  });
});

describe("the scene page", () => {
  const done: string[] = [];
  const stage = fakeStage({
    dispose: () => void done.push("dispose"),
    select: (objectIds) => void done.push(`select ${objectIds.join()}`),
    setEditMode: (enabled) => void done.push(`edit ${enabled}`),
    setMove: (x, z) => void done.push(`move ${x} ${z}`),
    setDoing: (doing) => void done.push(`doing ${JSON.stringify(doing)}`),
    react: (reaction) => void done.push(`react ${reaction}`),
    heads: () => ({ own: undefined, positionOf: () => undefined, isHidden: () => false }),
    meet: (idTag) => void done.push(`go to ${idTag}`),
    hide: (idTag, hidden) => void done.push(`hide ${idTag} ${hidden}`),
  });
  let entered: EnterOptions[];
  let listener: StageOptions | undefined;
  let session: FakeSession;

  beforeEach(() => {
    entered = [];
    done.length = 0;
    listener = undefined;
    session = new FakeSession();
  });

  async function open(enter?: (options: EnterOptions) => Promise<SceneSession>): Promise<StoaScenePage> {
    const element = document.createElement("stoa-scene");
    element.enter = (options) => {
      entered.push(options);
      return enter?.(options) ?? Promise.resolve(session);
    };
    element.showStage = (_into, _connection, told) => {
      listener = told;
      return Promise.resolve(stage);
    };
    await show(element, { api, preferences, scene: "public/lobby" });
    await settle(element);
    return element;
  }

  it("asks a guest for a name first, then enters under it", async () => {
    const scene = await open();
    expect(entered).toEqual([]);
    expect(find(scene, "stoa-overlay", HTMLElement).hidden, "nothing is said of a connection yet").toBe(true);
    const ask = find(scene, "stoa-enter", HTMLElement).shadowRoot;
    type(find(ask, "input", HTMLInputElement), "Ada");
    submit(find(ask, "form", HTMLFormElement));
    await settle(scene);
    expect(entered).toMatchObject([{ scene: "public/lobby", displayName: "Ada" }]);
    expect(scene.querySelector("stoa-enter")).toBeNull();
    expect(preferences.name).toBe("Ada");
  });

  it("enters under a stored name without asking for one", async () => {
    preferences.name = "Bob";
    await open();
    expect(entered).toMatchObject([{ displayName: "Bob" }]);
  });

  it("keeps the person's colour when the person enters again", async () => {
    preferences.name = "Bob";
    await open();
    await open();
    expect(entered.map(({ color }) => color)).toEqual([preferences.color, preferences.color]);
  });

  it("an account enters under its own name", async () => {
    answers["GET /api/v1/me"] = { body: { username: "carol", owner: false, owner_exists: true } };
    await open();
    expect(entered).toMatchObject([{ displayName: "carol" }]);
  });

  it("an account that navigates to another scene while entering enters it under its username", async () => {
    answers["GET /api/v1/me"] = { body: { username: "carol", owner: false, owner_exists: true } };
    const scene = await open(() => new Promise(() => undefined));
    history.replaceState(null, "", "/public/sandbox");
    dispatchEvent(new PopStateEvent("popstate"));
    await settle(scene);
    expect(entered.map(({ scene, displayName }) => [scene, displayName])).toEqual([
      ["public/lobby", "carol"],
      ["public/sandbox", "carol"],
    ]);
  });

  it("a guest who navigates back at the name form gets the name form of the other scene", async () => {
    const scene = await open();
    history.replaceState(null, "", "/public/sandbox");
    dispatchEvent(new PopStateEvent("popstate"));
    await settle(scene);
    expect(entered).toEqual([]);
    expect(find(scene, "stoa-enter", HTMLElement).shadowRoot?.textContent).toContain("public/sandbox");
  });

  /** The connection status that the overlay shows. */
  const saidBy = (scene: StoaScenePage) => {
    const overlay = find(scene, "stoa-overlay", HTMLElement).shadowRoot;
    return find(overlay, "stoa-status", HTMLElement).shadowRoot?.textContent?.replaceAll(/\s+/g, " ") ?? "";
  };

  it("shows the connecting status without tools while entering", async () => {
    preferences.name = "Bob";
    const scene = await open(() => new Promise(() => undefined));
    expect(saidBy(scene)).toContain(texts.status.connecting);
    const overlay = find(scene, "stoa-overlay", HTMLElement).shadowRoot;
    expect(overlay?.querySelector("[role=toolbar], .panel, stoa-pad, stoa-hint")).toBeNull();
    expect(listener, "nothing is drawn yet").toBeUndefined();
  });

  it("shows that it reconnects if the connection is lost while entering", async () => {
    preferences.name = "Bob";
    const scene = await open(() => new Promise(() => undefined));
    entered[0]?.onStatus?.({ kind: "reconnecting", reason: "the line was cut" });
    await settle(scene);
    expect(saidBy(scene)).toContain(`${texts.status.reconnecting} ${texts.status.away}`);
  });

  /** The page that gives the reason of a refusal. */
  const refusal = (scene: StoaScenePage) => find(scene, "stoa-refused", HTMLElement).shadowRoot;

  it("shows a refusal with its reason, a retry button and a link to all scenes", async () => {
    preferences.name = "Bob";
    const scene = await open(() => Promise.reject(new RefusedError("guests may not enter")));
    expect(scene.status).toEqual({ kind: "refused", reason: "guests may not enter" });
    expect(refusal(scene)?.textContent).toContain("guests may not enter");
    expect(find(scene, "stoa-overlay", HTMLElement).hidden).toBe(true);
    expect(refusal(scene)?.querySelector("a[href='/'].button")).not.toBeNull();
    scene.enter = () => Promise.resolve(session);
    button(refusal(scene), texts.status.tryAgain).click();
    await settle(scene);
    expect(scene.querySelector("stoa-refused")).toBeNull();
  });

  it.each([
    ["not_found", kinds.not_found.title, true],
    ["not_allowed", kinds.not_allowed.title, true],
    ["put_out", kinds.put_out.title, false],
    ["locked", kinds.locked.title, true],
    ["full", kinds.full.title, false],
    ["link_expired", kinds.link_expired.title, false],
    ["something new", kinds.refused.title, false],
  ])("shows its own refusal page for %s", async (code, title, signIn) => {
    preferences.name = "Bob";
    const scene = await open(() => Promise.reject(new RefusedError("no", { code })));
    expect(find(refusal(scene), "h1", HTMLElement).textContent).toContain(title);
    expect(refusal(scene)?.querySelector("stoa-sign-in") !== null).toBe(signIn);
  });

  it("disables the re-enter button while a removal lasts", async () => {
    preferences.name = "Bob";
    const hindrance = { code: "put_out", retryAfterS: 60 };
    const scene = await open(() => Promise.reject(new RefusedError("no", hindrance)));
    expect(button(refusal(scene), holding(texts.refused.backIn(60), "60")).disabled).toBe(true);
  });

  it.each([
    [5_400, "90"],
    [100_000, "28"],
    [604_800, "7"],
  ])("shows the remaining %d s of a removal in minutes, hours or days", async (retryAfterS, count) => {
    preferences.name = "Bob";
    const hindrance = { code: "put_out", retryAfterS };
    const scene = await open(() => Promise.reject(new RefusedError("no", hindrance)));
    const back = button(refusal(scene), texts.refused.backIn(retryAfterS));
    expect([back.disabled, back.textContent]).toEqual([true, expect.stringMatching(new RegExp(`\\b${count}\\b`))]);
  });

  it("shows that the server is restarting, without a retry button", async () => {
    preferences.name = "Bob";
    const scene = await open(() => new Promise(() => undefined));
    entered[0]?.onStatus?.({ kind: "connecting", reason: "no answer", hindrance: { code: "restarting" } });
    await settle(scene);
    expect(refusal(scene)?.querySelector("[role=status]")?.textContent).toContain(kinds.restarting.title);
    expect(refusal(scene)?.querySelector("button")).toBeNull();
  });

  it("replaces the scene by the reason when the person is removed from it", async () => {
    preferences.name = "Bob";
    const scene = await open();
    entered[0]?.onStatus?.({ kind: "refused", reason: "no", hindrance: { code: "put_out" } });
    entered[0]?.onStatus?.({ kind: "closed" });
    await settle(scene);
    expect(find(refusal(scene), "h1", HTMLElement).textContent).toContain(kinds.put_out.title);
    expect(done).toContain("dispose");
  });

  it("redeems an invitation once and enters", async () => {
    preferences.name = "Bob";
    answers["POST /api/v1/invitations/redeem"] = { body: { scene: "public/lobby", role: "editor", ends_at: 1 } };
    const element = document.createElement("stoa-scene");
    element.enter = (options) => {
      entered.push(options);
      return Promise.resolve(session);
    };
    element.showStage = () => Promise.resolve(stage);
    await show(element, { api, preferences, scene: "public/lobby", invite: "secret" });
    await settle(element);
    const redeemed = asked.filter(({ path }) => path.endsWith("redeem"));
    expect(redeemed).toEqual([{ path: "POST /api/v1/invitations/redeem", body: { secret: "secret" } }]);
    expect([entered.length, element.invite]).toEqual([1, ""]);
  });

  it("shows that an invitation has expired, without entering", async () => {
    preferences.name = "Bob";
    const problem = { title: "Gone", status: 410, detail: "the invitation has ended", reason: "link_expired" };
    answers["POST /api/v1/invitations/redeem"] = { status: 410, body: problem };
    const element = document.createElement("stoa-scene");
    element.enter = () => Promise.reject(new Error("nobody gets here"));
    await show(element, { api, preferences, scene: "public/lobby", invite: "secret" });
    await settle(element);
    expect(find(refusal(element), "h1", HTMLElement).textContent).toContain(kinds.link_expired.title);
  });

  it("ignores a status of an abandoned entry", async () => {
    preferences.name = "Bob";
    const scene = await open();
    const overlay = find(scene, "stoa-overlay", HTMLElement);
    overlay.dispatchEvent(new CustomEvent("stoa-named", { detail: "Rob" }));
    await settle(scene);
    entered[1]?.onStatus?.({ kind: "live" });
    entered[0]?.onStatus?.({ kind: "closed" });
    expect(entered.map(({ displayName }) => displayName)).toEqual(["Bob", "Rob"]);
    expect(scene.status).toEqual({ kind: "live" });
  });

  it("draws with the selected graphics quality", async () => {
    preferences.name = "Bob";
    preferences.picture = "fast";
    await open();
    expect(listener?.picture).toBe("fast");
  });

  it("turns on the stage's edit mode, and shows the object selected there in the edit panel", async () => {
    preferences.name = "Bob";
    session.objects.set("lamp", {
      objectId: "lamp",
      type: "object",
      attributes: { object_type: "box" },
      persist: true,
    });
    const scene = await open();
    const overlay = find(scene, "stoa-overlay", HTMLElement);
    button(overlay.shadowRoot, texts.overlay.panels.edit).click();
    listener?.onSelect(["lamp"]);
    await settle(scene);
    expect(done).toContain("edit true");
    const inspector = overlay.shadowRoot?.querySelector("stoa-edit")?.shadowRoot?.querySelector("stoa-inspector");
    expect(inspector?.shadowRoot?.textContent).toContain("lamp");
  });

  it("enters another scene through a portal under the same name, and returns on Back", async () => {
    preferences.name = "Bob";
    history.replaceState(null, "", "/public/lobby");
    const scene = await open();
    const before = scene.scene;
    listener?.onTravel({ scene: "public/sandbox", landmark: "door" });
    await settle(scene);
    expect(entered.map(({ scene, displayName }) => [scene, displayName])).toEqual([
      [before, "Bob"],
      ["public/sandbox", "Bob"],
    ]);
    expect(entered[0]?.signal?.aborted, "the scene that was left is left").toBe(true);
    expect(location.pathname + location.hash).toBe("/public/sandbox#door");
    history.replaceState(null, "", "/public/lobby");
    dispatchEvent(new PopStateEvent("popstate"));
    await settle(scene);
    expect(entered.at(-1)?.scene).toBe("public/lobby");
  });

  it("talks while a controller's button is held", async () => {
    preferences.name = "Bob";
    const { voice } = await open();
    const hold = vi.spyOn(voice ?? expect.fail("there is no voice"), "hold");
    listener?.onHeld(true);
    listener?.onHeld(false);
    expect(hold.mock.calls).toEqual([[true], [false]]);
  });

  it("ends the voice of a person who is removed from the scene", async () => {
    preferences.name = "Bob";
    const scene = await open();
    const close = vi.spyOn(scene.voice ?? expect.fail("there is no voice"), "close");
    entered[0]?.onStatus?.({ kind: "refused", reason: "put out", hindrance: { code: "put_out" } });
    expect([close.mock.calls.length, scene.voice]).toEqual([1, undefined]);
  });

  it("disposes of the stage and ends the session when the page is left", async () => {
    preferences.name = "Bob";
    const scene = await open();
    scene.remove();
    expect(done).toContain("dispose");
    expect(entered[0]?.signal?.aborted).toBe(true);
  });
});
