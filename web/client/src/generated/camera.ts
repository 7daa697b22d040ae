// Generated from spec/objects/camera.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";
import { type ArenaUser, arenaUserAttributes } from "./arena-user.ts";
import { type StoaUser, stoaUserAttributes } from "./stoa-user.ts";

/** A person's view: where the head is and how it is turned. */
export interface Camera extends AnyObject {
  readonly object_type: "camera";
  /** The person's identity. */
  readonly "arena-user"?: ArenaUser;
  /** Ids of the objects in the person's selection, shown to other editors. Default `[]`. */
  readonly holds?: readonly (string)[];
  /** The person's gestures. */
  readonly "stoa-user"?: StoaUser;
}

/** The schema's description of each attribute of {@link Camera}. */
export const cameraAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    "arena-user": { shape: { kind: "group", group: arenaUserAttributes } },
    holds: { shape: { kind: "array", items: { kind: "text" } }, default: [] },
    "stoa-user": { shape: { kind: "group", group: stoaUserAttributes } },
  },
  prefixes: {
  },
};
