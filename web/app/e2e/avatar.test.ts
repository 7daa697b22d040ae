// Alice uploads an avatar, others see it, and she keeps it when she enters a portal.
import { execFileSync } from "node:child_process";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { madeVrm } from "../../aframe/test-browser/made-vrm.mjs";
import { launch, openPage } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { MqttPerson } from "./mqtt-person.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { anyOf, like, lookColor, texts } from "./texts.ts";

const PASSWORD = "correct horse battery staple";
const SCENE = "public/sandbox";
/** A model is refused by the realm or by the page. */
const REFUSED = anyOf([like(texts.looks.notSent("A1"), { A1: /.+/ }), texts.looks.refusals.broken()]);

let realm: TestRealm;
let browser: Browser;
let alice: ScenePage;
let bo: ScenePage;

beforeAll(async () => {
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
  execFileSync(String(process.env.STOA_BIN), ["user", "add", "alice", "--data", realm.folder], {
    input: `${PASSWORD}\n`,
  });
  const opened = await openPage(browser, { viewport: { width: 960, height: 640 } });
  await opened.page.goto(HTTP);
  await opened.page.evaluate(async (password) => {
    const body = JSON.stringify({ username: "alice", password });
    await fetch("/api/v1/login", { method: "POST", headers: { "content-type": "application/json" }, body });
  }, PASSWORD);
  bo = await ScenePage.enter(browser, SCENE, "Bo", { viewport: { width: 640, height: 480 } });
  alice = await ScenePage.openOn(opened, SCENE);
  await Promise.all([alice.sees("Bo"), bo.sees("alice")]);
});

afterAll(async () => {
  await browser?.close();
  await realm?.end();
});

/** How the only other person is drawn: their colour, and which parts of their own VRM or head are visible. */
function seenBy(person: ScenePage) {
  return person.page.evaluate(() => {
    const heads = [...document.querySelectorAll("[stoa-avatar]")];
    return heads.map((head) => {
      const entity = head as unknown as {
        object3D: { getObjectByName(name: string): unknown };
        getObject3D(name: string): { visible: boolean } | undefined;
        getAttribute(name: string): { name: string; color: string; model: string };
      };
      const { name, color, model } = entity.getAttribute("stoa-avatar");
      const isBuiltIn = entity.getObject3D("stoa-head")?.visible === true;
      return { name, color, model, isBuiltIn, hasBones: entity.object3D.getObjectByName("leftLowerArm") !== undefined };
    });
  });
}

async function upload(name: string, bytes: Uint8Array) {
  if (!(await alice.page.locator("stoa-looks").isVisible())) await alice.openPanel("settings");
  const file = { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) };
  await alice.page.locator('stoa-looks input[type="file"]').setInputFiles(file);
}

describe("an uploaded avatar", () => {
  test("a file that isn't a model is refused with the reason, and the built-in avatar stays", async () => {
    await upload("notes.vrm", Buffer.from("these are notes"));
    const said = alice.page.locator("stoa-looks [role=status]");
    await eventually("it is said", async () => REFUSED.test((await said.textContent()) ?? ""));
    expect(await seenBy(bo)).toMatchObject([{ name: "alice", model: "", isBuiltIn: true }]);
  });

  test("an uploaded VRM becomes Alice's body on the other page", async () => {
    await upload("body.vrm", madeVrm());
    await alice.page.getByText(texts.looks.worn).waitFor();
    await eventually("Bo sees her bones", async () => {
      const [seen] = await seenBy(bo);
      return seen?.hasBones === true && !seen.isBuiltIn;
    });
    expect((await seenBy(bo))[0]?.model).toBe(`${HTTP}/store/users/alice/avatars/body.vrm`);
  });

  test("Alice keeps her name, colour and body through a portal", async () => {
    await alice.page
      .locator("stoa-looks")
      .getByRole("button", { name: lookColor("#139a94") })
      .click();
    await eventually("Bo sees the colour, and her in her own body again", async () => {
      const [seen] = await seenBy(bo);
      return seen?.color === "#139a94" && seen.hasBones;
    });
    const before = await seenBy(bo);
    const maker = await MqttPerson.enter(SCENE);
    await maker.create("gate", {
      ...{ object_type: "box", width: 30, height: 3, depth: 0.2, position: { x: 0, y: 1.5, z: -14 } },
      portal: { scene: "public/lobby", radius: 12 },
    });
    await alice.has("gate");
    await bo.go("public/lobby");
    await alice.close();
    await alice.walkUntil("w", async () => new URL(alice.page.url()).pathname === "/public/lobby");
    await alice.live();
    await eventually("Bo sees the same person", async () => (await seenBy(bo))[0]?.hasBones === true);
    expect(await seenBy(bo)).toEqual(before);
    await maker.leave();
  });

  test("a later visitor sees Alice's VRM, until she goes back to the built-in avatar", async () => {
    const late = await ScenePage.enter(browser, "public/lobby", "Cy");
    await eventually("Cy sees her bones", async () => (await seenBy(late)).some(({ hasBones }) => hasBones));
    await alice.openPanel("settings");
    await alice.page.locator("stoa-looks").getByLabel(texts.looks.model).fill("");
    await alice.page.locator("stoa-looks").getByRole("button", { name: texts.looks.use }).click();
    await eventually("the built-in body is back", async () => {
      return (await seenBy(late)).every(({ hasBones, isBuiltIn }) => isBuiltIn && !hasBones);
    });
    expect([...alice.errors, ...bo.errors, ...late.errors]).toEqual([]);
  });
});
