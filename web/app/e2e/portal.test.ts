// Two people build a portal. One walks through it and is the same person on the other side, without remains in the
// first scene. Both raise hands and react.
import { execFileSync } from "node:child_process";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { madeVrm } from "../../aframe/test-browser/made-vrm.mjs";
import { launch } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { guest, lookColor, texts } from "./texts.ts";

let realm: TestRealm;
let browser: Browser;
let ada: ScenePage;
let bo: ScenePage;

beforeAll(async () => {
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
  ada = await ScenePage.enter(browser, "public/sandbox", "Ada");
  bo = await ScenePage.enter(browser, "public/sandbox", "Bo");
  await Promise.all([ada.sees("Bo"), bo.sees("Ada")]);
});

afterAll(async () => {
  await browser?.close();
  await realm?.end();
});

/** Creates an object in the scene, like a script on the page. */
async function create(person: ScenePage, objectId: string, attributes: Readonly<Record<string, unknown>>) {
  await person.page.evaluate(
    async ([id, given]) => {
      const page = document.querySelector("stoa-scene");
      if (page === null || !("session" in page)) throw new Error("there is no scene");
      const { session } = page as unknown as { session: { create(id: unknown, given: unknown): Promise<void> } };
      await session.create(id, given);
    },
    [objectId, attributes] as const,
  );
}

/** A VRM in the realm's store, uploaded by an account. */
async function storedBody(): Promise<string> {
  const password = "correct horse battery staple";
  execFileSync(String(process.env.STOA_BIN), ["user", "add", "olga", "--data", realm.folder], {
    input: `${password}\n`,
  });
  const headers = { origin: HTTP, "content-type": "application/json" };
  const body = JSON.stringify({ username: "olga", password });
  const login = await fetch(`${HTTP}/api/v1/login`, { method: "POST", headers, body });
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const path = "users/olga/avatars/body.vrm";
  const put = { method: "PUT", headers: { origin: HTTP, cookie }, body: madeVrm() };
  const answer = await fetch(`${HTTP}/api/v1/store/${path}`, put);
  if (!answer.ok) throw new Error(`the body isn't stored: ${answer.status} ${await answer.text()}`);
  return `/store/${path}`;
}

/** How the only other person is drawn. */
async function looks(person: ScenePage) {
  const [seen] = await person.page.evaluate(() =>
    [...document.querySelectorAll("[stoa-avatar]")].map((head) => {
      const entity = head as unknown as {
        object3D: { getObjectByName(name: string): unknown };
        getAttribute(name: string): { name: string; color: string; model: string };
      };
      const { name, color, model } = entity.getAttribute("stoa-avatar");
      return { name, color, model, hasBones: entity.object3D.getObjectByName("leftLowerArm") !== undefined };
    }),
  );
  return seen;
}

/** Whether a person's head has a part. */
async function overHead(person: ScenePage, part: string): Promise<boolean> {
  return await person.page.evaluate((name) => {
    const heads = [...document.querySelectorAll("[stoa-avatar]")];
    return heads.some(
      (head) => (head as unknown as { getObject3D(name: string): unknown }).getObject3D(name) !== undefined,
    );
  }, part);
}

describe("travelling through a portal", () => {
  test("Bo sees the colour and the body that Ada chooses", async () => {
    const body = await storedBody();
    await ada.openPanel("settings");
    const choice = ada.page.locator("stoa-looks");
    await choice.getByRole("button", { name: lookColor("#139a94") }).click();
    await choice.getByLabel(texts.looks.model).fill(body);
    await choice.getByRole("button", { name: texts.looks.use }).click();
    await ada.page.getByText(texts.looks.worn).waitFor();
    await eventually("Bo sees her in it", async () => (await looks(bo))?.hasBones === true);
    expect(await looks(bo)).toEqual({ name: guest("Ada"), color: "#139a94", model: `${HTTP}${body}`, hasBones: true });
  });

  test("Ada walks into a portal and enters the other scene without a page load", async () => {
    await ada.close();
    await ada.page.evaluate(() => document.body.setAttribute("data-stays", "yes"));
    // As wide as all paths straight ahead from the start positions.
    const gate = { object_type: "box", width: 30, height: 3, depth: 0.2, material: { opacity: 0.4 } };
    await create(ada, "gate", {
      ...gate,
      position: { x: 0, y: 1.5, z: -14 },
      portal: { scene: "public/lobby", radius: 12 },
    });
    await bo.has("gate");
    await ada.walkUntil("w", async () => new URL(ada.page.url()).pathname === "/public/lobby");
    await ada.live();
    expect(await ada.page.locator("stoa-overlay h1").textContent()).toBe("public/lobby");
    expect(await ada.page.evaluate(() => document.body.getAttribute("data-stays"))).toBe("yes");
  });

  test("Ada disappears from the first scene", async () => {
    await bo.seesNobodyElse();
    await eventually("no head of Ada's is left", async () => (await bo.page.locator("[stoa-avatar]").count()) === 0);
  });

  test("Bo follows by clicking the portal, and both people keep name and body", async () => {
    await bo.close();
    await bo.click("gate", async () => new URL(bo.page.url()).pathname === "/public/lobby");
    await bo.live();
    await Promise.all([ada.sees("Bo"), bo.sees("Ada")]);
    await eventually("Ada's body is drawn", async () => (await looks(bo))?.hasBones === true);
    const model = `${HTTP}/store/users/olga/avatars/body.vrm`;
    expect(await looks(bo)).toEqual({ name: guest("Ada"), color: "#139a94", model, hasBones: true });
    expect(await looks(ada)).toMatchObject({ name: guest("Bo"), model: "" });
  });

  test("the browser's back button leads back", async () => {
    await bo.page.goBack();
    await bo.live();
    expect(await bo.page.locator("stoa-overlay h1").textContent()).toBe("public/sandbox");
    await bo.has("gate");
    await ada.seesNobodyElse();
  });

  test("a raised hand is seen, over the head and in the list, until it is lowered", async () => {
    await bo.go("public/lobby");
    await Promise.all([ada.sees("Bo"), bo.sees("Ada")]);
    await ada.close();
    const hand = bo.page
      .locator("stoa-people li", { hasText: "Ada" })
      .getByRole("img", { name: texts.people.handRaised });
    await ada.page.keyboard.press("h");
    await hand.waitFor();
    await eventually("the hand stands over Ada's head", () => overHead(bo, "stoa-raised"));
    const late = await ScenePage.enter(browser, "public/lobby", "Cy");
    await eventually("who comes later sees it too", () => overHead(late, "stoa-raised"));
    await late.page.close();
    await ada.page.keyboard.press("h");
    await hand.waitFor({ state: "detached" });
  });

  test("Bo sees Ada's laser beam and reaction", async () => {
    await ada.page.keyboard.press("l");
    await eventually("Bo sees where Ada points", async () => (await bo.page.locator("[stoa-laser]").count()) === 1);
    await ada.page.keyboard.press("l");
    await eventually("and that she stopped", async () => (await bo.page.locator("[stoa-laser]").count()) === 0);
    await eventually("Bo sees a heart rise", async () => {
      await ada.page.keyboard.press("1");
      return await bo.page.evaluate(() => {
        const [root] = document.querySelectorAll("[stoa-reactions]");
        const { components } = root as unknown as { components: Record<string, { behaviour: { count: number } }> };
        return (components["stoa-reactions"]?.behaviour.count ?? 0) > 0;
      });
    });
  });

  test("no page met an error", () => {
    expect([...ada.errors, ...bo.errors]).toEqual([]);
  });
});
