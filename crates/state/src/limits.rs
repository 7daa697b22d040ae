//! What bounds a realm's machines, each with its reason. Grants and scenes first, then connections and sessions.

/// How long after its end a grant still counts: clocks of two machines differ, and a message may have been on its way.
pub const GRANT_LEEWAY_S: u64 = 2;

/// Live or stored objects in one scene: ARENA's largest scenes have some thousands, and a browser draws no more.
pub const OBJECTS_MAX: usize = 20_000;

/// Objects of one guest in one scene: a guest builds something, not everything.
pub const GUEST_OBJECTS_MAX: usize = 200;

/// Objects of all guests in one scene: a guest who comes again is another guest, so one alone could fill it.
pub const GUESTS_OBJECTS_MAX: usize = 2_000;

/// Attributes of one object after merging, as JSON: as much as one message may bring.
pub const OBJECT_BYTES_MAX: usize = stoa_wire::limits::PAYLOAD_BYTES_MAX;

/// Attributes of all live objects of a scene, as JSON: a snapshot is sent at once.
pub const SCENE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Objects that a delete takes along. Source: arena-persist.
pub const DESCENDANTS_MAX: usize = 10_000;

/// Levels that a delete goes down. Source: arena-persist.
pub const DESCENDANT_DEPTH_MAX: usize = 64;

/// People in one scene.
pub const PEOPLE_MAX: usize = 10_000;

/// Departed people that one connection is remembered for: a token with explicit filters may raise several, one after the other.
pub const DEPARTED_MAX: usize = 64;

/// Attributes of one camera, hand or face, as JSON: a face of 68 points takes 2 KiB.
pub const USER_OBJECT_BYTES_MAX: usize = 64 * 1024;

/// Sets of keys of one object whose updates may replace each other: position, rotation, colour and a few more change side by side.
pub const CONFLATION_SETS_MAX: usize = 8;

const _: () = assert!(GUEST_OBJECTS_MAX <= GUESTS_OBJECTS_MAX && GUESTS_OBJECTS_MAX <= OBJECTS_MAX);
const _: () = assert!(USER_OBJECT_BYTES_MAX <= OBJECT_BYTES_MAX && OBJECT_BYTES_MAX <= SCENE_BYTES_MAX);
