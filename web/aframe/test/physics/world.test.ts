/** Rapier itself: a box falls on the floor in the same way each time. */
import rapier from "@dimforge/rapier3d-compat";
import { BoxGeometry, CylinderGeometry, Group, Mesh, PlaneGeometry, SphereGeometry, TorusGeometry } from "three";
import { beforeAll, expect, test } from "vitest";
import { type BodySettings, worldOf } from "../../src/mapping/body-settings.ts";
import { settingsOf } from "../../src/mapping/object-settings.ts";
import { type CollisionShape, shapeOf } from "../../src/physics/shapes.ts";
import { groupsOf, PhysicsWorld } from "../../src/physics/world.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

beforeAll(() => rapier.init());

const BASE = "https://realm.local/";
const CUBE: CollisionShape = { kind: "box", half: { x: 0.5, y: 0.5, z: 0.5 }, center: { x: 0, y: 0, z: 0 } };
const at = (x: number, y: number, z: number) => Float64Array.from([x, y, z, 0, 0, 0, 1]);

function body(attributes: Record<string, unknown> = {}): BodySettings {
  const settings = settingsOf({ object_type: "box", "physx-body": {}, ...attributes }, { base: BASE });
  const { body } = Object(settings["stoa-body"]);
  return JSON.parse(body);
}

function fall(attributes: Record<string, unknown> = {}, seconds = 3, options: unknown = {}) {
  const world = new PhysicsWorld(rapier, worldOf(options, BASE));
  world.set("box", body(attributes), CUBE, at(0, 3, 0));
  const collisions = [];
  for (let frame = 0; frame < seconds * 60; frame += 1) collisions.push(...world.step(1 / 60));
  const pose = new Float64Array(7);
  world.poseOf("box", pose);
  const [state] = world.states();
  world.dispose();
  return { pose: [...pose], height: pose[1] ?? Number.NaN, collisions, state };
}

test("a box falls on the floor and rests there", () => {
  const { height, state } = fall({}, 8);
  expect(height).toBeCloseTo(0.5, 2);
  expect(state).toEqual({ objectId: "box", isAwake: false });
});

test("two equal falls end in bit-identical poses", () => {
  expect(fall({ "physx-material": { restitution: 0.9 } }, 2).pose).toEqual(
    fall({ "physx-material": { restitution: 0.9 } }, 2).pose,
  );
});

test("a box's fall depends on its type and on the scene's floor, gravity and speed", () => {
  expect(fall({ "physx-body": { type: "static" } }).height).toBe(3);
  expect(fall({}, 2, { useDefaultScene: false }).height).toBeLessThan(-10);
  expect(fall({}, 3, { gravity: { x: 0, y: 0, z: 0 } }).height).toBe(3);
  expect(fall({}, 0.25, { speed: 2 }).height).toBeLessThan(fall({}, 0.25).height);
});

test("collision layers decide which bodies collide", () => {
  expect(groupsOf([1], [1, 2])).toBe(0x0001_0003);
  expect(groupsOf([16], [16])).toBe(0x8000_8000);
  expect(fall({ "physx-material": { collidesWithLayers: [1] } }, 2).height).toBeLessThan(-5);
});

test("only a body with emitCollisionEvents reports collisions", () => {
  const { collisions } = fall({ "physx-body": { emitCollisionEvents: true } });
  expect(collisions[0]).toEqual({ objectId: "box", otherId: "" });
  expect(fall().collisions).toEqual([]);
});

test("a push moves a body according to its mass, and a placed body rests at its new position", () => {
  const world = new PhysicsWorld(rapier, worldOf({ gravity: { x: 0, y: 0, z: 0 } }, BASE));
  const pose = new Float64Array(7);
  const far = (mass: number) => {
    world.set("ball", body({ "physx-body": { mass } }), { kind: "ball", radius: 0.5 }, at(0, 5, 0));
    world.push("ball", { x: 10, y: 0, z: 0 });
    for (let frame = 0; frame < 60; frame += 1) world.step(1 / 60);
    world.poseOf("ball", pose);
    return pose[0] ?? 0;
  };
  expect(far(1)).toBeCloseTo(10, 0);
  expect(far(10)).toBeCloseTo(1, 1);
  world.place("ball", at(0, 7, 0));
  world.step(1 / 60);
  world.poseOf("ball", pose);
  expect([...pose.slice(0, 3)]).toEqual([0, 7, 0]);
  world.remove("ball");
  expect([world.states(), world.poseOf("ball", pose)]).toEqual([[], false]);
  world.dispose();
});

test("the collision shape of a body follows its mesh and settings", () => {
  const el = stubEntity(stubScene(), "it");
  const shape = (object: Mesh | Group, attributes = {}) => {
    el.setObject3D("mesh", object);
    const found = shapeOf(stubAFrame(), el, body(attributes));
    el.removeObject3D("mesh");
    return found;
  };
  el.object3D.scale.set(2, 2, 2);
  expect(shape(new Mesh(new BoxGeometry(1, 2, 3)))).toEqual({
    ...{ kind: "box", half: { x: 1, y: 2, z: 3 }, center: { x: 0, y: 0, z: 0 } },
  });
  expect(shape(new Mesh(new SphereGeometry(0.5)))).toEqual({ kind: "ball", radius: 1 });
  expect(shape(new Mesh(new CylinderGeometry(0.5, 0.5, 2)))).toEqual({ kind: "cylinder", halfHeight: 2, radius: 1 });
  const ring = () => new Group().add(new Mesh(new TorusGeometry(1, 0.25)));
  expect(shape(ring())?.kind).toBe("box");
  expect(shape(ring(), { "physx-body": { highPrecision: true } })?.kind).toBe("hull");
  expect(shape(ring(), { "static-body": {}, "physx-body": undefined })?.kind).toBe("mesh");
  expect(shapeOf(stubAFrame(), el, body())).toBeUndefined();
});

test("a model of meshes that together exceed the triangle limit collides as its bounding box", () => {
  const el = stubEntity(stubScene(), "it");
  const grid = (x: number): Mesh => {
    const mesh = new Mesh(new PlaneGeometry(1, 1, 200, 200));
    mesh.position.x = x;
    return mesh;
  };
  el.setObject3D("mesh", new Group().add(grid(0), grid(2)));
  const still = body({ "static-body": {}, "physx-body": undefined });
  expect(shapeOf(stubAFrame(), el, still)).toMatchObject({ kind: "box", half: { x: 1.5 }, center: { x: 1 } });
  el.setObject3D("mesh", new Group().add(grid(0)));
  expect(shapeOf(stubAFrame(), el, still)?.kind, "negative control").toBe("mesh");
});

test("a joint connects a body to its target, even one added later, until the target is removed", () => {
  const swing = (type: string, target = "hook") => {
    const world = new PhysicsWorld(rapier, worldOf({ useDefaultScene: false }, BASE));
    const joint = { "physx-joint": { type, target } };
    world.set("bob", body(joint), { kind: "ball", radius: 0.2 }, at(2, 5, 0));
    world.step(1 / 60);
    world.set("hook", body({ "physx-body": { type: "static" } }), { kind: "ball", radius: 0.1 }, at(0, 5, 0));
    for (let frame = 0; frame < 60; frame += 1) world.step(1 / 60);
    const pose = new Float64Array(7);
    world.poseOf("bob", pose);
    world.remove("hook");
    for (let frame = 0; frame < 60; frame += 1) world.step(1 / 60);
    const free = new Float64Array(7);
    world.poseOf("bob", free);
    world.dispose();
    return { height: pose[1] ?? 0, x: pose[0] ?? 0, free: free[1] ?? 0 };
  };
  expect(swing("Fixed").height).toBeCloseTo(5, 1);
  expect(swing("Prismatic").height).toBeCloseTo(5, 1);
  expect(swing("Fixed", "nobody").height).toBeLessThan(1);
  expect(swing("Fixed", "bob").height).toBeLessThan(1);
  expect(swing("Fixed").free, "what held it has gone").toBeLessThan(2);
  const ball = swing("Spherical");
  expect(ball.height).toBeCloseTo(5, 1);
});

/**
 * A body of 1 m attached to a post beside it, after some time without gravity: its position and the direction of its
 * x axis.
 */
function jointed(joint: Record<string, unknown>, act: (world: PhysicsWorld) => void = () => undefined, seconds = 2) {
  const world = new PhysicsWorld(rapier, worldOf({ gravity: { x: 0, y: 0, z: 0 }, useDefaultScene: false }, BASE));
  world.set("post", body({ "physx-body": { type: "static" } }), { kind: "ball", radius: 0.1 }, at(0, 5, 0));
  const part = { "physx-body": { angularDamping: 0 }, ...joint };
  world.set("arm", body(part), { kind: "ball", radius: 0.1 }, at(2, 5, 0));
  world.step(1 / 60);
  act(world);
  for (let frame = 0; frame < seconds * 60; frame += 1) world.step(1 / 60);
  const pose = new Float64Array(7);
  world.poseOf("arm", pose);
  world.dispose();
  const [x = 0, y = 0, z = 0, ...turned] = pose;
  const [twist, swingY, swingZ] = turned.slice(0, 3).map((sine) => 2 * Math.atan2(sine, turned[3] ?? 1));
  return { x, y, z, twist, swingY, swingZ };
}

const push = (x: number, y: number, z: number) => (world: PhysicsWorld) => world.push("arm", { x, y, z });
const slide = { "physx-joint": { type: "Prismatic", target: "post" } };
const loose = { "physx-joint": { type: "D6", target: "post" } };

test("a prismatic joint stops at its limits on both sides", () => {
  expect(jointed(slide, push(5, 0, 0)).x, "negative control").toBeGreaterThan(4);
  const limited = { ...slide, "physx-joint-constraint": { linearLimit: { x: -0.5, y: 1 } } };
  expect(jointed(limited, push(5, 0, 0)).x).toBeCloseTo(3, 1);
  expect(jointed(limited, push(-5, 0, 0)).x).toBeCloseTo(1.5, 1);
});

test("a D6 joint moves freely on free axes, within limits on constrained ones, and else not at all", () => {
  expect(jointed(loose, push(5, 0, 0)).x, "nothing said holds").toBeCloseTo(2, 1);
  const constraint = { freeAxes: ["x"], constrainedAxes: ["y"], lockedAxes: ["z"], linearLimit: { x: -1, y: 1 } };
  const some = { ...loose, "physx-joint-constraint": constraint };
  expect(jointed(some, push(5, 0, 0)).x).toBeGreaterThan(4);
  const uneven = (axis: string) => ({
    ...loose,
    "physx-joint-constraint": { constrainedAxes: [axis], linearLimit: { x: -0.5, y: 1 } },
  });
  expect([jointed(uneven("y"), push(0, 5, 0)).y, jointed(uneven("y"), push(0, -5, 0)).y]).toEqual([
    expect.closeTo(6, 1),
    expect.closeTo(4.5, 1),
  ]);
  expect([jointed(uneven("z"), push(0, 0, 5)).z, jointed(uneven("z"), push(0, 0, -5)).z]).toEqual([
    expect.closeTo(1, 1),
    expect.closeTo(-0.5, 1),
  ]);
  expect(jointed(some, push(0, 5, 0)).y).toBeCloseTo(6, 1);
  expect(jointed(some, push(0, -5, 0)).y).toBeCloseTo(4, 1);
  expect(jointed(some, push(0, 0, 5)).z).toBeCloseTo(0, 1);
});

test("a motor drives an axis at its speed, in the direction of the sign", () => {
  const driver = {
    axes: ["x"],
    linearVelocity: { x: 0.5, y: 0, z: 0 },
    stiffness: 0,
    damping: 50,
    lockOtherAxes: true,
  };
  const driven = { ...loose, "physx-joint-driver": driver };
  expect(jointed(driven).x).toBeCloseTo(3, 1);
  const turning = (axes: string[], speed: Record<string, number>) => {
    const driver = { axes, angularVelocity: speed, stiffness: 0, damping: 50, lockOtherAxes: true };
    return jointed({ ...loose, "physx-joint-driver": driver });
  };
  expect(turning(["twist"], { x: 0.5 }).twist).toBeCloseTo(1, 1);
  expect(turning(["swing"], { y: 0.5 }).swingY).toBeCloseTo(1, 1);
  expect(turning(["swing"], { z: 0.5 }).swingZ).toBeCloseTo(1, 1);
});

test("a spring of a motor pulls back to where the joint was made", () => {
  const driver = { axes: ["x"], stiffness: 60, damping: 8 };
  const driven = { ...loose, "physx-joint-driver": driver };
  expect(jointed(driven, push(5, 0, 0), 0.2).x, "negative control").toBeGreaterThan(2.2);
  expect(jointed(driven, push(5, 0, 0), 5).x).toBeCloseTo(2, 1);
});

test("a grabbed body follows its hand against gravity, and flies on and falls when released", () => {
  const world = new PhysicsWorld(rapier, worldOf({}, BASE));
  const pose = new Float64Array(7);
  world.set("ball", body(), { kind: "ball", radius: 0.1 }, at(0, 3, 0));
  world.set("wall", body({ "physx-body": { type: "static" } }), CUBE, at(9, 0, 0));
  for (let frame = 0; frame < 60; frame += 1) {
    world.hold("ball", at(1, 4, 0));
    world.hold("wall", at(1, 4, 0));
    world.step(1 / 60);
  }
  world.poseOf("ball", pose);
  expect([...pose.slice(0, 3)]).toEqual([expect.closeTo(1, 1), expect.closeTo(4, 1), 0]);
  expect(world.states()).toEqual([{ objectId: "ball", isAwake: true }]);
  world.poseOf("wall", pose);
  expect(pose[0], "what is still is held by nobody").toBe(9);
  world.release("ball", { x: 2, y: 0, z: 0 });
  for (let frame = 0; frame < 30; frame += 1) world.step(1 / 60);
  world.poseOf("ball", pose);
  expect(pose[0]).toBeCloseTo(2, 1);
  expect(pose[1]).toBeLessThan(3.5);
  world.dispose();
});
