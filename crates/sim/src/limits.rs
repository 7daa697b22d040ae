//! Sizes of a simulation, and bounds that end a failing run.

use core::time::Duration;

/// Clients per seed; the last two enter late.
pub const CLIENTS: usize = 10;

/// Clients present from the start.
pub const EARLY_CLIENTS: usize = 8;

/// Minimum of operations per seed; more follow while a row of the persistence table is missing.
pub const OPERATIONS_MIN: usize = 240;

/// Operations after which a missing row is a fault of the generator.
pub const OPERATIONS_MAX: usize = 4_000;

/// Comparisons at rest per run.
pub const ROUNDS: usize = 3;

/// Maximum of events per seed: ten times the busiest seed's.
pub const EVENTS_MAX: usize = 1_000_000;

/// Maximum one-way latency between client and server.
pub const LATENCY_MAX_MS: u64 = 80;

/// Maximum pause between two actions of a client: long enough for a minute's freeze to fit into a round.
pub const PAUSE_MAX_MS: u64 = 6_000;

/// Delay from a change to its group commit.
pub const COMMIT: Duration = Duration::from_millis(7);

/// Duration of a frozen tab.
pub const FREEZE: Duration = Duration::from_secs(60);

/// Queued frames after which newer state replaces older: a dozen clients send some hundred messages a minute.
pub const PATIENCE_FRAMES: usize = 32;

/// Idle time before a ping: well within the keep-alive.
pub const PING: Duration = Duration::from_secs(20);

/// Requested keep-alive in seconds. A connection survives a minute's freeze: the server waits 1.5 times as long.
pub const KEEP_ALIVE_S: u16 = 60;

const _: () = assert!(EARLY_CLIENTS >= 8 && CLIENTS > EARLY_CLIENTS);
const _: () = assert!(OPERATIONS_MIN >= 200 && OPERATIONS_MAX > OPERATIONS_MIN);

/// Clients per seed of the broker's world: members with and without durable sessions, and a guest.
pub const BROKER_CLIENTS: usize = 8;

/// Operations of these clients, in all rounds together.
pub const BROKER_OPERATIONS: usize = 320;

/// Rest before the broker's world is compared: the queue of the smallest receive maximum drains in that time.
pub const BROKER_REST: Duration = Duration::from_secs(40);

/// Duration of a slow group commit.
pub const COMMIT_LATE_MS: u64 = 900;

/// Unacknowledged messages of a client, beyond which it publishes at QoS 0 only.
pub const UNACKNOWLEDGED_MAX: usize = 8;

const _: () = assert!(BROKER_REST.as_secs() > 2 * 5 && BROKER_REST.as_secs() < 60);

/// Maximum time for which a hand or tracked object is withdrawn, in milliseconds.
pub const MOTION_PUT_AWAY_MAX_MS: u64 = 2_000;

/// Maximum of people per seed of the motion world.
pub const MOTION_PEOPLE_MAX: usize = 14;

/// Walking time in seconds.
pub const MOTION_WALK_S: u64 = 12;

/// Rest in seconds before the comparison. A resting object's baseline is repeated after at most 16 s, for clients that
/// lost it.
pub const MOTION_REST_S: u64 = 24;

/// Interval of a person's frames.
pub const MOTION_ACT_MS: u64 = 50;

/// Maximum one-way delay.
pub const MOTION_DELAY_MAX_MS: u64 = 500;

/// Maximum difference in delay between two datagrams.
pub const MOTION_JITTER_MAX_MS: u64 = 120;

/// People walk within this distance of the origin on each axis: more than two radii of any policy.
pub const MOTION_AREA_MM: i32 = 60_000;

/// A budget too small for the updates of so few people, in bytes a second.
pub const MOTION_BYTES_PER_S_TIGHT: u32 = 3 * 1_024;

/// Bytes of a period besides poses: headers, acknowledgements, and a share of changes and baselines.
pub const MOTION_OVERHEAD_BYTES: u32 = 80;

/// Periods within which a pose arrives although three of ten frames are lost each way; fails once in 10^8.
pub const MOTION_TURNS_LOST: usize = 30;

/// Maximum absence: longer than the silence that ends a session.
pub const MOTION_AWAY_MAX_MS: u64 = 14_000;
