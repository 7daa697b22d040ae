/**
 * ARENA's panels, surroundings, lines, particles, videos and effects in real Chromium. SwiftShader renders, so the
 * tests check state and events.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openScene } from "./served-page.mjs";

let browser;

before(async () => {
  browser = await openBrowser();
});

after(() => browser.close());

/** Opens a scene, runs the test in it, and fails on any error of the page. */
async function inScene(options, body) {
  const { page, errors } = await openScene(browser, options);
  await body(page);
  assert.deepEqual(errors, []);
  await page.close();
}

const PROMPT = {
  object_type: "arenaui-prompt",
  title: "Sure?",
  description: "Press one.",
  buttons: ["Yes", "No"],
  position: { x: 0, y: 1.6, z: 0 },
};

async function putPrompt(page) {
  await page.evaluate((prompt) => underTest.session.put("ask", prompt), PROMPT);
  await page.waitForFunction(() => {
    const el = underTest.scene.querySelector('[data-object-id="ask"]');
    return el?.components["stoa-panel"]?.behaviour.layout && el.getObject3D("stoa-panel");
  });
}

/** The position of a prompt's button, in scene space. */
function buttonPlace(page, name) {
  return page.evaluate((name) => {
    const el = underTest.scene.querySelector('[data-object-id="ask"]');
    const { x, y } = el.components["stoa-panel"].behaviour.layout.buttons.find((one) => one.name === name);
    return [x, y + 1.6, 0.03];
  }, name);
}

/** Counts of GPU resources after a few frames. */
function held(page) {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
    const { geometries, textures } = underTest.scene.renderer.info.memory;
    return { geometries, textures };
  });
}

test("a mouse presses only the button under it", { timeout: 120_000 }, async () => {
  await inScene({}, async (page) => {
    await putPrompt(page);
    const [x, y, z] = await buttonPlace(page, "No");
    const place = await page.evaluate(
      ([x, y, z]) => {
        const { camera, canvas } = underTest.scene;
        const seen = new underTest.aframe.THREE.Vector3(x, y, z).project(camera);
        return { x: ((seen.x + 1) / 2) * canvas.clientWidth, y: ((1 - seen.y) / 2) * canvas.clientHeight };
      },
      [x, y, z],
    );
    await page.mouse.move(place.x, place.y);
    await page.waitForFunction(() => underTest.scene.canvas.style.cursor === "pointer");
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForFunction(() => underTest.session.events.length > 0);
    const events = await page.evaluate(() => underTest.session.events);
    assert.deepEqual(
      events.map(({ type, target, more }) => [type, target, more.buttonName, more.buttonIndex]),
      [["buttonClick", "ask", "No", 1]],
    );
    assert.ok(Math.abs(events[0].targetPosition[2] - 0.03) < 0.02, `hit at ${events[0].targetPosition}`);
  });
});

test("a controller's ray presses a button in immersive VR", { timeout: 120_000 }, async () => {
  await inScene({ query: "?xr" }, async (page) => {
    await putPrompt(page);
    const [x, y] = await buttonPlace(page, "Yes");
    await page.evaluate(
      async ([x, y]) => {
        const { xr, scene } = underTest;
        underTest.heard = [];
        const panel = scene.querySelector('[data-object-id="ask"]');
        for (const type of ["mouseenter", "mousedown"]) {
          panel.addEventListener(type, () => underTest.heard.push(type));
        }
        xr.position.set(0, 1.6, 0);
        xr.controllers.right.position.set(x, y, -0.3);
        // The menu is at the left hand.
        xr.controllers.left.position.set(-1, 1, 0);
        xr.controllers.right.quaternion.set(0, 0, 0, 1);
        await scene.enterVR();
      },
      [x, y],
    );
    await page.waitForFunction(() => underTest.scene.is("vr-mode"));
    const trigger = (value) =>
      page.evaluate((value) => underTest.xr.controllers.right.updateButtonValue("trigger", value), value);
    const heard = (type) => page.waitForFunction((type) => underTest.heard.includes(type), type);
    await heard("mouseenter");
    await trigger(1);
    await heard("mousedown");
    await trigger(0);
    await page.waitForFunction(() => underTest.session.events.some(({ type }) => type === "buttonClick"));
    const [event] = await page.evaluate(() => underTest.session.events.filter(({ type }) => type === "buttonClick"));
    assert.equal(event.more.buttonName, "Yes");
  });
});

test("panels, lines, water, particles and surroundings are drawn, and free their GPU memory", {
  timeout: 120_000,
}, async () => {
  await inScene({}, async (page) => {
    const left = [];
    // The first round fills caches and fonts; the second must leave as many resources as the first.
    for (let round = 0; round < 2; round += 1) {
      await putPrompt(page);
      await page.evaluate(() => {
        const { session } = underTest;
        session.put("line", { object_type: "thickline", lineWidth: 8, path: "-1 1 0, 0 1.5 0, 1 1 0" });
        session.put("sea", { object_type: "ocean", width: 4, depth: 4, position: { x: 0, y: 0, z: -2 } });
        session.put("fire", { object_type: "entity", "spe-particles": { size: 4, velocity: { x: 0, y: 1, z: 0 } } });
        session.put("card", { object_type: "arenaui-card", title: "Hi", body: "there", img: "/store/pic.png" });
        session.put("scene-options", { "env-presets": { preset: "forest" } }, "scene-options");
      });
      await page.waitForFunction(() =>
        ["line", "sea", "fire", "card"].every((id) => {
          const el = underTest.scene.querySelector(`[data-object-id="${id}"]`);
          return el?.object3D.children.length > 0;
        }),
      );
      await held(page);
      await page.evaluate(() => {
        for (const objectId of [...underTest.session.objects.keys()]) underTest.session.drop(objectId);
      });
      left.push(await held(page));
    }
    assert.deepEqual(left[1], left[0]);
  });
});

test("lights of the surroundings replace A-Frame's default lights until they are removed", {
  timeout: 120_000,
}, async () => {
  await inScene({}, async (page) => {
    const lights = () =>
      page.evaluate(async () => {
        for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
        return [...underTest.scene.querySelectorAll("[light]")].map((el) => el.getAttribute("light").type).sort();
      });
    assert.deepEqual(await lights(), ["ambient", "directional"]);
    await page.evaluate(() => {
      underTest.session.put("scene-options", { "env-presets": { preset: "egypt" } }, "scene-options");
    });
    assert.deepEqual(await lights(), ["directional", "hemisphere"]);
    await page.evaluate(() => underTest.session.drop("scene-options"));
    assert.deepEqual(await lights(), ["ambient", "directional"]);
  });
});

test("effects are fetched and drawn when a scene has one, and removed with it", { timeout: 120_000 }, async () => {
  await inScene({}, async (page) => {
    const composed = (wanted) =>
      page.waitForFunction((wanted) => {
        const el = underTest.scene.querySelector("[stoa-picture]");
        return el?.components["stoa-picture"]?.behaviour.isComposed === wanted;
      }, wanted);
    await composed(false);
    for (const effect of ["bloom", "sao", "ssao", "pixel", "glitch", "smaa", "fxaa"]) {
      await page.evaluate((effect) => {
        underTest.session.put("scene-options", { "post-processing": { [effect]: {} } }, "scene-options");
      }, effect);
      await composed(true);
      await held(page);
    }
    await page.evaluate(() => underTest.session.drop("scene-options"));
    await composed(false);
  });
});

test("a video is drawn on a surface from its first frame on", { timeout: 60_000 }, async () => {
  await inScene({}, async (page) => {
    // A video recorded by the page replaces one from the realm.
    const film = await page.evaluate(async () => {
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width: 64, height: 64 });
      const pen = canvas.getContext("2d");
      const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm" });
      const pieces = [];
      recorder.ondataavailable = ({ data }) => pieces.push(data);
      const stopped = new Promise((done) => {
        recorder.onstop = done;
      });
      recorder.start(100);
      // Waits for the encoder's output, which takes more frames on a busy machine.
      const isMade = () => pieces.some(({ size }) => size > 1_000);
      for (let frame = 0; frame < 30 || (frame < 600 && !isMade()); frame += 1) {
        pen.fillStyle = frame % 2 ? "#ff0000" : "#00ff00";
        pen.fillRect(0, 0, 64, 64);
        await new Promise(requestAnimationFrame);
      }
      recorder.stop();
      await stopped;
      return [...new Uint8Array(await new Blob(pieces).arrayBuffer())];
    });
    await page.route("**/store/film.webm", (route) =>
      route.fulfill({ body: Buffer.from(film), contentType: "video/webm" }),
    );
    await page.evaluate(() => {
      underTest.session.put("screen", {
        object_type: "image",
        url: "/store/film.webm",
        position: { x: 0, y: 1.6, z: 0 },
      });
    });
    await page.waitForFunction(() => {
      const map = underTest.scene.querySelector('[data-object-id="screen"]')?.getObject3D("mesh")?.material.map;
      return map?.isVideoTexture && map.image.readyState >= 2;
    });
  });
});
