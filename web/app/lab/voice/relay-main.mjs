/**
 * A relay of datagrams in a process of its own, so that it has another core than the browsers. Started and commanded by
 * `relay.mjs`, by messages.
 *
 * A leg has two ends. A datagram that arrives at one end leaves from the other one, to that one's peer.
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { Impairment } from "./impairment.mjs";

const now = () => performance.now();

/** Sends datagrams at their times, the earliest first. */
class DelayQueue {
  /** Sorted by time. */
  #waiting = [];
  #timer;

  put(atMs, send) {
    let at = this.#waiting.length;
    while (at > 0 && this.#waiting[at - 1].atMs > atMs) at -= 1;
    this.#waiting.splice(at, 0, { atMs, send });
    if (at === 0) this.#wait();
  }

  #wait() {
    clearTimeout(this.#timer);
    const [first] = this.#waiting;
    if (first !== undefined) this.#timer = setTimeout(() => this.#sendDue(), Math.max(0, first.atMs - now()));
  }

  #sendDue() {
    while (this.#waiting.length > 0 && this.#waiting[0].atMs <= now()) this.#waiting.shift().send();
    this.#wait();
  }
}

/** One end: a socket, the peer to which it sends, and the path to the other end. */
async function openEnd(peer) {
  const socket = createSocket("udp4");
  socket.bind(0);
  await once(socket, "listening");
  const counts = { arrived: 0, lost: 0 };
  return { socket, peer, isPeerGiven: peer !== undefined, impairment: undefined, queue: new DelayQueue(), counts };
}

/** Forwards what arrives at `from`. */
function forward(from, to) {
  from.socket.on("message", (bytes, { address, port }) => {
    // The address of a client is known by its datagrams.
    if (!from.isPeerGiven) from.peer = { host: address, port };
    from.counts.arrived += 1;
    const send = () => {
      if (to.peer !== undefined) to.socket.send(bytes, to.peer.port, to.peer.host);
    };
    if (from.impairment === undefined) {
      send();
      return;
    }
    const atMs = from.impairment.arrivalMs(now());
    if (atMs === undefined) from.counts.lost += 1;
    else from.queue.put(atMs, send);
  });
}

const legs = [];

const commands = {
  /** Opens a leg; `near` and `far` are the peers of its ends, if they are known. */
  async open({ near, far }) {
    const ends = { near: await openEnd(near), far: await openEnd(far) };
    forward(ends.near, ends.far);
    forward(ends.far, ends.near);
    const portOf = ({ socket }) => socket.address().port;
    return { leg: legs.push(ends) - 1, ports: { near: portOf(ends.near), far: portOf(ends.far) } };
  },

  /** Impairs datagrams that arrive at an end from now on, by a seed; not at all without one. */
  impair({ leg, end, seed }) {
    legs[leg][end].impairment = seed === null ? undefined : new Impairment(seed);
  },

  /** Counts of datagrams by end. */
  counts({ leg }) {
    return { near: legs[leg].near.counts, far: legs[leg].far.counts };
  },
};

process.on("message", async ({ id, kind, ...given }) => process.send({ id, answer: await commands[kind](given) }));
process.on("disconnect", () => process.exit());
