import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Impairment } from "../../lab/voice/impairment.mjs";
import { DatagramRelay, type RelayLeg } from "../../lab/voice/relay.mjs";

const HERE = "127.0.0.1";
const COUNT = 200;
const SEED = 7;

let relay: DatagramRelay;
let client: Socket;
let server: Socket;

async function bound(): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.bind(0, HERE);
  await once(socket, "listening");
  return socket;
}

beforeAll(async () => {
  relay = new DatagramRelay(0);
  [client, server] = await Promise.all([bound(), bound()]);
});

afterAll(() => {
  relay.close();
  for (const socket of [client, server]) socket.close();
});

/** The numbers that arrive at a socket, once there are `count`. */
function arrivals(socket: Socket, count: number): Promise<number[]> {
  const numbers: number[] = [];
  return new Promise((resolve) => {
    const take = (bytes: Buffer) => {
      numbers.push(bytes.readUInt16LE());
      if (numbers.length < count) return;
      socket.off("message", take);
      resolve(numbers);
    };
    socket.on("message", take);
  });
}

/** Sends numbers a few at a time, so that no socket's buffer overflows. */
async function send(socket: Socket, port: number): Promise<void> {
  for (let number = 0; number < COUNT; number += 1) {
    const bytes = Buffer.alloc(2);
    bytes.writeUInt16LE(number);
    await new Promise((resolve) => socket.send(bytes, port, HERE, resolve));
  }
}

const inOrder = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);
const ALL = Array.from({ length: COUNT }, (_, number) => number);

describe("a relay of datagrams", () => {
  let leg: RelayLeg;

  it("carries all of both directions, with the peers of both ends", async () => {
    leg = await relay.open({ far: { host: HERE, port: server.address().port } });
    const up = arrivals(server, COUNT);
    await send(client, leg.ports.near);
    expect(await up).toEqual(ALL);
    const down = arrivals(client, COUNT);
    await send(server, leg.ports.far);
    expect(await down).toEqual(ALL);
    expect(await leg.counts()).toEqual({ near: { arrived: COUNT, lost: 0 }, far: { arrived: COUNT, lost: 0 } });
  });

  it("loses the datagrams of its seed, in the impaired direction alone", async () => {
    const path = new Impairment(SEED);
    const expected = ALL.filter(() => path.arrivalMs(0) !== undefined);
    expect(expected.length).toBeLessThan(COUNT);
    await leg.impair("near", SEED);
    const [up, down] = [arrivals(server, expected.length), arrivals(client, COUNT)];
    await Promise.all([send(client, leg.ports.near), send(server, leg.ports.far)]);
    expect(await down).toEqual(ALL);
    const arrived = await up;
    expect(inOrder(arrived)).toEqual(expected);
    expect(arrived).not.toEqual(expected);
    const { near, far } = await leg.counts();
    expect([near.lost, far.lost]).toEqual([COUNT - expected.length, 0]);
  });

  it("is good again without a seed", async () => {
    await leg.impair("near", null);
    const up = arrivals(server, COUNT);
    await send(client, leg.ports.near);
    expect(await up).toEqual(ALL);
  });
});
