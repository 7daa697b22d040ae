//! The built binary with real processes and real sockets on ports that the system chooses.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test; clippy sees tests only where the attribute is")]
#![allow(missing_docs, reason = "a test's name is its documentation")]

mod client;
mod crowds;
mod endpoints;
mod motion_transports;
mod printing;
mod running;
mod survival;
mod transfer;
mod uploads;
