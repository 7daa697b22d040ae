import { expect, test } from "vitest";
import { parentOf, settingsOf } from "../../src/mapping/object-settings.ts";

const context = { base: "https://realm.local/public/lobby" };
const settings = (attributes: Record<string, unknown>) => settingsOf(attributes, context);

test.each([
  ...["box", "sphere", "cylinder", "cone", "circle", "plane", "ring", "torus", "torusKnot", "tetrahedron"],
  ...["octahedron", "dodecahedron", "icosahedron", "triangle", "capsule", "roundedbox"],
])("a %s is a geometry with a material", (object_type) => {
  expect(settings({ object_type })).toMatchObject({ geometry: { primitive: object_type }, material: {} });
});

test("the legacy type cube is mapped to a box", () => {
  expect(settings({ object_type: "cube", width: 2 })).toMatchObject({ geometry: { primitive: "box", width: 2 } });
});

test("oversized numbers are clamped, and values that aren't numbers are left out", () => {
  const wild = { object_type: "sphere", segmentsWidth: 1e9, radius: Number.NaN, segmentsHeight: "12", phiLength: {} };
  expect(settings(wild).geometry).toEqual({ primitive: "sphere", segmentsWidth: 256, segmentsHeight: 12 });
});

test.each(["constructor", "__proto__", "a-scene", "", 7, null])("an object of type %j shows nothing", (object_type) => {
  expect(settings({ object_type, src: "/a" })).toEqual({});
});

test("the legacy colour is used unless the material has its own", () => {
  expect(settings({ object_type: "box", color: "ff0000" }).material).toMatchObject({ color: "#ff0000" });
  const both = { object_type: "box", color: "#ff0000", material: { color: "#00ff00" } };
  expect(settings(both).material).toMatchObject({ color: "#00ff00" });
});

test("textures load through the queue, and only from safe URLs", () => {
  const textured = (src: string) => settings({ object_type: "box", material: { src } });
  const { material, ...rest } = textured("/store/a.png");
  expect(rest["stoa-pictures"]).toEqual({
    maps: JSON.stringify({ src: "https://realm.local/store/a.png" }),
    others: JSON.stringify(material),
  });
  expect(material, "the queue fetches it").not.toHaveProperty("src");
  for (const src of ["javascript:alert(1)", "#canvas"]) expect(textured(src).material).not.toHaveProperty("src");
  expect(textured("#canvas")).not.toHaveProperty("stoa-pictures");
});

test.each(["javascript:alert(1)", "board.png", "https://", "file:///home/ada/board.png", "board.mp4"])(
  "%j is marked as refused in textures, images, models, videos and sounds",
  (src) => {
    const maps = { "stoa-pictures": { maps: JSON.stringify({ src: `refused:${src}` }) } };
    expect(settings({ object_type: "box", material: { src } })).toMatchObject(maps);
    expect(settings({ object_type: "image", url: src })).toMatchObject(maps);
    expect(settings({ object_type: "gltf-model", url: src })).toMatchObject({
      "stoa-model": { src: `refused:${src}` },
    });
    const control = { video_path: src, video_object: "", frame_object: "" };
    expect(settings({ object_type: "box", "video-control": control })).toMatchObject({
      "stoa-video": { src: `refused:${src}` },
    });
    expect(settings({ object_type: "box", sound: { src } })).toMatchObject({ "stoa-sound": { src: `refused:${src}` } });
  },
);

test("unknown material keys are dropped, and invalid values are clamped or replaced", () => {
  const odd = { object_type: "box", material: { onload: "x", shader: "portal", opacity: 7, side: "double" } };
  expect(settings(odd).material).toEqual({ color: "#FFF", opacity: 1, shader: "standard", side: "double" });
});

test("a flat material drops the settings of lit materials", () => {
  const flat = { object_type: "box", material: { shader: "flat", roughness: 0.2, color: "red" } };
  expect(settings(flat).material).toEqual({ color: "red", shader: "flat" });
});

test("an image is an unlit plane with its picture", () => {
  expect(settings({ object_type: "image", url: "/store/cat.jpg", width: 2 })).toMatchObject({
    geometry: { primitive: "plane", width: 2 },
    material: { shader: "flat", side: "double" },
    "stoa-pictures": { maps: JSON.stringify({ src: "https://realm.local/store/cat.jpg" }) },
  });
});

test("a text is shown in a font of the realm, whatever font it names", () => {
  const shown = settings({ object_type: "text", value: "hi", font: "https://example.org/evil.fnt", align: "center" });
  expect(shown.text).toMatchObject({ value: "hi", align: "center", font: expect.stringContaining("Roboto-sdf") });
  const mono = settings({ object_type: "text", text: "old", font: "sourcecodepro" });
  expect(mono.text).toMatchObject({ value: "old", font: expect.stringContaining("DejaVuSansMono-sdf") });
});

test("a light keeps only its type's settings, given directly or under `light`", () => {
  const spot = { object_type: "light", type: "spot", angle: 30, groundColor: "#fff", intensity: 2 };
  expect(settings(spot).light).toEqual({ type: "spot", angle: 30, intensity: 2 });
  expect(settings({ object_type: "light", light: { type: "ambient", color: "#333" } }).light).toEqual({
    type: "ambient",
    color: "#333",
  });
});

test("models are loaded only from safe URLs", () => {
  const model = { object_type: "gltf-model", url: "/store/duck.glb" };
  const src = "https://realm.local/store/duck.glb";
  expect(settings(model)).toEqual({ "stoa-model": { kind: "gltf", src, base: "", options: "{}" } });
  expect(settings({ object_type: "gltf-model", url: "#duck" })).toEqual({});
});

test("a line and a thick line are drawn as lines", () => {
  expect(settings({ object_type: "line" }).line).toMatchObject({ start: { x: 0, y: 0.5, z: 0 } });
  const path = settings({ object_type: "thickline", path: "0 0 0, 1 0 0, 1 1 0", color: "#f00" });
  expect(path["stoa-thickline"]).toMatchObject({ points: { length: 3 }, width: 1, styler: "default" });
});

test("an entity carries nested groups", () => {
  const nested = { object_type: "entity", geometry: { primitive: "torus", radius: 2 }, text: { value: "x" } };
  expect(settings(nested)).toMatchObject({ geometry: { primitive: "torus", radius: 2 }, text: { value: "x" } });
});

test("a quaternion becomes A-Frame's degrees; degrees stay", () => {
  const turned = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 };
  expect(settings({ object_type: "entity", rotation: turned }).rotation).toEqual({
    x: 0,
    y: expect.closeTo(90, 5),
    z: 0,
  });
  expect(settings({ object_type: "entity", rotation: { x: 10, y: 20, z: 30 } }).rotation).toEqual({
    x: 10,
    y: 20,
    z: 30,
  });
  const zero = { x: 0, y: 0, z: 0, w: 0 };
  expect(settings({ object_type: "entity", rotation: zero })).not.toHaveProperty("rotation");
});

test("components outside the mapping table are never set", () => {
  const hostile = { object_type: "box", script: "x", "raycaster-listen": {}, link: { href: "x" }, "gltf-model": "x" };
  expect(Object.keys(settings(hostile)).sort()).toEqual(["geometry", "material"]);
});

test.each([
  [true, true],
  ["", true],
  ["true", true],
  [{ enabled: true, bubble: true }, true],
  [{}, true],
  [false, false],
  [{ enabled: false }, false],
  [null, false],
])("a click-listener of %j is clickable: %j", (listener, clickable) => {
  expect("stoa-clickable" in settings({ object_type: "box", "click-listener": listener })).toBe(clickable);
});

test("textures, images and models are never loaded from the realm's API paths", () => {
  for (const [url, shown] of [
    ["/store/a.png", true],
    ["/user/v2/logout", false],
  ] as const) {
    const all = [
      settings({ object_type: "box", material: { src: url } }),
      settings({ object_type: "box", material: { normalMap: url } }),
      settings({ object_type: "image", url }),
      settings({ object_type: "gltf-model", url }),
    ];
    const told = all.map((one) => JSON.stringify(one).includes(`https://realm.local${url}`));
    expect(told, url).toEqual([shown, shown, shown, shown]);
  }
});

test("links are limited to safe URLs, and goto-landmark takes an object id", () => {
  const link = (url: string) => settings({ object_type: "box", "goto-url": { url, dest: "newtab", on: "mouseup" } });
  expect(link("/public/sandbox")["stoa-link"]).toEqual({
    url: "https://realm.local/public/sandbox",
    on: "mouseup",
    dest: "newtab",
  });
  expect(link("javascript:alert(1)")).not.toHaveProperty("stoa-link");
  const way = settings({ object_type: "box", "goto-landmark": { landmark: "door" } });
  expect(way["stoa-landmark"]).toEqual({ landmark: "door", on: "mousedown" });
});

test("an animation of an unsafe property is dropped", () => {
  const spin = { property: "rotation", to: "0 360 0", loop: true, dur: 2_000, easing: "linear" };
  const bad = { property: "components.script.data.src", to: "x" };
  const shown = settings({
    object_type: "entity",
    animation: spin,
    animation__bad: bad,
  });
  expect(shown).toEqual({ animation: spin });
});

test("a sound gets an absolute URL and a clamped volume, and starts on a press", () => {
  const sound = settings({ object_type: "box", sound: { src: "/store/bell.mp3", volume: 9 } })["stoa-sound"];
  const others = JSON.stringify({ volume: 1 });
  expect(sound).toEqual({ src: "https://realm.local/store/bell.mp3", on: "mousedown", sound: others });
});

test("an object may look at another, at a person, at the camera or at a point", () => {
  const look = (value: unknown) => settings({ object_type: "box", "look-at": value })["stoa-look-at"];
  expect(look("#my-camera")).toEqual({ target: "my-camera" });
  expect(look("ann_0123456789")).toEqual({ target: "ann_0123456789" });
  expect(look("1 2 3")).toEqual({ target: "", point: { x: 1, y: 2, z: 3 } });
});

test("the parent is an id or nothing", () => {
  expect(parentOf({ parent: "table" })).toBe("table");
  expect(parentOf({ parent: null })).toBeNull();
  expect(parentOf({ parent: "" })).toBeNull();
});

test("a rough surface without textures uses stoa-matte; a glossy or textured one uses standard", () => {
  const material = (more: object) => settings({ object_type: "box", material: { roughness: 0.8, ...more } }).material;
  expect(material({ metalness: 0, emissive: "#112233" })).toEqual({
    color: "#FFF",
    emissive: "#112233",
    shader: "stoa-matte",
  });
  for (const glossy of [
    { roughness: 0.3 },
    { metalness: 0.5 },
    { src: "/store/wood.png" },
    { normalScale: { x: 1 } },
  ]) {
    expect(material(glossy), JSON.stringify(glossy)).toMatchObject({ shader: "standard" });
  }
  expect(material({ shader: "flat" })).toEqual({ color: "#FFF", shader: "flat" });
  expect(settings({ object_type: "box" }).material).toMatchObject({ shader: "standard" });
});

test("a directional light with shadows gets room-sized shadow defaults, unless it sets its own", () => {
  const sun = (more: object) => settings({ object_type: "light", type: "directional", ...more }).light;
  expect(sun({ castShadow: true })).toMatchObject({
    shadowMapWidth: 1_024,
    shadowCameraLeft: -10,
    shadowCameraTop: 10,
  });
  expect(sun({ castShadow: true, shadowMapWidth: 256 })).toMatchObject({ shadowMapWidth: 256 });
  expect(sun({})).toEqual({ type: "directional" });
});
