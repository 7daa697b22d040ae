/** The height map of the ground, for rendering and walking. Pure and deterministic for a seed. */
import type { Surroundings } from "./environment.ts";

/** A seeded random generator of numbers from 0 to 1. Source: mulberry32, in the public domain. */
export function seeded(seed: number): () => number {
  let state = Math.trunc(seed) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Height of the ground at a position, in metres. */
export type GroundHeightSampler = (x: number, z: number) => number;

/** A height map of a rectangle of `sizeX` by `sizeZ` metres, with `side` vertices along both. */
export class TerrainHeightMap {
  /** Vertices along each side, at least 2. */
  readonly side: number;
  /** Heights in metres, row by row from -z, each from -x. */
  readonly heights: Float32Array;
  readonly sizeX: number;
  readonly sizeZ: number;

  constructor({ ground, seed, stageM, playArea }: Surroundings) {
    this.side = ground.shape === "flat" ? 2 : Math.max(2, Math.round(ground.density));
    this.sizeX = Math.max(0.1, stageM * Math.abs(ground.scale.x));
    this.sizeZ = Math.max(0.1, stageM * Math.abs(ground.scale.z));
    this.heights = new Float32Array(this.side * this.side);
    if (ground.shape === "flat") return;
    const random = seeded(seed);
    const noise = gradientNoise(random);
    const step = ground.frequency / this.side;
    for (let row = 0; row < this.side; row += 1) {
      for (let column = 0; column < this.side; column += 1) {
        const relief = rise(ground.shape, () => noise(column * step, row * step), random) + random() * 0.1;
        const weight = Math.max(
          reliefWeight(column / (this.side - 1), playArea),
          reliefWeight(row / (this.side - 1), playArea),
        );
        const height = relief * weight;
        const heightM = height < 0.01 ? 0 : height * ground.heightM * ground.scale.y;
        this.heights[row * this.side + column] = heightM;
      }
    }
  }

  /** Interpolated height at a position, in metres. Outside the map: the height at its edge. */
  heightAt(x: number, z: number): number {
    const last = this.side - 1;
    const column = Math.max(0, Math.min(last, (x / this.sizeX + 0.5) * last));
    const row = Math.max(0, Math.min(last, (z / this.sizeZ + 0.5) * last));
    const [left, near] = [Math.min(last - 1, Math.floor(column)), Math.min(last - 1, Math.floor(row))];
    const [u, v] = [column - left, row - near];
    // Interpolates within the two triangles of a cell, as three.js draws the plane. Bilinear interpolation would
    // let feet sink in.
    const [a, b, c, d] = [
      this.#at(left, near),
      this.#at(left, near + 1),
      this.#at(left + 1, near + 1),
      this.#at(left + 1, near),
    ];
    return u + v <= 1 ? a + (d - a) * u + (b - a) * v : c + (b - c) * (1 - u) + (d - c) * (1 - v);
  }

  #at(column: number, row: number): number {
    return this.heights[row * this.side + column] ?? 0;
  }
}

/** The height of one vertex, 0 to about 1. */
function rise(shape: string, noise: () => number, random: () => number): number {
  switch (shape) {
    case "canyon":
      return Math.min(1, (0.2 + noise() * 0.8) ** 2 * 10);
    case "spikes":
      return random() < 0.02 ? random() : 0;
    case "noise":
      return random() < 0.35 ? random() : 0;
    default:
      return Math.max(0, noise());
  }
}

/**
 * Weight of the relief along a side, 0 to 1: smallest at the centre, where people meet, and larger at the edges. 0
 * everywhere from a play area of 1.9 on.
 */
function reliefWeight(share: number, playArea: number): number {
  const area = Math.max(0.5, playArea);
  return Math.max(0, Math.min(1, (Math.abs(share * 2 - 1) - (area - 0.9)) / area));
}

/** Perlin's gradient noise in two dimensions, about -1 to 1. */
function gradientNoise(random: () => number): (x: number, y: number) => number {
  const order = Array.from({ length: 256 }, (_, at) => at);
  for (let at = 255; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  const slope = (x: number, y: number, dx: number, dy: number): number => {
    const turn = ((order[((order[x & 255] ?? 0) + y) & 255] ?? 0) / 256) * 2 * Math.PI;
    return Math.cos(turn) * dx + Math.sin(turn) * dy;
  };
  const ease = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);
  return (x, y) => {
    const [left, low] = [Math.floor(x), Math.floor(y)];
    const [dx, dy] = [x - left, y - low];
    const [u, v] = [ease(dx), ease(dy)];
    const lower = slope(left, low, dx, dy) * (1 - u) + slope(left + 1, low, dx - 1, dy) * u;
    const upper = slope(left, low + 1, dx, dy - 1) * (1 - u) + slope(left + 1, low + 1, dx - 1, dy - 1) * u;
    return (lower * (1 - v) + upper * v) * 1.5;
  };
}
