//! Limits of messages, each with its reason. Limits that clients must obey too are in `spec/limits.json`.

mod generated;

pub use generated::*;

use crate::netcode;

/// Bytes of an MQTT packet: the largest payload, and 64 KiB for the topic and the properties.
pub const PACKET_BYTES_MAX: usize = PAYLOAD_BYTES_MAX + 64 * 1024;

/// Bytes of a CONNECT, whose sender has not shown a token yet: the largest will, and a token and names of ample length.
pub const CONNECT_BYTES_MAX: usize = 128 * 1024;
const _: () = assert!(CONNECT_BYTES_MAX < PACKET_BYTES_MAX);

/// Most bytes that one key of a parsed payload takes: the smallest node of its map, which is allocated for eleven keys
/// with their values, and the allocations of the key and of a text. Most nodes hold six keys or more.
pub const PARSED_KEY_BYTES_MAX: usize = 768;

/// Most bytes that one array value of a parsed payload takes: the smallest list, which is allocated for four values,
/// and the allocation of a text.
pub const PARSED_VALUE_BYTES_MAX: usize = 192;

const _: () = assert!(PAYLOAD_BYTES_MAX + TOPIC_BYTES_MAX < PACKET_BYTES_MAX);
const _: () = assert!(2 * NAME_BYTES_MAX + 2 * OBJECT_ID_BYTES_MAX < TOPIC_BYTES_MAX);
const _: () = assert!(CHAT_BYTES_MAX < PAYLOAD_BYTES_MAX);
// serde_json's own recursion limit is 128. Ours has to apply first, so that the sender gets its reason.
const _: () = assert!(JSON_DEPTH_MAX < 127);
const _: () = assert!(ACCOUNT_NAME_BYTES_MAX <= NAME_BYTES_MAX, "an account's name is a namespace");
const _: () = assert!(MOTION_EXTENT_M * 1_000.0 < i32::MAX as f64, "millimetres are encoded in 32 bits");
const _: () = assert!(MOTION_NAME_BYTES_MAX <= u8::MAX as usize, "its length is one byte");
// A client's full state fits one frame: header, acknowledgement, and a pose per object.
const _: () = assert!(9 + (3 + 20) + 3 + 19 * MOTION_OWN_MAX <= FRAME_BYTES_MAX);
// netcode adds a header and a tag to a frame, WebTransport at most 40 bytes.
const _: () = assert!(FRAME_BYTES_MAX + netcode::packet::HEAD_BYTES_MAX + netcode::TAG_BYTES <= 1_200);
const _: () = assert!(FRAME_BYTES_MAX <= netcode::PACKET_PAYLOAD_BYTES_MAX && FRAME_BYTES_MAX + 40 <= 1_200);
const _: () = assert!(10 * MOTION_REPORT_MS < MOTION_SILENCE_MS, "a few lost reports end no session");
