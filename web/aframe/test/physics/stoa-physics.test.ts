/** A page's physics with a fake session and real Rapier. */
import rapier from "@dimforge/rapier3d-compat";
import { BoxGeometry, Mesh } from "three";
import { beforeAll, expect, test } from "vitest";
import { settingsOf } from "../../src/mapping/object-settings.ts";
import { LEASE } from "../../src/physics/simulation.ts";
import { BODY } from "../../src/physics/stoa-body.ts";
import { HOLD } from "../../src/physics/stoa-grab.ts";
import { ScenePhysicsBehaviour } from "../../src/physics/stoa-physics.ts";
import { PUSH } from "../../src/physics/stoa-pushable.ts";
import { FakeSession } from "../fake-session.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

beforeAll(() => rapier.init());

function physics() {
  const scene = stubScene();
  const root = stubEntity(scene);
  const session = new FakeSession();
  let ms = 0;
  let fetched = 0;
  let isBroken = false;
  const breakLoading = () => {
    isBroken = true;
  };
  const load = async () => {
    fetched += 1;
    if (isBroken) throw new Error("offline");
    return rapier;
  };
  const one = new ScenePhysicsBehaviour({ aframe: stubAFrame(), now: () => ms, load }, root);
  one.serve(session);
  const put = (objectId: string, attributes: Record<string, unknown>, height: number) => {
    session.put(objectId, { object_type: "box", ...attributes });
    const el = stubEntity(scene, objectId);
    root.append(el);
    root.object3D.add(el.object3D);
    el.setObject3D("mesh", new Mesh(new BoxGeometry()));
    el.object3D.position.set(0, height, 0);
    const { body } = Object(settingsOf(attributes, { base: "https://realm.local/" })["stoa-body"]);
    el.emit(BODY, { el, settings: JSON.parse(body) });
    return el;
  };
  const run = async (seconds: number) => {
    for (let frame = 0; frame < seconds * 60; frame += 1) {
      ms += 1_000 / 60;
      one.tick();
      if (frame % 30 === 0) await Promise.resolve();
    }
  };
  return { session, one, put, run, breakLoading, fetched: () => fetched };
}

const BOX = { "physx-body": {} };

test("a body grabbed by a remote person follows their hand, and falls when released", async () => {
  const { session, put, run } = physics();
  const el = put("ball", { "physx-body": {}, "physx-grabbable": true }, 3);
  el.setAttribute("stoa-grab", "");
  session.held.add(LEASE);
  await run(1);
  const attributes = { position: { x: 2, y: 4, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } };
  const say = (type: string) => session.tell("clientEvent", { type, idTag: "bo_1", target: "ball", attributes });
  say("physx-grabstart");
  await run(0.8);
  expect([el.object3D.position.x, el.object3D.position.y]).toEqual([expect.closeTo(2, 1), expect.closeTo(4, 1)]);
  expect(session.moved.get("ball")?.position[0]).toBeCloseTo(2, 1);
  say("physx-grabend");
  await run(3);
  expect(el.object3D.position.y).toBeLessThan(1);
});

test("a page that doesn't simulate sends its own grabs as events", async () => {
  const { session, put, run } = physics();
  const el = put("ball", { "physx-body": {}, "physx-grabbable": true }, 3);
  put("box", BOX, 6);
  el.setAttribute("stoa-grab", "");
  await run(0.1);
  const pose = Float64Array.of(1, 2, 3, 0, 0, 0, 1);
  const velocity = { x: 0, y: 1, z: 0 };
  for (const phase of ["start", "move", "end"] as const) el.emit(HOLD, { phase, objectId: "ball", pose, velocity });
  expect(session.events.map(({ type, target, more }) => [type, target, more?.velocity])).toEqual([
    ["physx-grabstart", "ball", undefined],
    ["physx-grabmove", "ball", undefined],
    ["physx-grabend", "ball", velocity],
  ]);
});

test("a scene without dynamic bodies claims no lease and fetches no physics engine", async () => {
  const { session, put, run, fetched } = physics();
  put("wall", { "static-body": {} }, 0);
  await run(1);
  expect([session.moved.size, fetched()]).toEqual([0, 0]);
});

test("the lease holder moves the bodies, publishes them in motion, and sends their rest pose", async () => {
  const { session, one, put, run } = physics();
  const el = put("box", BOX, 3);
  await run(1);
  expect([[...session.moved.keys()], one.moves("box"), el.object3D.position.y]).toEqual([[LEASE], false, 3]);
  session.held.add(LEASE);
  await run(1.2);
  expect(one.moves("box")).toBe(true);
  expect(session.moved.get("box")?.position[1]).toBe(el.object3D.position.y);
  expect(el.object3D.position.y).toBeLessThan(3);
  await run(8);
  expect(el.object3D.position.y).toBeCloseTo(0.5, 2);
  expect([...session.moved.keys()]).toEqual([LEASE]);
  const last = session.updates.at(-1);
  expect([last?.objectId, last?.options?.persist]).toEqual(["box", false]);
  session.held.clear();
  await run(0.1);
  expect(one.moves("box")).toBe(false);
});

test("a body moved by another person falls from its new position", async () => {
  const { session, put, run } = physics();
  session.held.add(LEASE);
  const el = put("box", BOX, 0.5);
  await run(2);
  el.object3D.position.set(5, 2, 0);
  await run(0.2);
  expect(el.object3D.position.x).toBeCloseTo(5, 3);
  await run(3);
  expect(el.object3D.position.y).toBeCloseTo(0.5, 2);
});

test("a body with a new scale or geometry rests on its new shape", async () => {
  const { session, put, run } = physics();
  session.held.add(LEASE);
  const el = put("box", BOX, 0.5);
  await run(2);
  el.object3D.scale.set(2, 2, 2);
  await run(3);
  expect(el.object3D.position.y).toBeCloseTo(1, 2);
  const mesh = el.getObject3D("mesh");
  if (mesh instanceof Mesh) mesh.geometry = new BoxGeometry(2, 2, 2);
  await run(3);
  expect(el.object3D.position.y).toBeCloseTo(2, 2);
});

test("a body that gets a parent is no longer simulated, and none of its poses is sent", async () => {
  const { session, one, put, run } = physics();
  session.held.add(LEASE);
  const [el, cart] = [put("box", BOX, 50), put("cart", { "static-body": {} }, 5)];
  await run(2);
  expect(one.moves("box")).toBe(true);
  session.put("box", { object_type: "box", ...BOX, parent: "cart" });
  cart.object3D.add(el.object3D);
  el.object3D.position.set(0, 2, 0);
  await run(2);
  expect([one.moves("box"), el.object3D.position.toArray()]).toEqual([false, [0, 2, 0]]);
  expect([session.moved.has("box"), session.updates]).toEqual([false, []]);
  // An empty parent means none.
  session.put("box", { object_type: "box", ...BOX, parent: "" });
  await run(0.1);
  expect(one.moves("box")).toBe(true);
});

test("a failed download of the physics engine is retried, but not in each render frame", async () => {
  const { session, put, run, fetched, breakLoading } = physics();
  session.held.add(LEASE);
  breakLoading();
  put("box", BOX, 3);
  await run(5);
  expect(fetched()).toBeGreaterThan(1);
  expect(fetched()).toBeLessThan(4);
});

test("a push is sent as an event, and the simulating page moves only pushable bodies", async () => {
  const { session, put, run } = physics();
  const [ball, wall] = [put("ball", BOX, 0.5), put("crate", BOX, 5)];
  ball.setAttribute("stoa-pushable", "");
  await run(0.5);
  ball.emit(PUSH, { objectId: "ball", impulse: { x: 5, y: 0, z: 0 } });
  expect(session.events).toEqual([{ type: "physx-push", target: "ball", more: { impulse: { x: 5, y: 0, z: 0 } } }]);
  session.held.add(LEASE);
  await run(1.5);
  for (const target of ["ball", "crate"]) {
    const attributes = { impulse: { x: 5, y: 0, z: 0 } };
    session.tell("clientEvent", { type: "physx-push", idTag: "ada", target, attributes });
  }
  await run(0.5);
  expect(ball.object3D.position.x).toBeGreaterThan(0.5);
  expect(wall.object3D.position.x).toBeCloseTo(0, 1);
});

test("a scene that disables physics releases its bodies and the lease", async () => {
  const { session, one, put, run } = physics();
  session.held.add(LEASE);
  put("box", BOX, 100);
  await run(2);
  expect(session.moved.has("box")).toBe(true);
  session.put("scene-options", { "scene-options": { physics: { enabled: false } } });
  await run(0.1);
  expect([one.moves("box"), session.moved.size]).toEqual([false, 0]);
  one.remove();
});
