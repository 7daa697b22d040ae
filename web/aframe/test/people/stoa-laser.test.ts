import { expect, test } from "vitest";
import { LaserBehaviour } from "../../src/people/stoa-laser.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

function laser() {
  const el = stubEntity(stubScene());
  const component = new LaserBehaviour(stubAFrame(), el);
  component.update({ color: "#00ff00", to: { x: 0, y: 1, z: -2 } });
  const beam = () => el.getObject3D("stoa-laser");
  return { el, component, beam };
}

test("a laser reaches from its start to its end, and is hidden while its start is unknown", () => {
  const { component, beam } = laser();
  component.tick(0, 16);
  expect(beam()?.visible).toBe(false);
  component.start = (start) => Boolean(start.set(0, 1, 2));
  component.tick(0, 16);
  expect(beam()?.visible).toBe(true);
  const [stick, dot] = beam()?.children ?? [];
  expect(stick?.scale.z).toBeCloseTo(4, 5);
  expect(dot?.position.toArray()).toEqual([0, 1, -2]);
});

test("a laser's end glides to a near target and jumps to a far one", () => {
  const { component, beam } = laser();
  component.start = () => true;
  component.update({ color: "#00ff00", to: { x: 1, y: 1, z: -2 } });
  component.tick(0, 10);
  const x = beam()?.children[1]?.position.x ?? 0;
  expect(x).toBeGreaterThan(0.1);
  expect(x).toBeLessThan(0.5);
  component.update({ color: "#00ff00", to: { x: 50, y: 1, z: -2 } });
  component.tick(0, 10);
  expect(beam()?.children[1]?.position.x).toBeCloseTo(50, 5);
});

test("remove deletes the laser", () => {
  const { el, component } = laser();
  component.remove();
  expect(el.object3D.children.length).toBe(0);
});
