import { expect, test } from "vitest";
import { type SceneSittingPose, SeatBehaviour, SIT, type SitRequest } from "../../src/locomotion/stoa-seat.ts";
import { heard, stubAFrame, stubBox, stubScene } from "../stub-aframe.ts";

function seat(facing = 0) {
  const scene = stubScene();
  const el = stubBox(scene, "chair", [2, 0, -1]);
  const component = new SeatBehaviour(stubAFrame(), el);
  component.update({ offset: { x: 0, y: 0.45, z: 0.1 }, facing });
  return { el, component, asked: heard(scene, SIT) };
}

const close = (value: number) => expect.closeTo(value, 5);

test("a press on a seat requests its pose", () => {
  const { el, asked } = seat();
  el.emit("mousedown");
  expect(asked).toMatchObject([
    { place: { position: { x: close(2), y: close(0.45), z: close(-0.9) }, yawRad: close(0) } },
  ]);
});

test("a seat turns with its object and by its facing setting", () => {
  const { el, component } = seat(90);
  el.object3D.rotation.y = Math.PI / 4;
  const { position, yawRad }: SceneSittingPose = component.place;
  expect(yawRad).toBeCloseTo((3 * Math.PI) / 4, 5);
  expect(position.x).toBeCloseTo(2 + 0.1 * Math.SQRT1_2, 5);
});

test("after remove a press does nothing", () => {
  const { el, component, asked } = seat();
  component.remove();
  el.emit("mousedown");
  expect(asked).toEqual([]);
});

test("removing a seat aborts the gone signal of its sit request", () => {
  const { el, component, asked } = seat();
  el.emit("mousedown");
  const [call] = asked.filter((one): one is SitRequest => typeof one === "object" && one !== null && "gone" in one);
  expect(call?.gone.aborted).toBe(false);
  component.remove();
  expect(call?.gone.aborted).toBe(true);
});
