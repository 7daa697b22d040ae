/** Registers two primitives of the schemas that A-Frame lacks: `capsule` and `roundedbox`. */
import type { AFrameAdapter, Three } from "../aframe.ts";

/** The settings of `capsule`; `length` is that of the straight part. */
export interface CapsuleSettings {
  readonly length: number;
  readonly radius: number;
  readonly segmentsCap: number;
  readonly segmentsRadial: number;
}

/** The settings of `roundedbox`; `radius` is that of the edges. */
export interface RoundedBoxSettings {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly radius: number;
  readonly radiusSegments: number;
}

/** Registers `capsule` and `roundedbox`. */
export function registerGeometries(aframe: AFrameAdapter): void {
  aframe.registerGeometry<CapsuleSettings>({
    name: "capsule",
    schema: {
      length: { type: "number", default: 1 },
      radius: { type: "number", default: 1 },
      segmentsCap: { type: "int", default: 18 },
      segmentsRadial: { type: "int", default: 36 },
    },
    make: ({ length, radius, segmentsCap, segmentsRadial }) =>
      new aframe.THREE.CapsuleGeometry(radius, length, segmentsCap, segmentsRadial),
  });
  aframe.registerGeometry<RoundedBoxSettings>({
    name: "roundedbox",
    schema: {
      width: { type: "number", default: 1 },
      height: { type: "number", default: 1 },
      depth: { type: "number", default: 1 },
      radius: { type: "number", default: 0.15 },
      radiusSegments: { type: "int", default: 10 },
    },
    make: (settings) => roundedBox(aframe, settings),
  });
}

/** A rounded rectangle, extruded with a round bevel. */
function roundedBox(aframe: AFrameAdapter, settings: RoundedBoxSettings): Three.BufferGeometry {
  const { width, height, depth, radiusSegments } = settings;
  const radius = Math.max(0.0001, Math.min(settings.radius, width / 2, height / 2, depth / 2));
  const { Shape, ExtrudeGeometry } = aframe.THREE;
  const [x, y] = [Math.max(0, width / 2 - radius), Math.max(0, height / 2 - radius)];
  // The outline is the flat face; the bevel grows it by the radius on all sides.
  const corner = Math.min(radius, 1e-4);
  const shape = new Shape();
  shape.absarc(x, y, corner, 0, Math.PI / 2, false);
  shape.absarc(-x, y, corner, Math.PI / 2, Math.PI, false);
  shape.absarc(-x, -y, corner, Math.PI, 1.5 * Math.PI, false);
  shape.absarc(x, -y, corner, 1.5 * Math.PI, 2 * Math.PI, false);
  const straight = Math.max(0, depth - 2 * radius);
  const geometry = new ExtrudeGeometry(shape, {
    depth: straight,
    bevelSize: radius,
    bevelThickness: radius,
    bevelSegments: radiusSegments,
    curveSegments: radiusSegments,
  });
  return geometry.translate(0, 0, -straight / 2);
}
