/** Models in real Chromium, under the Content Security Policy of the realm's pages. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { madeFiles } from "./made-models.mjs";
import { openBrowser } from "./served-page.mjs";

let browser;
let files;
let policy;

before(async () => {
  [browser, files, policy] = await Promise.all([openBrowser(), madeFiles(), realmsPolicy()]);
});

after(() => browser?.close());

/** The policy that `policy.rs` sets for the realm's own pages. */
async function realmsPolicy() {
  const path = new URL("../../../crates/server/src/http/pages/policy.rs", import.meta.url);
  const source = await readFile(path, "utf8");
  const [, written] = /fn written[\s\S]*?format!\(\s*"([\s\S]*?)"\s*\)/.exec(source);
  const sources = { files: " https: http:", connections: " ws: wss: https: http:" };
  return written.replace(/\{(\w+)\}/g, (_, name) => sources[name] ?? "").replace(/\\\s+/g, "");
}

/** Runs `body` in a scene whose realm serves the files; `requests` lists the requested URLs. */
async function inScene(body, options = {}) {
  const context = await browser.browser.newContext({ viewport: { width: 640, height: 400 } });
  const page = await context.newPage();
  const requests = [];
  await context.route("**/*", async (route) => {
    const url = new URL(route.request().url());
    requests.push(url.pathname);
    if (options.fail === url.pathname) return route.abort();
    const made = files.get(url.pathname);
    if (made) return route.fulfill({ body: made, contentType: "application/octet-stream" });
    if (url.pathname !== "/") return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
  });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  page.on("console", (message) => /Content.Security.Policy/i.test(message.text()) && errors.push(message.text()));
  await page.goto(browser.address);
  await page.waitForSelector("body[data-ready]", { state: "attached" });
  await page.evaluate(() => {
    underTest.heard = [];
    for (const type of ["stoa-progress", "stoa-broken", "model-loaded"]) {
      underTest.scene.addEventListener(type, ({ detail: { loaded, all, failed, objectId, src, code, format } }) =>
        underTest.heard.push({ type, loaded, all, failed, objectId, src, code, format }),
      );
    }
    underTest.meshes = (id) => {
      const found = [];
      underTest.scene.querySelector(`[data-object-id="${id}"]`)?.object3D.traverse((object) => {
        if (object.isMesh || object.isPoints) found.push(object);
      });
      return found;
    };
    underTest.heardOf = (type, id) =>
      underTest.heard.filter((one) => one.type === type && (!id || one.objectId === id));
  });
  await body(page, requests);
  assert.deepEqual(errors, []);
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
  await context.close();
}

const put = (page, id, attributes) =>
  page.evaluate(
    ([id, attributes]) => underTest.session.put(id, attributes),
    [id, { position: { x: 0, y: 1.5, z: 0 }, ...attributes }],
  );
const shown = (page, id) => page.waitForFunction((id) => underTest.meshes(id).length > 0, id);

for (const [name, decoder] of [
  ["draco", /draco_wasm_wrapper/],
  ["meshopt", /meshopt_decoder/],
  ["ktx2", /basis_transcoder/],
]) {
  test(`a model compressed by ${name} is shown, and its decoder is fetched only for it`, {
    timeout: 60_000,
  }, async () => {
    await inScene(async (page, requests) => {
      await put(page, "plain", { object_type: "gltf-model", url: "/store/plain.glb" });
      await shown(page, "plain");
      assert.ok(!requests.some((path) => decoder.test(path)), "its decoder was fetched for a plain model");
      await put(page, "packed", { object_type: "gltf-model", url: `/store/${name}.glb` });
      await shown(page, "packed");
      assert.ok(
        requests.some((path) => decoder.test(path)),
        requests.join(),
      );
      const { corners, texture } = await page.evaluate(() => {
        const [{ geometry, material }] = underTest.meshes("packed");
        return { corners: geometry.attributes.position.count, texture: material.map?.image?.width ?? null };
      });
      assert.equal(corners, 4);
      assert.equal(texture, name === "ktx2" ? 4 : null);
    });
  });
}

test("each file format is shown, and freed when its object is removed", { timeout: 90_000 }, async () => {
  await inScene(async (page, requests) => {
    const kinds = {
      cloud: { object_type: "pcd-model", url: "/store/room.pcd", pointSize: 0.2, pointColor: "#00ff00", opacity: 0.5 },
      robot: { object_type: "urdf-model", url: "/store/robots/arm.urdf", urlBase: "/store/robots", joints: "elbow:90" },
      scene: { object_type: "threejs-scene", url: "/store/room.json" },
      splats: { object_type: "gaussian_splatting", src: "/store/room.ply" },
    };
    for (const [id, attributes] of Object.entries(kinds)) {
      if (id === "splats") assert.ok(!requests.some((path) => /spark|splats/.test(path)), requests.join());
      await put(page, id, attributes);
      await page.waitForFunction(
        (at) => underTest.heardOf("model-loaded").length > at || underTest.heardOf("stoa-broken").length > 0,
        Object.keys(kinds).indexOf(id),
      );
      assert.deepEqual(await page.evaluate(() => underTest.heardOf("stoa-broken")), []);
    }
    const seen = await page.evaluate(() => {
      const [cloud] = underTest.meshes("cloud");
      const robot = underTest.scene.querySelector('[data-object-id="robot"]').getObject3D("mesh");
      const [sphere] = underTest.meshes("scene");
      return {
        points: cloud.geometry.attributes.position.count,
        look: [cloud.material.size, cloud.material.color.getHexString(), cloud.material.opacity],
        elbow: robot.joints.elbow.angle,
        robotMeshes: underTest.meshes("robot").length,
        segments: sphere.geometry.parameters.widthSegments,
        material: sphere.material.type,
      };
    });
    assert.deepEqual(
      { ...seen, elbow: Math.round(seen.elbow * 100) / 100 },
      {
        ...{ points: 3, look: [0.2, "00ff00", 0.5], elbow: 1.57, robotMeshes: 2 },
        ...{ segments: 256, material: "MeshStandardMaterial" },
      },
    );
    await page.evaluate(() => {
      for (const id of [...underTest.session.objects.keys()]) underTest.session.drop(id);
    });
    assert.equal(await page.evaluate(() => underTest.scene.querySelectorAll("[data-object-id]").length), 0);
  });
});

test("a broken file shows a marker, and its error code", { timeout: 60_000 }, async () => {
  const wrong = {
    gone: ["/store/nothing.glb", "missing"],
    cut: ["/store/cut-off.glb", "unreadable"],
    garbage: ["/store/garbage.glb", "unreadable"],
    mute: ["/store/mute.glb", "unreachable"],
  };
  await inScene(
    async (page) => {
      for (const [id, [url]] of Object.entries(wrong)) await put(page, id, { object_type: "gltf-model", url });
      await page.waitForFunction(() => underTest.heardOf("stoa-broken").length === 4);
      const codes = await page.evaluate(() =>
        underTest.heardOf("stoa-broken").map(({ objectId, code }) => [objectId, code]),
      );
      assert.deepEqual(
        Object.fromEntries(codes),
        Object.fromEntries(Object.entries(wrong).map(([id, [, code]]) => [id, code])),
      );
      const [last] = await page.evaluate(() => underTest.heardOf("stoa-progress").slice(-1));
      assert.deepEqual([last.loaded, last.failed, last.all], [4, 4, 4]);
      const lines = () =>
        page.evaluate(() => {
          const { object3D } = underTest.scene.querySelector('[data-object-id="cut"]');
          let count = 0;
          object3D.traverse((object) => {
            if (object.isLineSegments) count += 1;
          });
          return count;
        });
      assert.equal(await lines(), 2, "a marker of lines");
      await put(page, "cut", { object_type: "gltf-model", url: "/store/plain.glb" });
      await shown(page, "cut");
      assert.equal(await lines(), 0, "the marker has gone");
    },
    { fail: "/store/mute.glb" },
  );
});

test("a file of many objects is fetched and stored once", { timeout: 60_000 }, async () => {
  await inScene(async (page, requests) => {
    for (let at = 0; at < 20; at += 1) {
      await put(page, `copy${at}`, {
        object_type: "gltf-model",
        url: "/store/plain.glb",
        position: { x: at, y: 1, z: 0 },
      });
    }
    await page.waitForFunction(() => underTest.heardOf("model-loaded").length === 20);
    assert.equal(requests.filter((path) => path === "/store/plain.glb").length, 1);
    const geometries = await page.evaluate(
      () => new Set([...Array(20).keys()].map((at) => underTest.meshes(`copy${at}`)[0].geometry.uuid)).size,
    );
    assert.equal(geometries, 1);
  });
});

test("clips, morphs, rotated parts, children of parts, fitting and painting work on a model", {
  timeout: 60_000,
}, async () => {
  await inScene(async (page) => {
    const url = "/store/animated.glb";
    const model = { object_type: "gltf-model", url };
    await put(page, "clip", { ...model, "animation-mixer": { clip: "op*", loop: "once", clampWhenFinished: true } });
    await put(page, "morph", { ...model, "gltf-morph": { morphtarget: "wide", value: "0.5" } });
    await put(page, "parts", { ...model, modelUpdate: { lid: { position: { x: 0, y: 3, z: 0 } } } });
    await put(page, "fit", { ...model, "model-container": { x: 4, y: 2, z: 1, uniform: true } });
    await put(page, "ghost", { ...model, "material-extras": { gltfOpacity: 0.25 } });
    await put(page, "cup", {
      object_type: "box",
      parent: "parts",
      "submodel-parent": "lid",
      position: { x: 0, y: 1, z: 0 },
    });
    await page.waitForFunction(() => underTest.heardOf("model-loaded").length === 5);
    await page.waitForFunction(() => underTest.meshes("clip")[0].position.y > 1.99);
    await page.waitForFunction(() => {
      const cup = underTest.scene.querySelector('[data-object-id="cup"]').object3D;
      return Math.abs(cup.getWorldPosition(new underTest.aframe.THREE.Vector3()).y - 5.5) < 0.01;
    });
    const seen = await page.evaluate(() => ({
      morph: underTest.meshes("morph")[0].morphTargetInfluences[0],
      other: underTest.meshes("fit")[0].morphTargetInfluences[0],
      fit: underTest.scene.querySelector('[data-object-id="fit"]').getObject3D("mesh").scale.x,
      ghost: underTest.meshes("ghost")[0].material.opacity,
      solid: underTest.meshes("fit")[0].material.opacity,
    }));
    assert.deepEqual(seen, { morph: 0.5, other: 0, fit: 2, ghost: 0.25, solid: 1 });
  });
});

test("a nearby viewer sees the finer model, and a distant one the plain model", { timeout: 60_000 }, async () => {
  await inScene(async (page) => {
    const lod = { detailedUrl: "/store/animated.glb", detailedDistance: 10, updateRate: 100 };
    const model = { object_type: "gltf-model", url: "/store/plain.glb", "gltf-model-lod": lod };
    const isFine = (wanted) =>
      page.waitForFunction((wanted) => {
        const mesh = underTest.scene.querySelector('[data-object-id="it"]')?.getObject3D("mesh");
        return mesh !== undefined && mesh.animations.length > 0 === wanted;
      }, wanted);
    await put(page, "it", { ...model, position: { x: 0, y: 1, z: -40 } });
    await isFine(false);
    await put(page, "it", { ...model, position: { x: 0, y: 1, z: 0 } });
    await isFine(true);
    await put(page, "it", { ...model, position: { x: 0, y: 1, z: -40 } });
    await isFine(false);
  });
});

test("portals and spots of a model work while it is shown, except in edit mode", {
  timeout: 60_000,
}, async () => {
  await inScene(async (page) => {
    const labels = () => page.evaluate(() => underTest.view.landmarks().map(({ label }) => label));
    const opened = () =>
      page.evaluate(() => underTest.opened.map(({ url }) => new URL(url)).map(({ pathname, hash }) => pathname + hash));
    const pointed = (isOver) =>
      page.waitForFunction((isOver) => (underTest.scene.canvas.style.cursor === "pointer") === isOver, isOver);
    await put(page, "hall", {
      object_type: "gltf-model",
      url: "/store/meant.glb",
      position: { x: -0.5, y: 1.1, z: 0 },
    });
    await shown(page, "hall");
    assert.deepEqual(await labels(), ["Hill East"]);
    await page.mouse.move(320, 200);
    await pointed(true);
    await page.mouse.down();
    await page.mouse.up();
    assert.deepEqual(await opened(), ["/garden#pond"]);
    await page.evaluate(() => underTest.view.goTo(underTest.view.landmarks()[0].objectId));
    const stands = await page.evaluate(() =>
      underTest.scene.querySelector("[stoa-pointer]").object3D.position.toArray(),
    );
    assert.deepEqual([stands[0], stands[2]], [2.5, -4]);
    await page.evaluate(() => underTest.session.put("place", { parent: "hall", landmark: { label: "Hill East" } }));
    assert.deepEqual(await labels(), ["Hill East"]);
    await page.evaluate(() => underTest.session.drop("place"));
    await page.evaluate(() => underTest.view.setEditMode(true));
    await page.mouse.down();
    await page.mouse.up();
    assert.equal((await opened()).length, 1);
    await page.evaluate(() => underTest.view.setEditMode(false));
    await page.evaluate(() => underTest.session.drop("hall"));
    assert.deepEqual(await labels(), []);
    await pointed(false);
  });
});

const head = (page, idTag, model, position = [0, 1.6, 0]) =>
  page.evaluate(
    ([idTag, headModelPath, position]) =>
      underTest.session.person(idTag, { position, rotation: [0, 1, 0, 0] }, { headModelPath }),
    [idTag, model, position],
  );

for (const name of ["plain", "draco", "meshopt", "ktx2"]) {
  test(`a head model that is ${name} replaces the built-in head`, { timeout: 60_000 }, async () => {
    await inScene(async (page) => {
      await head(page, "ada_1", `/store/${name}.glb`);
      await page.waitForFunction(() => {
        const el = underTest.scene.querySelector('[data-id-tag="ada_1"]');
        let corners = 0;
        el?.object3D.traverseVisible((object) => {
          if (object.isMesh) corners += object.geometry.attributes.position.count === 4 ? 1 : 0;
        });
        return corners === 1 && el.getObject3D("stoa-head")?.visible === false;
      });
    });
  });
}

test("a VRM avatar stands on the floor, follows the gaze and moves its arms with the hands", {
  timeout: 60_000,
}, async () => {
  await inScene(async (page, requests) => {
    assert.ok(!requests.some((path) => /three-vrm|parse-vrm/.test(path)), requests.join());
    await head(page, "ada_1", "");
    await page.waitForFunction(() => {
      return underTest.scene.querySelector('[data-id-tag="ada_1"]')?.getObject3D?.("stoa-head")?.visible;
    });
    await head(page, "ada_1", "/store/body.vrm");
    const bones = () =>
      page.evaluate(() => {
        const el = underTest.scene.querySelector('[data-id-tag="ada_1"]');
        const found = {};
        el?.object3D.traverseVisible((object) => {
          if (!["head", "leftFoot", "leftHand", "leftUpperArm"].includes(object.name)) return;
          const { x, y, z } = object.getWorldPosition(new underTest.aframe.THREE.Vector3());
          found[object.name] = [x, y, z];
        });
        return found;
      });
    await page.waitForFunction(() => {
      const el = underTest.scene.querySelector('[data-id-tag="ada_1"]');
      return el?.object3D.getObjectByName("leftHand")?.visible && el.getObject3D("stoa-head")?.visible === false;
    });
    const hanging = await bones();
    assert.ok(Math.abs(hanging.leftFoot[1]) < 0.15, `feet at ${hanging.leftFoot[1]} m`);
    assert.ok(hanging.head[1] > 1.4 && hanging.head[1] < 1.6, `head at ${hanging.head[1]} m`);
    assert.ok(hanging.leftHand[1] < hanging.leftUpperArm[1] - 0.3, "arms hang");
    // The avatar faces +z, towards the camera, so its left is at larger x.
    assert.ok(hanging.leftUpperArm[0] > 0, "left is left");
    await page.evaluate(() => {
      const pose = { position: [0.35, 1.6, 0.4], rotation: [0, 0, 0, 1] };
      const left = { objectId: "handLeft_ada_1", attributes: {}, pose };
      underTest.session.person("ada_1", undefined, { hands: { left } });
    });
    await page.waitForFunction(() => {
      const el = underTest.scene.querySelector('[data-id-tag="ada_1"]');
      const hand = el.object3D.getObjectByName("leftHand").getWorldPosition(new underTest.aframe.THREE.Vector3());
      return hand.y > 1.45 && hand.z > 0.2;
    });
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/vrm.png` });
    await page.evaluate(() => underTest.session.leave("ada_1"));
    await page.waitForFunction(() => underTest.scene.object3D.getObjectByName("leftHand") === undefined);
  });
});

test("a compressed navigation mesh works, and a broken one shows a marker", {
  timeout: 60_000,
}, async () => {
  await inScene(async (page) => {
    const walkOn = (navMesh) =>
      page.evaluate(
        (navMesh) => underTest.session.put("scene-options", { "scene-options": { navMesh } }, "scene-options"),
        navMesh,
      );
    const isOpen = () => {
      const rig = underTest.scene.querySelector("[stoa-locomotion]");
      return "height" in rig.components["stoa-locomotion"].behaviour.floor;
    };
    await page.waitForFunction(isOpen);
    await walkOn("/store/meshopt.glb");
    await page.waitForFunction(() => {
      const rig = underTest.scene.querySelector("[stoa-locomotion]");
      return !("height" in rig.components["stoa-locomotion"].behaviour.floor);
    });
    await walkOn("/store/garbage.glb");
    await page.waitForFunction(() => underTest.heardOf("stoa-broken").some(({ src }) => src.endsWith("garbage.glb")));
    await page.waitForFunction(isOpen);
  });
});

test("pictures, SVG, sounds and .obj files load through the queue, and broken ones are reported", {
  timeout: 90_000,
}, async () => {
  await inScene(async (page) => {
    const picture = (id) =>
      page.evaluate((id) => {
        const image = underTest.meshes(id)[0]?.material.map?.image;
        return image ? [image.width || image.naturalWidth, image.height || image.naturalHeight] : null;
      }, id);
    const has = (id) =>
      page.waitForFunction((id) => underTest.meshes(id)[0]?.material.map?.image, id, { timeout: 20_000 });
    await put(page, "photo", { object_type: "image", url: "/store/dot.png" });
    await put(page, "drawing", { object_type: "box", material: { src: "/store/red.svg" } });
    await put(page, "obj", { object_type: "obj-model", obj: "/store/square.obj", mtl: "/store/square.mtl" });
    await put(page, "bare", { object_type: "obj-model", obj: "/store/square.obj", material: { color: "#ff0000" } });
    await put(page, "bell", { object_type: "box", sound: { src: "/store/tone.wav", autoplay: true } });
    await has("photo");
    await has("drawing");
    await has("obj");
    assert.deepEqual(
      [await picture("photo"), await picture("drawing"), await picture("obj")],
      [
        [1, 1],
        [20, 10],
        [1, 1],
      ],
    );
    await page.waitForFunction(() => underTest.meshes("bare")[0]?.material.color?.getHexString() === "ff0000");
    await page.waitForFunction(() => {
      const { sound } = underTest.scene.querySelector('[data-object-id="bell"]').components;
      return sound?.loaded === true;
    });
    await put(page, "drawing", { object_type: "box", material: { src: "/store/red.svg", color: "#00ff00" } });
    await page.waitForFunction(() => {
      const { material } = underTest.meshes("drawing")[0];
      return material.color.getHexString() === "00ff00" && material.map?.image;
    });
    const sides = { srcs: "dot.png,red.svg", srcspath: "/store/" };
    await put(page, "sided", { object_type: "box", multisrc: sides });
    await page.waitForFunction(() => {
      const maps = [underTest.meshes("sided")[0]?.material].flat().map((one) => one?.map?.image?.naturalWidth);
      return maps[0] === 1 && maps[1] === 20;
    });
    await put(page, "sparks", { object_type: "entity", "spe-particles": { texture: "/store/dot.png" } });
    await page.waitForFunction(() => {
      const points = underTest.scene.querySelector('[data-object-id="sparks"]')?.getObject3D("stoa-particles");
      return points?.material.uniforms.pictured.value === 1;
    });
    assert.deepEqual(await page.evaluate(() => underTest.heardOf("stoa-broken")), []);
    await put(page, "none", { object_type: "image", url: "/store/nothing.png" });
    await put(page, "other", { object_type: "image", url: "/store/garbage.glb" });
    await put(page, "smoke", { object_type: "entity", "spe-particles": { texture: "/store/no-smoke.png" } });
    await page.waitForFunction(() => underTest.heardOf("stoa-broken").length === 3);
    const codes = await page.evaluate(() =>
      underTest.heardOf("stoa-broken").map(({ objectId, code }) => [objectId, code]),
    );
    assert.deepEqual(Object.fromEntries(codes), { none: "missing", other: "unreadable", smoke: "missing" });
  });
});
