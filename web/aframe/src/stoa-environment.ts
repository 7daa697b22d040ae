/** Sky, ground and fog. Page: docs/components/stoa-environment.md */
import type { AFrame, Behaviour, Entity, Three } from "./aframe.ts";
import { PLAIN, type Surroundings } from "./environment.ts";
import { FOG_DENSITY_MAX, GROUND_SIZE_M, SKY_RADIUS_M } from "./limits.ts";
import { dispose } from "./meshes.ts";

const SURROUNDINGS = "stoa-surroundings";

/** The surroundings of one scene. */
export class Environment implements Behaviour<Surroundings> {
  readonly #aframe: AFrame;
  readonly #el: Entity;

  constructor(aframe: AFrame, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
  }

  update(settings: Surroundings): void {
    this.remove();
    const group = new this.#aframe.THREE.Group();
    group.add(this.#sky(settings));
    if (settings.ground !== "") group.add(this.#ground(settings.ground));
    this.#el.setObject3D(SURROUNDINGS, group);
    const scene = this.#three();
    if (scene && settings.fog > 0) {
      scene.fog = new this.#aframe.THREE.FogExp2(settings.horizon, settings.fog * FOG_DENSITY_MAX);
    }
  }

  remove(): void {
    const scene = this.#three();
    if (scene) scene.fog = null;
    const group = this.#el.getObject3D(SURROUNDINGS);
    if (!group) return;
    this.#el.removeObject3D(SURROUNDINGS);
    dispose(group);
  }

  #three(): Three.Scene | null {
    const scene = this.#el.sceneEl?.object3D;
    return scene instanceof this.#aframe.THREE.Scene ? scene : null;
  }

  /** A dome, coloured per corner: its own colour on top, the horizon's from eye height down. */
  #sky({ sky, horizon }: Surroundings): Three.Mesh {
    const { THREE } = this.#aframe;
    const dome = new THREE.SphereGeometry(SKY_RADIUS_M, 24, 16);
    const positions = dome.getAttribute("position");
    const [top, rim, mixed] = [new THREE.Color(sky), new THREE.Color(horizon), new THREE.Color()];
    const colours = new Float32Array(positions.count * 3);
    for (let corner = 0; corner < positions.count; corner += 1) {
      const height = Math.max(0, positions.getY(corner) / SKY_RADIUS_M);
      mixed
        .copy(rim)
        .lerp(top, Math.min(1, height * 1.6))
        .toArray(colours, corner * 3);
    }
    dome.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    const paint = { vertexColors: true, side: THREE.BackSide, fog: false, depthWrite: false, toneMapped: false };
    const mesh = new THREE.Mesh(dome, new THREE.MeshBasicMaterial(paint));
    mesh.renderOrder = -1;
    return mesh;
  }

  /** A square, not a disc: software renderers get the depth of a fan's long thin triangles wrong, and it hides what stands on it. */
  #ground(color: string): Three.Mesh {
    const { THREE } = this.#aframe;
    const paint = new THREE.MeshStandardMaterial({ color, roughness: 1 });
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(GROUND_SIZE_M, GROUND_SIZE_M), paint);
    ground.rotation.x = -Math.PI / 2;
    // Just below zero, so that a floor laid at zero doesn't flicker.
    ground.position.y = -0.02;
    ground.receiveShadow = true;
    return ground;
  }
}

/** Makes `stoa-environment` known to A-Frame. */
export function registerEnvironment(aframe: AFrame): void {
  aframe.registerComponent<Surroundings, Environment>({
    name: "stoa-environment",
    schema: {
      sky: { type: "string", default: PLAIN.sky },
      horizon: { type: "string", default: PLAIN.horizon },
      ground: { type: "string", default: PLAIN.ground },
      fog: { type: "number", default: PLAIN.fog },
    },
    create: (el) => new Environment(aframe, el),
  });
}
