/** A water surface with waves. Page: docs/components/stoa-ocean.md */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { dispose } from "../meshes.ts";
import { seeded } from "./terrain.ts";

/** The settings of `stoa-ocean`; lengths in metres. */
export interface OceanSettings {
  readonly width: number;
  readonly depth: number;
  /** Cells along each side. */
  readonly density: number;
  readonly amplitude: number;
  readonly amplitudeVariance: number;
  /** In radians per second. */
  readonly speed: number;
  readonly speedVariance: number;
  readonly color: string;
  readonly opacity: number;
}

const WATER = "mesh";

/** One surface; each vertex oscillates with its own phase, amplitude and speed. */
export class OceanBehaviour implements Behaviour<OceanSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  #heights: Three.BufferAttribute | null = null;
  #waves = new Float32Array(0);

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
  }

  update(settings: OceanSettings): void {
    this.remove();
    const { THREE } = this.#aframe;
    const { width, depth, color, opacity, amplitude, amplitudeVariance, speed, speedVariance } = settings;
    const cells = Math.max(1, Math.round(settings.density));
    const geometry = new THREE.PlaneGeometry(width, depth, cells, cells);
    const positions = geometry.getAttribute("position");
    if (!(positions instanceof THREE.BufferAttribute)) return;
    const random = seeded(cells);
    this.#waves = new Float32Array(positions.count * 3);
    for (let at = 0; at < positions.count; at += 1) {
      const wave = [random() * 2 * Math.PI, amplitude + random() * amplitudeVariance, speed + random() * speedVariance];
      this.#waves.set(wave, at * 3);
    }
    this.#heights = positions;
    const paint = { color, opacity, transparent: opacity < 1, flatShading: true, side: THREE.DoubleSide };
    const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial(paint));
    geometry.computeBoundingSphere();
    if (geometry.boundingSphere) geometry.boundingSphere.radius += Math.abs(amplitude) + Math.abs(amplitudeVariance);
    this.#el.setObject3D(WATER, mesh);
  }

  tick(timeMs: number): void {
    const heights = this.#heights;
    if (!heights || !this.#el.object3D.visible) return;
    for (let at = 0; at < heights.count; at += 1) {
      const [angle = 0, high = 0, pace = 0] = [this.#waves[at * 3], this.#waves[at * 3 + 1], this.#waves[at * 3 + 2]];
      heights.setZ(at, Math.sin(angle + (pace * timeMs) / 1_000) * high);
    }
    heights.needsUpdate = true;
  }

  remove(): void {
    this.#heights = null;
    const mesh = this.#el.getObject3D(WATER);
    if (!mesh) return;
    this.#el.removeObject3D(WATER);
    dispose(mesh);
  }
}

/** Registers `stoa-ocean`. */
export function registerOcean(aframe: AFrameAdapter): void {
  const number = (value: number) => ({ type: "number", default: value });
  aframe.registerComponent<OceanSettings, OceanBehaviour>({
    name: "stoa-ocean",
    schema: {
      width: number(10),
      depth: number(10),
      density: number(10),
      amplitude: number(0.1),
      amplitudeVariance: number(0.3),
      speed: number(1),
      speedVariance: number(2),
      color: { type: "string", default: "#7ad2f7" },
      opacity: number(0.8),
    },
    create: (el) => new OceanBehaviour(aframe, el),
  });
}
