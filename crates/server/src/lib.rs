//! The server: wires the pure realm of `stoa-state` to endpoints, disk, clock and configuration. The binary `stoa` is a thin shell around it.

pub mod app;
pub mod cli;
pub mod config;
pub mod control;
pub mod files;
pub mod http;
pub mod identity;
pub mod limits;
pub mod metrics;
pub mod motion;
pub mod os;
pub mod realm_task;
pub mod scenes;
pub mod serve;
pub mod store;
pub mod tls;

pub use config::ports;
pub use identity::{claims, tokens};
pub use os::{clock, descriptors};
pub use scenes::first_scenes;
