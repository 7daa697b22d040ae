import { beforeEach, describe, expect, it } from "vitest";
import { enterScene } from "../src/enter-scene.ts";
import { RefusedError } from "../src/errors.ts";
import { colorOf } from "../src/payloads.ts";
import type { SceneSession, Status } from "../src/types.ts";
import { box, camera, ScriptedRealm } from "./support/scripted-realm.ts";
import { settle, VirtualClock } from "./support/virtual-clock.ts";

const LOBBY = "realm/s/public/lobby";
let clock: VirtualClock;
let realm: ScriptedRealm;

beforeEach(() => {
  clock = new VirtualClock();
  realm = new ScriptedRealm(clock);
});

async function enter(scene = "public/lobby"): Promise<SceneSession> {
  return await enterScene(realm.options(scene));
}

describe("entering a scene", () => {
  it("subscribes to public and private topics, then fetches the snapshot", async () => {
    realm.beforeSnapshot = () => {
      expect(realm.line.filters).toEqual([`${LOBBY}/+/+/+`, `${LOBBY}/+/+/+/ada_1/#`]);
      return Promise.resolve();
    };
    const scene = await enter();
    expect(realm.snapshots).toBe(1);
    expect(scene.status).toEqual({ kind: "live" });
    expect(scene.me).toEqual({
      idTag: "ada_1",
      userClient: "ada_1_web",
      username: "anonymous-1",
      displayName: "Ada",
      role: "editor",
      guest: true,
      mayBuild: true,
    });
  });

  it.each([
    [["realm/s/public/lobby/o/ada_1_web/#"], true],
    [["realm/s/public/lobby/+/ada_1_web/ada_1"], false],
  ])("sets mayBuild by the token's publish filters %j: %j", async (publ, mayBuild) => {
    const claims = { exp: 4_000_000_000, publ, userclient: "ada_1_web", userid: "ada_1" };
    realm.token = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
    expect((await enter()).me).toMatchObject({ role: "editor", mayBuild });
  });

  it("publishes the camera before the join and sets a leave as the will", async () => {
    await enter();
    const [first, second] = realm.line.sent;
    expect(first?.topic).toBe(`${LOBBY}/u/ada_1_web/ada_1`);
    expect(realm.line.said("/u/")[0]).toMatchObject({ action: "create", ttl: 30, data: { object_type: "camera" } });
    expect(second?.topic).toBe(`${LOBBY}/x/ada_1_web/ada_1`);
    expect(realm.line.said("/x/")[0]).toEqual({ object_id: "ada_1", action: "join", type: "arena", dn: "Ada" });
    expect(realm.line.request.will).toEqual({
      topic: `${LOBBY}/x/ada_1_web/ada_1`,
      payload: JSON.stringify({ object_id: "ada_1", action: "leave" }),
    });
  });

  it("publishes the idTag's colour unless the options set another", async () => {
    await enter();
    expect(realm.line.said("/u/")[0]).toMatchObject({ data: { "arena-user": { color: colorOf("ada_1") } } });
    await enterScene(realm.options("public/lobby", { color: "#123456" }));
    expect(realm.line.said("/u/")[0]).toMatchObject({ data: { "arena-user": { color: "#123456" } } });
  });

  it("publishes nothing and sets no will as an observer", async () => {
    const scene = await enterScene(realm.options("public/lobby", { observe: true }));
    scene.publishCamera({ position: [1, 1, 1], rotation: [0, 0, 0, 1] });
    await clock.advance(5_000);
    expect(realm.line.sent).toEqual([]);
    expect(realm.line.request.will).toBeUndefined();
  });

  it("rejects with the realm's reason when the token request is refused", async () => {
    realm.problems.push({ path: "/token", status: 403, title: "guests may not enter" });
    const statuses: Status[] = [];
    const entered = enterScene(realm.options("public/lobby", { onStatus: (status) => statuses.push(status) }));
    await expect(entered).rejects.toThrow("guests may not enter");
    const hindrance = { code: "not_allowed" };
    expect(statuses.at(-1)).toEqual({ kind: "refused", reason: "guests may not enter", hindrance });
    expect(realm.lines).toEqual([]);
  });

  it("retries an unreachable realm with back-off until it answers", async () => {
    realm.unreachable = true;
    const statuses: Status[] = [];
    const entered = enterScene(realm.options("public/lobby", { onStatus: (status) => statuses.push(status) }));
    await clock.advance(5_000);
    expect(statuses.filter(({ kind }) => kind === "connecting").length).toBeLessThan(6);
    realm.unreachable = false;
    await clock.advance(10_000);
    expect((await entered).status.kind).toBe("live");
  });

  it("rejects an invalid scene name with RefusedError", async () => {
    await expect(enterScene(realm.options("public/../etc"))).rejects.toThrow(RefusedError);
  });
});

describe("the message stream", () => {
  it("a change delivered before the snapshot arrives is not lost", async () => {
    realm.snapshot = { epoch: 1, revision: 7, messages: [{ topic: `${LOBBY}/o/bob_web/old`, payload: box("old") }] };
    realm.beforeSnapshot = () => {
      // The snapshot contains the first message, but not the second.
      realm.line.deliver(`${LOBBY}/o/bob_web/old`, box("old"), { epoch: 1, revision: 7 });
      realm.line.deliver(`${LOBBY}/o/bob_web/new`, box("new"), { epoch: 1, revision: 8 });
      return Promise.resolve();
    };
    const scene = await enter();
    expect([...scene.objects.keys()]).toEqual(["old", "new"]);
  });

  it("a new epoch triggers a new snapshot", async () => {
    const scene = await enter();
    realm.line.deliver(`${LOBBY}/o/bob_web/a`, box("a"), { epoch: 1, revision: 1 });
    realm.snapshot = { epoch: 2, revision: 3, messages: [{ topic: `${LOBBY}/o/bob_web/b`, payload: box("b") }] };
    realm.line.deliver(`${LOBBY}/o/bob_web/c`, box("c"), { epoch: 2, revision: 4 });
    await clock.advance(1_000);
    expect(realm.snapshots).toBe(2);
    expect([...scene.objects.keys()]).toEqual(["b", "c"]);
  });

  it("a missing revision triggers a new snapshot after a short wait", async () => {
    const scene = await enter();
    realm.line.deliver(`${LOBBY}/o/bob_web/a`, box("a"), { epoch: 1, revision: 1 });
    await clock.advance(4_000);
    realm.line.deliver(`${LOBBY}/o/bob_web/c`, box("c"), { epoch: 1, revision: 3 });
    expect([...scene.objects.keys()]).toEqual(["a", "c"]);
    await clock.advance(500);
    expect(realm.snapshots, "it may still come").toBe(1);
    const messages = ["a", "b", "c"].map((id) => ({ topic: `${LOBBY}/o/bob_web/${id}`, payload: box(id) }));
    realm.snapshot = { epoch: 1, revision: 3, messages };
    await clock.advance(1_500);
    expect(realm.snapshots).toBe(2);
    expect([...scene.objects.keys()]).toEqual(["a", "b", "c"]);
  });

  it("repeated revision gaps request snapshots at a limited rate", async () => {
    await enter();
    for (let second = 0; second < 300; second += 1) {
      realm.line.deliver(`${LOBBY}/o/bob_web/a`, box("a"), { epoch: 1, revision: 2 * second + 2 });
      await clock.advance(1_000);
    }
    expect(realm.snapshots).toBeLessThan(15);
  });

  it("a malformed message is ignored and counted by reason, and the next one is applied", async () => {
    const scene = await enter();
    realm.line.deliver(`${LOBBY}/o/bob_web/a`, "[1]");
    realm.line.deliver(`${LOBBY}/o/bob_web/a`, box("b"));
    realm.line.deliver(`${LOBBY}/o/bob_web/a`, box("a"));
    expect([...scene.objects.keys()]).toEqual(["a"]);
    if (!("ignored" in scene)) expect.fail("it does not count");
    expect(scene.ignored).toEqual(
      new Map([
        ["not_an_object", 1],
        ["id_mismatch", 1],
      ]),
    );
  });

  it("a change of scene carries over no objects, people or subscriptions", async () => {
    const first = await enter();
    const line = realm.line;
    line.deliver(`${LOBBY}/o/bob_web/a`, box("a"));
    line.deliver(`${LOBBY}/u/bob_web/bob`, camera("bob", 1, "create"));
    await first.close();
    const second = await enter("public/sandbox");
    line.deliver(`${LOBBY}/o/bob_web/late`, box("late"));
    realm.line.deliver(`${LOBBY}/o/bob_web/stray`, box("stray"));
    expect(second.objects.size).toBe(0);
    expect(second.people.size).toBe(0);
    expect(realm.line.filters.every((filter) => filter.startsWith("realm/s/public/sandbox/"))).toBe(true);
    expect(line.isOpen).toBe(false);
    expect(line.said("/x/").at(-1)).toEqual({ object_id: "ada_1", action: "leave" });
    realm.line.deliver("realm/s/public/sandbox/o/bob_web/here", box("here"));
    expect([...second.objects.keys()], "negative control").toEqual(["here"]);
  });
});

describe("an entered session", () => {
  it("reconnects with a fresh token and publishes its camera and join again", async () => {
    const scene = await enter();
    const statuses: Status[] = [];
    scene.on("status", (status) => statuses.push(status));
    realm.line.cut("the realm was killed");
    await clock.advance(2_000);
    expect(statuses.map(({ kind }) => kind)).toEqual(["reconnecting", "live"]);
    expect(statuses[0]?.reason).toBe("the realm was killed");
    expect(realm.line.request.token).toBe("token-2");
    expect(realm.tokenRequests[1]?.bearer, "a bearer's token would live no longer than the old one").toBeUndefined();
    expect(realm.line.said("/u/")[0]).toMatchObject({ object_id: "ada_2", action: "create" });
    expect(realm.line.said("/x/")[0]).toMatchObject({ object_id: "ada_2", action: "join" });
    expect(realm.snapshots).toBe(2);
  });

  it("reports a silent connection, keeps it, and reports when it is live again", async () => {
    const scene = await enter();
    const statuses: Status[] = [];
    scene.on("status", (status) => statuses.push(status));
    await clock.advance(60_000);
    expect(statuses, "negative control: a quiet scene answers").toEqual([]);
    expect(realm.line.asked).toBeGreaterThan(10);
    realm.line.silent = true;
    await clock.advance(10_000);
    expect(statuses).toEqual([{ kind: "silent" }]);
    realm.line.silent = false;
    realm.line.deliver(`${LOBBY}/o/bob_web/lamp`, box("lamp"));
    expect(statuses).toEqual([{ kind: "silent" }, { kind: "live" }]);
    expect([...scene.objects.keys()]).toEqual(["lamp"]);
    expect(realm.lines.length).toBe(1);
  });

  it("reports and replaces a connection that breaks after a silence", async () => {
    const scene = await enter();
    const statuses: Status[] = [];
    realm.line.silent = true;
    await clock.advance(10_000);
    scene.on("status", (status) => statuses.push(status));
    realm.line.cut();
    await clock.advance(2_000);
    expect(statuses.map(({ kind }) => kind)).toEqual(["reconnecting", "live"]);
  });

  it("repeats a token request that gets no answer during a reconnect", async () => {
    const scene = await enter();
    realm.heldTokens = 1;
    realm.line.cut();
    await clock.advance(2_000);
    expect(scene.status.kind).toBe("reconnecting");
    await clock.advance(30_000);
    expect(scene.status.kind).toBe("live");
    expect(realm.lines.length).toBe(2);
  });

  it.each(["is answered", "fails"])(
    "keeps a live connection when an earlier attempt's token request %s",
    async (how) => {
      const scene = await enter();
      realm.heldTokens = 1;
      realm.line.cut();
      await clock.advance(40_000);
      const { idTag } = scene.me;
      realm.releaseToken(how === "fails");
      await clock.advance(5_000);
      expect([scene.status.kind, scene.me.idTag, realm.lines.length]).toEqual(["live", idTag, 2]);
    },
  );

  it("keeps a live connection whose further snapshot takes long", async () => {
    const scene = await enter();
    await clock.advance(8_000);
    realm.beforeSnapshot = () => new Promise((resolve) => void clock.after(10_000, resolve));
    await clock.freeze(11_000);
    await clock.advance(500);
    expect(realm.snapshots, "a snapshot for the missed changes was requested").toBe(2);
    await clock.advance(20_000);
    expect([scene.status.kind, realm.lines.length]).toEqual(["live", 1]);
  });

  it("does not list its previous identity as a person after a reconnect", async () => {
    const scene = await enter();
    const ghost = { topic: `${LOBBY}/u/ada_1_web/ada_1`, payload: camera("ada_1", 1, "create") };
    realm.snapshot = { epoch: 1, revision: 4, messages: [ghost] };
    realm.line.cut();
    await clock.advance(2_000);
    expect([...scene.people.keys()]).toEqual([]);
  });

  it("fetches the missed changes after a tab freeze, on the same connection", async () => {
    realm.snapshot = { epoch: 1, revision: 1, messages: [{ topic: `${LOBBY}/o/bob_web/a`, payload: box("a") }] };
    const scene = await enter();
    const moved = box("a", { position: { x: 5, y: 0, z: 0 } });
    realm.snapshot = { epoch: 1, revision: 90, messages: [{ topic: `${LOBBY}/o/bob_web/a`, payload: moved }] };
    await clock.freeze(60_000);
    await clock.advance(1_000);
    expect(realm.lines.length, "the connection held").toBe(1);
    expect(scene.objects.get("a")?.attributes.position).toEqual({ x: 5, y: 0, z: 0 });
  });

  it("reconnects and fetches the missed changes when the connection broke during a tab freeze", async () => {
    const scene = await enter();
    realm.snapshot = { epoch: 2, revision: 1, messages: [{ topic: `${LOBBY}/o/bob_web/a`, payload: box("a") }] };
    await clock.freeze(60_000);
    realm.line.cut();
    await clock.advance(2_000);
    expect(scene.status.kind).toBe("live");
    expect([...scene.objects.keys()]).toEqual(["a"]);
  });

  it("renews its token before it expires", async () => {
    const scene = await enter();
    await clock.advance(3_500_000);
    expect(realm.tokens.length, "negative control: not long before").toBe(1);
    await clock.advance(60_000);
    expect(realm.line.request.token).toBe("token-2");
    expect(scene.status.kind).toBe("live");
  });

  it("ends with the realm's reason when its reconnect is refused", async () => {
    const scene = await enter();
    realm.problems.push({ path: "/token", status: 404, title: "no such scene" });
    realm.line.cut();
    await clock.advance(5_000);
    expect(scene.status).toEqual({ kind: "refused", reason: "no such scene", hindrance: { code: "not_found" } });
    await expect(scene.create("a", {})).rejects.toThrow();
  });

  it("does not reconnect after close", async () => {
    const scene = await enter();
    await scene.close();
    await clock.advance(60_000);
    expect(realm.lines.length).toBe(1);
    expect(scene.status.kind).toBe("closed");
  });
});

describe("actions in a scene", () => {
  it("a create is published with its options and resolves at its acknowledgement", async () => {
    const scene = await enter();
    await scene.create("lamp", { object_type: "box" }, { persist: true, ttlS: 5 });
    expect(realm.line.said("/o/ada_1_web/lamp")[0]).toEqual({
      object_id: "lamp",
      action: "create",
      type: "object",
      persist: true,
      ttl: 5,
      data: { object_type: "box" },
    });
  });

  it("a refused change rejects with the realm's reason and emits a refusal to listeners", async () => {
    const scene = await enter();
    const refusals: unknown[] = [];
    scene.on("refused", (refusal) => refusals.push(refusal));
    realm.line.refusals.set("/o/", "not_granted");
    await expect(scene.remove("lamp")).rejects.toThrow("not_granted");
    realm.line.refusals.set("/o/", "flood: at most 60 messages a second of a guest");
    await expect(scene.remove("lamp")).rejects.toMatchObject({
      reason: "flood",
      limit: "60 messages a second of a guest",
    });
    expect(refusals).toEqual([
      { reason: "not_granted", objectId: "lamp", count: 1 },
      { reason: "flood", limit: "60 messages a second of a guest", objectId: "lamp", count: 1 },
    ]);
  });

  it("an unacknowledged change is sent again after a reconnect, under the new identity", async () => {
    const scene = await enter();
    realm.line.mute = true;
    const change = scene.create("lamp", { object_type: "box" });
    await settle();
    realm.line.cut();
    await clock.advance(2_000);
    await change;
    expect(realm.line.said("/o/ada_2_web/lamp").length).toBe(1);
  });

  it("an update without options keeps the object's persistence", async () => {
    const scene = await enter();
    realm.line.deliver(`${LOBBY}/o/bob_web/lamp`, { ...box("lamp"), persist: true });
    await scene.update("lamp", { depth: 2 });
    expect(realm.line.said("/o/")[0]).toMatchObject({ action: "update", persist: true, data: { depth: 2 } });
  });

  it("the newest camera pose is sent at most every 100 ms, and once a second at rest", async () => {
    const scene = await enter();
    const before = realm.line.said("/u/").length;
    for (let step = 1; step <= 100; step += 1) {
      scene.publishCamera({ position: [step / 100, 1.6, 0], rotation: [0, 0, 0, 1] });
      await clock.advance(10);
    }
    const moving = realm.line.said("/u/").slice(before);
    expect(moving.length).toBeGreaterThanOrEqual(9);
    expect(moving.length).toBeLessThanOrEqual(11);
    await clock.advance(200);
    expect(realm.line.said("/u/").at(-1)).toMatchObject({ data: { position: { x: 1, y: 1.6, z: 0 } } });
    const atRest = realm.line.said("/u/").length;
    await clock.advance(10_000);
    expect(realm.line.said("/u/").length - atRest).toBe(10);
  });

  it("changed looks are sent at once without a move, and in each later camera message", async () => {
    const scene = await enter();
    await clock.advance(200);
    const before = realm.line.said("/u/").length;
    const doing = { body: "half", handRaised: true, laser: { from: "head", to: [1, 2, 3] } } as const;
    scene.setLooks({ color: "#123456", doing });
    await clock.advance(150);
    const said = { body: "half", handRaised: true, laser: true, laserFrom: "head", laserTo: { x: 1, y: 2, z: 3 } };
    const message = { data: { "arena-user": { color: "#123456" }, "stoa-user": said } };
    expect(realm.line.said("/u/").slice(before)).toMatchObject([message]);
    await clock.advance(1_000);
    expect(realm.line.said("/u/").at(-1)).toMatchObject(message);
  });

  it("a hand is created, updated, created again after a reconnect, and deleted", async () => {
    const scene = await enter();
    const pose = { position: [0, 1, 0], rotation: [0, 0, 0, 1] } as const;
    scene.publishHand("left", pose);
    await clock.advance(200);
    scene.publishHand("left", { ...pose, position: [1, 1, 0] });
    await clock.advance(200);
    expect(realm.line.said("/u/ada_1_web/handLeft_ada_1").map(({ action }) => action)).toEqual(["create", "update"]);
    realm.line.cut();
    await clock.advance(2_000);
    expect(realm.line.said("/u/ada_2_web/handLeft_ada_2")[0]).toMatchObject({ action: "create" });
    scene.publishHand("left", null);
    await clock.advance(200);
    expect(realm.line.said("/u/ada_2_web/handLeft_ada_2").at(-1)).toMatchObject({ action: "delete" });
  });

  it("chat and clicks are published and received", async () => {
    const scene = await enter();
    const heard: unknown[] = [];
    scene.on("chat", (chat) => heard.push(chat));
    scene.on("clientEvent", (event) => heard.push(event));
    scene.sendChat("hello");
    scene.sendEvent({ type: "mousedown", target: "lamp", targetPosition: [1, 2, 3], originPosition: [0, 1.6, 0] });
    expect(realm.line.said("/c/")).toEqual([{ object_id: "ada_1", type: "chat", dn: "Ada", text: "hello" }]);
    const click = realm.line.said("/u/ada_1_web/ada_1").at(-1);
    expect(click).toEqual({
      object_id: "ada_1",
      action: "clientEvent",
      type: "mousedown",
      data: { target: "lamp", targetPosition: { x: 1, y: 2, z: 3 }, originPosition: { x: 0, y: 1.6, z: 0 } },
    });
    realm.line.deliver(`${LOBBY}/c/bob_web/bob`, { object_id: "bob", type: "chat", dn: "Bob", text: "hi" });
    realm.line.deliver(`${LOBBY}/u/bob_web/bob`, { ...click, object_id: "bob" });
    expect(heard).toMatchObject([
      { idTag: "bob", displayName: "Bob", text: "hi", own: false },
      { idTag: "bob", type: "mousedown", target: "lamp" },
    ]);
  });

  it("a refusal on the debug topic is reported only if the realm sent it", async () => {
    const scene = await enter();
    const refusals: unknown[] = [];
    scene.on("refused", (refusal) => refusals.push(refusal));
    const told = { object_id: "-", action: "refused", reason: "flood", limit: "20 a second", count: 3 };
    realm.line.deliver(`${LOBBY}/d/stoa/-/ada_1`, told);
    realm.line.deliver(`${LOBBY}/d/mallory_web/-/ada_1`, told);
    expect(refusals).toEqual([{ reason: "flood", limit: "20 a second", count: 3 }]);
  });
});
