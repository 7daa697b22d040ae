// Generated from spec/objects/openvps.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Localisation by pictures. */
export interface OpenVps {
  /** Whether pictures are sent to find where people are. Default `false`. */
  readonly enabled?: boolean;
  /** Address of the picture service. Default `""`. */
  readonly imageUrl?: string;
  /** Quality of the picture's compression. Range: 0 to 1. Default `0.8`. */
  readonly imgQuality?: number;
  /** Time between two pictures. In ms. Range: at least 0. Default `5000`. */
  readonly interval?: number;
  /** Address of the mesh of the place. Default `""`. */
  readonly meshUrl?: string;
}

/** The schema's description of each attribute of {@link OpenVps}. */
export const openvpsAttributes: Group = {
  attributes: {
    enabled: { shape: { kind: "boolean" }, default: false, required: true },
    imageUrl: { shape: { kind: "text" }, default: "", format: "uri-reference" },
    imgQuality: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0.8 },
    interval: { shape: { kind: "number", minimum: 0 }, default: 5000, unit: "ms" },
    meshUrl: { shape: { kind: "text" }, default: "", format: "uri-reference" },
  },
  prefixes: {
  },
};
