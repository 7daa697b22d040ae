// Stories of who comes in, and who is put out: by a link in two clicks, invited to build, too late, not allowed, put out, before a locked door; and an
// account that somebody makes, whose password they change, and which they delete.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, openPage } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";

const PASSWORD = "correct horse";
/** For so long an invitation is good that is to end while somebody is in by it. */
const LASTS_S = 30;
/** The panel of the people needs room for its buttons. */
const DESK = { viewport: { width: 900, height: 700 } };

let realm: TestRealm;
let browser: Browser;
/** Owns the realm, and is in the scene where all this happens. */
let olga: ScenePage;

beforeAll(async () => {
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await realm?.end();
});

/** The heading of whatever a page shows. */
async function reads(page: Page, heading: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: heading }).waitFor({ timeout: 60_000 });
}

/** Where somebody stands, as their own page has it. */
async function whereabouts(page: Page): Promise<{ readonly x: number; readonly z: number }> {
  return await page.evaluate(() => {
    const rig: unknown = document.querySelector("[stoa-locomotion]");
    const { x, z } = (rig as { object3D: { position: { x: number; z: number } } }).object3D.position;
    return { x, z };
  });
}

/** A link that is made in the panel. */
async function invitation(role: string): Promise<string> {
  await olga.open("Share");
  await olga.page.getByLabel("Who comes by it").selectOption({ label: role });
  const before = await olga.page.locator("stoa-invitations li").count();
  await olga.page.getByRole("button", { name: "Make a link" }).click();
  await olga.page.locator("stoa-invitations li").nth(before).waitFor();
  return await olga.page.getByLabel("The new link").inputValue();
}

/** What a moderator does with somebody who is there. */
async function moderate(name: string, deed: string, yes: string): Promise<void> {
  await olga.open("People");
  await olga.page.getByRole("button", { name: `What to do about ${name}` }).click();
  await olga.page.getByRole("button", { name: deed, exact: true }).click();
  await olga.page.getByRole("button", { name: yes }).click();
}

describe("coming in", () => {
  test("the owner makes a private scene from the list, and goes there", async () => {
    const { page, errors } = await openPage(browser, DESK);
    await page.goto(await realm.ownerLink());
    await page.getByLabel("Account name").fill("olga");
    await page.getByLabel("Password, at least").fill(PASSWORD);
    await page.getByLabel("The password again").fill(PASSWORD);
    await page.getByRole("button", { name: "Become the owner" }).click();
    await page.getByRole("link", { name: "See its scenes" }).click();
    await page.getByLabel("Its name").fill("olga/attic");
    await page.getByLabel("Only I and those whom I invite").check();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name: "Enter olga/attic" }).click();
    olga = await ScenePage.resume({ page, errors });
  });

  test("whoever has only the address finds nothing there", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${HTTP}/olga/attic`);
    await page.getByLabel("The name others see").fill("Eve");
    await page.getByRole("button", { name: "Enter as guest" }).click();
    await reads(page, "There is no such scene here");
    await page.context().close();
  });

  test("a guest comes in two clicks from a link, whose secret does not stay in the address bar", async () => {
    const link = await invitation("may look around");
    const { page, errors } = await openPage(browser, DESK);
    await page.goto(link.replace(/^https?:\/\/[^/]+/, HTTP));
    await page.getByLabel("The name others see").fill("Gus");
    await page.getByRole("button", { name: "Enter as guest" }).click();
    const gus = await ScenePage.resume({ page, errors });
    expect(page.url()).toBe(`${HTTP}/olga/attic`);
    await gus.sees("olga");
    expect(await gus.page.getByRole("toolbar", { name: "Panels" }).getByRole("button", { name: "Edit" }).count()).toBe(
      0,
    );
    await olga.sees("Gus");
    const [her, his] = await Promise.all([whereabouts(olga.page), whereabouts(page)]);
    expect(Math.hypot(her.x - his.x, her.z - his.z), "nobody comes in inside of somebody").toBeGreaterThan(0.7);
    await page.context().close();
  });

  test("an invited editor builds, until the invitation is taken back", async () => {
    const link = await invitation("may build");
    const { page, errors } = await openPage(browser, DESK);
    await page.goto(link.replace(/^https?:\/\/[^/]+/, HTTP));
    await page.getByLabel("The name others see").fill("Ed");
    await page.getByRole("button", { name: "Enter as guest" }).click();
    const ed = await ScenePage.resume({ page, errors });
    await ed.open("Edit");
    await olga.open("Share");
    const made = olga.page.locator("stoa-invitations li", { hasText: "may build" });
    await made.getByRole("button", { name: "Take back" }).click();
    await made.getByRole("button", { name: "Really" }).click();
    await reads(page, "This invitation was taken back");
    await page.goto(`${HTTP}/olga/attic`);
    await reads(page, "This invitation was taken back");
    await page.goto(link.replace(/^https?:\/\/[^/]+/, HTTP));
    await reads(page, "This invitation was taken back");
    await page.context().close();
  });

  test("a link that is incomplete says so", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${HTTP}/olga/attic#invite=half`);
    await page.getByLabel("The name others see").fill("Late");
    await page.getByRole("button", { name: "Enter as guest" }).click();
    await reads(page, "This is no invitation");
    await page.context().close();
  });
});

describe("an invitation that ends", () => {
  test("puts out whoever came by it, and says so to whoever comes too late", async () => {
    const made = await olga.page.request.post(`${HTTP}/api/v1/scenes/olga/attic/invitations`, {
      headers: { origin: HTTP },
      data: { role: "viewer", lasts_s: LASTS_S },
    });
    const { secret, ends_at: endsAt } = await made.json();
    const { page, errors } = await openPage(browser, DESK);
    await page.goto(`${HTTP}/olga/attic?view=text#invite=${secret}`);
    await page.getByLabel("The name others see").fill("Tess");
    await page.getByRole("button", { name: "Enter as guest" }).click();
    await page.getByRole("heading", { name: "People (1)" }).waitFor();
    expect(Date.now() / 1_000, "she was in before its end").toBeLessThan(endsAt);
    await reads(page, "This invitation has ended");
    expect(errors).toEqual([]);
    const late = await openPage(browser);
    await late.page.goto(`${HTTP}/olga/attic#invite=${secret}`);
    await late.page.getByLabel("The name others see").fill("Late");
    await late.page.getByRole("button", { name: "Enter as guest" }).click();
    await reads(late.page, "This invitation has ended");
    await Promise.all([page.context().close(), late.page.context().close()]);
  });
});

describe("a full scene", () => {
  test("says so, and lets somebody in when somebody has left", async () => {
    await olga.page.goto(`${HTTP}/public/lobby`);
    await olga.live();
    await olga.open("Settings");
    const most = olga.page.getByLabel("People at one time, at most");
    await most.fill("2");
    await most.blur();
    await olga.readsInSight("Saved.");
    const first = await ScenePage.enter(browser, "public/lobby", "First", DESK);
    const { page, errors } = await openPage(browser, DESK);
    await page.goto(`${HTTP}/public/lobby`);
    await page.getByLabel("The name others see").fill("Second");
    await page.getByRole("button", { name: "Enter as guest" }).click();
    await reads(page, "This scene is full");
    await page.getByRole("button", { name: "Try again" }).click();
    await reads(page, "This scene is full");
    await first.page.context().close();
    await olga.seesNobodyElse();
    // Whoever closes a page without a word has their place until the motion plane misses them, seconds later.
    const again = page.getByRole("button", { name: "Try again" });
    const isIn = () => page.getByRole("toolbar", { name: "Panels" }).isVisible();
    await eventually("a place is free", async () => {
      if (await again.isVisible()) await again.click({ timeout: 5_000 });
      return await isIn();
    });
    await ScenePage.resume({ page, errors });
    await olga.sees("Second");
    await page.context().close();
    await olga.open("Settings");
    await most.fill("");
    await most.blur();
    await olga.readsInSight("Saved.");
  });
});

describe("being put out", () => {
  let bo: ScenePage;

  test("somebody who is silenced is not heard", async () => {
    await olga.page.goto(`${HTTP}/public/lobby`);
    await olga.live();
    bo = await ScenePage.enter(browser, "public/lobby", "Bo", DESK);
    await bo.say("can you hear me");
    await olga.hears("can you hear me");
    await moderate("Bo", "Silence", "Silence them");
    await olga.page.locator("stoa-moderate", { hasText: "Bo is silent in the chat" }).waitFor();
    await bo.say("and now");
    await bo.page.locator(".toast", { hasText: "silenced" }).waitFor();
    await olga.open("People");
    await olga.page.getByRole("button", { name: "Take back" }).click();
    await olga.page.locator("stoa-moderate", { hasText: "Bo is silent" }).waitFor({ state: "detached" });
    await bo.say("thank you");
    await olga.hears("thank you");
    expect(await olga.page.getByRole("log").textContent()).not.toContain("and now");
  });

  test("somebody who is put out leaves both planes at once, and is told why", async () => {
    await moderate("Bo", "Put out", "Put them out");
    await reads(bo.page, "You were put out");
    await olga.seesNobodyElse();
    await olga.page.waitForFunction(() => document.querySelector("[stoa-avatar]") === null);
    expect(await bo.page.getByRole("button", { name: /Come back in/ }).isDisabled()).toBe(true);
    await bo.page.reload();
    await reads(bo.page, "You were put out");
    await bo.page.getByRole("button", { name: /Come back in [1-6]?\d s/ }).waitFor();
  });

  test("when it is taken back they come in again", async () => {
    await olga.open("People");
    await olga.page.getByRole("button", { name: "Take back" }).click();
    await olga.page.locator("stoa-moderate", { hasText: "Bo is put out" }).waitFor({ state: "detached" });
    await bo.page.reload();
    await bo.live();
    await olga.sees("Bo");
  });

  test("a locked door keeps out whoever is not inside, and lets those back who were", async () => {
    await olga.open("People");
    await olga.page.getByRole("button", { name: "Lock the door", exact: true }).click();
    await olga.page.getByRole("button", { name: "Unlock the door" }).waitFor();
    const { page } = await openPage(browser);
    await page.goto(`${HTTP}/public/lobby`);
    await page.getByLabel("The name others see").fill("Late");
    await page.getByRole("button", { name: "Enter as guest" }).click();
    await reads(page, "The door is locked");
    await bo.page.reload();
    await bo.live();
    await olga.open("People");
    await olga.page.getByRole("button", { name: "Unlock the door" }).click();
    await olga.page.getByRole("button", { name: "Lock the door", exact: true }).waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await ScenePage.resume({ page, errors: [] });
    await page.context().close();
    await bo.page.context().close();
  });
});

describe("an account of one's own", () => {
  let page: Page;
  let link: string;

  test("is made by an invitation", async () => {
    await olga.page.goto(`${HTTP}/olga/attic`);
    await olga.live();
    link = await invitation("may build");
    ({ page } = await openPage(browser, DESK));
    await page.goto(link.replace(/^https?:\/\/[^/]+/, HTTP));
    await page.getByText("You have an account, or want one?").click();
    await page.getByText("Make an account").click();
    const form = page.locator("stoa-sign-up");
    await form.getByLabel("Account name").fill("Fräulein Alice");
    await form.getByLabel("Password, at least").fill(PASSWORD);
    await form.getByLabel("The password again").fill(PASSWORD);
    await form.getByRole("button", { name: "Make the account" }).click();
    await form.getByRole("alert").filter({ hasText: "“fraeulein.alice” can." }).waitFor();
    await form.getByLabel("Account name").fill("alice");
    await form.getByRole("button", { name: "Make the account" }).click();
    await ScenePage.resume({ page, errors: [] });
    await olga.sees("alice");
  });

  test("has a scene of its own, and another password", async () => {
    await page.goto(HTTP);
    await page.getByLabel("Its name, after alice/").fill("den");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name: "Enter alice/den" }).waitFor();
    await page.getByRole("link", { name: "alice", exact: true }).click();
    await page.getByLabel("The password until now").fill(PASSWORD);
    await page.getByLabel("Password, at least").fill("battery staple");
    await page.getByLabel("The password again").fill("battery staple");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("The password is changed.").waitFor();
    const refused = await page.request.post(`${HTTP}/api/v1/login`, {
      headers: { origin: HTTP },
      data: { username: "alice", password: PASSWORD },
    });
    expect(refused.status()).toBe(401);
  });

  test("gets a new password by a link of the owner's, when it is forgotten", async () => {
    const { page: forgetful } = await openPage(browser, DESK);
    await olga.page.goto(`${HTTP}/account`);
    await olga.page.getByLabel("The link is for").selectOption({ label: "a new password of alice" });
    await olga.page.getByRole("button", { name: "Make the link" }).click();
    const reset = await olga.page.getByLabel("Give this link to nobody else").inputValue();
    await forgetful.goto(reset);
    await forgetful.getByLabel("Password, at least").fill("third horse");
    await forgetful.getByLabel("The password again").fill("third horse");
    await forgetful.getByRole("button", { name: "Set the password" }).click();
    await forgetful.getByText("Signed in as").waitFor();
    await forgetful.context().close();
  });

  test("is deleted with what is its own, which is said before", async () => {
    await page.goto(HTTP);
    await page.getByText("Sign in", { exact: true }).first().click();
    await page.getByLabel("Account name").fill("alice");
    await page.getByLabel("Password").fill("third horse");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "alice", exact: true }).click();
    const deletion = page.locator("section", { has: page.getByRole("heading", { name: "Delete my account" }) });
    await deletion.getByText("alice/den").waitFor();
    await deletion.getByLabel("Password").fill("third horse");
    await deletion.getByLabel("I have understood").check();
    await deletion.getByRole("button", { name: "Delete my account" }).click();
    await page.getByText("Your account is gone.").waitFor();
    await page.goto(HTTP);
    await page.getByRole("link", { name: "Enter public/lobby" }).waitFor();
    expect(await page.getByText("alice/den").count()).toBe(0);
  });
});
