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

export type FieldTexts = Readonly<Record<string, FieldWords>>;

export const field = (name: string, means: string): FieldWords => ({ name, means });

const width = field("Width", "From left to right.");
const height = field("Height", "From bottom to top.");
const depth = field("Depth", "From front to back.");
const radius = field("Radius", "From the centre to the edge.");
export const volume = field("Volume", "1 is the file's own volume, 0 is silent.");
export const loop = field("Loop", "Starts again at the end.");
export const autoplay = field("Autoplay", "Starts by itself, without a click.");
export const on = field("Trigger", "The event that starts it: “mousedown” is a click.");

/** Properties of object types. */
export const typeFields: Readonly<Record<string, FieldTexts>> = {
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
