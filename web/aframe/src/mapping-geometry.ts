/** The primitives: which numbers each takes, and between which bounds. */
import { SEGMENTS_MAX } from "./limits.ts";
import { type Bag, flag, within, xyz } from "./values.ts";

type Reader = (value: unknown) => unknown;

const length: Reader = (value) => within(value, 0, 1e6);
const degrees: Reader = (value) => within(value, -3600, 3600);
const segments: Reader = (value) => whole(value, 1, SEGMENTS_MAX);
const round: Reader = (value) => whole(value, 3, SEGMENTS_MAX);
const detail: Reader = (value) => whole(value, 0, 5);
const winding: Reader = (value) => within(value, -64, 64);
const point: Reader = (value) => xyz(value);

function whole(value: unknown, min: number, max: number): number | undefined {
  const number = within(value, min, max);
  return number === undefined ? undefined : Math.round(number);
}

const cylindrical = {
  height: length,
  openEnded: flag,
  segmentsHeight: segments,
  segmentsRadial: round,
  thetaLength: degrees,
  thetaStart: degrees,
};
const boxy = { depth: length, height: length, width: length };
const solid = { detail, radius: length };

/** ARENA's names are A-Frame's; what differs is in `defaults`. */
const primitives: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  box: { ...boxy, segmentsDepth: segments, segmentsHeight: segments, segmentsWidth: segments },
  capsule: { length, radius: length, segmentsCap: segments, segmentsRadial: round },
  circle: { radius: length, segments: round, thetaLength: degrees, thetaStart: degrees },
  cone: { ...cylindrical, radiusBottom: length, radiusTop: length },
  cylinder: { ...cylindrical, radius: length },
  dodecahedron: solid,
  icosahedron: solid,
  octahedron: solid,
  plane: { height: length, segmentsHeight: segments, segmentsWidth: segments, width: length },
  ring: {
    radiusInner: length,
    radiusOuter: length,
    segmentsPhi: segments,
    segmentsTheta: round,
    thetaLength: degrees,
    thetaStart: degrees,
  },
  roundedbox: { ...boxy, radius: length, radiusSegments: segments },
  sphere: {
    phiLength: degrees,
    phiStart: degrees,
    radius: length,
    segmentsHeight: round,
    segmentsWidth: round,
    thetaLength: degrees,
    thetaStart: degrees,
  },
  tetrahedron: solid,
  torus: { arc: degrees, radius: length, radiusTubular: length, segmentsRadial: round, segmentsTubular: round },
  torusKnot: {
    p: winding,
    q: winding,
    radius: length,
    radiusTubular: length,
    segmentsRadial: round,
    segmentsTubular: round,
  },
  triangle: { vertexA: point, vertexB: point, vertexC: point },
};

/** Defaults of the schema that aren't A-Frame's own. */
const defaults: Readonly<Record<string, Bag>> = {
  cone: { radiusTop: 0.01, radiusBottom: 1 },
  image: { width: 1, height: 1 },
};

/** The settings of `geometry`, or `undefined` for what is no primitive. `cube` is a `box` of old. */
export function geometrySettings(type: unknown, attributes: Bag): Bag | undefined {
  const primitive = type === "cube" ? "box" : type;
  if (typeof primitive !== "string" || !Object.hasOwn(primitives, primitive)) return undefined;
  const settings: Record<string, unknown> = { primitive, ...defaults[primitive] };
  for (const [key, read] of Object.entries(primitives[primitive] ?? {})) {
    const value = read(attributes[key]);
    if (value !== undefined) settings[key] = value;
  }
  return settings;
}
