// Generated from spec/objects/program-run.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Status of a running program. */
export interface ProgramRun {
  /** Arguments that it was given. */
  readonly args?: string;
  /** Time of its start. */
  readonly create_time?: string;
  /** Environment that it was given. */
  readonly env?: string;
  /** File that runs. */
  readonly filename?: string;
  /** Time of its last activity. */
  readonly last_active_time?: string;
  /** Time of its last published message. */
  readonly last_pub_time?: string;
  /** Time of its last received message. */
  readonly last_rcv_time?: string;
  /** Namespace of the scene. */
  readonly namespace?: string;
  /** Number of messages it has published. Range: at least 0. */
  readonly pub_msgs?: number;
  /** Messages it publishes. In messages/s. Range: at least 0. */
  readonly pub_msgs_per_sec?: number;
  /** Number of messages it has received. Range: at least 0. */
  readonly rcv_msgs?: number;
  /** Messages it receives. In messages/s. Range: at least 0. */
  readonly rcv_msgs_per_sec?: number;
  /** First token of its topics. */
  readonly realm?: string;
  /** Name of the scene. */
  readonly scene?: string;
  /** Host of the realm. */
  readonly web_host?: string;
}

/** The schema's description of each attribute of {@link ProgramRun}. */
export const programRunAttributes: Group = {
  attributes: {
    args: { shape: { kind: "text" } },
    create_time: { shape: { kind: "text" } },
    env: { shape: { kind: "text" } },
    filename: { shape: { kind: "text" } },
    last_active_time: { shape: { kind: "text" } },
    last_pub_time: { shape: { kind: "text" } },
    last_rcv_time: { shape: { kind: "text" } },
    namespace: { shape: { kind: "text" } },
    pub_msgs: { shape: { kind: "integer", minimum: 0 } },
    pub_msgs_per_sec: { shape: { kind: "number", minimum: 0 }, unit: "messages/s" },
    rcv_msgs: { shape: { kind: "integer", minimum: 0 } },
    rcv_msgs_per_sec: { shape: { kind: "number", minimum: 0 }, unit: "messages/s" },
    realm: { shape: { kind: "text" } },
    scene: { shape: { kind: "text" } },
    web_host: { shape: { kind: "text" } },
  },
  prefixes: {
  },
};
