/**
 * A laser beam from a person to the point that the person indicates. Belongs on an entity of its own. Page:
 * docs/components/stoa-laser.md
 */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { GLIDE_M_MAX, GLIDE_MS } from "../limits.ts";
import { coloured, dispose } from "../meshes.ts";
import { color as colorOf, type Xyz } from "../values.ts";

export interface LaserSettings {
  readonly color: string;
  /** The end of the beam, in scene space. */
  readonly to: Xyz;
}

const LASER = "stoa-laser";
const DEFAULT_COLOR = "#ef4444";
const WIDTH_M = 0.008;

/** Writes the start of a beam; false if unknown. */
export type BeamStartWriter = (start: Three.Vector3) => boolean;

/** One beam. */
export class LaserBehaviour implements Behaviour<LaserSettings> {
  /** Writes the start of this beam; called once per render frame. */
  start: BeamStartWriter = () => false;

  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #from: Three.Vector3;
  readonly #to: Three.Vector3;
  readonly #wanted: Three.Vector3;
  #color = "";
  #beam: { readonly group: Three.Group; readonly stick: Three.Mesh; readonly dot: Three.Mesh } | null = null;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
    this.#from = new aframe.THREE.Vector3();
    this.#to = new aframe.THREE.Vector3();
    this.#wanted = new aframe.THREE.Vector3();
  }

  update({ color, to }: LaserSettings): void {
    this.#wanted.copy(to);
    const isFirst = this.#beam === null;
    if (this.#color !== color) this.#draw(color);
    if (isFirst || this.#to.distanceTo(this.#wanted) > GLIDE_M_MAX) this.#to.copy(this.#wanted);
  }

  /** Draws the beam. Its end arrives ten times a second and glides in between. */
  tick(_timeMs: number, deltaMs: number): void {
    if (this.#beam === null) return;
    const { group, stick, dot } = this.#beam;
    group.visible = this.start(this.#from);
    if (!group.visible) return;
    this.#to.lerp(this.#wanted, Math.min(1, (2 * deltaMs) / GLIDE_MS));
    stick.position.copy(this.#from);
    stick.lookAt(this.#to);
    stick.scale.z = Math.max(WIDTH_M, this.#from.distanceTo(this.#to));
    dot.position.copy(this.#to);
  }

  remove(): void {
    if (this.#beam === null) return;
    this.#el.removeObject3D(LASER);
    dispose(this.#beam.group);
    this.#beam = null;
    this.#color = "";
  }

  #draw(color: string): void {
    const { THREE } = this.#aframe;
    this.remove();
    this.#color = color;
    const shown = colorOf(color) ?? DEFAULT_COLOR;
    const paint = new THREE.MeshBasicMaterial({ color: shown, transparent: true, opacity: 0.75 });
    const stick = new THREE.Mesh(new THREE.BoxGeometry(WIDTH_M, WIDTH_M, 1).translate(0, 0, 0.5), paint);
    const dot = coloured(this.#aframe, new THREE.SphereGeometry(0.035, 12, 8), shown);
    const group = new THREE.Group().add(stick, dot);
    group.visible = false;
    this.#el.setObject3D(LASER, group);
    this.#beam = { group, stick, dot };
  }
}

/** Registers `stoa-laser`. */
export function registerLaser(aframe: AFrameAdapter): void {
  aframe.registerComponent<LaserSettings, LaserBehaviour>({
    name: "stoa-laser",
    schema: {
      color: { type: "string", default: DEFAULT_COLOR },
      to: { type: "vec3", default: { x: 0, y: 0, z: 0 } },
    },
    create: (el) => new LaserBehaviour(aframe, el),
  });
}
