// Generated from spec/limits.json by cargo xtask gen. Do not edit.
/** Limits that clients obey too. */

/** Payload of one scene message: a large mesh annotation or a long thickline fits; what is larger belongs into the file store. In bytes. */
export const PAYLOAD_BYTES_MAX = 262_144;

/** Levels of a JSON payload, the envelope being the first: recursive loaders survive it, and no object type nests half as deep. In levels. */
export const JSON_DEPTH_MAX = 64;

/** A topic or a filter: eight tokens, of which two are names and three are ids. In bytes. */
export const TOPIC_BYTES_MAX = 2_048;

/** A namespace's or a scene's name: it is a folder's name and a URL segment too. In bytes. */
export const NAME_BYTES_MAX = 64;

/** An object's id: a token of a topic. In bytes. */
export const OBJECT_ID_BYTES_MAX = 256;

/** A message's type: a word, which each object keeps. In bytes. */
export const TYPE_BYTES_MAX = 64;

/** Levels of a topic or a filter: the longest of ours has nine, and each costs the realm a node of its tree of subscriptions. In levels. */
export const TOPIC_LEVELS_MAX = 32;

/** What an object may be given to live: ten years; a deadline beyond that is a mistake of units. In seconds. */
export const TTL_S_MAX = 316_224_000;

/** Text of one chat message: two screens. In bytes. */
export const CHAT_BYTES_MAX = 8_192;

/** The name by which a client wants to be shown: a sign above a head holds it. In bytes. */
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

/** How long after its end a grant still counts: clocks of two machines differ, and a message may have been on its way. In seconds. */
export const GRANT_LEEWAY_S = 2;

/** Attributes of an object that a guest makes or changes, as JSON: all that guests may store in a scene is then bounded to what a small disk and a snapshot bear. In bytes. */
export const GUEST_OBJECT_BYTES_MAX = 32_768;

/** Sessions of one guest, with and without a connection: a page, its worker, and a reload while the old ones linger. Each has an allowance of its own. In sessions. */
export const GUEST_SESSIONS_MAX = 4;

/** Objects that one person says to hold: who has chosen more works on the scene as a whole, and each camera message carries them. In objects. */
export const HOLDS_MAX = 32;

/** Objects that a delete takes along. Source: arena-persist. In objects. */
export const DESCENDANTS_MAX = 10_000;

/** Levels that a delete goes down. Source: arena-persist. In levels. */
export const DESCENDANT_DEPTH_MAX = 64;

/** Objects that one template copies: large scenes have some thousands, and each copy is a message to everybody. In objects. */
export const TEMPLATE_OBJECTS_MAX = 5_000;

/** Attributes of all objects that one template copies: it finds room in every outbox. In bytes. */
export const TEMPLATE_BYTES_MAX = 4_194_304;

/** Attributes of all stored objects of a scene that one message returns (`getPersist`): larger scenes are read over HTTP. In bytes. */
export const RETURNED_BYTES_MAX = 2_097_152;

/** A frame of the motion plane: with what WebTransport or netcode puts around it, a datagram stays below 1,200 bytes, which every way carries whole. In bytes. */
export const FRAME_BYTES_MAX = 1_150;

/** How far from a scene's origin something can be on the motion plane: a thousand kilometres, in millimetres, fit into 31 bits. In metres. */
export const MOTION_EXTENT_M = 1_000_000;

/** The name of something that moves: an idTag, or an object's id. Several fit into one frame. In bytes. */
export const MOTION_NAME_BYTES_MAX = 128;

/** Objects that one client moves: a head, two hands, and a tracked stage; all fit into one frame with what else it says. In objects. */
export const MOTION_OWN_MAX = 32;

/** Frames of one client in a second: headsets send 90, and as many again after a hitch. In frames. */
export const MOTION_FRAMES_PER_S = 200;

/** Frames of one client at once: two seconds' worth, which a network may have held up. In frames. */
export const MOTION_FRAMES_BURST = 400;

/** Objects of one client that come to be there in a second: each takes a short id, and is told to all others. In objects. */
export const MOTION_APPEARANCES_PER_S = 32;

/** Objects of one client that come to be there at once: all that it may have, and again after it withdrew them. In objects. */
export const MOTION_APPEARANCES_BURST = 64;

/** Changes that one receiver may not know yet: all short ids have left, and all have entered. In changes. */
export const MOTION_CHANGES_MAX = 131_072;

/** Among so many sequences up to the newest it is told apart which have come: four seconds' at the highest rate. In frames. */
export const MOTION_WINDOW = 1_024;

/** Marked frames of one client that wait until all have them: what is said at 90 Hz in the round trip of a way around the world. In frames. */
export const MOTION_MARKS_MAX = 32;

/** After which a marked frame is forgotten that not all are known to have: whoever is so long behind has newer poses by then. In milliseconds. */
export const MOTION_MARK_LIFE_MS = 2_000;

/** Baselines that one frame asks for, and that one client may be waiting for. In objects. */
export const MOTION_ASKED_MAX = 64;

/** How long a short id rests before it may mean something else: a late frame must not move another. In seconds. */
export const MOTION_ID_REST_S = 10;

/** Between two poses of people of 20 Hz, as the papers' clients and Stoa's send; a tick of the server is shorter. In milliseconds. */
export const MOTION_PERIOD_MS = 50;

/** Between two frames of a client to which frames come, at most: the server's rate follows what they report. In milliseconds. */
export const MOTION_REPORT_MS = 100;

/** A stay of which nothing is heard for so long is over: fifty reports, all lost. In milliseconds. */
export const MOTION_SILENCE_MS = 5_000;

/** How long a client waits for WebTransport before it takes the WebSocket: four round trips of a bad line. In milliseconds. */
export const MOTION_OPEN_TIMEOUT_MS = 2_000;

/** Between two attempts to get from the WebSocket to WebTransport: a network that blocks UDP seldom changes its mind. In seconds. */
export const MOTION_RETRY_S = 60;

/** netcode's number for this protocol: the bytes of stoa-1 in the order of its field. In number. */
export const MOTION_PROTOCOL_ID = 54_070_977_983_603;
