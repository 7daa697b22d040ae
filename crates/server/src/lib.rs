//! The server: connects the pure realm of `stoa-state` to endpoints, disk, clock and configuration. The binary `stoa`
//! is a thin shell around it.

mod app;
pub mod cli;
pub mod config;
mod control;
pub mod files;
mod http;
mod identity;
mod limits;
mod metrics;
pub mod motion;
mod os;
mod realm_task;
mod scenes;
pub mod serve;
pub mod store;
mod tls;

pub use config::ports;
pub use identity::{claims, tokens};
pub use os::{clock, descriptors};
pub use scenes::first_scenes;
