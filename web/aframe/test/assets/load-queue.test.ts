import { expect, test } from "vitest";
import { LoadQueue, urgencyOf } from "../../src/assets/load-queue.ts";

test("the load queue takes the nearest and largest files first, up to its limit", () => {
  const queue = new LoadQueue(2);
  queue.add("far", () => urgencyOf(1, 50));
  queue.add("near", () => urgencyOf(1, 2));
  queue.add("tower", () => urgencyOf(30, 50));
  expect([queue.take(), queue.take(), queue.take()]).toEqual(["tower", "near", undefined]);
  queue.settle("near", true);
  expect(queue.take()).toBe("far");
});

test("urgency is computed when a file is taken from the queue, not when it is added", () => {
  let distanceM = 100;
  const queue = new LoadQueue(1);
  queue.add("a", () => urgencyOf(1, 50));
  queue.add("b", () => urgencyOf(1, distanceM));
  distanceM = 1;
  expect(queue.take()).toBe("b");
});

test("progress counts settled, failed and all files, and restarts after the queue was empty", () => {
  const queue = new LoadQueue(1);
  for (const key of ["a", "b", "c"]) queue.add(key, () => 1);
  queue.settle(queue.take() ?? "", true);
  queue.settle(queue.take() ?? "", false);
  expect(queue.progress).toEqual({ settled: 2, failed: 1, all: 3 });
  queue.settle(queue.take() ?? "", true);
  queue.add("d", () => 1);
  expect(queue.progress).toEqual({ settled: 0, failed: 0, all: 1 });
});

test("a dropped file isn't counted in the progress, and frees its slot", () => {
  const queue = new LoadQueue(1);
  queue.add("a", () => 2);
  queue.add("b", () => 1);
  expect(queue.take()).toBe("a");
  queue.drop("a");
  expect(queue.take()).toBe("b");
  queue.settle("a", true);
  expect(queue.progress).toEqual({ settled: 0, failed: 0, all: 1 });
});
