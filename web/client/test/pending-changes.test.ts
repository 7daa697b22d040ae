import { expect, it } from "vitest";
import type { Connection, Outgoing } from "../src/connection.ts";
import { LostError } from "../src/errors.ts";
import { IN_FLIGHT_BYTES_MAX } from "../src/limits.ts";
import { PendingChanges } from "../src/pending-changes.ts";

/** A connection that acknowledges on command. */
class Line implements Connection {
  readonly sent: string[] = [];
  readonly #open: { resolve: () => void; reject: (error: Error) => void }[] = [];

  publish(message: Outgoing): Promise<void> {
    this.sent.push(message.topic);
    return new Promise((resolve, reject) => {
      this.#open.push({ resolve, reject });
    });
  }
  subscribe(): Promise<void> {
    return Promise.resolve();
  }
  ask(): void {}
  close(): Promise<void> {
    return Promise.resolve();
  }

  async acknowledge(): Promise<void> {
    this.#open.shift()?.resolve();
    await new Promise(setImmediate);
  }
  async cut(): Promise<void> {
    for (const open of this.#open.splice(0)) open.reject(new LostError("cut"));
    await new Promise(setImmediate);
  }
}

const topicOf = (objectId: string) => objectId;
const third = "x".repeat(IN_FLIGHT_BYTES_MAX / 3);

it("changes in flight are limited in bytes and keep their order, also after a reconnect", async () => {
  const changes = new PendingChanges(() => undefined);
  for (const objectId of ["a", "b", "c", "d"]) changes.add(objectId, third);
  const first = new Line();
  changes.handleOpened({ connection: first, topicOf });
  expect(first.sent).toEqual(["a", "b", "c"]);
  await first.acknowledge();
  expect(first.sent).toEqual(["a", "b", "c", "d"]);
  changes.handleEnded();
  await first.cut();
  changes.add("e", third);
  const second = new Line();
  changes.handleOpened({ connection: second, topicOf });
  expect(second.sent).toEqual(["b", "c", "d"]);
  for (let count = 0; count < 4; count += 1) await second.acknowledge();
  expect(second.sent).toEqual(["b", "c", "d", "e"]);
});

it("a change larger than the in-flight limit is sent alone", async () => {
  const changes = new PendingChanges(() => undefined);
  const line = new Line();
  changes.handleOpened({ connection: line, topicOf });
  changes.add("small", "{}");
  changes.add("large", third.repeat(4));
  expect(line.sent).toEqual(["small"]);
  await line.acknowledge();
  expect(line.sent).toEqual(["small", "large"]);
  changes.add("next", "{}");
  expect(line.sent).toEqual(["small", "large"]);
});
