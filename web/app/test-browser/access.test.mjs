/** Everybody can use the pages: axe-core on each, the keyboard alone, a finger on a phone. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { openBrowser } from "./served-page.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const PANELS = ["People", "Chat", "Edit", "Share"];
const PHONE = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };

let opened;

before(async () => {
  opened = await openBrowser();
});

after(() => opened.close());

/** A view, once it is drawn, in a profile of its own. */
async function inView(query, body, options = { viewport: { width: 960, height: 600 } }) {
  const context = await opened.browser.newContext(options);
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`${opened.address}/?${query}`);
  await page.locator("body > *").last().waitFor({ state: "attached" });
  await body(page);
  assert.deepEqual(errors, []);
  await context.close();
}

/** What axe-core finds wrong, in a line each. */
async function wrongs(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.addScriptTag({ path: AXE });
  const violations = await page.evaluate(async () => (await axe.run()).violations);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
  );
}

const toolbar = (page) => page.getByRole("toolbar", { name: "Panels" });

/** What has the focus, through all shadow roots: its accessible name or text. */
const focused = (page) =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return (at?.getAttribute("aria-label") ?? at?.textContent ?? "").trim().replaceAll(/\s+/g, " ");
  });

/** Draws a finger upwards again and again, until `there`; a page has the time of a few frames to follow. */
async function swipeUp(page, { x, y }, there) {
  const touch = await page.context().newCDPSession(page);
  const finger = (type, at) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: at === undefined ? [] : [{ x, y: at }] });
  for (let swipe = 0; swipe < 5 && !(await there()); swipe += 1) {
    await finger("touchStart", y);
    for (let step = 1; step <= 10; step += 1) {
      await finger("touchMove", y - step * 20);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await finger("touchEnd");
  }
}

for (const theme of ["light", "dark"]) {
  test(`axe finds nothing wrong with home, enter, owner and a refusal, ${theme}`, { timeout: 60_000 }, async () => {
    const shown = {
      home: (page) => page.getByRole("link", { name: "Enter public/lobby as guest" }),
      enter: (page) => page.getByRole("button", { name: "Enter as guest" }),
      owner: (page) => page.getByRole("button", { name: "Become the owner" }),
      refused: (page) => page.getByText("You can't be here"),
    };
    for (const [view, sign] of Object.entries(shown)) {
      await inView(`view=${view}&theme=${theme}`, async (page) => {
        await sign(page).waitFor();
        assert.deepEqual(await wrongs(page), [], view);
      });
    }
  });

  test(`axe finds nothing wrong with a scene and its panels, ${theme}`, { timeout: 60_000 }, async () => {
    await inView(`view=scene&theme=${theme}`, async (page) => {
      await toolbar(page).waitFor();
      assert.deepEqual(await wrongs(page), [], "no panel");
      for (const panel of PANELS) {
        await toolbar(page).getByRole("button", { name: panel }).click();
        if (panel === "Edit") await page.getByLabel("Object").selectOption("lamp");
        assert.deepEqual(await wrongs(page), [], panel);
      }
    });
  });
}

test("negative control: axe sees a button without a name", { timeout: 30_000 }, async () => {
  await inView("view=home", async (page) => {
    await page.evaluate(() => document.body.append(document.createElement("button")));
    assert.ok((await wrongs(page)).some((wrong) => wrong.startsWith("button-name")));
  });
});

test("the keyboard alone opens a panel, works in it, and comes back where it was", { timeout: 30_000 }, async () => {
  await inView("view=scene", async (page) => {
    await toolbar(page).waitFor();
    const order = [];
    for (let step = 0; step < 5; step += 1) {
      await page.keyboard.press("Tab");
      order.push(await focused(page));
    }
    assert.deepEqual(order, ["All scenes", "People 2", "Chat", "Edit", "Share"]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Close", "the panel follows the toolbar");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Say something");
    await page.keyboard.press("Escape");
    assert.equal(await focused(page), "Chat");
    assert.equal(await page.getByRole("log").isVisible(), false);
  });
});

test("on a phone the edit panel scrolls to its end, and can be closed from there", { timeout: 30_000 }, async () => {
  const body = async (page) => {
    await toolbar(page).getByRole("button", { name: "Edit" }).tap();
    await page.getByLabel("Object").selectOption("lamp");
    const remove = page.getByRole("button", { name: "Delete" });
    await remove.waitFor();
    const panel = await page.locator("#panel").boundingBox();
    const from = { x: panel.x + panel.width / 2, y: panel.y + panel.height - 60 };
    await swipeUp(page, from, async () => (await remove.boundingBox()).y + 40 <= panel.y + panel.height);
    const end = await remove.boundingBox();
    assert.ok(end.y > panel.y && end.y + end.height <= panel.y + panel.height, `Delete is at ${JSON.stringify(end)}`);
    const close = page.getByRole("button", { name: "Close" });
    const top = await close.boundingBox();
    assert.ok(top.y >= panel.y - 1 && top.y < panel.y + 40, `Close is at ${JSON.stringify(top)}`);
    await close.tap();
    assert.equal(await page.locator("#panel").isVisible(), false);
  };
  await inView("view=scene", body, PHONE);
});

test("a newcomer is told how to move, once, for fingers or for keys", { timeout: 30_000 }, async () => {
  const told = (words, other) => async (page) => {
    const hint = page.getByRole("region", { name: "How to move" });
    await hint.getByText(words).waitFor();
    assert.equal(await hint.getByText(other).isVisible(), false);
    assert.deepEqual(await wrongs(page), []);
    await page.getByRole("button", { name: "Got it" }).click();
    await hint.waitFor({ state: "detached" });
    await page.reload();
    await toolbar(page).waitFor();
    assert.equal(await hint.count(), 0);
  };
  await inView("view=scene", told("W A S D", "The round pad walks"));
  await inView("view=scene", told("The round pad walks", "W A S D"), PHONE);
});
