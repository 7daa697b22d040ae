import { expect, test } from "vitest";
import { AssetError, TooLargeError } from "../../src/assets/asset-error.ts";
import { AssetLibrary } from "../../src/assets/library.ts";
import { LocalAvatarBehaviour } from "../../src/people/stoa-local-avatar.ts";
import { PointerBehaviour } from "../../src/pressing/stoa-pointer.ts";
import { FakeSession } from "../fake-session.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

function self() {
  const scene = stubScene();
  const el = stubEntity(scene);
  const library = new AssetLibrary({
    load: async ({ kind, src }) => {
      if (kind !== "vrm") throw new Error("unreadable");
      throw src.includes("large") ? new TooLargeError("bytes", 20_000_001, 20_000_000) : new AssetError("missing", src);
    },
    onProgress: () => undefined,
    textureBytesMax: 1,
  });
  const avatar = new LocalAvatarBehaviour(stubAFrame(), el, () => library);
  const session = new FakeSession();
  avatar.publisher = session;
  return { scene, el, avatar, session };
}

test("the camera's pose is published once, and again after a move", () => {
  const { scene, avatar, session } = self();
  avatar.tick(0);
  avatar.tick(100);
  expect(session.cameras).toEqual([{ position: [0, 1.6, 3], rotation: [0, 0, 0, 1] }]);
  scene.camera?.position.setX(1);
  avatar.tick(200);
  expect(session.cameras.length).toBe(2);
});

test("the camera's pose is published at most every 50 ms", () => {
  const { scene, avatar, session } = self();
  for (let ms = 0; ms < 100; ms += 10) {
    scene.camera?.position.setX(ms);
    avatar.tick(ms);
  }
  expect(session.cameras.length).toBe(2);
});

test("a tracked hand is published, and so is its loss", () => {
  const { scene, el, avatar, session } = self();
  avatar.pointer = new PointerBehaviour(stubAFrame(), el, scene);
  avatar.tick(0);
  expect(session.hands).toEqual([]);
  avatar.pointer.handPose = (side) => side === "left";
  avatar.tick(100);
  expect(session.hands.map(({ side, pose }) => [side, pose !== null])).toEqual([["left", true]]);
  avatar.pointer.handPose = () => false;
  avatar.tick(200);
  expect(session.hands.at(-1)).toEqual({ side: "left", pose: null });
});

test("nothing is published after remove", () => {
  const { avatar, session } = self();
  avatar.remove();
  avatar.tick(0);
  expect(session.cameras).toEqual([]);
});

test("a model check reports the reason for which an avatar model is refused", async () => {
  const { avatar } = self();
  expect(await avatar.checkModel("/store/large.vrm")).toEqual({ reason: "bytes", found: 21, limit: 20 });
  expect(await avatar.checkModel("/store/gone.vrm")).toMatchObject({ reason: "away" });
  expect(await avatar.checkModel("/store/head.glb")).toMatchObject({ reason: "broken" });
});
