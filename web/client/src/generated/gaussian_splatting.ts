// Generated from spec/objects/gaussian_splatting.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A cloud of Gaussian splats. */
export interface GaussianSplatting extends AnyObject {
  readonly object_type: "gaussian_splatting";
  /** Id of an object whose box limits the drawn part. Default `""`. */
  readonly cutoutEntity?: string;
  /** Pixels that are drawn for each pixel of the screen. Range: at least 0. Default `1.0`. */
  readonly pixelRatio?: number;
  /** Address of the splat file. */
  readonly src?: string;
  /** Pixels drawn for each pixel of the screen in VR and AR. Range: at least 0. Default `0.5`. */
  readonly xrPixelRatio?: number;
}

/** The schema's description of each attribute of {@link GaussianSplatting}. */
export const gaussianSplattingAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    cutoutEntity: { shape: { kind: "text" }, default: "", reference: true },
    pixelRatio: { shape: { kind: "number", minimum: 0 }, default: 1.0 },
    src: { shape: { kind: "text" }, format: "uri-reference", required: true },
    xrPixelRatio: { shape: { kind: "number", minimum: 0 }, default: 0.5 },
  },
  prefixes: {
  },
};
