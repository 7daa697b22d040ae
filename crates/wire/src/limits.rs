//! What bounds a message, each with its reason. What clients must obey too stands in `spec/limits.json`.

mod generated;

pub use generated::*;

use crate::netcode;

/// One MQTT packet: the largest payload, the longest topic and as much again as properties may take.
pub const PACKET_BYTES_MAX: usize = PAYLOAD_BYTES_MAX + 64 * 1024;

const _: () = assert!(PAYLOAD_BYTES_MAX + TOPIC_BYTES_MAX < PACKET_BYTES_MAX);
const _: () = assert!(2 * NAME_BYTES_MAX + 2 * OBJECT_ID_BYTES_MAX < TOPIC_BYTES_MAX);
const _: () = assert!(CHAT_BYTES_MAX < PAYLOAD_BYTES_MAX);
// serde_json's own recursion limit is 128: ours must strike first, for its reason to be told.
const _: () = assert!(JSON_DEPTH_MAX < 127);
const _: () = assert!(ACCOUNT_NAME_BYTES_MAX <= NAME_BYTES_MAX, "an account's name is a namespace");
const _: () = assert!(MOTION_EXTENT_M * 1_000.0 < i32::MAX as f64, "millimetres are told in 32 bits");
const _: () = assert!(MOTION_NAME_BYTES_MAX <= u8::MAX as usize, "its length is one byte");
// Everything that a client says of its objects fits into one frame: its head, an acknowledgement, and a pose each.
const _: () = assert!(9 + (3 + 20) + 3 + 19 * MOTION_OWN_MAX <= FRAME_BYTES_MAX);
// Around a frame netcode puts a head and a tag; what WebTransport puts there is 40 bytes at most.
const _: () = assert!(FRAME_BYTES_MAX + netcode::packet::HEAD_BYTES_MAX + netcode::TAG_BYTES <= 1_200);
const _: () = assert!(FRAME_BYTES_MAX <= netcode::PACKET_PAYLOAD_BYTES_MAX && FRAME_BYTES_MAX + 40 <= 1_200);
const _: () = assert!(10 * MOTION_REPORT_MS < MOTION_SILENCE_MS, "a stay is not ended for a few lost reports");
