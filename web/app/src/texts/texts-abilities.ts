/**
 * Names and effects of the behaviours of objects. Part of `texts-edit.ts`, split for its length. The keys are the
 * schemas' names.
 */

/** Groups of behaviours, in the order of the list. */
const groups = {
  press: "When somebody presses it",
  people: "For people",
  motion: "Moves by itself",
  bodies: "Has weight",
  looks: "Looks",
  sight: "Who sees it",
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
    does: "Whoever walks into it, or presses it, is in another scene.",
    group: "press",
  },
  "goto-landmark": { name: "Takes people to a place", does: "A press brings you to a place here.", group: "press" },
  "goto-url": { name: "Opens an address", does: "A press opens a page of the web, or another scene.", group: "press" },
  sound: { name: "Makes a sound", does: "It sounds when it is pressed, or all the time.", group: "press" },
  "video-control": {
    name: "Plays a video elsewhere",
    does: "A press starts and stops a video on another thing.",
    group: "press",
  },
  textinput: {
    name: "Asks for words",
    does: "A press opens a form; programs get what is typed.",
    group: "press",
  },
  "click-listener": { name: "Can be pressed", does: "Programs hear of it when somebody presses it.", group: "press" },

  seat: { name: "Seat", does: "Whoever presses it sits down on it.", group: "people" },
  landmark: { name: "Place to go to", does: "It is listed under Places, and people can begin there.", group: "people" },

  animation: {
    name: "Moves or turns",
    does: "It turns, rises or changes its colour, once or for ever.",
    group: "motion",
  },
  "look-at": {
    name: "Turns to look at people",
    does: "It faces whoever looks at it, or another thing.",
    group: "motion",
  },
  "animation-mixer": {
    name: "Plays its movements",
    does: "A model moves as whoever made it has made it move.",
    group: "motion",
  },
  "gltf-morph": {
    name: "Changes its form",
    does: "A model is bent to one of the forms that it brings, such as a smile.",
    group: "motion",
  },

  "physx-body": {
    name: "Falls and bounces",
    does: "It has weight: it falls, rolls, and other things hit it.",
    group: "bodies",
  },
  "physx-grabbable": {
    name: "Can be picked up",
    does: "People take it into their hand and throw it. It has to fall, too.",
    group: "bodies",
  },
  "physx-force-pushable": {
    name: "Can be pushed",
    does: "A press pushes it away. It has to fall, too.",
    group: "bodies",
  },
  "physx-material": {
    name: "Slippery or bouncy",
    does: "How it slides, and how high it bounces, when it falls.",
    group: "bodies",
  },
  "physx-joint": { name: "Hangs on a joint", does: "It hangs on another thing, as by a hinge.", group: "bodies" },
  "physx-joint-constraint": {
    name: "Limits of its joint",
    does: "How far its joint lets it turn and slide.",
    group: "bodies",
  },
  "physx-joint-driver": { name: "Motor of its joint", does: "Its joint turns or slides by itself.", group: "bodies" },
  "dynamic-body": { name: "Falls (of old)", does: "As older scenes say that it falls.", group: "bodies" },
  "static-body": { name: "Stands firm (of old)", does: "As older scenes say that things hit it.", group: "bodies" },
  impulse: { name: "Can be pushed (of old)", does: "As older scenes say that it can be pushed.", group: "bodies" },

  material: { name: "Colour and surface", does: "Its colour, its picture, how it shines.", group: "looks" },
  "material-extras": {
    name: "More of its surface",
    does: "How solid a model is, or another picture on it.",
    group: "looks",
  },
  multisrc: { name: "A picture on each side", does: "Its sides show a picture each.", group: "looks" },
  geometry: { name: "Shape", does: "Which shape it has.", group: "looks" },
  shadow: { name: "Shadows", does: "It casts a shadow, and shadows fall on it.", group: "looks" },
  "spe-particles": { name: "Smoke, sparks, snow", does: "Small specks come out of it.", group: "looks" },
  "model-container": { name: "Fits a size", does: "A model is scaled to fit into a box.", group: "looks" },
  "gltf-model-lod": {
    name: "Finer from near by",
    does: "Who comes near sees a more detailed model.",
    group: "looks",
  },
  modelUpdate: { name: "Poses of its parts", does: "Where a model's parts are.", group: "looks" },
  "submodel-parent": { name: "Hangs on a part", does: "It hangs on a part of the model above it.", group: "looks" },
  url: { name: "File", does: "Address of what it shows.", group: "looks" },
  skipCache: { name: "Fresh each time", does: "Other apps fetch its file anew each time.", group: "looks" },
  blip: {
    name: "Appears with an effect",
    does: "It appears and disappears between moving planes.",
    group: "looks",
  },

  visible: { name: "Can be seen", does: "Without its tick, nobody sees it.", group: "sight" },
  "hide-on-enter-vr": { name: "Hidden in VR", does: "Who wears a VR headset doesn't see it.", group: "sight" },
  "hide-on-enter-ar": { name: "Hidden in AR", does: "Who sees their own room doesn't see it.", group: "sight" },
  "show-on-enter-vr": { name: "Only in VR", does: "It is seen with a VR headset alone.", group: "sight" },
  "show-on-enter-ar": { name: "Only in AR", does: "It is seen within one's own room alone.", group: "sight" },

  "box-collision-listener": {
    name: "Feels heads and hands",
    does: "Programs hear of it when somebody touches it or walks into it.",
    group: "others",
  },
  "collision-listener": {
    name: "Feels touches",
    does: "Programs hear of it when something touches it.",
    group: "others",
  },
  attribution: { name: "Who made it", does: "Names its maker and its licence, under Places.", group: "others" },
  armarker: { name: "Marker in a real room", does: "Other apps find their place in a room by it.", group: "others" },
  "jitsi-video": { name: "Shows somebody's video", does: "Other apps show a person's camera on it.", group: "others" },
  screenshareable: { name: "Shows shared screens", does: "Other apps show shared screens on it.", group: "others" },
  "remote-render": { name: "Drawn elsewhere", does: "Other apps have a server draw it.", group: "others" },
};

/** The English texts of behaviours. */
export const abilities = {
  title: "Abilities",
  add: "Add an ability",
  search: "Search abilities",
  noMatch: "There is none of that kind.",
  remove: (name: string) => `Remove ${name}`,
  /** One of several of a kind, such as `animation__2`. */
  further: (name: string, which: string) => `${name} (${which})`,
  groups,
  kinds,
};
