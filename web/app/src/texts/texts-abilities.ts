/**
 * Names, effects and properties of the behaviours of objects. Part of `texts-edit.ts`, split for its length. The keys
 * are the schemas' names.
 */
import { autoplay, type FieldTexts, field, loop, on, volume } from "./texts-fields.ts";

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

export type BehaviourCategory = keyof typeof groups;

/** A behaviour's name, its effect in one line, and its properties in the order of display. */
export interface AbilityWords {
  readonly name: string;
  readonly does: string;
  readonly group: BehaviourCategory;
  readonly fields?: FieldTexts;
}

const kinds: Readonly<Record<string, AbilityWords>> = {
  portal: {
    name: "Doorway to a scene",
    does: "Takes people to another scene when they walk into it or click it.",
    group: "press",
    fields: {
      scene: field("Leads to", "Folder and name of the scene, such as “public/lobby”."),
      landmark: field("Spot there", "Id of the spot where people arrive. If empty, the scene's start."),
      radius: field("Distance", "People who come this close go through. With 0, they have to click it."),
    },
  },
  "goto-landmark": {
    name: "Takes people to a spot",
    does: "A click takes you to a spot in this scene.",
    group: "press",
    fields: { landmark: field("Spot", "Id of the spot to go to."), on },
  },
  "goto-url": {
    name: "Opens a link",
    does: "A click opens a web page or another scene.",
    group: "press",
    fields: {
      url: field("Address", "The page that a click opens."),
      dest: field("Opens in", "The same window, a new window or a new tab."),
      on,
    },
  },
  sound: {
    name: "Makes a sound",
    does: "Plays a sound when clicked, or all the time.",
    group: "press",
    fields: {
      src: field("Sound", "Address of the file."),
      on,
      autoplay,
      loop,
      volume,
      positional: field("Positional", "Is louder nearby."),
    },
  },
  "video-control": {
    name: "Plays a video elsewhere",
    does: "A click starts and stops a video on another object.",
    group: "press",
    fields: {
      video_path: field("Video", "Address of the file."),
      video_object: field("Shown on", "Id of the object that shows it."),
      frame_object: field("Preview image", "Address of the image shown before the video plays."),
      anyone_clicks: field("Plays for everyone", "One person's click plays it for everyone."),
      autoplay,
      video_loop: loop,
      volume,
    },
  },
  textinput: {
    name: "Asks for text",
    does: "A click opens a form. Programs receive the text.",
    group: "press",
    fields: {
      title: field("Question", "The title of the form."),
      label: field("Label", "The text above the field."),
      placeholder: field("Example", "Shown in the empty field."),
    },
  },
  "click-listener": { name: "Can be clicked", does: "Programs are notified of clicks.", group: "press" },

  seat: {
    name: "Seat",
    does: "A click seats you on it.",
    group: "people",
    fields: {
      offsetPosition: field("Seat position", "Relative to the centre of the object."),
      facing: field("Facing", "The direction in which people look, as an angle."),
    },
  },
  landmark: {
    name: "Spot to go to",
    does: "Is listed under Spots. People can start here.",
    group: "people",
    fields: {
      label: field("Name", "Its name in the list of spots."),
      startingPosition: field("People start here", "People can arrive here when they enter the scene."),
      lookAtLandmark: field("Look at it", "People arrive facing it."),
      offsetPosition: field("Arrival position", "Relative to the object."),
      randomRadiusMax: field(
        "Maximum distance",
        "People arrive at most this far from the arrival position, so that they don't overlap.",
      ),
      randomRadiusMin: field("Minimum distance", "People arrive at least this far from the arrival position."),
    },
  },

  animation: {
    name: "Moves or turns",
    does: "Moves, turns or changes colour, once or in a loop.",
    group: "motion",
    fields: {
      property: field("Property", "The property that changes: “rotation”, “position”, “scale” or “material.color”."),
      from: field("From", "The value at the start. If empty, the current value."),
      to: field("To", "The value at the end, such as “0 360 0” for one turn."),
      dur: field("Duration", "1000 ms are a second."),
      loop: field("Repeats", "A number of times, or “true” for ever."),
      dir: field("Direction", "“alternate” goes there and back."),
      easing: field("Easing", "“linear” is even. Others start or end slowly."),
      delay: field("Delay", "The time before it starts."),
    },
  },
  "look-at": {
    name: "Turns to look at people",
    does: "Faces each viewer, or another object.",
    group: "motion",
    fields: { target: field("Looks at", "Id of an object, or “#my-camera” for each viewer.") },
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
    fields: {
      type: field(
        "Motion",
        "It falls (dynamic), stays fixed (static), or only changes of its position move it (kinematic).",
      ),
      mass: field("Mass", "How heavy it is."),
    },
  },
  "physx-grabbable": {
    name: "Can be picked up",
    does: "People can pick it up and throw it, if it also falls.",
    group: "bodies",
  },
  "physx-force-pushable": {
    name: "Can be pushed",
    does: "A click pushes it away, if it also falls.",
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

  material: {
    name: "Colour and surface",
    does: "Sets its colour, image and shine.",
    group: "looks",
    fields: {
      color: field("Colour", "Of the surface. It tints an image."),
      src: field("Image", "Address of the image or video on it."),
      opacity: field("Opacity", "0 is invisible, 1 is solid. Turn on “Transparent”, too."),
      transparent: field("Transparent", "Shows the objects behind it where the opacity is below 1."),
      roughness: field("Roughness", "0 is like a mirror, 1 is matt."),
      metalness: field("Metalness", "0 is not metal, 1 is metal."),
      emissive: field("Glow", "The colour of its own light."),
      emissiveIntensity: field("Glow strength", "The strength of its own light."),
      side: field("Visible sides", "The front, the back, or both (double)."),
      repeat: field("Image repeats", "The number of repeats, across and up."),
      flatShading: field("Flat shading", "Shows flat faces instead of smooth ones."),
      wireframe: field("Wireframe", "Draws only the edges."),
    },
  },
  "material-extras": {
    name: "More of its surface",
    does: "Sets a model's opacity, or another image on it.",
    group: "looks",
  },
  multisrc: { name: "An image on each side", does: "Shows a different image on each side.", group: "looks" },
  geometry: { name: "Shape", does: "Sets its shape.", group: "looks" },
  shadow: {
    name: "Shadows",
    does: "Casts and receives shadows.",
    group: "looks",
    fields: {
      cast: field("Casts shadows", "Throws a shadow on other objects."),
      receive: field("Receives shadows", "Shows the shadows of other objects."),
    },
  },
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
    fields: {
      blipin: field("Effect at the start", "Appears between the planes."),
      blipout: field("Effect at the end", "Disappears between the planes."),
      geometry: field("Shape of the planes", "A rectangle (rect), a disk or a ring."),
      planes: field("Planes come from", "The top, the bottom, or both."),
      duration: field("Duration", "1000 ms are a second."),
    },
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
  /** Name of one of several behaviours of a kind, such as `animation__2`. */
  further: (name: string, which: string) => `${name} (${which})`,
  groups,
  kinds,
};
