/**
 * Names and effects of the behaviours of objects. Part of `texts-edit.ts`, split for its length. The keys are the
 * schemas' names.
 */

/** Groups of behaviours, in the order of the list. */
const groups = {
  press: "When clicked",
  people: "For people",
  motion: "Animation",
  bodies: "Physics",
  looks: "Appearance",
  sight: "Visibility",
  others: "For programs and other apps",
};

export type AbilityGroup = keyof typeof groups;

/** A behaviour's name and its effect in one line. */
export interface AbilityWords {
  readonly name: string;
  readonly does: string;
  readonly group: AbilityGroup;
}

const kinds: Readonly<Record<string, AbilityWords>> = {
  portal: {
    name: "Doorway to a scene",
    does: "Takes people to another scene when they walk into it or click it.",
    group: "press",
  },
  "goto-landmark": {
    name: "Takes people to a spot",
    does: "A click takes you to a spot in this scene.",
    group: "press",
  },
  "goto-url": { name: "Opens a link", does: "A click opens a web page or another scene.", group: "press" },
  sound: { name: "Makes a sound", does: "Plays a sound when clicked, or all the time.", group: "press" },
  "video-control": {
    name: "Plays a video elsewhere",
    does: "A click starts and stops a video on another object.",
    group: "press",
  },
  textinput: {
    name: "Asks for text",
    does: "A click opens a form. Programs receive the text.",
    group: "press",
  },
  "click-listener": { name: "Can be clicked", does: "Programs are notified of clicks.", group: "press" },

  seat: { name: "Seat", does: "A click seats you on it.", group: "people" },
  landmark: { name: "Spot to go to", does: "Is listed under Spots. People can start here.", group: "people" },

  animation: {
    name: "Moves or turns",
    does: "Moves, turns or changes colour, once or in a loop.",
    group: "motion",
  },
  "look-at": {
    name: "Turns to look at people",
    does: "Faces each viewer, or another object.",
    group: "motion",
  },
  "animation-mixer": {
    name: "Plays its animations",
    does: "Plays the animations that the model contains.",
    group: "motion",
  },
  "gltf-morph": {
    name: "Changes its shape",
    does: "Bends the model to one of the shapes it contains, such as a smile.",
    group: "motion",
  },

  "physx-body": {
    name: "Falls and bounces",
    does: "Has mass: it falls, rolls and collides with other objects.",
    group: "bodies",
  },
  "physx-grabbable": {
    name: "Can be picked up",
    does: "People can pick it up and throw it. Needs “Falls and bounces”.",
    group: "bodies",
  },
  "physx-force-pushable": {
    name: "Can be pushed",
    does: "A click pushes it away. Needs “Falls and bounces”.",
    group: "bodies",
  },
  "physx-material": {
    name: "Slippery or bouncy",
    does: "Sets how it slides and how high it bounces.",
    group: "bodies",
  },
  "physx-joint": { name: "Joint", does: "Attaches it to another object, as with a hinge.", group: "bodies" },
  "physx-joint-constraint": {
    name: "Limits of its joint",
    does: "Sets how far its joint turns and slides.",
    group: "bodies",
  },
  "physx-joint-driver": {
    name: "Motor of its joint",
    does: "Makes its joint turn or slide by itself.",
    group: "bodies",
  },
  "dynamic-body": { name: "Falls (legacy)", does: "Older scenes use this for falling objects.", group: "bodies" },
  "static-body": { name: "Solid (legacy)", does: "Older scenes use this for fixed obstacles.", group: "bodies" },
  impulse: { name: "Can be pushed (legacy)", does: "Older scenes use this for pushes.", group: "bodies" },

  material: { name: "Colour and surface", does: "Sets its colour, image and shine.", group: "looks" },
  "material-extras": {
    name: "More of its surface",
    does: "Sets a model's opacity, or another image on it.",
    group: "looks",
  },
  multisrc: { name: "An image on each side", does: "Shows a different image on each side.", group: "looks" },
  geometry: { name: "Shape", does: "Sets its shape.", group: "looks" },
  shadow: { name: "Shadows", does: "Casts and receives shadows.", group: "looks" },
  "spe-particles": { name: "Smoke, sparks, snow", does: "Emits particles.", group: "looks" },
  "model-container": { name: "Fits a size", does: "Scales a model to fit into a box.", group: "looks" },
  "gltf-model-lod": {
    name: "More detail nearby",
    does: "Shows a more detailed model to people nearby.",
    group: "looks",
  },
  modelUpdate: { name: "Poses of its parts", does: "Sets the poses of a model's parts.", group: "looks" },
  "submodel-parent": { name: "Attached to a part", does: "Attaches it to a part of its parent model.", group: "looks" },
  url: { name: "File", does: "Sets the address of its file.", group: "looks" },
  skipCache: { name: "No cache", does: "Other apps download its file each time.", group: "looks" },
  blip: {
    name: "Appears with an effect",
    does: "Appears and disappears between moving planes.",
    group: "looks",
  },

  visible: { name: "Visible", does: "Nobody sees it while this is off.", group: "sight" },
  "hide-on-enter-vr": { name: "Hidden in VR", does: "People in VR don't see it.", group: "sight" },
  "hide-on-enter-ar": { name: "Hidden in AR", does: "People in AR don't see it.", group: "sight" },
  "show-on-enter-vr": { name: "Only in VR", does: "Only people in VR see it.", group: "sight" },
  "show-on-enter-ar": { name: "Only in AR", does: "Only people in AR see it.", group: "sight" },

  "box-collision-listener": {
    name: "Detects people",
    does: "Programs are notified when a head or hand touches it.",
    group: "others",
  },
  "collision-listener": {
    name: "Detects collisions",
    does: "Programs are notified when an object touches it.",
    group: "others",
  },
  attribution: { name: "Credits", does: "Names its author and licence, under Spots.", group: "others" },
  armarker: { name: "Marker in a real room", does: "Other apps locate themselves by it.", group: "others" },
  "jitsi-video": { name: "Shows a person's video", does: "Other apps show a person's camera on it.", group: "others" },
  screenshareable: { name: "Shows shared screens", does: "Other apps show shared screens on it.", group: "others" },
  "remote-render": { name: "Rendered remotely", does: "Other apps have a server render it.", group: "others" },
};

/** The English texts of behaviours. */
export const abilities = {
  title: "Behaviours",
  add: "Add a behaviour",
  search: "Search behaviours",
  noMatch: "No behaviours found.",
  remove: (name: string) => `Remove ${name}`,
  /** One of several of a kind, such as `animation__2`. */
  further: (name: string, which: string) => `${name} (${which})`,
  groups,
  kinds,
};
