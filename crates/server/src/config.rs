//! Configuration: flags, then environment variables, then one TOML file, then defaults. A key has the same name in
//! flags, environment and file; only the flag of `open` is `--no-open`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

mod file_hosts;
pub mod host_names;
mod listen;
pub mod ports;

pub use file_hosts::AllowedFileHosts;
pub use listen::{DefaultListenScope, EndpointListenAddresses, ListenError};

use stoa_state::motion::interest::{InterestPolicyError, InterestSetPolicy};
use stoa_state::motion::send_timing::{ParseSendTimingError, SendTimingMode};
use stoa_state::motion::{self, MotionOverridesError, MotionSettingsOverrides};

use crate::identity::accounts::registration::RegistrationPolicy;
use crate::limits;
use crate::store::HistoryRetention;

/// The keys as given, all optional: the flags of `stoa serve` and the keys of the TOML file.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PartialConfig {
    /// Data folder of the realm [default: ./stoa-data]
    #[arg(long, env = "STOA_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// HTTPS and secure WebSocket: ADDR, a port, or off [default: [::]:8443]
    #[arg(long, env = "STOA_HTTPS", value_name = "ADDR")]
    pub https: Option<String>,
    /// Plain HTTP, loopback only [default: 127.0.0.1:8080 and [::1]:8080]
    #[arg(long, env = "STOA_HTTP", value_name = "ADDR")]
    pub http: Option<String>,
    /// Plain MQTT, loopback only [default: 127.0.0.1:1883 and [::1]:1883]
    #[arg(long, env = "STOA_MQTT", value_name = "ADDR")]
    pub mqtt: Option<String>,
    /// MQTT over TLS [default: [::]:8883]
    #[arg(long, env = "STOA_MQTTS", value_name = "ADDR")]
    pub mqtts: Option<String>,
    /// The motion plane for native clients, in UDP: ADDR, a port, or off [default: [::]:8444]
    #[arg(long, env = "STOA_MOTION", value_name = "ADDR")]
    pub motion: Option<String>,
    /// Threads of the motion plane; each takes a core and a UDP port, counted up from that of --motion [default: 1]
    #[arg(long, env = "STOA_MOTION_THREADS", value_name = "COUNT")]
    pub motion_threads: Option<usize>,
    /// Interest policy of scenes without their own
    #[arg(
        long,
        env = "STOA_MOTION_POLICY",
        value_name = "POLICY",
        help = format!("Interest policy of scenes without their own: {} [default: all]", InterestSetPolicy::formats())
    )]
    pub motion_policy: Option<String>,
    /// Bytes of motion a second for each receiver, in scenes without their own limit [default: 262144]
    #[arg(long, env = "STOA_MOTION_BYTES_PER_S", value_name = "BYTES")]
    pub motion_bytes_per_s: Option<u32>,
    /// When motion is sent: auto (by load), at-once (as soon as it arrives) or ticks (together, 25 times a second)
    /// [default: auto]
    #[arg(long, env = "STOA_MOTION_SERVING", value_name = "MODE")]
    pub motion_serving: Option<String>,
    /// Administration and /metrics [default: 127.0.0.1:8445 and [::1]:8445]
    #[arg(long, env = "STOA_ADMIN", value_name = "ADDR")]
    pub admin: Option<String>,
    /// Host name or IP address in links, in the QR code and in the certificate
    #[arg(long, env = "STOA_PUBLIC_HOST", value_name = "NAME")]
    pub public_host: Option<String>,
    /// Concurrent connections of one address, or one /64 of IPv6; loopback is not limited [default: 1024]
    #[arg(long, env = "STOA_CONNECTIONS_PER_ADDRESS", value_name = "COUNT")]
    pub connections_per_address: Option<usize>,
    /// Days for which history is kept, to show and undo changes [default: 90]
    #[arg(long, env = "STOA_HISTORY_DAYS", value_name = "DAYS")]
    pub history_days: Option<u32>,
    /// MiB of history to keep; the oldest entries are removed first [default: 1024]
    #[arg(long, env = "STOA_HISTORY_MIB", value_name = "MIB")]
    pub history_mib: Option<u32>,
    /// MiB of the whole database: objects, history and its log. At 80 % guests' changes are refused, at 100 % all
    /// except deletions [default: 16384]
    #[arg(long, env = "STOA_DATABASE_MIB", value_name = "MIB")]
    pub database_mib: Option<u32>,
    /// Account creation without the owner: open (everyone), invited (with an invitation to a scene) or closed
    /// [default: invited]
    #[arg(long, env = "STOA_ACCOUNTS", value_name = "MODE")]
    pub accounts: Option<String>,
    /// Hosts from which pages load the files that objects name: any, own (this server only), or a comma-separated list
    /// besides this server [default: any]
    #[arg(long, env = "STOA_FILE_HOSTS", value_name = "HOSTS")]
    pub file_hosts: Option<String>,
    /// Folder of built web pages to serve instead of the embedded ones
    #[arg(long, env = "STOA_WEB", value_name = "DIR")]
    pub web: Option<PathBuf>,
    /// Open the page in a browser when started from a terminal
    #[arg(skip)]
    pub open: Option<bool>,
}

/// The resolved configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The data folder.
    pub data: PathBuf,
    /// HTTPS and secure WebSocket.
    pub https: EndpointListenAddresses,
    /// Plain HTTP.
    pub http: EndpointListenAddresses,
    /// Plain MQTT.
    pub mqtt: EndpointListenAddresses,
    /// MQTT over TLS.
    pub mqtts: EndpointListenAddresses,
    /// Administration.
    pub admin: EndpointListenAddresses,
    /// The motion plane for native clients.
    pub motion: EndpointListenAddresses,
    /// Threads of the motion plane.
    pub motion_threads: usize,
    /// Motion settings of scenes without their own.
    pub motion_defaults: motion::MotionSettings,
    /// When motion is sent: at once, in ticks, or by load.
    pub motion_serving: SendTimingMode,
    /// The name in links, QR code and certificate.
    pub public_host: Option<String>,
    /// Connections of one address at one time.
    pub connections_per_address: usize,
    /// How much history is kept, by age and size.
    pub history: HistoryRetention,
    /// Largest size of the database in bytes.
    pub database_bytes_max: u64,
    /// Account creation without the owner.
    pub accounts: RegistrationPolicy,
    /// Hosts from which pages load the files that objects name.
    pub file_hosts: AllowedFileHosts,
    /// Folder of web pages that replaces the embedded ones.
    pub web: Option<PathBuf>,
    /// Whether to open a browser.
    pub open: bool,
}

/// An unusable configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file can't be read.
    #[error("cannot read the configuration {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file isn't TOML, or has an unknown key or a value of a wrong type.
    #[error("cannot parse the configuration {path}: {source}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The parser's error, with the line.
        source: Box<toml::de::Error>,
    },
    /// An invalid address.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// `STOA_OPEN` is none of 0, false, no, 1, true and yes.
    #[error("STOA_OPEN is {0:?}; it takes 0 or 1")]
    Open(String),
    /// `--motion-threads` is 0 or above the limit.
    #[error("--motion-threads is {0}; it takes 1 to {max}", max = limits::MOTION_THREADS_MAX)]
    MotionThreads(usize),
    /// `--motion-policy` is invalid.
    #[error("--motion-policy: {0}")]
    Policy(InterestPolicyError),
    /// `--motion-serving` is invalid.
    #[error("--motion-serving: {0}")]
    Serving(ParseSendTimingError),
    /// `--motion-bytes-per-s` is out of range.
    #[error("--motion-bytes-per-s: {0}")]
    Budget(MotionOverridesError),
    /// `--history-days` is 0 or above the limit.
    #[error("--history-days is {0}; it takes 1 to {max}", max = limits::HISTORY_DAYS_MAX)]
    HistoryDays(u32),
    /// `--history-mib` is 0.
    #[error("--history-mib is 0; it takes at least 1")]
    HistoryMib,
    /// `--database-mib` is below the limit.
    #[error("--database-mib is {0}; it takes at least {min}", min = limits::DATABASE_MIB_MIN)]
    DatabaseMib(u32),
    /// `--accounts` has an unknown mode.
    #[error("--accounts is {0:?}; it takes open, invited or closed")]
    Accounts(String),
    /// `--file-hosts` lists a text that is not a host.
    #[error("--file-hosts has {0:?}; it takes any, own, or host names with or without a port, separated by commas")]
    FileHosts(String),
    /// `--public-host` is no host name.
    #[error("--public-host is {0:?}; it takes a host name or an IP address, without a port")]
    PublicHost(String),
}

impl PartialConfig {
    /// Reads the TOML file.
    ///
    /// # Errors
    /// [`ConfigError::Unreadable`], [`ConfigError::Malformed`].
    pub fn from_file(path: &Path) -> Result<PartialConfig, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        toml::from_str(&text)
            .map_err(|source| ConfigError::Malformed { path: path.to_owned(), source: Box::new(source) })
    }

    /// The values given here, with those of `below` where one is missing.
    #[must_use]
    pub fn over(self, below: PartialConfig) -> PartialConfig {
        PartialConfig {
            data: self.data.or(below.data),
            https: self.https.or(below.https),
            http: self.http.or(below.http),
            mqtt: self.mqtt.or(below.mqtt),
            mqtts: self.mqtts.or(below.mqtts),
            motion: self.motion.or(below.motion),
            motion_threads: self.motion_threads.or(below.motion_threads),
            motion_policy: self.motion_policy.or(below.motion_policy),
            motion_bytes_per_s: self.motion_bytes_per_s.or(below.motion_bytes_per_s),
            motion_serving: self.motion_serving.or(below.motion_serving),
            admin: self.admin.or(below.admin),
            public_host: self.public_host.or(below.public_host),
            connections_per_address: self.connections_per_address.or(below.connections_per_address),
            history_days: self.history_days.or(below.history_days),
            history_mib: self.history_mib.or(below.history_mib),
            database_mib: self.database_mib.or(below.database_mib),
            accounts: self.accounts.or(below.accounts),
            file_hosts: self.file_hosts.or(below.file_hosts),
            web: self.web.or(below.web),
            open: self.open.or(below.open),
        }
    }

    /// Fills in the defaults and checks every value.
    ///
    /// # Errors
    /// Every [`ConfigError`] but `Unreadable`, `Malformed` and `Open`.
    pub fn resolve(self) -> Result<Config, ConfigError> {
        let listen = |text: Option<String>, flag, reach, port| {
            EndpointListenAddresses::parse(text.as_deref(), flag, reach, port)
        };
        let motion_threads = self.motion_threads.unwrap_or(1);
        if !(1..=limits::MOTION_THREADS_MAX).contains(&motion_threads) {
            return Err(ConfigError::MotionThreads(motion_threads));
        }
        let serving = self.motion_serving.as_deref().unwrap_or("auto").parse().map_err(ConfigError::Serving)?;
        let policy = self.motion_policy.as_deref().map(str::parse).transpose();
        let wish = MotionSettingsOverrides {
            policy: policy.map_err(ConfigError::Policy)?,
            bytes_per_s: self.motion_bytes_per_s,
        };
        wish.check().map_err(ConfigError::Budget)?;
        if let Some(name) = self.public_host.as_deref()
            && !is_host(name)
        {
            return Err(ConfigError::PublicHost(name.to_owned()));
        }
        Ok(Config {
            data: self.data.unwrap_or_else(|| PathBuf::from(limits::DATA_DIR)),
            https: listen(self.https, "--https", DefaultListenScope::Public, limits::HTTPS_PORT)?,
            http: listen(self.http, "--http", DefaultListenScope::Loopback, limits::HTTP_PORT)?,
            mqtt: listen(self.mqtt, "--mqtt", DefaultListenScope::Loopback, limits::MQTT_PORT)?,
            mqtts: listen(self.mqtts, "--mqtts", DefaultListenScope::Public, limits::MQTTS_PORT)?,
            admin: listen(self.admin, "--admin", DefaultListenScope::Loopback, limits::ADMIN_PORT)?,
            motion: listen(self.motion, "--motion", DefaultListenScope::Public, limits::MOTION_PORT)?,
            motion_threads,
            motion_serving: serving,
            motion_defaults: wish.over(motion::MotionSettings::default()),
            public_host: self.public_host,
            connections_per_address: self
                .connections_per_address
                .unwrap_or(stoa_net::limits::CONNECTIONS_PER_ADDRESS_MAX),
            history: keep(self.history_days, self.history_mib)?,
            database_bytes_max: database_bytes_max(self.database_mib)?,
            accounts: self
                .accounts
                .map_or(Ok(RegistrationPolicy::default()), |text| text.parse())
                .map_err(ConfigError::Accounts)?,
            file_hosts: self
                .file_hosts
                .map_or(Ok(AllowedFileHosts::default()), |text| text.parse())
                .map_err(ConfigError::FileHosts)?,
            web: self.web,
            open: self.open.unwrap_or(true),
        })
    }
}

impl Config {
    /// `DIR/run`, whose files are valid only while a server runs.
    pub fn run_dir(&self) -> PathBuf {
        self.data.join("run")
    }
}

/// Parses the value of `STOA_OPEN`.
///
/// # Errors
/// [`ConfigError::Open`].
pub fn open_from_env(text: &str) -> Result<bool, ConfigError> {
    match text {
        "0" | "false" | "no" => Ok(false),
        "1" | "true" | "yes" => Ok(true),
        other => Err(ConfigError::Open(other.to_owned())),
    }
}

fn keep(days: Option<u32>, mib: Option<u32>) -> Result<HistoryRetention, ConfigError> {
    if let Some(days) = days.filter(|days| !(1..=limits::HISTORY_DAYS_MAX).contains(days)) {
        return Err(ConfigError::HistoryDays(days));
    }
    if mib == Some(0) {
        return Err(ConfigError::HistoryMib);
    }
    let default = HistoryRetention::default();
    let age = days.map_or(default.age, |days| Duration::from_secs(u64::from(days) * 86_400));
    Ok(HistoryRetention { age, bytes: mib.map_or(default.bytes, |mib| u64::from(mib) << 20) })
}

fn database_bytes_max(mib: Option<u32>) -> Result<u64, ConfigError> {
    let mib = mib.unwrap_or(limits::DATABASE_MIB_DEFAULT);
    if mib < limits::DATABASE_MIB_MIN {
        return Err(ConfigError::DatabaseMib(mib));
    }
    Ok(u64::from(mib) << 20)
}

fn is_host(name: &str) -> bool {
    let label = |l: &str| {
        !l.is_empty() && l.len() <= 63 && l.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    name.parse::<std::net::IpAddr>().is_ok() || (name.len() <= 253 && name.split('.').all(label))
}

/// Whether only this machine can reach `address`.
pub fn is_loopback(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

#[cfg(test)]
mod tests;
