import type { Pose } from "@stoa/client";
import { Box3, Group, Vector3 } from "three";
import { expect, test, vi } from "vitest";
import { AssetLibrary } from "../../src/assets/library.ts";
import { MODEL_REFUSED } from "../../src/people/avatar-model.ts";
import { AvatarBehaviour, nameHeight } from "../../src/people/stoa-avatar.ts";
import { MotionDelay, PoseTrack } from "../../src/people/track.ts";
import { heard, stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

const pose = (x: number) => ({ position: [x, 1.6, 0], rotation: [0, 0, 0, 1] }) as const;

function avatar() {
  const clock = { ms: 0 };
  const el = stubEntity(stubScene());
  const model = new Group();
  const freed: string[] = [];
  const library = new AssetLibrary({
    load: async ({ kind, src }) => {
      if (src.includes("broken")) throw new Error(src);
      return { copy: () => model, animations: [], textureBytes: 0, dispose: () => freed.push(`${kind} ${src}`) };
    },
    onProgress: () => undefined,
    textureBytesMax: 1,
  });
  const now = () => clock.ms;
  const avatar = new AvatarBehaviour(stubAFrame(), el, now, () => library);
  const track = new PoseTrack(new MotionDelay());
  avatar.follow(track);
  /** A camera message with a pose. */
  const say = (pose: Pose) => track.handleMessage(clock.ms, pose);
  return { clock, el, model, library, freed, avatar, say };
}

test("a person is hidden until the first pose arrives", () => {
  const { el, avatar: head, say } = avatar();
  expect(el.object3D.visible).toBe(false);
  say(pose(1));
  head.tick();
  expect(el.object3D.visible).toBe(true);
  expect(el.object3D.position.x).toBe(1);
});

test("a head is interpolated between its received poses", () => {
  const { clock, el, avatar: head, say } = avatar();
  say(pose(0));
  clock.ms = 100;
  say(pose(1));
  clock.ms = 200;
  head.tick();
  expect(el.object3D.position.x).toBeCloseTo(0.5, 5);
});

test("a change of colour replaces the head, and remove takes all away", () => {
  const { el, avatar: head } = avatar();
  head.update({ name: "Ann", color: "#ff0000", raised: false, speaking: false, body: "half", model: "" });
  const before = el.object3D.children.length;
  head.update({ name: "Ann", color: "no colour", raised: false, speaking: false, body: "half", model: "" });
  expect(el.object3D.children.length).toBe(before);
  head.remove();
  expect(el.object3D.children.length).toBe(0);
});

const worn = (model: string) =>
  ({ name: "Ann", color: "#ff0000", raised: false, speaking: false, body: "half", model }) as const;

test("an avatar model replaces head and body, faces their direction, and is freed on remove", async () => {
  const { el, avatar: head, model, library, freed } = avatar();
  head.update(worn("/store/head.glb"));
  expect(el.getObject3D("stoa-head")?.visible, "until it is there").toBe(true);
  await vi.waitFor(() => expect(el.getObject3D("stoa-head")?.visible).toBe(false));
  expect(el.getObject3D("stoa-body")?.visible).toBe(false);
  el.object3D.updateMatrixWorld(true);
  expect(new Vector3(0, 0, 1).transformDirection(model.matrixWorld).z, "a glTF's front is +z").toBeCloseTo(-1, 5);
  head.remove();
  expect([el.object3D.children.length, library.size, freed]).toEqual([0, 0, ["head /store/head.glb"]]);
});

test("a broken avatar model keeps the built-in head and is reported", async () => {
  const { el, avatar: head } = avatar();
  const told = heard(el, MODEL_REFUSED);
  head.update(worn("/store/broken.glb"));
  await vi.waitFor(() => expect(told).toEqual([{ url: "/store/broken.glb", code: "unreadable" }]));
  expect(el.getObject3D("stoa-head")?.visible).toBe(true);
});

test("eyes and nose are in front, where the head looks", () => {
  const { el, avatar: head } = avatar();
  head.update({ name: "Ann", color: "#336699", raised: false, speaking: false, body: "half", model: "" });
  const boxes = el.getObject3D("stoa-head")?.children.map((part) => new Box3().setFromObject(part));
  const [skull, eyes] = boxes ?? [];
  expect(eyes?.max.z, "eyes are in front").toBeLessThan(-0.05);
  expect(eyes?.min.x).toBeCloseTo(-(eyes?.max.x ?? 0), 6);
  expect(skull?.min.z, "the nose is foremost").toBeLessThan(-0.19);
});

test("raising and lowering a hand doesn't rebuild head and body", () => {
  const { el, avatar: head } = avatar();
  const settings = { name: "Ann", color: "#336699", raised: false, speaking: false, body: "full", model: "" } as const;
  head.update(settings);
  const before = [el.getObject3D("stoa-head"), el.getObject3D("stoa-body")];
  head.update({ ...settings, raised: true });
  expect(el.getObject3D("stoa-raised")).toBeDefined();
  expect([el.getObject3D("stoa-head"), el.getObject3D("stoa-body")]).toEqual(before);
  head.update(settings);
  expect(el.getObject3D("stoa-raised")).toBeUndefined();
  head.update({ ...settings, body: "half" });
  expect(el.getObject3D("stoa-body"), "negative control").not.toBe(before[1]);
});

test("a speaking person has a wider sign in another colour, without a new head and body", () => {
  const strokes = drawnStrokes();
  const { el, avatar: head } = avatar();
  const settings = { name: "Ann", color: "#336699", raised: false, speaking: false, body: "full", model: "" } as const;
  const width = () => (el.getObject3D("stoa-name")?.scale.x ?? 0) / (el.getObject3D("stoa-name")?.scale.y ?? 1);
  head.update(settings);
  const [silent, before] = [strokes.splice(0), [el.getObject3D("stoa-head"), el.getObject3D("stoa-body")]];
  const [sign, narrow] = [el.getObject3D("stoa-name"), width()];
  head.update({ ...settings, raised: true });
  expect(el.getObject3D("stoa-name"), "only a changed sign is drawn again").toBe(sign);
  head.update({ ...settings, speaking: true });
  expect(silent.length, "no loudspeaker").toBe(1);
  expect(strokes.length, "the border and two waves").toBe(3);
  expect(strokes[0]).not.toEqual(silent[0]);
  expect(width()).toBeGreaterThan(narrow);
  expect([el.getObject3D("stoa-head"), el.getObject3D("stoa-body")]).toEqual(before);
  vi.restoreAllMocks();
});

/** Lends signs a pen that draws nothing. Returns the colours of its strokes. */
function drawnStrokes(): unknown[] {
  const strokes: unknown[] = [];
  const pen = {
    measureText: (text: string) => ({ width: 30 * text.length }),
    stroke(this: { strokeStyle?: string }) {
      strokes.push(this.strokeStyle);
    },
    ...Object.fromEntries(
      ["beginPath", "roundRect", "fill", "fillText", "moveTo", "lineTo", "closePath", "arc"].map((name) => [
        name,
        () => undefined,
      ]),
    ),
  };
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(pen as unknown as CanvasRenderingContext2D);
  return strokes;
}

test("the body of a person looking down stays upright and turns with the head", () => {
  const { el, avatar: head, say } = avatar();
  head.update({ name: "Ann", color: "#336699", raised: false, speaking: false, body: "half", model: "" });
  // Yaw by 90°, then pitch down by 45°.
  const [yaw, pitch] = [Math.PI / 4, -Math.PI / 8];
  const rotation = [
    Math.cos(yaw) * Math.sin(pitch),
    Math.sin(yaw) * Math.cos(pitch),
    -Math.sin(yaw) * Math.sin(pitch),
    Math.cos(yaw) * Math.cos(pitch),
  ] as const;
  say({ position: [1, 1.6, 0], rotation });
  head.tick();
  el.object3D.updateMatrixWorld(true);
  const body = el.getObject3D("stoa-body");
  const up = new Vector3(0, 1, 0).transformDirection(body?.matrixWorld ?? el.object3D.matrixWorld);
  const ahead = new Vector3(0, 0, -1).transformDirection(body?.matrixWorld ?? el.object3D.matrixWorld);
  expect(up.y).toBeCloseTo(1, 5);
  expect(ahead.x).toBeCloseTo(-1, 5);
});

test("a name grows with the distance, within bounds", () => {
  expect(nameHeight(1)).toBe(0.16);
  expect(nameHeight(6)).toBeCloseTo(0.33, 5);
  expect(nameHeight(100)).toBe(0.8);
});
