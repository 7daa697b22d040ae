//! The built binary, driven through its doors: real processes, real sockets, ports chosen by the system.

#![allow(missing_docs, reason = "a test's name is its documentation")]

mod client;
mod doors;
mod running;
mod survival;
