/** Parses and checks the envelope of a scene message: `spec/topics.md` section 2. */
import { parseJson } from "./json-text.ts";
import { isJsonObject, type JsonObject, utf8Length } from "./json-values.ts";
import { CHAT_BYTES_MAX, OBJECT_ID_BYTES_MAX, PAYLOAD_BYTES_MAX, TTL_S_MAX, TYPE_BYTES_MAX } from "./limits.ts";
import { type ParseResult, type Reason, refusedFor, taken } from "./reason.ts";
import type { TopicKind } from "./topic.ts";

/** A checked envelope. */
export interface Envelope {
  readonly objectId: string | null;
  readonly action: string | null;
  readonly type: string | null;
  /** A `create` is stored only with `true`, an `update` with any truthy value. */
  readonly persist: "false" | "truthy" | "true";
  readonly ttlS: number | null;
  readonly overwrite: boolean;
  readonly private: boolean;
  /** The key `data`. */
  readonly attributes: JsonObject | null;
  /** The decoded payload, including unknown keys. */
  readonly fields: JsonObject;
}

/** The valid actions by kind of topic; other kinds need none. */
const ACTIONS: Readonly<Partial<Record<TopicKind, readonly string[]>>> = {
  x: ["join", "update", "leave", "relocalized"],
  u: ["create", "update", "delete", "clientEvent"],
  o: ["create", "update", "delete", "clientEvent", "getPersist", "returnPersist", "loadTemplate"],
};
/** Kinds of topics whose payload must repeat token 6 as its `object_id`. */
const IDENTIFIED: readonly TopicKind[] = ["x", "u", "o", "c"];
/** Actions on `u` and `o` that require the key `data`. */
const WITH_ATTRIBUTES: readonly string[] = ["create", "update", "clientEvent", "loadTemplate"];

/** Checks a payload of `kind`, with `uuid` as token 6 of its topic. Not for `e`, which is MessagePack. */
export function parseEnvelope(kind: TopicKind, uuid: string, payload: Uint8Array): ParseResult<Envelope> {
  if (payload.length > PAYLOAD_BYTES_MAX) return refusedFor("too_large");
  const text = decodeUtf8(payload);
  if (text === undefined) return refusedFor("bad_utf8");
  const json = parseJson(text);
  if (!json.ok) return json;
  return envelopeOf(kind, uuid, json.value);
}

/** Checks a decoded payload, such as a snapshot's. */
export function envelopeOf(kind: TopicKind, uuid: string, json: unknown): ParseResult<Envelope> {
  if (!isJsonObject(json)) return refusedFor("not_an_object");
  const reason = badKey(kind, uuid, json);
  if (reason !== undefined) return refusedFor(reason);
  return taken({
    objectId: textOrNull(json.object_id),
    action: textOrNull(json.action),
    type: textOrNull(json.type),
    persist: json.persist === true ? "true" : json.persist ? "truthy" : "false",
    ttlS: typeof json.ttl === "number" && json.ttl !== -1 ? json.ttl : null,
    overwrite: json.overwrite === true,
    private: json.private === true,
    attributes: isJsonObject(json.data) ? json.data : null,
    fields: json,
  });
}

function badKey(kind: TopicKind, uuid: string, json: JsonObject): Reason | undefined {
  return (
    badId(kind, uuid, json.object_id) ??
    badAction(kind, json.action) ??
    badText(json.type, TYPE_BYTES_MAX) ??
    (kind === "o" && typeof json.program_id === "string" ? badText(json.program_id, OBJECT_ID_BYTES_MAX) : undefined) ??
    badTtl(json.ttl) ??
    badAttributes(kind, json) ??
    (kind === "c" ? badChat(json) : undefined)
  );
}

function badId(kind: TopicKind, uuid: string, id: unknown): Reason | undefined {
  const identified = IDENTIFIED.includes(kind);
  if (id === undefined) return identified ? "missing_key" : undefined;
  if (typeof id !== "string") return "bad_value";
  if (!identified) return undefined;
  if (id === "" || utf8Length(id) > OBJECT_ID_BYTES_MAX) return "bad_value";
  return id === uuid ? undefined : "id_mismatch";
}

function badAction(kind: TopicKind, action: unknown): Reason | undefined {
  const actions = ACTIONS[kind];
  if (action === undefined) return actions === undefined ? undefined : "missing_key";
  if (typeof action !== "string") return "bad_value";
  return actions === undefined || actions.includes(action) ? undefined : "bad_value";
}

function badText(value: unknown, bytesMax: number): Reason | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" && utf8Length(value) <= bytesMax ? undefined : "bad_value";
}

function badTtl(ttl: unknown): Reason | undefined {
  if (ttl === undefined || ttl === null || ttl === -1) return undefined;
  return typeof ttl === "number" && ttl >= 0 && ttl <= TTL_S_MAX ? undefined : "bad_value";
}

function badAttributes(kind: TopicKind, json: JsonObject): Reason | undefined {
  if (kind !== "u" && kind !== "o") return undefined;
  const action = json.action;
  const attributes = json.data;
  if (attributes === undefined)
    return typeof action === "string" && WITH_ATTRIBUTES.includes(action) ? "missing_key" : undefined;
  return isJsonObject(attributes) ? undefined : "bad_value";
}

function badChat(json: JsonObject): Reason | undefined {
  if (Object.hasOwn(json, "self")) return "reserved_key";
  const text = json.text;
  return typeof text === "string" && utf8Length(text) > CHAT_BYTES_MAX ? "too_large" : undefined;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
