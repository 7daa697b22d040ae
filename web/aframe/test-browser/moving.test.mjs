/** Locomotion in an emulated headset: sticks, teleports, tracked hands, pass-through. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openScene } from "./served-page.mjs";

let browser;

before(async () => {
  browser = await openBrowser();
});

after(() => browser.close());

/** Runs `body` in the headset, south of the origin, with both controllers held forward. */
async function inHeadset(body, mode = "VR") {
  const { page, errors } = await openScene(browser, { query: "?xr" });
  await page.evaluate(async (mode) => {
    const { xr, scene } = underTest;
    xr.position.set(0, 1.6, 0);
    for (const [side, x] of [
      ["left", -0.2],
      ["right", 0.2],
    ]) {
      xr.controllers[side].position.set(x, 1.3, -0.3);
      xr.controllers[side].quaternion.set(0, 0, 0, 1);
      xr.hands[side].position.set(x, 1.3, -0.3);
      xr.hands[side].quaternion.set(0, 0, 0, 1);
    }
    await (mode === "VR" ? scene.enterVR() : scene.enterAR());
  }, mode);
  await page.waitForFunction((state) => underTest.scene.is(state), mode === "VR" ? "vr-mode" : "ar-mode");
  await body(page);
  assert.deepEqual(errors, []);
  await page.close();
}

const rig = (page) =>
  page.evaluate(() => {
    const { position, rotation } = underTest.scene.querySelector("[stoa-locomotion]").object3D;
    return { x: position.x, y: position.y, z: position.z, yaw: rotation.y };
  });

const stick = (page, side, x, y) =>
  page.evaluate(([side, x, y]) => underTest.xr.controllers[side].updateAxes("thumbstick", x, y), [side, x, y]);

const until = (page, what) => page.waitForFunction(what, undefined, { timeout: 20_000 });

test("the left stick walks, the right stick turns by a step and teleports to the end of its arc", {
  timeout: 60_000,
}, async () => {
  await inHeadset(async (page) => {
    await stick(page, "left", 0, -1);
    await until(page, () => underTest.scene.querySelector("[stoa-locomotion]").object3D.position.z < 2.8);
    await stick(page, "left", 0, 0);
    await stick(page, "right", 1, 0);
    await until(page, () => underTest.scene.querySelector("[stoa-locomotion]").object3D.rotation.y < -0.4);
    await stick(page, "right", 0, 0);
    assert.ok(Math.abs((await rig(page)).yaw + Math.PI / 6) < 0.01, "one step of 30 degrees");
    await stick(page, "right", 0, -1);
    await until(page, () => underTest.scene.object3D.getObjectByName("stoa-arc")?.visible);
    const before = await rig(page);
    await stick(page, "right", 0, 0);
    await until(page, () => underTest.scene.object3D.getObjectByName("stoa-arc")?.visible === false);
    const { x, y, z } = await rig(page);
    assert.ok(Math.hypot(x - before.x, z - before.z) > 2, `jumped from ${before.x} ${before.z} to ${x} ${z}`);
    assert.ok(Math.abs(y) < 0.01, "onto the floor");
  });
});

test("a pinch presses the object pointed at, or teleports if there is none", {
  timeout: 60_000,
}, async () => {
  await inHeadset(async (page) => {
    await page.evaluate(() => {
      const { session, xr } = underTest;
      xr.primaryInputMode = "hand";
      const place = { position: { x: 0.2, y: 1.3, z: 0 }, scale: { x: 1, y: 1, z: 1 } };
      session.put("button", { object_type: "box", ...place, "click-listener": { enabled: true, bubble: true } });
    });
    await until(page, () => underTest.session.events.some(({ type }) => type === "mouseenter"));
    await page.evaluate(() => underTest.xr.hands.right.updatePinchValue(1));
    await until(page, () => underTest.session.events.some(({ type }) => type === "mousedown"));
    await page.evaluate(() => underTest.xr.hands.right.updatePinchValue(0));
    await until(page, () => underTest.session.events.some(({ type }) => type === "mouseup"));
    assert.ok(await page.evaluate(() => underTest.session.hands.some(({ side, pose }) => side === "right" && pose)));
    await page.evaluate(() => underTest.session.drop("button"));
    await until(page, () => !underTest.scene.querySelector('[data-object-id="button"]'));
    const before = await rig(page);
    await page.evaluate(() => underTest.xr.hands.right.updatePinchValue(1));
    await until(page, () => underTest.scene.object3D.getObjectByName("stoa-arc")?.visible);
    await page.evaluate(() => underTest.xr.hands.right.updatePinchValue(0));
    await until(page, () => underTest.scene.object3D.getObjectByName("stoa-arc")?.visible === false);
    const { x, z } = await rig(page);
    assert.ok(Math.hypot(x - before.x, z - before.z) > 2, `jumped from ${before.x} ${before.z} to ${x} ${z}`);
  });
});

test("pass-through hides sky and ground unless the scene forbids it, and restores them afterwards", {
  timeout: 60_000,
}, async () => {
  await inHeadset(async (page) => {
    const isShown = (wanted) =>
      page.waitForFunction(
        (wanted) => {
          const el = underTest.scene.querySelector("[stoa-environment]");
          return (el.object3D.visible && el.getObject3D("stoa-surroundings").visible) === wanted;
        },
        wanted,
        { timeout: 20_000 },
      );
    const options = (hideInAR) =>
      page.evaluate((hideInAR) => {
        const surroundings = { "env-presets": { preset: "forest", hideInAR }, "scene-options": { originMarker: true } };
        underTest.session.put("scene-options", surroundings, "scene-options");
      }, hideInAR);
    await isShown(false);
    assert.ok(Math.abs((await rig(page)).y) < 0.01, "the scene stands on the room's floor");
    await options(false);
    await isShown(true);
    await options(true);
    await isShown(false);
    const origin = await page.evaluate(() => {
      const el = underTest.scene.querySelector("[stoa-origin]");
      return el.object3D.visible && el.getObject3D("stoa-origin").visible;
    });
    assert.equal(origin, true, "in a room the origin's mark is of use");
    await page.evaluate(() => underTest.scene.exitVR());
    await isShown(true);
  }, "AR");
});

/** Adds a seat ahead of the user and sits down on it. */
async function sitDown(page) {
  await page.evaluate(() => {
    const seat = {
      object_type: "box",
      position: { x: 0, y: 1.2, z: 0 },
      seat: { offsetPosition: { x: 0, y: -0.7, z: 0 } },
    };
    underTest.session.put("chair", seat);
  });
  await until(page, () => underTest.scene.querySelector('[data-object-id="chair"]')?.components?.["stoa-seat"]);
  const middle = await page.evaluate(() => {
    const { width, height } = underTest.scene.canvas.getBoundingClientRect();
    return [width / 2, height / 2];
  });
  await page.mouse.move(...middle);
  await until(page, () => underTest.scene.canvas.style.cursor === "pointer");
  await page.mouse.down();
  await page.mouse.up();
  await until(page, () => Math.abs(underTest.session.cameras.at(-1)?.position[1] - 1.25) < 0.01);
}

const stands = (page) => until(page, () => Math.abs(underTest.session.cameras.at(-1)?.position[1] - 1.6) < 0.01);

test("a press sits on a seat, and walking leaves it", { timeout: 60_000 }, async () => {
  const { page, errors } = await openScene(browser, {});
  await sitDown(page);
  await page.keyboard.down("KeyW");
  await stands(page);
  await page.keyboard.up("KeyW");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a person stands up when the seat is removed or loses its component", { timeout: 60_000 }, async () => {
  const { page, errors } = await openScene(browser, {});
  await sitDown(page);
  await page.evaluate(() => underTest.session.put("chair", { object_type: "box", position: { x: 0, y: 1.2, z: 0 } }));
  await stands(page);
  await sitDown(page);
  await page.evaluate(() => underTest.session.drop("chair"));
  await stands(page);
  assert.deepEqual(errors, []);
  await page.close();
});

test("walking stays on the navigation mesh", { timeout: 60_000 }, async () => {
  const { page, errors } = await openScene(browser, {});
  const floor = () =>
    underTest.scene.querySelector("[stoa-locomotion]").components["stoa-locomotion"].behaviour.floor.constructor.name;
  const open = await page.evaluate(floor);
  await page.evaluate(() => {
    underTest.session.put("scene-options", { "scene-options": { navMesh: "/store/triangle.gltf" } }, "scene-options");
  });
  await page.waitForFunction(
    (open) =>
      underTest.scene.querySelector("[stoa-locomotion]").components["stoa-locomotion"].behaviour.floor.constructor
        .name !== open,
    open,
    { timeout: 20_000 },
  );
  await page.evaluate(() => underTest.session.put("scene-options", {}, "scene-options"));
  await page.waitForFunction(
    (open) =>
      underTest.scene.querySelector("[stoa-locomotion]").components["stoa-locomotion"].behaviour.floor.constructor
        .name === open,
    open,
  );
  assert.deepEqual(errors, []);
  await page.close();
});

test("a program moves and turns the camera, and sends the user to a spot", {
  timeout: 60_000,
}, async () => {
  const { page, errors } = await openScene(browser, {});
  const order = (attributes) =>
    page.evaluate(
      (attributes) => underTest.session.tell("cameraOrder", { type: "camera-override", attributes }),
      attributes,
    );
  await page.waitForFunction(() => underTest.session.cameras.length > 0);
  await order({ object_type: "camera", position: { x: 2, y: 4, z: 2 }, rotation: { x: -30, y: 90, z: 0 } });
  await until(page, () => {
    const { position, rotation } = underTest.session.cameras.at(-1);
    const { Quaternion, Euler } = underTest.aframe.THREE;
    const { x, y } = new Euler().setFromQuaternion(new Quaternion(...rotation), "YXZ");
    const isThere = Math.hypot(position[0] - 2, position[1] - 4, position[2] - 2) < 0.01;
    return isThere && Math.abs(x + Math.PI / 6) < 0.01 && Math.abs(y - Math.PI / 2) < 0.01;
  });
  await page.evaluate(() => {
    underTest.session.put("door", {
      ...{ object_type: "box", position: { x: -6, y: 0.5, z: 0 } },
      landmark: { label: "Door", offsetPosition: { x: 0, y: 1.1, z: 3 } },
    });
  });
  await until(page, () => underTest.scene.querySelector('[data-object-id="door"]')?.getObject3D?.("mesh"));
  await order({ object_type: "teleport-to-landmark", landmarkObj: "door" });
  await until(page, () => {
    const { position } = underTest.session.cameras.at(-1);
    return Math.hypot(position[0] + 6, position[1] - 1.6, position[2] - 3) < 0.01;
  });
  assert.deepEqual(errors, []);
  await page.close();
});

test("scene options show the origin and make all objects clickable", { timeout: 60_000 }, async () => {
  const { page, errors } = await openScene(browser, {});
  await page.evaluate(() => {
    underTest.session.put("plain", { object_type: "box", position: { x: 0, y: 1.6, z: 0 } });
    const options = { originMarker: true, clickableOnlyEvents: false };
    underTest.session.put("scene-options", { "scene-options": options }, "scene-options");
  });
  await until(page, () => underTest.scene.querySelector("[stoa-origin]")?.getObject3D?.("stoa-origin"));
  const { width, height } = page.viewportSize();
  await page.mouse.move(width / 2, height / 2);
  await until(page, () =>
    underTest.session.events.some(({ type, target }) => type === "mouseenter" && target === "plain"),
  );
  await page.evaluate(() => underTest.session.put("scene-options", {}, "scene-options"));
  await until(page, () => !underTest.scene.querySelector("[stoa-origin]").getObject3D("stoa-origin"));
  await until(page, () => !underTest.scene.querySelector('[data-object-id="plain"]').hasAttribute("stoa-clickable"));
  assert.deepEqual(errors, []);
  await page.close();
});

/** A ball that floats ahead of the user, simulated by this page. */
async function floatingBall(page) {
  await page.evaluate(() => {
    const { session } = underTest;
    session.held.add("stoa-physics");
    const physics = { enabled: true, gravity: { x: 0, y: 0, z: 0 } };
    session.put("scene-options", { "scene-options": { physics } }, "scene-options");
    session.put("ball", {
      ...{ object_type: "sphere", radius: 0.3, position: { x: 0, y: 1.6, z: 0 } },
      ...{ "physx-body": { type: "dynamic" }, "physx-grabbable": true, "click-listener": true },
    });
    underTest.ball = () => underTest.scene.querySelector('[data-object-id="ball"]').object3D.position;
  });
  await until(page, () =>
    underTest.scene.querySelector("[stoa-physics]").components["stoa-physics"].behaviour.moves("ball"),
  );
}

test("the mouse grabs, moves and throws a body", { timeout: 90_000 }, async () => {
  const { page, errors } = await openScene(browser, {});
  await floatingBall(page);
  await page.mouse.move(320, 200);
  await until(page, () => underTest.scene.canvas.style.cursor === "pointer");
  await page.mouse.down();
  await page.mouse.move(420, 200, { steps: 5 });
  await until(page, () => underTest.ball().x > 0.4);
  await page.mouse.up();
  const { x } = await page.evaluate(() => ({ ...underTest.session.cameras.at(-1).rotation }));
  assert.ok(Math.abs(x ?? 0) < 0.001, "the view stays as it was");
  const said = await page.evaluate(() => underTest.session.events.map(({ type }) => type));
  for (const type of ["mousedown", "physx-grabstart", "physx-grabend", "mouseup"])
    assert.ok(said.includes(type), said.join());
  assert.deepEqual(errors, []);
  await page.close();
});

test("a controller grabs and turns a distant body", { timeout: 90_000 }, async () => {
  await inHeadset(async (page) => {
    await floatingBall(page);
    // The user is 3 m south of the origin, and the ball is ahead of the right controller.
    await page.evaluate(() => underTest.xr.controllers.right.position.set(0, 1.6, -0.3));
    await until(page, () => underTest.session.events.some(({ type }) => type === "mouseenter"));
    await page.evaluate(() => underTest.xr.controllers.right.updateButtonValue("trigger", 1));
    await until(page, () => underTest.session.events.some(({ type }) => type === "physx-grabstart"));
    await page.evaluate(() => underTest.xr.controllers.right.position.set(0.8, 1.2, -0.3));
    await until(page, () => underTest.ball().x > 0.7 && underTest.ball().y < 1.3);
    await page.evaluate(() => underTest.xr.controllers.right.updateButtonValue("trigger", 0));
    await until(page, () => underTest.session.events.some(({ type }) => type === "physx-grabend"));
  });
});

test("with click-to-move, a click on the floor moves the user, and a drag only turns the view", {
  timeout: 60_000,
}, async () => {
  const { page, errors } = await openScene(browser, {});
  await page.waitForFunction(() => underTest.session.cameras.length > 0);
  await page.evaluate(() => {
    underTest.view.setComfort({ speed: 3, turn: "snap", angle: 30, vignette: 0, raise: 0, jump: true });
  });
  await page.mouse.move(320, 300);
  await page.mouse.down();
  await page.mouse.move(420, 300, { steps: 4 });
  await page.mouse.up();
  const before = await rig(page);
  assert.ok(Math.abs(before.z - 3) < 0.01, "a drag looks around");
  await page.mouse.move(320, 300);
  await page.mouse.down();
  await page.mouse.up();
  await until(page, () => {
    const { position } = underTest.scene.querySelector("[stoa-locomotion]").object3D;
    return Math.hypot(position.x, position.z - 3) > 0.5;
  });
  assert.ok(Math.abs((await rig(page)).y) < 0.01, "on the floor");
  assert.deepEqual(errors, []);
  await page.close();
});
