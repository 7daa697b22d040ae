// Generated from spec/objects/sao.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Shadows in corners, the older way. */
export interface Sao {
  /** Resolution at which the effect is computed. In px. Range: at least 0. Default `256`. */
  readonly resolution?: number;
  /** Offset against shadows on flat faces. Default `0.5`. */
  readonly saoBias?: number;
  /** Whether the shadows are blurred. Default `true`. */
  readonly saoBlur?: boolean;
  /** Difference of depth that ends the blur. Default `0.01`. */
  readonly saoBlurDepthCutoff?: number;
  /** Radius of their blur. Default `8`. */
  readonly saoBlurRadius?: number;
  /** Standard deviation of the blur. Default `4`. */
  readonly saoBlurStdDev?: number;
  /** Darkness of the shadows. Default `0.18`. */
  readonly saoIntensity?: number;
  /** Radius around a point that is sampled. Range: at least 0. Default `100`. */
  readonly saoKernelRadius?: number;
  /** Least resolution that is looked at. Range: at least 0. Default `0`. */
  readonly saoMinResolution?: number;
  /** Scale of distances. Default `1`. */
  readonly saoScale?: number;
  /** Whether depths come from a texture. Default `false`. */
  readonly useDepthTexture?: boolean;
  /** Whether normals are drawn for it. Default `false`. */
  readonly useNormals?: boolean;
}

/** The schema's description of each attribute of {@link Sao}. */
export const saoAttributes: Group = {
  attributes: {
    resolution: { shape: { kind: "number", minimum: 0 }, default: 256, unit: "px", required: true },
    saoBias: { shape: { kind: "number" }, default: 0.5 },
    saoBlur: { shape: { kind: "boolean" }, default: true },
    saoBlurDepthCutoff: { shape: { kind: "number" }, default: 0.01 },
    saoBlurRadius: { shape: { kind: "number" }, default: 8, cap: 64 },
    saoBlurStdDev: { shape: { kind: "number" }, default: 4 },
    saoIntensity: { shape: { kind: "number" }, default: 0.18 },
    saoKernelRadius: { shape: { kind: "number", minimum: 0 }, default: 100 },
    saoMinResolution: { shape: { kind: "number", minimum: 0 }, default: 0 },
    saoScale: { shape: { kind: "number" }, default: 1 },
    useDepthTexture: { shape: { kind: "boolean" }, default: false, required: true },
    useNormals: { shape: { kind: "boolean" }, default: false, required: true },
  },
  prefixes: {
  },
};
