// Generated from spec/objects/scene-options.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type ArHitTest, arHitTestAttributes } from "./ar-hit-test.ts";
import { type HeadModel, headModelAttributes } from "./head-model.ts";
import { type OpenVps, openvpsAttributes } from "./openvps.ts";
import { type Physics, physicsAttributes } from "./physics.ts";

/** Settings of a scene for its visitors. */
export interface SceneOptions {
  /** The reticle in AR. */
  readonly "ar-hit-test"?: ArHitTest;
  /** Whether only objects that listen to clicks send events. Default `true`. */
  readonly clickableOnlyEvents?: boolean;
  /** Model of the volume's decay with distance. Default `"inverse"`. */
  readonly distanceModel?: "exponential" | "inverse" | "linear";
  /** Whether visitors may leave the floor and fly. Default `false`. */
  readonly fly?: boolean;
  /** Host and port of the Jitsi server. */
  readonly jitsiHost?: string;
  /** Beyond which distance voice and video are not sent. In metres. Range: at least 0. Default `20`. */
  readonly maxAVDist?: number;
  /** Address of a glTF file with the floor on which people may walk. Default `""`. */
  readonly navMesh?: string;
  /** Whether the network solves where people are. Default `false`. */
  readonly networkedLocationSolver?: boolean;
  /** Localisation by pictures. */
  readonly openvps?: OpenVps;
  /** Whether a marker is shown at the scene's origin. If absent, Stoa's pages show none. Default `true`. */
  readonly originMarker?: boolean;
  /** Settings of the physics engine. */
  readonly physics?: Physics;
  /** Whether visitors are kept from each other's sight. Default `false`. */
  readonly privateScene?: boolean;
  /** Distance up to which loudness does not fall. In metres. Range: at least 0. Default `1`. */
  readonly refDistance?: number;
  /** Decay of the volume with distance. Range: at least 0. Default `1`. */
  readonly rolloffFactor?: number;
  /** Heads that people may choose in this scene; the first is the default. Default `[]`. */
  readonly sceneHeadModels?: readonly (HeadModel)[];
  /** Name of the object that shows shared screens. Default `"screenshare"`. */
  readonly screenshare?: string;
  /** Height of video at the start. In px. Range: at least 0. Default `180`. */
  readonly videoDefaultResolutionConstraint?: number;
  /** Whether video of people far away has a lower resolution. Default `true`. */
  readonly videoDistanceConstraints?: boolean;
  /** Whether video of people out of sight is paused. Default `true`. */
  readonly videoFrustumCulling?: boolean;
  /** Loudness of everybody's voice. Range: at least 0. Default `1`. */
  readonly volume?: number;
}

/** The schema's description of each attribute of {@link SceneOptions}. */
export const sceneOptionsAttributes: Group = {
  attributes: {
    "ar-hit-test": { shape: { kind: "group", group: arHitTestAttributes } },
    clickableOnlyEvents: { shape: { kind: "boolean" }, default: true },
    distanceModel: { shape: { kind: "text", values: ["exponential", "inverse", "linear"] }, default: "inverse" },
    fly: { shape: { kind: "boolean" }, default: false },
    jitsiHost: { shape: { kind: "text" } },
    maxAVDist: { shape: { kind: "number", minimum: 0 }, default: 20, unit: "metres", required: true },
    navMesh: { shape: { kind: "text" }, default: "", format: "uri-reference" },
    networkedLocationSolver: { shape: { kind: "boolean" }, default: false },
    openvps: { shape: { kind: "group", group: openvpsAttributes } },
    originMarker: { shape: { kind: "boolean" }, default: true, required: true },
    physics: { shape: { kind: "group", group: physicsAttributes }, required: true },
    privateScene: { shape: { kind: "boolean" }, default: false, required: true },
    refDistance: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres" },
    rolloffFactor: { shape: { kind: "number", minimum: 0 }, default: 1 },
    sceneHeadModels: { shape: { kind: "array", items: { kind: "group", group: headModelAttributes } }, default: [] },
    screenshare: { shape: { kind: "text" }, default: "screenshare" },
    videoDefaultResolutionConstraint: { shape: { kind: "number", minimum: 0 }, default: 180, unit: "px" },
    videoDistanceConstraints: { shape: { kind: "boolean" }, default: true },
    videoFrustumCulling: { shape: { kind: "boolean" }, default: true },
    volume: { shape: { kind: "number", minimum: 0 }, default: 1 },
  },
  prefixes: {
  },
};
