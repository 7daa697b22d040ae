import { Euler, Quaternion } from "three";
import { expect, test } from "vitest";
import { eulerOf } from "../../src/mapping/pose.ts";

test("degrees turned back into a quaternion are the same rotation, the poles included", () => {
  const steps = [-180, -90, -45, 0, 30, 90, 135];
  for (const x of steps) {
    for (const y of steps) {
      for (const z of steps) {
        const radians = [x, y, z].map((part) => (part * Math.PI) / 180);
        const wanted = new Quaternion().setFromEuler(new Euler(radians[0], radians[1], radians[2], "YXZ"));
        const degrees = eulerOf({ x: wanted.x, y: wanted.y, z: wanted.z, w: wanted.w });
        const back = [degrees?.x, degrees?.y, degrees?.z].map((part) => ((part ?? Number.NaN) * Math.PI) / 180);
        const got = new Quaternion().setFromEuler(new Euler(back[0], back[1], back[2], "YXZ"));
        expect(wanted.angleTo(got), `${x} ${y} ${z}`).toBeLessThan(1e-3);
      }
    }
  }
});
