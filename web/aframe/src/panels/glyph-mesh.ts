/** Renders a panel's text as quads with a font's atlas, in one mesh. */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { fontOf } from "../assets/fonts.ts";
import { type FontMetrics, fontMetrics, placed } from "./font-metrics.ts";
import type { TextLine } from "./layout-builder.ts";

/** A font ready for drawing. */
export interface LoadedFont {
  readonly metrics: FontMetrics;
  readonly atlas: Three.Texture;
}

/** Loads fonts by name. */
export interface FontLoader {
  load(name: string): Promise<LoadedFont>;
}

/** A cache of fonts; each is fetched once. */
export class FontCache implements FontLoader {
  readonly #aframe: AFrameAdapter;
  readonly #loaded = new Map<string, Promise<LoadedFont>>();

  constructor(aframe: AFrameAdapter) {
    this.#aframe = aframe;
  }

  /** The font for one of ARENA's names. */
  load(name: string): Promise<LoadedFont> {
    const { metrics, atlas } = fontOf(name);
    const known = this.#loaded.get(metrics);
    if (known) return known;
    const loading = this.#fetch(metrics, atlas);
    this.#loaded.set(metrics, loading);
    // After a failure the next panel retries.
    loading.catch(() => this.#loaded.delete(metrics));
    return loading;
  }

  async #fetch(metrics: string, atlas: string): Promise<LoadedFont> {
    const [answer, texture] = await Promise.all([
      fetch(metrics),
      new this.#aframe.THREE.TextureLoader().loadAsync(atlas),
    ]);
    if (!answer.ok) throw new Error(`font ${metrics} failed to load: HTTP ${answer.status}`);
    texture.anisotropy = 4;
    return { metrics: fontMetrics(await answer.json()), atlas: texture };
  }
}

/** Distance of text in front of the panel, and of text on buttons. */
export const LINE_Z_M = { flat: 0.012, raised: 0.036 } as const;

/** All lines of a panel as one mesh; raycasts ignore it. */
export function glyphMesh(aframe: AFrameAdapter, font: LoadedFont, lines: readonly TextLine[]): Three.Mesh {
  const mesh = new aframe.THREE.Mesh(quads(aframe, font.metrics, lines), glyphMaterial(aframe, font.atlas));
  mesh.raycast = () => undefined;
  return mesh;
}

function quads({ THREE }: AFrameAdapter, font: FontMetrics, lines: readonly TextLine[]): Three.BufferGeometry {
  const [places, corners, colors, indices]: [number[], number[], number[], number[]] = [[], [], [], []];
  const color = new THREE.Color();
  for (const line of lines) {
    const scale = line.size / font.em;
    const z = line.raised ? LINE_Z_M.raised : LINE_Z_M.flat;
    color.set(line.color);
    let blanks = 0;
    for (const [glyph, pen] of placed(font, line.text).glyphs) {
      if (glyph.width === 0) {
        blanks += 1;
        continue;
      }
      const left = line.x + (pen + glyph.offsetX) * scale + blanks * line.blank;
      const top = line.y - glyph.offsetY * scale;
      const [right, bottom] = [left + glyph.width * scale, top - glyph.height * scale];
      const [u0, u1] = [glyph.x / font.atlasWidth, (glyph.x + glyph.width) / font.atlasWidth];
      const [v0, v1] = [1 - glyph.y / font.atlasHeight, 1 - (glyph.y + glyph.height) / font.atlasHeight];
      const first = places.length / 3;
      places.push(left, top, z, right, top, z, right, bottom, z, left, bottom, z);
      corners.push(u0, v0, u1, v0, u1, v1, u0, v1);
      for (let corner = 0; corner < 4; corner += 1) colors.push(color.r, color.g, color.b);
      indices.push(first, first + 2, first + 1, first, first + 3, first + 2);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute("uv", new THREE.Float32BufferAttribute(corners, 2));
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 3));
  geometry.setIndex(indices);
  return geometry;
}

/** The `distanceRange` with which the atlases were generated. */
const FIELD_PIXELS = 6;

/**
 * Draws a signed distance field, whose value at a glyph's edge is one half. The shader cuts at 0.47, slightly bolder,
 * and antialiases over about one pixel.
 */
function glyphMaterial({ THREE }: AFrameAdapter, atlas: Three.Texture): Three.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: { ...THREE.UniformsUtils.clone(THREE.UniformsLib.fog), atlas: { value: atlas } },
    vertexColors: true,
    transparent: true,
    depthWrite: false,
    fog: true,
    vertexShader: `
      varying vec2 vPlace;
      varying vec3 vInk;
      #include <fog_pars_vertex>
      void main() {
        vPlace = uv;
        vInk = color;
        vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
        gl_Position = projectionMatrix * mvPosition;
        #include <fog_vertex>
      }`,
    fragmentShader: `
      uniform sampler2D atlas;
      varying vec2 vPlace;
      varying vec3 vInk;
      #include <fog_pars_fragment>
      float inkAt(vec2 place, float sharpness) {
        return clamp((texture2D(atlas, place).a - 0.47) * sharpness + 0.5, 0.0, 1.0);
      }
      void main() {
        // Screen pixels covered by the atlas's distance range of ${FIELD_PIXELS} pixels across a stroke's edge.
        vec2 texels = fwidth(vPlace) * vec2(textureSize(atlas, 0));
        float sharpness = max(${FIELD_PIXELS}.0 / max(max(texels.x, texels.y), 1e-4), 1.6);
        // Four samples per pixel: small text would lose thin strokes otherwise.
        vec2 across = dFdx(vPlace) * 0.25;
        vec2 down = dFdy(vPlace) * 0.25;
        float ink = 0.25 * (inkAt(vPlace + across + down, sharpness) + inkAt(vPlace - across + down, sharpness)
          + inkAt(vPlace + across - down, sharpness) + inkAt(vPlace - across - down, sharpness));
        if (ink < 0.02) discard;
        gl_FragColor = vec4(vInk, ink);
        #include <colorspace_fragment>
        #include <fog_fragment>
      }`,
  });
}
