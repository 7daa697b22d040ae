/**
 * What of `spec/objects/` isn't shown, each with its reason: a whole schema, or attributes of one. Everything else is, and
 * `test/one-table.test.ts` tries both.
 */

type Reason = string;

const ARENA_PAGE = "a form or panel of ARENA's page; scripts here show text and clickable things";
const PHYSICS = "physics: nothing here computes it";
const PICTURE = "effects over the whole picture: too dear for phones and headsets";
const MESSAGE = "of a message or an event, not of an object";
const PERSON = "of a person: people-view.ts shows what the client reads of it";
const PROGRAM = "a program: the realm runs it";
const VIDEO = "voice and video: there is no media plane yet";
const MARKER = "markers and anchors: the page has no camera of the room";
const NESTED = "a value within other attributes, which are tried themselves";
const GEAR = "ARENA's render services: there are none here";
const LOADER = "needs a loader that the page doesn't carry";
const EDIT_ONLY = "says something about an object to other programs; there is nothing to see";
const TERRAIN = "the ground is flat, and nothing stands on it";

/** Schema → why none of it is shown, or attribute → why it isn't. */
export const UNSHOWN: Readonly<Record<string, Reason | Readonly<Record<string, Reason>>>> = {
  animation: { isRawProperty: "would reach any property of the page's objects" },
  "animation-mixer": "clips of models don't play yet",
  "any-object": {
    buffer: GEAR,
    "collision-listener": PHYSICS,
    "physx-grabbable": PHYSICS,
    screenshareable: VIDEO,
    "show-on-enter-ar": "A-Frame knows only the hiding",
    "show-on-enter-vr": "A-Frame knows only the hiding",
    skipCache: "the browser's own cache decides",
    "submodel-parent": "parts of a model can't be parents yet",
    ttl: "the realm keeps it, and says when the object goes",
  },
  "ar-hit-test": MARKER,
  "arena-message": MESSAGE,
  "arena-user": PERSON,
  "arenaui-button-panel": ARENA_PAGE,
  "arenaui-card": ARENA_PAGE,
  "arenaui-prompt": ARENA_PAGE,
  armarker: MARKER,
  attribution: EDIT_ONLY,
  blip: "objects come and go at once",
  bloom: PICTURE,
  "box-collision-listener": PHYSICS,
  button: ARENA_PAGE,
  camera: PERSON,
  "camera-override": MESSAGE,
  channel: PROGRAM,
  "click-listener": { bubble: "clicks don't go on to parents" },
  clickPos: MESSAGE,
  "dynamic-body": PHYSICS,
  entity: { panel: ARENA_PAGE },
  "env-presets": {
    dressing: TERRAIN,
    dressingAmount: TERRAIN,
    dressingColor: TERRAIN,
    dressingOnPlayArea: TERRAIN,
    dressingScale: TERRAIN,
    dressingUniformScale: TERRAIN,
    dressingVariance: TERRAIN,
    flatShading: TERRAIN,
    grid: TERRAIN,
    gridColor: TERRAIN,
    groundColor2: TERRAIN,
    groundDensity: TERRAIN,
    groundFrequency: TERRAIN,
    groundScale: TERRAIN,
    groundTexture: TERRAIN,
    groundYScale: TERRAIN,
    hideInAR: "there is no AR mode",
    lightPosition: "the scene's own lights light it",
    lighting: "the scene's own lights light it",
    playArea: TERRAIN,
    seed: TERRAIN,
    shadowSize: "the scene's own lights light it",
    stageSize: "sky and ground have one size",
  },
  event: MESSAGE,
  fxaa: PICTURE,
  gaussian_splatting: LOADER,
  glitch: PICTURE,
  "gltf-model": { color: "a model has its own colours" },
  "gltf-model-lod": "one detail for every distance",
  "gltf-morph": "morph targets of models don't move yet",
  handLeft: PERSON,
  handRight: PERSON,
  "head-model": PERSON,
  impulse: PHYSICS,
  "jitsi-video": VIDEO,
  landmark: {
    constrainToNavMesh: "there are no navigation meshes",
    label: "there is no list of landmarks",
  },
  light: { target: "A-Frame finds targets by their ids in the page, and objects have none there" },
  "look-at": "a component under an object type's name; as a component it is shown",
  material: { npot: "A-Frame takes pictures of any size" },
  "material-extras": "A-Frame has no such settings",
  "model-container": "models keep their size",
  modelUpdate: "parts of models don't move by themselves",
  multisrc: "one texture for all sides",
  ocean: "nothing here makes waves",
  openvps: MARKER,
  panel: ARENA_PAGE,
  "pcd-model": LOADER,
  physics: PHYSICS,
  "physx-body": PHYSICS,
  "physx-force-pushable": PHYSICS,
  "physx-joint": PHYSICS,
  "physx-joint-constraint": PHYSICS,
  "physx-joint-driver": PHYSICS,
  "physx-material": PHYSICS,
  pixel: PICTURE,
  "post-processing": PICTURE,
  program: PROGRAM,
  "program-run": PROGRAM,
  "remote-render": GEAR,
  "renderer-settings": "the page decides what its graphics card bears",
  sao: PICTURE,
  "scene-options": "of the scene as a whole; what is kept of it is shown by nothing yet",
  smaa: PICTURE,
  "spe-particles": "there are no particles",
  ssao: PICTURE,
  "static-body": PHYSICS,
  "teleport-to-landmark": "a component under an object type's name; `goto-landmark` is shown",
  templateContainer: "holds other objects; itself there is nothing to see",
  text: {
    shader: "the realm's own fonts have one",
    transparent: "the fonts' shader always is",
  },
  textinput: ARENA_PAGE,
  thickline: {
    lineWidth: "drawn as thin lines",
    lineWidthStyler: "drawn as thin lines",
    sizeAttenuation: "drawn as thin lines",
  },
  "threejs-scene": LOADER,
  "urdf-model": LOADER,
  vector2: NESTED,
  vector3: NESTED,
  "video-control": VIDEO,
  videosphere: VIDEO,
};

/** Whether an attribute of a schema is shown. */
export function isShown(schema: string, attribute: string): boolean {
  const unshown = Object.hasOwn(UNSHOWN, schema) ? UNSHOWN[schema] : undefined;
  return unshown === undefined || (typeof unshown !== "string" && !Object.hasOwn(unshown, attribute));
}
