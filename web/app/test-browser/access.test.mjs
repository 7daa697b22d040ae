/** Accessibility of the pages: axe-core on each, the keyboard alone, touch on a phone. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { openBrowser } from "./served-page.mjs";
import { texts } from "./texts.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const PHONE = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };
const words = texts.textView;
const { silence } = texts.moderate.deeds;

let opened;

before(async () => {
  opened = await openBrowser();
});

after(() => opened.close());

/** Opens a view in its own profile and waits until it is drawn. */
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

/** The violations found by axe-core, one line each. */
async function wrongs(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.addScriptTag({ path: AXE });
  // axe-core checks WCAG 2.2's target size only on request.
  const violations = await page.evaluate(
    async () => (await axe.run({ rules: { "target-size": { enabled: true } } })).violations,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
  );
}

/** Selects the lamp in the list of objects and opens all its properties. */
async function chooseLamp(page) {
  await page.getByRole("tab", { name: texts.edit.tabs.things }).click();
  await page.getByRole("treeitem", { name: "lamp" }).click();
  await page.getByRole("tab", { name: texts.edit.tabs.details }).click();
}

/** Opens each tab of the editor. */
async function lookThrough(page) {
  for (const tab of ["add", "things"]) {
    await page.getByRole("tab", { name: texts.edit.tabs[tab] }).click();
    assert.deepEqual(await wrongs(page), [], tab);
  }
  await chooseLamp(page);
  await page.getByText(texts.edit.tools.more).click();
  await page.getByRole("button", { name: texts.edit.tools.shortcuts }).click();
  await page.getByText(texts.edit.abilities.add, { exact: true }).click();
  await page.getByRole("button", { name: texts.edit.abilities.kinds["physx-body"].name }).waitFor();
}

const toolbar = (page) => page.getByRole("toolbar", { name: texts.overlay.toolbar });

/** The accessible name or text of the focused element, through all shadow roots. */
const focused = (page) =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return (at?.getAttribute("aria-label") ?? at?.textContent ?? "").trim().replaceAll(/\s+/g, " ");
  });

/** Waits for a number of render frames. */
function frames(page, count) {
  return page.evaluate(async (left) => {
    for (let frame = 0; frame < left; frame += 1) await new Promise(requestAnimationFrame);
  }, count);
}

/** Swipes upwards until `there`; the page gets a few frames after each swipe to follow. */
async function swipeUp(page, { x, y }, there) {
  const touch = await page.context().newCDPSession(page);
  const finger = (type, at) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: at === undefined ? [] : [{ x, y: at }] });
  for (let swipe = 0; swipe < 40 && !(await there()); swipe += 1) {
    await finger("touchStart", y);
    for (let step = 1; step <= 10; step += 1) {
      await finger("touchMove", y - step * 20);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await finger("touchEnd");
  }
}

const LARGE = { viewport: { width: 1280, height: 800 } };
const SIZES = { desktop: LARGE, phone: PHONE };
const LOOKS = ["light", "dark"].flatMap((theme) => Object.keys(SIZES).map((size) => [theme, size]));

/** The ids of all panels. */
const panels = (page) =>
  toolbar(page)
    .locator("[data-panel]")
    .evaluateAll((buttons) => buttons.map((button) => button.dataset.panel));

/** Opens a panel by its button or the overflow menu; its script may load first. */
async function openPanel(page, id) {
  const button = toolbar(page).locator(`[data-panel=${id}]`);
  if (!(await button.isVisible())) await toolbar(page).getByRole("button", { name: texts.overlay.more }).click();
  await button.click();
  await page.locator("#panel h2").filter({ visible: true }).first().waitFor();
}

for (const [theme, size] of LOOKS) {
  test(`axe finds nothing wrong with the pages around a scene, ${theme}, ${size}`, { timeout: 120_000 }, async () => {
    const shown = {
      home: (page) => page.getByRole("link", { name: `${texts.home.enter} public/lobby ${texts.home.asGuest}` }),
      enter: (page) => page.getByRole("button", { name: texts.enter.asGuest }),
      owner: (page) => page.getByRole("button", { name: texts.owner.become }),
      refused: (page) => page.getByRole("heading", { name: texts.refused.kinds.refused.title }),
      text: (page) => page.getByRole("button", { name: `${words.goTo} Bob` }),
      trust: (page) => page.getByText(texts.trust.states.own),
    };
    for (const [view, sign] of Object.entries(shown)) {
      const body = async (page) => {
        await sign(page).waitFor();
        assert.deepEqual(await wrongs(page), [], view);
      };
      await inView(`view=${view}&theme=${theme}`, body, SIZES[size]);
    }
  });

  test(`axe finds nothing wrong with a scene and its panels, ${theme}, ${size}`, { timeout: 120_000 }, async () => {
    const body = async (page) => {
      await toolbar(page).waitFor();
      assert.deepEqual(await wrongs(page), [], "no panel");
      for (const panel of await panels(page)) {
        await openPanel(page, panel);
        if (panel === "edit") await lookThrough(page);
        assert.deepEqual(await wrongs(page), [], panel);
      }
    };
    await inView(`view=scene&theme=${theme}`, body, SIZES[size]);
  });
}

for (const size of Object.keys(SIZES)) {
  test(`nothing covers the heading and close button of a scrolled panel, ${size}`, {
    timeout: 60_000,
  }, async () => {
    const body = async (page) => {
      await toolbar(page).waitFor();
      let scrolled = 0;
      for (const panel of await panels(page)) {
        await openPanel(page, panel);
        const told = await page.evaluate(() => {
          const root = document.querySelector("stoa-overlay").shadowRoot;
          const region = root.querySelector("#panel");
          region.scrollTo(0, 1e6);
          const head = region.querySelector(".head");
          const { left, right, top, bottom } = head.getBoundingClientRect();
          const places = [0.05, 0.3, 0.6, 0.95].map((share) => left + (right - left) * share);
          const isHead = places.map((x) => head.contains(root.elementFromPoint(x, (top + bottom) / 2)));
          const [, , , opacity = "1"] = getComputedStyle(head).backgroundColor.match(/[\d.]+/g);
          return { isHead, opacity, scrolled: region.scrollTop };
        });
        assert.deepEqual([told.isHead, told.opacity], [[true, true, true, true], "1"], panel);
        scrolled = Math.max(scrolled, told.scrolled);
      }
      assert.ok(scrolled > 0, "one of them is longer than the page");
    };
    await inView("view=scene", body, SIZES[size]);
  });
}

for (const [theme, size] of LOOKS) {
  test(`axe finds nothing wrong with the states of the text view, ${theme}, ${size}`, {
    timeout: 120_000,
  }, async () => {
    const body = async (page) => {
      const press = (name) => page.getByRole("button", { name, exact: true }).click();
      const clean = async (state) => assert.deepEqual(await wrongs(page), [], state);
      await press(texts.react.raise);
      await press(`${words.sit} bench`);
      await page.getByRole("button", { name: words.getUp }).waitFor();
      await clean("a hand is up, and one sits");
      await press(`${texts.people.hide} Cy`);
      await page.getByText(words.hidden).waitFor();
      await press(texts.people.more("Bob"));
      await press(texts.moderate.deeds.ban.name);
      await page.getByRole("button", { name: texts.moderate.deeds.ban.yes("Bob") }).waitFor();
      await clean("a moderator's question, and somebody hidden");
      await page.getByRole("searchbox", { name: words.find }).fill("nothing like it");
      await page.getByText(words.notFound).waitFor();
      await clean("nothing found");
    };
    await inView(`view=text&theme=${theme}`, body, SIZES[size]);
  });
}

for (const [theme, size] of LOOKS) {
  test(`axe finds nothing wrong with the states of the own voice, ${theme}, ${size}`, {
    timeout: 120_000,
  }, async () => {
    const clean = async (page, state) => assert.deepEqual(await wrongs(page), [], state);
    const named = (page, name) => page.getByRole("button", { name, exact: true });
    const talk = async (page) => {
      await page.getByRole("status").getByText(texts.voice.press).waitFor();
      await clean(page, "sound waits for a press");
      await named(page, texts.voice.talk).click();
      await named(page, texts.voice.mute).waitFor();
      await page.getByText(texts.voice.press).waitFor({ state: "detached" });
      await clean(page, "talking");
    };
    const inScene = async (page) => {
      await talk(page);
      await openPanel(page, "voice");
      await page.getByText(texts.voice.level).waitFor();
      await clean(page, "the panel while talking");
      await page.getByRole("radio", { name: texts.voice.modes.push }).check();
      await named(page, texts.voice.hold).waitFor();
      await clean(page, "the button to hold");
      await named(page, texts.voice.stop).click();
      await page.getByText(texts.voice.isOff).waitFor();
      await openPanel(page, "people");
      await page.getByRole("img", { name: texts.voice.speaking }).waitFor();
      await page.getByRole("img", { name: texts.voice.isOn }).waitFor();
      await clean(page, "a speaker in the list");
    };
    await inView(`view=scene&theme=${theme}`, inScene, SIZES[size]);
    await inView(`view=text&theme=${theme}`, talk, SIZES[size]);
  });
}

for (const [theme, size] of LOOKS) {
  test(`axe finds nothing wrong with making, saving and copying scenes, ${theme}, ${size}`, {
    timeout: 60_000,
  }, async () => {
    const body = async (page) => {
      const clean = async (state) => assert.deepEqual(await wrongs(page), [], state);
      await page.getByText(texts.scenes.carry.title).click();
      await page.getByRole("button", { name: texts.scenes.carry.copy }).waitFor();
      await clean("a scene's Save or copy, and the form of a new one");
      await page.getByRole("radio", { name: texts.scenes.make.file }).check();
      await page.getByLabel(texts.scenes.make.chooseFile).waitFor();
      await page.getByLabel(texts.home.newName).fill("public/lobby");
      await page.getByRole("button", { name: texts.home.create }).click();
      await page.getByRole("alert").getByText(texts.home.taken("public/lobby")).waitFor();
      await clean("a new scene of a file, under a name that is taken");
    };
    await inView(`view=scenes&theme=${theme}`, body, SIZES[size]);
  });
}

test("a moderation question takes the focus when it opens, and returns it when it is cancelled", {
  timeout: 30_000,
}, async () => {
  await inView("view=text", async (page) => {
    await page.getByRole("button", { name: texts.people.more("Bob") }).press("Enter");
    await page.getByRole("button", { name: silence.name, exact: true }).press("Enter");
    await page.getByRole("button", { name: silence.yes("Bob") }).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), silence.yes("Bob"), "the next after how long");
    await page.getByRole("button", { name: texts.shared.cancel }).press("Enter");
    await page.getByRole("button", { name: silence.yes("Bob") }).waitFor({ state: "detached" });
    assert.equal(await focused(page), texts.people.more("Bob"));
  });
});

test("the text view's buttons announce their results, and its search filters the lists", {
  timeout: 60_000,
}, async () => {
  await inView("view=text", async (page) => {
    const said = (text) => page.getByRole("status").getByText(text).waitFor();
    await page.getByRole("button", { name: `${words.goTo} Bob` }).click();
    await said(words.arrived("Bob"));
    await page.getByText(`${words.away("1.5")}, ${words.ways.ahead}`, { exact: true }).waitFor();
    await page
      .getByRole("button", { name: `${words.goTo} Garden door` })
      .first()
      .click();
    await said(words.arrived("Garden door"));
    await page.getByRole("button", { name: `${words.press} lamp` }).click();
    await said(words.pressed("lamp"));
    await page.getByRole("button", { name: `${words.sit} bench` }).click();
    await said(words.seated("bench"));
    await page.getByRole("button", { name: words.getUp }).click();
    await said(words.gotUp);
    await page.getByRole("button", { name: "Yes Ready?" }).click();
    await said(words.chosen("Yes", "Ready?"));
    const field = page.getByRole("searchbox", { name: words.find });
    await field.fill(words.colors.yellow);
    await page.getByRole("heading", { name: words.tries(1) }).waitFor();
    assert.equal(await page.locator('[aria-labelledby="things"]').isVisible(), false);
    await field.fill("nothing like it");
    await said(words.notFound);
  });
});

test("negative control: axe sees a button without a name", { timeout: 30_000 }, async () => {
  await inView("view=home", async (page) => {
    await page.evaluate(() => document.body.append(document.createElement("button")));
    assert.ok((await wrongs(page)).some((wrong) => wrong.startsWith("button-name")));
  });
});

test("the keyboard alone opens a panel, reaches its field, and returns to its button by Escape", {
  timeout: 30_000,
}, async () => {
  await inView("view=scene", async (page) => {
    await toolbar(page).waitFor();
    const tools = (await toolbar(page).getByRole("button").allTextContents()).map((text) =>
      text.trim().replaceAll(/\s+/g, " "),
    );
    const order = [];
    for (let step = 0; step < tools.length + 2; step += 1) {
      await page.keyboard.press("Tab");
      order.push(await focused(page));
    }
    assert.deepEqual(order, [words.link, texts.shared.allScenes, ...tools]);
    const chat = tools.indexOf(texts.overlay.panels.chat);
    for (let step = tools.length - 1; step > chat; step -= 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    for (let step = chat; step < tools.length; step += 1) await page.keyboard.press("Tab");
    assert.equal(await focused(page), texts.shared.close, "the panel follows the toolbar");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), texts.chat.say);
    await page.keyboard.press("Escape");
    assert.equal(await focused(page), texts.overlay.panels.chat);
    assert.equal(await page.getByRole("log").isVisible(), false);
  });
});

test("on a phone the edit panel scrolls to its end, and can be closed from there", { timeout: 30_000 }, async () => {
  const body = async (page) => {
    await toolbar(page).waitFor();
    await openPanel(page, "edit");
    await chooseLamp(page);
    const remove = page.getByText(texts.edit.abilities.add, { exact: true });
    await remove.waitFor();
    const panel = await page.locator("#panel").boundingBox();
    const from = { x: panel.x + panel.width / 2, y: panel.y + panel.height - 60 };
    const isAtEnd = async () => (await remove.boundingBox()).y + 40 <= panel.y + panel.height;
    // Content that loads later makes the page longer.
    await swipeUp(page, from, async () => {
      const wasAtEnd = await isAtEnd();
      await frames(page, wasAtEnd ? 30 : 0);
      return wasAtEnd && isAtEnd();
    });
    const end = await remove.boundingBox();
    assert.ok(
      end.y > panel.y && end.y + end.height <= panel.y + panel.height,
      `the last field is at ${JSON.stringify(end)}, the panel at ${JSON.stringify(panel)}`,
    );
    const close = page.getByRole("button", { name: texts.shared.close });
    const top = await close.boundingBox();
    assert.ok(top.y >= panel.y - 1 && top.y < panel.y + 40, `Close is at ${JSON.stringify(top)}`);
    await close.tap();
    await page.locator("#panel").waitFor({ state: "hidden", timeout: 5_000 });
  };
  await inView("view=scene", body, PHONE);
});

test("a newcomer sees a hint about moving by touch or by keys, once", { timeout: 30_000 }, async () => {
  const told = (said, other) => async (page) => {
    const hint = page.getByRole("region", { name: texts.hint.title });
    await hint.getByText(said).waitFor();
    assert.equal(await hint.getByText(other).isVisible(), false);
    assert.deepEqual(await wrongs(page), []);
    await page.getByRole("button", { name: texts.hint.gotIt }).click();
    await hint.waitFor({ state: "detached" });
    await page.reload();
    await toolbar(page).waitFor();
    assert.equal(await hint.count(), 0);
  };
  await inView("view=scene", told(texts.hint.walkKeys, texts.hint.pad));
  await inView("view=scene", told(texts.hint.pad, texts.hint.walkKeys), PHONE);
});
