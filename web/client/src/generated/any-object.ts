// Generated from spec/objects/any-object.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Animation, animationAttributes } from "./animation.ts";
import { type AnimationMixer, animationMixerAttributes } from "./animation-mixer.ts";
import { type ArMarker, armarkerAttributes } from "./armarker.ts";
import { type Attribution, attributionAttributes } from "./attribution.ts";
import { type Blip, blipAttributes } from "./blip.ts";
import { type BoxCollisionListener, boxCollisionListenerAttributes } from "./box-collision-listener.ts";
import { type ClickListener, clickListenerAttributes } from "./click-listener.ts";
import { type DynamicBody, dynamicBodyAttributes } from "./dynamic-body.ts";
import { type Geometry, geometryAttributes } from "./geometry.ts";
import { type GltfModelLod, gltfModelLodAttributes } from "./gltf-model-lod.ts";
import { type GltfMorph, gltfMorphAttributes } from "./gltf-morph.ts";
import { type GotoLandmark, gotoLandmarkAttributes } from "./goto-landmark.ts";
import { type GotoUrl, gotoUrlAttributes } from "./goto-url.ts";
import { type Impulse, impulseAttributes } from "./impulse.ts";
import { type JitsiVideo, jitsiVideoAttributes } from "./jitsi-video.ts";
import { type Landmark, landmarkAttributes } from "./landmark.ts";
import { type Material, materialAttributes } from "./material.ts";
import { type MaterialExtras, materialExtrasAttributes } from "./material-extras.ts";
import { type ModelContainer, modelContainerAttributes } from "./model-container.ts";
import { type ModelUpdate, modelUpdateAttributes } from "./modelUpdate.ts";
import { type MultiSrc, multisrcAttributes } from "./multisrc.ts";
import { type PhysxBody, physxBodyAttributes } from "./physx-body.ts";
import { type PhysxForcePushable, physxForcePushableAttributes } from "./physx-force-pushable.ts";
import { type PhysxJoint, physxJointAttributes } from "./physx-joint.ts";
import { type PhysxJointConstraint, physxJointConstraintAttributes } from "./physx-joint-constraint.ts";
import { type PhysxJointDriver, physxJointDriverAttributes } from "./physx-joint-driver.ts";
import { type PhysxMaterial, physxMaterialAttributes } from "./physx-material.ts";
import { type Portal, portalAttributes } from "./portal.ts";
import { type Position, positionAttributes } from "./position.ts";
import { type RemoteRender, remoteRenderAttributes } from "./remote-render.ts";
import { type Rotation, rotationAttributes } from "./rotation.ts";
import { type Scale, scaleAttributes } from "./scale.ts";
import { type Seat, seatAttributes } from "./seat.ts";
import { type Shadow, shadowAttributes } from "./shadow.ts";
import { type Sound, soundAttributes } from "./sound.ts";
import { type SpeParticles, speParticlesAttributes } from "./spe-particles.ts";
import { type StaticBody, staticBodyAttributes } from "./static-body.ts";
import { type TextInput, textinputAttributes } from "./textinput.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";
import { type VideoControl, videoControlAttributes } from "./video-control.ts";

/** Attributes of any object type: its pose, its parent, and components. */
export interface AnyObject {
  /** A change of one property over time. */
  readonly animation?: Animation;
  /** The playing clips of a glTF model. */
  readonly "animation-mixer"?: AnimationMixer;
  /** Ties the scene to a marker in the real world. */
  readonly armarker?: ArMarker;
  /** Author and licence of its model. */
  readonly attribution?: Attribution;
  /** Lets it appear and disappear with an effect. */
  readonly blip?: Blip;
  /** Reports heads and hands in its box. */
  readonly "box-collision-listener"?: BoxCollisionListener | boolean | string;
  /** Raw geometry, carried unchanged. */
  readonly buffer?: unknown;
  /** Reports clicks: `true`, an empty text, or an object. */
  readonly "click-listener"?: boolean | string | ClickListener;
  /** Reports collisions. */
  readonly "collision-listener"?: string | boolean | Readonly<Record<string, unknown>>;
  /** A moving body, by the former physics engine. @deprecated */
  readonly "dynamic-body"?: DynamicBody;
  /** Its form. */
  readonly geometry?: Geometry;
  /** A more detailed model for near by. */
  readonly "gltf-model-lod"?: GltfModelLod;
  /** Weight of a morph target. */
  readonly "gltf-morph"?: GltfMorph;
  /** Takes people to a landmark at a click. */
  readonly "goto-landmark"?: GotoLandmark;
  /** Opens an address at a click. */
  readonly "goto-url"?: GotoUrl;
  /** Whether it is hidden in AR. */
  readonly "hide-on-enter-ar"?: boolean | string;
  /** Whether it is hidden in VR. */
  readonly "hide-on-enter-vr"?: boolean | string;
  /** A push, by the former physics engine. @deprecated */
  readonly impulse?: Impulse;
  /** Shows a person's video on it. */
  readonly "jitsi-video"?: JitsiVideo;
  /** Makes it a place that people can go to. */
  readonly landmark?: Landmark;
  /** Locks it: editors neither move nor delete it until it is unlocked. Default `false`. */
  readonly locked?: boolean;
  /** Id of an object, or a place, to which it is always turned. */
  readonly "look-at"?: string | Vector3;
  /** Look of its surface. */
  readonly material?: Material;
  /** Further properties of its material. */
  readonly "material-extras"?: MaterialExtras;
  /** A box that its model is scaled to fit. */
  readonly "model-container"?: ModelContainer;
  /** Poses of parts of its glTF model. */
  readonly modelUpdate?: ModelUpdate;
  /** Several pictures, one for each face. */
  readonly multisrc?: MultiSrc;
  /** Id of the object, or of the person, that it belongs to and moves with. */
  readonly parent?: string;
  /** Makes it a body of the physics engine. */
  readonly "physx-body"?: PhysxBody;
  /** Lets people push it. */
  readonly "physx-force-pushable"?: PhysxForcePushable;
  /** Whether people may grab it. */
  readonly "physx-grabbable"?: boolean | string | Readonly<Record<string, unknown>>;
  /** A joint between it and another body. */
  readonly "physx-joint"?: PhysxJoint;
  /** Limits of its joint. */
  readonly "physx-joint-constraint"?: PhysxJointConstraint;
  /** Motors of its joint. */
  readonly "physx-joint-driver"?: PhysxJointDriver;
  /** Friction and bounce of its surface. */
  readonly "physx-material"?: PhysxMaterial;
  /** Takes people to another scene. */
  readonly portal?: Portal;
  /** Position, relative to its parent. In metres. */
  readonly position?: Position;
  /** Whether a render server draws it. */
  readonly "remote-render"?: RemoteRender;
  /** Rotation, relative to its parent. */
  readonly rotation?: Rotation;
  /** Scale along its axes. */
  readonly scale?: Scale;
  /** Whether shared screens may be shown on it. */
  readonly screenshareable?: boolean;
  /** Lets people sit down. */
  readonly seat?: Seat;
  /** Shadows of it and on it. */
  readonly shadow?: Shadow;
  /** Whether it is shown in AR only. */
  readonly "show-on-enter-ar"?: boolean | string;
  /** Whether it is shown in VR only. */
  readonly "show-on-enter-vr"?: boolean | string;
  /** Whether its file is fetched anew each time. */
  readonly skipCache?: boolean;
  /** A sound at its place. */
  readonly sound?: Sound;
  /** A source of particles. */
  readonly "spe-particles"?: SpeParticles;
  /** A body at rest, by the former physics engine. @deprecated */
  readonly "static-body"?: StaticBody;
  /** Name of the part of the parent's model that it belongs to. */
  readonly "submodel-parent"?: string;
  /** A form that opens at an event. */
  readonly textinput?: TextInput;
  /** Lifetime; -1 is for ever. In seconds. Range: at least -1. */
  readonly ttl?: number;
  /** Address of the file that is shown. */
  readonly url?: string;
  /** A video that starts and stops by clicks. */
  readonly "video-control"?: VideoControl;
  /** Whether it is drawn. Default `true`. */
  readonly visible?: boolean;
  /** Further animations, distinguished by the suffix. */
  readonly [key: `animation__${string}`]: Animation | undefined;
  /** Further morph targets, distinguished by the suffix. */
  readonly [key: `gltf-morph__${string}`]: GltfMorph | undefined;
}

/** The schema's description of each attribute of {@link AnyObject}. */
export const anyObjectAttributes: Group = {
  attributes: {
    animation: { shape: { kind: "group", group: animationAttributes }, initial: { dur: 4000, easing: "linear", loop: true, property: "rotation", to: "0 360 0" } },
    "animation-mixer": { shape: { kind: "group", group: animationMixerAttributes }, initial: { clip: "*" }, carrier: "model" },
    armarker: { shape: { kind: "group", group: armarkerAttributes } },
    attribution: { shape: { kind: "group", group: attributionAttributes } },
    blip: { shape: { kind: "group", group: blipAttributes }, component: "stoa-blip" },
    "box-collision-listener": { shape: { kind: "choice", shapes: [{ kind: "group", group: boxCollisionListenerAttributes }, { kind: "boolean" }, { kind: "text" }] } },
    buffer: { shape: { kind: "any" } },
    "click-listener": { shape: { kind: "choice", shapes: [{ kind: "boolean" }, { kind: "text" }, { kind: "group", group: clickListenerAttributes }] }, initial: true, component: "stoa-clickable" },
    "collision-listener": { shape: { kind: "choice", shapes: [{ kind: "text" }, { kind: "boolean" }, { kind: "object" }] } },
    "dynamic-body": { shape: { kind: "group", group: dynamicBodyAttributes }, deprecated: true },
    geometry: { shape: { kind: "group", group: geometryAttributes }, carrier: "entity" },
    "gltf-model-lod": { shape: { kind: "group", group: gltfModelLodAttributes }, carrier: "model" },
    "gltf-morph": { shape: { kind: "group", group: gltfMorphAttributes }, carrier: "model" },
    "goto-landmark": { shape: { kind: "group", group: gotoLandmarkAttributes }, initial: { landmark: "", on: "mousedown" }, component: "stoa-landmark" },
    "goto-url": { shape: { kind: "group", group: gotoUrlAttributes }, initial: { dest: "sametab", on: "mousedown", url: "" }, component: "stoa-link" },
    "hide-on-enter-ar": { shape: { kind: "choice", shapes: [{ kind: "boolean" }, { kind: "text" }] }, component: "hide-on-enter-ar" },
    "hide-on-enter-vr": { shape: { kind: "choice", shapes: [{ kind: "boolean" }, { kind: "text" }] }, component: "hide-on-enter-vr" },
    impulse: { shape: { kind: "group", group: impulseAttributes }, deprecated: true },
    "jitsi-video": { shape: { kind: "group", group: jitsiVideoAttributes } },
    landmark: { shape: { kind: "group", group: landmarkAttributes }, initial: { label: "", lookAtLandmark: true, randomRadiusMax: 0, randomRadiusMin: 0 } },
    locked: { shape: { kind: "boolean" }, default: false },
    "look-at": { shape: { kind: "choice", shapes: [{ kind: "text" }, { kind: "group", group: vector3Attributes }] }, initial: "#my-camera", component: "stoa-look-at", reference: true },
    material: { shape: { kind: "group", group: materialAttributes }, carrier: "surface" },
    "material-extras": { shape: { kind: "group", group: materialExtrasAttributes } },
    "model-container": { shape: { kind: "group", group: modelContainerAttributes }, carrier: "model" },
    modelUpdate: { shape: { kind: "group", group: modelUpdateAttributes } },
    multisrc: { shape: { kind: "group", group: multisrcAttributes }, carrier: "surface" },
    parent: { shape: { kind: "text" }, reference: true },
    "physx-body": { shape: { kind: "group", group: physxBodyAttributes } },
    "physx-force-pushable": { shape: { kind: "group", group: physxForcePushableAttributes } },
    "physx-grabbable": { shape: { kind: "choice", shapes: [{ kind: "boolean" }, { kind: "text" }, { kind: "object" }] } },
    "physx-joint": { shape: { kind: "group", group: physxJointAttributes } },
    "physx-joint-constraint": { shape: { kind: "group", group: physxJointConstraintAttributes } },
    "physx-joint-driver": { shape: { kind: "group", group: physxJointDriverAttributes } },
    "physx-material": { shape: { kind: "group", group: physxMaterialAttributes } },
    portal: { shape: { kind: "group", group: portalAttributes }, initial: { landmark: "", radius: 1, scene: "" }, component: "stoa-portal" },
    position: { shape: { kind: "group", group: positionAttributes }, unit: "metres" },
    "remote-render": { shape: { kind: "group", group: remoteRenderAttributes } },
    rotation: { shape: { kind: "group", group: rotationAttributes } },
    scale: { shape: { kind: "group", group: scaleAttributes } },
    screenshareable: { shape: { kind: "boolean" } },
    seat: { shape: { kind: "group", group: seatAttributes }, component: "stoa-seat" },
    shadow: { shape: { kind: "group", group: shadowAttributes }, initial: { cast: true, receive: true }, component: "shadow" },
    "show-on-enter-ar": { shape: { kind: "choice", shapes: [{ kind: "boolean" }, { kind: "text" }] } },
    "show-on-enter-vr": { shape: { kind: "choice", shapes: [{ kind: "boolean" }, { kind: "text" }] } },
    skipCache: { shape: { kind: "boolean" } },
    sound: { shape: { kind: "group", group: soundAttributes }, initial: { on: "mousedown", positional: true, src: "" }, component: "stoa-sound" },
    "spe-particles": { shape: { kind: "group", group: speParticlesAttributes }, component: "stoa-particles" },
    "static-body": { shape: { kind: "group", group: staticBodyAttributes }, deprecated: true },
    "submodel-parent": { shape: { kind: "text" } },
    textinput: { shape: { kind: "group", group: textinputAttributes }, component: "stoa-text-input" },
    ttl: { shape: { kind: "number", minimum: -1 }, unit: "seconds" },
    url: { shape: { kind: "text" }, format: "uri-reference" },
    "video-control": { shape: { kind: "group", group: videoControlAttributes }, component: "stoa-video" },
    visible: { shape: { kind: "boolean" }, default: true, initial: true },
  },
  prefixes: {
    animation__: { shape: { kind: "group", group: animationAttributes } },
    "gltf-morph__": { shape: { kind: "group", group: gltfMorphAttributes } },
  },
};
