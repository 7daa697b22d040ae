import type { DrawnHeads } from "@stoa/client";
import { beforeEach, describe, expect, it } from "vitest";
import { VoiceSpace } from "../src/sound/voice-space.ts";
import { FakeNode } from "./support/fake-audio.ts";

const ADA = "ada_1";
const BO = "bo_1";

let gains: FakeNode[];
let panners: FakeNode[];
let inputs: FakeNode[];
let space: VoiceSpace;
let hidden: Set<string>;

const heads: DrawnHeads = {
  own: undefined,
  positionOf: (idTag) => (idTag === BO ? [3, 1.6, 0] : undefined),
  isHidden: (idTag) => hidden.has(idTag),
};

beforeEach(() => {
  [gains, panners, inputs, hidden] = [[], [], [], new Set()];
  const context = {
    currentTime: 0,
    destination: {},
    createGain: () => added(gains),
    createPanner: () => added(panners),
  };
  const player = { numberOfOutputs: 2, connect: (input: FakeNode) => inputs.push(input) };
  space = new VoiceSpace(context as unknown as AudioContext, player as unknown as AudioWorkletNode, 0);
});

function added(nodes: FakeNode[]): FakeNode {
  const node = new FakeNode();
  nodes.push(node);
  return node;
}

const loudness = () => inputs.map(({ gain }) => gain.value);

describe("voices in space", () => {
  it("sound from the heads of their speakers, or from the listener's place without one", () => {
    space.assign(0, BO);
    space.assign(1, ADA);
    space.update(heads);
    expect(panners.map(({ positionX }) => positionX.value)).toEqual([3, 0]);
  });

  it("are silent while their speaker is hidden", () => {
    space.assign(0, BO);
    space.assign(1, ADA);
    space.update(heads);
    expect(loudness()).toEqual([1, 1]);
    hidden.add(BO);
    space.update(heads);
    expect(loudness()).toEqual([0, 1]);
    hidden.delete(BO);
    space.update(heads);
    expect(loudness()).toEqual([1, 1]);
  });

  it("are silent from the first sample on if their speaker was hidden before", () => {
    hidden.add(BO);
    space.update(heads);
    space.assign(0, BO);
    expect(loudness()).toEqual([0, 1]);
    space.assign(0, ADA);
    expect(loudness(), "the next speaker on the same output").toEqual([1, 1]);
  });

  it("have the loudness of the scene together", () => {
    space.fade({ distanceModel: "linear", refDistance: 2, rolloffFactor: 0.5, volume: 0.25 });
    expect(gains[0]?.gain.value).toBe(0.25);
    expect(panners[1]).toMatchObject({ distanceModel: "linear", refDistance: 2, rolloffFactor: 0.5 });
  });

  it("are 10 dB quieter while they are ducked, from whatever loudness", () => {
    const volume = () => 20 * Math.log10(gains[0]?.gain.value ?? 0);
    space.duck(true);
    expect(volume()).toBeCloseTo(-10);
    space.fade({ distanceModel: "inverse", refDistance: 1, rolloffFactor: 1, volume: 0.1 });
    expect(volume()).toBeCloseTo(-30);
    space.duck(false);
    expect(volume()).toBeCloseTo(-20);
  });
});
