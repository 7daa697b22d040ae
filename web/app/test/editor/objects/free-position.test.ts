import type { Body } from "@stoa/aframe";
import { describe, expect, it } from "vitest";
import { shapes } from "../../../src/editor/adding/palette.ts";
import { bodyOf, freePosition } from "../../../src/editor/objects/free-position.ts";

/** A body of this size with its base at the given position. */
const standing = (x: number, z: number, [width, height, depth]: readonly [number, number, number], y = 0): Body => ({
  min: { x: x - width / 2, y, z: z - depth / 2 },
  max: { x: x + width / 2, y: y + height, z: z + depth / 2 },
});
const CUBE = standing(0, 0, [1, 1, 1]);
const PLACE = { x: 0, y: 0, z: -3 };
/** The direction of view from the origin, along -z. */
const AHEAD = { x: 0, z: -1 };
const found = (others: readonly Body[], ahead = AHEAD, body = CUBE) =>
  freePosition({ wanted: PLACE, body, ahead }, others);

describe("the free position for a new object", () => {
  it("is the wanted position if that is free", () => {
    expect(found([])).toEqual(PLACE);
    expect(found([standing(0, -5, [1, 1, 1]), standing(3, -3, [1, 1, 1])])).toEqual(PLACE);
  });

  it("is right of an obstacle, then left of it, then behind it", () => {
    const others = [standing(0, -3, [1, 1, 1])];
    const places = [1, 2, 3].map(() => {
      const place = found(others);
      others.push(standing(place.x, place.z, [1, 1, 1]));
      return [place.x, place.z];
    });
    expect(places).toEqual([
      [1.25, -3],
      [-1.25, -3],
      [0, -4.25],
    ]);
  });

  it("is sideways to the view direction, and never nearer to the viewer", () => {
    const { x, z } = freePosition({ wanted: { x: 3, y: 0, z: 0 }, body: CUBE, ahead: { x: 1, z: 0 } }, [
      standing(3, 0, [1, 1, 1]),
    ]);
    expect([x, z], "looking along x one has z to the right").toEqual([3, 1.25]);
    const row = standing(0, -3, [7, 1, 1]);
    expect(found([row]).z).toBeLessThan(-4);
  });

  it("ignores floors, lamps overhead and an enclosing room as obstacles", () => {
    const floor = standing(0, -3, [12, 0.1, 12], -0.1);
    const stage = standing(0, -3, [3, 0.1, 3], -0.1);
    const lamp = standing(0, -3, [1, 0.2, 1], 2);
    const hall = standing(0, 0, [20, 6, 20]);
    expect(found([floor, stage, lamp, hall])).toEqual(PLACE);
    expect(found([hall, standing(0, -3, [1, 1, 1])]), "beside what stands in the room").toEqual({
      x: 1.25,
      y: 0,
      z: -3,
    });
  });

  it("is the wanted position if all positions are occupied", () => {
    const many = [-4, -2, 0, 2, 4].flatMap((x) => [-3, -5, -7, -9].map((z) => standing(x, z, [2, 2, 2])));
    expect(found(many)).toEqual(PLACE);
  });

  it("keeps all palette shapes apart that are added in turn", () => {
    const others: Body[] = [];
    for (const { attributes, heightM } of [...shapes, ...shapes]) {
      const body = bodyOf(attributes, heightM);
      const { x, z } = freePosition({ wanted: PLACE, body, ahead: AHEAD }, others);
      const own = {
        min: { ...body.min, x: body.min.x + x, z: body.min.z + z },
        max: { ...body.max, x: body.max.x + x, z: body.max.z + z },
      };
      for (const other of others) {
        const apart =
          own.max.x <= other.min.x || other.max.x <= own.min.x || own.max.z <= other.min.z || other.max.z <= own.min.z;
        expect(apart).toBe(true);
      }
      others.push(own);
    }
    expect(others).toHaveLength(12);
  });
});

describe("the size of a new object", () => {
  it("follows from its attributes, and a model stands on the floor", () => {
    expect(bodyOf({ object_type: "box", width: 2, height: 1, depth: 4 }, 0.5)).toEqual({
      min: { x: -1, y: 0, z: -2 },
      max: { x: 1, y: 1, z: 2 },
    });
    expect(bodyOf({ object_type: "gltf-model", url: "/store/a.glb" }, 0).min.y).toBe(0);
    expect(bodyOf({ object_type: "sphere", radius: 0.3, scale: { x: 2, y: 1, z: 1 } }, 0.3).max).toEqual({
      x: 0.6,
      y: 0.6,
      z: 0.3,
    });
    expect(bodyOf({ object_type: "text", width: 4 }, 1.5).max.x, "its lines are hardly ever full").toBeLessThan(1);
  });
});
