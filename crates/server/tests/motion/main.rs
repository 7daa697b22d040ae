//! The motion plane by real sockets: the built binary with clients of a third-party netcode library.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test; clippy sees tests only where the attribute is")]
#![allow(missing_docs, reason = "a test's name is its documentation")]

mod bad_input;
mod bridge;
#[allow(dead_code, reason = "made for the tests of the realm, of which these borrow the transports")]
#[path = "../realm/client.rs"]
mod client;
mod entering;
#[allow(dead_code, reason = "made for the tests of bad input, of which these borrow the requests")]
#[path = "../bad_input/http.rs"]
mod http;
mod leaving;
mod netcode;
mod person;
#[allow(dead_code, reason = "made for the tests of the realm, of which these borrow the server")]
#[path = "../realm/running.rs"]
mod running;
mod seeing;
mod stage;
mod voice;
#[allow(dead_code, reason = "made for the tests of bad input, of which these borrow the client")]
#[path = "../bad_input/wire.rs"]
mod wire;
