import { beforeEach, describe, expect, it } from "vitest";
import { enterScene } from "../src/enter-scene.ts";
import { type FrameEntry, parseFrame, partsOf } from "../src/motion/frame.ts";
import { MotionReplica } from "../src/motion/replica.ts";
import { MotionUplink } from "../src/motion/uplink.ts";
import type { SceneSession } from "../src/types.ts";
import { DownFrame, MotionRealm } from "./support/motion-realm.ts";
import { ScriptedRealm } from "./support/scripted-realm.ts";
import { settle, VirtualClock } from "./support/virtual-clock.ts";

let clock: VirtualClock;
let realm: ScriptedRealm;
let plane: MotionRealm;

beforeEach(() => {
  clock = new VirtualClock();
  realm = new ScriptedRealm(clock);
  plane = new MotionRealm();
  realm.motion = (idTag) => plane.answer(idTag);
});

async function enter(more = {}): Promise<SceneSession> {
  const scene = await enterScene(realm.options("public/lobby", { ways: plane.ways, ...more }));
  await settle();
  return scene;
}

/** The frames sent on the newest transport, decoded. */
function said(): readonly (readonly FrameEntry[])[] {
  return plane.way.sent.map((bytes) => parseFrame(bytes)?.entries ?? []);
}

/** Records movers that enter, leave and move: name, kind and x. */
function witness(scene: SceneSession): string[] {
  const seen: string[] = [];
  scene.motion.follow({
    onEntered: ({ kind, name }) => seen.push(`+ ${kind} ${name}`),
    onMoved: ({ kind, name }, _, pose) => seen.push(`${kind} ${name} ${pose[0]}`),
    onLeft: ({ kind, name }) => seen.push(`- ${kind} ${name}`),
  });
  return seen;
}

const at = (x: number) => ({ position: [x, 1.6, 0], rotation: [0, 0, 0, 1] }) as const;

describe("getting in", () => {
  it("asks with the scene's token, and goes by WebTransport", async () => {
    const scene = await enter();
    expect(realm.ticketRequests).toEqual([{ body: { scene: "public/lobby" }, bearer: "Bearer token-1" }]);
    expect(plane.asked).toEqual(["webtransport"]);
    expect(plane.way.url).toBe("https://realm.test:8443/motion?ticket=t");
    expect(scene.motion.way).toBe("webtransport");
  });

  it.each(["fails", "hangs"] as const)(
    "takes the WebSocket where WebTransport %s, by the same ticket",
    async (manner) => {
      plane.webTransport = manner;
      const scene = await enter();
      await clock.advance(2_000);
      expect(plane.asked).toEqual(["webtransport", "websocket"]);
      expect(scene.motion.way).toBe("websocket");
      expect(plane.tickets).toBe(1);
    },
  );

  it("the scene does not wait for it", async () => {
    [plane.webTransport, plane.webSocket] = ["hangs", "hangs"];
    const scene = await enter();
    expect(scene.status).toEqual({ kind: "live" });
    expect(scene.motion.way).toBeNull();
  });

  it("tries WebTransport again from the WebSocket, and changes over without losing anybody", async () => {
    plane.webTransport = "fails";
    const scene = await enter();
    const seen = witness(scene);
    const socket = plane.way;
    socket.deliver(new DownFrame(1, 1_000).entered(1, { id: 7, kind: 0, name: "bo_1", x: 2 }));
    plane.webTransport = "opens";
    await plane.keepAlive(clock, 60_000);
    expect(scene.motion.way).toBe("webtransport");
    expect(socket.isOpen).toBe(false);
    plane.way.deliver(new DownFrame(1, 60_050).entered(1, { id: 9, kind: 0, name: "bo_1", x: 3 }));
    await plane.keepAlive(clock, 3_000);
    expect(seen).toEqual(["+ head bo_1", "head bo_1 2", "head bo_1 3"]);
  });

  it("changes over once, though the realm ends the WebSocket before WebTransport says that it is open", async () => {
    plane.webTransport = "fails";
    const scene = await enter();
    const socket = plane.way;
    plane.webTransport = "opens";
    plane.onOpening = () => socket.close();
    await plane.keepAlive(clock, 60_000);
    await settle();
    plane.onOpening = () => undefined;
    await plane.keepAlive(clock, 3_000);
    expect([scene.motion.way, plane.opened.length, plane.tickets]).toEqual(["webtransport", 2, 2]);
  });

  it("stays on the WebSocket while WebTransport does not open", async () => {
    plane.webTransport = "fails";
    const scene = await enter();
    const socket = plane.way;
    await plane.keepAlive(clock, 125_000);
    expect(plane.asked.filter((kind) => kind === "webtransport").length).toBe(3);
    expect([socket.isOpen, scene.motion.way]).toEqual([true, "websocket"]);
  });

  it("comes in again by a new ticket after an end", async () => {
    await enter();
    plane.way.close();
    await clock.advance(1_000);
    expect([plane.tickets, plane.opened.length]).toEqual([2, 2]);
  });

  it("takes silence for an end", async () => {
    await enter();
    const first = plane.way;
    await clock.advance(4_900);
    expect(first.isOpen, "negative control").toBe(true);
    await clock.advance(1_000);
    expect(first.isOpen).toBe(false);
  });

  it("decides who is seen once a stay has told of all, through a short end, and not where no way works", async () => {
    const scene = await enter();
    plane.way.deliver(new DownFrame(1, 50));
    expect(scene.motion.decides, "it has not told of all yet").toBe(false);
    await plane.keepAlive(clock, 2_000);
    expect(scene.motion.decides).toBe(true);
    plane.way.close();
    await clock.advance(900);
    expect([scene.motion.way, scene.motion.decides], "it is back").toEqual(["webtransport", true]);
    await plane.keepAlive(clock, 2_000);
    [plane.webTransport, plane.webSocket] = ["fails", "fails"];
    plane.way.close();
    await clock.advance(2_000);
    expect([scene.motion.way, scene.motion.decides]).toEqual([null, false]);
  });

  it("whoever is lost as no way works is left to camera messages, who by another stay is not", async () => {
    const scene = await enter();
    const decided: boolean[] = [];
    scene.motion.follow({
      onEntered: () => undefined,
      onMoved: () => undefined,
      onLeft: () => decided.push(scene.motion.decides),
    });
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 7, kind: 0, name: "bo_1", x: 2 }));
    await plane.keepAlive(clock, 2_000);
    plane.way.close();
    await clock.advance(900);
    await plane.keepAlive(clock, 2_000);
    plane.way.deliver(new DownFrame(200_000, 9_000).entered(1, { id: 7, kind: 0, name: "bo_1", x: 2 }));
    [plane.webTransport, plane.webSocket] = ["fails", "fails"];
    plane.way.close();
    await clock.advance(2_000);
    expect(decided).toEqual([true, false]);
  });

  it("a realm without a motion plane is asked once", async () => {
    realm.motion = undefined;
    const scene = await enter();
    await clock.advance(120_000);
    expect(realm.ticketRequests.length).toBe(1);
    expect(scene.motion.way).toBeNull();
  });

  it("an answer that offers nothing is the last one", async () => {
    plane.offer = { webtransport: null, websocket: null };
    await enter();
    await clock.advance(120_000);
    expect(plane.tickets).toBe(1);
  });

  it("leaving the scene closes it", async () => {
    const scene = await enter();
    await scene.close();
    expect(plane.way.isOpen).toBe(false);
    await clock.advance(60_000);
    expect(plane.opened.length).toBe(1);
  });

  it("a new connection to the scene has a stay of its own", async () => {
    await enter();
    const first = plane.way;
    realm.line.cut();
    await clock.advance(2_000);
    expect([first.isOpen, plane.way.isOpen, plane.opened.length]).toEqual([false, true, 2]);
    expect(realm.ticketRequests.at(-1)?.bearer).toBe("Bearer token-2");
  });
});

describe("saying where one is", () => {
  it("says head and hands in one frame, and declares them until they are known", async () => {
    const scene = await enter();
    scene.publishCamera(at(1));
    scene.publishHand("left", at(2));
    await settle();
    const frame = said().at(-1) ?? [];
    expect(frame.filter(({ kind }) => kind === "declare").length).toBe(2);
    expect(frame.filter(({ kind }) => kind === "own").length).toBe(2);
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 3, kind: 0, name: "ada_1", x: 1 }));
    scene.publishCamera(at(3));
    await settle();
    const declared = (said().at(-1) ?? []).flatMap((part) => (part.kind === "declare" ? [part.declared.kind] : []));
    expect(declared).toEqual([1]);
  });

  it("says where it rests until it is told so", async () => {
    const scene = await enter();
    scene.publishCamera({ position: [1, 0, 0], rotation: [0, 0, 0, 1] });
    const says = () => (said().at(-1) ?? []).some((part) => part.kind === "own");
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 3, kind: 0, name: "ada_1", x: 0 }));
    await clock.advance(3_000);
    expect(says()).toBe(true);
    plane.way.deliver(new DownFrame(2, 3_050).pose(3, 1_000));
    await clock.advance(200);
    expect(says()).toBe(false);
  });

  it("says that a hand was put away until it has left, and only then that it is back", async () => {
    const scene = await enter();
    const newest = (kind: FrameEntry["kind"]) => (said().at(-1) ?? []).filter((part) => part.kind === kind).length;
    scene.publishHand("left", at(2));
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 3, kind: 1, name: "ada_1", x: 1 }));
    await clock.advance(200);
    scene.publishHand("left", null);
    await settle();
    expect([newest("withdraw"), newest("declare"), newest("own")]).toEqual([1, 1, 1]);
    scene.publishHand("left", at(3));
    await settle();
    expect([newest("withdraw"), newest("declare"), newest("own")]).toEqual([1, 1, 1]);
    plane.way.deliver(new DownFrame(2, 100).left(2, 3));
    await clock.advance(200);
    expect([newest("withdraw"), newest("declare"), newest("own")]).toEqual([0, 2, 2]);
  });

  it("acknowledges, and reports ten times a second at rest", async () => {
    await enter();
    plane.way.deliver(new DownFrame(5, 9_000));
    const before = plane.way.sent.length;
    await clock.advance(1_000);
    expect(plane.way.sent.length - before).toBe(10);
    expect(said().at(-1)?.[0]).toMatchObject({
      kind: "ack",
      ack: { newest: 5, received: 1, timeMs: 9_000, heldMs: 1_000 },
    });
  });

  it("leaves only the heartbeat to camera messages once the others see it here", async () => {
    const scene = await enter();
    const cameras = () => realm.line.said("/u/").length;
    const walk = async () => {
      const before = cameras();
      for (let step = 0; step < 40; step += 1) {
        scene.publishCamera(at(step));
        await clock.advance(50);
      }
      return cameras() - before;
    };
    expect(await walk(), "negative control: nobody has said that it is seen").toBeGreaterThan(15);
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 3, kind: 0, name: "ada_1", x: 1 }));
    expect(await walk()).toBeLessThanOrEqual(1);
    const before = cameras();
    for (let passed = 0; passed < 30_000; passed += 1_000) {
      plane.way.deliver(new DownFrame(2 + passed, 100 + passed));
      await clock.advance(1_000);
    }
    expect(cameras() - before, "its ttl never runs out").toBe(3);
    plane.webTransport = plane.webSocket = "fails";
    plane.way.close();
    expect(await walk(), "the plane is gone").toBeGreaterThan(15);
  });

  it("goes on by camera messages where the plane refuses the head", async () => {
    const scene = await enter();
    scene.publishCamera(at(1));
    await settle();
    plane.way.deliver(new DownFrame(1, 50).refused(0, 1));
    await clock.advance(500);
    const before = realm.line.said("/u/").length;
    for (let step = 0; step < 10; step += 1) {
      scene.publishCamera(at(step));
      await clock.advance(100);
    }
    expect(realm.line.said("/u/").length - before).toBeGreaterThan(7);
    expect((said().at(-1) ?? []).some((part) => part.kind === "own")).toBe(false);
  });

  it("declares again after a while what somebody else moved, and is carried then", async () => {
    const scene = await enter();
    const declares = () => (said().at(-1) ?? []).some((part) => part.kind === "declare");
    scene.publishCamera(at(1));
    await settle();
    plane.way.deliver(new DownFrame(1, 50).refused(0, 2));
    await clock.advance(1_500);
    expect(declares(), "negative control").toBe(false);
    scene.publishCamera(at(2));
    await clock.advance(1_000);
    expect(declares()).toBe(true);
    plane.way.deliver(new DownFrame(2, 2_600).entered(1, { id: 3, kind: 0, name: "ada_1", x: 2 }));
    await clock.advance(200);
    expect(declares()).toBe(false);
  });

  it("moves an object of the scene, and holds it while the realm takes that from here", async () => {
    const scene = await enter();
    const names = () =>
      (said().at(-1) ?? []).flatMap((part) =>
        part.kind === "declare" && part.declared.kind === 3 ? [part.declared.name] : [],
      );
    scene.moveObject("crate", at(1));
    await settle();
    expect([names(), scene.holdsObject("crate")]).toEqual([["crate"], false]);
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 3, kind: 3, name: "crate", x: 1 }));
    await clock.advance(200);
    expect(scene.holdsObject("crate")).toBe(true);
    // The head has index 0, as it moved first.
    plane.way.deliver(new DownFrame(2, 300).refused(1, 2));
    await clock.advance(200);
    expect(scene.holdsObject("crate"), "another client was first").toBe(false);
    scene.moveObject("crate", null);
    await clock.advance(3_000);
    expect(names()).toEqual([]);
  });

  it("an object that it moves is declared anew on the next way, and held only once that is told", async () => {
    const scene = await enter();
    scene.moveObject("crate", at(1));
    await settle();
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 3, kind: 3, name: "crate", x: 1 }));
    await clock.advance(200);
    const before = plane.way;
    before.close();
    await settle();
    expect(scene.holdsObject("crate")).toBe(false);
    await clock.advance(5_000);
    expect(plane.way).not.toBe(before);
    const declared = said()
      .flat()
      .some((part) => part.kind === "declare" && part.declared.name === "crate");
    expect([declared, scene.holdsObject("crate")]).toEqual([true, false]);
  });

  it("an observer says nothing of itself, and sees the others", async () => {
    const scene = await enter({ observe: true });
    const seen = witness(scene);
    scene.publishCamera(at(1));
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 3, kind: 0, name: "bo_1", x: 1 }));
    await clock.advance(1_000);
    expect(
      said()
        .flat()
        .some((part) => part.kind === "own" || part.kind === "declare"),
    ).toBe(false);
    expect(seen).toEqual(["+ head bo_1", "head bo_1 1"]);
  });
});

describe("seeing the others", () => {
  it("never sees oneself", async () => {
    const scene = await enter();
    const seen = witness(scene);
    plane.way.deliver(
      new DownFrame(1, 50)
        .entered(1, { id: 3, kind: 0, name: "ada_1", x: 1 })
        .entered(2, { id: 4, kind: 2, name: "bo_1", x: 1 }),
    );
    expect(seen).toEqual(["+ right bo_1", "right bo_1 1"]);
    expect([...scene.motion.movers].map(({ name }) => name)).toEqual(["bo_1"]);
  });

  it("tells whoever begins to follow who is there, and where", async () => {
    const scene = await enter();
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 4, kind: 0, name: "bo_1", x: 1 }));
    plane.way.deliver(new DownFrame(2, 100).pose(4, 500));
    expect(witness(scene)).toEqual(["+ head bo_1", "head bo_1 1.5"]);
  });

  it("goes by updates, counts from baselines, and asks for one that was lost", async () => {
    const scene = await enter();
    const seen = witness(scene);
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 4, kind: 0, name: "bo_1", x: 1 }));
    plane.way.deliver(new DownFrame(2, 100).pose(4, 500));
    plane.way.deliver(new DownFrame(3, 150).pose(4, 10, 1));
    await clock.advance(200);
    expect(said().at(-1)).toContainEqual({ kind: "ask", id: 4 });
    plane.way.deliver(new DownFrame(4, 400).baseline(4, 5));
    plane.way.deliver(new DownFrame(5, 450).pose(4, 10, 1));
    expect(seen).toEqual(["+ head bo_1", "head bo_1 1", "head bo_1 1.5", "head bo_1 5", "head bo_1 5.01"]);
  });

  it("sees on over gaps of millions of frames, past the last number too, and counts what came", async () => {
    const scene = await enter();
    const seen = witness(scene);
    plane.way.deliver(new DownFrame(5, 50).entered(1, { id: 4, kind: 0, name: "bo_1", x: 1 }));
    let sequence = 5;
    for (let tick = 1; tick <= 100; tick += 1) {
      sequence = (sequence + 2 ** 26) >>> 0;
      const frame = new DownFrame(sequence, 50 + 50 * tick).pose(4, 500 + tick);
      plane.way.deliver(frame);
      plane.way.deliver(frame);
    }
    expect(seen.length).toBe(102);
    expect(seen.at(-1)).toBe("head bo_1 1.6");
    await clock.advance(100);
    expect(said().at(-1)?.[0]).toMatchObject({ kind: "ack", ack: { newest: sequence, received: 101 } });
  });

  it("poses have the time at which they would have come by the quickest way", async () => {
    const scene = await enter();
    const times: number[] = [];
    scene.motion.follow({
      onEntered: () => undefined,
      onLeft: () => undefined,
      onMoved: (_, time) => times.push(time),
    });
    const began = clock.now();
    plane.way.deliver(new DownFrame(1, 1_000).entered(1, { id: 4, kind: 0, name: "bo_1", x: 1 }));
    await clock.advance(80);
    plane.way.deliver(new DownFrame(2, 1_050).pose(4, 500));
    expect(times).toEqual([began, began + 50]);
    expect(scene.motion.jitterMs).toBe(30);
    for (let tick = 0; tick < 400; tick += 1) {
      await clock.advance(50);
      plane.way.deliver(new DownFrame(3 + tick, 1_070 + 50 * (tick + 1)));
    }
    expect(scene.motion.jitterMs, "what was late once is forgotten").toBeLessThan(11);
  });

  it("who left is gone, and so is everybody a while after the plane is", async () => {
    const scene = await enter();
    const seen = witness(scene);
    plane.way.deliver(
      new DownFrame(1, 50)
        .entered(1, { id: 4, kind: 0, name: "bo_1", x: 1 })
        .entered(2, { id: 5, kind: 0, name: "cy_1", x: 1 }),
    );
    plane.way.deliver(new DownFrame(2, 100).left(3, 4));
    expect(seen.at(-1)).toBe("- head bo_1");
    plane.webTransport = plane.webSocket = "fails";
    plane.way.close();
    await clock.advance(500);
    expect([...scene.motion.movers].length, "negative control: it may come back").toBe(1);
    await clock.advance(1_000);
    expect(seen.at(-1)).toBe("- head cy_1");
  });
});

describe("an uplink", () => {
  const rest = { position: [1, 0, 0], rotation: [0, 0, 0, 1] } as const;
  const parts = (bytes: Uint8Array | undefined) => (bytes && parseFrame(bytes)?.entries) ?? [];
  const take = (frame: DownFrame) =>
    replica.handleFrame(partsOf(frame.bytes) ?? { sequence: 0, timeMs: 0, parts: [] }, 0);
  let replica: MotionReplica;
  let uplink: MotionUplink;

  beforeEach(() => {
    replica = new MotionReplica();
    uplink = new MotionUplink("ada_1");
  });

  it("says of more things than at a time, in turns", () => {
    for (let turn = 0; turn < 40; turn += 1) {
      const name = `drone-${turn}`;
      expect(uplink.move(3, name, rest, turn)).toBe(true);
      uplink.takeFrame(replica, turn);
      take(new DownFrame(2 * turn + 1, 50).entered(2 * turn + 1, { id: turn, kind: 3, name, x: 1 }));
      uplink.move(3, name, rest, turn);
      uplink.takeFrame(replica, turn);
      uplink.lose(3, name, turn);
      expect(parts(uplink.takeFrame(replica, turn)).some((part) => part.kind === "withdraw")).toBe(true);
      take(new DownFrame(2 * turn + 2, 50).left(2 * turn + 2, turn));
      uplink.takeFrame(replica, turn + 1_000);
    }
    uplink.move(3, "last", rest, 2_000);
    const declared = { index: 0, kind: 3, name: "last" };
    expect(parts(uplink.takeFrame(replica, 2_000))).toContainEqual({ kind: "declare", declared });
  });

  it("does not withdraw what was refused for good", () => {
    uplink.move(0, "", rest, 0);
    uplink.takeFrame(replica, 0);
    take(new DownFrame(1, 50).refused(0, 1));
    uplink.takeFrame(replica, 200);
    uplink.lose(0, "", 300);
    expect(parts(uplink.takeFrame(replica, 300)).map(({ kind }) => kind)).toEqual(["ack"]);
  });

  it("does not take for its own what somebody else moves", () => {
    take(new DownFrame(1, 50).entered(1, { id: 5, kind: 3, name: "drone", x: 1 }));
    uplink.move(3, "drone", rest, 0);
    const declares = (now: number) => parts(uplink.takeFrame(replica, now)).some((part) => part.kind === "declare");
    expect([declares(0), declares(200)]).toEqual([true, true]);
    take(new DownFrame(2, 100).left(2, 5).entered(3, { id: 6, kind: 3, name: "drone", x: 1 }));
    expect(declares(400), "that is its own").toBe(false);
  });

  it("has the pose of whatever it declares in the same frame, however long the names are", () => {
    for (let number = 10; number < 42; number += 1) uplink.move(3, `${number}${"x".repeat(50)}`, rest, 0);
    const said = parts(uplink.takeFrame(replica, 0));
    const declared = said.flatMap((part) => (part.kind === "declare" ? [part.declared.index] : []));
    expect(declared.length).toBeGreaterThan(10);
    expect(said.flatMap((part) => (part.kind === "own" ? [part.own.index] : []))).toEqual(declared);
  });
});
