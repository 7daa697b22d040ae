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

interface Visitor {
  readonly page: ScenePage;
  /** Whether the page has loaded the physics engine. */
  readonly hasEngine: () => boolean;
}

/** The A-Frame component that simulates. */
interface PhysicsElement {
  readonly components: { readonly "stoa-physics": { readonly behaviour: { moves(objectId: string): boolean } } };
}

async function visit(name: string): Promise<Visitor> {
  const opened = await openPage(browser);
  let fetched = false;
  opened.page.on("request", (request) => {
    if (/rapier/i.test(request.url())) fetched = true;
  });
  return { page: await ScenePage.enterOn(opened, SCENE, name), hasEngine: () => fetched };
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
const moves = ({ page }: Visitor, id: string) =>
  page.page
    .locator("[stoa-physics]")
    .evaluate((el, id) => (el as unknown as PhysicsElement).components["stoa-physics"].behaviour.moves(id), id);
const rests = async (visitor: Visitor, id: string) => Math.abs((await heightOf(visitor, id)) - 0.5) < 0.02;

describe("falling bodies", () => {
  test("a box falls to the same height in both pages, and one page simulates it", async () => {
    [ada, bo] = [await visit("Ada"), await visit("Bo")];
    await maker.create("crate", box(0));
    await Promise.all([ada.page.has("crate"), bo.page.has("crate")]);
    await eventually("it has fallen, for both", async () => (await rests(ada, "crate")) && (await rests(bo, "crate")));
    // A page that a busy machine silences for `MOTION_SILENCE_MS` loses the lease, and both have the engine then.
    await eventually("one simulates it", async () => (await moves(ada, "crate")) !== (await moves(bo, "crate")));
  });

  test("when the simulating page closes, the other page takes over the simulation", async () => {
    const [first, second] = (await moves(ada, "crate")) ? [ada, bo] : [bo, ada];
    await first.page.page.close();
    await maker.create("barrel", box(2));
    await second.page.has("barrel");
    await eventually("it falls for the one who stayed", () => rests(second, "barrel"));
    expect(await moves(second, "barrel")).toBe(true);
    const late = await visit("Cy");
    await late.page.has("crate");
    await eventually("who comes later finds both where they rest", async () => {
      return (await rests(late, "crate")) && (await rests(late, "barrel"));
    });
    expect(second.hasEngine() && !late.hasEngine(), "only the page that simulates loads the engine").toBe(true);
    expect([...second.page.errors, ...late.page.errors]).toEqual([]);
  });
});
