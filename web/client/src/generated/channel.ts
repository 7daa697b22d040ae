// Generated from spec/objects/channel.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A topic that a program reads or writes. */
export interface Channel {
  /** Whether it is read, written, or both. */
  readonly mode?: "r" | "w" | "rw";
  /** Further settings, such as `topic`. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Path under which the program opens it. */
  readonly path?: string;
  /** Whether it is a topic or a socket. Default `"pubsub"`. */
  readonly type?: "pubsub" | "client";
}

/** The schema's description of each attribute of {@link Channel}. */
export const channelAttributes: Group = {
  attributes: {
    mode: { shape: { kind: "text", values: ["r", "w", "rw"] } },
    params: { shape: { kind: "object" } },
    path: { shape: { kind: "text" } },
    type: { shape: { kind: "text", values: ["pubsub", "client"] }, default: "pubsub" },
  },
  prefixes: {
  },
};
