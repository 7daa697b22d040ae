/**
 * A copy of a scene, kept by a snapshot and the stream that follows it: `spec/topics.md` section 4. It decides and does no I/O: time is
 * an argument, and whoever drives it takes a snapshot when {@link SceneReplica.wantsSnapshot} says so.
 */
import { type Envelope, envelopeOf, parseEnvelope } from "./envelope.ts";
import { GAP_PATIENCE_MS, GAP_SNAPSHOT_MS, HELD_BACK_MAX } from "./limits.ts";
import { isOrder, SceneObjects } from "./objects.ts";
import { People, partOf } from "./people.ts";
import { isPlain, numberOr, textOr } from "./plain.ts";
import type { Parsed } from "./reason.ts";
import type { Snapshot } from "./snapshot.ts";
import { parseSceneTopic, type SceneTopic } from "./topic.ts";
import type { Attributes, CameraOrder, SceneEvents } from "./types.ts";

/** One event for the listeners. */
export type ReplicaEvent<Kind extends keyof SceneEvents = keyof SceneEvents> = {
  [K in Kind]: { readonly kind: K; readonly event: SceneEvents[K] };
}[Kind];

/** A message as it came from the realm, with the place in the stream that its user properties gave. */
export interface Delivery {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly place?: StreamPosition;
}

/** A place in the scene's stream of changes. */
export interface StreamPosition {
  readonly epoch: number;
  readonly revision: number;
}

interface PendingMessage {
  readonly topic: SceneTopic;
  readonly envelope: Envelope;
  readonly place?: StreamPosition;
}

/** The machine. */
export class SceneReplica {
  readonly #scene: string;
  readonly #objects = new SceneObjects();
  readonly #people = new People();
  readonly #ignored = new Map<string, number>();
  /** `behind`: held back until a snapshot is there. `doubtful`: shown, but a snapshot is on its way; `present`: all is applied. */
  #phase: "behind" | "doubtful" | "present" = "behind";
  #held: PendingMessage[] = [];
  #epoch: number | undefined;
  #revision = 0;
  /** When a revision was skipped that no snapshot has brought since. */
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

  /** How many messages were ignored, by reason. */
  get ignored(): ReadonlyMap<string, number> {
    return this.#ignored;
  }

  /** Whether what it shows is the scene's present. */
  get isPresent(): boolean {
    return this.#phase === "present";
  }

  /** A connection is open under this identity: what is shown is old until a snapshot comes. */
  handleConnected(idTag: string): readonly ReplicaEvent[] {
    this.#idTag = idTag;
    this.#phase = "behind";
    this.#held = [];
    this.#skippedAt = undefined;
    return this.#people.markOwn(idTag).map((event) => ({ kind: "person", event }));
  }

  /** Something may have been lost, such as while the tab was frozen. */
  handleDoubt(): void {
    if (this.#phase === "present") this.#phase = "doubtful";
  }

  /** Whether a snapshot should be taken now. */
  wantsSnapshot(now: number): boolean {
    if (this.#phase !== "present") return true;
    if (this.#skippedAt === undefined || now - this.#skippedAt < GAP_PATIENCE_MS) return false;
    return now - this.#gapSnapshotAt >= this.#gapWait;
  }

  /** A snapshot is being taken because of {@link wantsSnapshot}: what comes from now on is kept for it. */
  handleSnapshotRequested(now: number): void {
    if (this.#phase !== "present") return;
    const settled = now - this.#gapSnapshotAt > 2 * GAP_SNAPSHOT_MS.longest;
    this.#gapWait = settled ? GAP_SNAPSHOT_MS.first : Math.min(2 * this.#gapWait, GAP_SNAPSHOT_MS.longest);
    this.#gapSnapshotAt = now;
    this.#phase = "doubtful";
  }

  /** Starts over from a snapshot, then applies what is newer than it. */
  handleSnapshot(snapshot: Snapshot, now: number): readonly ReplicaEvent[] {
    this.#objects.all.clear();
    this.#people.clear();
    this.#skippedAt = undefined;
    this.#epoch = snapshot.epoch;
    this.#revision = snapshot.revision;
    for (const { topic, payload } of snapshot.messages) this.#applySnapshotMessage(topic, payload);
    const held = this.#held;
    this.#held = [];
    this.#phase = "present";
    for (const message of held) {
      if (message.place !== undefined && message.place.epoch !== snapshot.epoch) continue;
      this.#takeInOrder(message, now);
    }
    // The writer started anew while the snapshot was on its way: it shows the past.
    const last = held.findLast((message) => message.place !== undefined)?.place;
    if (last !== undefined && last.epoch !== snapshot.epoch) this.#phase = "behind";
    return [{ kind: "reset", event: undefined }];
  }

  /** Takes one message of the stream. */
  handleMessage(delivery: Delivery, now: number): readonly ReplicaEvent[] {
    const topic = parseSceneTopic(delivery.topic);
    if (!topic.ok) return this.#ignore(topic.reason);
    if (topic.value.scene !== this.#scene) return this.#ignore("other_scene");
    const { kind, uuid } = topic.value;
    if (kind === "e" || kind === "r" || kind === "p") return [];
    const envelope = parseEnvelope(kind, uuid, delivery.payload);
    if (!envelope.ok) return this.#ignore(envelope.reason);
    const place = delivery.place === undefined ? {} : { place: delivery.place };
    const message: PendingMessage = { topic: topic.value, envelope: envelope.value, ...place };
    return passing(message, this.#idTag) ?? this.#takeChange(message, now);
  }

  #takeChange(message: PendingMessage, now: number): readonly ReplicaEvent[] {
    const { place } = message;
    if (place !== undefined && this.#phase !== "behind" && place.epoch !== this.#epoch) {
      this.#phase = "behind";
      this.#held = [];
    }
    if (this.#phase !== "present") this.#hold(message);
    return this.#phase === "behind" ? [] : this.#takeInOrder(message, now);
  }

  #hold(message: PendingMessage): void {
    this.#held.push(message);
    // What is dropped here is found missing when the snapshot is there.
    if (this.#held.length > HELD_BACK_MAX) this.#held.splice(0, HELD_BACK_MAX / 2);
  }

  /** What came before is dropped; what is skipped was replaced by something that is yet to come, or lost: a snapshot tells. */
  #takeInOrder(message: PendingMessage, now: number): readonly ReplicaEvent[] {
    const revision = message.place?.revision;
    if (revision === undefined) return this.#apply(message);
    if (revision <= this.#revision) return [];
    if (revision > this.#revision + 1) this.#skippedAt ??= now;
    this.#revision = revision;
    return this.#apply(message);
  }

  #apply({ topic, envelope }: PendingMessage): readonly ReplicaEvent[] {
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
    const envelope: Parsed<Envelope> = topic.ok ? envelopeOf(topic.value.kind, topic.value.uuid, payload) : topic;
    if (topic.ok && envelope.ok) this.#apply({ topic: topic.value, envelope: envelope.value });
    else if (!envelope.ok) this.#ignore(envelope.reason);
  }

  #ignore(reason: string): readonly ReplicaEvent[] {
    this.#ignored.set(reason, (this.#ignored.get(reason) ?? 0) + 1);
    return [];
  }
}

/** What a message means that changes nothing: chat, events, refusals. `undefined` where it is a change. */
function passing({ topic, envelope }: PendingMessage, ownIdTag: string): readonly ReplicaEvent[] | undefined {
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
  if (topic.userClient !== "stoa" || action !== "refused" || !isPlain(fields)) return [];
  const limit = typeof fields.limit === "string" ? { limit: fields.limit } : {};
  return [
    {
      kind: "refused",
      event: { reason: textOr(fields.reason, "refused"), count: numberOr(fields.count, 1), ...limit },
    },
  ];
}
