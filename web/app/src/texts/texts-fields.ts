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

const width = field("Width", "From left to right.");
const height = field("Height", "From bottom to top.");
const depth = field("Depth", "From front to back.");
const radius = field("Radius", "From the centre to the edge.");
const volume = field("Volume", "1 is the file's own volume, 0 is silent.");
const loop = field("Loop", "Starts again at the end.");
const autoplay = field("Autoplay", "Starts by itself, without a click.");
const on = field("Trigger", "The event that starts it: “mousedown” is a click.");

/** Properties of one type of object. */
const types: Readonly<Record<string, Words>> = {
  box: { width, height, depth },
  capsule: { radius, length: field("Length", "Of the straight part between the round ends.") },
  circle: { radius },
  cone: {
    height,
    radiusBottom: field("Bottom radius", "From the centre of the bottom to its edge."),
    radiusTop: field("Top radius", "From the centre of the top to its edge. A small one makes a point."),
  },
  cylinder: { radius, height },
  dodecahedron: { radius },
  icosahedron: { radius },
  image: { width, height },
  light: {
    type: field(
      "Type of light",
      "A lamp (point, spot), a sun (directional), or light from all around (ambient, hemisphere).",
    ),
    color: field("Colour", "Of the light."),
    intensity: field("Brightness", "The strength of the light."),
    distance: field("Range", "The light ends at this distance. 0 has no limit."),
    castShadow: field("Casts shadows", "Objects in this light cast shadows."),
    groundColor: field("Ground colour", "For a hemisphere light: the colour of the light from below."),
    angle: field("Cone angle", "For a spot light: half of the angle of its cone."),
    penumbra: field("Soft edge", "For a spot light: from 0, sharp, to 1, soft."),
    target: field("Points at", "Id of the object that a spot light or a sun points at."),
  },
  octahedron: { radius },
  plane: { width, height },
  ring: {
    radiusInner: field("Inner radius", "From the centre to the hole's edge."),
    radiusOuter: field("Outer radius", "From the centre to the outer edge."),
  },
  roundedbox: { width, height, depth, radius: field("Corner radius", "The roundness of the edges.") },
  sphere: { radius },
  tetrahedron: { radius },
  text: {
    value: field("Text", "The displayed text."),
    color: field("Colour", "Of the letters."),
    width: field("Line width", "A wider line makes larger letters."),
    wrapCount: field("Letters per line", "Fewer letters per line make larger letters."),
    align: field("Alignment", "Left, center or right."),
    side: field("Visible sides", "The front, the back, or both (double)."),
    opacity: field("Opacity", "0 is invisible, 1 is solid."),
  },
  torus: { radius, radiusTubular: field("Thickness", "The radius of the tube.") },
  videosphere: { radius, autoplay, loop },
};

/** Properties of behaviours. */
const abilities: Readonly<Record<string, Words>> = {
  animation: {
    property: field("Property", "The property that changes: “rotation”, “position”, “scale” or “material.color”."),
    from: field("From", "The value at the start. If empty, the current value."),
    to: field("To", "The value at the end, such as “0 360 0” for one turn."),
    dur: field("Duration", "1000 ms are a second."),
    loop: field("Repeats", "A number of times, or “true” for ever."),
    dir: field("Direction", "“alternate” goes there and back."),
    easing: field("Easing", "“linear” is even. Others start or end slowly."),
    delay: field("Delay", "The time before it starts."),
  },
  blip: {
    blipin: field("Effect at the start", "Appears between the planes."),
    blipout: field("Effect at the end", "Disappears between the planes."),
    geometry: field("Shape of the planes", "A rectangle (rect), a disk or a ring."),
    planes: field("Planes come from", "The top, the bottom, or both."),
    duration: field("Duration", "1000 ms are a second."),
  },
  "goto-landmark": { landmark: field("Spot", "Id of the spot to go to."), on },
  "goto-url": {
    url: field("Address", "The page that a click opens."),
    dest: field("Opens in", "The same window, a new window or a new tab."),
    on,
  },
  landmark: {
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
  "look-at": { target: field("Looks at", "Id of an object, or “#my-camera” for each viewer.") },
  material: {
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
  "physx-body": {
    type: field(
      "Motion",
      "It falls (dynamic), stays fixed (static), or only changes of its position move it (kinematic).",
    ),
    mass: field("Mass", "How heavy it is."),
  },
  portal: {
    scene: field("Leads to", "Folder and name of the scene, such as “public/lobby”."),
    landmark: field("Spot there", "Id of the spot where people arrive. If empty, the scene's start."),
    radius: field("Distance", "People this close walk in. With 0, they have to click it."),
  },
  seat: {
    offsetPosition: field("Seat position", "Relative to the centre of the object."),
    facing: field("Facing", "The direction in which people look, as an angle."),
  },
  shadow: {
    cast: field("Casts shadows", "Throws a shadow on other objects."),
    receive: field("Receives shadows", "Shows the shadows of other objects."),
  },
  sound: {
    src: field("Sound", "Address of the file."),
    on,
    autoplay,
    loop,
    volume,
    positional: field("Positional", "Is louder nearby."),
  },
  textinput: {
    title: field("Question", "The title of the form."),
    label: field("Label", "The text above the field."),
    placeholder: field("Example", "Shown in the empty field."),
  },
  "video-control": {
    video_path: field("Video", "Address of the file."),
    video_object: field("Shown on", "Id of the object that shows it."),
    frame_object: field("Preview image", "Address of the image shown before the video plays."),
    anyone_clicks: field("Plays for everyone", "One person's click plays it for everyone."),
    autoplay,
    video_loop: loop,
    volume,
  },
};

/** The English texts of properties. */
export const fields: Readonly<Record<string, Words>> = { ...types, ...abilities };
