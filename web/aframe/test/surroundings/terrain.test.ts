import { expect, test } from "vitest";
import { surroundingsOf } from "../../src/surroundings/environment.ts";
import { TerrainHeightMap } from "../../src/surroundings/terrain.ts";

const terrain = (presets: object) => new TerrainHeightMap(surroundingsOf(presets));

test("the same seed gives the same terrain, and another seed a different one", () => {
  expect(terrain({ preset: "japan" }).heights).toEqual(terrain({ preset: "japan" }).heights);
  expect(terrain({ preset: "japan", seed: 99 }).heights).not.toEqual(terrain({ preset: "japan" }).heights);
});

test.each(["hills", "canyon", "spikes", "noise"])(
  "%s rise outside, and the middle where people meet is flat",
  (ground) => {
    const hilly = terrain({ preset: "default", ground });
    expect(Math.max(...hilly.heights)).toBeGreaterThan(0.5);
    for (const [x, z] of [
      [0, 0],
      [5, -5],
      [-8, 8],
    ] as const)
      expect(hilly.heightAt(x, z)).toBeCloseTo(0, 9);
  },
);

test("a flat ground is flat everywhere, and the height beyond the edge is that of the edge", () => {
  expect(terrain({ preset: "forest", ground: "flat" }).heightAt(70, 70)).toBe(0);
  const hilly = terrain({ preset: "japan" });
  expect(hilly.heightAt(1e6, 3)).toBe(hilly.heightAt(hilly.sizeX / 2, 3));
});

test("between corners the height is that of the drawn triangles", () => {
  const hilly = terrain({ preset: "japan" });
  const cell = hilly.sizeX / (hilly.side - 1);
  const corner = (column: number, row: number): number => hilly.heights[row * hilly.side + column] ?? 0;
  const at = (column: number, row: number): number =>
    hilly.heightAt(column * cell - hilly.sizeX / 2, row * cell - hilly.sizeZ / 2);
  expect(at(3, 2)).toBeCloseTo(corner(3, 2), 4);
  expect(at(3.5, 2.5)).toBeCloseTo((corner(4, 2) + corner(3, 3)) / 2, 4);
  expect(at(3.25, 2.25)).toBeCloseTo(corner(3, 2) / 2 + (corner(4, 2) + corner(3, 3)) / 4, 4);
});
