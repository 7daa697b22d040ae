/**
 * Names and meanings of the properties that people commonly need. Part of `texts-edit.ts`, split for its length. By
 * schema, in the order of display. Properties that are missing here keep the schema's name and description, and are
 * listed below these.
 */

/** A property's name and meaning. */
export interface FieldWords {
  readonly name: string;
  readonly means: string;
}

type Words = Readonly<Record<string, FieldWords>>;

const field = (name: string, means: string): FieldWords => ({ name, means });

const width = field("Width", "From its left to its right.");
const height = field("Height", "From its bottom to its top.");
const depth = field("Depth", "From its front to its back.");
const radius = field("Radius", "From its middle to its edge.");
const volume = field("Loudness", "1 is as loud as the file, 0 is silent.");
const again = field("Again and again", "Whether it begins anew at its end.");
const on = field("Starts with", "What starts it: “mousedown” is a press.");

/** Properties of one type of object. */
const types: Readonly<Record<string, Words>> = {
  box: { width, height, depth },
  capsule: { radius, length: field("Length", "Of its straight part, between the round ends.") },
  circle: { radius },
  cone: {
    height,
    radiusBottom: field("Radius below", "From the middle of its foot to the edge."),
    radiusTop: field("Radius above", "From the middle of its top to the edge; a small one makes a point."),
  },
  cylinder: { radius, height },
  dodecahedron: { radius },
  icosahedron: { radius },
  image: { width, height },
  light: {
    type: field(
      "Kind of light",
      "A lamp (point, spot), a sun (directional), or light from all around (ambient, hemisphere).",
    ),
    color: field("Colour", "Of the light."),
    intensity: field("Brightness", "How strong the light is."),
    distance: field("Reach", "Beyond this the light is gone; 0 is never."),
    castShadow: field("Throws shadows", "Whether things in this light throw shadows."),
    groundColor: field("Colour from below", "Of the light that comes from the ground, for a hemisphere light."),
    angle: field("Width of the cone", "For a spot light: half of how wide it opens."),
    penumbra: field("Soft edge", "For a spot light: from 0, sharp, to 1, soft."),
    target: field("Points to", "Id of the thing that a spot light or a sun points to."),
  },
  octahedron: { radius },
  plane: { width, height },
  ring: {
    radiusInner: field("Inner radius", "From its middle to the hole's edge."),
    radiusOuter: field("Outer radius", "From its middle to its edge."),
  },
  roundedbox: { width, height, depth, radius: field("Roundness", "How round its edges are.") },
  sphere: { radius },
  tetrahedron: { radius },
  text: {
    value: field("Words", "What is written there."),
    color: field("Colour", "Of the letters."),
    width: field("Width of a line", "The wider a line, the larger its letters."),
    wrapCount: field("Letters in a line", "The fewer fit into a line, the larger they are."),
    align: field("Lines begin", "At the left, or stand in the middle, or end at the right."),
    side: field("Seen from", "Its front, its back, or both (double)."),
    opacity: field("How solid", "0 can't be seen, 1 is solid."),
  },
  torus: { radius, radiusTubular: field("Thickness", "From the middle of its tube to the tube's edge.") },
  videosphere: { radius, autoplay: field("Starts by itself", "Whether nobody has to press it."), loop: again },
};

/** Properties of behaviours. */
const abilities: Readonly<Record<string, Words>> = {
  animation: {
    property: field("What changes", "Its “rotation”, “position” or “scale”, or “material.color”."),
    from: field("From", "The value at the start; empty: as it is."),
    to: field("To", "The value at the end, such as “0 360 0” for one turn."),
    dur: field("One run takes", "1000 ms are a second."),
    loop: field("How often", "A number, or “true” for ever."),
    dir: field("Direction", "“alternate” goes there and back."),
    easing: field("Pace", "“linear” is even; others begin or end slowly."),
    delay: field("Waits before", "How long, before it starts."),
  },
  blip: {
    blipin: field("Effect at the start", "Whether it appears between the planes."),
    blipout: field("Effect at the end", "Whether it disappears between the planes."),
    geometry: field("Form of the planes", "A rectangle (rect), a disk or a ring."),
    planes: field("Planes come from", "The top, the bottom, or both."),
    duration: field("Effect takes", "1000 ms are a second."),
  },
  "goto-landmark": { landmark: field("Place", "Id of the thing that is the place to go to."), on },
  "goto-url": {
    url: field("Address", "Where a press leads."),
    dest: field("Opens in", "The same window, a new one or a tab of its own."),
    on,
  },
  landmark: {
    label: field("Name", "As it is listed under Places."),
    startingPosition: field("People begin here", "Whether people may arrive here when they enter the scene."),
    lookAtLandmark: field("Look at it", "Whether people arrive with their eyes on it."),
    offsetPosition: field("Where people stand", "Seen from it."),
    randomRadiusMax: field(
      "At most so far away",
      "How far from there people may arrive, so that they don't stand in each other.",
    ),
    randomRadiusMin: field("At least so far away", "How far from there people arrive."),
  },
  "look-at": { target: field("Looks at", "Id of a thing, or “#my-camera” for whoever looks.") },
  material: {
    color: field("Colour", "Of its surface; over a picture it tints that."),
    src: field("Picture", "Address of the picture or video on it."),
    opacity: field("How solid", "0 can't be seen, 1 is solid. “See-through” has to be ticked."),
    transparent: field("See-through", "Whether what is behind it shines through where it isn't solid."),
    roughness: field("Dullness", "0 is like a mirror, 1 is dull."),
    metalness: field("Metal", "0 is no metal, 1 is metal."),
    emissive: field("Glow", "The colour in which it shines by itself."),
    emissiveIntensity: field("Strength of the glow", "How strongly it shines by itself."),
    side: field("Seen from", "Its front, its back, or both (double)."),
    repeat: field("Picture repeated", "How often the picture is repeated, across and up."),
    flatShading: field("Facets", "Whether it looks cut instead of smooth."),
    wireframe: field("Only its edges", "Whether just its edges are drawn."),
  },
  "physx-body": {
    type: field("How it moves", "It falls (dynamic), it stands firm (static), or others move it (kinematic)."),
    mass: field("Weight", "How heavy it is."),
  },
  portal: {
    scene: field("Leads to", "Namespace and name of the scene, as “public/lobby”."),
    landmark: field("Place there", "Id of the place at which people arrive; empty: where the scene begins."),
    radius: field("How near", "So near to its middle one has walked into it; 0: it has to be pressed."),
  },
  seat: {
    offsetPosition: field("Where one sits", "Seen from the middle of the thing."),
    facing: field("Looks towards", "Where people look who sit on it, as an angle around."),
  },
  shadow: {
    cast: field("Throws a shadow", "Whether it throws one."),
    receive: field("Shadows fall on it", "Whether they do."),
  },
  sound: {
    src: field("Sound", "Address of the file."),
    on,
    autoplay: field("Starts by itself", "Whether nobody has to press it."),
    loop: again,
    volume,
    positional: field("Heard from its place", "Whether it is louder near by."),
  },
  textinput: {
    title: field("Question", "Stands over the form."),
    label: field("What to write", "Stands over the field."),
    placeholder: field("Example", "Stands in the empty field."),
  },
  "video-control": {
    video_path: field("Video", "Address of the file."),
    video_object: field("Shown on", "Id of the thing that shows it."),
    frame_object: field("Picture before", "Address of the picture that is shown until it plays."),
    anyone_clicks: field("Everybody may start it", "Whether all see it play once anybody has pressed it."),
    autoplay: field("Starts by itself", "Whether nobody has to press it."),
    video_loop: again,
    volume,
  },
};

/** The English texts of properties. */
export const fields: Readonly<Record<string, Words>> = { ...types, ...abilities };
