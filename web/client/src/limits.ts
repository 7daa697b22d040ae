/** What bounds the client, each with its reason. Those of the wire are the same as in `crates/wire/src/limits.rs`. */

/** Payload of one scene message. */
export const PAYLOAD_BYTES_MAX = 256 * 1024;
/** Levels of a JSON payload, the envelope being the first. */
export const JSON_DEPTH_MAX = 64;
/** A topic or a filter. */
export const TOPIC_BYTES_MAX = 2_048;
/** A namespace's or a scene's name. */
export const NAME_BYTES_MAX = 64;
/** An object's id. */
export const OBJECT_ID_BYTES_MAX = 256;
/** Seconds an object may be given to live. */
export const TTL_S_MAX = 10 * 366 * 86_400;
/** Text of one chat message. */
export const CHAT_BYTES_MAX = 8_192;
/** A token is good for this long after its expiry: clocks differ. */
export const GRANT_LEEWAY_S = 2;

/** Objects that fall with a deleted one, and how far below it: the realm's own bounds. */
export const DESCENDANTS_MAX = 10_000;
/** See {@link DESCENDANTS_MAX}. */
export const DESCENDANT_DEPTH_MAX = 64;

/** Between two poses of the same thing: ARENA's `camUpdateIntervalMs`. */
export const POSE_PERIOD_MS = 100;
/** A camera that rests is repeated this often, so that its `ttl` never runs out. */
export const HEARTBEAT_MS = 1_000;
/** A camera without news is removed by the realm after this: thirty lost heartbeats. */
export const CAMERA_TTL_S = 30;
/** A heartbeat that comes this late tells of a frozen tab: what came meanwhile may have been dropped. */
export const FROZEN_MS = 10_000;

/** First and longest wait before another attempt to connect; the wait doubles between, half of it is chance. */
export const BACK_OFF_MS = { first: 500, longest: 30_000 } as const;
/** A connection that lived this long starts its back-off anew. */
export const SETTLED_MS = 10_000;
/** One attempt: token, connection, subscription and snapshot together. */
export const ATTEMPT_MS = 20_000;
/** A fresh token is taken this long before the old one expires: two attempts fit. */
export const RENEWAL_S = 60;
/** MQTT keep-alive: the realm gives up after one and a half of it. */
export const KEEP_ALIVE_S = 30;

/** A missing revision may still come from a conflated outbox: this long it is waited for. */
export const GAP_PATIENCE_MS = 1_000;
/** Snapshots for missing revisions come no closer than this, and twice as far after each. */
export const GAP_SNAPSHOT_MS = { first: 2_000, longest: 60_000 } as const;
/** Messages held back until the snapshot is there: at 2,000 a second, ten seconds. */
export const HELD_BACK_MAX = 20_000;
/** Changes of ours that wait for their acknowledgement. */
export const PENDING_MAX = 256;
/** People that left and may not come back by a straggling pose. */
export const DEPARTED_MAX = 1_024;
