/** Somebody in the emulated headset: both hands before them, a ray that presses the buttons of panels. */
import assert from "node:assert/strict";
import { openScene } from "./served-page.mjs";

/** In the headset, at the origin's south, both controllers held before one. `mode`: VR or AR. */
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
  // What is put before one's eyes stands on the floor until the headset has told where they are.
  await until(page, () => {
    const { aframe, scene } = underTest;
    return scene.camera.getWorldPosition(new aframe.THREE.Vector3()).y > 1;
  });
  await body(page);
  assert.deepEqual(errors, []);
  await page.close();
}

/** Lets the headset know a floor: of IWER's own rooms, which are drawn, what a ray needs. Before one enters AR. */
export const knowTheFloor = (page) =>
  page.evaluate(() => {
    underTest.xr.installSEM(
      class {
        environmentCanvas = document.createElement("canvas");
        trackedPlanes = new Set();
        trackedMeshes = new Set();
        render() {}
        /** Where the ray of a matrix meets the floor; nowhere, where it rises. */
        computeHitTestResults(ray) {
          const far = ray[13] / ray[9];
          if (!(far > 0 && far < 100)) return [];
          const at = [ray[12] - ray[8] * far, 0, ray[14] - ray[10] * far, 1];
          return [Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...at)];
        }
      },
    );
  });

/** Waits on a condition in the page. */
export const until = (page, what, argument) => page.waitForFunction(what, argument, { timeout: 20_000 });

/** After so many more render frames. */
export async function frames(page, count) {
  const from = await page.evaluate(() => underTest.scene.renderer.info.render.frame);
  await until(page, ([from, count]) => underTest.scene.renderer.info.render.frame >= from + count, [from, count]);
}

/** Waits until one's own panels have those buttons, panel by panel: each is drawn once its font is there. */
export async function hasPanels(page, wanted) {
  const names = () =>
    [...underTest.scene.querySelectorAll("[stoa-pointer] > [stoa-panel]")].map(
      (el) => el.components["stoa-panel"].behaviour.layout?.buttons.map(({ name }) => name) ?? [],
    );
  await until(page, `JSON.stringify((${names})()) === ${JSON.stringify(JSON.stringify(wanted))}`).catch(async () =>
    assert.deepEqual(await page.evaluate(names), wanted),
  );
}

/** Points the right hand at a button of one's own panels, once it is there, and presses it: with the trigger or a pinch. */
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
