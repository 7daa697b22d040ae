import { expect, it } from "vitest";
import { scriptOfFrames, type TraceEvent } from "../../lab/trace.mjs";

const MAIN = { pid: 7, tid: 1 };
const mark = (ts: number): TraceEvent => ({ ...MAIN, name: "frame", cat: "blink.user_timing", ph: "R", ts });
const ran = (name: string, ts: number, dur: number, more: Partial<TraceEvent> = {}): TraceEvent => ({
  ...MAIN,
  name,
  cat: "devtools.timeline",
  ph: "X",
  ts,
  dur,
  tdur: dur,
  ...more,
});

/** Three marks delimit two frames. */
const MARKS = [mark(10_000), mark(26_000), mark(42_000)];

it("script time between two frame marks is summed, with nested events counted once", () => {
  const events = [
    ...MARKS,
    ran("FireAnimationFrame", 11_000, 4_000),
    ran("FunctionCall", 12_000, 2_000),
    ran("TimerFire", 20_000, 500),
    ran("RunMicrotasks", 30_000, 1_000),
  ];
  const { frames, kinds } = scriptOfFrames(events, "frame");
  expect(frames).toEqual([4.5, 1]);
  expect(kinds).toEqual({ FireAnimationFrame: 4, TimerFire: 0.5, RunMicrotasks: 1 });
});

it("script time is CPU time instead of wall-clock time", () => {
  const events = [...MARKS, ran("FunctionCall", 11_000, 9_000, { tdur: 3_000 })];
  expect(scriptOfFrames(events, "frame").frames).toEqual([3, 0]);
});

it("rendering, other threads and events outside the marks count as no script time", () => {
  const events = [
    ran("FunctionCall", 9_000, 500),
    ...MARKS,
    ran("Paint", 11_000, 5_000),
    ran("FunctionCall", 12_000, 5_000, { tid: 2 }),
    ran("FunctionCall", 13_000, 5_000, { pid: 8 }),
    ran("FunctionCall", 43_000, 500),
  ];
  expect(scriptOfFrames(events, "frame").frames).toEqual([0, 0]);
});

it("a trace without marks has no frames", () => {
  expect(scriptOfFrames([ran("FunctionCall", 0, 1)], "frame").frames).toEqual([]);
});
