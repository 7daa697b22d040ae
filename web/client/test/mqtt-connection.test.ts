import { afterEach, expect, it, vi } from "vitest";
import type { Connection, Ended } from "../src/connection.ts";
import { LostError, RefusedError } from "../src/errors.ts";
import { connectByMqtt } from "../src/mqtt-connection.ts";
import type { Delivery } from "../src/replica.ts";
import { type Answers, TinyBroker } from "./support/tiny-broker.ts";

let broker: TinyBroker;

afterEach(async () => {
  await broker.close();
});

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((take) => {
    resolve = take;
  });
  return { promise, resolve };
}

interface Opened {
  readonly connection: Connection;
  readonly delivery: Promise<Delivery>;
  readonly ended: Promise<Ended>;
  /** Number of `onHeard` calls. */
  readonly heard: () => number;
}

async function open(answers: Answers = {}): Promise<Opened> {
  broker = new TinyBroker(answers);
  const delivery = deferred<Delivery>();
  const ended = deferred<Ended>();
  let heard = 0;
  const connection = await connectByMqtt({
    url: await broker.url(),
    clientId: "webClient-ada",
    username: "ada",
    token: "a.b.c",
    keepAliveS: 30,
    will: { topic: "realm/s/a/b/x/uc/ada", payload: "{}" },
    onMessage: delivery.resolve,
    onHeard: () => {
      heard += 1;
    },
    onEnded: ended.resolve,
  });
  return { connection, delivery: delivery.promise, ended: ended.promise, heard: () => heard };
}

it("the CONNECT packet carries the token as the password, and the will", async () => {
  await open();
  const [connect] = broker.connects;
  expect(connect).toMatchObject({
    clientId: "webClient-ada",
    username: "ada",
    clean: true,
    keepalive: 30,
    protocolVersion: 5,
  });
  expect(connect?.password?.toString()).toBe("a.b.c");
  expect(connect?.will).toMatchObject({ topic: "realm/s/a/b/x/uc/ada", qos: 1, retain: false });
});

it("a rejected token throws RefusedError", async () => {
  await expect(open({ connect: 0x87 })).rejects.toThrow(RefusedError);
});

it.each([0x88, 0x89, 0x8b, 0x97, 0x9f])(
  "a CONNACK with the temporary reason code %i throws LostError",
  async (code) => {
    await expect(open({ connect: code })).rejects.toThrow(LostError);
  },
);

it("an unreachable realm throws LostError", async () => {
  broker = new TinyBroker();
  const url = await broker.url();
  await broker.close();
  const request = {
    url,
    clientId: "a",
    username: "a",
    token: "a",
    keepAliveS: 30,
    onMessage: () => undefined,
    onHeard: () => undefined,
    onEnded: () => undefined,
  };
  await expect(connectByMqtt(request)).rejects.toThrow(LostError);
  broker = new TinyBroker();
});

it("a delivery carries its epoch and revision", async () => {
  const { connection, delivery } = await open();
  await connection.subscribe(["realm/s/a/b/+/+/+"]);
  broker.publish("realm/s/a/b/o/uc/box", "{}", { "stoa-epoch": "7", "stoa-revision": "123" });
  expect(await delivery).toMatchObject({ topic: "realm/s/a/b/o/uc/box", place: { epoch: 7, revision: 123 } });
});

it("onHeard is called for a message and for a ping response", async () => {
  const { connection, heard } = await open();
  const before = heard();
  broker.publish("realm/s/a/b/o/uc/box", "{}", { "stoa-epoch": "7", "stoa-revision": "1" });
  await vi.waitFor(() => expect(heard()).toBe(before + 1));
  connection.ask();
  await vi.waitFor(() => expect(heard()).toBe(before + 2));
});

it("a refused subscription throws RefusedError", async () => {
  const { connection } = await open({ subscribe: 0x87 });
  await expect(connection.subscribe(["#"])).rejects.toThrow(RefusedError);
});

it("a refused publish rejects with the realm's reason", async () => {
  const { connection } = await open({ refused: { "/o/": "not_granted" } });
  const message = { topic: "realm/s/a/b/o/uc/box", payload: "{}", acknowledged: true };
  await expect(connection.publish(message)).rejects.toMatchObject({ reason: "not_granted" });
  await connection.publish({ ...message, topic: "realm/s/a/b/u/uc/ada" });
  expect(broker.publishes.map(({ qos }) => qos)).toEqual([1, 1]);
});

it("a takeover DISCONNECT ends the connection for good, with the realm's reason", async () => {
  const { ended } = await open();
  broker.disconnect(0x8e, "another connection took over");
  expect(await ended).toEqual({ reason: "another connection took over", final: true });
});

it("a broken connection ends as retryable, and a publish on it throws LostError", async () => {
  const { connection, ended } = await open();
  broker.cut();
  expect((await ended).final).toBe(false);
  await expect(connection.publish({ topic: "a", payload: "{}", acknowledged: true })).rejects.toThrow(LostError);
});
