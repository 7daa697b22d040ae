/**
 * Lists the parts of `spec/objects/` that the mapping of objects ignores, with reasons: whole schemas or single
 * attributes. Most are unsupported, and other code reads some. `test/mapping/one-table.test.ts` checks that all others
 * are supported.
 */

type UnsupportedReason = string;

const HARD = "limits are hard";
const MOTOR = "a motor turns and slides each axis by itself, as strongly as it needs";
const AS_FINE = "as fine as the picture";
const ITS_OWN = "the effect takes what it needs";
const NO_OPTIONS = "the effect has none";
const MESSAGE = "of a message or an event, not of an object";
const PERSON = "of a person: people-view.ts shows what the client reads of it";
const PROGRAM = "a program: nothing runs programs yet";
const VIDEO = "video: there is no media plane for it yet";
const MARKER = "markers and anchors: the page has no camera of the room";
const NESTED = "a value within other attributes, which are tried themselves";
const GEAR = "ARENA's render services: there are none here";
const SPLAT_PIXELS = "the picture has one resolution for all that is in it";
const TURNED = "a cloud of particles turns with its object alone";

/** Schema → the reason why the mapping ignores it, or its ignored attributes with reasons. */
export const UNSHOWN: Readonly<Record<string, UnsupportedReason | Readonly<Record<string, UnsupportedReason>>>> = {
  animation: { isRawProperty: "would reach any property of the page's objects" },
  "any-object": {
    buffer: GEAR,
    locked: "keeps hands off while editing; it looks like any other",
    screenshareable: VIDEO,
    skipCache: "the browser's own cache decides",
    ttl: "the realm keeps it, and says when the object goes",
  },
  "ar-hit-test": "of the scene as a whole, not of an object: `ar-hit-test.ts` reads it",
  "arena-message": MESSAGE,
  "arena-user": PERSON,
  armarker: MARKER,
  blip: { applyDescendants: "what hangs on an object goes with it, at once" },
  camera: PERSON,
  "camera-override": MESSAGE,
  channel: PROGRAM,
  clickPos: MESSAGE,
  "env-presets": { shadowSize: "the presets' sun casts no shadows" },
  event: MESSAGE,
  fxaa: { options: NO_OPTIONS },
  gaussian_splatting: {
    cutoutEntity: "splats are drawn whole",
    pixelRatio: SPLAT_PIXELS,
    xrPixelRatio: SPLAT_PIXELS,
  },
  "gltf-model": { color: "a model has its own colours, in ARENA's page too" },
  handLeft: PERSON,
  handRight: PERSON,
  "head-model": PERSON,
  "jitsi-video": VIDEO,
  "look-at": "a component under an object type's name; as a component it is shown",
  openvps: MARKER,
  physics: {
    delay: "it begins as soon as the scene is there",
    stats: "there is no panel of figures",
    throttle: "steps are as long as bodies need them",
  },
  "physx-joint": {
    breakForce: "joints hold",
    projectionTolerance: "joints hold",
    removeElOnBreak: "joints hold",
    softFixed: "joints hold",
  },
  "physx-joint-constraint": { damping: HARD, restitution: HARD, stiffness: HARD },
  "physx-joint-driver": { forceLimit: MOTOR, slerpRotation: MOTOR },
  "physx-material": {
    collisionGroup: "layers alone say what meets",
    contactOffset: "the physics engine foresees contacts by itself",
    restOffset: "things rest where they touch",
    staticFriction: "one friction, at rest and in motion",
  },
  program: PROGRAM,
  "program-run": PROGRAM,
  "remote-render": GEAR,
  "renderer-settings": {
    outputColorSpace: "the screen's own",
    physicallyCorrectLights: "they always are",
  },
  sao: { resolution: AS_FINE, useDepthTexture: ITS_OWN, useNormals: ITS_OWN },
  "scene-options": {
    jitsiHost: VIDEO,
    maxAVDist: "the realm sends voices up to a distance of its own",
    networkedLocationSolver: MARKER,
    privateScene: "who is in a scene is seen there: its rights say who comes in",
    sceneHeadModels: "people choose what they wear themselves",
    screenshare: VIDEO,
    videoDefaultResolutionConstraint: VIDEO,
    videoDistanceConstraints: VIDEO,
    videoFrustumCulling: VIDEO,
  },
  smaa: { options: NO_OPTIONS },
  "spe-particles": {
    enableInEditor: "there is no such editor here",
    randomizeRotation: TURNED,
    relative: "particles stay with their object",
    rotationAxis: TURNED,
    rotationAxisSpread: TURNED,
    rotationSpread: TURNED,
    rotationStatic: TURNED,
  },
  ssao: { resolution: AS_FINE },
  "stoa-user": PERSON,
  "teleport-to-landmark": "a component under an object type's name; `goto-landmark` is shown",
  templateContainer: "holds other objects; itself there is nothing to see",
  text: {
    shader: "the realm's own fonts have one",
    transparent: "the fonts' shader always is",
  },
  vector2: NESTED,
  vector3: NESTED,
  "video-control": { cleanup: "what a component adds goes with it" },
  videosphere: { crossOrigin: "films of other hosts are always asked for without credentials" },
};

/** Whether the mapping of objects supports an attribute of a schema. */
export function isShown(schema: string, attribute: string): boolean {
  const unshown = Object.hasOwn(UNSHOWN, schema) ? UNSHOWN[schema] : undefined;
  return unshown === undefined || (typeof unshown !== "string" && !Object.hasOwn(unshown, attribute));
}
