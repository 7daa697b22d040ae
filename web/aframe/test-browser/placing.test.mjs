/** Placing the scene in the user's room, on the floor in view in AR. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { frames, hasPanels, inHeadset, knowTheFloor, press, until } from "./headset.mjs";
import { openBrowser } from "./served-page.mjs";

let browser;

before(async () => {
  browser = await openBrowser();
});

after(() => browser.close());

/** Position (x, y, z) and heading of the scene's origin in the room. */
const origin = (page) =>
  page.evaluate(() => {
    const { THREE } = underTest.aframe;
    const rig = underTest.scene.querySelector("[stoa-placing]").object3D;
    rig.updateWorldMatrix(true, false);
    const inRoom = rig.matrixWorld.clone().invert();
    const at = new THREE.Vector3().setFromMatrixPosition(inRoom);
    const ahead = new THREE.Vector3(0, 0, -1).transformDirection(inRoom);
    return [at.x, at.y, at.z, Math.atan2(-ahead.x, -ahead.z)].map((value) => Math.round(value * 100) / 100 + 0);
  });

/** Looks down by 45°, with this heading. */
const lookDown = (page, yawRad) =>
  page.evaluate((yawRad) => {
    const { THREE } = underTest.aframe;
    const { x, y, z, w } = new THREE.Quaternion().setFromEuler(new THREE.Euler(-Math.PI / 4, yawRad, 0, "YXZ"));
    underTest.xr.quaternion.set(x, y, z, w);
  }, yawRad);

const ring = (page, isShown) =>
  until(
    page,
    (isShown) => {
      const mark = underTest.scene.querySelector("[stoa-placing]").getObject3D("stoa-placing");
      return (mark?.visible ?? false) === isShown;
    },
    isShown,
  );

/** Waits until the ring is at a position relative to the start. */
const ringAt = (page, x, z) =>
  until(
    page,
    ([x, z]) => {
      const mark = underTest.scene.querySelector("[stoa-placing]").getObject3D("stoa-placing");
      return mark?.visible && Math.hypot(mark.position.x - x, mark.position.z - z) < 0.05;
    },
    [x, z],
  );

const tap = async (page) => {
  const trigger = (value) =>
    page.evaluate((value) => underTest.xr.controllers.right.updateButtonValue("trigger", value), value);
  await trigger(1);
  await frames(page, 3);
  await trigger(0);
  await frames(page, 3);
};

const inRoom = (body) => inHeadset(browser, body, { mode: "AR", before: knowTheFloor });

test("in AR a ring follows the floor in view, a tap places the scene, and the menu repeats it", {
  timeout: 120_000,
}, async () => {
  await inRoom(async (page) => {
    await page.evaluate(() => {
      const { view } = underTest;
      view.setMenu([{ label: "Place", may: () => view.mayPlace(), run: () => view.placeInRoom() }]);
    });
    await until(page, () => underTest.scene.querySelectorAll("[stoa-pointer] > [stoa-panel]").length === 2);
    await hasPanels(page, [["Menu"], ["Leave it"]]);
    await lookDown(page, 0);
    await ringAt(page, 0, -1.6);
    await tap(page);
    assert.deepEqual(await origin(page), [0, 0, -1.6, 0], "as far ahead as the eyes are high");
    await ring(page, false);
    await hasPanels(page, [["Menu"]]);
    await tap(page);
    assert.deepEqual(await origin(page), [0, 0, -1.6, 0], "another tap is an ordinary one");
    await press(page, "Menu");
    await press(page, "Place");
    await lookDown(page, Math.PI / 2);
    await ringAt(page, -1.6, 0);
    await tap(page);
    assert.deepEqual(await origin(page), [-1.6, 0, 0, 1.57], "to the left, seen from its front");
  });
});

test("looking up offers no place to tap, and a button keeps the scene in place", {
  timeout: 60_000,
}, async () => {
  await inRoom(async (page) => {
    const before = await origin(page);
    await until(page, () => underTest.scene.querySelectorAll("[stoa-pointer] > [stoa-panel]").length === 2);
    await ring(page, false);
    await tap(page);
    assert.deepEqual(await origin(page), before);
    await hasPanels(page, [["Menu"], ["Leave it"]]);
    await press(page, "Leave it");
    assert.deepEqual(await origin(page), before);
    await hasPanels(page, [["Menu"]]);
  });
});

test("without floor detection and in VR, the scene keeps its place and shows no hint", {
  timeout: 60_000,
}, async () => {
  await inHeadset(
    browser,
    async (page) => {
      await frames(page, 10);
      await hasPanels(page, [["Menu"]]);
      assert.equal(await page.evaluate(() => underTest.view.mayPlace()), false);
    },
    { mode: "AR" },
  );
  await inHeadset(
    browser,
    async (page) => {
      await frames(page, 10);
      await hasPanels(page, [["Menu"]]);
    },
    { before: knowTheFloor },
  );
});

test("a scene with ar-hit-test keeps the ring and receives presses on surfaces", { timeout: 60_000 }, async () => {
  await inRoom(async (page) => {
    await page.evaluate(() => {
      const options = { "scene-options": { "ar-hit-test": { enabled: true, src: "static/images/reticle-gray.png" } } };
      underTest.session.put("scene-options", options, "scene-options");
    });
    await press(page, "Leave it");
    await page.evaluate(() => underTest.xr.controllers.right.quaternion.set(0, 0, 0, 1));
    await lookDown(page, 0);
    await ring(page, true);
    await tap(page);
    const events = await page.evaluate(() => underTest.session.events);
    assert.deepEqual(
      events.map(({ type }) => type),
      ["hitstart", "hitend"],
    );
    // The room's origin is the user's start, 3 m in front of the scene's origin.
    assert.deepEqual(
      events[0].targetPosition.map((value) => Math.round(value * 10) / 10),
      [0, 0, 1.4],
    );
    assert.deepEqual(Object.keys(events[0].more.targetRotation), ["x", "y", "z", "w"]);
  });
});
