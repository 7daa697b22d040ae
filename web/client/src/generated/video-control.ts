// Generated from spec/objects/video-control.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A video that starts and stops by clicks. */
export interface VideoControl {
  /** Whether everybody may start it. Default `true`. */
  readonly anyone_clicks?: boolean;
  /** Whether it plays by itself. Default `false`. */
  readonly autoplay?: boolean;
  /** Whether the picture returns at the end. Default `true`. */
  readonly cleanup?: boolean;
  /** Address of the picture that is shown before it plays. */
  readonly frame_object?: string;
  /** Whether it begins anew at its end. Default `true`. */
  readonly video_loop?: boolean;
  /** Id of the object that shows the video. */
  readonly video_object?: string;
  /** Address of the video. */
  readonly video_path?: string;
  /** Loudness; 1 is that of the file. Range: at least 0. Default `1`. */
  readonly volume?: number;
}

/** The schema's description of each attribute of {@link VideoControl}. */
export const videoControlAttributes: Group = {
  attributes: {
    anyone_clicks: { shape: { kind: "boolean" }, default: true },
    autoplay: { shape: { kind: "boolean" }, default: false },
    cleanup: { shape: { kind: "boolean" }, default: true },
    frame_object: { shape: { kind: "text" }, format: "uri-reference", required: true },
    video_loop: { shape: { kind: "boolean" }, default: true },
    video_object: { shape: { kind: "text" }, required: true, reference: true },
    video_path: { shape: { kind: "text" }, format: "uri-reference", required: true },
    volume: { shape: { kind: "number", minimum: 0 }, default: 1 },
  },
  prefixes: {
  },
};
