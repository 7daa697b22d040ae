//! How much one seed simulates, and the bounds that keep a failing run from never ending.

use core::time::Duration;

/// Clients of one seed; the last two come late.
pub const CLIENTS: usize = 10;

/// Of these, so many are there from the beginning.
pub const EARLY_CLIENTS: usize = 8;

/// Operations of one seed, at least: more, where a row of the table of persistence is still missing.
pub const OPERATIONS_MIN: usize = 240;

/// Operations after which a row that is still missing is a fault of the generator.
pub const OPERATIONS_MAX: usize = 4_000;

/// Times at which everything comes to rest and is compared.
pub const ROUNDS: usize = 3;

/// Events of one seed, at most: ten times what the busiest has.
pub const EVENTS_MAX: usize = 1_000_000;

/// One way between client and server.
pub const LATENCY_MAX_MS: u64 = 80;

/// From one thing that a client does to the next: slow enough for a minute's freeze to fall into a round.
pub const PAUSE_MAX_MS: u64 = 6_000;

/// From a change to its group commit.
pub const COMMIT: Duration = Duration::from_millis(7);

/// How long a frozen tab is frozen.
pub const FREEZE: Duration = Duration::from_secs(60);

/// Frames that wait for a client before newer state takes the place of older: a dozen clients say some hundred things in a minute.
pub const PATIENCE_FRAMES: usize = 32;

/// From a client's last word to its ping: well within its keep-alive.
pub const PING: Duration = Duration::from_secs(20);

/// The keep-alive asked for, in seconds: a minute's freeze is survived.
pub const KEEP_ALIVE_S: u16 = 60;

const _: () = assert!(EARLY_CLIENTS >= 8 && CLIENTS > EARLY_CLIENTS);
const _: () = assert!(OPERATIONS_MIN >= 200 && OPERATIONS_MAX > OPERATIONS_MIN);

/// Clients of one seed of the broker's world: members with sessions that last, without, and a guest.
pub const BROKER_CLIENTS: usize = 8;

/// What they do, in all rounds together.
pub const BROKER_OPERATIONS: usize = 320;

/// How long nobody begins anything new before the broker's world is compared: what waited comes through the smallest window in that time.
pub const BROKER_REST: Duration = Duration::from_secs(40);

/// A disk that is slow takes so long for a group.
pub const COMMIT_LATE_MS: u64 = 900;

/// Messages of a client that are not yet acknowledged; then it says no more at QoS 1 and 2.
pub const UNACKNOWLEDGED_MAX: usize = 8;

const _: () = assert!(BROKER_REST.as_secs() > 2 * 5 && BROKER_REST.as_secs() < 60);

/// For how long somebody puts a hand or a tracked object away, in milliseconds, at most.
pub const MOTION_PUT_AWAY_MAX_MS: u64 = 2_000;

/// People of one seed of the motion plane's world, at most.
pub const MOTION_PEOPLE_MAX: usize = 14;

/// How long they walk, in seconds.
pub const MOTION_WALK_S: u64 = 12;

/// How long they stand before what they see is compared: a baseline that was lost each time is told again after 16 s.
pub const MOTION_REST_S: u64 = 24;

/// From one thing that a person says to the next.
pub const MOTION_ACT_MS: u64 = 50;

/// One way, at most.
pub const MOTION_DELAY_MAX_MS: u64 = 500;

/// What one datagram may be later than another.
pub const MOTION_JITTER_MAX_MS: u64 = 120;

/// They walk within so many millimetres of the origin: more than two radii of any policy.
pub const MOTION_AREA_MM: i32 = 60_000;

/// A budget into which not all that these few people do fits, in bytes a second.
pub const MOTION_BYTES_PER_S_TIGHT: u32 = 3 * 1_024;

/// What a tick's bytes hold beside poses: heads, acknowledgements, and a share of changes and baselines.
pub const MOTION_OVERHEAD_BYTES: u32 = 80;

/// In so many ticks in a row one pose gets through, though three of ten frames are lost each way: it fails once in 10^8.
pub const MOTION_TURNS_LOST: usize = 30;

/// For how long somebody is away, at most: longer than silence is borne.
pub const MOTION_AWAY_MAX_MS: u64 = 14_000;
