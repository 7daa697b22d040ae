import { expect, test } from "vitest";
import { BodyPublicationSelector } from "../../src/physics/published-bodies.ts";
import { type LeaseElectionInput, SimulationLeaseElection } from "../../src/physics/simulation-lease.ts";

const HERE: LeaseElectionInput = { isNeeded: true, mayBuild: true, isOnPlane: true, holdsLease: false, isAlone: false };
const WAITS = { claims: true, simulates: false };
const IDLE = { claims: false, simulates: false };

test("a page simulates only after holding the lease for 500 ms", () => {
  const duty = new SimulationLeaseElection();
  expect(duty.decide(HERE, 0)).toEqual(WAITS);
  const holds = { ...HERE, holdsLease: true };
  expect(duty.decide(holds, 100)).toEqual(WAITS);
  expect(duty.decide(holds, 599)).toEqual(WAITS);
  expect(duty.decide(holds, 600)).toEqual({ claims: true, simulates: true });
});

test("a page that loses the lease restarts its wait, or stops simulating at once", () => {
  const duty = new SimulationLeaseElection();
  const holds = { ...HERE, holdsLease: true };
  duty.decide(holds, 0);
  expect(duty.decide(HERE, 400)).toEqual(WAITS);
  expect(duty.decide(holds, 700)).toEqual(WAITS);
  expect(duty.decide(holds, 1_200).simulates).toBe(true);
  expect(duty.decide(HERE, 1_300)).toEqual(WAITS);
});

test("a page without build rights or dynamic bodies doesn't claim the lease", () => {
  const duty = new SimulationLeaseElection();
  expect(duty.decide({ ...HERE, mayBuild: false }, 0)).toEqual(IDLE);
  expect(duty.decide({ ...HERE, isNeeded: false, holdsLease: true }, 9_000)).toEqual(IDLE);
});

test("a page without a motion plane simulates after three seconds alone in the scene", () => {
  const duty = new SimulationLeaseElection();
  const cutOff = { ...HERE, isOnPlane: false };
  const alone = { ...cutOff, isAlone: true, mayBuild: false };
  expect(duty.decide(cutOff, 0)).toEqual(IDLE);
  expect(duty.decide(alone, 0)).toEqual(IDLE);
  expect(duty.decide(alone, 2_999)).toEqual(IDLE);
  expect(duty.decide(alone, 3_000)).toEqual({ claims: false, simulates: true });
  expect(duty.decide(cutOff, 3_100)).toEqual(IDLE);
  expect(duty.decide(alone, 3_200)).toEqual(IDLE);
});

test("two pages never simulate at once, and the second takes over when the first leaves", () => {
  const pages = [new SimulationLeaseElection(), new SimulationLeaseElection()];
  let holder: number | null = null;
  let computed = 0;
  for (let ms = 0; ms < 5_000; ms += 50) {
    if (ms === 2_000) holder = null;
    const there = ms < 2_000 ? [0, 1] : [1];
    const orders = there.map((at) => ({ at, ...pages[at]?.decide({ ...HERE, holdsLease: holder === at }, ms) }));
    holder ??= orders.find(({ claims }) => claims)?.at ?? null;
    const computing = orders.filter(({ simulates }) => simulates);
    expect(computing.length).toBeLessThan(2);
    computed += computing.length;
  }
  expect(computed).toBeGreaterThan(70);
});

const bodies = (count: number, isAwake: boolean, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ objectId: `b${at + from}`, isAwake }));

test("a body is published while it moves, and its rest pose is sent as a message", () => {
  const told = new BodyPublicationSelector();
  expect(told.step(bodies(2, true), 0)).toEqual({ moved: ["b0", "b1"], released: [], messaged: [] });
  expect(told.step(bodies(2, false), 100)).toEqual({ moved: [], released: ["b0", "b1"], messaged: ["b0", "b1"] });
  expect(told.step(bodies(2, false), 200)).toEqual({ moved: [], released: [], messaged: [] });
});

test("bodies over the limit are sent as messages once a second, and take the slots of resting ones", () => {
  const told = new BodyPublicationSelector();
  const first = told.step(bodies(30, true), 0);
  expect([first.moved.length, first.messaged]).toEqual([28, ["b28", "b29"]]);
  expect(told.step(bodies(30, true), 500).messaged).toEqual([]);
  expect(told.step(bodies(30, true), 1_000).messaged).toEqual(["b28", "b29"]);
  const next = told.step([...bodies(1, false), ...bodies(29, true, 1)], 1_100);
  expect([next.moved.includes("b28"), next.released, next.messaged]).toEqual([true, ["b0"], ["b0"]]);
  expect(told.step([...bodies(29, true, 1).slice(0, 28), ...bodies(1, false, 29)], 1_200).messaged).toEqual(["b29"]);
});

test("a removed body is released, and end releases the remaining ones", () => {
  const told = new BodyPublicationSelector();
  told.step(bodies(2, true), 0);
  expect(told.step(bodies(1, true), 50).released).toEqual(["b1"]);
  expect(told.end()).toEqual(["b0"]);
  expect(told.end()).toEqual([]);
});
