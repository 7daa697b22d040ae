/** The user's own panels in a headset: the menu and text entry. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { frames, hasPanels, inHeadset, press, until } from "./headset.mjs";
import { openBrowser } from "./served-page.mjs";

let browser;

before(async () => {
  browser = await openBrowser();
});

after(() => browser.close());

const offer = (page) =>
  page.evaluate(() => {
    underTest.chosen = [];
    const entry = (label) => ({ label, run: () => underTest.chosen.push(label) });
    underTest.view.setMenu([entry("Chat"), entry("Help")]);
  });

test("a ray opens the hand's menu and presses an entry in VR and AR, without sending events", {
  timeout: 120_000,
}, async () => {
  for (const mode of ["VR", "AR"]) {
    await inHeadset(
      browser,
      async (page) => {
        await offer(page);
        await press(page, "Menu");
        await press(page, "Help");
        assert.deepEqual(await page.evaluate(() => underTest.chosen), ["Help"]);
        await hasPanels(page, [["Menu"]]);
        assert.deepEqual(await page.evaluate(() => underTest.session.events), []);
        await page.evaluate(() => underTest.scene.exitVR());
        await until(page, () => underTest.scene.querySelector("[stoa-pointer] > [stoa-panel]") === null);
      },
      { mode },
    );
  }
});

test("a tracked hand opens the menu by a pinch, also in edit mode", { timeout: 60_000 }, async () => {
  await inHeadset(browser, async (page) => {
    await offer(page);
    await page.evaluate(() => {
      underTest.xr.primaryInputMode = "hand";
      underTest.view.setEditMode(true);
    });
    await frames(page, 3);
    await press(page, "Menu", "hands");
    await press(page, "Chat", "hands");
    assert.deepEqual(await page.evaluate(() => underTest.chosen), ["Chat"]);
  });
});

test("a controller's upper button opens the menu and closes it", { timeout: 60_000 }, async () => {
  await inHeadset(browser, async (page) => {
    await offer(page);
    const upper = (value) =>
      page.evaluate((value) => underTest.xr.controllers.left.updateButtonValue("y-button", value), value);
    const count = (wanted) =>
      until(
        page,
        (wanted) => underTest.scene.querySelectorAll("[stoa-pointer] > [stoa-panel]").length === wanted,
        wanted,
      );
    await count(1);
    await upper(1);
    await count(2);
    await upper(0);
    await frames(page, 2);
    await upper(1);
    await count(1);
  });
});

test("a controller's lower button is held until it is released, or the headset is left", {
  timeout: 60_000,
}, async () => {
  await inHeadset(browser, async (page) => {
    const lower = (value) =>
      page.evaluate((value) => underTest.xr.controllers.right.updateButtonValue("a-button", value), value);
    const told = (wanted) => until(page, (wanted) => underTest.held.join() === wanted, wanted.join());
    await lower(1);
    await told([true]);
    await lower(0);
    await told([true, false]);
    await lower(1);
    await told([true, false, true]);
    await page.evaluate(() => underTest.scene.exitVR());
    await told([true, false, true, false]);
  });
});

/** The lines of the panel above the keyboard. */
const pageLines = (page) =>
  page.evaluate(() => {
    const panels = [...underTest.scene.querySelectorAll("[stoa-pointer] > [stoa-panel]")];
    const el = panels.find((one) => one.getAttribute("stoa-panel").panel.kind === "page");
    return el.components["stoa-panel"].behaviour.layout.lines.map(({ text }) => text);
  });

async function pressAll(page, names, by) {
  for (const name of names) await press(page, name, by);
}

test("a chat line is typed with rays and sent, below the lines received meanwhile", {
  timeout: 240_000,
}, async () => {
  await inHeadset(browser, async (page) => {
    await page.evaluate(() => {
      underTest.sent = [];
      const request = {
        title: "Chat",
        lines: ["Ada: hello"],
        lengthMax: 100,
        onSend: (text) => underTest.sent.push(text),
      };
      underTest.writing = underTest.view.write(request);
    });
    await pressAll(page, ["Abc", "H", "i", "i", "Delete", "Space", "123", "2"]);
    assert.deepEqual(await pageLines(page), ["Chat", "Ada: hello", "Hi 2_"]);
    await page.evaluate(() => underTest.writing.setLines(["Ada: hello", "Bob: who writes?"]));
    await until(page, () =>
      [...underTest.scene.querySelectorAll("[stoa-pointer] > [stoa-panel]")].some((el) =>
        el.components["stoa-panel"].behaviour.layout?.lines.some(({ text }) => text === "Bob: who writes?"),
      ),
    );
    await press(page, "Send");
    assert.deepEqual(await page.evaluate(() => underTest.sent), ["Hi 2"]);
    assert.deepEqual((await pageLines(page)).at(-1), "_", "the next line can be written");
    await press(page, "Close");
    await hasPanels(page, [["Menu"]]);
    assert.deepEqual(await page.evaluate(() => underTest.session.events), []);
  });
});

const ask = async (page, textinput) => {
  await page.evaluate((textinput) => {
    underTest.session.put("menu", { object_type: "box", position: { x: 0, y: -5, z: 0 }, textinput });
  }, textinput);
  await until(page, () => underTest.scene.querySelector('[data-object-id="menu"]')?.components["stoa-text-input"]);
  await page.evaluate(() => {
    underTest.scene.querySelector('[data-object-id="menu"]').emit("mousedown", { point: [0, 0, 0] }, false);
  });
};

const answers = (page) =>
  page.evaluate(() => underTest.session.events.filter(({ type }) => type === "textinput").map(({ more }) => more.text));

test("tracked hands type the text that an object requests", { timeout: 240_000 }, async () => {
  await inHeadset(browser, async (page) => {
    await page.evaluate(() => {
      underTest.xr.primaryInputMode = "hand";
    });
    await ask(page, { title: "Dish", label: "What would you like?" });
    await pressAll(page, ["t", "e", "a"], "hands");
    assert.deepEqual(await pageLines(page), ["Dish", "What would you like?", "tea_"]);
    await press(page, "Send", "hands");
    assert.deepEqual(await answers(page), ["tea"]);
    await hasPanels(page, [["Menu"]]);
    await ask(page, { title: "Dish" });
    await press(page, "Close", "hands");
    assert.deepEqual(await answers(page), ["tea"], "who closes it gives no answer");
  });
});

test("an object's choice is shown, and leaving the headset sends no answer", {
  timeout: 120_000,
}, async () => {
  await inHeadset(browser, async (page) => {
    await ask(page, { title: "Dish", inputType: "select", inputOptions: ["Soup", "Cake"] });
    await press(page, "Cake");
    assert.deepEqual(await answers(page), ["Cake"]);
    await ask(page, { title: "Another dish", inputType: "radio", inputOptions: ["Soup", "Cake"] });
    await until(page, () => underTest.scene.querySelectorAll("[stoa-pointer] > [stoa-panel]").length === 2);
    await page.evaluate(() => underTest.scene.exitVR());
    await until(page, () => underTest.scene.querySelector("[stoa-pointer] > [stoa-panel]") === null);
    assert.deepEqual(await answers(page), ["Cake"]);
  });
});
