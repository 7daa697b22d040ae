/** The sky: a dome with vertex colours; for the sky type `atmosphere` also a sun, stars or both. */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { STARS } from "../limits.ts";
import type { Surroundings } from "./environment.ts";
import { seeded } from "./terrain.ts";

/** Zenith and horizon colours by the sun's height, 1 at noon; interpolated in between. */
export const AIR = [
  [1, "#3f7fc4", "#c9d9e3"],
  [0.4, "#4d86c4", "#cfd9dc"],
  [0.2, "#4a6fa5", "#e3c9a8"],
  [0.08, "#2b3f6b", "#e09a5f"],
  [0, "#0f1a36", "#6b4a4e"],
  [-0.1, "#050912", "#10182b"],
] as const;

/** The sine of the sun's elevation. */
export function sunHeight({ light }: Surroundings): number {
  return light.y / (Math.hypot(light.x, light.y, light.z) || 1);
}

/** The colours of zenith and horizon. */
export function skyColors({ THREE }: AFrameAdapter, surroundings: Surroundings): readonly [Three.Color, Three.Color] {
  const { skyType, sky, horizon } = surroundings;
  if (skyType === "none") return [new THREE.Color(0), new THREE.Color(0)];
  if (skyType === "color") return [new THREE.Color(sky), new THREE.Color(sky)];
  if (skyType !== "atmosphere") return [new THREE.Color(sky), new THREE.Color(horizon)];
  const height = sunHeight(surroundings);
  const next = Math.max(
    1,
    AIR.findIndex(([at]) => at <= height),
  );
  const [above, below] = [AIR[next - 1] ?? AIR[0], AIR[next] ?? AIR[AIR.length - 1] ?? AIR[0]];
  const share = Math.max(0, Math.min(1, (height - below[0]) / (above[0] - below[0])));
  const mixed = (at: 1 | 2): Three.Color => new THREE.Color(below[at]).lerp(new THREE.Color(above[at]), share);
  return [mixed(1), mixed(2)];
}

/** The dome; for the sky type `atmosphere` with the sun, stars or both. */
export function skyDome(aframe: AFrameAdapter, surroundings: Surroundings, radiusM: number): Three.Group {
  const { THREE } = aframe;
  const group = new THREE.Group();
  const [top, rim] = skyColors(aframe, surroundings);
  group.add(dome(aframe, radiusM, top, rim));
  if (surroundings.skyType !== "atmosphere") return group;
  const height = sunHeight(surroundings);
  if (height < 0.1) group.add(stars(aframe, surroundings.seed, radiusM * 0.98));
  if (height > -0.05) group.add(sun(aframe, surroundings, radiusM * 0.97));
  return group;
}

function dome({ THREE }: AFrameAdapter, radiusM: number, top: Three.Color, rim: Three.Color): Three.Mesh {
  const shell = new THREE.SphereGeometry(radiusM, 24, 24);
  const positions = shell.getAttribute("position");
  const colours = new Float32Array(positions.count * 3);
  const mixed = new THREE.Color();
  for (let corner = 0; corner < positions.count; corner += 1) {
    const height = Math.max(0, positions.getY(corner) / radiusM);
    const share = Math.min(1, height * 1.6);
    mixed
      .copy(rim)
      .lerp(top, share)
      .toArray(colours, corner * 3);
  }
  shell.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  const paint = { vertexColors: true, side: THREE.BackSide, fog: false, depthWrite: false, toneMapped: false };
  const mesh = new THREE.Mesh(shell, new THREE.MeshBasicMaterial(paint));
  mesh.renderOrder = -1;
  return mesh;
}

function sun({ THREE }: AFrameAdapter, { light }: Surroundings, distanceM: number): Three.Mesh {
  const low = light.y / (Math.hypot(light.x, light.y, light.z) || 1) < 0.2;
  const paint = { color: low ? "#ffd9a0" : "#fffbe8", fog: false, depthWrite: false, toneMapped: false };
  const mesh = new THREE.Mesh(new THREE.CircleGeometry(distanceM * 0.025, 24), new THREE.MeshBasicMaterial(paint));
  mesh.position.set(light.x, light.y, light.z).setLength(distanceM);
  mesh.lookAt(0, 0, 0);
  mesh.renderOrder = -1;
  return mesh;
}

function stars({ THREE }: AFrameAdapter, seed: number, distanceM: number): Three.Points {
  const random = seeded(seed + 7);
  const places = new Float32Array(STARS * 3);
  for (let at = 0; at < STARS; at += 1) {
    const [turn, up] = [random() * 2 * Math.PI, random()];
    const flat = Math.sqrt(1 - up * up);
    places.set([flat * Math.cos(turn) * distanceM, up * distanceM, flat * Math.sin(turn) * distanceM], at * 3);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(places, 3));
  const paint = { color: "#cfd6e6", size: 1.6, sizeAttenuation: false, fog: false, depthWrite: false };
  const points = new THREE.Points(geometry, new THREE.PointsMaterial(paint));
  points.renderOrder = -1;
  return points;
}
