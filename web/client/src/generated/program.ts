// Generated from spec/objects/program.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Channel, channelAttributes } from "./channel.ts";
import { type ProgramRun, programRunAttributes } from "./program-run.ts";

/** A program of a scene: its file and its runtime. */
export interface Program {
  /** Preferred runtime. Default `"client"`. */
  readonly affinity?: "client" | "none";
  /** Arguments on its command line. */
  readonly args?: readonly (string)[];
  /** Topics that it reads and writes. Default `[{"mode":"rw","params":{"topic":"realm/s/${scene}/${namespace}"},"path":"/ch/${scene}","type":"pubsub"}]`. */
  readonly channels?: readonly (Channel)[];
  /** Its environment variables; names in `${}` are filled in. Default `["MID=${moduleid}","SCENE=${scene}","NAMESPACE=${namespace}","MQTTH=${mqtth}","REALM=realm"]`. */
  readonly env?: readonly (string)[];
  /** Name of its file. */
  readonly file?: string;
  /** Name of its file; write `file` instead. @deprecated */
  readonly filename?: string;
  /** WebAssembly or Python. Default `"WA"`. */
  readonly filetype?: "WA" | "PY";
  /** Whether it runs once, or once for each client. Default `"client"`. */
  readonly instantiate?: "single" | "client";
  /** Folder of its file in the file store. */
  readonly location?: string;
  /** Name of the program, with its namespace. */
  readonly name?: string;
  /** Runtime that it runs on. */
  readonly parent?: string;
  /** Its status while it runs. */
  readonly run_info?: ProgramRun;
}

/** The schema's description of each attribute of {@link Program}. */
export const programAttributes: Group = {
  attributes: {
    affinity: { shape: { kind: "text", values: ["client", "none"] }, default: "client" },
    args: { shape: { kind: "array", items: { kind: "text" } } },
    channels: { shape: { kind: "array", items: { kind: "group", group: channelAttributes } }, default: [{ mode: "rw", params: { topic: "realm/s/${scene}/${namespace}" }, path: "/ch/${scene}", type: "pubsub" }] },
    env: { shape: { kind: "array", items: { kind: "text" } }, default: ["MID=${moduleid}", "SCENE=${scene}", "NAMESPACE=${namespace}", "MQTTH=${mqtth}", "REALM=realm"], required: true },
    file: { shape: { kind: "text" }, required: true },
    filename: { shape: { kind: "text" }, deprecated: true },
    filetype: { shape: { kind: "text", values: ["WA", "PY"] }, default: "WA", required: true },
    instantiate: { shape: { kind: "text", values: ["single", "client"] }, default: "client", required: true },
    location: { shape: { kind: "text" }, required: true },
    name: { shape: { kind: "text" }, required: true },
    parent: { shape: { kind: "text" } },
    run_info: { shape: { kind: "group", group: programRunAttributes } },
  },
  prefixes: {
  },
};
