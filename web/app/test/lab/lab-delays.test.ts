import { expect, it } from "vitest";
import { cameraPlaces, delays, type Placed, shownDelays } from "../../lab/delays.mjs";

const said = (at: number, z: number): Placed => ({ at, place: [1, z] });

/** A person walks 10 cm each 100 ms. */
const WALK = [0, 1, 2, 3, 4].map((step) => said(100 * step, -step / 10));

it("the delay of a sent position counts to its first arrival", () => {
  const came = [said(130, -0.1), said(131, -0.1), said(255, -0.2), said(999, -7)];
  expect(delays(WALK, came)).toEqual([30, 55]);
  expect(delays([...WALK, said(900, -0.1)], came)).toEqual([30, 55]);
});

it("the delay of a shown position is measured also between two sent positions", () => {
  const shown = [said(150, -0.05), said(280, -0.15), said(450, -0.3)];
  expect(shownDelays(WALK, shown).map(Math.round)).toEqual([100, 130, 150]);
});

it("a shown position off the walked path has no delay", () => {
  expect(shownDelays(WALK, [said(500, 0.5), said(500, -0.6)])).toEqual([]);
});

it("the positions of all camera messages in one chunk of bytes are found", () => {
  const camera = (name: string, x: number) =>
    `\u00300"{"object_id":"${name}","action":"update","type":"object","data":{"object_type":"camera","position":{"x":${x},"y":1.6,"z":-2.5},"rotation":{}}}`;
  const bytes = new TextEncoder().encode(
    `${camera("ada", 0.25)}${camera("bo", -1e-3)}{"object_id":"box","data":{"position":{"x":9}}}`,
  );
  expect(cameraPlaces({ at: 7, bytes })).toEqual([
    { at: 7, name: "ada", place: [0.25, -2.5] },
    { at: 7, name: "bo", place: [-0.001, -2.5] },
  ]);
});
