// Generated from spec/objects/videosphere.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A sphere seen from inside, with a video around the viewer. */
export interface VideoSphere extends AnyObject {
  readonly object_type: "videosphere";
  /** Whether it plays by itself. Default `true`. */
  readonly autoplay?: boolean;
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** The CORS setting with which the file is fetched. Default `"anonymous"`. */
  readonly crossOrigin?: string;
  /** Whether it begins anew at its end. Default `true`. */
  readonly loop?: boolean;
  /** Distance from the centre to the surface. In metres. Range: at least 0. Default `500`. */
  readonly radius?: number;
  /** Into how many parts the mesh is cut from pole to pole. Range: at least 1. Default `32`. */
  readonly segmentsHeight?: number;
  /** Into how many parts the mesh is cut around the vertical axis. Range: at least 1. Default `64`. */
  readonly segmentsWidth?: number;
  /** Address of the video or picture that is shown on the inside. */
  readonly src?: string;
}

/** The schema's description of each attribute of {@link VideoSphere}. */
export const videosphereAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    autoplay: { shape: { kind: "boolean" }, default: true },
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    crossOrigin: { shape: { kind: "text" }, default: "anonymous" },
    loop: { shape: { kind: "boolean" }, default: true },
    radius: { shape: { kind: "number", minimum: 0 }, default: 500, unit: "metres", required: true },
    segmentsHeight: { shape: { kind: "integer", minimum: 1 }, default: 32 },
    segmentsWidth: { shape: { kind: "integer", minimum: 1 }, default: 64 },
    src: { shape: { kind: "text" }, format: "uri-reference" },
  },
  prefixes: {
  },
};
