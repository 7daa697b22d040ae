//! What bounds a message, each with its reason. What clients must obey too stands in `spec/limits.json`.

mod generated;

pub use generated::*;

/// One MQTT packet: the largest payload, the longest topic and as much again as properties may take.
pub const PACKET_BYTES_MAX: usize = PAYLOAD_BYTES_MAX + 64 * 1024;

const _: () = assert!(PAYLOAD_BYTES_MAX + TOPIC_BYTES_MAX < PACKET_BYTES_MAX);
const _: () = assert!(2 * NAME_BYTES_MAX + 2 * OBJECT_ID_BYTES_MAX < TOPIC_BYTES_MAX);
const _: () = assert!(CHAT_BYTES_MAX < PAYLOAD_BYTES_MAX);
// serde_json's own recursion limit is 128: ours must strike first, for its reason to be told.
const _: () = assert!(JSON_DEPTH_MAX < 127);
const _: () = assert!(ACCOUNT_NAME_BYTES_MAX <= NAME_BYTES_MAX, "an account's name is a namespace");
