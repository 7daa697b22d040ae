// Stories of entering and of being removed: by a link in two clicks, with an invitation to edit, too late, not allowed,
// removed, at a locked scene; and an account that is created, changes its password and is deleted.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, openPage } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { anyOf, guest, linkInto, refusal, texts } from "./texts.ts";

const PASSWORD = "correct horse";
/** Lifetime of an invitation that must expire while a person is in the scene by it. */
const LASTS_S = 30;
/** Wide enough for the buttons of the people panel. */
const DESK = { viewport: { width: 900, height: 700 } };
const refused = texts.refused.kinds;
/** The button to re-enter, at each second of its minute. */
const COME_BACK = anyOf(Array.from({ length: 61 }, (_, seconds) => texts.refused.backIn(seconds)));

let realm: TestRealm;
let browser: Browser;
/** The realm's owner, in the scene of these stories. */
let olga: ScenePage;

beforeAll(async () => {
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await realm?.end();
});

/** Waits for the heading of a page. */
async function reads(page: Page, heading: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: heading }).waitFor({ timeout: 60_000 });
}

/** A person's position on their own page. */
async function whereabouts(page: Page): Promise<{ readonly x: number; readonly z: number }> {
  return await page.evaluate(() => {
    const rig: unknown = document.querySelector("[stoa-locomotion]");
    const { x, z } = (rig as { object3D: { position: { x: number; z: number } } }).object3D.position;
    return { x, z };
  });
}

/** Creates an invitation in the panel and returns its link. */
async function invitation(role: "viewer" | "editor"): Promise<string> {
  await olga.open("share");
  await olga.page.getByLabel(texts.invitations.role).selectOption({ label: texts.invitations.choices[role] });
  const before = await olga.page.locator("stoa-invitations li").count();
  await olga.page.getByRole("button", { name: texts.invitations.make }).click();
  await olga.page.locator("stoa-invitations li").nth(before).waitFor();
  return await olga.page.getByLabel(texts.invitations.fresh).inputValue();
}

/** Applies a moderation action to a person in the scene. */
async function moderate(name: string, deed: keyof typeof texts.moderate.deeds): Promise<void> {
  await olga.open("people");
  await olga.page.getByRole("button", { name: texts.people.more(name) }).click();
  await olga.page.getByRole("button", { name: texts.moderate.deeds[deed].name, exact: true }).click();
  await olga.page.getByRole("button", { name: texts.moderate.deeds[deed].yes(name) }).click();
}

describe("entering a scene", () => {
  test("the owner creates a private scene on the list of scenes and enters it", async () => {
    const { page, errors } = await openPage(browser, DESK);
    await page.goto(await realm.ownerLink());
    await page.getByLabel(texts.shared.accountName).fill("olga");
    await page.getByLabel(texts.owner.passwordRule).fill(PASSWORD);
    await page.getByLabel(texts.owner.again).fill(PASSWORD);
    await page.getByRole("button", { name: texts.owner.become }).click();
    await page.getByRole("link", { name: texts.owner.seeScenes }).click();
    await page.getByLabel(texts.home.newName).fill("olga/attic");
    await page.getByLabel(texts.home.private).check();
    await page.getByRole("button", { name: texts.home.create }).click();
    await page.getByRole("link", { name: linkInto("olga/attic", false) }).click();
    olga = await ScenePage.resume({ page, errors });
  });

  test("a guest without an invitation gets the not-found page", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${HTTP}/olga/attic`);
    await page.getByLabel(texts.shared.nameOthersSee).fill("Eve");
    await page.getByRole("button", { name: texts.enter.asGuest }).click();
    await reads(page, refused.not_found.title);
    await page.context().close();
  });

  test("a guest enters by an invitation link in two clicks, and its secret leaves the address bar", async () => {
    const link = await invitation("viewer");
    const { page, errors } = await openPage(browser, DESK);
    await page.goto(link.replace(/^https?:\/\/[^/]+/, HTTP));
    await page.getByLabel(texts.shared.nameOthersSee).fill("Gus");
    await page.getByRole("button", { name: texts.enter.asGuest }).click();
    const gus = await ScenePage.resume({ page, errors });
    expect(page.url()).toBe(`${HTTP}/olga/attic`);
    await gus.sees("olga");
    expect(
      await gus.page
        .getByRole("toolbar", { name: texts.overlay.toolbar })
        .getByRole("button", { name: texts.overlay.panels.edit })
        .count(),
    ).toBe(0);
    await olga.sees("Gus");
    const [her, his] = await Promise.all([whereabouts(olga.page), whereabouts(page)]);
    expect(Math.hypot(her.x - his.x, her.z - his.z), "nobody comes in inside of somebody").toBeGreaterThan(0.7);
    await page.context().close();
  });

  test("an invited editor can edit until the invitation is revoked", async () => {
    const link = await invitation("editor");
    const { page, errors } = await openPage(browser, DESK);
    await page.goto(link.replace(/^https?:\/\/[^/]+/, HTTP));
    await page.getByLabel(texts.shared.nameOthersSee).fill("Ed");
    await page.getByRole("button", { name: texts.enter.asGuest }).click();
    const ed = await ScenePage.resume({ page, errors });
    await ed.open("edit");
    await olga.open("share");
    const made = olga.page.locator("stoa-invitations li", { hasText: texts.invitations.choices.editor });
    await made.getByRole("button", { name: texts.invitations.takeBack }).click();
    await made.getByRole("button", { name: texts.invitations.reallyTakeBack }).click();
    await reads(page, refused.link_revoked.title);
    await page.goto(`${HTTP}/olga/attic`);
    await reads(page, refused.link_revoked.title);
    await page.goto(link.replace(/^https?:\/\/[^/]+/, HTTP));
    await reads(page, refused.link_revoked.title);
    await page.context().close();
  });

  test("an incomplete invitation link gets the unknown-link page", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${HTTP}/olga/attic#invite=half`);
    await page.getByLabel(texts.shared.nameOthersSee).fill("Late");
    await page.getByRole("button", { name: texts.enter.asGuest }).click();
    await reads(page, refused.link_unknown.title);
    await page.context().close();
  });
});

describe("an invitation that expires", () => {
  test("removes its guest from the scene and refuses a later guest, both with the reason", async () => {
    const made = await olga.page.request.post(`${HTTP}/api/v1/scenes/olga/attic/invitations`, {
      headers: { origin: HTTP },
      data: { role: "viewer", lasts_s: LASTS_S },
    });
    const { secret, ends_at: endsAt } = await made.json();
    const { page, errors } = await openPage(browser, DESK);
    await page.goto(`${HTTP}/olga/attic?view=text#invite=${secret}`);
    await page.getByLabel(texts.shared.nameOthersSee).fill("Tess");
    await page.getByRole("button", { name: texts.enter.asGuest }).click();
    await page.getByRole("heading", { name: texts.textView.people(1) }).waitFor();
    expect(Date.now() / 1_000, "she was in before its end").toBeLessThan(endsAt);
    await reads(page, refused.link_expired.title);
    expect(errors).toEqual([]);
    const late = await openPage(browser);
    await late.page.goto(`${HTTP}/olga/attic#invite=${secret}`);
    await late.page.getByLabel(texts.shared.nameOthersSee).fill("Late");
    await late.page.getByRole("button", { name: texts.enter.asGuest }).click();
    await reads(late.page, refused.link_expired.title);
    await Promise.all([page.context().close(), late.page.context().close()]);
  });
});

describe("a full scene", () => {
  test("refuses a guest with the reason until another person leaves", async () => {
    await olga.page.goto(`${HTTP}/public/lobby`);
    await olga.live();
    await olga.open("settings");
    const most = olga.page.getByLabel(texts.settings.peopleMax);
    await most.fill("2");
    await most.blur();
    await olga.readsInSight(texts.settings.saved);
    const first = await ScenePage.enter(browser, "public/lobby", "First", DESK);
    const { page, errors } = await openPage(browser, DESK);
    await page.goto(`${HTTP}/public/lobby`);
    await page.getByLabel(texts.shared.nameOthersSee).fill("Second");
    await page.getByRole("button", { name: texts.enter.asGuest }).click();
    await reads(page, refused.full.title);
    await page.getByRole("button", { name: texts.status.tryAgain }).click();
    await reads(page, refused.full.title);
    await first.page.context().close();
    await olga.seesNobodyElse();
    // A page that closes without a disconnect keeps its place until the motion plane times out, seconds later.
    const again = page.getByRole("button", { name: texts.status.tryAgain });
    const isIn = () => page.getByRole("toolbar", { name: texts.overlay.toolbar }).isVisible();
    await eventually("a place is free", async () => {
      if (await again.isVisible()) await again.click({ timeout: 5_000 });
      return await isIn();
    });
    await ScenePage.resume({ page, errors });
    await olga.sees("Second");
    await page.context().close();
    await olga.open("settings");
    await most.fill("");
    await most.blur();
    await olga.readsInSight(texts.settings.saved);
  });
});

describe("moderation in a scene", () => {
  let bo: ScenePage;

  test("a muted guest's chat messages are refused until the mute is lifted", async () => {
    await olga.page.goto(`${HTTP}/public/lobby`);
    await olga.live();
    bo = await ScenePage.enter(browser, "public/lobby", "Bo", DESK);
    await bo.say("can you hear me");
    await olga.hears("can you hear me");
    await moderate("Bo", "silence");
    await olga.page.locator("stoa-moderate", { hasText: texts.moderate.barred.silence(guest("Bo")) }).waitFor();
    await bo.say("and now");
    await bo.page.locator(".toast", { hasText: refusal("silenced") }).waitFor();
    await olga.open("people");
    await olga.page.getByRole("button", { name: texts.moderate.lift }).click();
    await olga.page
      .locator("stoa-moderate", { hasText: texts.moderate.barred.silence(guest("Bo")) })
      .waitFor({ state: "detached" });
    await bo.say("thank you");
    await olga.hears("thank you");
    expect(await olga.page.getByRole("log").textContent()).not.toContain("and now");
  });

  test("a kicked guest leaves both planes, sees the reason and can't re-enter by a reload", async () => {
    await moderate("Bo", "kick");
    await reads(bo.page, refused.put_out.title);
    await olga.seesNobodyElse();
    await olga.page.waitForFunction(() => document.querySelector("[stoa-avatar]") === null);
    expect(await bo.page.getByRole("button", { name: COME_BACK }).isDisabled()).toBe(true);
    await bo.page.reload();
    await reads(bo.page, refused.put_out.title);
    await bo.page.getByRole("button", { name: COME_BACK }).waitFor();
  });

  test("a guest re-enters after the removal is lifted", async () => {
    await olga.open("people");
    await olga.page.getByRole("button", { name: texts.moderate.lift }).click();
    await olga.page
      .locator("stoa-moderate", { hasText: texts.moderate.barred.out(guest("Bo")) })
      .waitFor({ state: "detached" });
    await bo.page.reload();
    await bo.live();
    await olga.sees("Bo");
  });

  test("a locked scene refuses new guests and readmits a guest who was inside", async () => {
    await olga.open("people");
    await olga.page.getByRole("button", { name: texts.moderate.lock, exact: true }).click();
    await olga.page.getByRole("button", { name: texts.moderate.unlock }).waitFor();
    const { page } = await openPage(browser);
    await page.goto(`${HTTP}/public/lobby`);
    await page.getByLabel(texts.shared.nameOthersSee).fill("Late");
    await page.getByRole("button", { name: texts.enter.asGuest }).click();
    await reads(page, refused.locked.title);
    await bo.page.reload();
    await bo.live();
    await olga.open("people");
    await olga.page.getByRole("button", { name: texts.moderate.unlock }).click();
    await olga.page.getByRole("button", { name: texts.moderate.lock, exact: true }).waitFor();
    await page.getByRole("button", { name: texts.status.tryAgain }).click();
    await ScenePage.resume({ page, errors: [] });
    await page.context().close();
    await bo.page.context().close();
  });
});

describe("an account", () => {
  let page: Page;
  let link: string;

  test("is created with an invitation", async () => {
    await olga.page.goto(`${HTTP}/olga/attic`);
    await olga.live();
    link = await invitation("editor");
    ({ page } = await openPage(browser, DESK));
    await page.goto(link.replace(/^https?:\/\/[^/]+/, HTTP));
    await page.getByText(texts.enter.haveAccount).click();
    await page.getByText(texts.join.title, { exact: true }).click();
    const form = page.locator("stoa-sign-up");
    await form.getByLabel(texts.shared.accountName).fill("Fräulein Alice");
    await form.getByLabel(texts.owner.passwordRule).fill(PASSWORD);
    await form.getByLabel(texts.owner.again).fill(PASSWORD);
    await form.getByRole("button", { name: texts.join.make }).click();
    await form
      .getByRole("alert")
      .filter({ hasText: texts.join.badName("Fräulein Alice", "fraeulein.alice") })
      .waitFor();
    await form.getByLabel(texts.shared.accountName).fill("alice");
    await form.getByRole("button", { name: texts.join.make }).click();
    await ScenePage.resume({ page, errors: [] });
    await olga.sees("alice");
  });

  test("creates a scene, and changes its password so that the old one is refused", async () => {
    await page.goto(HTTP);
    await page.getByLabel(texts.home.newName).fill("den");
    await page.getByRole("button", { name: texts.home.create }).click();
    await page.getByRole("link", { name: linkInto("alice/den", false) }).waitFor();
    await page.getByRole("link", { name: "alice", exact: true }).click();
    await page.getByLabel(texts.account.oldPassword).fill(PASSWORD);
    await page.getByLabel(texts.owner.passwordRule).fill("battery staple");
    await page.getByLabel(texts.owner.again).fill("battery staple");
    await page.getByRole("button", { name: texts.account.changePassword }).click();
    await page.getByText(texts.account.changed).waitFor();
    const refused = await page.request.post(`${HTTP}/api/v1/login`, {
      headers: { origin: HTTP },
      data: { username: "alice", password: PASSWORD },
    });
    expect(refused.status()).toBe(401);
  });

  test("gets a new password by the owner's reset link", async () => {
    const { page: forgetful } = await openPage(browser, DESK);
    await olga.page.goto(`${HTTP}/account`);
    await olga.page.getByLabel(texts.account.linkFor).selectOption({ label: texts.account.passwordOf("alice") });
    await olga.page.getByRole("button", { name: texts.account.makeLink }).click();
    const reset = await olga.page.getByLabel(texts.account.freshLink).inputValue();
    await forgetful.goto(reset);
    await forgetful.getByLabel(texts.owner.passwordRule).fill("third horse");
    await forgetful.getByLabel(texts.owner.again).fill("third horse");
    await forgetful.getByRole("button", { name: texts.account.setPassword }).click();
    await forgetful.getByText(texts.signIn.signedInAs).waitFor();
    await forgetful.context().close();
  });

  test("is deleted with its scenes, which are listed before", async () => {
    await page.goto(HTTP);
    await page.getByText(texts.shared.signIn, { exact: true }).first().click();
    await page.getByLabel(texts.shared.accountName).fill("alice");
    await page.getByLabel(texts.shared.password).fill("third horse");
    await page.getByRole("button", { name: texts.shared.signIn }).click();
    await page.getByRole("link", { name: "alice", exact: true }).click();
    const deletion = page.locator("section", { has: page.getByRole("heading", { name: texts.account.delete }) });
    await deletion.getByText("alice/den").waitFor();
    await deletion.getByLabel(texts.shared.password).fill("third horse");
    await deletion.getByLabel(texts.account.understood).check();
    await deletion.getByRole("button", { name: texts.account.delete }).click();
    await page.getByText(texts.account.deleted).waitFor();
    await page.goto(HTTP);
    await page.getByRole("link", { name: linkInto("public/lobby", false) }).waitFor();
    expect(await page.getByText("alice/den").count()).toBe(0);
  });
});
