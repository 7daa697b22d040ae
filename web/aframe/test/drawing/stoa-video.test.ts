import * as THREE from "three";
import { expect, test, vi } from "vitest";
import type { Entity } from "../../src/aframe.ts";
import { BROKEN, MENDED } from "../../src/assets/broken-files.ts";
import { playsWhenAllowed } from "../../src/drawing/autoplay.ts";
import { VideoBehaviour, type VideoSettings } from "../../src/drawing/stoa-video.ts";
import { VIDEOS_MAX } from "../../src/limits.ts";
import { fakeLibrary, settled } from "../paintable.ts";
import { heard, stubAFrame, stubBox, stubScene } from "../stub-aframe.ts";

const SETTINGS: VideoSettings = {
  src: "https://realm.local/store/film.mp4",
  frame: "",
  player: "",
  loop: true,
  autoplay: false,
  volume: 0.5,
  pressed: true,
  anyone: true,
  mirrored: false,
};
const RAY = { source: "camera", point: [0, 0, 0], origin: [0, 0, 1] } as const;

function mapOf(el: Entity): THREE.Texture | null {
  const mesh = el.getObject3D("mesh");
  return mesh instanceof THREE.Mesh && mesh.material instanceof THREE.MeshBasicMaterial ? mesh.material.map : null;
}

function film(settings: Partial<VideoSettings> = {}, films = new Set<VideoBehaviour>(), files = fakeLibrary()) {
  const scene = stubScene();
  const el = stubBox(scene, "screen", [0, 0, 0]);
  const video = new VideoBehaviour(stubAFrame(), el, films, () => files.library);
  video.update({ ...SETTINGS, ...settings });
  video.tick(0);
  return { scene, el, video };
}

test("a press starts the video on the surface, and another press stops it", () => {
  const { el, video } = film();
  expect(mapOf(el)).toBeNull();
  el.emit("mousedown", RAY, false);
  video.tick(1);
  expect(mapOf(el)).toBeInstanceOf(THREE.VideoTexture);
  el.emit("mousedown", RAY, false);
  video.tick(2);
  expect(mapOf(el)).toBeNull();
});

test("a remote press starts the video only if anyone may start it", () => {
  const { el, video } = film();
  el.emit("mousedown", { clicker: "bob" }, false);
  expect(video.plays).toBe(true);
  const mine = film({ anyone: false });
  mine.el.emit("mousedown", { clicker: "bob" }, false);
  expect(mine.video.plays).toBe(false);
});

test("a new mesh of the object shows the video too, and remove restores the surface", () => {
  const { el, video } = film({ autoplay: true });
  expect(mapOf(el)).toBeInstanceOf(THREE.VideoTexture);
  el.setObject3D("mesh", new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial()));
  video.tick(1);
  expect(mapOf(el)).toBeInstanceOf(THREE.VideoTexture);
  video.remove();
  expect(mapOf(el)).toBeNull();
});

test("a texture set meanwhile is shown while the video is stopped, and covered while it plays", () => {
  const { el, video } = film();
  const mesh = el.getObject3D("mesh");
  const own = new THREE.Texture();
  const put = (map: THREE.Texture): void => {
    // Like A-Frame, disposes of the previous texture.
    if (!(mesh instanceof THREE.Mesh)) return;
    mesh.material.map?.dispose();
    mesh.material.map = map;
  };
  put(own);
  video.tick(1);
  expect(mapOf(el)).toBe(own);
  el.emit("mousedown", RAY, false);
  video.tick(2);
  const freed: unknown[] = [];
  mapOf(el)?.addEventListener("dispose", ({ target }) => freed.push(target));
  const other = new THREE.Texture();
  put(other);
  video.tick(3);
  expect(mapOf(el)).toBeInstanceOf(THREE.VideoTexture);
  expect(freed, "what was freed isn't used again").not.toContain(mapOf(el));
  el.emit("mousedown", RAY, false);
  video.tick(4);
  expect(mapOf(el)).toBe(other);
});

test("a video plays on the object named as its player, once that exists", () => {
  const { scene, el, video } = film({ autoplay: true, player: "wall" });
  expect(mapOf(el)).toBeNull();
  const wall = stubBox(scene, "wall", [0, 0, -3]);
  video.tick(5_000);
  expect(mapOf(wall)).toBeInstanceOf(THREE.VideoTexture);
});

test("the number of loaded videos is limited, and a removed one frees a slot", () => {
  const films = new Set<VideoBehaviour>();
  const all = Array.from({ length: VIDEOS_MAX }, () => film({ autoplay: true }, films));
  expect(film({ autoplay: true }, films).video.plays).toBe(false);
  const waiting = film({ autoplay: true, volume: 0.25 }, films);
  all[0]?.video.remove();
  waiting.video.tick(1);
  expect([waiting.video.plays, films.size]).toEqual([true, VIDEOS_MAX]);
});

test("a video starts muted where the browser blocks sound, and gets sound on the first touch", async () => {
  const page = new EventTarget();
  const asked: boolean[] = [];
  const video = {
    muted: false,
    play() {
      asked.push(this.muted);
      return this.muted || asked.length > 2
        ? Promise.resolve()
        : Promise.reject(new DOMException("no", "NotAllowedError"));
    },
  };
  playsWhenAllowed(video, page);
  await Promise.resolve();
  await Promise.resolve();
  expect(asked).toEqual([false, true]);
  page.dispatchEvent(new Event("pointerdown"));
  expect(asked).toEqual([false, true, false]);
  page.dispatchEvent(new Event("pointerdown"));
  expect(asked.length).toBe(3);
});

test("a placeholder picture loads through the queue and is freed with the video", async () => {
  const files = fakeLibrary();
  const { video } = film({ frame: "still.png" }, new Set(), files);
  await settled();
  expect(files.fetched).toEqual(["picture still.png"]);
  video.remove();
  expect([files.library.size, files.freed]).toEqual([0, ["still.png"]]);
});

test.each([
  [404, "missing"],
  [403, "not-allowed"],
  [500, "unreachable"],
  [200, "unreadable"],
] as const)("an unplayable video is marked as broken, and HTTP status %i is reported as %s", async (status, code) => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (...of: unknown[]) => {
    asked.push(of);
    return new Response(null, { status });
  });
  const made = vi.spyOn(document, "createElement");
  const { scene, el, video } = film();
  const [told, mended] = [heard(scene, BROKEN), heard(scene, MENDED)];
  const [element] = made.mock.results.map(({ value }) => value).filter((one) => one instanceof HTMLVideoElement);
  made.mockRestore();
  element?.dispatchEvent(new Event("error"));
  await settled();
  expect(told).toEqual([{ objectId: "screen", src: SETTINGS.src, code }]);
  expect(asked).toEqual([[SETTINGS.src, { method: "HEAD" }]]);
  expect(el.getObject3D("stoa-broken")).toBeDefined();
  video.update({ ...SETTINGS, src: "https://realm.local/store/other.mp4" });
  expect([mended.length, el.getObject3D("stoa-broken")]).toEqual([1, undefined]);
  vi.unstubAllGlobals();
});

test("a video with a refused URL is marked as broken, takes no slot and can't be started", () => {
  const films = new Set<VideoBehaviour>();
  const { el, video } = film({ src: "refused:film" }, films);
  const marker = el.getObject3D("stoa-broken");
  expect(marker).toBeDefined();
  video.tick(1);
  expect([films.size, el.getObject3D("stoa-broken")], "and it isn't tried again").toEqual([0, marker]);
  el.emit("mousedown", RAY, false);
  expect(video.plays).toBe(false);
});
