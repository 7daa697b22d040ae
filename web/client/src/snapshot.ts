/** A scene at one revision: `spec/topics.md` section 4. */
import { isPlain } from "./plain.ts";

/** Messages that, applied in order to an empty scene, make it as it is at `revision`. */
export interface Snapshot {
  readonly epoch: number;
  readonly revision: number;
  readonly messages: readonly { readonly topic: string; readonly payload: unknown }[];
}

/** Takes a snapshot as it came; `undefined` where it is none. */
export function decodeSnapshot(json: unknown): Snapshot | undefined {
  if (!isPlain(json)) return undefined;
  const { epoch, revision, messages } = json;
  if (typeof epoch !== "number" || typeof revision !== "number" || !Array.isArray(messages)) return undefined;
  const taken = messages.flatMap((message: unknown) =>
    isPlain(message) && typeof message.topic === "string" ? [{ topic: message.topic, payload: message.payload }] : [],
  );
  return { epoch, revision, messages: taken };
}
