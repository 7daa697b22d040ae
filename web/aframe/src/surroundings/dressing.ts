/**
 * The dressing of the surroundings: instanced shapes, at most one metre high before scaling, for the kinds of A-Frame's
 * environment component.
 */
import type { AFrameAdapter, Three } from "../aframe.ts";
import type { Surroundings } from "./environment.ts";
import { seeded, type TerrainHeightMap } from "./terrain.ts";

type LatheProfile = readonly (readonly [radius: number, height: number])[];

/** Lathed shapes: profile from the bottom up, and the number of sides. */
const TURNED: Readonly<Record<string, readonly (readonly [sides: number, profile: LatheProfile])[]>> = {
  apparatus: [
    [
      10,
      [
        [0.1, 0],
        [0.1, 0.1],
        [0.03, 0.14],
        [0.03, 0.3],
        [0.1, 0.34],
        [0.1, 0.4],
        [0.03, 0.44],
        [0.03, 0.62],
        [0.06, 0.7],
        [0, 1],
      ],
    ],
    [
      16,
      [
        [0.15, 0],
        [0.05, 0.06],
        [0.05, 0.5],
        [0.14, 0.55],
        [0.05, 0.6],
        [0.05, 0.72],
        [0.2, 0.76],
        [0.42, 0.9],
        [0.48, 1],
        [0, 0.8],
      ],
    ],
  ],
  mushrooms: [
    [
      14,
      [
        [0.14, 0],
        [0.08, 0.1],
        [0.06, 0.62],
        [0.11, 0.72],
        [0.3, 0.77],
        [0.49, 0.75],
        [0.44, 0.86],
        [0.3, 0.95],
        [0, 1],
      ],
    ],
    [
      10,
      [
        [0.09, 0],
        [0.06, 0.04],
        [0.06, 0.16],
        [0.24, 0.17],
        [0.25, 0.25],
        [0.17, 0.38],
        [0, 0.44],
      ],
    ],
    [
      10,
      [
        [0.14, 0],
        [0.11, 0.05],
        [0.12, 0.1],
        [0.35, 0.1],
        [0.31, 0.16],
        [0.1, 0.22],
        [0, 0.23],
      ],
    ],
  ],
  towers: [
    [
      4,
      [
        [0.2, 0],
        [0.2, 0.06],
        [0.11, 0.16],
        [0.1, 0.4],
        [0.07, 0.45],
        [0.04, 0.83],
        [0.01, 0.91],
        [0, 1],
      ],
    ],
    [
      5,
      [
        [0.2, 0],
        [0.19, 0.22],
        [0.13, 0.22],
        [0.13, 0.44],
        [0.07, 0.44],
        [0.06, 0.8],
        [0, 0.8],
      ],
    ],
    [
      3,
      [
        [0.22, 0],
        [0.19, 0.9],
        [0.1, 1],
        [0, 1],
      ],
    ],
  ],
  trees: [
    [
      6,
      [
        [0.03, 0],
        [0.03, 0.04],
        [0.13, 0.05],
        [0.14, 0.1],
        [0.05, 0.16],
        [0, 0.17],
      ],
    ],
    [
      10,
      [
        [0.02, 0],
        [0.02, 0.19],
        [0.13, 0.21],
        [0.19, 0.26],
        [0.19, 0.65],
        [0.17, 0.82],
        [0.08, 0.97],
        [0, 1],
      ],
    ],
    [
      10,
      [
        [0.03, 0],
        [0.03, 0.11],
        [0.15, 0.15],
        [0.22, 0.28],
        [0.2, 0.43],
        [0.12, 0.53],
        [0, 0.57],
      ],
    ],
  ],
};

/** The boxes of a torii, a Japanese gate: x and y of the centre, width and height. */
const TORII = [
  [-0.33, 0.4, 0.09, 0.8],
  [0.33, 0.4, 0.09, 0.8],
  [0, 0.66, 0.86, 0.07],
  [0, 0.75, 0.07, 0.12],
  [0, 0.86, 1.1, 0.1],
  [0, 0.94, 1.26, 0.06],
] as const;

/** All dressing meshes; an empty group without dressing. */
export function dressingMeshes(
  aframe: AFrameAdapter,
  surroundings: Surroundings,
  terrain: TerrainHeightMap | null,
): Three.Group {
  const { THREE } = aframe;
  const { dressing, seed, stageM } = surroundings;
  const group = new THREE.Group();
  const random = seeded(seed + 11);
  const forms = formsOf(aframe, dressing.kind, random);
  if (forms.length === 0) return group;
  const places: Three.Matrix4[][] = forms.map(() => []);
  for (let at = 0; at < dressing.amount; at += 1) {
    places[Math.floor(random() * forms.length)]?.push(
      placeOf(aframe, surroundings, random, (x, z) => terrain?.heightAt(x, z) ?? 0),
    );
  }
  const material = new THREE.MeshLambertMaterial({ color: dressing.color, side: THREE.DoubleSide });
  forms.forEach((parts, form) => {
    const all = places[form] ?? [];
    for (const geometry of parts) {
      const mesh = new THREE.InstancedMesh(geometry, material, all.length);
      for (const [at, place] of all.entries()) mesh.setMatrixAt(at, place);
      // A common bounding sphere: exact bounds would need every instance's position.
      mesh.boundingSphere = new THREE.Sphere(new THREE.Vector3(), stageM * 2);
      if (all.length > 0) group.add(mesh);
      else geometry.dispose();
    }
  });
  return group;
}

/** The transform of one instance: within 15 metres of the centre, or at least ten metres away from it. */
function placeOf(
  { THREE }: AFrameAdapter,
  { dressing, stageM }: Surroundings,
  random: () => number,
  heightAt: (x: number, z: number) => number,
): Three.Matrix4 {
  const { variance, scale, uniform, onPlayArea } = dressing;
  const far = 10 + Math.max(variance.x, variance.z) + 10 * random() + (random() * stageM) / 3;
  const distance = random() < onPlayArea ? random() * 15 : far;
  const way = random() * 2 * Math.PI;
  const [x, z] = [Math.cos(way) * distance, Math.sin(way) * distance];
  const spread = Math.hypot(variance.x, variance.y, variance.z);
  const turn = new THREE.Quaternion().setFromAxisAngle(
    new THREE.Vector3(0, 1, 0),
    (random() - 0.5) * spread * 2 * Math.PI,
  );
  const alike = random();
  const size = (axis: number): number => scale + (uniform ? alike : random()) * axis;
  const stretched = new THREE.Vector3(size(variance.x), size(variance.y), size(variance.z));
  return new THREE.Matrix4().compose(new THREE.Vector3(x, heightAt(x, z) - 0.02, z), turn, stretched);
}

/** The shapes of a kind, each of one or more parts. */
function formsOf(aframe: AFrameAdapter, kind: string, random: () => number): Three.BufferGeometry[][] {
  const { THREE } = aframe;
  const raised = (geometry: Three.BufferGeometry): Three.BufferGeometry[][] => [[geometry.translate(0, 0.5, 0)]];
  switch (kind) {
    case "cubes":
      return raised(new THREE.BoxGeometry());
    case "pyramids":
      return raised(new THREE.ConeGeometry(1, 1, 4, 1, true));
    case "cylinders":
      return raised(new THREE.CylinderGeometry(0.5, 0.5, 1, 12));
    case "hexagons":
      return raised(new THREE.CylinderGeometry(0.37, 0.37, 1, 6));
    case "torii":
      return [TORII.map(([x, y, width, height]) => new THREE.BoxGeometry(width, height, 0.09).translate(x, y, 0))];
    case "arches":
      return [0.3, 0.18].map((thick) => [arch(aframe, thick)]);
    case "stones":
      return [0, 1, 2].map(() => [stone(aframe, random)]);
    default:
      return (TURNED[kind] ?? []).map(([sides, profile]) => {
        const points = profile.map(([radius, height]) => new THREE.Vector2(radius, height));
        return [new THREE.LatheGeometry(points, sides)];
      });
  }
}

/** A rock arch. */
function arch({ THREE }: AFrameAdapter, thick: number): Three.BufferGeometry {
  const shape = new THREE.Shape();
  shape.moveTo(-0.55, 0);
  shape.quadraticCurveTo(-0.6, 0.95, 0.05, 0.98);
  shape.quadraticCurveTo(0.62, 0.9, 0.5, 0);
  shape.lineTo(0.5 - thick, 0);
  shape.quadraticCurveTo(0.42 - thick / 2, 0.98 - thick, 0, 0.98 - thick * 0.7);
  shape.quadraticCurveTo(-0.45 + thick / 2, 0.95 - thick, -0.55 + thick, 0);
  return new THREE.ExtrudeGeometry(shape, { depth: 0.3, bevelEnabled: false, curveSegments: 6 }).translate(0, 0, -0.15);
}

/** A boulder, half in the ground. */
function stone({ THREE }: AFrameAdapter, random: () => number): Three.BufferGeometry {
  const geometry = new THREE.DodecahedronGeometry(0.5, 0);
  const dents = new Map<string, number>();
  const positions = geometry.getAttribute("position");
  for (let at = 0; at < positions.count; at += 1) {
    const corner = [positions.getX(at), positions.getY(at), positions.getZ(at)] as const;
    // Coincident vertices move together, or the mesh would tear.
    const key = corner.map((value) => value.toFixed(3)).join(" ");
    const dent = dents.get(key) ?? 0.75 + 0.5 * random();
    dents.set(key, dent);
    positions.setXYZ(at, corner[0] * dent, corner[1] * dent * 0.7, corner[2] * dent);
  }
  geometry.computeVertexNormals();
  return geometry;
}
