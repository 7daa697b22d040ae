/** A polyline with a width in pixels or metres. Page: docs/components/stoa-thickline.md */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { dispose } from "../meshes.ts";
import type { Xyz } from "../values.ts";

export interface ThicklineSettings {
  readonly points: readonly Xyz[];
  readonly color: string;
  /** In CSS pixels or, with `inSpace`, in metres. */
  readonly width: number;
  /** Name of the width profile along the line. */
  readonly styler: string;
  readonly inSpace: boolean;
}

const LINE = "stoa-thickline";

/** Relative width by the relative index of the point, 0 at the first and 1 at the last, independent of distances. */
const STYLERS: Readonly<Record<string, (share: number) => number>> = {
  grow: (share) => share,
  shrink: (share) => 1 - share,
  "center-sharp": (share) => 1 - Math.abs(2 * share - 1),
  "center-smooth": (share) => Math.sin(share * Math.PI),
  "sine-wave": (share) => 0.5 + 0.5 * Math.sin((share - 0.5) * 20 * Math.PI),
};

/** Relative width of a named profile at a relative index of the point; an unknown name means constant width. */
export function widthAt(styler: string, share: number): number {
  return Object.hasOwn(STYLERS, styler) ? (STYLERS[styler]?.(share) ?? 1) : 1;
}

/** One line. */
export class ThicklineBehaviour implements Behaviour<ThicklineSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
  }

  update(settings: ThicklineSettings): void {
    this.remove();
    if (settings.points.length < 2) return;
    const { THREE } = this.#aframe;
    const viewport = new THREE.Vector4();
    const material = lineMaterial(this.#aframe, settings);
    const mesh = new THREE.Mesh(ribbon(this.#aframe, settings), material);
    mesh.raycast = () => undefined;
    // Each eye of a headset has its own viewport, and a screen may have more device pixels than CSS pixels.
    mesh.onBeforeRender = (renderer) => {
      renderer.getCurrentViewport(viewport);
      material.uniforms.screen?.value.set(viewport.z, viewport.w);
      const pixels = renderer.xr.isPresenting ? 1 : renderer.getPixelRatio();
      if (material.uniforms.pixels) material.uniforms.pixels.value = pixels;
      material.uniformsNeedUpdate = true;
    };
    this.#el.setObject3D(LINE, mesh);
  }

  remove(): void {
    const mesh = this.#el.getObject3D(LINE);
    if (!mesh) return;
    this.#el.removeObject3D(LINE);
    dispose(mesh);
  }
}

/** Two vertices per point. The shader moves them apart, perpendicular to the line on screen. */
function ribbon({ THREE }: AFrameAdapter, { points, styler }: ThicklineSettings): Three.BufferGeometry {
  const count = points.length;
  const [position, before, after] = [0, 1, 2].map(() => new Float32Array(count * 6));
  const [side, share] = [new Float32Array(count * 2), new Float32Array(count * 2)];
  const indices: number[] = [];
  points.forEach((point, at) => {
    for (const edge of [0, 1]) {
      const corner = at * 2 + edge;
      const set = (array: Float32Array | undefined, { x, y, z }: Xyz): void => array?.set([x, y, z], corner * 3);
      set(position, point);
      set(before, points[at - 1] ?? point);
      set(after, points[at + 1] ?? point);
      side[corner] = edge === 0 ? 1 : -1;
      share[corner] = widthAt(styler, count === 1 ? 0 : at / (count - 1));
    }
    if (at < count - 1) indices.push(at * 2, at * 2 + 1, at * 2 + 2, at * 2 + 2, at * 2 + 1, at * 2 + 3);
  });
  const geometry = new THREE.BufferGeometry();
  for (const [name, array] of Object.entries({ position, before, after })) {
    if (array) geometry.setAttribute(name, new THREE.BufferAttribute(array, 3));
  }
  geometry.setAttribute("side", new THREE.BufferAttribute(side, 1));
  geometry.setAttribute("share", new THREE.BufferAttribute(share, 1));
  geometry.setIndex(indices);
  geometry.computeBoundingSphere();
  return geometry;
}

function lineMaterial({ THREE }: AFrameAdapter, { color, width, inSpace }: ThicklineSettings): Three.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: {
      ...THREE.UniformsUtils.clone(THREE.UniformsLib.fog),
      ink: { value: new THREE.Color(color) },
      width: { value: width },
      inSpace: { value: inSpace ? 1 : 0 },
      screen: { value: new THREE.Vector2(1, 1) },
      pixels: { value: 1 },
    },
    side: THREE.DoubleSide,
    fog: true,
    vertexShader: `
      attribute vec3 before;
      attribute vec3 after;
      attribute float side;
      attribute float share;
      uniform float width;
      uniform float inSpace;
      uniform float pixels;
      uniform vec2 screen;
      #include <fog_pars_vertex>
      vec2 onScreen(vec4 place) {
        return place.xy / max(abs(place.w), 1e-4) * screen;
      }
      void main() {
        mat4 projected = projectionMatrix * modelViewMatrix;
        vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
        vec4 here = projectionMatrix * mvPosition;
        vec2 at = onScreen(here);
        vec2 coming = at - onScreen(projected * vec4(before, 1.0));
        vec2 going = onScreen(projected * vec4(after, 1.0)) - at;
        // At an end of the line one of the two directions is only rounding error.
        vec2 way = (length(coming) > 0.05 ? normalize(coming) : vec2(0.0)) + (length(going) > 0.05 ? normalize(going) : vec2(0.0));
        way = length(way) > 0.001 ? normalize(way) : (length(going) > 0.05 ? normalize(going) : vec2(1.0, 0.0));
        vec2 across = vec2(-way.y, way.x);
        // Half the width to each side, in half pixels of the screen; a metre is scaled by the projection.
        float wide = inSpace > 0.5 ? width * projectionMatrix[1][1] * screen.y / max(here.w, 1e-4) * 0.5 : width * pixels;
        here.xy += across * side * share * wide / screen * here.w;
        gl_Position = here;
        #include <fog_vertex>
      }`,
    fragmentShader: `
      uniform vec3 ink;
      #include <fog_pars_fragment>
      void main() {
        gl_FragColor = vec4(ink, 1.0);
        #include <colorspace_fragment>
        #include <fog_fragment>
      }`,
  });
}

/** Registers `stoa-thickline`. */
export function registerThickline(aframe: AFrameAdapter): void {
  aframe.registerComponent<ThicklineSettings, ThicklineBehaviour>({
    name: LINE,
    schema: {
      points: { type: "plain", default: [] },
      color: { type: "string", default: "#000000" },
      width: { type: "number", default: 1 },
      styler: { type: "string", default: "default" },
      inSpace: { type: "boolean", default: false },
    },
    create: (el) => new ThicklineBehaviour(aframe, el),
  });
}
