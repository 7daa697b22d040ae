// Generated from spec/objects/arena-message.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** The envelope of a message about objects. */
export interface ArenaMessage {
  /** The action on it. Default `"create"`. */
  readonly action?: "create" | "delete" | "update" | "clientEvent";
  /** The attributes. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Id of the object or person; equals token 6 of the topic. */
  readonly object_id?: string;
  /** Whether an update replaces instead of merging; write `overwrite` instead. Default `false`. @deprecated */
  readonly override?: boolean;
  /** Whether an update replaces instead of merging. Default `false`. */
  readonly overwrite?: boolean;
  /** Whether it is stored. Default `true`. */
  readonly persist?: boolean;
  /** Whether events on the object go to its program alone. Default `false`. */
  readonly private?: boolean;
  /** Id of the program that gets those events. */
  readonly program_id?: string;
  /** Time of sending, by the sender's clock; not parsed. */
  readonly timestamp?: string;
  /** Lifetime; -1 is for ever. In seconds. Range: at least -1. */
  readonly ttl?: number;
  /** Kind of message. */
  readonly type?: string;
}

/** The schema's description of each attribute of {@link ArenaMessage}. */
export const arenaMessageAttributes: Group = {
  attributes: {
    action: { shape: { kind: "text", values: ["create", "delete", "update", "clientEvent"] }, default: "create", required: true },
    data: { shape: { kind: "object" }, required: true },
    object_id: { shape: { kind: "text" }, required: true },
    override: { shape: { kind: "boolean" }, default: false, deprecated: true },
    overwrite: { shape: { kind: "boolean" }, default: false },
    persist: { shape: { kind: "boolean" }, default: true, required: true },
    private: { shape: { kind: "boolean" }, default: false },
    program_id: { shape: { kind: "text" } },
    timestamp: { shape: { kind: "text" } },
    ttl: { shape: { kind: "number", minimum: -1 }, unit: "seconds" },
    type: { shape: { kind: "text" }, required: true },
  },
  prefixes: {
  },
};
