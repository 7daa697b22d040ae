import { describe, expect, it } from "vitest";
import { Impairment } from "../../lab/voice/impairment.mjs";

const COUNT = 50_000;
const EACH_MS = 20;

/** The delays of datagrams that are sent each 20 ms; `undefined` for lost ones. */
function delays(seed: number, count = COUNT): (number | undefined)[] {
  const path = new Impairment(seed);
  return Array.from({ length: count }, (_, number) => {
    const sentMs = number * EACH_MS;
    const arrivalMs = path.arrivalMs(sentMs);
    return arrivalMs === undefined ? undefined : arrivalMs - sentMs;
  });
}

function runsOfLosses(all: readonly (number | undefined)[]): number[] {
  const runs = all.map((delay) => (delay === undefined ? "x" : ".")).join("");
  return runs
    .split(".")
    .map(({ length }) => length)
    .filter((length) => length > 0);
}

describe("an impaired path", () => {
  it("loses a twentieth, in bursts of three", () => {
    const all = delays(1);
    const runs = runsOfLosses(all);
    const lost = runs.reduce((sum, one) => sum + one, 0);
    expect(lost / COUNT).toBeCloseTo(0.05, 2);
    expect(lost / runs.length).toBeCloseTo(3, 0);
    expect(Math.max(...runs)).toBeGreaterThan(8);
  });

  it("delays by 20 to 60 ms, and a fiftieth by up to 60 ms more", () => {
    const arrived = delays(2).filter((delay) => delay !== undefined);
    expect(Math.min(...arrived)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...arrived)).toBeLessThanOrEqual(120);
    const late = arrived.filter((delay) => delay > 60).length / arrived.length;
    // Of those that are held back by 20 to 60 ms, nearly all arrive later than jitter alone makes them.
    expect(late).toBeGreaterThan(0.012);
    expect(late).toBeLessThan(0.02);
    const mean = arrived.reduce((sum, delay) => sum + delay, 0) / arrived.length;
    expect(mean).toBeGreaterThan(40);
    expect(mean).toBeLessThan(46);
  });

  it("keeps the order of all datagrams but those that it holds back", () => {
    const arrivals = delays(3, 5_000).map((delay, number) => delay && number * EACH_MS + delay);
    const arrived = arrivals.filter((at) => at !== undefined);
    const overtaken = arrived.filter((at, number) => arrived.slice(number + 1, number + 8).some((later) => later < at));
    expect(overtaken.length / arrived.length).toBeGreaterThan(0.01);
    expect(overtaken.length / arrived.length).toBeLessThan(0.025);
  });

  it("has the same fates for the same seed, and others for another", () => {
    expect(delays(4, 500)).toEqual(delays(4, 500));
    expect(delays(4, 500)).not.toEqual(delays(5, 500));
  });
});
