//! What bounds a message, each with its reason.

/// Payload of one scene message: a large mesh annotation or a long thickline fits; what is larger belongs into the file store.
pub const PAYLOAD_BYTES_MAX: usize = 256 * 1024;

/// One MQTT packet: the largest payload, the longest topic and as much again as properties may take.
pub const PACKET_BYTES_MAX: usize = PAYLOAD_BYTES_MAX + 64 * 1024;

/// Levels of a JSON payload, the envelope being the first: recursive loaders survive it, and no object type nests half as deep.
pub const JSON_DEPTH_MAX: usize = 64;

/// A topic or a filter: eight tokens, of which two are names and three are ids.
pub const TOPIC_BYTES_MAX: usize = 2_048;

/// A namespace's or a scene's name: it is a folder's name and a URL segment too.
pub const NAME_BYTES_MAX: usize = 64;

/// An object's id.
pub const OBJECT_ID_BYTES_MAX: usize = 256;

/// Seconds an object may be given to live: ten years; a deadline beyond that is a mistake of units.
pub const TTL_S_MAX: f64 = 10.0 * 366.0 * 86_400.0;

/// Text of one chat message: two screens.
pub const CHAT_BYTES_MAX: usize = 8_192;

/// Filters in one SUBSCRIBE or UNSUBSCRIBE: clients of scenes send one or two.
pub const PACKET_FILTERS_MAX: usize = 64;

/// User properties of one message: each costs two allocations at decoding.
pub const USER_PROPERTIES_MAX: usize = 32;

const _: () = assert!(PAYLOAD_BYTES_MAX + TOPIC_BYTES_MAX < PACKET_BYTES_MAX);
const _: () = assert!(2 * NAME_BYTES_MAX + 2 * OBJECT_ID_BYTES_MAX < TOPIC_BYTES_MAX);
const _: () = assert!(CHAT_BYTES_MAX < PAYLOAD_BYTES_MAX);
// serde_json's own recursion limit is 128: ours must strike first, for its reason to be told.
const _: () = assert!(JSON_DEPTH_MAX < 127);
