import { expect, test } from "vitest";
import { lookTowards, orderOf } from "../../src/locomotion/camera-orders.ts";

const camera = (attributes: Record<string, unknown>) => orderOf({ type: "camera-override", attributes });

test("the three camera orders of arena-py are parsed", () => {
  const position = { x: 1, y: 2, z: 3 };
  expect(camera({ object_type: "camera", position, rotation: { x: 0, y: 0, z: 0, w: 1 } })).toEqual({
    kind: "eyes",
    at: position,
    gaze: { yawRad: expect.closeTo(0, 6), pitchRad: expect.closeTo(0, 6) },
  });
  expect(camera({ object_type: "look-at", target: "box" })).toEqual({ kind: "look", at: "box" });
  expect(camera({ object_type: "look-at", target: position })).toEqual({ kind: "look", at: position });
  expect(camera({ object_type: "teleport-to-landmark", landmarkObj: "#door" })).toEqual({
    kind: "landmark",
    objectId: "door",
  });
});

test("a camera order's rotation becomes yaw and pitch", () => {
  const half = Math.PI / 8;
  const left = camera({ object_type: "camera", rotation: { x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) } });
  expect(left).toMatchObject({ gaze: { yawRad: expect.closeTo(Math.PI / 4, 6), pitchRad: expect.closeTo(0, 6) } });
  const up = camera({ object_type: "camera", rotation: { x: 30, y: 0, z: 0 } });
  expect(up).toMatchObject({ at: null, gaze: { pitchRad: expect.closeTo(Math.PI / 6, 6) } });
});

test("a rig order sets the position and the yaw", () => {
  const rig = orderOf({ type: "rig", attributes: { position: { x: 1, y: 0, z: 0 }, rotation: { x: 0, y: 90, z: 0 } } });
  expect(rig).toEqual({ kind: "rig", at: { x: 1, y: 0, z: 0 }, yawRad: expect.closeTo(Math.PI / 2, 6) });
});

test("an empty or invalid order is ignored", () => {
  const nonsense = [
    {},
    { object_type: "camera" },
    { object_type: "camera", position: { x: "far", y: 0, z: 0 } },
    { object_type: "camera", rotation: { x: 0, y: 0, z: 0, w: 0 } },
    { object_type: "camera", rotation: "up" },
    { object_type: "look-at", target: "" },
    { object_type: "look-at", target: { x: Number.NaN } },
    { object_type: "teleport-to-landmark" },
    { object_type: "explode" },
  ];
  for (const attributes of nonsense) expect(camera(attributes), JSON.stringify(attributes)).toBeNull();
  expect(orderOf({ type: "rig", attributes: {} })).toBeNull();
});

test("a look at a point gives yaw and pitch, and at the eyes' own position nothing", () => {
  const eyes = { x: 0, y: 1.6, z: 0 };
  expect(Math.abs(lookTowards(eyes, { x: 0, y: 1.6, z: 5 })?.yawRad ?? 0)).toBeCloseTo(Math.PI, 6);
  expect(lookTowards(eyes, { x: 0, y: 0.6, z: -1 })).toEqual({
    yawRad: expect.closeTo(0, 6),
    pitchRad: expect.closeTo(-Math.PI / 4, 6),
  });
  expect(lookTowards(eyes, eyes)).toBeNull();
});
