import { afterEach, beforeAll, expect, test } from "vitest";
import { defineElements } from "../../src/elements.ts";
import { StoaLoadingProgress } from "../../src/scene/stoa-loading.ts";
import { FakeSession } from "../support/fake-session.ts";
import { holding, texts } from "../support/texts.ts";

const words = texts.loading;

beforeAll(() => defineElements(customElements));
afterEach(() => document.body.replaceChildren());

async function loading() {
  const element = new StoaLoadingProgress();
  const session = new FakeSession();
  element.session = session;
  const scene = document.createElement("div");
  document.body.append(element, scene);
  const say = async (type: string, detail: object) => {
    scene.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
    await element.updateComplete;
    return element.shadowRoot?.textContent?.replace(/\s+/g, " ").trim();
  };
  return { element, say, session };
}

test("the loading notice shows the progress, and is empty once all files are loaded", async () => {
  const { say } = await loading();
  expect(await say("stoa-progress", { loaded: 3, failed: 0, all: 12 })).toBe(holding(words.progress(3, 12), "3", "12"));
  expect(await say("stoa-progress", { loaded: 12, failed: 0, all: 12 })).toBe("");
});

test("the loading notice lists each broken file once with its reason, until it is dismissed", async () => {
  const { element, say } = await loading();
  const chair = { objectId: "chair", src: "https://realm.local/store/big%20chair.glb", code: "missing" };
  await say("stoa-broken", chair);
  expect(await say("stoa-broken", chair)).toContain(
    `${words.broken(1)} ${holding(words.why("big chair.glb", words.reasons.missing), "big chair.glb")}`,
  );
  expect(await say("stoa-broken", { objectId: "x", src: "%", code: "__proto__" })).toContain(
    words.why("%", words.reasons.unreadable),
  );
  element.shadowRoot?.querySelector("button")?.click();
  await element.updateComplete;
  expect(element.shadowRoot?.querySelector("details")).toBeNull();
});

test("the loading notice drops the broken file of a deleted object", async () => {
  const { element, say, session } = await loading();
  for (const objectId of ["chair", "table"])
    await say("stoa-broken", { objectId, src: `/${objectId}.glb`, code: "missing" });
  session.tell("object", { objectId: "chair", object: null, changed: [] });
  await element.updateComplete;
  const told = element.shadowRoot?.textContent ?? "";
  expect(told).toContain("table.glb");
  expect(told).not.toContain("chair.glb");
});

test("the loading notice drops the broken file of a repaired object", async () => {
  const { say } = await loading();
  const board = { objectId: "board", src: "refused:www.example.org/board.png", code: "no-address" };
  expect(await say("stoa-broken", board)).toContain(words.why("board.png", words.reasons["no-address"]));
  expect(await say("stoa-mended", { objectId: "table" }), "negative control: another one").toContain("board.png");
  expect(await say("stoa-mended", { objectId: "board" })).toBe("");
});

test("the loading notice is empty for a new session", async () => {
  const { element, say } = await loading();
  await say("stoa-broken", { objectId: "chair", src: "/chair.glb", code: "missing" });
  expect(await say("stoa-progress", { loaded: 3, failed: 0, all: 12 })).toContain(words.progress(3, 12));
  element.session = new FakeSession();
  await element.updateComplete;
  expect(element.shadowRoot?.textContent?.trim()).toBe("");
});
