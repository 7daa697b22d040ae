// Generated from spec/objects/armarker.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A marker in the real world that ties the scene to it. */
export interface ArMarker {
  /** Whether editors of the scene may move it. Default `false`. */
  readonly buildable?: boolean;
  /** Whether it moves, and moves the objects fixed to it. Default `false`. */
  readonly dynamic?: boolean;
  /** Height above sea level. In metres. Default `0`. */
  readonly ele?: number;
  /** Latitude. In degrees. Range: -90 to 90. Default `0`. */
  readonly lat?: number;
  /** Longitude. In degrees. Range: -180 to 180. Default `0`. */
  readonly long?: number;
  /** Id of the marker: a text or a number. Default `"0"`. */
  readonly markerid?: string | number;
  /** Kind of marker. Default `"apriltag_36h11"`. */
  readonly markertype?: "apriltag_36h11" | "lightanchor" | "uwb" | "vive" | "optitrack";
  /** Whether its detections are published. Default `false`. */
  readonly publish?: boolean;
  /** Length of an edge. In mm. Range: at least 0. Default `150`. */
  readonly size?: number;
  /** Address that belongs to the marker. */
  readonly url?: string;
}

/** The schema's description of each attribute of {@link ArMarker}. */
export const armarkerAttributes: Group = {
  attributes: {
    buildable: { shape: { kind: "boolean" }, default: false, required: true },
    dynamic: { shape: { kind: "boolean" }, default: false, required: true },
    ele: { shape: { kind: "number" }, default: 0, unit: "metres" },
    lat: { shape: { kind: "number", minimum: -90, maximum: 90 }, default: 0, unit: "degrees" },
    long: { shape: { kind: "number", minimum: -180, maximum: 180 }, default: 0, unit: "degrees" },
    markerid: { shape: { kind: "choice", shapes: [{ kind: "text" }, { kind: "number" }] }, default: "0", required: true },
    markertype: { shape: { kind: "text", values: ["apriltag_36h11", "lightanchor", "uwb", "vive", "optitrack"] }, default: "apriltag_36h11", required: true },
    publish: { shape: { kind: "boolean" }, default: false },
    size: { shape: { kind: "number", minimum: 0 }, default: 150, unit: "mm", required: true },
    url: { shape: { kind: "text" }, format: "uri-reference" },
  },
  prefixes: {
  },
};
