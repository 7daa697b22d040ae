/** Computes objects' transforms in the scene from attributes along the parent chain. Pure. */
import type { SceneObject } from "@stoa/client";
import { PARENT_DEPTH_MAX } from "../limits.ts";
import { parentOf, quaternionOf } from "../mapping/pose.ts";
import { type Xyz, xyz } from "../values.ts";

export interface SceneSpaceTransform {
  readonly position: Xyz;
  readonly turned: Xyz & { readonly w: number };
  readonly scale: Xyz;
}

const UNTURNED = { x: 0, y: 0, z: 0, w: 1 };

/** An object's transform; `null` for a parent chain that is cyclic, too long, incomplete or ends at a person. */
export function sceneTransformOf(
  object: SceneObject,
  objects: ReadonlyMap<string, SceneObject>,
): SceneSpaceTransform | null {
  const line: SceneObject[] = [];
  for (let at: SceneObject | undefined = object; at !== undefined; ) {
    if (line.length > PARENT_DEPTH_MAX) return null;
    line.unshift(at);
    const parent = parentOf(at.attributes);
    if (parent === null) return line.map(own).reduce(within);
    at = objects.get(parent);
  }
  return null;
}

function own({ attributes }: SceneObject): SceneSpaceTransform {
  return {
    position: xyz(attributes.position) ?? { x: 0, y: 0, z: 0 },
    turned: quaternionOf(attributes.rotation) ?? UNTURNED,
    scale: xyz(attributes.scale, 1) ?? { x: 1, y: 1, z: 1 },
  };
}

function within(outer: SceneSpaceTransform, inner: SceneSpaceTransform): SceneSpaceTransform {
  const { position: at, scale, turned } = outer;
  const { x, y, z } = inner.position;
  const moved = rotated({ x: x * scale.x, y: y * scale.y, z: z * scale.z }, turned);
  return {
    position: { x: at.x + moved.x, y: at.y + moved.y, z: at.z + moved.z },
    turned: multiplied(turned, inner.turned),
    scale: { x: scale.x * inner.scale.x, y: scale.y * inner.scale.y, z: scale.z * inner.scale.z },
  };
}

/** The heading of a rotation about the up axis; 0 is along -z. */
export function yawOf(turned: SceneSpaceTransform["turned"]): number {
  const { x, z } = rotated({ x: 0, y: 0, z: 1 }, turned);
  return Math.atan2(x, z);
}

function rotated({ x, y, z }: Xyz, q: SceneSpaceTransform["turned"]): Xyz {
  const [tx, ty, tz] = [2 * (q.y * z - q.z * y), 2 * (q.z * x - q.x * z), 2 * (q.x * y - q.y * x)];
  return {
    x: x + q.w * tx + q.y * tz - q.z * ty,
    y: y + q.w * ty + q.z * tx - q.x * tz,
    z: z + q.w * tz + q.x * ty - q.y * tx,
  };
}

function multiplied(a: SceneSpaceTransform["turned"], b: SceneSpaceTransform["turned"]): SceneSpaceTransform["turned"] {
  return {
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  };
}
