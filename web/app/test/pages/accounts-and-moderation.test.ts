import { Api, type Person } from "@stoa/client";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { suggestedName } from "../../src/controls/account-name-field.ts";
import { FakeSession, person } from "../support/fake-session.ts";
import { fakeStage } from "../support/fake-stage.ts";
import { button, drawn, find, show, submit, type } from "../support/page.ts";
import { holding, texts } from "../support/texts.ts";

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

let answers: Record<string, Answer>;
let asked: { readonly path: string; readonly body: unknown }[];
let session: FakeSession;
let done: string[];
let hidden: Set<string>;

const api = new Api("http://realm.test", (url, init) => {
  const path = `${init?.method ?? "GET"} ${new URL(url).pathname.replace("/api/v1/", "")}`;
  asked.push({ path, body: typeof init?.body === "string" ? JSON.parse(init.body) : undefined });
  const { status = 200, body } = answers[path] ?? { status: 403, body: { title: "Forbidden" } };
  return Promise.resolve(Response.json(body, { status }));
});

const stage = fakeStage({
  heads: () => ({ own: undefined, positionOf: () => undefined, isHidden: () => false }),
  meet: (idTag) => void done.push(`go to ${idTag}`),
  hide: (idTag, hide) => void (hide ? hidden.add(idTag) : hidden.delete(idTag)),
  isHidden: (idTag) => hidden.has(idTag),
});

const OPEN = { locked: false, bars: [] };
const MODERATION = "scenes/public/lobby/moderation";
const INVITATIONS = "scenes/public/lobby/invitations";

beforeEach(() => {
  [answers, asked, done] = [{}, [], []];
  hidden = new Set();
  session = new FakeSession();
  session.me = { ...session.me, guest: false };
});

async function settle(element: Parameters<typeof drawn>[0]): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await drawn(element);
}

async function people(...others: Person[]) {
  for (const other of others) session.people.set(other.idTag, other);
  const element = await show(document.createElement("stoa-people"), { api, session, stage, scene: "public/lobby" });
  await settle(element);
  return element;
}

describe("the people panel", () => {
  it("goes to a person, and hides and shows the person without telling the server", async () => {
    const panel = await people(person("bob_1", "Bob"));
    button(panel.shadowRoot, "…").click();
    await settle(panel);
    button(panel.shadowRoot, texts.people.goTo("Bob")).click();
    button(panel.shadowRoot, texts.people.hide).click();
    await settle(panel);
    expect([done, [...hidden]]).toEqual([["go to bob_1"], ["bob_1"]]);
    button(panel.shadowRoot, texts.people.showAgain).click();
    expect([...hidden]).toEqual([]);
    expect(
      asked.filter(({ path }) => path.startsWith("POST")),
      "nobody is told",
    ).toEqual([]);
  });

  it("finds a person among many by search", async () => {
    const panel = await people(...Array.from({ length: 12 }, (_, at) => person(`p_${at}`, `Person ${at}`)));
    type(find(panel.shadowRoot, "input[type=search]", HTMLInputElement), "son 11");
    await settle(panel);
    expect(panel.shadowRoot?.querySelectorAll("li").length, "oneself and the one").toBe(2);
  });

  it("offers no moderation to a user whom the server doesn't allow to moderate", async () => {
    const panel = await people(person("bob_1", "Bob"));
    button(panel.shadowRoot, "…").click();
    await settle(panel);
    expect(() => button(panel.shadowRoot, texts.moderate.deeds.kick.name)).toThrow();
    expect(asked).toContainEqual({ path: `GET ${MODERATION}`, body: undefined });
  });

  it("bans a person after a confirmation, and lifts the ban", async () => {
    answers[`GET ${MODERATION}`] = { body: OPEN };
    const bar = { id: "b", kind: "out", shown: "Bob", account: null, by: "ada", ends_at: null };
    answers[`POST ${MODERATION}`] = { body: { locked: false, bars: [bar] } };
    const panel = await people(person("bob_1", "Bob"));
    button(panel.shadowRoot, "…").click();
    await settle(panel);
    button(panel.shadowRoot, texts.moderate.deeds.ban.name).click();
    await settle(panel);
    const moderate = find(panel.shadowRoot, "stoa-moderate", HTMLElement).shadowRoot;
    expect(find(moderate, "form", HTMLFormElement).textContent).toContain(
      holding(texts.moderate.deeds.ban.question("Bob"), "Bob"),
    );
    expect(
      asked.some(({ path }) => path.startsWith("POST")),
      "nothing yet",
    ).toBe(false);
    find(moderate, "select", HTMLSelectElement).value = "3600";
    submit(find(moderate, "form", HTMLFormElement));
    await settle(panel);
    const body = { act: "ban", person: "bob_1", shown: "Bob", lasts_s: 3_600 };
    expect(asked.at(-1)).toEqual({ path: `POST ${MODERATION}`, body });
    expect(moderate?.querySelector("form"), "asked and answered").toBeNull();
    expect(panel.shadowRoot?.activeElement?.id, "by keyboard one goes on where one was").toBe("more-bob_1");
    expect(button(moderate, texts.moderate.lift).textContent, "what").toContain(
      texts.moderate.barred.out(texts.history.guest("Bob")),
    );
    button(moderate, texts.moderate.lift).click();
    await settle(panel);
    expect(asked.at(-1)).toEqual({ path: `POST ${MODERATION}`, body: { act: "lift", id: "b" } });
  });

  it("shows a moderator the people who only listen, and kicks one of them", async () => {
    const listeners = [
      { person: "eve_1", shown: "Eve", account: null },
      { person: "bob_1", shown: "Bob", account: "bob" },
    ];
    answers[`GET ${MODERATION}`] = { body: { ...OPEN, listening: listeners } };
    answers[`POST ${MODERATION}`] = { body: { ...OPEN, listening: [] } };
    const panel = await people(person("bob_1", "Bob"));
    const group = () => panel.shadowRoot?.querySelector("[aria-labelledby=listening]") ?? null;
    expect(group()?.querySelector("h3")?.textContent).toBe(holding(texts.people.listening(1), "1"));
    expect(group()?.textContent).toContain(`Eve (${texts.people.guest})`);
    expect(group()?.textContent, "joined meanwhile").not.toContain("Bob");
    button(group(), "…").click();
    await settle(panel);
    button(group(), texts.moderate.deeds.kick.name).click();
    await settle(panel);
    const moderate = find(panel.shadowRoot, "stoa-moderate", HTMLElement).shadowRoot;
    submit(find(moderate, "form", HTMLFormElement));
    await settle(panel);
    expect(asked.at(-1)).toEqual({
      path: `POST ${MODERATION}`,
      body: { act: "kick", person: "eve_1", shown: "Eve" },
    });
    expect(group(), "removed").toBeNull();
  });

  it("hides people who only listen from a user who doesn't moderate", async () => {
    const panel = await people(person("bob_1", "Bob"));
    expect(panel.shadowRoot?.querySelector("[aria-labelledby=listening]")).toBeNull();
  });

  it("marks a guest as a guest in the moderation question", async () => {
    answers[`GET ${MODERATION}`] = { body: OPEN };
    const panel = await people(person("anonymous-1_0000000001", "Bob"));
    button(panel.shadowRoot, "…").click();
    await settle(panel);
    button(panel.shadowRoot, texts.moderate.deeds.kick.name).click();
    await settle(panel);
    const moderate = find(panel.shadowRoot, "stoa-moderate", HTMLElement).shadowRoot;
    const question = texts.moderate.deeds.kick.question(texts.history.guest("Bob"));
    expect(find(moderate, "form", HTMLFormElement).textContent).toContain(question);
  });

  it("lists the ban on guests in a banned account's browser, and lifts it separately", async () => {
    const bar = { id: "b", kind: "out", shown: "Bob", account: "bob", by: "ada", ends_at: null };
    const guests = { ...bar, id: "b-guests", account: null, browser: true };
    answers[`GET ${MODERATION}`] = { body: { locked: false, bars: [bar, guests] } };
    const panel = await people();
    const moderate = find(panel.shadowRoot, "stoa-moderate", HTMLElement).shadowRoot;
    button(moderate, `${texts.moderate.lift}: ${texts.moderate.barred.out(texts.moderate.guestOf("Bob"))}`).click();
    await settle(panel);
    expect(asked.at(-1)).toEqual({ path: `POST ${MODERATION}`, body: { act: "lift", id: "b-guests" } });
  });

  it("locks and unlocks the scene", async () => {
    answers[`GET ${MODERATION}`] = { body: OPEN };
    answers[`POST ${MODERATION}`] = { body: { locked: true, bars: [] } };
    const panel = await people();
    const moderate = find(panel.shadowRoot, "stoa-moderate", HTMLElement).shadowRoot;
    button(moderate, texts.moderate.lock).click();
    await settle(panel);
    button(moderate, texts.moderate.unlock).click();
    expect(asked.map(({ body }) => body).filter(Boolean)).toEqual([{ act: "lock" }, { act: "unlock" }]);
  });
});

describe("the invitations panel", () => {
  it("creates a link with the secret in its fragment, and says that it is shown once", async () => {
    answers[`GET ${INVITATIONS}`] = { body: [] };
    answers[`POST ${INVITATIONS}`] = { body: { id: "i", role: "viewer", ends_at: 9, uses: 0, secret: "s3cret" } };
    const props = { api, scene: "public/lobby", base: "https://realm.test" };
    const element = await show(document.createElement("stoa-invitations"), props);
    await settle(element);
    submit(find(element.shadowRoot, "form", HTMLFormElement));
    await settle(element);
    const wish = { role: "viewer", lasts_s: 604_800, uses_max: null };
    expect(asked).toContainEqual({ path: `POST ${INVITATIONS}`, body: wish });
    const link = find(element.shadowRoot, "input[name=invitation]", HTMLInputElement).value;
    expect(link).toBe("https://realm.test/public/lobby#invite=s3cret");
    expect(element.shadowRoot?.textContent).toContain(texts.invitations.once);
    expect(element.shadowRoot?.activeElement?.textContent, "the next step, in sight").toBe(texts.share.copy);
  });

  it("selects the link's text if copying is denied, and says to press the copy keys", async () => {
    answers[`GET ${INVITATIONS}`] = { body: [] };
    const made = { made: "https://realm.test/public/lobby#invite=s3cret" };
    const element = await show(document.createElement("stoa-invitations"), { api, scene: "public/lobby", ...made });
    await settle(element);
    const field = find(element.shadowRoot, "input[name=invitation]", HTMLInputElement);
    const select = vi.spyOn(field, "select");
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("no", "NotAllowedError"));
    button(element.shadowRoot, texts.share.copy).click();
    await settle(element);
    vi.restoreAllMocks();
    expect(element.shadowRoot?.textContent).toContain(texts.share.pressToCopy);
    expect(select).toHaveBeenCalledOnce();
  });

  it("doesn't revoke an invitation on a double click, nor on a click after the focus left", async () => {
    answers[`GET ${INVITATIONS}`] = {
      body: [{ id: "i", role: "editor", ends_at: 9, uses: 2, uses_max: 3, by: "ada" }],
    };
    const element = await show(document.createElement("stoa-invitations"), { api, scene: "public/lobby" });
    await settle(element);
    const takeBack = button(element.shadowRoot, texts.invitations.takeBack);
    for (const detail of [1, 2]) takeBack.dispatchEvent(new MouseEvent("click", { detail, bubbles: true }));
    await settle(element);
    expect(takeBack.textContent, "asked").toContain(texts.invitations.reallyTakeBack);
    takeBack.dispatchEvent(new FocusEvent("blur"));
    await settle(element);
    expect(takeBack.textContent, "asked no more").toContain(texts.invitations.takeBack);
    takeBack.dispatchEvent(new MouseEvent("click", { detail: 1, bubbles: true }));
    await settle(element);
    expect(asked.some(({ path }) => path.startsWith("DELETE"))).toBe(false);
  });

  it("revokes an invitation on the second click", async () => {
    const invitation = { id: "i", role: "editor", ends_at: 9, uses: 2, uses_max: 3, by: "ada" };
    answers[`GET ${INVITATIONS}`] = { body: [invitation] };
    answers[`DELETE ${INVITATIONS}/i`] = { body: null };
    const element = await show(document.createElement("stoa-invitations"), { api, scene: "public/lobby" });
    await settle(element);
    expect(element.shadowRoot?.textContent).toContain(holding(texts.invitations.used(2, 3), "2", "3"));
    expect(button(element.shadowRoot, texts.invitations.takeBack).textContent, "of which").toContain(
      texts.invitations.used(2, 3),
    );
    button(element.shadowRoot, texts.invitations.takeBack).click();
    await settle(element);
    expect(asked.some(({ path }) => path.startsWith("DELETE"))).toBe(false);
    button(element.shadowRoot, texts.invitations.reallyTakeBack).click();
    await settle(element);
    expect(asked.some(({ path }) => path === `DELETE ${INVITATIONS}/i`)).toBe(true);
  });
});

describe("an account", () => {
  const ADA = { username: "ada", owner: false, owner_exists: true, accounts: "invited" };

  it("shows its scenes and files before it is deleted", async () => {
    answers["GET me"] = { body: ADA };
    answers["GET account"] = { body: { username: "ada", scenes: ["ada/den"], files: 2, is_last_owner: false } };
    const page = await show(document.createElement("stoa-account"), { api });
    await settle(page);
    const text = find(page.shadowRoot, "[aria-labelledby=delete-title]", HTMLElement).textContent ?? "";
    expect(text).toContain("ada/den");
    expect(text).toContain(holding(texts.account.filesStay(2), "2"));
    expect(text).toContain(texts.account.deleteText);
  });

  it("can't be deleted while its scenes can't be loaded, and shows the error", async () => {
    answers["GET me"] = { body: ADA };
    answers["GET account"] = { status: 503, body: { title: "the store is away" } };
    const page = await show(document.createElement("stoa-account"), { api });
    const card = () => find(page.shadowRoot, "[aria-labelledby=delete-title]", HTMLElement);
    await expect.poll(() => card().textContent).toContain("The store is away.");
    expect(card().querySelector("form")).toBeNull();
    expect(card().textContent).not.toContain(texts.account.noScenes);
  });

  it("shows that the current password is wrong when the password is changed", async () => {
    answers["GET me"] = { body: ADA };
    answers["GET account"] = { body: { username: "ada", scenes: [], files: 0, is_last_owner: false } };
    answers["POST account/password"] = { status: 401, body: { title: "Unauthorized", detail: "no" } };
    const page = await show(document.createElement("stoa-account"), { api });
    await settle(page);
    const form = find(page.shadowRoot, "[aria-labelledby=password-title] form", HTMLFormElement);
    for (const [name, value] of [
      ["old", "wrong horse"],
      ["password", "battery staple"],
      ["again", "battery staple"],
    ])
      type(find(form, `[name=${name}]`, HTMLInputElement), value ?? "");
    submit(form);
    await settle(page);
    expect(asked.at(-1)?.body).toEqual({ old: "wrong horse", new: "battery staple" });
    expect(find(form, "[role=alert]", HTMLElement).textContent).toContain(texts.account.wrongPassword);
  });

  it("shows the server's message when creating an account link gets 401", async () => {
    answers["GET me"] = { body: { ...ADA, owner: true } };
    answers["GET account"] = { body: { username: "ada", scenes: [], files: 0, is_last_owner: false } };
    answers["GET accounts"] = { body: [] };
    answers["POST account-links"] = { status: 401, body: { title: "Unauthorized", detail: "sign in first" } };
    const page = await show(document.createElement("stoa-account"), { api });
    await settle(page);
    const section = find(page.shadowRoot, "[aria-labelledby=links-title]", HTMLElement);
    submit(find(section, "form", HTMLFormElement));
    await settle(page);
    expect(asked.at(-1)?.path).toBe("POST account-links");
    expect(find(section, "[role=alert]", HTMLElement).textContent).toBe("Sign in first.");
  });

  it("sends the new password with the reset link's secret, and says when the link is void", async () => {
    answers["GET me"] = { body: { ...ADA, username: null } };
    answers["POST account/reset"] = { status: 410, body: { title: "Gone", reason: "link_void" } };
    const page = await show(document.createElement("stoa-account"), { api, link: { kind: "reset", secret: "s" } });
    await settle(page);
    const form = find(page.shadowRoot, "form", HTMLFormElement);
    for (const name of ["password", "again"]) type(find(form, `[name=${name}]`, HTMLInputElement), "battery staple");
    submit(form);
    await settle(page);
    expect(asked.at(-1)?.body).toEqual({ secret: "s", password: "battery staple" });
    expect(page.shadowRoot?.textContent).toContain(texts.account.voided);
  });

  it("is created with an invitation, and isn't offered without one", async () => {
    const account = { username: null, owner: false, ownerExists: true, accounts: "invited" as const, network: null };
    const without = await show(document.createElement("stoa-sign-in"), { api, account });
    expect(without.shadowRoot?.querySelector("stoa-sign-up")).toBeNull();
    const door = await show(document.createElement("stoa-sign-in"), { api, account, invite: "s3cret" });
    answers["POST accounts"] = { body: ADA };
    answers["GET me"] = { body: ADA };
    const form = find(find(door.shadowRoot, "stoa-sign-up", HTMLElement).shadowRoot, "form", HTMLFormElement);
    type(find(form, "[name=username]", HTMLInputElement), "ada");
    for (const name of ["password", "again"]) type(find(form, `[name=${name}]`, HTMLInputElement), "correct horse");
    submit(form);
    await settle(door);
    const body = { username: "ada", password: "correct horse", invitation: "s3cret" };
    expect(asked).toContainEqual({ path: "POST accounts", body });
  });

  it("gets an invalid username rejected next to its field, with a suggestion, before sending", async () => {
    const door = await show(document.createElement("stoa-sign-up"), { api, warrant: {} });
    const field = find(door.shadowRoot, "[name=username]", HTMLInputElement);
    const told = () => find(door.shadowRoot, "#name-wrong.wrong[role=alert]", HTMLElement).textContent ?? "";
    expect(door.shadowRoot?.querySelector("#name-rule")?.textContent).toContain(texts.join.nameRule);
    expect([told(), field.checkValidity()]).toEqual(["", false]);
    type(field, "Frau Müller");
    expect(field.checkValidity(), "the browser itself has nothing against it").toBe(true);
    for (const name of ["password", "again"])
      type(find(door.shadowRoot, `[name=${name}]`, HTMLInputElement), "battery staple");
    submit(find(door.shadowRoot, "form", HTMLFormElement));
    await settle(door);
    expect(told()).toContain(
      holding(texts.join.badName("Frau Müller", "frau.mueller"), "“Frau Müller”", "“frau.mueller”"),
    );
    expect([field.getAttribute("aria-invalid"), asked]).toEqual(["true", []]);
    answers["POST accounts"] = { body: ADA };
    answers["GET me"] = { body: ADA };
    type(field, "frau.mueller");
    submit(find(door.shadowRoot, "form", HTMLFormElement));
    await settle(door);
    expect([told(), asked[0]?.path]).toEqual(["", "POST accounts"]);
  });

  it.each([
    ["Zoë Łuk", "zoe.uk"],
    ["  ", ""],
    ["李", ""],
    ["..", ""],
    ["O'Neill-2", "oneill-2"],
  ])("named '%s' gets the suggested username '%s'", (typed, instead) => expect(suggestedName(typed)).toBe(instead));
});
