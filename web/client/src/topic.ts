/** Parses and formats the topics of scenes: `spec/topics.md` section 1. */
import { utf8Length } from "./json-values.ts";
import { NAME_BYTES_MAX, TOPIC_BYTES_MAX } from "./limits.ts";
import { type ParseResult, refusedFor, taken } from "./reason.ts";

/** Token 4: the kind of message. */
export type TopicKind = "x" | "c" | "u" | "o" | "r" | "e" | "p" | "d";

/** A parsed topic of a scene. */
export interface SceneTopic {
  /** `<namespace>/<scene>` */
  readonly scene: string;
  readonly kind: TopicKind;
  /** Token 5: the sender's client id. */
  readonly userClient: string;
  /** Token 6: the object's or the user's id. */
  readonly uuid: string;
  /** Token 7 of a private message: the receiver's idTag, `-` or `stoa`. */
  readonly toUid?: string;
}

const NAME = new RegExp(`^(?!\\.{1,2}$)[A-Za-z0-9_.-]{1,${NAME_BYTES_MAX}}$`);
const PREFIX = "realm/s/";
/** Token 8 of a program's streams. */
const STREAMS: readonly string[] = ["stdin", "stdout", "stderr"];

/** Whether `text` may be a namespace's or a scene's name. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** Whether `text` is `<namespace>/<scene>`. */
export function isSceneName(text: string): boolean {
  const parts = text.split("/");
  return parts.length === 2 && parts.every(isName);
}

function isKind(text: string): text is TopicKind {
  return text.length === 1 && "xcuorepd".includes(text);
}

/** Parses a topic below `realm/s/`; any other topic is `bad_topic`. */
export function parseSceneTopic(topic: string): ParseResult<SceneTopic> {
  if (!topic.startsWith(PREFIX) || /[+#\0]/.test(topic) || utf8Length(topic) > TOPIC_BYTES_MAX)
    return refusedFor("bad_topic");
  const tokens = topic.slice(PREFIX.length).split("/");
  const [namespace = "", scene = "", kind = "", userClient = "", uuid = "", toUid, stream] = tokens;
  if (!isName(namespace) || !isName(scene) || !isKind(kind) || userClient === "" || uuid === "" || toUid === "") {
    return refusedFor("bad_topic");
  }
  const streams = kind === "p" && toUid === "-" && stream !== undefined && STREAMS.includes(stream);
  if (tokens.length > 7 || (stream !== undefined && !streams)) return refusedFor("bad_topic");
  return taken({ scene: `${namespace}/${scene}`, kind, userClient, uuid, ...(toUid === undefined ? {} : { toUid }) });
}

/** Formats a topic. */
export function sceneTopic(topic: SceneTopic): string {
  const open = `${PREFIX}${topic.scene}/${topic.kind}/${topic.userClient}/${topic.uuid}`;
  return topic.toUid === undefined ? open : `${open}/${topic.toUid}`;
}

/** A client's subscriptions in a scene: public messages, and private ones to it. */
export function sceneFilters(scene: string, idTag: string): readonly string[] {
  return [`${PREFIX}${scene}/+/+/+`, `${PREFIX}${scene}/+/+/+/${idTag}/#`];
}
