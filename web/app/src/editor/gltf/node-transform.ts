/** Reads transforms and bounds of glTF nodes. Matrices are column-major, as in glTF. Pure functions. */

/** 16 numbers, column by column. */
export type Matrix = readonly number[];

/** A pose with scale, in the form of our objects. */
export interface NodeTransform {
  readonly position: Xyz;
  readonly rotation: Xyz & { readonly w: number };
  readonly scale: Xyz;
}

interface Xyz {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

type GltfNodeFields = ReadonlyMap<string, unknown>;

const ONE: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Whether the matrix is finite and of drawable size. */
export function isMatrix(matrix: Matrix): boolean {
  return matrix.length === 16 && matrix.every((value) => Number.isFinite(value) && Math.abs(value) < 1e6);
}

/** A node's local matrix. */
export function matrixOf(node: GltfNodeFields): Matrix {
  const matrix = numbers(node.get("matrix"), 16);
  if (matrix !== undefined) return matrix;
  const [x = 0, y = 0, z = 0] = numbers(node.get("translation"), 3) ?? [];
  const [qx = 0, qy = 0, qz = 0, qw = 1] = numbers(node.get("rotation"), 4) ?? [];
  const [sx = 1, sy = 1, sz = 1] = numbers(node.get("scale"), 3) ?? [];
  return [
    (1 - 2 * (qy * qy + qz * qz)) * sx,
    2 * (qx * qy + qz * qw) * sx,
    2 * (qx * qz - qy * qw) * sx,
    0,
    2 * (qx * qy - qz * qw) * sy,
    (1 - 2 * (qx * qx + qz * qz)) * sy,
    2 * (qy * qz + qx * qw) * sy,
    0,
    2 * (qx * qz + qy * qw) * sz,
    2 * (qy * qz - qx * qw) * sz,
    (1 - 2 * (qx * qx + qy * qy)) * sz,
    0,
    x,
    y,
    z,
    1,
  ];
}

/** The product `a · b`: applies `b` first. */
export function multiplied(a: Matrix, b: Matrix): Matrix {
  return ONE.map((_, at) => {
    const [row, column] = [at % 4, at - (at % 4)];
    let sum = 0;
    for (let step = 0; step < 4; step += 1) sum += (a[row + 4 * step] ?? 0) * (b[column + step] ?? 0);
    return sum;
  });
}

/** Decomposes a matrix without shear into position, rotation and scale. */
export function transformOf(matrix: Matrix): NodeTransform {
  const m = (at: number): number => matrix[at] ?? 0;
  const length = (column: number): number => Math.hypot(m(column), m(column + 1), m(column + 2));
  const [width, height, depth] = [length(0), length(4), length(8)];
  // A mirrored node gets one negative scale.
  const handed =
    m(0) * (m(5) * m(10) - m(6) * m(9)) - m(4) * (m(1) * m(10) - m(2) * m(9)) + m(8) * (m(1) * m(6) - m(2) * m(5));
  const scale = { x: (handed < 0 ? -1 : 1) * width, y: height, z: depth };
  const [a, b, c] = [scale.x || 1, scale.y || 1, scale.z || 1];
  const rotation = [m(0) / a, m(1) / a, m(2) / a, m(4) / b, m(5) / b, m(6) / b, m(8) / c, m(9) / c, m(10) / c];
  return {
    position: { x: round(m(12)), y: round(m(13)), z: round(m(14)) },
    rotation: quaternionOf(rotation),
    scale: { x: round(scale.x), y: round(scale.y), z: round(scale.z) },
  };
}

/** The quaternion of a rotation matrix. Source: Shepperd 1978, the branch of the largest component. */
function quaternionOf([
  xx = 1,
  yx = 0,
  zx = 0,
  xy = 0,
  yy = 1,
  zy = 0,
  xz = 0,
  yz = 0,
  zz = 1,
]: readonly number[]): NodeTransform["rotation"] {
  const parts: readonly (readonly [x: number, y: number, z: number, w: number])[] = [
    [zy - yz, xz - zx, yx - xy, 1 + xx + yy + zz],
    [1 + xx - yy - zz, xy + yx, zx + xz, zy - yz],
    [xy + yx, 1 - xx + yy - zz, yz + zy, xz - zx],
    [zx + xz, yz + zy, 1 - xx - yy + zz, yx - xy],
  ];
  const diagonal = [xx + yy + zz, xx, yy, zz];
  const [x, y, z, w] = parts[diagonal.indexOf(Math.max(...diagonal))] ?? [0, 0, 0, 1];
  const length = Math.hypot(x, y, z, w) || 1;
  // Rounded to the precision that glTF's validator asks for.
  const unit = (value: number): number => Math.round((value / length) * 1e6) / 1e6 || 0;
  return { x: unit(x), y: unit(y), z: unit(z), w: unit(w) };
}

/** Bounding box of a node's own mesh, as centre and size in the node's space; `null` without a mesh or if too large. */
export function boundsOfNode(
  node: GltfNodeFields,
  json: GltfNodeFields,
): { readonly center: Xyz; readonly size: Xyz } | null {
  const meshes = json.get("meshes");
  const mesh = Array.isArray(meshes) ? fields(meshes[Number(node.get("mesh") ?? -1)]) : fields(undefined);
  const accessors = json.get("accessors");
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  const primitives = mesh.get("primitives");
  for (const primitive of Array.isArray(primitives) ? primitives : []) {
    const position = fields(fields(primitive).get("attributes")).get("POSITION");
    const accessor = Array.isArray(accessors) ? fields(accessors[Number(position ?? -1)]) : fields(undefined);
    const [least, most] = [numbers(accessor.get("min"), 3), numbers(accessor.get("max"), 3)];
    for (let axis = 0; axis < 3; axis += 1) {
      low[axis] = Math.min(low[axis] ?? 0, least?.[axis] ?? Infinity);
      high[axis] = Math.max(high[axis] ?? 0, most?.[axis] ?? -Infinity);
    }
  }
  const between = (axis: number): readonly [center: number, size: number] => {
    const [from, to] = [low[axis] ?? 0, high[axis] ?? 0];
    return [(from + to) / 2, to - from];
  };
  const [[x, width], [y, height], [z, depth]] = [between(0), between(1), between(2)];
  if (![x, y, z, width, height, depth].every(Number.isFinite) || Math.max(width, height, depth) > 1e4) return null;
  return { center: { x, y, z }, size: { x: width, y: height, z: depth } };
}

function numbers(value: unknown, count: number): readonly number[] | undefined {
  const isGood = Array.isArray(value) && value.length === count && value.every((one) => Number.isFinite(one));
  return isGood ? value : undefined;
}

function fields(value: unknown): GltfNodeFields {
  return new Map(typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4 || 0;
}
