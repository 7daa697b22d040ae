/** Maps ARENA's physics attributes to the settings of bodies (`stoa-body`) and of the physics world. Pure. */
import { groups } from "@stoa/client/generated";
import { GRAVITY_MAX, TIME_SPEED_MAX } from "../limits.ts";
import { bag, finite, flag, type JsonObject, within, type Xyz, xyz } from "../values.ts";
import { defaultsOf, read, readersOf, type SettingsByComponent } from "./attribute-readers.ts";
import { type JointSettings, jointOf } from "./joint-settings.ts";

/** A body. Masses in kg, lengths in metres. */
export interface BodySettings {
  readonly type: "dynamic" | "static" | "kinematic";
  readonly mass: number;
  /** Mass per unit of volume, used instead of `mass`; 0: not set. */
  readonly density: number;
  readonly linearDamping: number;
  readonly angularDamping: number;
  readonly emitCollisionEvents: boolean;
  readonly highPrecision: boolean;
  readonly shapeOffset: Xyz;
  readonly dynamicFriction: number;
  readonly restitution: number;
  readonly collisionLayers: readonly number[];
  readonly collidesWithLayers: readonly number[];
  /** The joint to another body, if any. */
  readonly joint: JointSettings | null;
}

/** The scene's physics. */
export interface WorldSettings {
  readonly enabled: boolean;
  readonly gravity: Xyz;
  readonly speed: number;
  /** Whether the scene has a floor at height 0. */
  readonly useDefaultScene: boolean;
  readonly groundCollisionLayers: readonly number[];
  readonly groundCollisionMask: readonly number[];
}

const bodyReaders = readersOf("physx-body", groups["physx-body"]);
const bodyDefaults = defaultsOf(groups["physx-body"], Object.keys(bodyReaders));
const materialReaders = readersOf("physx-material", groups["physx-material"]);
const materialDefaults = defaultsOf(groups["physx-material"], ["dynamicFriction", "restitution"]);
const pushReaders = readersOf("physx-force-pushable", groups["physx-force-pushable"]);
const pushDefaults = defaultsOf(groups["physx-force-pushable"], ["on", "force"]);
const worldReaders = readersOf("physics", groups.physics);
const worldDefaults = defaultsOf(groups.physics, ["gravity", "speed", "useDefaultScene"]);

/** The physics components of an object. */
export function physicsComponents(attributes: JsonObject, base: string): SettingsByComponent {
  const body = bodyOf(attributes, base);
  return {
    ...(body ? { "stoa-body": { body: JSON.stringify(body) } } : {}),
    ...(body?.type === "dynamic" && isGrabbable(attributes["physx-grabbable"]) ? { "stoa-grab": {} } : {}),
    ...pushable(attributes, base),
    ...touch(attributes),
  };
}

/** Reads the scene option `physics`. Physics is on by default, because it costs nothing without bodies. */
export function worldOf(value: unknown, base: string): WorldSettings {
  const group = bag(value) ?? {};
  const { gravity, speed, useDefaultScene } = { ...worldDefaults, ...read(worldReaders, group, base) };
  const pull = xyz(gravity) ?? { x: 0, y: -9.8, z: 0 };
  const held = (axis: number): number => Math.min(GRAVITY_MAX, Math.max(-GRAVITY_MAX, axis));
  return {
    enabled: flag(group.enabled) ?? true,
    gravity: { x: held(pull.x), y: held(pull.y), z: held(pull.z) },
    speed: within(speed, 0, TIME_SPEED_MAX) ?? 1,
    useDefaultScene: useDefaultScene === true,
    groundCollisionLayers: layers(group.groundCollisionLayers, [2]),
    groundCollisionMask: layers(group.groundCollisionMask, [1, 2, 3, 4]),
  };
}

/** Reads `physx-body`, or the legacy `dynamic-body` and `static-body`. */
function bodyOf(attributes: JsonObject, base: string): BodySettings | undefined {
  const own = bag(attributes["physx-body"]);
  const old = bag(attributes["dynamic-body"]) ? "dynamic" : bag(attributes["static-body"]) ? "static" : undefined;
  if (!own && old === undefined) return undefined;
  const body: JsonObject = {
    ...bodyDefaults,
    ...(old === undefined ? {} : { type: old }),
    ...read(bodyReaders, own ?? {}, base),
  };
  const paint = bag(attributes["physx-material"]) ?? {};
  const surface: JsonObject = { ...materialDefaults, ...read(materialReaders, paint, base) };
  return {
    type: body.type === "static" || body.type === "kinematic" ? body.type : "dynamic",
    mass: Number(body.mass),
    density: Number(surface.density ?? 0),
    linearDamping: Number(body.linearDamping),
    angularDamping: Number(body.angularDamping),
    emitCollisionEvents: body.emitCollisionEvents === true,
    highPrecision: body.highPrecision === true,
    shapeOffset: xyz(body.shapeOffset) ?? { x: 0, y: 0, z: 0 },
    dynamicFriction: Number(surface.dynamicFriction),
    restitution: Number(surface.restitution),
    collisionLayers: layers(paint.collisionLayers, [1]),
    collidesWithLayers: layers(paint.collidesWithLayers, [1, 2, 3, 4]),
    joint: jointOf(attributes, base),
  };
}

/** Whether people may grab the body. As in ARENA, every value but false means yes. */
function isGrabbable(value: unknown): boolean {
  return value !== undefined && value !== null && flag(value) !== false;
}

/** Reads `physx-force-pushable`, or the legacy `impulse` with its own direction. */
function pushable(attributes: JsonObject, base: string): SettingsByComponent {
  const own = bag(attributes["physx-force-pushable"]);
  const old = bag(attributes.impulse);
  if (!own && !old) return {};
  const { on, force } = { ...pushDefaults, ...read(pushReaders, own ?? {}, base) };
  const direction = own ? undefined : xyz(old?.force);
  const at = direction ? { direction } : {};
  const event = own ? on : old?.on === "mouseup" ? "mouseup" : "mousedown";
  return { "stoa-pushable": { on: event, force, ...at } };
}

/** Reads `box-collision-listener`, or `collision-listener`, whose value is a name without meaning. */
function touch(attributes: JsonObject): SettingsByComponent {
  const box = attributes["box-collision-listener"];
  const settings = bag(box);
  const isOn = (value: unknown): boolean => value === "" || flag(value) === true;
  if (settings) {
    if (flag(settings.enabled) === false) return {};
    return { "stoa-touch": { dynamic: flag(settings.dynamic) ?? false } };
  }
  const other = attributes["collision-listener"];
  const listens = isOn(box) || (other !== undefined && other !== null && flag(other) !== false);
  return listens ? { "stoa-touch": { dynamic: false } } : {};
}

/** Layer numbers, 1 to 16. */
function layers(value: unknown, fallback: readonly number[]): readonly number[] {
  if (!Array.isArray(value)) return fallback;
  return [
    ...new Set(
      value
        .map(finite)
        .filter((layer) => layer !== undefined && layer >= 1 && layer <= 16)
        .map(Number),
    ),
  ];
}
