//! Bad input by real sockets: the sender gets a clear error, `/metrics` counts it, nothing is forwarded, and other
//! clients are not disturbed.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test; clippy sees tests only where the attribute is")]
#![allow(missing_docs, reason = "a test's name is its documentation")]

#[allow(dead_code, reason = "made for the tests of the realm, of which these borrow the transports")]
#[path = "../realm/client.rs"]
mod client;
mod connecting;
mod flood;
mod http;
mod messages;
mod refusals;
#[allow(dead_code, reason = "made for the tests of the realm, of which these borrow the server")]
#[path = "../realm/running.rs"]
mod running;
mod stage;
mod tokens;
mod wire;
