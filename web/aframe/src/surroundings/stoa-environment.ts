/** Renders sky, light, fog, ground and dressing. Page: docs/components/stoa-environment.md */
import { type AFrameAdapter, type Behaviour, type Entity, lightAgain, makeEntity, type Three } from "../aframe.ts";
import { dispose } from "../meshes.ts";
import { dressingMeshes } from "./dressing.ts";
import { PLAIN, type Surroundings } from "./environment.ts";
import { groundMesh } from "./ground-mesh.ts";
import { skyColors, skyDome, sunHeight } from "./sky-dome.ts";
import { TerrainHeightMap } from "./terrain.ts";

const SURROUNDINGS = "stoa-surroundings";

export interface EnvironmentSettings {
  readonly surroundings: Surroundings;
}

/** The surroundings of one scene. */
export class EnvironmentBehaviour implements Behaviour<EnvironmentSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #eyes: Three.Vector3;
  readonly #listening = new AbortController();
  #surroundings: Surroundings = PLAIN;
  #terrain: TerrainHeightMap | null = null;
  #sky: Three.Object3D | null = null;
  #lights: readonly Entity[] = [];

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
    this.#eyes = new aframe.THREE.Vector3();
    const { signal } = this.#listening;
    for (const type of ["enter-vr", "exit-vr"])
      el.sceneEl?.addEventListener(type, () => this.#showOrHide(), { signal });
  }

  /** Height of the ground at a position, in metres; `null` without ground. */
  heightAt(x: number, z: number): number | null {
    return this.#terrain?.heightAt(x, z) ?? null;
  }

  update({ surroundings }: EnvironmentSettings): void {
    this.#clear();
    this.#surroundings = surroundings;
    const aframe = this.#aframe;
    const group = new aframe.THREE.Group();
    if (surroundings.skyType !== "none") {
      this.#sky = skyDome(aframe, surroundings, surroundings.stageM);
      group.add(this.#sky);
    }
    if (surroundings.ground.shape !== "none") {
      this.#terrain = new TerrainHeightMap(surroundings);
      group.add(groundMesh(aframe, surroundings, this.#terrain, this.#el.ownerDocument));
    }
    group.add(dressingMeshes(aframe, surroundings, this.#terrain));
    this.#el.setObject3D(SURROUNDINGS, group);
    const lit = surroundings.lighting !== "none";
    this.#lights = lit ? this.#light(surroundings) : [];
    if (!lit && this.#el.sceneEl?.hasLoaded) lightAgain(this.#el.sceneEl);
    this.#showOrHide();
  }

  /** Keeps the sky centred on the camera horizontally. */
  tick(): void {
    const camera = this.#el.sceneEl?.camera;
    if (!camera || !this.#sky) return;
    camera.getWorldPosition(this.#eyes);
    this.#sky.position.set(this.#eyes.x, 0, this.#eyes.z);
  }

  remove(): void {
    this.#listening.abort();
    this.#clear();
  }

  #clear(): void {
    const scene = this.#three();
    if (scene) scene.fog = null;
    this.#terrain = null;
    this.#sky = null;
    for (const light of this.#lights) light.remove();
    this.#lights = [];
    const group = this.#el.getObject3D(SURROUNDINGS);
    if (!group) return;
    this.#el.removeObject3D(SURROUNDINGS);
    dispose(group);
  }

  #three(): Three.Scene | null {
    const scene = this.#el.sceneEl?.object3D;
    return scene instanceof this.#aframe.THREE.Scene ? scene : null;
  }

  /** Hides all except the lights in AR, where the real room surrounds the user, unless `hideInAR` is false. */
  #showOrHide(): void {
    const hidden = this.#surroundings.hideInAr && this.#el.sceneEl?.is("ar-mode") === true;
    const group = this.#el.getObject3D(SURROUNDINGS);
    if (group) group.visible = !hidden;
    const scene = this.#three();
    if (scene) scene.fog = hidden ? null : this.#fog();
  }

  #fog(): Three.Fog | null {
    const { fog, stageM, ground } = this.#surroundings;
    if (fog <= 0) return null;
    const [, rim] = skyColors(this.#aframe, this.#surroundings);
    const { THREE } = this.#aframe;
    const color = ground.shape === "none" ? rim : rim.lerp(new THREE.Color(ground.color), 0.15);
    return new THREE.Fog(color, 1, (1.01 - fog) * stageM * 2);
  }

  /** Lights are entities, because A-Frame removes its default lights only for those. */
  #light(surroundings: Surroundings): readonly Entity[] {
    const { skyType, sky, ground, light, lighting } = surroundings;
    const { THREE } = this.#aframe;
    const airy = skyType === "atmosphere";
    const intensity = airy ? Math.max(0.12, 0.314 + sunHeight(surroundings) * 1.57) : 1.884;
    const above = airy ? "#cee4f0" : `#${new THREE.Color(sky).lerp(new THREE.Color("#ffffff"), 0.5).getHexString()}`;
    const dome = { type: "hemisphere", color: above, groundColor: ground.color, intensity };
    const type = lighting === "point" ? "point" : "directional";
    const sun = { type, intensity, ...(type === "point" ? { decay: 0 } : {}) };
    return [this.#lamp(dome, { x: 0, y: 50, z: 0 }), this.#lamp(sun, light)];
  }

  #lamp(light: Readonly<Record<string, unknown>>, position: object): Entity {
    const lamp = makeEntity(this.#el.ownerDocument);
    lamp.setAttribute("light", light);
    lamp.setAttribute("position", position);
    this.#el.append(lamp);
    return lamp;
  }
}

/** Registers `stoa-environment`. */
export function registerEnvironment(aframe: AFrameAdapter): void {
  aframe.registerComponent<EnvironmentSettings, EnvironmentBehaviour>({
    name: "stoa-environment",
    schema: { surroundings: { type: "plain", default: PLAIN } },
    create: (el) => new EnvironmentBehaviour(aframe, el),
  });
}
