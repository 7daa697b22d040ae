import { seeded } from "./random.ts";
import type { SentUnit } from "./speech.ts";

export interface ArrivedUnit extends SentUnit {
  readonly arrivedMs: number;
}

export interface Network {
  readonly seed?: number;
  /** Delay of every unit. */
  readonly delayMs?: number;
  /** Greatest further delay, evenly distributed. */
  readonly jitterMs?: number;
  /** Whether a delayed unit holds back those after it, as a queue does. */
  readonly isQueue?: boolean;
  /** Share of lost units, and the mean length of a burst of losses (Gilbert's model). */
  readonly loss?: number;
  readonly burst?: number;
  /** Share of units that are late by a further time, out of order. */
  readonly heldBack?: number;
  readonly heldBackMs?: readonly [number, number];
  /** Share of units that arrive twice. */
  readonly twice?: number;
  /** All units of this time arrive at its end. */
  readonly freezeMs?: readonly [number, number];
}

/** The arrivals of units, in order of time. */
export function transmit(units: readonly SentUnit[], network: Network): ArrivedUnit[] {
  const { delayMs = 30, jitterMs = 0, heldBack = 0, twice = 0, freezeMs } = network;
  const random = seeded(network.seed ?? 1);
  const isLost = gilbert(network.loss ?? 0, network.burst ?? 1, random);
  const [heldFrom, heldTo] = network.heldBackMs ?? [20, 60];
  const arrived: ArrivedUnit[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const sent of units) {
    let at = sent.sentMs + delayMs + jitterMs * random();
    if (network.isQueue === true) at = Math.max(at, last);
    last = at;
    const isHeld = random() < heldBack;
    const held = heldFrom + (heldTo - heldFrom) * random();
    const isTwice = random() < twice;
    if (isLost()) continue;
    if (isHeld) at += held;
    if (freezeMs !== undefined && at >= freezeMs[0] && at < freezeMs[1]) at = freezeMs[1];
    arrived.push({ ...sent, arrivedMs: at });
    if (isTwice) arrived.push({ ...sent, arrivedMs: at + 30 * random() });
  }
  return arrived.sort((a, b) => a.arrivedMs - b.arrivedMs);
}

function gilbert(loss: number, burst: number, random: () => number): () => boolean {
  const recovering = 1 / burst;
  const failing = loss === 0 ? 0 : (recovering * loss) / (1 - loss);
  let isBad = false;
  return () => {
    isBad = isBad ? random() >= recovering : random() < failing;
    return isBad;
  };
}
