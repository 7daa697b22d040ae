//! Every number that bounds or shapes the server, with its reason.

use std::time::Duration;

/// The data folder where none is given.
pub const DATA_DIR: &str = "./stoa-data";
/// HTTPS and secure WebSocket.
pub const HTTPS_PORT: u16 = 8443;
/// Plain HTTP on loopback: a secure context for browsers, without a certificate warning.
pub const HTTP_PORT: u16 = 8080;
/// MQTT's registered port.
pub const MQTT_PORT: u16 = 1883;
/// MQTT over TLS's registered port.
pub const MQTTS_PORT: u16 = 8883;
/// Native motion; nothing listens yet.
pub const MOTION_PORT: u16 = 8444;
/// Administration.
pub const ADMIN_PORT: u16 = 8445;

/// Inputs of connections that wait for the realm task; a full channel slows their readers down.
pub const INPUTS_QUEUED_MAX: usize = 8_192;
/// Inputs applied in one batch, after which each touched writer is woken once.
pub const INPUTS_BATCH_MAX: usize = 1_024;
/// Commands of doors that wait for the realm task.
pub const REQUESTS_QUEUED_MAX: usize = 256;
/// Changes that wait for the disk. Past it the realm task takes no more from connections until the store has caught up.
pub const CHANGES_QUEUED_MAX: usize = 65_536;
/// Verdicts of the store that wait for the realm task; the store waits when it is full, the realm never waits for the store.
pub const VERDICTS_QUEUED_MAX: usize = 16;
const _: () = assert!(INPUTS_BATCH_MAX <= INPUTS_QUEUED_MAX);

/// Headers of one HTTP request must have come by then: a half-sent request holds no socket for longer.
pub const HTTP_HEADER_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a draining server waits for HTTP requests and outboxes that are still being written.
pub const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);
/// HTTP connections at one time on one door: each costs a socket and a task.
pub const HTTP_CONNECTIONS_MAX: usize = 4_096;

/// Lifetime of a token by `stoa token`, unless told: a day, as ARENA's.
pub const TOKEN_TTL_S: u64 = 86_400;
/// The longest lifetime `stoa token` gives: a year, as ARENA's service tokens.
pub const TOKEN_TTL_S_MAX: u64 = 366 * 86_400;
/// Lifetime of `DIR/run/token`.
pub const RUN_TOKEN_TTL: Duration = Duration::from_secs(12 * 3_600);
/// It is written anew this often.
pub const RUN_TOKEN_PERIOD: Duration = Duration::from_secs(6 * 3_600);
const _: () = assert!(RUN_TOKEN_PERIOD.as_secs() < RUN_TOKEN_TTL.as_secs());

/// Lifetime of the realm's authority: it is installed by hand on phones, so it lasts.
pub const CA_LIFETIME: Duration = Duration::from_secs(10 * 365 * 86_400);
/// Lifetime of the server's certificate: browsers refuse more than 398 days.
pub const CERT_LIFETIME: Duration = Duration::from_secs(396 * 86_400);
/// A certificate with less than this left is made anew.
pub const CERT_RENEW_BEFORE: Duration = Duration::from_secs(30 * 86_400);
/// How often the server looks whether its certificate is still good.
pub const CERT_CHECK_PERIOD: Duration = Duration::from_secs(12 * 3_600);
/// Certificates begin a little in the past: clocks of phones are off.
pub const CERT_BACKDATE: Duration = Duration::from_secs(3_600);
const _: () = assert!(CERT_LIFETIME.as_secs() + CERT_BACKDATE.as_secs() <= 397 * 86_400);

/// One request line on the control socket.
pub const CONTROL_LINE_BYTES_MAX: u64 = 64 * 1_024;
/// A control connection says all it has to say by then.
pub const CONTROL_TIMEOUT: Duration = Duration::from_secs(10);
