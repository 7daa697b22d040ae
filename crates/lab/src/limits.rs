//! The numbers of the experiments, each with its reason.

use std::time::Duration;

/// The core of every server under test.
pub(crate) const SERVER_CPU: usize = 0;
/// The core of the generator.
pub(crate) const GENERATOR_CPU: usize = 1;
const _: () = assert!(SERVER_CPU != GENERATOR_CPU);

/// A generator that used more of its core than this may itself be what was measured.
pub(crate) const GENERATOR_LOAD_MAX: f64 = 0.85;

/// What the papers' users feel as being together: a state older than that is somebody who stands elsewhere by now.
pub(crate) const STALENESS_P99_MS_MAX: f64 = 250.0;
/// One period of 10 Hz: later, and a newer message was already sent.
pub(crate) const DELIVERY_P99_MS_MAX: f64 = 100.0;
/// These receivers read promptly, so all is to arrive.
pub(crate) const UNDELIVERED_MAX: f64 = 0.01;

/// Cameras of ARENA's clients.
pub(crate) const RATE_HZ: f64 = 10.0;
/// A camera message of ARENA's browser client, in bytes of JSON.
pub(crate) const PAYLOAD_BYTES: usize = 300;

/// Load before anything counts: queues and windows find their size.
pub(crate) const WARM_UP: Duration = Duration::from_secs(2);
/// Load after the last message that counts: it may still arrive.
pub(crate) const GRACE: Duration = Duration::from_secs(1);

/// One read: as much as a loaded server has for one socket.
pub(crate) const READ_BYTES: usize = 256 * 1_024;
/// What one person's socket did not take: then the server has stopped reading.
pub(crate) const UNSENT_BYTES_MAX: usize = 4 * 1_024 * 1_024;

/// A server that takes longer to start has failed.
pub(crate) const START_TIMEOUT: Duration = Duration::from_secs(20);
/// An answer that takes longer does not come.
pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// People who connect at the same time.
pub(crate) const ENTERING_TOGETHER: usize = 16;

/// More users than one core has ever served here.
pub(crate) const USERS_MAX: usize = 2_000;

/// Between two poses of somebody on the motion plane: its tick of 20 Hz.
pub(crate) const MOTION_PERIOD: Duration = Duration::from_millis(50);
/// New poses a second that each who sees is to have of each who is seen: of 20, one may come too late to be of use.
pub(crate) const MOTION_POSES_PER_S_MIN: f64 = 19.0;
/// Two and a half ticks.
pub(crate) const MOTION_STALENESS_P99_MS_MAX: f64 = 125.0;
/// The way there, a tick's wait, and the way back.
pub(crate) const MOTION_DELIVERY_P99_MS_MAX: f64 = 90.0;
/// So many look at all poses; everybody opens all datagrams.
pub(crate) const MOTION_DECODERS: usize = 50;
/// Until all of a crowd are in and know of each other.
pub(crate) const ENTERING_TIMEOUT: Duration = Duration::from_secs(60);
/// More people than one core has ever carried here.
pub(crate) const MOTION_PEOPLE_MAX: usize = 3_000;
