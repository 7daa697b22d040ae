/** Evaluates script time in a Chromium trace. */

/**
 * Trace events that count as script, including its garbage collection and microtasks. A nested event counts as part of
 * the outer one.
 */
const SCRIPT = new Set([
  "EvaluateScript",
  "EventDispatch",
  "FireAnimationFrame",
  "FireIdleCallback",
  "FunctionCall",
  "MajorGC",
  "MinorGC",
  "RunMicrotasks",
  "TimerFire",
  "V8.GCIncrementalMarking",
  "XHRReadyStateChange",
  "v8.callFunction",
  "v8.compile",
  "v8.run",
]);

/** The trace categories of these events. */
export const CATEGORIES = ["-*", "devtools.timeline", "v8", "v8.execute", "blink.user_timing"];

/**
 * Script between each two marks of that name, as processor time in milliseconds on the thread that set the marks, and
 * the total of each kind of event. Time that other threads and processes took is not included.
 */
export function scriptOfFrames(events, mark) {
  const isMark = ({ name, cat }) => name === mark && cat.includes("blink.user_timing");
  const first = events.find(isMark);
  if (first === undefined) return { frames: [], kinds: {} };
  const own = events.filter(({ pid, tid }) => pid === first.pid && tid === first.tid);
  const marks = own
    .filter(isMark)
    .map(({ ts }) => ts)
    .sort((one, other) => one - other);
  const spans = own
    .filter(({ ph, name }) => ph === "X" && SCRIPT.has(name))
    .sort((one, other) => one.ts - other.ts || other.dur - one.dur);
  const [frames, kinds] = [new Array(marks.length - 1).fill(0), {}];
  let [end, at] = [-Infinity, 0];
  for (const { name, ts, dur = 0, tdur = dur } of spans) {
    if (ts < end) continue;
    end = ts + dur;
    while (at < frames.length && marks[at + 1] <= ts) at += 1;
    if (ts < marks[0] || at >= frames.length) continue;
    frames[at] += tdur / 1_000;
    kinds[name] = (kinds[name] ?? 0) + tdur / 1_000;
  }
  return { frames, kinds };
}
