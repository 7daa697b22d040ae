import { describe, expect, test } from "vitest";
import { BODY } from "../../src/limits.ts";
import {
  BodyPoseEstimator,
  bend,
  type LimbJoints,
  type Point,
  type TrackedBodyInput,
} from "../../src/people/body-pose.ts";

const at = (x: number, y: number, z: number): Point => ({ x, y, z });
const apart = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z);

function known(more: Partial<TrackedBodyInput> = {}): TrackedBodyInput {
  return { head: at(0, 1.6, 0), yawRad: 0, eyesM: 1.6, hands: [null, null], ...more };
}

function standing(more: Partial<TrackedBodyInput> = {}) {
  const body = new BodyPoseEstimator();
  body.update(known(more), 0.016);
  return body;
}

describe("a two-bone limb", () => {
  const limb = (end: Point): LimbJoints => ({ root: at(0, 0, 0), joint: at(0, 0, 0), end });

  test("the joint is a bone's length from both ends, on the pole's side", () => {
    const arm = limb(at(0.3, -0.2, -0.2));
    bend(arm, [0.3, 0.29], at(0, -1, 0));
    expect(apart(arm.root, arm.joint)).toBeCloseTo(0.3, 5);
    expect(apart(arm.joint, arm.end)).toBeCloseTo(0.29, 5);
    expect(arm.end).toEqual({ x: expect.closeTo(0.3, 5), y: expect.closeTo(-0.2, 5), z: expect.closeTo(-0.2, 5) });
    expect(arm.joint.y).toBeLessThan(-0.1);
  });

  test.each([at(5, 0, 0), at(0, 0, 0), at(0, -9, 0)])("an end at %j is clamped to the limb's reach", (end) => {
    const arm = limb(end);
    bend(arm, [0.3, 0.29], at(0, -1, 0));
    expect(apart(arm.root, arm.joint)).toBeCloseTo(0.3, 4);
    expect(apart(arm.joint, arm.end)).toBeCloseTo(0.29, 3);
  });
});

describe("a body", () => {
  test("a standing body has its left and right foot on the floor", () => {
    const { legs } = standing().joints;
    for (const { end } of legs) expect(end.y).toBeCloseTo(BODY.ankleM - 1.6, 2);
    expect(legs[0].end.x).toBeLessThan(0);
    expect(legs[1].end.x).toBeGreaterThan(0);
  });

  test("knees bend forwards and elbows backwards at any yaw", () => {
    for (const yawRad of [0, 1.2, Math.PI, -2]) {
      const { legs, arms } = standing({ yawRad, eyesM: 1.2 }).joints;
      const ahead = ({ x, z }: Point): number => -x * Math.sin(yawRad) - z * Math.cos(yawRad);
      for (const { root, joint } of legs) expect(ahead(joint)).toBeGreaterThan(ahead(root) + 0.1);
      for (const { root, joint } of arms) expect(ahead(joint)).toBeLessThan(ahead(root) + 0.02);
    }
  });

  test("an arm ends at its tracked hand, and an arm without one hangs down", () => {
    const hand = at(0.25, -0.3, -0.35);
    const { arms } = standing({ hands: [null, hand] }).joints;
    expect(apart(arms[1].end, hand)).toBeLessThan(1e-3);
    expect(arms[0].end.y, "the other hangs").toBeLessThan(-0.6);
  });

  test("a walking body lifts one foot at a time, and stands on both when it stops", () => {
    const body = new BodyPoseEstimator();
    const lifts: number[][] = [];
    const walk = (step: number): void => {
      body.update(known({ head: at(0, 1.6, -0.02 * step) }), 0.016);
      lifts.push(body.joints.legs.map(({ end }) => end.y + 1.6 - BODY.ankleM));
    };
    for (let step = 0; step < 300; step += 1) walk(step);
    const late = lifts.slice(100);
    expect(Math.max(...late.map(([left = 0]) => left))).toBeGreaterThan(0.05);
    expect(Math.max(...late.map(([, right = 0]) => right))).toBeGreaterThan(0.05);
    expect(Math.max(...late.map((both) => Math.min(...both)))).toBeLessThan(0.02);
    for (let more = 0; more < 100; more += 1) body.update(known({ head: at(0, 1.6, -6) }), 0.016);
    for (const { end } of body.joints.legs) expect(end.y).toBeCloseTo(BODY.ankleM - 1.6, 2);
  });

  test("the chest follows a turning head with a delay, within the limit of the neck", () => {
    const body = standing();
    body.update(known({ yawRad: 0.5 }), 0.016);
    expect(body.joints.yawRad).toBeLessThan(0.1);
    body.update(known({ yawRad: Math.PI / 2 }), 0.016);
    expect(body.joints.yawRad).toBeGreaterThanOrEqual(Math.PI / 2 - BODY.neckTurnRad);
    for (let more = 0; more < 600; more += 1) body.update(known({ yawRad: Math.PI / 2 }), 0.016);
    expect(body.joints.yawRad).toBeCloseTo(Math.PI / 2, 1);
  });

  test("no joint value is ever NaN", () => {
    const body = standing({ hands: [at(0, 0, 0), at(0, -0.24, 0)], eyesM: 0 });
    body.update(known({ head: at(0, 1.6, 0) }), 0);
    expect(JSON.stringify(body.joints)).not.toContain("null");
  });
});
