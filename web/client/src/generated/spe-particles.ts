// Generated from spec/objects/spe-particles.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Vector2, vector2Attributes } from "./vector2.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** A source of particles. */
export interface SpeParticles {
  /** Acceleration of each particle. In m/s². Default `{"x":0,"y":0,"z":0}`. */
  readonly acceleration?: Vector3;
  /** Spread of the accelerations. Default `"none"`. */
  readonly accelerationDistribution?: "none" | "box" | "sphere" | "disc";
  /** By how much accelerations differ. In m/s². Default `{"x":0,"y":0,"z":0}`. */
  readonly accelerationSpread?: Vector3;
  /** Share of particles that is born at once. Range: 0 to 1. Default `1`. */
  readonly activeMultiplier?: number;
  /** Whether fog falls on them. Default `true`. */
  readonly affectedByFog?: boolean;
  /** Pixels that are less opaque than this are not drawn. Range: 0 to 1. Default `0`. */
  readonly alphaTest?: number;
  /** Turn of each particle over its life. In rad. Default `[0]`. */
  readonly angle?: readonly (number)[];
  /** By how much turns differ. In rad. Default `[0]`. */
  readonly angleSpread?: readonly (number)[];
  /** Blending of their colours with the background. Default `"normal"`. */
  readonly blending?: "no" | "normal" | "additive" | "subtractive" | "multiply" | "custom";
  /** Colours over a particle's life. */
  readonly color?: readonly (string)[] | string;
  /** By how much colours differ. Default `[]`. */
  readonly colorSpread?: readonly (Vector3)[];
  /** Whether closer objects hide them. Default `true`. */
  readonly depthTest?: boolean;
  /** Whether they hide objects behind them. Default `false`. */
  readonly depthWrite?: boolean;
  /** Whether their life runs forward or backward. Default `"forward"`. */
  readonly direction?: "forward" | "backward";
  /** From which form they start. Default `"box"`. */
  readonly distribution?: "box" | "sphere" | "disc";
  /** Drag on the motion. Default `0`. */
  readonly drag?: number;
  /** By how much braking differs. Default `0`. */
  readonly dragSpread?: number;
  /** Duration of the emission; -1 is endless. In seconds. Range: at least -1. Default `-1`. */
  readonly duration?: number;
  /** Size of particles in all. Default `100`. */
  readonly emitterScale?: number;
  /** Whether they move while a scene is edited. Default `false`. */
  readonly enableInEditor?: boolean;
  /** Whether particles are made. Default `true`. */
  readonly enabled?: boolean;
  /** Whether nothing is drawn when the object is out of sight. Default `false`. */
  readonly frustumCulled?: boolean;
  /** Whether particles look smaller from further away. Default `true`. */
  readonly hasPerspective?: boolean;
  /** Lifetime of a particle. In seconds. Range: at least 0. Default `1`. */
  readonly maxAge?: number;
  /** By how much lives differ. In seconds. Range: at least 0. Default `0`. */
  readonly maxAgeSpread?: number;
  /** Opacity of a particle over its life. Default `[1]`. */
  readonly opacity?: readonly (number)[];
  /** By how much that differs. Default `[0]`. */
  readonly opacitySpread?: readonly (number)[];
  /** Number of particles. Range: at least 0. Default `100`. */
  readonly particleCount?: number;
  /** From which form they start, in place of `distribution`. Default `"none"`. */
  readonly positionDistribution?: "none" | "box" | "sphere" | "disc";
  /** Start position, relative to the object. In metres. Default `{"x":0,"y":0,"z":0}`. */
  readonly positionOffset?: Vector3;
  /** By how much starts differ. In metres. Default `{"x":0,"y":0,"z":0}`. */
  readonly positionSpread?: Vector3;
  /** Radius of a sphere or disc they start from. In metres. Range: at least 0. Default `1`. */
  readonly radius?: number;
  /** Scale of that sphere or disc. Default `{"x":1,"y":1,"z":1}`. */
  readonly radiusScale?: Vector3;
  /** Whether each life has a new acceleration. Default `false`. */
  readonly randomizeAcceleration?: boolean;
  /** Whether each life has a new turn. Default `false`. */
  readonly randomizeAngle?: boolean;
  /** Whether each life has a new colour. Default `false`. */
  readonly randomizeColor?: boolean;
  /** Whether each life has a new braking. Default `false`. */
  readonly randomizeDrag?: boolean;
  /** Whether each life has a new opacity. Default `false`. */
  readonly randomizeOpacity?: boolean;
  /** Whether each life has a new start. Default `false`. */
  readonly randomizePosition?: boolean;
  /** Whether each life has a new rotation. Default `false`. */
  readonly randomizeRotation?: boolean;
  /** Whether each life has a new size. Default `false`. */
  readonly randomizeSize?: boolean;
  /** Whether each life has a new velocity. Default `false`. */
  readonly randomizeVelocity?: boolean;
  /** Whether particles go with the object or stay in the world. Default `"local"`. */
  readonly relative?: "local" | "world";
  /** Axis around which all turn. Default `{"x":0,"y":0,"z":0}`. */
  readonly rotationAxis?: Vector3;
  /** By how much axes differ. Default `{"x":0,"y":0,"z":0}`. */
  readonly rotationAxisSpread?: Vector3;
  /** By how much that differs. In rad. Default `0`. */
  readonly rotationSpread?: number;
  /** Whether they are turned once and stay so. Default `false`. */
  readonly rotationStatic?: boolean;
  /** Size of a particle over its life. Default `[1]`. */
  readonly size?: readonly (number)[];
  /** By how much sizes differ. Default `[0]`. */
  readonly sizeSpread?: readonly (number)[];
  /** Address of the picture of a particle. Default `""`. */
  readonly texture?: string;
  /** Number of frames in the picture; -1 is all. Default `-1`. */
  readonly textureFrameCount?: number;
  /** Repetitions of the frames in a life. Default `1`. */
  readonly textureFrameLoop?: number;
  /** Frames of the picture each way. Default `{"x":1,"y":1}`. */
  readonly textureFrames?: Vector2;
  /** Whether they are transparent. Default `true`. */
  readonly useTransparency?: boolean;
  /** Velocity at the start. In m/s. Default `{"x":0,"y":0,"z":0}`. */
  readonly velocity?: Vector3;
  /** Spread of the velocities. Default `"none"`. */
  readonly velocityDistribution?: "none" | "box" | "sphere" | "disc";
  /** By how much velocities differ. In m/s. Default `{"x":0,"y":0,"z":0}`. */
  readonly velocitySpread?: Vector3;
  /** Wiggle of the particles. Default `0`. */
  readonly wiggle?: number;
  /** By how much that differs. Default `0`. */
  readonly wiggleSpread?: number;
}

/** The schema's description of each attribute of {@link SpeParticles}. */
export const speParticlesAttributes: Group = {
  attributes: {
    acceleration: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0, z: 0 }, unit: "m/s²" },
    accelerationDistribution: { shape: { kind: "text", values: ["none", "box", "sphere", "disc"] }, default: "none" },
    accelerationSpread: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0, z: 0 }, unit: "m/s²" },
    activeMultiplier: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 1 },
    affectedByFog: { shape: { kind: "boolean" }, default: true },
    alphaTest: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0 },
    angle: { shape: { kind: "array", items: { kind: "number" } }, default: [0], unit: "rad" },
    angleSpread: { shape: { kind: "array", items: { kind: "number" } }, default: [0], unit: "rad" },
    blending: { shape: { kind: "text", values: ["no", "normal", "additive", "subtractive", "multiply", "custom"] }, default: "normal" },
    color: { shape: { kind: "choice", shapes: [{ kind: "array", items: { kind: "text" } }, { kind: "text" }] } },
    colorSpread: { shape: { kind: "array", items: { kind: "group", group: vector3Attributes } }, default: [] },
    depthTest: { shape: { kind: "boolean" }, default: true },
    depthWrite: { shape: { kind: "boolean" }, default: false },
    direction: { shape: { kind: "text", values: ["forward", "backward"] }, default: "forward" },
    distribution: { shape: { kind: "text", values: ["box", "sphere", "disc"] }, default: "box" },
    drag: { shape: { kind: "number" }, default: 0 },
    dragSpread: { shape: { kind: "number" }, default: 0 },
    duration: { shape: { kind: "number", minimum: -1 }, default: -1, unit: "seconds" },
    emitterScale: { shape: { kind: "number" }, default: 100 },
    enableInEditor: { shape: { kind: "boolean" }, default: false },
    enabled: { shape: { kind: "boolean" }, default: true },
    frustumCulled: { shape: { kind: "boolean" }, default: false },
    hasPerspective: { shape: { kind: "boolean" }, default: true },
    maxAge: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "seconds" },
    maxAgeSpread: { shape: { kind: "number", minimum: 0 }, default: 0, unit: "seconds" },
    opacity: { shape: { kind: "array", items: { kind: "number" } }, default: [1] },
    opacitySpread: { shape: { kind: "array", items: { kind: "number" } }, default: [0] },
    particleCount: { shape: { kind: "integer", minimum: 0 }, default: 100, cap: 5000 },
    positionDistribution: { shape: { kind: "text", values: ["none", "box", "sphere", "disc"] }, default: "none" },
    positionOffset: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0, z: 0 }, unit: "metres" },
    positionSpread: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0, z: 0 }, unit: "metres" },
    radius: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres" },
    radiusScale: { shape: { kind: "group", group: vector3Attributes }, default: { x: 1, y: 1, z: 1 } },
    randomizeAcceleration: { shape: { kind: "boolean" }, default: false },
    randomizeAngle: { shape: { kind: "boolean" }, default: false },
    randomizeColor: { shape: { kind: "boolean" }, default: false },
    randomizeDrag: { shape: { kind: "boolean" }, default: false },
    randomizeOpacity: { shape: { kind: "boolean" }, default: false },
    randomizePosition: { shape: { kind: "boolean" }, default: false },
    randomizeRotation: { shape: { kind: "boolean" }, default: false },
    randomizeSize: { shape: { kind: "boolean" }, default: false },
    randomizeVelocity: { shape: { kind: "boolean" }, default: false },
    relative: { shape: { kind: "text", values: ["local", "world"] }, default: "local" },
    rotationAxis: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0, z: 0 } },
    rotationAxisSpread: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0, z: 0 } },
    rotationSpread: { shape: { kind: "number" }, default: 0, unit: "rad" },
    rotationStatic: { shape: { kind: "boolean" }, default: false },
    size: { shape: { kind: "array", items: { kind: "number" } }, default: [1] },
    sizeSpread: { shape: { kind: "array", items: { kind: "number" } }, default: [0] },
    texture: { shape: { kind: "text" }, default: "", format: "uri-reference" },
    textureFrameCount: { shape: { kind: "integer" }, default: -1 },
    textureFrameLoop: { shape: { kind: "integer" }, default: 1 },
    textureFrames: { shape: { kind: "group", group: vector2Attributes }, default: { x: 1, y: 1 } },
    useTransparency: { shape: { kind: "boolean" }, default: true },
    velocity: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0, z: 0 }, unit: "m/s" },
    velocityDistribution: { shape: { kind: "text", values: ["none", "box", "sphere", "disc"] }, default: "none" },
    velocitySpread: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0, z: 0 }, unit: "m/s" },
    wiggle: { shape: { kind: "number" }, default: 0 },
    wiggleSpread: { shape: { kind: "number" }, default: 0 },
  },
  prefixes: {
  },
};
