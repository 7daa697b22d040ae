/** What bounds the client, each with its reason. What the realm demands comes from `spec/limits.json`. */
import { MOTION_REPORT_MS, PAYLOAD_BYTES_MAX } from "./generated/limits.ts";

export * from "./generated/limits.ts";

/** Between two poses of the same thing: ARENA's `camUpdateIntervalMs`. */
export const POSE_PERIOD_MS = 100;
/** A camera that rests is repeated this often, so that its `ttl` never runs out. */
export const HEARTBEAT_MS = 1_000;
/** The same while the motion plane carries it, and the realm tells those who know only MQTT: a third of its `ttl`. */
export const CARRIED_HEARTBEAT_MS = 10_000;
/** A camera without news is removed by the realm after this: thirty lost heartbeats. */
export const CAMERA_TTL_S = 30;
/** A heartbeat that comes this late tells of a frozen tab: what came meanwhile may have been dropped. */
export const FROZEN_MS = 10_000;

/** First and longest wait before another attempt to connect; the wait doubles between, half of it is chance. */
export const BACK_OFF_MS = { first: 500, longest: 10_000 } as const;
/** A connection that lived this long starts its back-off anew. */
export const SETTLED_MS = 10_000;
/** One attempt: token, connection, subscription and snapshot together. */
export const ATTEMPT_MS = 20_000;
/** Opening a connection, CONNECT and its answer included: an attempt has time for what follows. */
export const CONNECT_MS = 10_000;
/** A fresh token is taken this long before the old one expires: two attempts fit. */
export const RENEWAL_S = 60;
/** A renewal that failed is tried again after this: twice before the old token ends. */
export const RENEWAL_RETRY_MS = 30_000;
/** A token's life is cut short only so far: a clock that goes wrong must not end in a loop of renewals. */
export const RENEWAL_MS_MIN = 300_000;
/** MQTT keep-alive: the realm gives up after one and a half of it. */
export const KEEP_ALIVE_S = 30;
/** A realm that has said nothing for so long is asked for a sign: two bytes there, two back. */
export const SILENCE_ASK_MS = 3_000;
/** Without one for so long, nothing comes through, and people are told. Nothing ends by it: a tunnel is longer than this. */
export const SILENCE_TOLD_MS = 4_000;
/** A page that comes so late to its next look was busy or asleep, and may have the answer unread. */
export const SILENCE_BUSY_MS = 2_000;

/** A burst that is conflated skips revision after revision: this long after the first one, one snapshot serves all. */
export const GAP_PATIENCE_MS = 1_000;
/** Snapshots for missing revisions come no closer than this, and twice as far after each. */
export const GAP_SNAPSHOT_MS = { first: 2_000, longest: 60_000 } as const;
/** Between the end of one snapshot and the request for the next, at least. */
export const SNAPSHOT_PAUSE_MS = 500;
/** Messages held back until the snapshot is there: at 2,000 a second, ten seconds. */
export const HELD_BACK_MAX = 20_000;
/** Changes of ours that wait for their acknowledgement. */
export const IN_FLIGHT_MAX = 256;
/** Bytes of those that are said before the first of them is acknowledged: as large as one payload may be. */
export const IN_FLIGHT_BYTES_MAX = PAYLOAD_BYTES_MAX;
/** Steps that can be undone: an afternoon of building, and each holds what it replaced. */
export const UNDO_STEPS_MAX = 200;
/** A change of the same attribute of the same object that comes so soon goes on with the step before: somebody drags, or holds a key. */
export const UNDO_FOLLOWS_MS = 700;
/** Objects of which it is remembered who else has changed them: more than anybody undoes. */
export const UNDO_TOUCHED_MAX = 1_000;
/** People that left and may not come back by a straggling pose. */
export const DEPARTED_MAX = 1_024;

/** For how long the quickest way of a frame is remembered. */
export const MOTION_LEAST_MS = 10_000;
/** A baseline that is lacking is asked for after this, and again after as long: two ticks. */
export const MOTION_PATIENCE_MS = 100;
/** What is drawn lies no farther in the past than this, however late frames come. */
export const MOTION_JITTER_MS_MAX = 200;
/** In this time lateness that is over is forgotten but for a third: a page that starts up is late once. */
export const MOTION_JITTER_FALL_MS = 3_000;
/** For how long a pose that rests is said again: ten reports, of which one comes. */
export const MOTION_RESTING_MS = 1_000;
/** What the realm did not let this client move is declared again after this: it says so once a second at most. */
export const MOTION_REFUSED_MS = 2_000;
/** Between two looks at what is to be said on the motion plane: half a report. */
export const MOTION_BEAT_MS = MOTION_REPORT_MS / 2;
/** Frames that wait in the browser: what is older is no news. */
export const MOTION_UNSENT_MAX = 4;
/** After a new stay began, or one ended, whoever is not told of again within this is gone: twenty ticks. */
export const MOTION_SETTLED_MS = 1_000;
