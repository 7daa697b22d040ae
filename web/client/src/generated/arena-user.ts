// Generated from spec/objects/arena-user.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A person's identity, at their camera. */
export interface ArenaUser {
  /** Colour of the person's name and head. */
  readonly color?: string;
  /** Display name. Default `""`. */
  readonly displayName?: string;
  /** Whether the microphone is on. Default `false`. */
  readonly hasAudio?: boolean;
  /** Whether the face is tracked. Default `false`. */
  readonly hasAvatar?: boolean;
  /** Whether the camera is on. Default `false`. */
  readonly hasVideo?: boolean;
  /** Address of the head's glTF file. Default `"/static/models/avatars/robobit.glb"`. */
  readonly headModelPath?: string;
  /** Id of the person's connection to Jitsi. Default `""`. */
  readonly jitsiId?: string;
  /** Presence of the person in the scene. Default `"Standard"`. */
  readonly presence?: "Standard" | "Portal";
}

/** The schema's description of each attribute of {@link ArenaUser}. */
export const arenaUserAttributes: Group = {
  attributes: {
    color: { shape: { kind: "text" }, format: "color" },
    displayName: { shape: { kind: "text" }, default: "", required: true },
    hasAudio: { shape: { kind: "boolean" }, default: false },
    hasAvatar: { shape: { kind: "boolean" }, default: false },
    hasVideo: { shape: { kind: "boolean" }, default: false },
    headModelPath: { shape: { kind: "text" }, default: "/static/models/avatars/robobit.glb", format: "uri-reference", required: true },
    jitsiId: { shape: { kind: "text" }, default: "" },
    presence: { shape: { kind: "text", values: ["Standard", "Portal"] }, default: "Standard" },
  },
  prefixes: {
  },
};
