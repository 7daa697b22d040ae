import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json-values.ts";
import { changedKeys, mergeAttributes } from "../src/merge.ts";
import { SceneReplica, type StreamPosition } from "../src/replica.ts";
import { box, camera } from "./support/scripted-realm.ts";

const SCENE = "realm/s/public/lobby";
let replica: SceneReplica;
let revision: number;

beforeEach(() => {
  replica = new SceneReplica("public/lobby");
  replica.handleConnected("ada");
  replica.handleSnapshot({ epoch: 1, revision: 0, messages: [] }, 0);
  revision = 0;
});

function say(kind: string, payload: JsonObject, place?: StreamPosition) {
  revision += 1;
  const topic = `${SCENE}/${kind}/bob_web/${String(payload.object_id)}`;
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  return replica.handleMessage({ topic, payload: bytes, place: place ?? { epoch: 1, revision } }, 0);
}

function update(objectId: string, data: JsonObject, more: JsonObject = {}): JsonObject {
  return { object_id: objectId, action: "update", type: "object", data, ...more };
}

describe("objects", () => {
  it("an update is merged deeply: arrays are replaced, a null leaf removes its key", () => {
    const before = { material: { color: "#f00", opacity: 0.5 }, tags: [1, 2], gone: 1 };
    const patch = { material: { color: null, roughness: 1 }, tags: [3], gone: null };
    expect(mergeAttributes(before, patch)).toEqual({ material: { opacity: 0.5, roughness: 1 }, tags: [3] });
    expect(before.material.color, "the old one is left alone").toBe("#f00");
  });

  it("an object event lists the changed top-level keys", () => {
    say("o", box("a", { position: { x: 1, y: 2, z: 3 }, depth: 1 }));
    const events = say("o", update("a", { position: { x: 2 }, depth: 1 }));
    expect(events).toMatchObject([{ kind: "object", event: { objectId: "a", changed: ["position"] } }]);
    expect(replica.objects.get("a")?.attributes).toEqual({
      object_type: "box",
      position: { x: 2, y: 2, z: 3 },
      depth: 1,
    });
    expect(changedKeys({ a: 1 }, { b: 1 })).toEqual(["a", "b"]);
  });

  it("an overwriting update replaces all attributes and keeps the object's type", () => {
    say("o", { ...box("a", { depth: 2 }), type: "program" });
    say("o", update("a", { width: 1 }, { overwrite: true }));
    expect(replica.objects.get("a")).toMatchObject({ type: "program", attributes: { width: 1 } });
    expect(replica.objects.get("a")?.attributes).not.toHaveProperty("depth");
  });

  it("an update of an unknown object creates it", () => {
    say("o", update("a", { object_type: "box" }));
    expect(replica.objects.get("a")).toMatchObject({ type: "object", persist: false });
  });

  it("deleting an object deletes its descendants, leaves first", () => {
    say("o", box("a"));
    say("o", box("b", { parent: "a" }));
    say("o", box("c", { parent: "b" }));
    say("o", box("other"));
    const events = say("o", { object_id: "a", action: "delete" });
    expect(events.map(({ event }) => event)).toMatchObject([{ objectId: "c" }, { objectId: "b" }, { objectId: "a" }]);
    expect([...replica.objects.keys()]).toEqual(["other"]);
  });

  it("deleting an object in a parent cycle terminates and deletes the cycle", () => {
    say("o", box("a", { parent: "b" }));
    say("o", box("b", { parent: "a" }));
    say("o", { object_id: "a", action: "delete" });
    expect(replica.objects.size).toBe(0);
  });

  it("a camera command creates no object and is reported only to its addressee", () => {
    const order = (idTag: string, type = "camera-override") =>
      say("o", { ...update(idTag, { object_type: "camera" }), type }).filter(({ kind }) => kind === "cameraOrder");
    expect(order("bob")).toEqual([]);
    const event = { type: "camera-override", attributes: { object_type: "camera" } };
    expect(order("ada")).toEqual([{ kind: "cameraOrder", event }]);
    expect(order("ada", "rig")).toMatchObject([{ event: { type: "rig" } }]);
    expect(replica.objects.size).toBe(0);
  });

  it("unknown keys are kept", () => {
    say("o", box("a", { "my-component": { a: 1 }, __proto__x: 2 }));
    expect(replica.objects.get("a")?.attributes).toMatchObject({ "my-component": { a: 1 }, __proto__x: 2 });
  });
});

describe("people", () => {
  it("a person appears with the first camera message or join", () => {
    say("u", camera("bob", 1, "create"));
    expect(replica.people.get("bob")).toMatchObject({ displayName: "bob", pose: { position: [1, 1.6, 0] } });
    say("x", { object_id: "bob", action: "join", dn: "Bob" });
    expect(replica.people.get("bob")).toMatchObject({ displayName: "Bob", pose: { position: [1, 1.6, 0] } });
    say("x", { object_id: "eve", action: "join", dn: "Eve" });
    expect(replica.people.get("eve")).toMatchObject({ displayName: "Eve" });
  });

  it("a person's activity is kept until a valid change, and invalid values are ignored", () => {
    const doing = (stoaUser: unknown) =>
      say("u", {
        object_id: "bob",
        action: "update",
        type: "object",
        data: { object_type: "camera", "stoa-user": stoaUser },
      });
    doing({ handRaised: true, laser: true, laserFrom: "left", laserTo: { x: 1, y: 2, z: 3 } });
    const told = { body: "full", handRaised: true, laser: { from: "left", to: [1, 2, 3] } };
    expect(replica.people.get("bob")?.doing).toEqual(told);
    say("u", camera("bob", 2, "update"));
    doing({ handRaised: "perhaps", body: 7 });
    doing([]);
    expect(replica.people.get("bob")?.doing).toMatchObject({ body: "full", handRaised: true });
    doing({ handRaised: false, laser: false });
    expect(replica.people.get("bob")?.doing).toEqual({ body: "full", handRaised: false, laser: null });
  });

  it("a late pose after a leave adds no person, a new camera does", () => {
    say("u", camera("bob", 1, "create"));
    say("x", { object_id: "bob", action: "leave" });
    say("u", camera("bob", 2));
    expect(replica.people.size).toBe(0);
    say("u", camera("bob", 3, "create"));
    expect(replica.people.size).toBe(1);
  });

  it("a hand is added by its create message and removed by its delete message", () => {
    say("u", camera("bob", 1, "create"));
    const hand = { object_type: "handLeft", position: { x: 1, y: 1, z: 1 } };
    say("u", { object_id: "handLeft_bob", action: "create", data: hand });
    expect(replica.people.get("bob")?.hands.left?.pose?.position).toEqual([1, 1, 1]);
    say("u", { object_id: "handLeft_bob", action: "delete" });
    expect(replica.people.get("bob")?.hands).toEqual({});
  });

  it("the client's own camera adds no person", () => {
    say("u", camera("ada", 1, "create"));
    expect(replica.people.size).toBe(0);
  });
});

describe("revisions", () => {
  it("a message up to the snapshot's revision is not applied again", () => {
    replica.handleSnapshot({ epoch: 1, revision: 5, messages: [] }, 0);
    say("o", box("a"), { epoch: 1, revision: 5 });
    expect(replica.objects.size).toBe(0);
    say("o", box("a"), { epoch: 1, revision: 6 });
    expect(replica.objects.size, "negative control").toBe(1);
  });

  it("skipped revisions request a snapshot after a short delay", () => {
    say("o", box("a"), { epoch: 1, revision: 2 });
    say("o", box("b"), { epoch: 1, revision: 4 });
    expect([...replica.objects.keys()], "what came is shown").toEqual(["a", "b"]);
    expect(replica.wantsSnapshot(500)).toBe(false);
    expect(replica.wantsSnapshot(5_000)).toBe(true);
  });

  it("a message during a snapshot request is applied at once and again on top of the snapshot", () => {
    replica.handleDoubt();
    say("o", box("a"), { epoch: 1, revision: 1 });
    expect([...replica.objects.keys()], "it is shown at once").toEqual(["a"]);
    replica.handleSnapshot({ epoch: 1, revision: 0, messages: [] }, 0);
    expect([...replica.objects.keys()]).toEqual(["a"]);
  });

  it("a snapshot of an older epoch makes the replica request another one", () => {
    say("o", box("a"), { epoch: 2, revision: 1 });
    replica.handleSnapshot({ epoch: 1, revision: 9, messages: [] }, 0);
    expect(replica.wantsSnapshot(0)).toBe(true);
    expect(replica.isPresent).toBe(false);
  });
});
