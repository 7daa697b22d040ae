import type { Vector3 } from "@stoa/client";
import { describe, expect, it } from "vitest";
import { BESIDE_M, WALK_S_MAX } from "../../src/limits.ts";
import { bearingOf, yawOf } from "../../src/text-view/geometry.ts";
import { Walker } from "../../src/text-view/walker.ts";

const HERE = { position: [0, 1.6, 0] as const, yawRad: 0 };

describe("the bearing of a position", () => {
  it.each([
    [[0, 1.6, -4], "ahead"],
    [[-4, 1.6, 0], "left"],
    [[4, 1.6, 0], "right"],
    [[0, 1.6, 4], "behind"],
    [[-3, 1.6, -3], "aheadLeft"],
    [[3, 1.6, 3], "behindRight"],
    [[0.1, 4, 0.1], "here"],
  ] as const)("at %j is %s", (place, way) => {
    expect(bearingOf(HERE, place).direction).toBe(way);
  });

  it("turns with the visitor", () => {
    expect(bearingOf({ ...HERE, yawRad: Math.PI / 2 }, [-4, 1.6, 0]).direction).toBe("ahead");
    expect(bearingOf({ ...HERE, yawRad: 9 * Math.PI }, [0, 1.6, 4]).direction).toBe("ahead");
  });

  it("has a distance and a height difference", () => {
    const { distanceM, upM } = bearingOf(HERE, [0, 4.6, -4]);
    expect(distanceM).toBeCloseTo(5);
    expect(upM).toBeCloseTo(3);
    expect(bearingOf(HERE, [0, 0.2, -4]).upM, "on the same floor").toBe(0);
    expect(bearingOf(HERE, [0, -2, -4]).upM).toBeCloseTo(-2);
  });
});

describe("a walk to a target", () => {
  const at = (place: Vector3) => () => place;

  /** Walks until a step differs from `moved`; returns that step and the time. */
  function walk(walker: Walker, find: () => Vector3 | undefined): { step: string; seconds: number } {
    for (let tenths = 1; tenths < 1_000; tenths += 1) {
      const step = walker.handleTime(0.1, find);
      if (step !== "moved") return { step, seconds: tenths / 10 };
    }
    throw new Error("walks forever");
  }

  it("ends next to a person, at the person's eye height and facing the person", () => {
    const walker = new Walker(HERE);
    const bob = at([0, 1.4, -6]);
    walker.setOut({ kind: "person", name: "Bob", id: "bob" }, bob);
    expect(walk(walker, bob).step).toBe("arrived");
    expect(walker.stand.position[2]).toBeCloseTo(-6 + BESIDE_M);
    expect(walker.stand.position[1]).toBe(1.4);
    expect(bearingOf(walker.stand, [0, 1.4, -6]).direction).toBe("ahead");
    expect(yawOf(walker.pose.rotation)).toBeCloseTo(walker.stand.yawRad);
  });

  it("to an object keeps the visitor's eye height", () => {
    const walker = new Walker(HERE);
    const lamp = at([3, 0.2, 0]);
    walker.setOut({ kind: "object", name: "lamp", id: "lamp" }, lamp);
    walk(walker, lamp);
    expect(walker.stand.position[1]).toBe(1.6);
  });

  it("has a time limit for a long distance", () => {
    const walker = new Walker(HERE);
    const far = at([900, 1.6, 0]);
    walker.setOut({ kind: "person", name: "Bob", id: "bob" }, far);
    expect(walk(walker, far).seconds).toBeLessThan(WALK_S_MAX + 1);
  });

  it("continues after a followed person who moves on", () => {
    const walker = new Walker(HERE);
    let bob: Vector3 = [0, 1.6, -3];
    walker.setOut({ kind: "follow", name: "Bob", id: "bob" }, () => bob);
    expect(walk(walker, () => bob).step).toBe("still");
    bob = [0, 1.6, -9];
    expect(walk(walker, () => bob).step).toBe("still");
    expect(walker.stand.position[2]).toBeCloseTo(-9 + BESIDE_M);
    expect(walker.goal?.name).toBe("Bob");
  });

  it("ends when its target disappears", () => {
    const walker = new Walker(HERE);
    walker.setOut({ kind: "person", name: "Bob", id: "bob" }, at([0, 1.6, -9]));
    expect(walker.handleTime(0.1, () => undefined)).toBe("lost");
    expect(walker.handleTime(0.1, () => undefined)).toBe("still");
  });
});
