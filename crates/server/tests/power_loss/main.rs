//! The real store and the real server on a disk that loses unsynchronized writes.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test; clippy sees tests only where the attribute is")]
#![allow(missing_docs, reason = "a test's name is its documentation")]

mod changes;
mod client;
mod disk;
mod served;
mod store;
mod vfs;
