/** Traces the ballistic arc of a teleport, and rays, to a floor. Pure. */
import type { Three } from "../aframe.ts";
import { ARC, TAP_REACH, THROW_M_PER_S } from "../limits.ts";
import type { Floor } from "./floor.ts";

/** Array length for all points of an arc. */
export const ARC_NUMBERS = (ARC.pieces + 1) * 3;

/** The result of {@link traceArc}: the number of points, and whether the arc hits a floor. */
export interface ArcTraceResult {
  corners: number;
  landed: boolean;
}

/**
 * Traces an arc that starts along a ray, and writes its points. Only the descending part can land, so a rising
 * arc doesn't land on a floor above it.
 */
export function traceArc(ray: Three.Ray, floor: Floor, points: Float32Array, arc: ArcTraceResult): void {
  let [x, y, z] = [ray.origin.x, ray.origin.y, ray.origin.z];
  let verticalSpeed = ray.direction.y * THROW_M_PER_S;
  const step = THROW_M_PER_S * ARC.stepS;
  points.set([x, y, z]);
  arc.corners = 1;
  arc.landed = false;
  for (let piece = 1; piece <= ARC.pieces; piece += 1) {
    x += ray.direction.x * step;
    y += verticalSpeed * ARC.stepS;
    z += ray.direction.z * step;
    verticalSpeed -= ARC.gravity * ARC.stepS;
    const ground = verticalSpeed < 0 ? floor.landing(x, y, z) : null;
    arc.landed = ground !== null && y <= ground;
    points.set([x, arc.landed ? (ground ?? y) : y, z], piece * 3);
    arc.corners = piece + 1;
    if (arc.landed) return;
  }
}

/** Writes the point at which a ray meets a floor from above to `out`; false if it meets no floor within reach. */
export function meetFloor(ray: Three.Ray, floor: Floor, out: Three.Vector3): boolean {
  const { origin, direction } = ray;
  if (direction.y >= 0) return false;
  for (let far = TAP_REACH.stepM; far <= TAP_REACH.farM; far += TAP_REACH.stepM) {
    const [x, y, z] = [origin.x + direction.x * far, origin.y + direction.y * far, origin.z + direction.z * far];
    const ground = floor.landing(x, y, z);
    if (ground === null || y > ground) continue;
    out.set(x, ground, z);
    return true;
  }
  return false;
}
