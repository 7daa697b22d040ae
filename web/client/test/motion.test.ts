import { beforeEach, describe, expect, it, vi } from "vitest";
import { enterScene } from "../src/enter-scene.ts";
import { MOTION_TICKET_MS } from "../src/limits.ts";
import { type FrameEntry, parseFrame, partsOf } from "../src/motion/frame.ts";
import { FrameWriter } from "../src/motion/frame-writer.ts";
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

describe("the motion connection", () => {
  it("requests a ticket with the scene's token and opens WebTransport", async () => {
    const scene = await enter();
    expect(realm.ticketRequests).toEqual([{ body: { scene: "public/lobby" }, bearer: "Bearer token-1" }]);
    expect(plane.asked).toEqual(["webtransport"]);
    expect(plane.way.url).toBe("https://realm.test:8443/motion?ticket=t");
    expect(scene.motion.way).toBe("webtransport");
  });

  it.each(["fails", "hangs"] as const)(
    "falls back to the WebSocket with the same ticket when WebTransport %s",
    async (manner) => {
      plane.webTransport = manner;
      const scene = await enter();
      await clock.advance(2_000);
      expect(plane.asked).toEqual(["webtransport", "websocket"]);
      expect(scene.motion.way).toBe("websocket");
      expect(plane.tickets).toBe(1);
    },
  );

  it("does not delay entering the scene while both transports hang", async () => {
    [plane.webTransport, plane.webSocket] = ["hangs", "hangs"];
    const scene = await enter();
    expect(scene.status).toEqual({ kind: "live" });
    expect(scene.motion.way).toBeNull();
  });

  it("retries WebTransport and upgrades from the WebSocket without dropping a mover", async () => {
    plane.webTransport = "fails";
    const scene = await enter();
    const seen = witness(scene);
    const socket = plane.way;
    socket.deliver(new DownFrame(1, 1_000).entered(1, { id: 7, kind: 0, name: "bo_1", x: 2 }));
    plane.webTransport = "opens";
    await plane.keepAlive(clock, 60_000);
    expect([plane.way.kind, plane.way.sent.length, socket.isOpen, scene.motion.way]).toEqual([
      "webtransport",
      1,
      true,
      "websocket",
    ]);
    plane.way.deliver(new DownFrame(1, 60_050).entered(1, { id: 9, kind: 0, name: "bo_1", x: 3 }));
    expect([socket.isOpen, scene.motion.way]).toEqual([false, "webtransport"]);
    await plane.keepAlive(clock, 3_000);
    expect(seen).toEqual(["+ head bo_1", "head bo_1 2", "head bo_1 3"]);
  });

  it("upgrades only once when the realm closes the WebSocket before WebTransport reports open", async () => {
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

  it("keeps the WebSocket while retries of WebTransport fail", async () => {
    plane.webTransport = "fails";
    const scene = await enter();
    const socket = plane.way;
    await plane.keepAlive(clock, 125_000);
    expect(plane.asked.filter((kind) => kind === "webtransport").length).toBe(3);
    expect([socket.isOpen, scene.motion.way]).toEqual([true, "websocket"]);
  });

  it("reconnects with a new ticket after its transport closes", async () => {
    await enter();
    plane.way.close();
    await clock.advance(1_000);
    expect([plane.tickets, plane.opened.length]).toEqual([2, 2]);
  });

  it("requests another ticket after one without an answer", async () => {
    realm.unansweredTickets = 1;
    const scene = await enter();
    await clock.advance(MOTION_TICKET_MS - 1);
    expect([realm.ticketRequests.length, scene.motion.way]).toEqual([1, null]);
    await clock.advance(1_000);
    expect([realm.ticketRequests.length, scene.motion.way]).toEqual([2, "webtransport"]);
  });

  it("handles a frame that arrives before the transport reports open", async () => {
    plane.onOpening = () => plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 7, kind: 0, name: "bo_1", x: 2 }));
    const scene = await enter();
    expect([...scene.motion.movers].map(({ name }) => name)).toEqual(["bo_1"]);
  });

  it("keeps its movers for a second after it reconnects, until the first frame", async () => {
    const scene = await enter();
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 7, kind: 0, name: "bo_1", x: 2 }));
    plane.opening = { clock, ms: 500 };
    plane.way.close();
    await clock.advance(1_500);
    expect([plane.opened.length, [...scene.motion.movers].length]).toEqual([2, 1]);
    await clock.advance(1_000);
    expect([...scene.motion.movers].length, "negative control").toBe(0);
  });

  it("closes a transport that receives no frame for about 5 s", async () => {
    await enter();
    const first = plane.way;
    await clock.advance(4_900);
    expect(first.isOpen, "negative control").toBe(true);
    await clock.advance(1_000);
    expect(first.isOpen).toBe(false);
  });

  it("decides visibility once all movers are announced, through a reconnect, but not without a transport", async () => {
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

  it("still decides visibility when a reconnect drops a mover, but not when all transports failed", async () => {
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

  it("requests no second ticket from a realm without a motion plane", async () => {
    realm.motion = undefined;
    const scene = await enter();
    await clock.advance(120_000);
    expect(realm.ticketRequests.length).toBe(1);
    expect(scene.motion.way).toBeNull();
  });

  it("requests no second ticket after a ticket that offers no transport", async () => {
    plane.offer = { webtransport: null, websocket: null };
    await enter();
    await clock.advance(120_000);
    expect(plane.tickets).toBe(1);
  });

  it("closes for good when the client leaves the scene", async () => {
    const scene = await enter();
    await scene.close();
    expect(plane.way.isOpen).toBe(false);
    await clock.advance(60_000);
    expect(plane.opened.length).toBe(1);
  });

  it("goes on with a voice when the token is renewed in mid-word", async () => {
    plane.offer = { ...plane.offer, flows: { speak: true, hear: true } };
    const scene = await enter();
    const ports: MessagePort[] = [];
    const openPort = (): MessagePort => {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1);
      return port2;
    };
    scene.voices.speak({ epoch: 7, openPort });
    const first = plane.way;
    await plane.keepAlive(clock, 3_600_000);
    expect([realm.tokens.at(-1), first.isOpen, ports.length]).toEqual(["token-2", false, 2]);
    const payload = new Uint8Array(3);
    ports.at(-1)?.postMessage({ unit: { number: 1, capturedMs: 20, level: 0x9e, payload } });
    await vi.waitFor(() => expect(said().flat()).toContainEqual(expect.objectContaining({ kind: "unit" })));
    for (const port of ports) port.close();
  });

  it("is replaced, with a new token, when the scene's connection reconnects", async () => {
    await enter();
    const first = plane.way;
    realm.line.cut();
    await clock.advance(2_000);
    expect([first.isOpen, plane.way.isOpen, plane.opened.length]).toEqual([false, true, 2]);
    expect(realm.ticketRequests.at(-1)?.bearer).toBe("Bearer token-2");
  });
});

describe("a client on the motion plane", () => {
  it("sends head and hand in one frame and declares each until it is announced", async () => {
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

  it("repeats a resting pose until the realm sends it back", async () => {
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

  it("repeats a hand's withdrawal until the hand has left, and only then declares it again", async () => {
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

  it("sends an acknowledgement ten times a second at rest", async () => {
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

  it("sends camera messages only as a heartbeat while the motion plane delivers its head", async () => {
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

  it("keeps sending camera messages when the motion plane refuses its head", async () => {
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

  it("declares its head again after a temporary refusal, until it is announced", async () => {
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

  it("holds a moved object only while the realm accepts its poses", async () => {
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

  it("declares a moved object again after a reconnect, and does not hold it before its announcement", async () => {
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

  it("sends no declaration or pose as an observer, and still receives movers", async () => {
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

describe("the motion replica", () => {
  it("omits the client's own head", async () => {
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

  it("gives a new listener the present movers with their newest poses", async () => {
    const scene = await enter();
    plane.way.deliver(new DownFrame(1, 50).entered(1, { id: 4, kind: 0, name: "bo_1", x: 1 }));
    plane.way.deliver(new DownFrame(2, 100).pose(4, 500));
    expect(witness(scene)).toEqual(["+ head bo_1", "head bo_1 1.5"]);
  });

  it("applies pose deltas to their baselines and requests a lost baseline", async () => {
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

  it("applies frames across huge sequence gaps and the wrap-around, and counts duplicates once", async () => {
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

  it("dates poses by the shortest transit time, and lets the jitter of a late frame decay", async () => {
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

  it("removes a mover that left, and all movers soon after the motion plane is lost", async () => {
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

  it("reuses the index of a withdrawn object that has left", () => {
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

  it("does not withdraw a permanently refused mover", () => {
    uplink.move(0, "", rest, 0);
    uplink.takeFrame(replica, 0);
    take(new DownFrame(1, 50).refused(0, 1));
    uplink.takeFrame(replica, 200);
    uplink.lose(0, "", 300);
    expect(parts(uplink.takeFrame(replica, 300)).map(({ kind }) => kind)).toEqual(["ack"]);
  });

  it("does not mistake another client's mover of the same name for its own", () => {
    take(new DownFrame(1, 50).entered(1, { id: 5, kind: 3, name: "drone", x: 1 }));
    uplink.move(3, "drone", rest, 0);
    const declares = (now: number) => parts(uplink.takeFrame(replica, now)).some((part) => part.kind === "declare");
    expect([declares(0), declares(200)]).toEqual([true, true]);
    take(new DownFrame(2, 100).left(2, 5).entered(3, { id: 6, kind: 3, name: "drone", x: 1 }));
    expect(declares(400), "that is its own").toBe(false);
  });

  it("sends each declaration with its pose in the same frame, even with long names", () => {
    for (let number = 10; number < 42; number += 1) uplink.move(3, `${number}${"x".repeat(50)}`, rest, 0);
    const said = parts(uplink.takeFrame(replica, 0));
    const declared = said.flatMap((part) => (part.kind === "declare" ? [part.declared.index] : []));
    expect(declared.length).toBeGreaterThan(10);
    expect(said.flatMap((part) => (part.kind === "own" ? [part.own.index] : []))).toEqual(declared);
  });
});

describe("the arrival times of frames", () => {
  /** The arrivals that the writer puts into a frame, as the reader decodes them. */
  function written(frames: readonly (readonly [number, number])[]): unknown[] {
    const writer = new FrameWriter();
    writer.begin(1, 1);
    expect(writer.arrivals(frames)).toBe(frames.length);
    const entries = parseFrame(writer.bytes)?.entries ?? [];
    return entries.map((entry) => (entry.kind === "arrivals" ? entry.frames : entry));
  }

  it("are encoded with missing, early and late frames", () => {
    const frames = [
      [4_294_967_295, 4_294_967_290],
      [0, 2],
      [2, 1_000],
      [3, 900],
    ] as const;
    expect(written(frames)).toEqual([[...frames.slice(0, 2), [1, null], ...frames.slice(2)]]);
  });

  it("begin another part after a large gap of sequences or times", () => {
    const frames = [
      [1, 0],
      [1_000, 1],
      [1_001, 40_000],
      [1_002, 40_004],
    ] as const;
    expect(written(frames)).toEqual([
      [[1, 0]],
      [[1_000, 1]],
      [
        [1_001, 40_000],
        [1_002, 40_004],
      ],
    ]);
  });

  it("are reported once for each frame", async () => {
    await enter();
    plane.way.deliver(new DownFrame(1, 1_000));
    await clock.advance(100);
    plane.way.deliver(new DownFrame(4, 1_100));
    await clock.advance(100);
    const reported = said().flatMap((entries) =>
      entries.flatMap((entry) => (entry.kind === "arrivals" ? [entry.frames.map(([sequence]) => sequence)] : [])),
    );
    expect(reported.flat()).toEqual([1, 4]);
  });
});
