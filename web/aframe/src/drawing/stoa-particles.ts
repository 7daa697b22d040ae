/** Particle systems such as sparks, smoke or snow. Page: docs/components/stoa-particles.md */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { ObjectTextureLoader, type RequestedTexture } from "../assets/queued-texture.ts";
import type { SceneLibraryLookup } from "../assets/scene-libraries.ts";
import type { ParticleSettings } from "../mapping/particles.ts";
import { dispose } from "../meshes.ts";
import { PARTICLE_FRAGMENT, PARTICLE_VERTEX } from "./particle-shader.ts";
import { RAMP_KEYS, ramp } from "./ramp.ts";

export interface ParticlesProps {
  readonly particles: ParticleSettings | null;
}

const PARTICLES = "stoa-particles";
const SHAPES: Readonly<Record<string, number>> = { box: 1, sphere: 2, disc: 3 };

/** One emitter: one draw call, computed on the GPU. */
export class ParticlesBehaviour implements Behaviour<ParticlesProps> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #queue: ObjectTextureLoader;
  #taken: RequestedTexture | null = null;
  #material: Three.ShaderMaterial | null = null;

  constructor(aframe: AFrameAdapter, el: Entity, libraryOf: SceneLibraryLookup) {
    this.#aframe = aframe;
    this.#el = el;
    this.#queue = new ObjectTextureLoader(aframe, el, libraryOf);
  }

  update({ particles }: ParticlesProps): void {
    const before = this.#taken;
    this.#taken = null;
    this.remove();
    this.#draw(particles);
    // Released last, so that a picture used again stays loaded.
    before?.release();
  }

  #draw(particles: ParticleSettings | null): void {
    if (!particles || particles.particleCount < 1) return;
    const { THREE } = this.#aframe;
    const material = makeMaterial(this.#aframe, particles);
    const points = new THREE.Points(numbered(this.#aframe, particles), material);
    points.frustumCulled = particles.frustumCulled;
    points.raycast = () => undefined;
    points.onBeforeRender = (renderer) => {
      if (material.uniforms.pixels) material.uniforms.pixels.value = renderer.getPixelRatio();
    };
    this.#material = material;
    this.#el.setObject3D(PARTICLES, points);
    if (particles.texture !== "") this.#loadPicture(particles.texture, material);
  }

  tick(_timeMs: number, deltaMs: number): void {
    const time = this.#material?.uniforms.time;
    if (time) time.value += Math.min(deltaMs, 100) / 1_000;
  }

  remove(): void {
    this.#taken?.release();
    this.#taken = null;
    this.#queue.clear();
    this.#material = null;
    const points = this.#el.getObject3D(PARTICLES);
    if (!points) return;
    this.#el.removeObject3D(PARTICLES);
    dispose(points);
  }

  #loadPicture(url: string, material: Three.ShaderMaterial): void {
    const taken = this.#queue.take(url, () => {
      const { picture: there, pictured } = material.uniforms;
      if (there && pictured) [there.value, pictured.value] = [taken.texture, 1];
    });
    taken.texture.colorSpace = this.#aframe.THREE.SRGBColorSpace;
    this.#taken = taken;
  }
}

/** Points that carry only their numbers; the shader computes positions. */
function numbered(
  { THREE }: AFrameAdapter,
  { particleCount, activeMultiplier, radius }: ParticleSettings,
): Three.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  const count = Math.max(1, Math.round(particleCount));
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(count * 3), 3));
  geometry.setAttribute(
    "number",
    new THREE.BufferAttribute(
      Float32Array.from({ length: count }, (_, at) => at),
      1,
    ),
  );
  geometry.setDrawRange(0, Math.round(count * activeMultiplier));
  geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), radius + 10);
  return geometry;
}

function makeMaterial(aframe: AFrameAdapter, all: ParticleSettings): Three.ShaderMaterial {
  const { THREE } = aframe;
  const values: Record<string, unknown> = { ...moving(aframe, all), ...looking(aframe, all) };
  const uniforms = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
  return new THREE.ShaderMaterial({
    uniforms: { ...THREE.UniformsUtils.clone(THREE.UniformsLib.fog), ...uniforms },
    vertexShader: PARTICLE_VERTEX,
    fragmentShader: PARTICLE_FRAGMENT,
    fog: all.affectedByFog,
    transparent: all.useTransparency,
    depthTest: all.depthTest,
    depthWrite: all.depthWrite,
    ...mixing(aframe, all.blending),
  });
}

/** Uniforms of particle movement. */
function moving({ THREE }: AFrameAdapter, all: ParticleSettings): Record<string, unknown> {
  const shape = (own: string): number => SHAPES[own] ?? SHAPES[all.distribution] ?? 1;
  const vector = ({ x, y, z }: { x: number; y: number; z: number }): Three.Vector3 => new THREE.Vector3(x, y, z);
  const anew = [all.randomizePosition, all.randomizeVelocity, all.randomizeAcceleration, all.randomizeDrag].map(Number);
  return {
    time: 0,
    count: Math.max(1, Math.round(all.particleCount)),
    duration: all.duration,
    enabled: all.enabled ? 1 : 0,
    backward: all.direction === "backward" ? 1 : 0,
    age: new THREE.Vector2(all.maxAge, all.maxAgeSpread),
    drag: new THREE.Vector2(all.drag, all.dragSpread),
    wiggle: new THREE.Vector2(all.wiggle, all.wiggleSpread),
    shapes: vector({
      x: shape(all.positionDistribution),
      y: shape(all.velocityDistribution),
      z: shape(all.accelerationDistribution),
    }),
    radius: all.radius,
    radiusScale: vector(all.radiusScale),
    offset: vector(all.positionOffset),
    offsetSpread: vector(all.positionSpread),
    velocity: vector(all.velocity),
    velocitySpread: vector(all.velocitySpread),
    acceleration: vector(all.acceleration),
    accelerationSpread: vector(all.accelerationSpread),
    anew: new THREE.Vector4(...anew),
  };
}

/** Uniforms of particle appearance. */
function looking({ THREE }: AFrameAdapter, all: ParticleSettings): Record<string, unknown> {
  const four = (values: readonly number[]): Three.Vector4 => new THREE.Vector4(...ramp(values));
  const inks = all.color.map((one) => new THREE.Color(one));
  const along = (of: (at: number) => readonly number[]): Three.Vector3[] => {
    const [x, y, z] = [0, 1, 2].map((axis) => ramp(of(axis)));
    return Array.from({ length: RAMP_KEYS }, (_, key) => new THREE.Vector3(x?.[key], y?.[key], z?.[key]));
  };
  const { x, y } = all.textureFrames;
  const frames = new THREE.Vector2(Math.max(1, Math.round(x)), Math.max(1, Math.round(y)));
  const anew = [all.randomizeSize, all.randomizeColor, all.randomizeOpacity, all.randomizeAngle].map(Number);
  return {
    inks: along((axis) => inks.map(({ r, g, b }) => [r, g, b][axis] ?? 0)),
    inkSpreads: along((axis) => all.colorSpread.map((one) => [one.x, one.y, one.z][axis] ?? 0)),
    opacity: four(all.opacity),
    opacitySpread: four(all.opacitySpread),
    size: four(all.size),
    sizeSpread: four(all.sizeSpread),
    angle: four(all.angle),
    angleSpread: four(all.angleSpread),
    anewToo: new THREE.Vector4(...anew),
    scale: all.emitterScale,
    perspective: all.hasPerspective ? 1 : 0,
    pixels: 1,
    picture: null,
    pictured: 0,
    frames,
    frameCount: all.textureFrameCount > 0 ? all.textureFrameCount : frames.x * frames.y,
    frameLoop: Math.max(1, all.textureFrameLoop),
    alphaTest: all.alphaTest,
  };
}

function mixing(
  { THREE }: AFrameAdapter,
  blending: string,
): { blending: Three.Blending; premultipliedAlpha?: boolean } {
  switch (blending) {
    case "no":
      return { blending: THREE.NoBlending };
    case "additive":
      return { blending: THREE.AdditiveBlending };
    case "subtractive":
      return { blending: THREE.SubtractiveBlending, premultipliedAlpha: true };
    case "multiply":
      return { blending: THREE.MultiplyBlending, premultipliedAlpha: true };
    default:
      return { blending: THREE.NormalBlending };
  }
}

/** Registers `stoa-particles`. */
export function registerParticles(aframe: AFrameAdapter, libraryOf: SceneLibraryLookup): void {
  aframe.registerComponent<ParticlesProps, ParticlesBehaviour>({
    name: PARTICLES,
    schema: { particles: { type: "plain", default: null } },
    create: (el) => new ParticlesBehaviour(aframe, el, libraryOf),
  });
}
