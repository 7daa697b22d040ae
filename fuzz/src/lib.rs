//! Fuzz targets: each takes arbitrary bytes, must not panic, and checks properties of the result.
//! `tests/bounded.rs` runs all of them on the kept corpus and on mutations of it; `fuzz_targets/` passes them to
//! libFuzzer.

mod conversation;
mod motion;
mod motion_session;
pub mod mutation;
mod targets;

pub use motion::{frame, netcode};
pub use motion_session::motion_session;
pub use targets::{FuzzTargetFn, envelope, filter, packets, token, topic, upload_path};

/// All targets by name.
pub const TARGETS: [(&str, FuzzTargetFn); 9] = [
    ("envelope", envelope),
    ("topic", topic),
    ("filter", filter),
    ("packets", packets),
    ("token", token),
    ("upload_path", upload_path),
    ("frame", frame),
    ("netcode", netcode),
    ("motion_session", motion_session),
];
