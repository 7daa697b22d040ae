import type { Box3Helper, LineBasicMaterial } from "three";
import { expect, test } from "vitest";
import { HELD_NAME, HoldOutlines, type RemoteHold } from "../../src/editing/hold-outlines.ts";
import { RemoteHolds } from "../../src/editing/remote-holds.ts";
import { HELD_SHOWN_MAX } from "../../src/limits.ts";
import { FakeSession } from "../fake-session.ts";
import { stubAFrame, stubBox, stubEntity, stubScene } from "../stub-aframe.ts";

function framing() {
  const scene = stubScene();
  const outlines = new HoldOutlines(stubAFrame(), scene);
  const frames = () =>
    scene.object3D.children
      .filter(({ name }) => name === HELD_NAME)
      .map((lines) => {
        const { box, material, userData, visible } = lines as Box3Helper;
        const { color } = material as LineBasicMaterial;
        return { by: userData.heldBy, color: `#${color.getHexString()}`, x: box.min.x, visible };
      });
  return { scene, outlines, frames };
}

test("the outline of a remote hold has the holder's colour and follows the object", () => {
  const { scene, outlines, frames } = framing();
  const el = stubBox(scene, "table", [2, 0.5, 0]);
  outlines.show([{ el, name: "Bo", color: "#112233" }]);
  expect(frames()).toEqual([{ by: "Bo", color: "#112233", x: 1.47, visible: true }]);
  el.object3D.position.x = 4;
  outlines.tick();
  expect(frames()).toMatchObject([{ x: 3.47 }]);
  outlines.show([]);
  expect(frames()).toEqual([]);
});

test("the outline of an object without a mesh is hidden, and an invalid colour gets the default", () => {
  const { scene, outlines, frames } = framing();
  const el = stubEntity(scene, "model");
  outlines.show([{ el, name: "Bo", color: "url(javascript:1)" }]);
  expect(frames()).toMatchObject([{ visible: false, color: "#e5a50a" }]);
});

test("the number of shown outlines is limited", () => {
  const { scene, outlines, frames } = framing();
  const el = stubBox(scene, "table", [0, 0, 0]);
  const many = Array.from(
    { length: HELD_SHOWN_MAX + 5 },
    (_, at): RemoteHold => ({ el, name: `p${at}`, color: "#fff" }),
  );
  outlines.show(many);
  expect(frames()).toHaveLength(HELD_SHOWN_MAX);
});

test("edit mode shows remote holds, also of objects added later, but not those of hidden people", async () => {
  const session = new FakeSession();
  const scene = stubScene();
  const things = new Map([["table", stubBox(scene, "table", [0, 0, 0])]]);
  let shown: readonly string[] = [];
  let times = 0;
  const held = new RemoteHolds({
    session,
    find: (objectId) => things.get(objectId) ?? null,
    isHidden: (idTag) => idTag === "cy",
    show: (all) => {
      times += 1;
      shown = all.map(({ el, name }) => `${name} ${el.dataset.objectId}`);
    },
  });
  const tell = async (idTag: string, holds: readonly string[]): Promise<void> => {
    session.person(idTag, undefined, { displayName: idTag, holds });
    await Promise.resolve();
  };
  await tell("bo", ["table", "chair"]);
  expect(shown).toEqual([]);
  held.setShown(true);
  await Promise.resolve();
  expect(shown).toEqual(["bo table"]);
  const before = times;
  await tell("bo", ["table", "chair"]);
  expect(times, "a step of somebody who walks is no news").toBe(before);
  await tell("cy", ["table"]);
  expect(shown).toEqual(["bo table"]);
  things.set("chair", stubBox(scene, "chair", [1, 0, 0]));
  session.put("chair", { object_type: "box" });
  await Promise.resolve();
  expect(shown).toEqual(["bo table", "bo chair"]);
  things.delete("chair");
  session.drop("chair");
  await Promise.resolve();
  expect(shown).toEqual(["bo table"]);
  await tell("bo", []);
  expect(shown).toEqual([]);
  const guest = "anonymous-1_0000000001";
  await tell(guest, ["table"]);
  expect(shown, "a guest is marked").toEqual([`${guest} (guest) table`]);
  held.dispose();
});
