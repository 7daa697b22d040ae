/** Decodes the snapshot of a scene at one revision: `spec/topics.md` section 4. */
import { isJsonObject } from "./json-values.ts";

/** The ordered messages that turn an empty scene into the scene at `revision`. */
export interface Snapshot {
  readonly epoch: number;
  readonly revision: number;
  readonly messages: readonly { readonly topic: string; readonly payload: unknown }[];
}

/** Decodes the response to a snapshot request; `undefined` if it is no snapshot. */
export function decodeSnapshot(json: unknown): Snapshot | undefined {
  if (!isJsonObject(json)) return undefined;
  const { epoch, revision, messages } = json;
  if (typeof epoch !== "number" || typeof revision !== "number" || !Array.isArray(messages)) return undefined;
  const taken = messages.flatMap((message: unknown) =>
    isJsonObject(message) && typeof message.topic === "string"
      ? [{ topic: message.topic, payload: message.payload }]
      : [],
  );
  return { epoch, revision, messages: taken };
}
