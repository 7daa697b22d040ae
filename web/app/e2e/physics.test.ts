// Bodies fall alike in two pages, one of which simulates; when that one leaves, the other takes over. Models with each
// compression load under the realm's own policy.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, openPage } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { MqttPerson } from "./mqtt-person.ts";
import { TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";

const SCENE = "public/sandbox";

let realm: TestRealm;
let browser: Browser;
let maker: MqttPerson;
let ada: Visitor;
let bo: Visitor;

/** A page, and whether it has loaded the physics engine. */
interface Visitor {
  readonly page: ScenePage;
  readonly computes: () => boolean;
}

async function visit(name: string): Promise<Visitor> {
  const opened = await openPage(browser);
  let fetched = false;
  opened.page.on("request", (request) => {
    if (/rapier/i.test(request.url())) fetched = true;
  });
  return { page: await ScenePage.enterOn(opened, SCENE, name), computes: () => fetched };
}

beforeAll(async () => {
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
  maker = await MqttPerson.enter(SCENE);
});

afterAll(async () => {
  await maker?.leave();
  await browser?.close();
  await realm?.end();
});

const box = (x: number) => ({ object_type: "box", position: { x, y: 6, z: -4 }, "physx-body": { type: "dynamic" } });
const heightOf = async ({ page }: Visitor, id: string) => (await page.placeOf(id)).y;
const rests = async (visitor: Visitor, id: string) => Math.abs((await heightOf(visitor, id)) - 0.5) < 0.02;

describe("falling bodies", () => {
  test("a box falls to the same height in both pages, and only one page loads the physics engine", async () => {
    [ada, bo] = [await visit("Ada"), await visit("Bo")];
    await maker.create("crate", box(0));
    await Promise.all([ada.page.has("crate"), bo.page.has("crate")]);
    await eventually("it has fallen, for both", async () => (await rests(ada, "crate")) && (await rests(bo, "crate")));
    expect([ada.computes(), bo.computes()].filter(Boolean).length).toBe(1);
  });

  test("when the simulating page closes, the other page takes over the simulation", async () => {
    const [first, second] = ada.computes() ? [ada, bo] : [bo, ada];
    await first.page.page.close();
    await maker.create("barrel", box(2));
    await second.page.has("barrel");
    await eventually("it falls for the one who stayed", () => rests(second, "barrel"));
    expect(second.computes()).toBe(true);
    const late = await visit("Cy");
    await late.page.has("crate");
    await eventually("who comes later finds both where they rest", async () => {
      return (await rests(late, "crate")) && (await rests(late, "barrel"));
    });
    expect(late.computes()).toBe(false);
    expect([...second.page.errors, ...late.page.errors]).toEqual([]);
  });
});
