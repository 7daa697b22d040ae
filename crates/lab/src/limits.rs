//! Numbers that the experiments share.

use std::time::Duration;

/// The core of the server under test.
pub(crate) const SERVER_CPU: usize = 0;
/// The core of the generator.
pub(crate) const GENERATOR_CPU: usize = 1;
const _: () = assert!(SERVER_CPU != GENERATOR_CPU);

/// A generator that used a larger share of its core may itself be the bottleneck.
pub(crate) const GENERATOR_LOAD_MAX: f64 = 0.85;

/// The papers' bound for feeling together: an older state shows a person at a wrong position.
pub(crate) const STALENESS_P99_MS_MAX: f64 = 250.0;
/// Limit of delivery: one period at 10 Hz, after which a newer message has been sent.
pub(crate) const DELIVERY_P99_MS_MAX: f64 = 100.0;
/// Largest share of messages that may be missing. Receivers read promptly, so everything should arrive.
pub(crate) const UNDELIVERED_MAX: f64 = 0.01;

/// Rate of camera messages of ARENA's clients.
pub(crate) const RATE_HZ: f64 = 10.0;
/// A camera message of ARENA's browser client, in bytes of JSON.
pub(crate) const PAYLOAD_BYTES: usize = 300;

/// Load before the measurement, so that queues and windows reach their size.
pub(crate) const WARM_UP: Duration = Duration::from_secs(2);
/// Time after the last counted message in which it may still arrive.
pub(crate) const GRACE: Duration = Duration::from_secs(1);

/// Size of one read: more than a loaded server has ready for one socket.
pub(crate) const READ_BYTES: usize = 256 * 1_024;
/// Unsent bytes of one person's socket after which the server counts as no longer reading. The floor sends a client
/// with as many unsent bytes no further messages.
pub(crate) const UNSENT_BYTES_MAX: usize = 4 * 1_024 * 1_024;

/// A server that takes longer to start has failed, and so has a child process that keeps the lab waiting for
/// a line this long.
pub(crate) const START_TIMEOUT: Duration = Duration::from_secs(20);
/// A response that takes longer counts as missing.
pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// People that connect at the same time.
pub(crate) const ENTERING_TOGETHER: usize = 16;

/// Largest number of users to try: above any that one core has served here.
pub(crate) const USERS_MAX: usize = 2_000;

/// The period of a person's poses on the motion plane: 20 Hz.
pub(crate) const MOTION_PERIOD: Duration = Duration::from_millis(50);
/// Minimum of new poses a second in each pair of sender and receiver. One of 20 may arrive too late to be useful.
pub(crate) const MOTION_POSES_PER_S_MIN: f64 = 19.0;
/// Limit of a pose's age: two and a half periods of 50 ms.
pub(crate) const MOTION_STALENESS_P99_MS_MAX: f64 = 125.0;
/// Limit of a pose's delivery: the path to the server, the wait for a tick, and the path back.
pub(crate) const MOTION_DELIVERY_P99_MS_MAX: f64 = 90.0;
/// Receivers that decode all poses. Every receiver opens all its datagrams.
pub(crate) const MOTION_DECODERS: usize = 50;
/// Time limit for each wave of a crowd to enter, and then for all people to know the people of their scene.
pub(crate) const ENTERING_TIMEOUT: Duration = Duration::from_secs(60);
/// Largest number of people to try: above any that one core has carried here.
pub(crate) const MOTION_PEOPLE_MAX: usize = 3_000;
/// Payload of a voice's unit: Opus at 32 kbit/s.
pub(crate) const VOICE_UNIT_BYTES: usize = 70;
/// Share of units that must arrive.
pub(crate) const VOICE_ARRIVED_MIN: f64 = 0.999;
/// Most listeners to try.
pub(crate) const VOICE_LISTENERS_MAX: usize = 6_000;
