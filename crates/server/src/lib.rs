//! The server: wires the pure realm of `stoa-state` to endpoints, disk, clock and configuration. The binary `stoa` is a thin shell around it.

pub mod app;
pub mod config;
pub mod limits;
pub mod ports;
pub mod realm_task;
