import { expect, test } from "vitest";
import { LoadQueue, urgencyOf } from "../../src/assets/load-queue.ts";

test("the nearest and largest are taken first, no more than so many at once", () => {
  const queue = new LoadQueue(2);
  queue.add("far", () => urgencyOf(1, 50));
  queue.add("near", () => urgencyOf(1, 2));
  queue.add("tower", () => urgencyOf(30, 50));
  expect([queue.take(), queue.take(), queue.take()]).toEqual(["tower", "near", undefined]);
  queue.settle("near", true);
  expect(queue.take()).toBe("far");
});

test("what is near is asked when a place is free, not when it came", () => {
  let distanceM = 100;
  const queue = new LoadQueue(1);
  queue.add("a", () => urgencyOf(1, 50));
  queue.add("b", () => urgencyOf(1, distanceM));
  distanceM = 1;
  expect(queue.take()).toBe("b");
});

test("progress counts what is settled, broken and there at all, and begins anew after a pause", () => {
  const queue = new LoadQueue(1);
  for (const key of ["a", "b", "c"]) queue.add(key, () => 1);
  queue.settle(queue.take() ?? "", true);
  queue.settle(queue.take() ?? "", false);
  expect(queue.progress).toEqual({ settled: 2, failed: 1, all: 3 });
  queue.settle(queue.take() ?? "", true);
  queue.add("d", () => 1);
  expect(queue.progress).toEqual({ settled: 0, failed: 0, all: 1 });
});

test("what nobody wants any more is neither taken nor counted, and makes its place free", () => {
  const queue = new LoadQueue(1);
  queue.add("a", () => 2);
  queue.add("b", () => 1);
  expect(queue.take()).toBe("a");
  queue.drop("a");
  expect(queue.take()).toBe("b");
  queue.settle("a", true);
  expect(queue.progress).toEqual({ settled: 0, failed: 0, all: 1 });
});
