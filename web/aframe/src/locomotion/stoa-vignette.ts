/**
 * Darkens the edge of the view during movement, against motion sickness. Belongs on the camera. Page:
 * docs/components/stoa-vignette.md
 */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { VIGNETTE_MS } from "../limits.ts";
import { dispose } from "../meshes.ts";

export interface VignetteSettings {
  /** Darkness, 0 to 1; 0 disables it. */
  readonly strength: number;
}

const RING = "stoa-vignette";

/** The vignette of one camera. */
export class VignetteBehaviour implements Behaviour<VignetteSettings> {
  /** Whether the user moves continuously; called once per render frame. */
  isGliding: () => boolean = () => false;

  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  #strength = 0;
  #shown = 0;
  #material: Three.MeshBasicMaterial | null = null;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
  }

  /** Current darkness. */
  get darkness(): number {
    return this.#shown * this.#strength;
  }

  update({ strength }: VignetteSettings): void {
    this.#strength = Math.min(1, Math.max(0, strength));
    if (this.#strength > 0 && this.#material === null) this.#draw();
    if (this.#strength === 0) this.remove();
  }

  tick(_timeMs: number, deltaMs: number): void {
    const material = this.#material;
    if (material === null) return;
    const sign = this.isGliding() ? 1 : -1;
    this.#shown = Math.min(1, Math.max(0, this.#shown + (sign * deltaMs) / VIGNETTE_MS));
    material.opacity = this.darkness;
    const ring = this.#el.getObject3D(RING);
    if (ring) ring.visible = this.#shown > 0;
  }

  remove(): void {
    const ring = this.#el.getObject3D(RING);
    this.#material = null;
    this.#shown = 0;
    if (!ring) return;
    this.#el.removeObject3D(RING);
    dispose(ring);
  }

  /** A ring around the line of sight, transparent at the centre and black at the edge; drawn over everything. */
  #draw(): void {
    const { THREE } = this.#aframe;
    const ring = new THREE.RingGeometry(0.16, 1.6, 48, 4);
    const places = ring.getAttribute("position");
    const colours = new Float32Array(places.count * 4);
    for (let corner = 0; corner < places.count; corner += 1) {
      const radius = Math.hypot(places.getX(corner), places.getY(corner));
      colours[corner * 4 + 3] = Math.min(1, (radius - 0.16) / 0.2);
    }
    ring.setAttribute("color", new THREE.BufferAttribute(colours, 4));
    const paint = {
      vertexColors: true,
      transparent: true,
      opacity: 0,
      depthTest: false,
      depthWrite: false,
      fog: false,
    };
    this.#material = new THREE.MeshBasicMaterial(paint);
    const mesh = new THREE.Mesh(ring, this.#material);
    mesh.position.z = -0.25;
    mesh.renderOrder = 1_000;
    mesh.visible = false;
    this.#el.setObject3D(RING, mesh);
  }
}

/** Registers `stoa-vignette`. */
export function registerVignette(aframe: AFrameAdapter): void {
  aframe.registerComponent<VignetteSettings, VignetteBehaviour>({
    name: "stoa-vignette",
    schema: { strength: { type: "number", default: 0 } },
    create: (el) => new VignetteBehaviour(aframe, el),
  });
}
