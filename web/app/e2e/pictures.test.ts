// Takes and checks a picture of every page and main state, on a desktop and a phone, light and dark. `make screenshots`
// keeps the pictures that README.md and docs/ show.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeModel, pngOf } from "../test/editor/model.ts";
import { browserFlags, ScreenshotChecker, views, type WindowSizeAndTheme, windowOf } from "./album.ts";
import { launch, openPage } from "./browser.ts";
import { Child } from "./children.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { like, linkInto, number, texts } from "./texts.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const PASSWORD = "correct horse battery staple";
const SCENE = "public/sandbox";
/** An address for other devices, which a realm on the loopback address lacks. */
const ELSEWHERE = ["--https", "0.0.0.0:443", "--public-host", "stoa.local"];
/** Time for a software renderer to draw the whole window with antialiasing. */
const SLOW_MS = 400_000;
/** Refusal codes; the stories in `coming-in.test.ts` cause them. */
const REFUSALS = [
  ...["not_allowed", "account_needed", "put_out", "locked", "full", "restarting", "away"],
  ...["link_expired", "link_revoked", "link_used_up", "link_unknown"],
] as const;
/** Stands for a number in a text. */
const MANY = 987_654;

let realm: TestRealm;
let browser: Browser;
let lobby: Child;
let album: ScreenshotChecker;
/** A second person in the scene. */
let bo: ScenePage;

beforeAll(async () => {
  [realm, browser, album] = await Promise.all([
    TestRealm.start(ELSEWHERE),
    launch(browserFlags()),
    ScreenshotChecker.open(),
  ]);
  execFileSync(String(process.env.STOA_BIN), ["user", "add", "ada", "--owner", "--data", realm.folder], {
    input: `${PASSWORD}\n`,
  });
  lobby = new Child(["python", join(ROOT, "examples/lobby.py"), realm.folder]);
  bo = await ScenePage.enter(browser, SCENE, "Bo", { viewport: { width: 240, height: 180 } });
  const { z } = await bo.ownHead();
  await bo.walkUntil("w", async () => (await bo.ownHead()).z < z - 2.5);
  const { x } = await bo.ownHead();
  await bo.walkUntil("a", async () => (await bo.ownHead()).x < x - 0.4);
  await bo.turnAround();
});

afterAll(async () => {
  await Promise.all([browser?.close(), lobby?.end("SIGKILL")]);
  await realm?.end();
  await album?.close();
});

describe.each(views())("$theme $size", { timeout: SLOW_MS }, (view) => {
  let guest: Page;
  /** The realm's owner. */
  let ada: ScenePage;

  beforeAll(async () => {
    guest = await pageFor(view);
    const page = await pageFor(view);
    await page.goto(`${HTTP}/trust`);
    await page.evaluate(
      (body) => fetch("/api/v1/login", { method: "POST", headers: { "content-type": "application/json" }, body }),
      JSON.stringify({ username: "ada", password: PASSWORD }),
    );
    ada = ScenePage.on({ page, errors: [] });
    page.on("pageerror", (error) => ada.errors.push(String(error)));
  });

  afterAll(() => Promise.all([guest, ada.page].map((page) => page?.context().close())));

  const take = (page: Page, name: string, title: string) => album.take(page, view, { name, title });

  test("the start, account, trust, entry and owner pages fit the window", async () => {
    await guest.goto(HTTP);
    await guest.getByRole("link", { name: linkInto("public/lobby") }).waitFor();
    await guest.waitForLoadState("networkidle");
    await take(guest, "home", "The list of scenes");
    for (const [path, heading, name, title] of [
      ["/account#join=secret", texts.join.title, "account-new", "Creating an account by a link"],
      ["/account#reset=secret", texts.account.setNewPassword, "account-password", "A forgotten password"],
      ["/trust", texts.trust.title, "trust", "Trusting the server's certificate"],
      ["/public/lobby", texts.enter.title("public/lobby"), "enter", "Entering a scene"],
      ["/public/lobby#invite=secret", texts.enter.title("public/lobby"), "enter-invited", "Entering by an invitation"],
    ] as const) {
      // A change of the fragment alone would not load the page.
      await guest.goto("about:blank");
      await guest.goto(`${HTTP}${path}`);
      await guest.getByRole("heading", { name: heading }).first().waitFor();
      await guest.waitForLoadState("networkidle");
      if (name === "trust") await guest.getByText("https://stoa.local").waitFor();
      await take(guest, name, title);
    }
    await beforeThereIsAnOwner(guest);
    await guest.goto(`${HTTP}/owner#secret`);
    await guest.getByRole("button", { name: texts.owner.become }).waitFor();
    await take(guest, "owner", "Becoming the server's owner");
    await guest.unrouteAll();
  });

  test("every refusal page fits the window", async () => {
    await guest.goto(`${HTTP}/nobody/nothing`);
    await guest.getByLabel(texts.shared.nameOthersSee).fill("Cy");
    await guest.getByRole("button", { name: texts.enter.asGuest }).click();
    await guest.getByRole("heading", { name: texts.refused.kinds.not_found.title }).waitFor();
    await take(guest, "refused-not_found", "A scene that doesn't exist");
    for (const code of REFUSALS) {
      const heading = texts.refused.kinds[code].title;
      await guest.evaluate((reason) => {
        const hindrance = { code: reason, retryAfterS: reason === "put_out" ? 42 : undefined };
        const account = { username: null, owner: false, ownerExists: true, accounts: "invited", network: null };
        const invite = reason === "account_needed" ? "secret" : "";
        const facts = { scene: "ada/room", hindrance, account, invite };
        const shown = Object.assign(document.createElement("stoa-refused"), facts);
        document.body.replaceChildren(shown);
      }, code);
      await guest.getByRole("heading", { name: heading }).waitFor();
      await take(guest, `refused-${code}`, heading);
    }
    await guest.goto(`${HTTP}/a/b/c`);
    await guest.getByRole("heading").first().waitFor();
    await take(guest, "missing", "Page not found");
  });

  test("the pages of a signed-in account fit the window", async () => {
    const { page } = ada;
    await page.goto(HTTP);
    await page.getByRole("button", { name: texts.home.create }).waitFor();
    await page.waitForLoadState("networkidle");
    await take(page, "home-owner", "The list of scenes, with an account");
    const whole = page.locator("details.whole").first();
    await whole.locator("summary").click();
    await whole.getByRole("button", { name: texts.scenes.carry.copy }).scrollIntoViewIfNeeded();
    await take(page, "home-carry", "Exporting and duplicating a scene");
    await whole.locator("summary").click();
    await page.getByRole("button", { name: texts.home.create }).scrollIntoViewIfNeeded();
    await take(page, "home-new", "A new scene");
    await page.goto(`${HTTP}/account`);
    await page.getByRole("heading", { name: texts.account.delete }).waitFor();
    await take(page, "account", "Your account");
  });

  test("the text view and the 3D view of the lobby fit the window", async () => {
    await guest.goto(`${HTTP}/public/lobby?view=text`);
    if (await guest.getByLabel(texts.shared.nameOthersSee).isVisible()) {
      await guest.getByLabel(texts.shared.nameOthersSee).fill("Cy");
      await guest.getByRole("button", { name: texts.enter.asGuest }).click();
    }
    await guest.getByRole("heading", { name: like(texts.textView.tries(MANY), { [number(MANY)]: /\d+/ }) }).waitFor();
    await take(guest, "text-view", "A scene as text");
    const there = await ScenePage.openOn({ page: guest, errors: [] }, "public/lobby");
    await there.has("sign-title");
    await guest.getByRole("button", { name: texts.hint.gotIt }).click();
    await there.settled();
    await take(guest, "lobby", "The lobby of a new server");
    await guest.goto("about:blank");
  });

  test("a scene and each of its panels fit the window", async () => {
    const { page } = ada;
    await ada.go(SCENE);
    await page.locator("[stoa-avatar]").first().waitFor({ state: "attached" });
    await ada.settled();
    await take(page, "scene", "A scene at the first visit");
    await page.getByRole("button", { name: texts.hint.gotIt }).click();
    await bo.say("Hello Ada, shall we build?");
    await ada.say("Yes, a tower!");
    await ada.hears("shall we build?");
    await bo.page.keyboard.press("Escape");
    await ada.openPanel("people");
    await page.getByRole("button", { name: texts.people.more("Bo") }).click();
    await page.getByRole("button", { name: texts.people.goTo("Bo"), exact: true }).click();
    await page.getByRole("button", { name: texts.people.more("Bo") }).click();
    await ada.close();
    await bo.page.keyboard.press("h");
    await page.locator("[stoa-avatar]").first().waitFor({ state: "attached" });
    await bo.page.keyboard.press("1");
    await bo.page.keyboard.press("l");
    await bo.page.mouse.move(90, 150);
    await page.locator("[stoa-laser]").first().waitFor({ state: "attached" });
    await ada.settled();
    await take(page, "together", "Two people: one raises a hand and points");
    await bo.page.keyboard.press("l");
    await bo.page.keyboard.press("h");
    for (const id of await ada.panels()) {
      await ada.openPanel(id);
      await page.waitForLoadState("networkidle");
      await page.getByText(texts.overlay.loading).waitFor({ state: "hidden" });
      if (id === "history") await page.locator("stoa-history li").first().waitFor();
      const title = (await page.locator("#panel h2").filter({ visible: true }).first().textContent()) ?? id;
      await take(page, `panel-${id}`, `Panel: ${title.replace(/:.*/, "")}`);
    }
    expect(ada.errors).toEqual([]);
  });

  test("the panels' questions and results fit the window", async () => {
    const { page } = ada;
    await ada.openPanel("people");
    await page.getByRole("button", { name: texts.people.more("Bo") }).click();
    await take(page, "people-one", "Options for a person");
    await page.getByRole("button", { name: texts.moderate.deeds.kick.name, exact: true }).click();
    await take(page, "people-put-out", "Confirming the removal of a person");
    await page.getByRole("button", { name: texts.shared.cancel }).click();
    await ada.openPanel("share");
    await page.getByRole("button", { name: texts.invitations.make }).click();
    await page.getByLabel(texts.invitations.fresh).scrollIntoViewIfNeeded();
    await take(page, "share-invitation", "A new invitation");
    await ada.openPanel("settings");
    await page.getByRole("button", { name: texts.settings.reset }).scrollIntoViewIfNeeded();
    await take(page, "settings-scene", "Settings of a scene, for its owner");
    expect(ada.errors).toEqual([]);
  });

  test("the tabs of the editor and a restore question fit the window", async () => {
    const { page } = ada;
    const edit = page.locator("stoa-edit");
    const tab = (id: keyof typeof texts.edit.tabs) => edit.getByRole("tab", { name: texts.edit.tabs[id] });
    await ada.openPanel("edit");
    await tab("add").click();
    await edit.getByRole("button", { name: texts.edit.pieces.box, exact: true }).click();
    await page.locator("stoa-inspector .id").waitFor();
    await ada.settled();
    await take(page, "edit-details", "Editing: the selected object");
    await tab("things").click();
    await take(page, "edit-things", "Editing: all objects");
    await page.keyboard.press("Delete");
    await tab("scene").click();
    await take(page, "edit-scene", "Editing: sky, ground and light");
    await tab("add").click();
    const buffer = Buffer.from(await makeModel({ side: 96, twice: true, texture: pngOf(600) }));
    await page
      .locator("stoa-add input[type=file]")
      .setInputFiles({ name: "Roof.glb", mimeType: "model/gltf-binary", buffer });
    const upload = page.locator("stoa-uploads li");
    await upload.and(page.locator('[data-state="done"]')).waitFor();
    await upload.scrollIntoViewIfNeeded();
    await take(page, "edit-upload", "Editing: uploading a model");
    const files = page.locator("stoa-your-files");
    await files.locator("summary").click();
    await files.getByRole("link").scrollIntoViewIfNeeded();
    await page.waitForLoadState("networkidle");
    await take(page, "edit-files", "Editing: your files");
    await ada.openPanel("history");
    await page
      .locator("stoa-history li li", { hasText: like(texts.history.deleted("A1", 0), { A1: /\S+/ }) })
      .first()
      .getByRole("button")
      .click();
    await page.locator("stoa-history .wish").getByRole("button", { name: texts.history.doIt }).waitFor();
    await take(page, "history-question", "Confirming a restore");
    expect(ada.errors).toEqual([]);
  });

  test("the reconnecting notice fits the window", async () => {
    const { page } = ada;
    await ada.close();
    await realm.stop();
    await page.locator("stoa-status .bar").waitFor();
    await take(page, "reconnecting", "Reconnecting to the server");
    await realm.resume();
    await Promise.all([ada.live(), bo.live()]);
    await ada.openPanel("settings");
    await page.getByRole("button", { name: texts.settings.reset }).click();
    await page.getByRole("button", { name: texts.settings.reallyReset }).click();
    await page.getByText(texts.settings.wasReset).waitFor();
  });

  test("the loading notice and a broken object's reason fit the window", async () => {
    const { page } = ada;
    await ada.go("public/lobby");
    await ada.openPanel("edit");
    const edit = page.locator("stoa-edit");
    await edit.getByRole("tab", { name: texts.edit.tabs.add }).click();
    let arrive = (): void => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route("**/gone.glb", async (route) => {
      await arrival;
      await route.continue();
    });
    await edit.getByLabel(texts.edit.add.addressLabel).fill("/store/users/ada/gone.glb");
    await edit.getByRole("button", { name: texts.edit.add.addAddress, exact: true }).click();
    await page.getByText(like(texts.loading.progress(MANY, MANY), { [number(MANY)]: /\d+/ })).waitFor();
    await ada.close();
    await take(page, "loading", "Loading");
    arrive();
    await page.getByText(texts.loading.broken(1)).click();
    await page.getByText(texts.loading.why("gone.glb", texts.loading.reasons.missing)).waitFor();
    await take(page, "broken", "An object that can't be shown");
    await ada.openPanel("edit");
    await edit.getByRole("button", { name: texts.undo.undo }).click();
    await page.getByText(texts.loading.broken(1)).waitFor({ state: "detached" });
  });
});

/** In a headset, neither window size nor theme of the page applies. */
describe("in a headset", { timeout: SLOW_MS }, () => {
  const view = { size: "desktop", theme: "light" } as const;

  test.each([
    ["VR", "headset-vr", "VR headset: the menu at your hand"],
    ["AR", "headset-ar", "AR headset: the scene in your room"],
  ] as const)("the menu in %s is drawn", async (mode, name, title) => {
    const { page, errors } = await openPage(browser, windowOf(view));
    await page.addInitScript({ path: createRequire(import.meta.url).resolve("iwer/build/iwer.min.js") });
    await page.addInitScript(wear);
    const vera = await ScenePage.enterOn({ page, errors }, "public/lobby", "Vera");
    await vera.has("sign-title");
    await vera.settled();
    await page.locator(`.a-enter-${mode.toLowerCase()}-button`).click();
    await page.waitForFunction((state) => AFRAME.scenes[0].is(state), `${mode.toLowerCase()}-mode`);
    await page.evaluate(holdBefore);
    await vera.settled();
    await album.take(page, view, { name, title });
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

interface CameraObject {
  readonly position: { set(x: number, y: number, z: number): void };
  readonly quaternion: { set(x: number, y: number, z: number, w: number): void };
}

declare const AFRAME: { scenes: [{ is(state: string): boolean }] };
declare const IWER: { XRDevice: new (kind: unknown) => Worn; metaQuest3: unknown };
declare global {
  var worn: Worn;
}

/** The emulated headset. */
interface Worn {
  readonly position: CameraObject["position"];
  readonly controllers: { readonly left: CameraObject; readonly right: CameraObject };
  installRuntime(options: { readonly forceInstall: boolean }): void;
}

/** Runs in the page before its scripts. */
function wear(): void {
  globalThis.worn = new IWER.XRDevice(IWER.metaQuest3);
  worn.installRuntime({ forceInstall: true });
}

/** Holds both hands in view, pointing ahead. */
function holdBefore(): void {
  worn.position.set(0, 1.6, 0);
  for (const [hand, x] of [
    [worn.controllers.left, -0.25],
    [worn.controllers.right, 0.25],
  ] as const) {
    hand.position.set(x, 1.35, -0.5);
    hand.quaternion.set(0, 0, 0, 1);
  }
}

/** Makes the realm report that it has no owner yet. */
async function beforeThereIsAnOwner(page: Page): Promise<void> {
  await page.route("**/api/v1/me", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), owner_exists: false } });
  });
}

/** A page of that size and theme with antialiasing, which a software renderer otherwise skips. */
async function pageFor(view: WindowSizeAndTheme): Promise<Page> {
  const { page } = await openPage(browser, windowOf(view));
  await page.addInitScript(() => localStorage.setItem("stoa-picture", "fine"));
  return page;
}
