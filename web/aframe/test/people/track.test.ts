import { expect, test } from "vitest";
import { MotionDelay, PoseTrack } from "../../src/people/track.ts";

const pose = (x: number) => ({ position: [x, 0, 0], rotation: [0, 0, 0, 1] }) as const;
const told = (x: number) => Float64Array.of(x, 0, 0, 0, 0, 0, 1);

function shown(track: PoseTrack, nowMs: number): number {
  const out = new Float64Array(7);
  track.sample(nowMs, out);
  return out[0] ?? Number.NaN;
}

/** A walk of 1 m/s, with 20 poses per second, up to `lateMs` late, sampled every 10 ms from 500 ms on. */
function walk(lateMs: number): number[] {
  const delay = new MotionDelay();
  const track = new PoseTrack(delay);
  const places: number[] = [];
  const arrivals = Array.from({ length: 60 }, (_, at) => ({
    at: at * 50,
    came: at * 50 + (at % 3 === 0 ? lateMs : 0),
  }));
  for (let now = 0; now <= 2_500; now += 10) {
    for (const { at } of arrivals.filter(({ came }) => came === now)) track.handleMotion(now, at, told(at / 1_000));
    delay.tick(now, lateMs);
    if (now >= 1_000) places.push(shown(track, now));
  }
  return places;
}

const steps = (places: readonly number[]) => places.slice(1).map((place, at) => place - (places[at] ?? 0));

test("motion-plane poses are shown 100 ms late, plus the measured lateness", () => {
  expect(walk(0).at(-1)).toBeCloseTo(2.4, 5);
  expect(walk(40).at(-1)).toBeCloseTo(2.36, 5);
});

test.each([0, 40])("a walk with every third pose %i ms late is shown evenly", (lateMs) => {
  const walked = steps(walk(lateMs));
  expect(Math.min(...walked)).toBeGreaterThan(0.008);
  expect(Math.max(...walked)).toBeLessThan(0.012);
});

test("the delay follows the lateness without a jump", () => {
  const delay = new MotionDelay();
  delay.tick(0, 0);
  delay.tick(10, 200);
  expect(delay.ms).toBeCloseTo(101, 5);
  for (let now = 20; now <= 4_000; now += 10) delay.tick(now, 200);
  expect(delay.ms).toBeCloseTo(300, 5);
});

test("messages move a person only while the motion plane sends no poses", () => {
  const track = new PoseTrack(new MotionDelay());
  track.handleMessage(0, pose(1));
  expect(shown(track, 200), "negative control").toBe(1);
  track.handleMotion(1_000, 1_000, told(5));
  track.handleMessage(1_050, pose(9));
  expect(shown(track, 1_200)).toBeCloseTo(5, 5);
  track.handleMotionLeft(1_300);
  expect(shown(track, 1_500), "it stays").toBeCloseTo(5, 5);
  track.handleMessage(1_600, pose(9));
  expect(shown(track, 1_800)).toBeCloseTo(9, 5);
});

test("the switch from messages to the motion plane makes no jump", () => {
  const track = new PoseTrack(new MotionDelay());
  for (let now = 0; now <= 1_000; now += 100) track.handleMessage(now, pose(now / 1_000));
  const before = shown(track, 1_000);
  track.handleMotion(1_000, 1_000, told(1));
  expect(shown(track, 1_000)).toBeCloseTo(before, 5);
});
