/**
 * The components in real Chromium with a fake session. SwiftShader renders, so the tests check state and events,
 * never frame rates.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openScene } from "./served-page.mjs";

const PRIMITIVES = [
  ...["box", "sphere", "cylinder", "cone", "circle", "plane", "ring", "torus", "torusKnot", "tetrahedron"],
  ...["octahedron", "dodecahedron", "icosahedron", "triangle", "capsule", "roundedbox"],
];

let browser;

before(async () => {
  browser = await openBrowser();
});

after(() => browser.close());

/** Opens a scene, runs the test in it, and fails on any error of the page or request to another host. */
async function inScene(options, body) {
  const { page, requests, errors } = await openScene(browser, options);
  await body(page);
  assert.deepEqual(errors, []);
  assert.deepEqual(
    requests.filter((url) => !url.startsWith(browser.address) && !/^(data|blob):/.test(url)),
    [],
    "an address outside of the realm was asked for",
  );
  await page.close();
  return requests;
}

/** Adds a clickable box straight ahead and waits until it is drawn. */
async function putButton(page) {
  await page.evaluate(() => {
    underTest.session.put("button", {
      object_type: "box",
      position: { x: 0, y: 1.6, z: 0 },
      "click-listener": { enabled: true, bubble: true },
    });
  });
  await page.waitForFunction(() => {
    const button = underTest.scene.querySelector('[data-object-id="button"]');
    return button?.getObject3D("mesh") && button.components["stoa-clickable"];
  });
}

const eventTypes = (page) => page.evaluate(() => underTest.session.events.map((event) => event.type));

test("each primitive is drawn, and freed after its removal", { timeout: 30_000 }, async () => {
  const requests = await inScene({}, async (page) => {
    const counts = () =>
      page.evaluate(() => ({
        entities: underTest.scene.querySelectorAll("[data-object-id]").length,
        geometries: underTest.scene.renderer.info.memory.geometries,
        textures: underTest.scene.renderer.info.memory.textures,
      }));
    const drawn = (wanted) =>
      page.waitForFunction(
        (wanted) =>
          [...underTest.scene.querySelectorAll("[data-object-id]")].filter((el) => el.object3D.children.length > 0)
            .length === wanted,
        wanted,
      );
    // The first round fills A-Frame's caches and the fonts; the second must leave as many resources as the first.
    const left = [];
    for (let round = 0; round < 2; round += 1) {
      await page.evaluate((primitives) => {
        primitives.forEach((object_type, at) => {
          const position = { x: ((at % 8) - 3.5) * 1.3, y: at < 8 ? 2.7 : 1.4, z: -1 };
          const color = ["#e63946", "#457b9d", "#2a9d8f", "#e9c46a"][at % 4];
          const scale = { x: 0.45, y: 0.45, z: 0.45 };
          underTest.session.put(object_type, { object_type, position, scale, material: { color } });
        });
        const sign = {
          object_type: "text",
          value: "Grüße, Ελλάδα",
          color: "#111827",
          position: { x: 0, y: 3.8, z: -1 },
        };
        underTest.session.put("sign", { ...sign, align: "center" });
        underTest.session.put("line", {
          object_type: "line",
          start: { x: -1, y: 1, z: 0 },
          end: { x: 1, y: 1, z: 0 },
        });
        underTest.session.put("sun", { object_type: "light", type: "point", position: { x: 0, y: 3, z: 2 } });
        underTest.session.put("odd", { object_type: "gaussian_splatting", src: "#nothing" });
      }, PRIMITIVES);
      await drawn(PRIMITIVES.length + 3);
      assert.equal((await counts()).entities, PRIMITIVES.length + 4);
      if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
      await page.evaluate(() => {
        for (const objectId of [...underTest.session.objects.keys()]) underTest.session.drop(objectId);
      });
      await drawn(0);
      // Shapes that stay for a while are drawn in one call; `stoa-batches` looks later whether any are left.
      await page.waitForFunction(() => !underTest.scene.object3D.children.some((child) => "isBatchedMesh" in child));
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      left.push(await counts());
    }
    assert.equal(left[0].entities, 0);
    assert.deepEqual(left[1], left[0]);
  });
  assert.ok(
    requests.some((url) => url.includes("Roboto-sdf")),
    "negative control: the probe sees the requests there are",
  );
});

test("a model and a picture are loaded from the server, and freed after their removal", {
  timeout: 20_000,
}, async () => {
  const requests = await inScene({}, async (page) => {
    const left = await page.evaluate(async () => {
      const { session, scene } = underTest;
      const frames = async (count) => {
        for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
      };
      const counts = [];
      for (let round = 0; round < 2; round += 1) {
        const loaded = new Promise((done) => scene.addEventListener("model-loaded", done, { once: true }));
        session.put("model", {
          object_type: "gltf-model",
          url: "/store/triangle.gltf",
          position: { x: 0, y: 1.6, z: 0 },
        });
        session.put("wrong", { object_type: "gltf-model", url: "javascript:alert(1)" });
        session.put("far", { object_type: "image", url: "data:image/png;base64,AAAA" });
        session.put("order", { object_type: "image", url: "/user/v2/logout" });
        await loaded;
        await frames(4);
        for (const id of ["model", "wrong", "far", "order"]) session.drop(id);
        await frames(4);
        counts.push(scene.renderer.info.memory.geometries);
      }
      return counts;
    });
    assert.equal(left[1], left[0]);
  });
  assert.ok(requests.some((url) => url.endsWith("/triangle.bin")));
  assert.ok(!requests.some((url) => url.includes("/user/")), "of the realm only files are loaded");
});

test("an image shows with material-extras, and dispose emits stoa-ended", {
  timeout: 20_000,
}, async () => {
  await inScene({}, async (page) => {
    await page.evaluate(() => {
      const image = { object_type: "image", url: "/store/pic.png", position: { x: 0, y: 1.6, z: 0 } };
      underTest.session.put("pic", { ...image, "material-extras": { renderOrder: 2 } });
    });
    await page.waitForFunction(() => {
      const mesh = underTest.scene.querySelector('[data-object-id="pic"]')?.getObject3D("mesh");
      return mesh?.renderOrder === 2 && mesh.material.map?.image?.width > 0;
    });
    const isOver = await page.evaluate(() => {
      let isOver = false;
      underTest.scene.addEventListener("stoa-ended", () => {
        isOver = true;
      });
      underTest.view.dispose();
      return isOver;
    });
    assert.ok(isOver);
  });
});

test("the motion plane moves an object whose parent is empty", { timeout: 20_000 }, async () => {
  await inScene({}, async (page) => {
    await page.evaluate(() => underTest.session.put("cart", { object_type: "box", parent: "" }));
    await page.waitForFunction(() => {
      underTest.session.motion.move("object", "cart", performance.now(), [2, 1, 0, 0, 0, 0, 1]);
      return underTest.scene.querySelector('[data-object-id="cart"]')?.object3D.position.x > 1.9;
    });
  });
});

test("a person moves smoothly, and is freed after leaving", { timeout: 20_000 }, async () => {
  await inScene({}, async (page) => {
    const places = await page.evaluate(async () => {
      const { clock, session, scene } = underTest;
      const seen = [];
      for (clock.ms = 0; clock.ms <= 1_500; clock.ms += 25) {
        const pose = { position: [clock.ms / 1_000, 1.6, -1], rotation: [0, 0, 0, 1] };
        if (clock.ms % 100 === 0) session.person("ada", pose);
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        seen.push(scene.querySelector('[data-id-tag="ada"]').object3D.position.x);
      }
      clock.ms = null;
      return seen;
    });
    for (let at = 1; at < places.length; at += 1) {
      const step = places[at] - places[at - 1];
      assert.ok(step >= -0.001 && step < 0.06, `from ${places[at - 1]} to ${places[at]} in 25 ms`);
    }
    assert.ok(Math.abs(places.at(-1) - 1.35) < 0.03, `150 ms behind 1.5 m is not ${places.at(-1)}`);
    const left = await page.evaluate(() => {
      underTest.session.leave("ada");
      return underTest.scene.querySelectorAll("[stoa-avatar]").length;
    });
    assert.equal(left, 0);
  });
});

test("the nearest people are entities and all further ones a crowd, also after moving", {
  timeout: 60_000,
}, async () => {
  await inScene({}, async (page) => {
    const shown = () =>
      page.evaluate(() => {
        const { scene } = underTest;
        const near = [...scene.querySelectorAll("[data-id-tag]")].filter((el) => el.object3D.visible);
        const crowd = scene.querySelector("[stoa-crowd]").components["stoa-crowd"].behaviour;
        return { near: near.map((el) => el.dataset.idTag).sort(), far: crowd.count };
      });
    const settled = (first) =>
      page.waitForFunction(
        (first) => {
          const { scene, session } = underTest;
          for (let at = 0; at < 100; at += 1) {
            const pose = [at % 10, 1.6, -Math.floor(at / 10) * 4, 0, 0, 0, 1];
            session.motion.move("head", `p_${at}`, performance.now(), pose);
          }
          const near = [...scene.querySelectorAll("[data-id-tag]")].filter((el) => el.object3D.visible);
          const crowd = scene.querySelector("[stoa-crowd]").components["stoa-crowd"].behaviour;
          return near.length === 24 && crowd.count === 76 && near.some((el) => el.dataset.idTag === first);
        },
        first,
        { timeout: 50_000 },
      );
    await settled("p_0");
    if (process.env.SCREENSHOT_CROWD) await page.screenshot({ path: process.env.SCREENSHOT_CROWD });
    await page.evaluate(() => {
      underTest.scene.camera.el.object3D.parent.position.set(5, 0, -36);
    });
    await settled("p_95");
    await page.evaluate(() => {
      for (let at = 0; at < 100; at += 1) underTest.session.motion.lose("head", `p_${at}`);
    });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.deepEqual(await shown(), { near: [], far: 0 });
  });
});

test("a person of the motion plane has the look of its messages, and is drawn once", { timeout: 20_000 }, async () => {
  await inScene({}, async (page) => {
    const seen = await page.evaluate(async () => {
      const { session, scene } = underTest;
      const frames = async (count) => {
        for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
      };
      session.motion.enter("head", "ada");
      // A snapshot without her doesn't remove her.
      session.reset({});
      session.motion.move("head", "ada", performance.now(), [2, 1.6, 0, 0, 0, 0, 1]);
      await frames(4);
      const alone = scene.querySelector('[data-id-tag="ada"]')?.object3D.position.x;
      session.person("ada", { position: [9, 1.6, 0], rotation: [0, 0, 0, 1] });
      await frames(4);
      const heads = [...scene.querySelectorAll("[stoa-avatar]")];
      const { x } = heads[0].object3D.position;
      const name = heads[0].getAttribute("stoa-avatar").name;
      session.motion.lose("head", "ada");
      session.person("ada", { position: [3, 1.6, 0], rotation: [0, 0, 0, 1] });
      // Waits as long as needed: frames are rare under software rendering.
      for (let frame = 0; frame < 200 && Math.abs(heads[0].object3D.position.x - 3) >= 0.01; frame += 1)
        await frames(1);
      return { alone, count: heads.length, x, name, after: heads[0].object3D.position.x };
    });
    assert.equal(seen.alone, 2, "she is there before any message tells of her");
    assert.equal(seen.count, 1);
    assert.equal(seen.x, 2, "messages do not move whom the plane moves");
    assert.notEqual(seen.name, "");
    assert.ok(Math.abs(seen.after - 3) < 0.01, `then messages do: ${seen.after}`);
  });
});

test("the name of a speaker has a green border", { timeout: 20_000 }, async () => {
  await inScene({}, async (page) => {
    const borders = await page.evaluate(async () => {
      const { session, scene, view } = underTest;
      session.person("ada", { position: [0, 1.6, 0], rotation: [0, 0, 0, 1] });
      const head = scene.querySelector('[data-id-tag="ada"]');
      while (!head.getObject3D?.("stoa-name")) await new Promise(requestAnimationFrame);
      const border = () => {
        const { image } = head.getObject3D("stoa-name").material.map;
        return [...image.getContext("2d").getImageData(image.width / 2, 5, 1, 1).data].slice(0, 3);
      };
      const silent = border();
      view.setSpeaking(new Set(["ada"]));
      const speaks = border();
      view.setSpeaking(new Set());
      return [silent, speaks, border()];
    });
    if (process.env.SCREENSHOT_SPEAKER) {
      await page.evaluate(() => underTest.view.setSpeaking(new Set(["ada"])));
      await page.screenshot({ path: process.env.SCREENSHOT_SPEAKER });
    }
    const [silent, speaks, after] = borders;
    assert.deepEqual(speaks, [0x4a, 0xde, 0x80]);
    assert.notDeepEqual(silent, speaks);
    assert.deepEqual(after, silent);
  });
});

test("a mouse click on an object is sent as events with positions", { timeout: 20_000 }, async () => {
  await inScene({}, async (page) => {
    await putButton(page);
    await page.mouse.move(320, 200);
    await page.waitForFunction(() => underTest.scene.canvas.style.cursor === "pointer");
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.move(20, 20);
    await page.waitForFunction(() => underTest.session.events.length >= 4);
    assert.deepEqual(await eventTypes(page), ["mouseenter", "mousedown", "mouseup", "mouseleave"]);
    const [, press] = await page.evaluate(() => underTest.session.events);
    assert.equal(press.target, "button");
    assert.equal(press.source, "camera");
    assert.ok(Math.abs(press.targetPosition[2] - 0.5) < 0.01, `hit at ${press.targetPosition}`);
    assert.ok(Math.abs(press.originPosition[2] - 3) < 0.01, `from ${press.originPosition}`);
  });
});

test("a tap on a phone is a click", { timeout: 20_000 }, async () => {
  const phone = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };
  await inScene(phone, async (page) => {
    await putButton(page);
    await page.touchscreen.tap(195, 350);
    await page.waitForFunction(() => underTest.session.events.some((event) => event.type === "mouseup"));
    const types = await eventTypes(page);
    assert.ok(types.includes("mousedown"), types.join());
  });
});

test("an object is chosen and dragged over the ground in edit mode", { timeout: 20_000 }, async () => {
  await inScene({}, async (page) => {
    await putButton(page);
    await page.evaluate(() => {
      underTest.selections = [];
      underTest.scene.addEventListener("stoa-select", (event) => underTest.selections.push(event.detail.objectId));
      underTest.view.setEditMode(true);
    });
    await page.mouse.move(320, 220);
    await page.mouse.down();
    await page.mouse.move(370, 230, { steps: 5 });
    await page.mouse.up();
    const { selections, updates, events, yaw } = await page.evaluate(() => ({
      selections: underTest.selections,
      updates: underTest.session.updates,
      events: underTest.session.events.filter((event) => event.type === "mousedown"),
      yaw: underTest.scene.camera.el.object3D.rotation.y,
    }));
    assert.deepEqual(selections, ["button"]);
    assert.deepEqual(events, [], "an edit is no click");
    assert.equal(yaw, 0, "the drag turned the head as well");
    const last = updates.at(-1);
    assert.equal(last.objectId, "button");
    assert.equal(last.options.persist, true);
    assert.ok(last.attributes.position.x > 0.1, `moved to ${JSON.stringify(last.attributes.position)}`);
    assert.equal(last.attributes.position.y, 1.6);
    assert.ok(updates.slice(0, -1).every((update) => update.options.persist === false));
  });
});

test("an object moved by another person glides, and a grab stops the glide", {
  timeout: 20_000,
}, async () => {
  await inScene({}, async (page) => {
    await putButton(page);
    const seen = await page.evaluate(async () => {
      const { clock, session, scene } = underTest;
      const button = scene.querySelector('[data-object-id="button"]').object3D;
      const attributes = session.objects.get("button").attributes;
      const places = [];
      clock.ms = 0;
      session.put("button", { ...attributes, position: { x: 1, y: 1.6, z: 0 } });
      for (const ms of [0, 50, 100, 200]) {
        clock.ms = ms;
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        places.push(button.position.x);
      }
      session.put("button", { ...attributes, position: { x: 0, y: 1.6, z: 0 } });
      clock.ms = null;
      await new Promise(requestAnimationFrame);
      return places;
    });
    assert.deepEqual(
      seen.map((x) => Math.round(x * 100) / 100),
      [0, 0.5, 1, 1],
    );
    await page.waitForFunction(() => {
      return underTest.scene.querySelector('[data-object-id="button"]').object3D.position.x === 0;
    });
    await page.evaluate(() => underTest.view.setEditMode(true));
    await page.mouse.move(320, 220);
    await page.mouse.down();
    await page.mouse.move(370, 230, { steps: 5 });
    const [held, after] = await page.evaluate(async () => {
      const { session, scene } = underTest;
      const button = scene.querySelector('[data-object-id="button"]').object3D;
      const held = button.position.x;
      session.put("button", { ...session.objects.get("button").attributes, position: { x: -2, y: 1.6, z: 0 } });
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      return [held, button.position.x];
    });
    assert.ok(held > 0.1, `dragged to ${held}`);
    assert.equal(after, held);
    await page.mouse.up();
  });
});

test("a move that the realm refuses is undone", { timeout: 20_000 }, async () => {
  await inScene({}, async (page) => {
    await putButton(page);
    await page.evaluate(() => {
      underTest.session.update = () => Promise.reject(new Error("no"));
      underTest.view.setEditMode(true);
    });
    await page.mouse.move(320, 220);
    await page.mouse.down();
    await page.mouse.move(370, 230, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => {
      const { x, y, z } = underTest.scene.querySelector('[data-object-id="button"]').object3D.position;
      return x === 0 && y === 1.6 && z === 0;
    });
  });
});

test("a device pixel ratio of three is drawn at two", { timeout: 20_000 }, async () => {
  await inScene({ deviceScaleFactor: 3 }, async (page) => {
    assert.equal(await page.evaluate(() => underTest.scene.renderer.getPixelRatio()), 2);
    const [drawn, shown] = await page.evaluate(() => [
      underTest.scene.canvas.width,
      underTest.scene.canvas.clientWidth,
    ]);
    assert.equal(drawn, 2 * shown);
  });
});

test("keys walk, the camera's pose is sent, and no key fetches the inspector", { timeout: 20_000 }, async () => {
  await inScene({}, async (page) => {
    await page.waitForFunction(() => underTest.session.cameras.length > 0);
    await page.keyboard.down("KeyW");
    await page.waitForFunction(() => underTest.session.cameras.at(-1).position[2] < 2.5);
    await page.keyboard.up("KeyW");
    await page.keyboard.press("Control+Alt+KeyI"); // A-Frame would load its inspector from another host
    const [first] = await page.evaluate(() => underTest.session.cameras);
    assert.ok(
      Math.abs(first.position[1] - 1.6) < 0.01 && Math.abs(first.position[2] - 3) < 0.01,
      String(first.position),
    );
  });
});

test("in immersive VR a controller points, clicks and shows a hand", { timeout: 30_000 }, async () => {
  await inScene({ query: "?xr" }, async (page) => {
    await putButton(page);
    await page.evaluate(async () => {
      const { xr, scene } = underTest;
      xr.position.set(0, 1.6, 0);
      const right = xr.controllers.right;
      right.position.set(0.1, 1.5, -0.3);
      right.quaternion.set(0, 0, 0, 1);
      await scene.enterVR();
    });
    await page.waitForFunction(() => underTest.scene.is("vr-mode"));
    await page.waitForFunction(() => underTest.session.events.some((event) => event.type === "mouseenter"));
    await page.evaluate(() => underTest.xr.controllers.right.updateButtonValue("trigger", 1));
    await page.waitForFunction(() => underTest.session.events.some((event) => event.type === "mousedown"));
    await page.evaluate(() => underTest.xr.controllers.right.updateButtonValue("trigger", 0));
    await page.waitForFunction(() => underTest.session.events.some((event) => event.type === "mouseup"));
    const { press, hands } = await page.evaluate(() => ({
      press: underTest.session.events.find((event) => event.type === "mousedown"),
      hands: underTest.session.hands,
    }));
    assert.equal(press.target, "button");
    assert.equal(press.source, "right");
    const hand = hands.find(({ side }) => side === "right");
    assert.ok(Math.abs(hand.pose.position[2] - 2.7) < 0.2, `hand at ${hand.pose.position}`);
    await page.evaluate(() => underTest.scene.exitVR());
    await page.waitForFunction(() => underTest.session.hands.some(({ pose }) => pose === null));
  });
});

test("dispose removes the mounted scene", { timeout: 20_000 }, async () => {
  await inScene({}, async (page) => {
    await putButton(page);
    const left = await page.evaluate(() => {
      underTest.session.person("ada", { position: [0, 1.6, 0], rotation: [0, 0, 0, 1] });
      underTest.view.dispose();
      return {
        listening: underTest.session.listening,
        entities: underTest.scene.querySelectorAll(":scope > a-entity:not([aframe-injected])").length,
      };
    });
    assert.deepEqual(left, { listening: 0, entities: 0 });
  });
});

test("an object with blip animates its entry and exit, during which its id can be reused", {
  timeout: 120_000,
}, async () => {
  const { page, errors } = await openScene(browser, {});
  const cut = (name) =>
    page.waitForFunction((name) => underTest[name]?.getObject3D("mesh")?.material.clippingPlanes?.length === 2, name);
  const put = (name) =>
    page.evaluate((name) => {
      const { session, scene } = underTest;
      const effect = { blipin: true, blipout: true, geometry: "disk", planes: "both", duration: 400 };
      session.put("lamp", { object_type: "sphere", position: { x: 0, y: 1.6, z: 0 }, blip: effect });
      underTest[name] = scene.querySelector('[data-object-id="lamp"]');
    }, name);
  await put("first");
  await cut("first");
  await page.waitForFunction(() => underTest.first.getObject3D("mesh").material.clippingPlanes === null);
  await page.evaluate(() => underTest.session.drop("lamp"));
  await cut("first");
  await put("second");
  await cut("second");
  assert.equal(await page.evaluate(() => underTest.first === underTest.second), false);
  await page.waitForFunction(() => !underTest.first.isConnected && underTest.second.isConnected);
  await page.waitForFunction(() => underTest.second.getObject3D("mesh").material.clippingPlanes === null);
  assert.deepEqual(errors, []);
  await page.close();
});
