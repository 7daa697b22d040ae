//! The server: wires the pure realm of `stoa-state` to endpoints, disk, clock and configuration. The binary `stoa` is a thin shell around it.

pub mod accounts;
pub mod admin;
pub mod app;
pub mod claims;
pub mod cli;
pub mod clock;
pub mod config;
pub mod control;
pub mod descriptors;
pub mod files;
pub mod first_scenes;
pub mod host_names;
pub mod http;
pub mod limits;
pub mod lock;
pub mod loopback;
pub mod metrics;
pub mod passes;
pub mod ports;
pub mod private_file;
pub mod realm_task;
pub mod registrar;
pub mod serve;
pub mod store;
pub mod tls;
pub mod tokens;
