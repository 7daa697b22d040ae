/** Editing in an emulated headset: objects in one hand and in two, with grips and with pinches. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { press } from "./headset.mjs";
import { openBrowser, openScene } from "./served-page.mjs";

let browser;

before(async () => {
  browser = await openBrowser();
});

after(() => browser.close());

const until = (page, what) => page.waitForFunction(what, undefined, { timeout: 20_000 });

/** Runs `body` in edit mode in the headset, with a box ahead and both controllers pointing at it. */
async function building(body) {
  const { page, errors } = await openScene(browser, { query: "?xr" });
  await page.evaluate(async () => {
    const { xr, scene, session, view } = underTest;
    view.setEditMode(true);
    xr.position.set(0, 1.6, 0);
    for (const [side, x] of [
      ["left", -0.2],
      ["right", 0.2],
    ]) {
      for (const one of [xr.controllers[side], xr.hands[side]]) {
        one.position.set(x, 1.3, -0.3);
        one.quaternion.set(0, 0, 0, 1);
      }
    }
    session.put("box", { object_type: "box", position: { x: 0, y: 1.3, z: 0 }, scale: { x: 1, y: 1, z: 1 } });
    await scene.enterVR();
  });
  await until(page, () => underTest.scene.is("vr-mode"));
  await until(page, () => underTest.scene.querySelector('[data-object-id="box"]')?.object3D.children.length > 0);
  // The rays follow in the next frames.
  await until(page, () => {
    const { behaviour } = underTest.scene.querySelector("[stoa-pointer]").components["stoa-pointer"];
    const { Ray } = underTest.aframe.THREE;
    return ["left", "right"].every((side) => behaviour.rayOf(side, new Ray()));
  });
  await body(page);
  assert.deepEqual(errors, []);
  await page.close();
}

const squeeze = (page, side, value) =>
  page.evaluate(([side, value]) => underTest.xr.controllers[side].updateButtonValue("squeeze", value), [side, value]);

const moveHand = (page, side, [x, y, z]) =>
  page.evaluate(([side, x, y, z]) => underTest.xr.controllers[side].position.set(x, y, z), [side, x, y, z]);

const updates = (page) =>
  page.evaluate(() =>
    underTest.session.updates.map(({ objectId, attributes, options }) => ({ objectId, attributes, options })),
  );

const held = (page) =>
  until(page, () => underTest.scene.querySelector("[stoa-edit-gizmo]").components["stoa-edit-gizmo"].behaviour.isHeld);

test("a grip carries and turns the object that it points at, and sends the final pose", {
  timeout: 90_000,
}, async () => {
  await building(async (page) => {
    await squeeze(page, "right", 1);
    await held(page);
    await moveHand(page, "right", [0.5, 1.6, -0.3]);
    await until(page, () => {
      const { x, y } = underTest.scene.querySelector('[data-object-id="box"]').object3D.position;
      return Math.abs(x - 0.3) < 0.02 && Math.abs(y - 1.6) < 0.02;
    });
    await page.evaluate(() => underTest.xr.controllers.right.quaternion.set(0, 0, Math.SQRT1_2, Math.SQRT1_2));
    await until(page, () => {
      const { z } = underTest.scene.querySelector('[data-object-id="box"]').object3D.quaternion;
      return Math.abs(z - Math.SQRT1_2) < 0.02;
    });
    await squeeze(page, "right", 0);
    await until(page, () => underTest.session.updates.some(({ options }) => options.persist === true));
    const { objectId, attributes } = (await updates(page)).at(-1);
    assert.equal(objectId, "box");
    assert.deepEqual(Object.keys(attributes).sort(), ["position", "rotation"]);
    assert.ok(Math.abs(attributes.rotation.z - Math.SQRT1_2) < 0.02, JSON.stringify(attributes));
  });
});

test("the other hand opens the menu during a hold, and a deleted object sends no more poses", {
  timeout: 90_000,
}, async () => {
  await building(async (page) => {
    await page.evaluate(() => {
      const { session, view } = underTest;
      view.setMenu([{ label: "Delete", run: () => session.drop("box") }]);
    });
    await squeeze(page, "left", 1);
    await held(page);
    await press(page, "Menu");
    await held(page);
    await press(page, "Delete");
    await until(page, () => underTest.scene.querySelector('[data-object-id="box"]') === null);
    const before = (await updates(page)).length;
    await moveHand(page, "left", [-0.4, 1.3, -0.3]);
    await squeeze(page, "left", 0);
    await until(
      page,
      () => !underTest.scene.querySelector("[stoa-edit-gizmo]").components["stoa-edit-gizmo"].behaviour.isHeld,
    );
    assert.equal((await updates(page)).length, before);
  });
});

test("two grips that move apart enlarge an object", { timeout: 90_000 }, async () => {
  await building(async (page) => {
    await squeeze(page, "right", 1);
    await held(page);
    await squeeze(page, "left", 1);
    await until(page, () => {
      const { behaviour } = underTest.scene.querySelector("[stoa-edit-gizmo]").components["stoa-edit-gizmo"];
      return behaviour.isHeldTwice;
    });
    await moveHand(page, "right", [0.4, 1.3, -0.3]);
    await moveHand(page, "left", [-0.4, 1.3, -0.3]);
    await until(page, () => underTest.scene.querySelector('[data-object-id="box"]').object3D.scale.x > 1.95);
    for (const side of ["left", "right"]) await squeeze(page, side, 0);
    await until(page, () => underTest.session.updates.some(({ options }) => options.persist === true));
    const { attributes } = (await updates(page)).at(-1);
    assert.ok(Math.abs(attributes.scale.x - 2) < 0.05, JSON.stringify(attributes));
  });
});

test("a tracked hand carries a pinched object, but not a locked one", { timeout: 90_000 }, async () => {
  await building(async (page) => {
    await page.evaluate(() => {
      underTest.xr.primaryInputMode = "hand";
    });
    const pinch = (value) => page.evaluate((value) => underTest.xr.hands.right.updatePinchValue(value), value);
    await until(page, () => {
      const { behaviour } = underTest.scene.querySelector("[stoa-pointer]").components["stoa-pointer"];
      const ray = new underTest.aframe.THREE.Ray();
      return behaviour.aim(ray) === "right";
    });
    await pinch(1);
    await held(page);
    await page.evaluate(() => underTest.xr.hands.right.position.set(0.2, 1.8, -0.3));
    await until(page, () => underTest.scene.querySelector('[data-object-id="box"]').object3D.position.y > 1.7);
    await pinch(0);
    await until(page, () => underTest.session.updates.some(({ options }) => options.persist === true));
    await page.evaluate(() => {
      const { session } = underTest;
      session.put("box", { ...session.objects.get("box").attributes, locked: true });
      session.updates.length = 0;
      underTest.view.select([]);
    });
    await pinch(1);
    await until(page, () => {
      const { selected } = underTest.scene.querySelector("[stoa-edit-gizmo]").components["stoa-edit-gizmo"].behaviour;
      return selected.length === 1;
    });
    assert.equal(
      await page.evaluate(
        () => underTest.scene.querySelector("[stoa-edit-gizmo]").components["stoa-edit-gizmo"].behaviour.isHeld,
      ),
      false,
    );
    await pinch(0);
    assert.deepEqual(await updates(page), []);
  });
});
