// Generated from spec/limits.json by cargo xtask gen. Do not edit.
//! Limits that clients obey too.

/// Payload of one scene message: a large mesh annotation or a long thickline fits; what is larger belongs into the file store. In bytes.
pub const PAYLOAD_BYTES_MAX: usize = 262_144;

/// Levels of a JSON payload, the envelope being the first: recursive loaders survive it, and no object type nests half as deep. In levels.
pub const JSON_DEPTH_MAX: usize = 64;

/// A topic or a filter: eight tokens, of which two are names and three are ids. In bytes.
pub const TOPIC_BYTES_MAX: usize = 2_048;

/// A namespace's or a scene's name: it is a folder's name and a URL segment too. In bytes.
pub const NAME_BYTES_MAX: usize = 64;

/// An object's id: a token of a topic. In bytes.
pub const OBJECT_ID_BYTES_MAX: usize = 256;

/// A message's type: a word, which each object keeps. In bytes.
pub const TYPE_BYTES_MAX: usize = 64;

/// Levels of a topic or a filter: the longest of ours has nine, and each costs the realm a node of its tree of subscriptions. In levels.
pub const TOPIC_LEVELS_MAX: usize = 32;

/// What an object may be given to live: ten years; a deadline beyond that is a mistake of units. In seconds.
pub const TTL_S_MAX: f64 = 316_224_000.0;

/// Text of one chat message: two screens. In bytes.
pub const CHAT_BYTES_MAX: usize = 8_192;

/// The name by which a client wants to be shown: a sign above a head holds it. In bytes.
pub const DISPLAY_NAME_BYTES_MAX: usize = 64;

/// An account's name is a namespace: one segment of a topic and of a path. In bytes.
pub const ACCOUNT_NAME_BYTES_MAX: usize = 64;

/// Shorter passwords are guessed. In bytes.
pub const PASSWORD_BYTES_MIN: usize = 8;

/// Longer passwords would only cost time to hash. In bytes.
pub const PASSWORD_BYTES_MAX: usize = 1_024;

/// Filters in one SUBSCRIBE or UNSUBSCRIBE: clients of scenes send one or two. In filters.
pub const PACKET_FILTERS_MAX: usize = 64;

/// User properties of one message: each costs two allocations at decoding. In properties.
pub const USER_PROPERTIES_MAX: usize = 32;

/// How long after its end a grant still counts: clocks of two machines differ, and a message may have been on its way. In seconds.
pub const GRANT_LEEWAY_S: u64 = 2;

/// Attributes of an object that a guest makes or changes, as JSON: all that guests may store in a scene is then bounded to what a small disk and a snapshot bear. In bytes.
pub const GUEST_OBJECT_BYTES_MAX: usize = 32_768;

/// Sessions of one guest, with and without a connection: a page, its worker, and a reload while the old ones linger. Each has an allowance of its own. In sessions.
pub const GUEST_SESSIONS_MAX: usize = 4;

/// Objects that one person says to hold: who has chosen more works on the scene as a whole, and each camera message carries them. In objects.
pub const HOLDS_MAX: usize = 32;

/// Objects that a delete takes along. Source: arena-persist. In objects.
pub const DESCENDANTS_MAX: usize = 10_000;

/// Levels that a delete goes down. Source: arena-persist. In levels.
pub const DESCENDANT_DEPTH_MAX: usize = 64;

/// Objects that one template copies: large scenes have some thousands, and each copy is a message to everybody. In objects.
pub const TEMPLATE_OBJECTS_MAX: usize = 5_000;

/// Attributes of all objects that one template copies: it finds room in every outbox. In bytes.
pub const TEMPLATE_BYTES_MAX: usize = 4_194_304;

/// Attributes of all stored objects of a scene that one message returns (`getPersist`): larger scenes are read over HTTP. In bytes.
pub const RETURNED_BYTES_MAX: usize = 2_097_152;

/// A frame of the motion plane: with what WebTransport or netcode puts around it, a datagram stays below 1,200 bytes, which every way carries whole. In bytes.
pub const FRAME_BYTES_MAX: usize = 1_150;

/// How far from a scene's origin something can be on the motion plane: a thousand kilometres, in millimetres, fit into 31 bits. In metres.
pub const MOTION_EXTENT_M: f64 = 1_000_000.0;

/// The name of something that moves: an idTag, or an object's id. Several fit into one frame. In bytes.
pub const MOTION_NAME_BYTES_MAX: usize = 128;

/// Objects that one client moves: a head, two hands, and a tracked stage; all fit into one frame with what else it says. In objects.
pub const MOTION_OWN_MAX: usize = 32;

/// Frames of one client in a second: headsets send 90, and as many again after a hitch. In frames.
pub const MOTION_FRAMES_PER_S: usize = 200;

/// Frames of one client at once: two seconds' worth, which a network may have held up. In frames.
pub const MOTION_FRAMES_BURST: usize = 400;

/// Objects of one client that come to be there in a second: each takes a short id, and is told to all others. In objects.
pub const MOTION_APPEARANCES_PER_S: usize = 32;

/// Objects of one client that come to be there at once: all that it may have, and again after it withdrew them. In objects.
pub const MOTION_APPEARANCES_BURST: usize = 64;

/// Changes that one receiver may not know yet: all short ids have left, and all have entered. In changes.
pub const MOTION_CHANGES_MAX: usize = 131_072;

/// Among so many sequences up to the newest it is told apart which have come: four seconds' at the highest rate. In frames.
pub const MOTION_WINDOW: usize = 1_024;

/// Marked frames of one client that wait until all have them: what is said at 90 Hz in the round trip of a way around the world. In frames.
pub const MOTION_MARKS_MAX: usize = 32;

/// After which a marked frame is forgotten that not all are known to have: whoever is so long behind has newer poses by then. In milliseconds.
pub const MOTION_MARK_LIFE_MS: u64 = 2_000;

/// Baselines that one frame asks for, and that one client may be waiting for. In objects.
pub const MOTION_ASKED_MAX: usize = 64;

/// How long a short id rests before it may mean something else: a late frame must not move another. In seconds.
pub const MOTION_ID_REST_S: u64 = 10;

/// Between two poses of people of 20 Hz, as the papers' clients and Stoa's send; a tick of the server is shorter. In milliseconds.
pub const MOTION_PERIOD_MS: u64 = 50;

/// Between two frames of a client to which frames come, at most: the server's rate follows what they report. In milliseconds.
pub const MOTION_REPORT_MS: u64 = 100;

/// A stay of which nothing is heard for so long is over: fifty reports, all lost. In milliseconds.
pub const MOTION_SILENCE_MS: u64 = 5_000;

/// How long a client waits for WebTransport before it takes the WebSocket: four round trips of a bad line. In milliseconds.
pub const MOTION_OPEN_TIMEOUT_MS: u64 = 2_000;

/// Between two attempts to get from the WebSocket to WebTransport: a network that blocks UDP seldom changes its mind. In seconds.
pub const MOTION_RETRY_S: u64 = 60;

/// netcode's number for this protocol: the bytes of stoa-1 in the order of its field. In number.
pub const MOTION_PROTOCOL_ID: u64 = 54_070_977_983_603;
