// Design 3, "second door": a whole visit in the text view by keyboard alone, observed by a person in the 3D view.
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, openPage } from "./browser.ts";
import { Child } from "./children.ts";
import { eventually } from "./eventually.ts";
import { MqttPerson } from "./mqtt-person.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { anyOf, guest, linkInto, texts } from "./texts.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const TABS_MAX = 200;
const words = texts.textView;
const { kick } = texts.moderate.deeds;
/** The lobby may have any of these numbers of people. */
const SOME = [0, 1, 2, 3, 4];

let realm: TestRealm;
let browser: Browser;
let lobby: Child;
let wanda: ScenePage;
/** Adds objects to the scene. */
let script: MqttPerson;
let tom: Page;
let errors: string[];
const asked: string[] = [];

beforeAll(async () => {
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
  lobby = new Child(["python", join(ROOT, "examples/lobby.py"), realm.folder]);
  script = await MqttPerson.enterAs(await realm.token("olga", "public/lobby"), "olga", "public/lobby");
  wanda = await ScenePage.enter(browser, "public/lobby", "Wanda");
  const opened = await openPage(browser, { viewport: { width: 1280, height: 800 } });
  ({ page: tom, errors } = opened);
  tom.on("request", (request) => void asked.push(request.url()));
});

afterAll(async () => {
  await Promise.all([script?.leave(), browser?.close(), lobby?.end("SIGKILL")]);
  await realm?.end();
});

/** The distance between two positions on the floor. */
function apart(a: { x: number; z: number }, b: { x: number; z: number }): number {
  return Math.hypot(a.x - b.x, a.z - b.z);
}

/** The accessible name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return (at?.getAttribute("aria-label") ?? at?.textContent ?? "").trim().replaceAll(/\s+/g, " ");
  });
}

/** Presses Tab until an element of that name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  for (let tab = 0; tab < TABS_MAX; tab += 1) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (now === name) return;
    seen.push(now);
  }
  throw new Error(`${TABS_MAX} Tab presses did not reach "${name}", but ${JSON.stringify([...new Set(seen)])}`);
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
}

describe("a visitor in the text view", () => {
  test("enters by typing a name, without loading A-Frame", async () => {
    await tom.goto(`${HTTP}/public/lobby?view=text`);
    await tom.getByLabel(texts.shared.nameOthersSee).waitFor();
    await tom.keyboard.type("Tom");
    await tom.keyboard.press("Enter");
    await tom.getByRole("heading", { name: words.people(1) }).waitFor();
    await wanda.sees("Tom");
    await wanda.page.locator("[stoa-avatar]").waitFor({ state: "attached" });
    expect(await tom.evaluate(() => "AFRAME" in window || document.querySelector("canvas") !== null)).toBe(false);
    expect(asked.filter((url) => url.includes("aframe"))).toEqual([]);
    expect(await wanda.page.evaluate(() => "AFRAME" in window), "the probe sees A-Frame where it is").toBe(true);
  });

  test("walks to another person, who sees the visitor move", async () => {
    const before = await wanda.otherHead();
    await tabTo(tom, words.stepBack);
    for (let step = 0; step < 6; step += 1) await tom.keyboard.press("Enter");
    await eventually("Tom is 6 m away from where he was on Wanda's page", async () => {
      return apart(await wanda.otherHead(), before) > 5.5;
    });
    const back = await wanda.otherHead();
    await press(tom, `${words.goTo} Wanda`);
    await tom.getByRole("status").getByText(words.arrived("Wanda")).waitFor();
    await eventually("Tom has come nearer", async () => apart(await wanda.otherHead(), back) > 2);
  });

  test("follows a walking person until stopped", async () => {
    await press(tom, `${words.follow} Wanda`);
    const before = await wanda.otherHead();
    await wanda.close();
    await wanda.walkUntil("s", async () => apart(await wanda.otherHead(), before) > 1);
    await press(tom, words.stop);
    await tom.getByRole("status").getByText(words.stopped).waitFor();
  });

  test("raises a hand that the other person sees, and is notified of the other person's", async () => {
    await press(tom, texts.react.raise);
    await tom.getByRole("status").getByText(words.handUp).waitFor();
    await wanda.open("people");
    const hand = wanda.page
      .locator("stoa-people li", { hasText: "Tom" })
      .getByRole("img", { name: texts.people.handRaised });
    await hand.waitFor();
    await press(tom, texts.react.lower);
    await hand.waitFor({ state: "detached" });
    await wanda.close();
    await wanda.page.keyboard.press("h");
    await tom
      .getByRole("log", { name: words.happens })
      .getByText(words.news.raised(guest("Wanda"), 0))
      .waitFor();
    await tom.locator("li", { hasText: "Wanda" }).getByRole("img", { name: texts.people.handRaised }).waitFor();
    await wanda.page.keyboard.press("h");
  });

  test("sits down on a seat, and gets up again", async () => {
    await script.create("bench", { object_type: "box", position: { x: 3, y: 0, z: 1 }, seat: true });
    await press(tom, `${words.sit} bench`);
    await tom.getByRole("status").getByText(words.seated("bench")).waitFor();
    await eventually("Wanda sees Tom on the bench", async () => {
      const { x, y, z } = await wanda.otherHead();
      return Math.hypot(x - 3, z - 1) < 0.1 && Math.abs(y - 1.2) < 0.1;
    });
    await press(tom, words.getUp);
    await eventually("and up again", async () => (await wanda.otherHead()).y > 1.5);
  });

  test("presses an object, and the other person sees its colour change", async () => {
    await wanda.has("lamp");
    const color = await wanda.colorOf("lamp");
    await press(tom, `${words.press} lamp`);
    await eventually("the lamp has another colour", async () => (await wanda.colorOf("lamp")) !== color);
  });

  test("sends and receives chat messages", async () => {
    await tabTo(tom, texts.chat.say);
    await tom.keyboard.type("Hello from the text view");
    await tom.keyboard.press("Enter");
    await wanda.hears("Hello from the text view");
    await wanda.say("Welcome Tom");
    await tom.getByRole("log").getByText("Welcome Tom").waitFor();
  });

  test("is notified when a person enters or leaves", async () => {
    const bo = await ScenePage.enter(browser, "public/lobby", "Bo");
    const happened = tom.getByRole("log", { name: words.happens });
    await happened.getByText(words.news.came(guest("Bo"), 0)).waitFor();
    await bo.page.context().close();
    await happened.getByText(words.news.left(guest("Bo"), 0)).waitFor();
  });

  test("hides a person, whose chat messages appear once the person is shown again", async () => {
    await press(tom, `${texts.people.hide} Wanda`);
    await wanda.say("Nobody reads this yet");
    await script.create("bell", { object_type: "sphere" });
    await tom.getByRole("log", { name: words.happens }).getByText(words.news.added("bell", 0)).waitFor();
    expect(await tom.getByText("Nobody reads this yet").count()).toBe(0);
    await press(tom, `${texts.people.showAgain} Wanda`);
    await tom.getByRole("log", { name: texts.chat.log }).getByText("Nobody reads this yet").waitFor();
  });

  test("enters another scene through a portal, and returns by the browser's back button", async () => {
    const through = `${words.through("public/sandbox")} gate`;
    await script.create("gate", { object_type: "torus", portal: { scene: "public/sandbox" } });
    await tom.getByRole("button", { name: through }).waitFor();
    await press(tom, through);
    await tom.getByRole("heading", { level: 1, name: "public/sandbox" }).waitFor();
    await tom.getByRole("status").getByText(words.entered("public/sandbox")).waitFor();
    expect(tom.url()).toBe(`${HTTP}/public/sandbox?view=text`);
    expect(await focused(tom), "whoever reads begins where they are").toBe(words.you);
    await wanda.seesNobodyElse();
    await tom.goBack();
    await tom.getByRole("heading", { name: words.people(1) }).waitFor();
    await wanda.sees("Tom");
  });

  test("kicks a guest by keyboard, as a moderator", async () => {
    const { page: olga } = await openPage(browser);
    await olga.goto(await realm.ownerLink());
    await olga.getByLabel(texts.shared.accountName).fill("olga");
    await olga.getByLabel(texts.owner.passwordRule).fill("correct horse");
    await olga.getByLabel(texts.owner.again).fill("correct horse");
    await olga.getByRole("button", { name: texts.owner.become }).click();
    await olga.getByRole("heading", { name: texts.owner.welcome }).waitFor();
    await olga.goto(`${HTTP}/public/lobby?view=text`);
    const eve = await ScenePage.enter(browser, "public/lobby", "Eve");
    await olga.getByRole("heading", { name: "Eve" }).waitFor();
    await press(olga, texts.people.more("Eve"));
    await press(olga, kick.name);
    await eventually("the question has the focus", async () => (await focused(olga)) === kick.yes(guest("Eve")));
    await olga.keyboard.press("Enter");
    await olga
      .getByText(texts.moderate.barred.out(guest("Eve")))
      .first()
      .waitFor();
    await eve.page.getByRole("heading", { level: 1, name: texts.refused.kinds.put_out.title }).waitFor();
    await Promise.all([olga.context().close(), eve.page.context().close()]);
  });

  test("changes to the 3D view and back by links", async () => {
    await press(tom, words.to3D);
    await tom.getByRole("toolbar", { name: texts.overlay.toolbar }).waitFor();
    await press(tom, words.link);
    await tom.getByRole("heading", { name: words.you }).waitFor();
  });

  test("leaves by the link to all scenes, and disappears from the other page", async () => {
    await wanda.sees("Tom");
    await press(tom, texts.shared.allScenes);
    await tom.getByRole("link", { name: linkInto("public/lobby") }).waitFor();
    await wanda.seesNobodyElse();
    expect([...errors, ...wanda.errors]).toEqual([]);
  });
});

test("a browser without WebGL gets the text view", async () => {
  const { page } = await openPage(browser);
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await page.goto(`${HTTP}/public/lobby`);
  await page.getByLabel(texts.shared.nameOthersSee).fill("Uma");
  await page.getByRole("button", { name: texts.enter.asGuest }).click();
  await page.getByText(words.noWebGL).waitFor();
  await page.getByRole("heading", { name: anyOf(SOME.map(words.people)) }).waitFor();
  await page.context().close();
});
