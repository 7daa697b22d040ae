/** The people of a scene, built from `x` and `u` messages: `spec/topics.md` section 2.2. */
import type { Envelope } from "./envelope.ts";
import { isJsonObject, type JsonObject, numberOr, textOr } from "./json-values.ts";
import { DEPARTED_MAX, HOLDS_MAX } from "./limits.ts";
import { mergeAttributes } from "./merge.ts";
import { colorOf } from "./payloads.ts";
import type { SceneTopic } from "./topic.ts";
import type { Doing, Hands, Person, Pose, SceneEvents, Side } from "./types.ts";

/** A change of one person. */
export type PersonChange = SceneEvents["person"];

/** The activity of an idle person. */
export const IDLE: Doing = { body: "full", handRaised: false, laser: null };

/** Prefix of the idTag in the object id of each hand. */
const HAND_PREFIXES: readonly (readonly [Side, string])[] = [
  ["left", "handLeft_"],
  ["right", "handRight_"],
];

/** Splits an object id into the person's idTag and the part. */
export function partOf(id: string): { readonly idTag: string; readonly part: "head" | "face" | Side } {
  for (const [side, prefix] of HAND_PREFIXES) {
    if (id.startsWith(prefix)) return { idTag: id.slice(prefix.length), part: side };
  }
  if (id.startsWith("face_")) return { idTag: id.slice("face_".length), part: "face" };
  return { idTag: id, part: "head" };
}

/**
 * The account's name of an idTag, or `guest`, independent of the display name. The realm builds idTags from the
 * account's name and digits; another form, chosen by a program, is returned unchanged.
 */
export function accountOf(idTag: string): string {
  return isGuest(idTag) ? "guest" : (/^(.+)_\d{10}$/.exec(idTag)?.[1] ?? idTag);
}

/** The name to show for a person. A guest's name is marked, because a guest may choose the name of an account. */
export function shownName({ idTag, displayName }: Pick<Person, "idTag" | "displayName">): string {
  return isGuest(idTag) ? `${displayName} (guest)` : displayName;
}

/** Whether an idTag is a guest's. The realm lets no account's name begin like a guest's idTag. */
function isGuest(idTag: string): boolean {
  return idTag.startsWith("anonymous-");
}

/** The object id of a person's hand. */
export function handId(side: Side, idTag: string): string {
  return `${side === "left" ? "handLeft_" : "handRight_"}${idTag}`;
}

/** Position and rotation of an object's attributes, completed from `before`. */
export function poseOf(attributes: JsonObject, before?: Pose): Pose | undefined {
  const { position, rotation } = attributes;
  const placed: Pose["position"] | undefined = isJsonObject(position)
    ? [numberOr(position.x, 0), numberOr(position.y, 0), numberOr(position.z, 0)]
    : before?.position;
  if (placed === undefined) return undefined;
  const turned: Pose["rotation"] = isJsonObject(rotation)
    ? [numberOr(rotation.x, 0), numberOr(rotation.y, 0), numberOr(rotation.z, 0), numberOr(rotation.w, 1)]
    : (before?.rotation ?? [0, 0, 0, 1]);
  return { position: placed, rotation: turned };
}

/** All people except this client's own, by idTag. */
export class People {
  readonly all = new Map<string, Person>();
  readonly #own = new Set<string>();
  readonly #departed = new Set<string>();
  readonly #joined = new Set<string>();

  /** Hides `idTag`, the client's own. Its idTags before a reconnection stay hidden. */
  markOwn(idTag: string): readonly PersonChange[] {
    this.#own.add(idTag);
    return this.#remove(idTag);
  }

  /** Removes all people. The client's own idTags stay hidden. */
  clear(): void {
    this.all.clear();
    this.#departed.clear();
    this.#joined.clear();
  }

  /** Applies a message on `x`. */
  applyPresence(topic: SceneTopic, envelope: Envelope): readonly PersonChange[] {
    const idTag = topic.uuid;
    if (this.#own.has(idTag)) return [];
    switch (envelope.action) {
      case "leave":
        this.#depart(idTag);
        return this.#remove(idTag);
      case "join":
      case "update": {
        this.#departed.delete(idTag);
        this.#joined.add(idTag);
        const person = this.#personOf(topic, idTag);
        return this.#put({ ...person, displayName: textOr(envelope.fields.dn, person.displayName) });
      }
      default:
        return [];
    }
  }

  /** Applies a message on `u`, except an event. */
  applyUser(topic: SceneTopic, envelope: Envelope): readonly PersonChange[] {
    const { idTag, part } = partOf(topic.uuid);
    if (this.#own.has(idTag) || part === "face") return [];
    if (envelope.action === "delete") return this.#lose(idTag, part);
    // A late pose of a person who left must not add them again. A camera's `create` begins a new visit.
    if (part === "head" && envelope.action === "create") this.#departed.delete(idTag);
    if (this.#departed.has(idTag)) return [];
    const person = this.#personOf(topic, idTag);
    const attributes = envelope.attributes ?? {};
    if (part === "head") return this.#put(withCamera(person, attributes));
    return this.#put({ ...person, hands: withHand(person.hands, part, topic.uuid, attributes) });
  }

  #personOf(topic: SceneTopic, idTag: string): Person {
    const { userClient } = topic;
    const fresh = { idTag, userClient, displayName: idTag, color: colorOf(idTag), headModelPath: "", hands: {} };
    return this.all.get(idTag) ?? fresh;
  }

  #put(person: Person): readonly PersonChange[] {
    this.all.set(person.idTag, person);
    return [{ idTag: person.idTag, person }];
  }

  #remove(idTag: string): readonly PersonChange[] {
    this.#joined.delete(idTag);
    return this.all.delete(idTag) ? [{ idTag, person: null }] : [];
  }

  #lose(idTag: string, part: "head" | Side): readonly PersonChange[] {
    const person = this.all.get(idTag);
    if (person === undefined) return [];
    if (part !== "head") return this.#put({ ...person, hands: withoutHand(person.hands, part) });
    if (!this.#joined.has(idTag)) return this.#remove(idTag);
    const { pose: _, ...rest } = person;
    return this.#put({ ...rest, hands: {} });
  }

  #depart(idTag: string): void {
    this.#departed.add(idTag);
    const oldest = this.#departed.values().next().value;
    if (this.#departed.size > DEPARTED_MAX && oldest !== undefined) this.#departed.delete(oldest);
  }
}

function withCamera(person: Person, attributes: JsonObject): Person {
  const user: JsonObject = isJsonObject(attributes["arena-user"]) ? attributes["arena-user"] : {};
  const { "stoa-user": doing } = attributes;
  const pose = poseOf(attributes, person.pose);
  return {
    ...person,
    displayName: textOr(user.displayName, person.displayName),
    color: textOr(user.color, person.color),
    headModelPath: textOr(user.headModelPath, person.headModelPath),
    ...(isJsonObject(doing) ? { doing: doingOf(doing, person.doing ?? IDLE) } : {}),
    ...(pose === undefined ? {} : { pose }),
    ...(Array.isArray(attributes.holds) && { holds: idsOf(attributes.holds) }),
    ...(typeof user.hasAudio === "boolean" && { hasAudio: user.hasAudio }),
  };
}

/** Missing and invalid fields keep their old values, except `laserFrom`, whose default is the head. */
function doingOf(told: JsonObject, before: Doing): Doing {
  const { body, handRaised, laser, laserFrom, laserTo } = told;
  const from = laserFrom === "left" || laserFrom === "right" ? laserFrom : "head";
  const to = poseOf({ position: laserTo })?.position ?? before.laser?.to;
  const points = typeof laser === "boolean" ? laser : before.laser !== null;
  return {
    body: body === "full" || body === "half" ? body : before.body,
    handRaised: typeof handRaised === "boolean" ? handRaised : before.handRaised,
    laser: points && to !== undefined ? { from, to } : null,
  };
}

function idsOf(values: readonly unknown[]): readonly string[] {
  return values.slice(0, HOLDS_MAX).filter((id): id is string => typeof id === "string");
}

function withHand(hands: Hands, side: Side, objectId: string, patch: JsonObject): Hands {
  const before = hands[side];
  const attributes = mergeAttributes(before?.attributes ?? {}, patch);
  const pose = poseOf(attributes, before?.pose);
  return { ...hands, [side]: { objectId, attributes, ...(pose === undefined ? {} : { pose }) } };
}

function withoutHand(hands: Hands, side: Side): Hands {
  const { left, right } = hands;
  if (side === "left") return right === undefined ? {} : { right };
  return left === undefined ? {} : { left };
}
