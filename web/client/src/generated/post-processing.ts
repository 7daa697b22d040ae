// Generated from spec/objects/post-processing.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Bloom, bloomAttributes } from "./bloom.ts";
import { type Fxaa, fxaaAttributes } from "./fxaa.ts";
import { type Glitch, glitchAttributes } from "./glitch.ts";
import { type Pixel, pixelAttributes } from "./pixel.ts";
import { type Sao, saoAttributes } from "./sao.ts";
import { type Smaa, smaaAttributes } from "./smaa.ts";
import { type Ssao, ssaoAttributes } from "./ssao.ts";

/** Effects on the whole picture. */
export interface PostProcessing {
  /** Glow around bright places. */
  readonly bloom?: Bloom;
  /** Fast smoothing of edges. */
  readonly fxaa?: Fxaa;
  /** Disturbances of the picture. */
  readonly glitch?: Glitch;
  /** Coarse pixels. */
  readonly pixel?: Pixel;
  /** Shadows in corners, the older way. */
  readonly sao?: Sao;
  /** Smoothing of edges. */
  readonly smaa?: Smaa;
  /** Shadows in corners. */
  readonly ssao?: Ssao;
}

/** The schema's description of each attribute of {@link PostProcessing}. */
export const postProcessingAttributes: Group = {
  attributes: {
    bloom: { shape: { kind: "group", group: bloomAttributes } },
    fxaa: { shape: { kind: "group", group: fxaaAttributes } },
    glitch: { shape: { kind: "group", group: glitchAttributes } },
    pixel: { shape: { kind: "group", group: pixelAttributes } },
    sao: { shape: { kind: "group", group: saoAttributes } },
    smaa: { shape: { kind: "group", group: smaaAttributes } },
    ssao: { shape: { kind: "group", group: ssaoAttributes } },
  },
  prefixes: {
  },
};
