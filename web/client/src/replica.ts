/**
 * A copy of a scene, made of a snapshot and the stream after it: `spec/topics.md` section 4. It does no I/O: time is an
 * argument, and the session requests a snapshot when {@link SceneReplica.wantsSnapshot} returns true.
 */
import { type Envelope, envelopeOf, parseEnvelope } from "./envelope.ts";
import { isJsonObject, numberOr, textOr } from "./json-values.ts";
import { GAP_PATIENCE_MS, GAP_SNAPSHOT_MS, HELD_BACK_MAX } from "./limits.ts";
import { isOrder, SceneObjects } from "./objects.ts";
import { People, partOf } from "./people.ts";
import type { ParseResult } from "./reason.ts";
import type { Snapshot } from "./snapshot.ts";
import { parseSceneTopic, type SceneTopic } from "./topic.ts";
import type { Attributes, CameraOrder, SceneEvents } from "./types.ts";

/** One event for the listeners. */
export type ReplicaEvent<Kind extends keyof SceneEvents = keyof SceneEvents> = {
  [K in Kind]: { readonly kind: K; readonly event: SceneEvents[K] };
}[Kind];

/** A message from the realm, with its stream position from the MQTT user properties. */
export interface Delivery {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly place?: StreamPosition;
}

/** A position in the scene's stream of changes. */
export interface StreamPosition {
  readonly epoch: number;
  readonly revision: number;
}

interface ParsedSceneMessage {
  readonly topic: SceneTopic;
  readonly envelope: Envelope;
  readonly place?: StreamPosition;
}

/** The state machine of a scene's copy. */
export class SceneReplica {
  readonly #scene: string;
  readonly #objects = new SceneObjects();
  readonly #people = new People();
  readonly #ignored = new Map<string, number>();
  /**
   * `behind`: changes are held back until a snapshot arrives. `doubtful`: changes are applied at once, and again after
   * the snapshot that replaces the copy. `present`: changes are applied at once. Chat, events and refusals pass in all.
   */
  #phase: "behind" | "doubtful" | "present" = "behind";
  #heldBack: ParsedSceneMessage[] = [];
  #epoch: number | undefined;
  #revision = 0;
  /** Time of the first skipped revision since the last snapshot. */
  #skippedAt: number | undefined;
  #gapWait: number = GAP_SNAPSHOT_MS.first;
  #gapSnapshotAt = Number.NEGATIVE_INFINITY;
  #idTag = "";

  constructor(scene: string) {
    this.#scene = scene;
  }

  get objects(): SceneObjects["all"] {
    return this.#objects.all;
  }

  get people(): People["all"] {
    return this.#people.all;
  }

  /** Counts of ignored messages by reason. */
  get ignored(): ReadonlyMap<string, number> {
    return this.#ignored;
  }

  /** Whether a snapshot arrived after the last connection, doubt and request. Even then revisions may be missing. */
  get isPresent(): boolean {
    return this.#phase === "present";
  }

  /** Starts a connection under this identity. The copy is outdated until a snapshot arrives. */
  handleConnected(idTag: string): readonly ReplicaEvent[] {
    this.#idTag = idTag;
    this.#phase = "behind";
    this.#heldBack = [];
    this.#skippedAt = undefined;
    return this.#people.markOwn(idTag).map((event) => ({ kind: "person", event }));
  }

  /** Marks the copy as outdated, because messages may be lost, such as while the tab was frozen. */
  handleDoubt(): void {
    if (this.#phase === "present") this.#phase = "doubtful";
  }

  /** Whether the session should request a snapshot now. */
  wantsSnapshot(now: number): boolean {
    if (this.#phase !== "present") return true;
    if (this.#skippedAt === undefined || now - this.#skippedAt < GAP_PATIENCE_MS) return false;
    return now - this.#gapSnapshotAt >= this.#gapWait;
  }

  /** Notes that a snapshot was requested. Changes from now on are kept, and applied again after it. */
  handleSnapshotRequested(now: number): void {
    if (this.#phase !== "present") return;
    const settled = now - this.#gapSnapshotAt > 2 * GAP_SNAPSHOT_MS.longest;
    this.#gapWait = settled ? GAP_SNAPSHOT_MS.first : Math.min(2 * this.#gapWait, GAP_SNAPSHOT_MS.longest);
    this.#gapSnapshotAt = now;
    this.#phase = "doubtful";
  }

  /** Replaces the copy by a snapshot, then applies the newer messages. */
  handleSnapshot(snapshot: Snapshot, now: number): readonly ReplicaEvent[] {
    this.#objects.all.clear();
    this.#people.clear();
    this.#skippedAt = undefined;
    this.#epoch = snapshot.epoch;
    this.#revision = snapshot.revision;
    for (const { topic, payload } of snapshot.messages) this.#applySnapshotMessage(topic, payload);
    const heldBack = this.#heldBack;
    this.#heldBack = [];
    this.#phase = "present";
    for (const message of heldBack) {
      if (message.place !== undefined && message.place.epoch !== snapshot.epoch) continue;
      this.#takeInOrder(message, now);
    }
    // The scene's writer restarted while the snapshot loaded, so the snapshot is outdated.
    const last = heldBack.findLast((message) => message.place !== undefined)?.place;
    if (last !== undefined && last.epoch !== snapshot.epoch) this.#phase = "behind";
    return [{ kind: "reset", event: undefined }];
  }

  /** Handles one message of the stream. */
  handleMessage(delivery: Delivery, now: number): readonly ReplicaEvent[] {
    const topic = parseSceneTopic(delivery.topic);
    if (!topic.ok) return this.#ignore(topic.reason);
    if (topic.value.scene !== this.#scene) return this.#ignore("other_scene");
    const { kind, uuid } = topic.value;
    if (kind === "e" || kind === "r" || kind === "p") return [];
    const envelope = parseEnvelope(kind, uuid, delivery.payload);
    if (!envelope.ok) return this.#ignore(envelope.reason);
    const place = delivery.place === undefined ? {} : { place: delivery.place };
    const message: ParsedSceneMessage = { topic: topic.value, envelope: envelope.value, ...place };
    return passing(message, this.#idTag) ?? this.#takeChange(message, now);
  }

  #takeChange(message: ParsedSceneMessage, now: number): readonly ReplicaEvent[] {
    const { place } = message;
    if (place !== undefined && this.#phase !== "behind" && place.epoch !== this.#epoch) {
      this.#phase = "behind";
      this.#heldBack = [];
    }
    if (this.#phase !== "present") this.#hold(message);
    return this.#phase === "behind" ? [] : this.#takeInOrder(message, now);
  }

  #hold(message: ParsedSceneMessage): void {
    this.#heldBack.push(message);
    // A dropped message is a gap in the revisions after the snapshot, which causes another snapshot.
    if (this.#heldBack.length > HELD_BACK_MAX) this.#heldBack.splice(0, HELD_BACK_MAX / 2);
  }

  /** Drops old revisions. A skipped one was superseded, lost or private to another client; a snapshot fills it. */
  #takeInOrder(message: ParsedSceneMessage, now: number): readonly ReplicaEvent[] {
    const revision = message.place?.revision;
    if (revision === undefined) return this.#apply(message);
    if (revision <= this.#revision) return [];
    if (revision > this.#revision + 1) this.#skippedAt ??= now;
    this.#revision = revision;
    return this.#apply(message);
  }

  #apply({ topic, envelope }: ParsedSceneMessage): readonly ReplicaEvent[] {
    switch (topic.kind) {
      case "o":
        if (isOrder(envelope.type)) return this.#order(topic.uuid, envelope.type, envelope.attributes ?? {});
        return this.#objects
          .apply(topic.uuid, envelope)
          .map((event) => ({ kind: "object", event: { ...event, by: topic.userClient } }));
      case "u":
        return this.#people.applyUser(topic, envelope).map((event) => ({ kind: "person", event }));
      case "x":
        return this.#people.applyPresence(topic, envelope).map((event) => ({ kind: "person", event }));
      default:
        return [];
    }
  }

  #order(idTag: string, type: CameraOrder["type"], attributes: Attributes): readonly ReplicaEvent[] {
    return idTag === this.#idTag ? [{ kind: "cameraOrder", event: { type, attributes } }] : [];
  }

  #applySnapshotMessage(text: string, payload: unknown): void {
    const topic = parseSceneTopic(text);
    const envelope: ParseResult<Envelope> = topic.ok ? envelopeOf(topic.value.kind, topic.value.uuid, payload) : topic;
    if (topic.ok && envelope.ok) this.#apply({ topic: topic.value, envelope: envelope.value });
    else if (!envelope.ok) this.#ignore(envelope.reason);
  }

  #ignore(reason: string): readonly ReplicaEvent[] {
    this.#ignored.set(reason, (this.#ignored.get(reason) ?? 0) + 1);
    return [];
  }
}

/** The events of a message that leaves the scene unchanged: chat, events, refusals. `undefined` for a change. */
function passing({ topic, envelope }: ParsedSceneMessage, ownIdTag: string): readonly ReplicaEvent[] | undefined {
  const { fields, type } = envelope;
  if (topic.kind === "c") {
    if (type !== "chat") return [];
    const { uuid } = topic;
    const event = {
      idTag: uuid,
      displayName: textOr(fields.dn, uuid),
      text: textOr(fields.text, ""),
      own: uuid === ownIdTag,
    };
    return [{ kind: "chat", event }];
  }
  if (topic.kind === "d") return refusal(topic, envelope);
  if (envelope.action !== "clientEvent") return undefined;
  const attributes = envelope.attributes ?? {};
  const { idTag } = partOf(topic.uuid);
  return [
    { kind: "clientEvent", event: { type: type ?? "", idTag, target: textOr(attributes.target, ""), attributes } },
  ];
}

function refusal(topic: SceneTopic, { action, fields }: Envelope): readonly ReplicaEvent[] {
  if (topic.userClient !== "stoa" || action !== "refused" || !isJsonObject(fields)) return [];
  const limit = typeof fields.limit === "string" ? { limit: fields.limit } : {};
  return [
    {
      kind: "refused",
      event: { reason: textOr(fields.reason, "refused"), count: numberOr(fields.count, 1), ...limit },
    },
  ];
}
