/** A user in the emulated headset: both hands held forward, and a ray that presses buttons of panels. */
import assert from "node:assert/strict";
import { openScene } from "./served-page.mjs";

/** Runs `body` in the headset, south of the origin, with both controllers held forward. `mode`: VR or AR. */
export async function inHeadset(browser, body, { mode = "VR", before = () => undefined } = {}) {
  const { page, errors } = await openScene(browser, { query: "?xr" });
  await before(page);
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
  // Panels in front of the eyes are on the floor until the headset has reported the head pose.
  await until(page, () => {
    const { aframe, scene } = underTest;
    return scene.camera.getWorldPosition(new aframe.THREE.Vector3()).y > 1;
  });
  await body(page);
  assert.deepEqual(errors, []);
  await page.close();
}

/** Gives the headset a floor by the part of IWER's rendered rooms that raycasts need. Call it before entering AR. */
export const knowTheFloor = (page) =>
  page.evaluate(() => {
    underTest.xr.installSEM(
      class {
        environmentCanvas = document.createElement("canvas");
        trackedPlanes = new Set();
        trackedMeshes = new Set();
        render() {}
        /** The intersection of a matrix's ray with the floor; none if the ray points upwards. */
        computeHitTestResults(ray) {
          const far = ray[13] / ray[9];
          if (!(far > 0 && far < 100)) return [];
          const at = [ray[12] - ray[8] * far, 0, ray[14] - ray[10] * far, 1];
          return [Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...at)];
        }
      },
    );
  });

/** Waits for a condition in the page. */
export const until = (page, what, argument) => page.waitForFunction(what, argument, { timeout: 20_000 });

/** Waits for further render frames. */
export async function frames(page, count) {
  const from = await page.evaluate(() => underTest.scene.renderer.info.render.frame);
  await until(page, ([from, count]) => underTest.scene.renderer.info.render.frame >= from + count, [from, count]);
}

/** Waits until the user's own panels have exactly these buttons. A panel is drawn once its font has loaded. */
export async function hasPanels(page, wanted) {
  const names = () =>
    [...underTest.scene.querySelectorAll("[stoa-pointer] > [stoa-panel]")].map(
      (el) => el.components["stoa-panel"].behaviour.layout?.buttons.map(({ name }) => name) ?? [],
    );
  await until(page, `JSON.stringify((${names})()) === ${JSON.stringify(JSON.stringify(wanted))}`).catch(async () =>
    assert.deepEqual(await page.evaluate(names), wanted),
  );
}

/** Waits for a button on the user's own panels, points the right hand at it and presses it, by trigger or pinch. */
export async function press(page, name, by = "controllers") {
  const find = ([name, by]) => {
    const { scene, xr, aframe } = underTest;
    const panels = [...scene.querySelectorAll("[stoa-pointer] > [stoa-panel]")];
    for (const el of panels) {
      const button = el.components["stoa-panel"]?.behaviour.layout?.buttons.find((one) => one.name === name);
      if (!button || !el.getObject3D("stoa-panel")) continue;
      const { THREE } = aframe;
      const rig = el.parentNode.object3D;
      el.object3D.updateWorldMatrix(true, true);
      const at = rig.worldToLocal(el.object3D.localToWorld(new THREE.Vector3(button.x, button.y, 0.03)));
      const { position, quaternion } = xr[by].right;
      const from = new THREE.Vector3(position.x, position.y, position.z);
      const turn = new THREE.Quaternion().setFromRotationMatrix(
        new THREE.Matrix4().lookAt(from, at, new THREE.Vector3(0, 1, 0)),
      );
      quaternion.set(turn.x, turn.y, turn.z, turn.w);
      return true;
    }
    return false;
  };
  await until(page, find, [name, by]);
  await frames(page, 3);
  const squeeze = (value) =>
    page.evaluate(
      ([by, value]) => {
        const hand = underTest.xr[by].right;
        if (by === "hands") hand.updatePinchValue(value);
        else hand.updateButtonValue("trigger", value);
      },
      [by, value],
    );
  await squeeze(1);
  await frames(page, 3);
  await squeeze(0);
  await frames(page, 3);
}
