// Generated from spec/limits.json by cargo xtask gen. Do not edit.
/** Limits that clients obey too. */

/** Payload of one scene message: a large mesh annotation or a long thickline fits. Larger content belongs in the file store. In bytes. */
export const PAYLOAD_BYTES_MAX = 262_144;

/** Keys of a JSON payload at all levels. A face of 68 points has 300; each key costs the realm a microsecond or less. In keys. */
export const JSON_KEYS_MAX = 4_096;

/** Values in the arrays of a JSON payload at all levels. A mesh that fills a payload with coordinates has some 30,000; they take the realm two milliseconds. In values. */
export const JSON_VALUES_MAX = 32_768;

/** Levels of a JSON payload, counting the envelope: recursive loaders survive it, and no object type nests half as deep. In levels. */
export const JSON_DEPTH_MAX = 64;

/** A topic or a filter: eight tokens, of which two are names and three are ids. In bytes. */
export const TOPIC_BYTES_MAX = 2_048;

/** A namespace's or a scene's name: it is a folder's name and a URL segment too. In bytes. */
export const NAME_BYTES_MAX = 64;

/** An object's id: a token of a topic. In bytes. */
export const OBJECT_ID_BYTES_MAX = 256;

/** A message's type: one word, which each object keeps. In bytes. */
export const TYPE_BYTES_MAX = 64;

/** Levels of a topic or a filter: Stoa's longest has nine, and each costs a node in the subscription tree. In levels. */
export const TOPIC_LEVELS_MAX = 32;

/** The longest lifetime of an object: ten years. A longer one is a mistake of units. In seconds. */
export const TTL_S_MAX = 316_224_000;

/** Text of one chat message: two screens. In bytes. */
export const CHAT_BYTES_MAX = 8_192;

/** A client's display name: it fits on a sign above a head. In bytes. */
export const DISPLAY_NAME_BYTES_MAX = 64;

/** An account's name is a namespace: one segment of a topic and of a path. In bytes. */
export const ACCOUNT_NAME_BYTES_MAX = 64;

/** Shorter passwords are guessed. In bytes. */
export const PASSWORD_BYTES_MIN = 8;

/** Longer passwords would only cost time to hash. In bytes. */
export const PASSWORD_BYTES_MAX = 1_024;

/** Filters in one SUBSCRIBE or UNSUBSCRIBE: clients of scenes send one or two. In filters. */
export const PACKET_FILTERS_MAX = 64;

/** User properties of one message: each costs two allocations at decoding. In properties. */
export const USER_PROPERTIES_MAX = 32;

/** How long a grant still counts after its end: clocks of two machines differ, and a message may have been on its way. In seconds. */
export const GRANT_LEEWAY_S = 2;

/** Payload of a guest's message on o and c: the largest object of a guest in its envelope. In bytes. */
export const GUEST_MESSAGE_BYTES_MAX = 36_864;

/** Attributes of an object that a guest creates or changes, as JSON. It bounds what all guests together store in a scene to the size that a small disk and a snapshot can hold. In bytes. */
export const GUEST_OBJECT_BYTES_MAX = 32_768;

/** Sessions of one guest, with and without a connection: a page, its worker, and a reload while the old ones linger. Each has an allowance of its own. In sessions. */
export const GUEST_SESSIONS_MAX = 4;

/** Objects that one person holds at once: each camera message carries their ids. Larger selections are work on a whole scene, not on objects in a hand. In objects. */
export const HOLDS_MAX = 32;

/** Objects that one delete removes with their parent. Source: arena-persist. In objects. */
export const DESCENDANTS_MAX = 10_000;

/** Levels below the deleted object that one delete removes. Source: arena-persist. In levels. */
export const DESCENDANT_DEPTH_MAX = 64;

/** Objects that one template copies: large scenes have some thousands, and each copy is a message to everyone in the scene. In objects. */
export const TEMPLATE_OBJECTS_MAX = 5_000;

/** Attributes of all objects that one template copies: each receiver's outbox must hold them. In bytes. */
export const TEMPLATE_BYTES_MAX = 4_194_304;

/** Attributes of all stored objects of a scene that one message returns (`getPersist`): larger scenes are read over HTTP. In bytes. */
export const RETURNED_BYTES_MAX = 2_097_152;

/** A frame of the motion plane: with the headers of WebTransport or netcode, a datagram stays below 1,200 bytes, which every network path carries. In bytes. */
export const FRAME_BYTES_MAX = 1_150;

/** The largest distance of a moving object from its scene's origin: a thousand kilometres in millimetres fit into 31 bits. In metres. */
export const MOTION_EXTENT_M = 1_000_000;

/** The name of a moving object: an idTag, or an object's id. Several fit into one frame. In bytes. */
export const MOTION_NAME_BYTES_MAX = 128;

/** Objects that one client moves: a head, two hands and a tracked stage. All fit into one frame with its other entries. In objects. */
export const MOTION_OWN_MAX = 32;

/** Frames of one client in a second: headsets send 90, and as many again after a hitch. In frames. */
export const MOTION_FRAMES_PER_S = 200;

/** Frames of one client at once: two seconds' worth, which a network may have delayed. In frames. */
export const MOTION_FRAMES_BURST = 400;

/** Moving objects that one client adds in a second: each takes a short id, and every receiver learns of it. In objects. */
export const MOTION_APPEARANCES_PER_S = 32;

/** Moving objects that one client adds at once: its maximum, and the same again after it withdrew them. In objects. */
export const MOTION_APPEARANCES_BURST = 64;

/** Changes that one receiver has not acknowledged: all short ids left, and all were assigned again. In changes. */
export const MOTION_CHANGES_MAX = 131_072;

/** Sequence numbers below the newest for which a receiver remembers what arrived: four seconds at the highest rate. In frames. */
export const MOTION_WINDOW = 1_024;

/** Marked frames of one client that wait for all receivers: as many as it sends at 90 Hz in a round trip around the world. In frames. */
export const MOTION_MARKS_MAX = 32;

/** Lifetime of a marked frame that some receivers have not acknowledged: a receiver so far behind has newer poses by then. In milliseconds. */
export const MOTION_MARK_LIFE_MS = 2_000;

/** Baselines that one frame requests, and that one client may be waiting for. In objects. */
export const MOTION_ASKED_MAX = 64;

/** How long a released short id stays unused: a late frame must not move another object. In seconds. */
export const MOTION_ID_REST_S = 10;

/** Payload of one unit of a flow: it fits into a frame with its flow's declaration. A unit of a voice at 32 kbit/s has at most 148 bytes. In bytes. */
export const UNIT_PAYLOAD_BYTES_MAX = 900;

/** Media flows of one client: a voice, and later a camera and a screen. In flows. */
export const FLOWS_MAX = 4;

/** Voices that one client is sent at once: more are not told apart, and so many fit into two frames. In voices. */
export const VOICES_MAX = 16;

/** Longest time between two frames to a client that hears voices: it notices an interruption after five. In milliseconds. */
export const FLOW_BEAT_MS = 200;

/** Time without a frame after which a client that hears voices opens another transport. In milliseconds. */
export const FLOW_SILENCE_MS = 1_000;

/** Voice frames of one client in a second: 50 of the largest units, each repeated twice. In bytes. */
export const VOICE_BYTES_PER_S = 24_000;

/** Voice frames of one client at once: a second's worth, which a network may have delayed. In bytes. */
export const VOICE_BYTES_BURST = 24_000;

/** What a voice frame counts at least: its handling costs as much as so many bytes. In bytes. */
export const VOICE_FRAME_BYTES_MIN = 100;

/** Time between two poses of a person, 20 Hz: the rate of the papers' clients and of Stoa's. A tick of the server is shorter. In milliseconds. */
export const MOTION_PERIOD_MS = 50;

/** Longest time between two frames of a client that receives frames: the server's rate follows these reports. In milliseconds. */
export const MOTION_REPORT_MS = 100;

/** A motion session without a frame for so long has ended: fifty reports in a row were lost. In milliseconds. */
export const MOTION_SILENCE_MS = 5_000;

/** How long a client waits for WebTransport before it takes the WebSocket: four round trips of a bad line. In milliseconds. */
export const MOTION_OPEN_TIMEOUT_MS = 2_000;

/** Time between two attempts to change from the WebSocket to WebTransport: a network that blocks UDP rarely changes. In seconds. */
export const MOTION_RETRY_S = 60;

/** netcode's number for this protocol: the bytes of stoa-1 in the order of its field. In number. */
export const MOTION_PROTOCOL_ID = 54_070_977_983_603;
