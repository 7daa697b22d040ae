/** Encodes this client's messages: `spec/topics.md` section 2. */
import { CAMERA_TTL_S, HOLDS_MAX } from "./limits.ts";
import type {
  Appearance,
  Attributes,
  ChangeOptions,
  ClientEvent,
  Doing,
  Me,
  Pose,
  Quaternion,
  Vector3,
} from "./types.ts";

/** Rounds to three decimals, which is a millimetre for positions. */
function round(value: number): number {
  return Math.round(value * 1_000) / 1_000 || 0;
}

/** A vector in ARENA's JSON. */
export function vectorJson([x, y, z]: Vector3): Attributes {
  return { x: round(x), y: round(y), z: round(z) };
}

/** A quaternion in ARENA's JSON. */
export function quaternionJson([x, y, z, w]: Quaternion): Attributes {
  return { x: round(x), y: round(y), z: round(z), w: round(w) };
}

function poseJson(pose: Pose): Attributes {
  return { position: vectorJson(pose.position), rotation: quaternionJson(pose.rotation) };
}

/** The pose of this person's head, with the appearance: a client that receives one message can draw the person. */
export function cameraPayload(
  action: "create" | "update",
  me: Me,
  pose: Pose,
  { doing, holds, hasAudio = false, ...looks }: Appearance,
): string {
  const user = {
    displayName: me.displayName,
    color: colorOf(me.idTag),
    ...looks,
    presence: "Standard",
    jitsiId: "",
    hasAudio,
    hasVideo: false,
    hasAvatar: false,
  };
  const more = {
    ...(doing !== undefined && { "stoa-user": doingJson(doing) }),
    ...(holds !== undefined && { holds: holds.slice(0, HOLDS_MAX) }),
  };
  const data = { object_type: "camera", ...poseJson(pose), "arena-user": user, ...more };
  return JSON.stringify({ object_id: me.idTag, action, type: "object", ttl: CAMERA_TTL_S, data });
}

/**
 * Has `laserFrom` and `laserTo` only with a laser. The other fields are always present, because the message merges into
 * the previous one.
 */
function doingJson({ body, handRaised, laser }: Doing): Attributes {
  const aim = laser === null ? {} : { laserFrom: laser.from, laserTo: vectorJson(laser.to) };
  return { body, handRaised, laser: laser !== null, ...aim };
}

/** One of this person's hands; a `null` pose removes it. */
export function handPayload(objectId: string, idTag: string, pose: Pose | null, first: boolean): string {
  if (pose === null) return JSON.stringify({ object_id: objectId, action: "delete" });
  const type = objectId.startsWith("handLeft_") ? "handLeft" : "handRight";
  const data = { object_type: type, dep: idTag, ...poseJson(pose) };
  return JSON.stringify({
    object_id: objectId,
    action: first ? "create" : "update",
    type: "object",
    ttl: CAMERA_TTL_S,
    data,
  });
}

/** The message with which this person enters. */
export function joinPayload(me: Me): string {
  return JSON.stringify({ object_id: me.idTag, action: "join", type: "arena", dn: me.displayName });
}

/** The message with which this person leaves. */
export function leavePayload(idTag: string): string {
  return JSON.stringify({ object_id: idTag, action: "leave" });
}

/** A chat message. */
export function chatPayload(me: Me, text: string): string {
  return JSON.stringify({ object_id: me.idTag, type: "chat", dn: me.displayName, text });
}

/** An event of this person's head or hand on an object. */
export function eventPayload(sourceId: string, event: ClientEvent): string {
  const data = {
    ...event.more,
    target: event.target,
    ...(event.targetPosition === undefined ? {} : { targetPosition: vectorJson(event.targetPosition) }),
    ...(event.originPosition === undefined ? {} : { originPosition: vectorJson(event.originPosition) }),
  };
  return JSON.stringify({ object_id: sourceId, action: "clientEvent", type: event.type, data });
}

/** Creates an object. */
export function createPayload(objectId: string, attributes: Attributes, options: ChangeOptions): string {
  const { persist = false, type = "object", ttlS } = options;
  const ttl = ttlS === undefined ? {} : { ttl: ttlS };
  return JSON.stringify({ object_id: objectId, action: "create", type, persist, ...ttl, data: attributes });
}

/** Changes an object. */
export function updatePayload(objectId: string, attributes: Attributes, options: ChangeOptions): string {
  const { persist = false, type = "object", ttlS, overwrite } = options;
  const more = { ...(ttlS === undefined ? {} : { ttl: ttlS }), ...(overwrite === true ? { overwrite } : {}) };
  return JSON.stringify({ object_id: objectId, action: "update", type, persist, ...more, data: attributes });
}

/** Deletes an object. */
export function deletePayload(objectId: string): string {
  return JSON.stringify({ object_id: objectId, action: "delete" });
}

/**
 * Colours of people. Every second one is paler than its neighbours; each has a contrast of at least 3 with white eyes
 * and with the panels of both themes.
 */
const COLORS = [
  ...["#ae5a68", "#d55948", "#aa6237", "#b87609", "#917415", "#8c8c0e", "#62843a", "#20a04e", "#0e8c6d"],
  ...["#139a94", "#038797", "#1292c0", "#407bb5", "#617de6", "#776bb3", "#a366cd", "#9b5e96", "#ca5794"],
] as const;

/** The default colour of an idTag. It is a hash (FNV-1a), so that similar idTags get different colours. */
export function colorOf(idTag: string): string {
  let hash = 0x811c9dc5;
  for (const character of idTag) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return COLORS[(hash >>> 0) % COLORS.length] ?? COLORS[0];
}
