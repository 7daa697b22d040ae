/** The client's limits with their reasons. The realm's own limits are generated from `spec/limits.json`. */
import { FRAME_BYTES_MAX, MOTION_REPORT_MS, MOTION_RETRY_S, PAYLOAD_BYTES_MAX } from "./generated/limits.ts";

export * from "./generated/limits.ts";

/** Shortest time between two pose messages of the same head or hand: ARENA's `camUpdateIntervalMs`. */
export const POSE_PERIOD_MS = 100;
/** Interval of repeating a resting camera or hand, so that its `ttl` doesn't expire. */
export const HEARTBEAT_MS = 1_000;
/** Interval of repeating cameras and hands while the motion plane carries them: a third of {@link CAMERA_TTL_S}. */
export const CARRIED_HEARTBEAT_MS = 10_000;
/** The `ttl` of a camera or hand: thirty heartbeats, or three while the motion plane carries the poses. */
export const CAMERA_TTL_S = 30;
/** A session's tick this late means a frozen tab, which may have dropped messages. */
export const FROZEN_MS = 10_000;

/** First and longest wait before reconnecting. The wait doubles after each attempt, and half of it is random. */
export const BACK_OFF_MS = { first: 500, longest: 10_000 } as const;
/** A connection that lived this long resets the back-off. */
export const SETTLED_MS = 10_000;
/** Timeout of one attempt: token, connection, subscription and snapshot together. */
export const ATTEMPT_MS = 20_000;
/**
 * Timeout of opening an MQTT connection, CONNACK included, or the WebSocket of the motion plane. It leaves an MQTT
 * attempt time for the later steps.
 */
export const CONNECT_MS = 10_000;
/** Timeout of a request for a ticket to the motion plane: without an answer, the page would stay off the plane. */
export const MOTION_TICKET_MS = 10_000;
/** Time before a token's expiry at which a new one is requested; two attempts fit into it. */
export const RENEWAL_S = 60;
/** Wait before retrying a failed renewal: two attempts before the old token expires. */
export const RENEWAL_RETRY_MS = 30_000;
/** Shortest time between a new token and its renewal, so that a wrong clock doesn't cause a loop of renewals. */
export const RENEWAL_MS_MIN = 300_000;
/** MQTT keep-alive. The realm closes the connection after 1.5 times this. */
export const KEEP_ALIVE_S = 30;
/** Silence of the realm after which the client sends a PINGREQ: two bytes each way. */
export const SILENCE_ASK_MS = 3_000;
/**
 * Time after a PINGREQ without any packet, after which the page shows a silent connection. The connection stays open,
 * because a ride through a tunnel takes longer.
 */
export const SILENCE_SHOWN_MS = 4_000;
/** A tick this late means that the page was busy or asleep, and may have an unread answer. */
export const SILENCE_BUSY_MS = 2_000;

/** Wait between the first skipped revision and a snapshot: a conflated burst skips many, and one snapshot fills all. */
export const GAP_PATIENCE_MS = 1_000;
/** First and longest pause between snapshots for missing revisions. The pause doubles after each. */
export const GAP_SNAPSHOT_MS = { first: 2_000, longest: 60_000 } as const;
/** Shortest time between the end of one snapshot and the request for the next. */
export const SNAPSHOT_PAUSE_MS = 500;
/** Messages held back while a snapshot loads: ten seconds at 2,000 a second. */
export const HELD_BACK_MAX = 20_000;
/** Most changes that may wait for the realm's acknowledgement. */
export const IN_FLIGHT_MAX = 256;
/** Most bytes of unacknowledged changes on the connection: the size of the largest payload. */
export const IN_FLIGHT_BYTES_MAX = PAYLOAD_BYTES_MAX;
/** Undo steps: an afternoon of building. Each holds the replaced values. */
export const UNDO_STEPS_MAX = 200;
/** Longest pause between changes of the same attribute that form one undo step, as while dragging or holding a key. */
export const UNDO_FOLLOWS_MS = 700;
/** Objects with remembered foreign changes: more than a person undoes. */
export const UNDO_TOUCHED_MAX = 1_000;
/** People who left, remembered so that a late pose doesn't bring them back. */
export const DEPARTED_MAX = 1_024;

/** How long the shortest transit time of a frame is remembered. */
export const MOTION_TRANSIT_WINDOW_MS = 10_000;
/** Wait before a missing baseline is requested, and between repeated requests: two ticks. */
export const MOTION_PATIENCE_MS = 100;
/** Longest delay of the drawn poses for jitter. */
export const MOTION_JITTER_MS_MAX = 200;
/** Decay time to a third (1/e) of past lateness. A page's start causes one late frame. */
export const MOTION_JITTER_FALL_MS = 3_000;
/** How long a resting pose is sent again: ten reports, of which one is expected to arrive. */
export const MOTION_RESTING_MS = 1_000;
/** Wait before a refused mover is declared again. The realm repeats a refusal at most once a second. */
export const MOTION_REFUSED_MS = 2_000;
/** Interval of polling for motion frames to send: half a report. */
export const MOTION_BEAT_MS = MOTION_REPORT_MS / 2;
/** First and longest wait before a page changes from the WebSocket to WebTransport. It doubles while changes fail soon. */
export const MOTION_RETRY_MS = 1_000 * MOTION_RETRY_S;
export const MOTION_RETRY_MS_MAX = 8 * MOTION_RETRY_MS;
/** Arrivals of frames to report at once: those of a report's period at the highest rate, in a quarter of a frame. */
export const MOTION_ARRIVALS_MAX = 256;
/** How long a frame of voice may wait for its transport, in milliseconds: listeners play later ones as gaps. */
export const MOTION_VOICE_AGE_MS_MAX = 100;
/** Bytes of voice that wait for a transport: four frames, 200 ms at {@link VOICE_BYTES_PER_S}. Poses wait as one frame. */
export const MOTION_VOICE_QUEUED_BYTES_MAX = 4 * FRAME_BYTES_MAX;
/** Bytes that the WebSocket may hold unsent before frames wait: four frames, so that no queue delays voice and poses. */
export const MOTION_UNSENT_BYTES_MAX = 4 * FRAME_BYTES_MAX;
/** Interval in milliseconds of trying again to send waiting frames on the WebSocket: half of one unit of voice. */
export const MOTION_DRAIN_MS = 10;
/** Time after a motion connection opens or ends in which each mover must appear again, else it is removed: 20 ticks. */
export const MOTION_SETTLED_MS = 1_000;
/** Most flows that a connection keeps: those of a scene. A page hears a few of them at once. */
export const DECLARED_FLOWS_MAX = 4_096;
/** Difference between audio clock and plane clock after which a voice's times are based anew: a suspended context. */
export const VOICE_CLOCK_SHIFT_MS = 100;
/** Loss in thousandths from which one, two and three units are repeated with each new one. */
export const VOICE_REPEATS = [10, 30, 60] as const;
/** Frames over which the upward loss is measured: a second's worth of a voice. */
export const UPLINK_LOSS_FRAMES = 50;
