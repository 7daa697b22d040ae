import type { ReceivedUnit } from "@stoa/client";
import { beforeEach, describe, expect, it } from "vitest";
import { RENDER_SAMPLES, SLOT_IDLE_MS, SLOTS_SPARE, SPEAKING_MS, UNIT_SAMPLES } from "../src/limits.ts";
import type { UnitDecoder } from "../src/playout/unit.ts";
import { VoiceSlots } from "../src/worklet/voice-slots.ts";

const QUANTUM_MS = (1_000 * RENDER_SAMPLES) / 48_000;

/** Decodes a payload of one byte to a constant of a hundredth of it, and 0 to a tone of 500 Hz. */
class ConstantDecoder implements UnitDecoder {
  resets = 0;

  decode([value = 0]: Uint8Array, into: Float32Array): number {
    for (let at = 0; at < UNIT_SAMPLES; at += 1)
      into[at] = value === 0 ? 0.5 * Math.sin((2 * Math.PI * 500 * at) / 48_000) : value / 100;
    return UNIT_SAMPLES;
  }

  conceal(into: Float32Array, samples: number): number {
    into.fill(0, 0, samples);
    return samples;
  }

  reset(): void {
    this.resets += 1;
  }
}

let decoders: ConstantDecoder[];
let now: number;

function newSlots(count: number, rateHz = 48_000): VoiceSlots {
  return new VoiceSlots(count, rateHz, () => {
    const decoder = new ConstantDecoder();
    decoders.push(decoder);
    return decoder;
  });
}

function unit(voice: number, number: number, value = 50): ReceivedUnit {
  return { voice, number, capturedMs: 20 * number, level: 0x9e, payload: Uint8Array.of(value) };
}

/** Renders quanta and returns the last one of an output. */
function rendered(slots: VoiceSlots, slot: number, quanta: number): Float32Array {
  const out = new Float32Array(RENDER_SAMPLES);
  for (let quantum = 0; quantum < quanta; quantum += 1) {
    slots.render(slot, out, now);
    now += QUANTUM_MS;
  }
  return out;
}

beforeEach(() => {
  [decoders, now] = [[], 1_000];
});

describe("the outputs of a player", () => {
  it("give each voice an output of its own", () => {
    const slots = newSlots(2);
    expect([slots.insert(unit(7, 1, 20), now), slots.insert(unit(9, 1, 60), now)]).toEqual([true, true]);
    expect(slots.insert(unit(7, 2, 20), now)).toBe(false);
    slots.insert(unit(9, 2, 60), now);
    expect(slots.states(now).map(({ slot, voice }) => [slot, voice])).toEqual([
      [0, 7],
      [1, 9],
    ]);
    for (let number = 3; number < 12; number += 1) {
      slots.insert(unit(7, number, 20), now);
      slots.insert(unit(9, number, 60), now);
      rendered(slots, 0, 7);
      now -= 7 * QUANTUM_MS;
      rendered(slots, 1, 7);
    }
    expect(rendered(slots, 0, 1)[0]).toBeCloseTo(0.2, 5);
    expect(rendered(slots, 1, 1)[0]).toBeCloseTo(0.6, 5);
  });

  it("go to another voice when they are idle, the longest idle first, and forget the voice before", () => {
    const slots = newSlots(2);
    slots.insert(unit(1, 1), now);
    slots.insert(unit(2, 1), now + 1);
    const resets = decoders.map((decoder) => decoder.resets);
    expect(slots.insert(unit(3, 1), now + 1 + SLOT_IDLE_MS)).toBe(true);
    expect(slots.states(now).map(({ voice }) => voice)).toEqual([3, 2]);
    expect(decoders[0]?.resets).toBeGreaterThan(resets[0] ?? 0);
    expect(decoders[1]?.resets).toBe(resets[1]);
  });

  it("play nothing of the voice before", () => {
    const slots = newSlots(1);
    for (let number = 1; number < 4; number += 1) slots.insert(unit(1, number, 20), now);
    now += SLOT_IDLE_MS;
    const heard = new Set<number>();
    for (let number = 1; number < 20; number += 1) {
      slots.insert(unit(3, number, 80), now);
      for (let quantum = 0; quantum < 7; quantum += 1)
        for (const sample of rendered(slots, 0, 1)) heard.add(Math.round(100 * sample));
    }
    expect([heard.has(80), heard.has(20)]).toEqual([true, false]);
  });

  it("drop and count units of a voice that none is free for", () => {
    const slots = newSlots(1);
    slots.insert(unit(1, 1), now);
    expect(slots.insert(unit(2, 1), now + SLOT_IDLE_MS - 1)).toBe(false);
    expect(slots.unplaced).toBe(1);
  });

  it("include one for a nearer voice that replaces another at once", () => {
    const hears = 3;
    const slots = newSlots(hears + SLOTS_SPARE);
    for (let second = 0; second < 3; second += 1) {
      // Each second a nearer voice replaces the first one of those that are heard.
      for (let number = 1; number < 50; number += 1)
        for (let voice = second; voice < second + hears; voice += 1)
          slots.insert(unit(voice, 50 * second + number), now + 1_000 * second + 20 * number);
    }
    expect(slots.unplaced).toBe(0);
  });

  it("tell which voices are active", () => {
    const slots = newSlots(1);
    slots.insert(unit(1, 1), now);
    expect(slots.states(now + SPEAKING_MS - 1)[0]?.isActive).toBe(true);
    expect(slots.states(now + SPEAKING_MS)[0]?.isActive).toBe(false);
  });

  it("render at the rate of the context without steps", () => {
    const slots = newSlots(1, 44_100);
    const samples: number[] = [];
    for (let number = 1; number < 40; number += 1) {
      slots.insert(unit(1, number, 0), now);
      for (let quantum = 0; quantum < 7; quantum += 1) {
        const out = new Float32Array(RENDER_SAMPLES);
        slots.render(0, out, now);
        now += (1_000 * RENDER_SAMPLES) / 44_100;
        samples.push(...out);
      }
    }
    // Once its beginning and the delay before it are over, the tone goes on.
    const later = samples.slice(samples.length / 2);
    const steps = later.slice(1).map((sample, at) => Math.abs(sample - (later[at] ?? 0)));
    expect(Math.max(...later)).toBeGreaterThan(0.49);
    expect(Math.max(...steps)).toBeLessThan((1.1 * 0.5 * 2 * Math.PI * 500) / 44_100);
  });
});
