//! Limits of the motion plane and of interest sets, each with its reason.

use core::time::Duration;

use super::{GUEST_SESSIONS_MAX, PEOPLE_MAX};

/// Milliseconds between two poses of one person: 20 Hz, as the papers' clients and Stoa's send. Bounds of delays are
/// multiples of it.
pub const MOTION_PERIOD_MS: u32 = stoa_wire::limits::MOTION_PERIOD_MS as u32;

/// Time between serving two groups of receivers. There are five, so each is served every 40 ms. That is more often
/// than 20 Hz poses arrive, so a pose that is ten milliseconds late still leaves before the next one replaces it.
pub const MOTION_SUBTICK: Duration = Duration::from_millis(8);
const _: () = assert!(MOTION_SUBTICK.as_millis() * 5 <= MOTION_PERIOD_MS as u128);

/// Frames that one thread sends immediately per second, counted as if each sender also received its own. Scenes
/// that need more are served by ticks.
pub const MOTION_AT_ONCE_PER_S: u64 = 8_000;

/// Largest crowd that is served immediately, before its rate is known.
pub const MOTION_AT_ONCE_PEOPLE: usize = 32;

/// Milliseconds that a delay of the server itself is remembered: until all reports that the delay held up have arrived.
pub const MOTION_LATE_MS: u32 = 1_000;

/// Silence after which a motion session ends.
pub const MOTION_SILENCE: Duration = Duration::from_millis(stoa_wire::limits::MOTION_SILENCE_MS);

/// Time for validating a new peer address by an acknowledgement. Until then no more bytes are sent there than came
/// from there. At ten reports a second that allows a full frame every 1.5 s: six frames, of which one arrives on
/// any usable path.
pub const MOTION_PROOF: Duration = Duration::from_secs(10);

/// Sequence numbers skipped at most when a peer address changes. Some thousands of frames are sent during the
/// validation, so a blind guess hits a number that was sent once in ten thousand tries, and only one guess is
/// allowed.
pub const MOTION_SKIPPED_MAX: u32 = 1 << 26;

/// Time before a short id is reused: a late frame must not move another object.
pub const MOTION_ID_REST: Duration = Duration::from_secs(stoa_wire::limits::MOTION_ID_REST_S);
const _: () = assert!(MOTION_SILENCE.as_millis() < MOTION_ID_REST.as_millis());

/// Time between two baselines of a moving object. Source: Forest's servers send the whole state once a second.
pub const MOTION_BASELINE_PERIOD: Duration = Duration::from_secs(1);

/// Time between two baselines of an object so fast that its deltas become long. Both sendings of one baseline have
/// ended by then in all groups.
pub const MOTION_BASELINE_PERIOD_MIN: Duration = Duration::from_millis(200);
const _: () = assert!(MOTION_BASELINE_PERIOD_MIN.as_millis() > 3 * MOTION_PERIOD_MS as u128);

/// Doublings of the baseline period while an object rests. Its baseline is then repeated every 16 s, for receivers
/// that missed its last pose.
pub const MOTION_BASELINE_DOUBLINGS: u8 = 4;

/// Bytes per second sent to a new session until its first report: half a scene's budget, which a bad line bears for
/// a moment.
pub const MOTION_FIRST_BYTES_PER_S: u32 = 128 * 1_024;

/// Smallest bandwidth of a session on a bad path, in bytes per second: a hundred poses a tick, no more than a voice
/// and a small picture.
pub const MOTION_BYTES_PER_S_MIN: u32 = 32 * 1_024;

/// Largest bandwidth of a receiver by default, in bytes per second: a thousand heads at about 14 updates a second,
/// and a fifth of a home connection.
pub const MOTION_BYTES_PER_S: u32 = 256 * 1_024;

/// Largest bandwidth that a scene may set, in bytes per second: a thousand heads and hands at 20 Hz, twice.
pub const MOTION_BYTES_PER_S_MAX: u32 = 4 * 1_024 * 1_024;
const _: () = assert!(MOTION_BYTES_PER_S_MIN <= MOTION_BYTES_PER_S && MOTION_BYTES_PER_S <= MOTION_BYTES_PER_S_MAX);

/// Motion sessions and unused tickets of one guest: one of each for every page.
pub const GUEST_MOTION_GRANTS_MAX: usize = 2 * GUEST_SESSIONS_MAX;

/// Motion sessions and unused tickets of one account: two hundred programs, a school class's pages, and an unused
/// ticket for each.
pub const MEMBER_MOTION_GRANTS_MAX: usize = 512;

/// Motion sessions and unused tickets of all guests, and of all accounts, from which fair shares count: four thousand
/// people, each with a session and a ticket.
pub const MOTION_GRANTS_SHARED: usize = 8_192;

/// Motion sessions and unused tickets of all guests, and as many of all accounts. Those above [`MOTION_GRANTS_SHARED`]
/// are for people within their fair share. Each takes a kilobyte or two, and eight more if the
/// client reports arrivals.
pub const MOTION_GRANTS_MAX: usize = 16_384;
const _: () = assert!(MOTION_GRANTS_SHARED < MOTION_GRANTS_MAX);
const _: () =
    assert!(GUEST_MOTION_GRANTS_MAX < MEMBER_MOTION_GRANTS_MAX && MEMBER_MOTION_GRANTS_MAX <= MOTION_GRANTS_MAX / 32);

/// Milliseconds that the smallest delay is remembered: paths change, and clocks drift.
pub const MOTION_LEAST_MS: u32 = 10_000;

/// Shortest retransmission timeout of reliable parts, in milliseconds: two ticks.
pub const MOTION_PATIENCE_MS_MIN: u32 = 100;

/// Longest retransmission timeout of reliable parts, in milliseconds. On a long path three copies are better than a
/// gap of seconds.
pub const MOTION_PATIENCE_MS_MAX: u32 = 300;

/// Time between two frames to a receiver without news: its acknowledgements measure the path.
pub const MOTION_SAID_PERIOD: Duration = Duration::from_millis(500);

/// Time between two path quality parts.
pub const MOTION_QUALITY_PERIOD: Duration = Duration::from_secs(1);

/// Time between two refusals of an object to the same client, once it has acknowledged the first.
pub const MOTION_REFUSAL_PERIOD: Duration = Duration::from_secs(1);

/// Time that a scene's people on the motion plane reach no plain MQTT client before they are published less often: long
/// enough to publish each of 200 moving people once.
pub const MOTION_UNHEARD: Duration = Duration::from_secs(1);

/// Marked frames of one client that wait until all receivers have them.
pub const MOTION_MARKS_MAX: usize = stoa_wire::limits::MOTION_MARKS_MAX;

/// Time after which a marked frame is forgotten although some receiver has not acknowledged it.
pub const MOTION_MARK_LIFE: Duration = Duration::from_millis(stoa_wire::limits::MOTION_MARK_LIFE_MS);

/// Unacknowledged services of one receiver whose poses are remembered while marked frames wait: one second of immediate
/// serving.
pub const MOTION_MARKED_FRAMES_MAX: usize = 256;

/// Baseline requests of one client that wait for an answer.
pub const MOTION_ASKED_MAX: usize = stoa_wire::limits::MOTION_ASKED_MAX;

/// Receive window: the sequence numbers, up to the newest, whose arrival is tracked.
pub const MOTION_WINDOW: u32 = stoa_wire::limits::MOTION_WINDOW as u32;
const _: () = assert!(MOTION_WINDOW.is_multiple_of(64), "kept in words of 64 bits");

/// Objects of one client that appear per second. Each takes a short id, which then rests for [`MOTION_ID_REST`],
/// and is announced to all receivers. Two hundred malicious clients are needed to exhaust a scene's short ids;
/// without the limit one was enough.
pub const MOTION_APPEARANCES_PER_S: u32 = stoa_wire::limits::MOTION_APPEARANCES_PER_S as u32;

/// Burst of appearing objects. A client that joins announces all its objects with its first frames, and again after
/// it withdrew them.
pub const MOTION_APPEARANCES_BURST: u32 = stoa_wire::limits::MOTION_APPEARANCES_BURST as u32;
const _: () = assert!(2 * stoa_wire::limits::MOTION_OWN_MAX <= MOTION_APPEARANCES_BURST as usize);

/// Changes that one receiver has not acknowledged. Beyond that its session ends, and it receives everything anew.
/// The largest scene needs this many when all short ids leave and enter at once. They take half a megabyte.
pub const MOTION_CHANGES_MAX: usize = stoa_wire::limits::MOTION_CHANGES_MAX;
const _: () = assert!(MOTION_CHANGES_MAX >= 2 * 65_536);

/// Frames of one client per second: headsets send 90, and as many again after a hitch.
pub const MOTION_FRAMES_PER_S: u32 = stoa_wire::limits::MOTION_FRAMES_PER_S as u32;

/// Burst of frames of one client.
pub const MOTION_FRAMES_BURST: u32 = stoa_wire::limits::MOTION_FRAMES_BURST as u32;
const _: () = assert!(MOTION_FRAMES_BURST < MOTION_WINDOW);

/// Time between two evaluations of a scene's interest sets. Source: Ubiq, 5 Hz.
pub const INTEREST_INTERVAL: Duration = Duration::from_millis(200);

/// Slots of items and of observers in one scene: short ids have 16 bits.
pub const INTEREST_SLOTS_MAX: u32 = 65_536;

/// Items that `nearest` shows each observer. Source: Ubiq, k = 20: about as many people as can talk to each other.
pub const NEAREST_COUNT_DEFAULT: u32 = 20;

/// Largest count of `nearest` that a scene may set. The pairs of 2,000 people then take 12 MB; beyond it `all` is
/// cheaper.
pub const NEAREST_COUNT_MAX: u32 = 512;

/// Shortest time that an item remains after it fell out of the nearest; the next evaluation after that removes it.
/// Source: Ubiq, 500 ms.
pub const NEAREST_STAY: Duration = Duration::from_millis(500);

/// Diameter of a hexagonal cell, corner to corner. Source: Ubiq, 20 m.
pub const HEX_CELL_MM_DEFAULT: u32 = 20_000;

/// Smallest cell that a scene may set: one person to a cell.
pub const HEX_CELL_MM_MIN: u32 = 1_000;

/// Largest cell that a scene may set: farther than people can be made out.
pub const HEX_CELL_MM_MAX: u32 = 1_000_000;

/// Divisor of a cell's diameter: the distance beyond its sides at which a person leaves it. It is 1 m of 20 m, more
/// than a standing person sways, leans or turns. Ubiq has no such border.
pub const HEX_BORDER_SHARE: i64 = 20;

/// Range of `radius`: a circle as large as the seven cells that an observer of `hex` sees. Ubiq has no radius.
pub const RADIUS_MM_DEFAULT: u32 = 24_000;

/// Largest range of `radius`: the extent of a scene.
pub const RADIUS_MM_MAX: u32 = 1_000_000_000;

/// Range at which an item leaves, in percent of the range at which it enters: 2.4 m more than 24 m, nearly a
/// second's walk at 3 m/s.
pub const RADIUS_OUT_PERCENT: u64 = 110;

const _: () =
    assert!(INTEREST_INTERVAL.as_millis() < NEAREST_STAY.as_millis() && NEAREST_COUNT_DEFAULT <= NEAREST_COUNT_MAX);
const _: () = assert!(PEOPLE_MAX <= INTEREST_SLOTS_MAX as usize && RADIUS_OUT_PERCENT > 100);
const _: () =
    assert!(HEX_CELL_MM_MIN <= HEX_CELL_MM_DEFAULT && HEX_CELL_MM_DEFAULT <= HEX_CELL_MM_MAX && HEX_BORDER_SHARE > 4);
// A hexagon's area is 0.6495 squares of its diameter. The areas are equal to one part in a hundred.
const _: () =
    assert!((RADIUS_MM_DEFAULT as u64).pow(2) * 31_416 * 100 / ((HEX_CELL_MM_DEFAULT as u64).pow(2) * 7 * 6_495) == 99);
