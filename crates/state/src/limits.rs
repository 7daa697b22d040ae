//! Limits of the realm's state machines, each with its reason. Grants and scenes first, then connections and sessions.

mod motion;
mod rate;
mod voice;

use core::time::Duration;

pub use self::motion::*;
pub use self::rate::*;
pub use self::voice::*;
pub use stoa_wire::limits::{
    DESCENDANT_DEPTH_MAX, DESCENDANTS_MAX, GRANT_LEEWAY_S, GUEST_MESSAGE_BYTES_MAX, GUEST_OBJECT_BYTES_MAX,
    GUEST_SESSIONS_MAX, RETURNED_BYTES_MAX, TEMPLATE_BYTES_MAX, TEMPLATE_OBJECTS_MAX,
};

/// Scenes of each kind, to build in and to read, that one token names: their filters, a few of some 200 bytes for each
/// scene, fit into a token.
pub const ROAMING_SCENES_MAX: usize = 16;

/// Ancestors of one token: a program derives a token from its own, and passes a further one to another program.
pub const TOKEN_PARENTS_MAX: usize = 4;

/// Live or stored objects in one scene. ARENA's largest scenes have some thousands, a scanned building ten times
/// that.
pub const OBJECTS_MAX: usize = 100_000;

/// Objects of one guest in one scene: enough to build something small.
pub const GUEST_OBJECTS_MAX: usize = 200;

/// Objects of all guests in one scene. A guest who reconnects is a new guest, so one person alone could fill a
/// scene. When they are reached, objects of departed guests give way, and then those of the largest share by address.
pub const GUESTS_OBJECTS_MAX: usize = 2_000;

/// Objects of departed guests that one search for an object to give way compares: more than a person uses as parents.
pub const GIVING_WAY_TRIED: usize = 32;

/// Time between two searches in a scene for an object to give way that walk an object's descendants, up to
/// [`GUESTS_OBJECTS_MAX`].
pub const GIVING_WAY_WALK_INTERVAL: Duration = Duration::from_secs(1);

/// Objects of reserved types in a scene up to which a guest's message follows the parents of each. In a scene with
/// more, it searches at most this many descendants for one. With parents 64 levels deep, following them takes less than
/// five milliseconds.
pub const RESERVED_FOLLOWED_MAX: usize = 256;

/// Objects that one restore changes. Each change is a message to every client in the scene, and all of them must
/// fit into an outbox.
pub const AMENDED_MAX: usize = 10_000;

/// Changed attributes in one restore, in bytes of JSON. The messages must fit into an outbox.
pub const AMENDED_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Expired objects of a scene, or descendants of deleted ones, that are removed at once: removing and announcing them
/// takes about half a millisecond.
pub const EXPIRED_AT_ONCE_MAX: usize = 64;

/// Scenes whose expired objects are removed, and whose templates are continued, in one round: it then takes two to
/// four milliseconds.
pub const SCENES_FIRED_AT_ONCE_MAX: usize = 4;

/// Pause before further objects of the scene are removed. Other inputs are handled meanwhile, and the largest
/// scene is empty after some seconds.
pub const EXPIRY_PAUSE: Duration = Duration::from_millis(1);

/// Objects that one part of a clear deletes: three milliseconds.
pub const CLEARED_AT_ONCE_MAX: usize = 256;

/// Copies of a template that are made at once: half a millisecond.
pub const COPIED_AT_ONCE_MAX: usize = 64;

/// Pause before further copies are made. The largest template takes a tenth of a second, in which its sender's
/// connection is not read.
pub const COPIES_PAUSE: Duration = Duration::from_millis(1);

/// Attributes of one object after merging, in bytes of JSON: the size of the largest message.
pub const OBJECT_BYTES_MAX: usize = stoa_wire::limits::PAYLOAD_BYTES_MAX;

/// Bytes of all live objects of a scene with their names, and separately of all stored ones, counted as
/// `scene::merge` does. The JSON takes half of it, which a page can load; in memory it takes six times as much.
pub const SCENE_BYTES_MAX: usize = 128 * 1024 * 1024;

/// Attributes of a typical object, in bytes of JSON: a primitive with position, size, colour and a listener. A
/// scene with [`OBJECTS_MAX`] of these fits into [`SCENE_BYTES_MAX`].
pub const OBJECT_BYTES_TYPICAL: usize = 1_024;

/// Bytes for the keys of a record besides its id, type and attributes: two or three times their real size.
pub const RECORD_KEYS_BYTES: usize = 160;

/// People in one scene.
pub const PEOPLE_MAX: usize = 10_000;

/// Attributes of a person's join message, in bytes of JSON: a name and a few flags.
pub const JOIN_BYTES_MAX: usize = 4 * 1024;

/// Departed people remembered for one connection. A token with explicit filters may join as several, one after the
/// other.
pub const DEPARTED_MAX: usize = 64;

/// Attributes of one camera, hand or face, in bytes of JSON: a face of 68 points takes 2 KiB.
pub const USER_OBJECT_BYTES_MAX: usize = 64 * 1024;

/// Attributes of all cameras, hands and faces in a scene, in bytes of JSON: those of [`PEOPLE_MAX`] people with 3 KiB.
/// Above it, an update that makes a person's attributes larger than an even share is refused, so all together take at
/// most twice as much. A newcomer without a snapshot gets all of them.
pub const PEOPLE_BYTES_MAX: usize = 32 * 1024 * 1024;

/// Key sets of one object whose updates conflate separately: position, rotation, colour and a few more.
pub const CONFLATION_SETS_MAX: usize = 8;

const _: () = assert!(GUEST_OBJECTS_MAX <= GUESTS_OBJECTS_MAX && GUESTS_OBJECTS_MAX <= OBJECTS_MAX);
const _: () = assert!(GUEST_OBJECT_BYTES_MAX * GUESTS_OBJECTS_MAX <= SCENE_BYTES_MAX);
const _: () = assert!(USER_OBJECT_BYTES_MAX <= OBJECT_BYTES_MAX && OBJECT_BYTES_MAX <= SCENE_BYTES_MAX);

/// Time from opening a connection to its CONNECT, and from there to the verdict on its token.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Keep-alive assigned to an MQTT 5 client that sends none or a longer one. MQTT.js, paho and ARENA's clients use
/// 60 s by default. An MQTT 5 client that vanishes without a DISCONNECT remains in its scenes for at most 90 s.
pub const KEEP_ALIVE_S_MAX: u16 = 60;

/// Silence after which a connection without keep-alive (MQTT 3.1.1) ends. A program that only listens is silent for
/// hours; without this limit a vanished one would remain until its token ends.
pub const SILENCE_MAX: Duration = Duration::from_secs(24 * 3_600);
const _: () = assert!(KEEP_ALIVE_S_MAX as u64 * 3 / 2 < SILENCE_MAX.as_secs());

/// A will with its topic and properties, which is kept as long as its connection. Wills announce a departure, so 64
/// KiB is ample.
pub const WILL_BYTES_MAX: usize = 64 * 1_024;
const _: () = assert!(2 * WILL_BYTES_MAX <= stoa_wire::limits::CONNECT_BYTES_MAX);

/// Bytes of the wills of all guests, and again of all accounts, from which fair shares count: 128 of the largest,
/// or 500 bytes for each connection.
pub const WILLS_BYTES_SHARED: usize = 8 * 1024 * 1024;

/// Bytes of the wills of all guests, and again of all accounts. Those above [`WILLS_BYTES_SHARED`] are for payers
/// within their fair share.
pub const WILLS_BYTES_MAX: usize = 2 * WILLS_BYTES_SHARED;
const _: () = assert!(WILL_BYTES_MAX < WILLS_BYTES_SHARED / 64);

/// Packets that may follow a CONNECT before its CONNACK: clients send their subscriptions at once.
pub const EARLY_PACKETS_MAX: usize = 32;

/// Bytes of the parsed payloads of packets before the CONNACK: their JSON is already parsed, and the realm keeps it
/// until the verdict. A client that builds something waits for its CONNACK first.
pub const EARLY_PARSED_BYTES_MAX: usize = 1024 * 1024;

/// Bytes of a client id. ARENA's have 30, and the id becomes a level of topics.
pub const CLIENT_ID_BYTES_MAX: usize = 256;

/// Topic aliases of one connection in each direction: one for each moving object of a client.
pub const TOPIC_ALIASES_MAX: u16 = 32;

/// Receive Maximum: unacknowledged QoS 1 and 2 messages from one MQTT 5 client. One group commit takes this many from
/// it.
pub const RECEIVE_MAX: u16 = 256;

/// Unreleased QoS 2 messages of one MQTT 3.1.1 client, which has no Receive Maximum. A program that publishes
/// everything at once is served while the messages wait for the disk; one that never releases is not.
pub const RECEIVE_V311_MAX: usize = 4_096;
const _: () = assert!(RECEIVE_MAX as usize <= RECEIVE_V311_MAX);

/// QoS 1 and 2 messages in flight to one client.
pub const IN_FLIGHT_MAX: usize = 64;

/// QoS 1 and 2 messages queued for a client. Beyond that, a session without a connection drops its oldest message, and
/// a connected client is disconnected.
pub const PENDING_MAX: usize = 1_000;

/// Bytes of messages queued for a client in its session.
pub const PENDING_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Bytes of messages in flight to a client; one message is always allowed.
pub const IN_FLIGHT_BYTES_MAX: usize = PENDING_BYTES_MAX;

/// Delay before writing again what a failed commit lost. It spares a full disk, and is short enough that a waiting
/// client does not give up.
pub const STORE_RETRY: Duration = Duration::from_secs(5);

/// Subscriptions of one session: ARENA's clients have two to six.
pub const SUBSCRIPTIONS_MAX: usize = 128;

/// Subscriptions of one guest session; a page has four. Anyone can be a guest, many times. Each level of each
/// filter is a tree node, and each subscription with its own identifier is checked for each message.
pub const GUEST_SUBSCRIPTIONS_MAX: usize = 16;
const _: () = assert!(GUEST_SUBSCRIPTIONS_MAX <= SUBSCRIPTIONS_MAX);

/// Members of a shared subscription that one message tries. Only a member whose grant ended in this round is unfit, and
/// its connection ends in the next.
pub const SHARE_MEMBERS_TRIED: usize = 32;

/// Bytes of all filters of one session: the largest number, each as long as scene and object names allow.
pub const SUBSCRIPTION_BYTES_MAX: usize = SUBSCRIPTIONS_MAX * 256;

/// Longest session expiry interval of a member.
pub const SESSION_EXPIRY_MAX: Duration = Duration::from_secs(24 * 3_600);

/// Longest session expiry interval of a guest, whose identity ends with its token: long enough for a network
/// change.
pub const GUEST_SESSION_EXPIRY_MAX: Duration = Duration::from_secs(60);

/// Sessions without a connection in the realm: 100 MB at 10 kB each.
pub const IDLE_SESSIONS_MAX: usize = 10_000;

/// Sessions without a connection of all guests: a quarter, or sixty classes of forty after a network loss. The
/// rest is for members.
pub const GUESTS_IDLE_SESSIONS_MAX: usize = IDLE_SESSIONS_MAX / 4;

/// Sessions without a connection of all members. They can't take the part of the guests.
pub const MEMBERS_IDLE_SESSIONS_MAX: usize = IDLE_SESSIONS_MAX - GUESTS_IDLE_SESSIONS_MAX;

/// Sessions without a connection of one member: a laboratory's sensors, one session each.
pub const MEMBER_IDLE_SESSIONS_MAX: usize = 1_000;

/// Bytes of messages queued in all sessions without a connection: sixteen full sessions, or 6 kB for each session
/// allowed.
pub const IDLE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Bytes queued in all guests' sessions without a connection: a quarter. A guest's session ends after
/// [`GUEST_SESSION_EXPIRY_MAX`], so little waits for it.
pub const GUESTS_IDLE_BYTES_MAX: usize = IDLE_BYTES_MAX / 4;

/// Bytes queued in all members' sessions without a connection.
pub const MEMBERS_IDLE_BYTES_MAX: usize = IDLE_BYTES_MAX - GUESTS_IDLE_BYTES_MAX;

/// Bytes queued in one member's sessions without a connection: one full session and its messages in flight, so that
/// no member fills the realm's quota alone.
pub const MEMBER_IDLE_BYTES_MAX: usize = PENDING_BYTES_MAX + IN_FLIGHT_BYTES_MAX;
const _: () = assert!(MEMBER_IDLE_BYTES_MAX <= IDLE_BYTES_MAX / 8 && MEMBER_IDLE_BYTES_MAX < GUESTS_IDLE_BYTES_MAX);

/// IPv6 prefix lengths counted together, each with the number of households whose limits it gets: a household's
/// /64, the /56 of homes and offices, and the /48 of a company or a tunnel. A mobile network assigns a /64 to each
/// phone, many of them below one /48.
pub const CIRCLES_V6: &[(u8, u32)] = &[(64, 1), (56, 4), (48, 8)];

/// People of one household, or behind one address, that have a fair share each of what guests share: a class. More
/// people get no more shares.
pub const PEOPLE_PER_HOUSEHOLD_MAX: u32 = 40;

/// Bytes of a log entry besides the request and the state that it replaced: its row and its entries in four indexes.
pub const LOG_ENTRY_BYTES: usize = 256;

/// Bytes a second that one guest stores: an object of ten kilobytes that is dragged at 10 Hz.
pub const GUEST_STORED_BYTES_PER_S: u32 = 128 * 1_024;

/// Bytes that one guest stores at once: a hundred of the largest objects, each with its log entry.
pub const GUEST_STORED_BYTES_BURST: u32 = 8 * 1_024 * 1_024;

/// Bytes a second that all guests store together: forty people who each drag an object at 10 Hz need a third of it, and
/// the database grows by less than 1 MiB/s.
pub const GUESTS_STORED_BYTES_PER_S: u32 = 1_408 * 1_024;

/// Bytes that all guests store at once: a hundred people who build at the same time.
pub const GUESTS_STORED_BYTES_BURST: u32 = 64 * 1_024 * 1_024;

/// Bytes a second that one account stores: a script that updates a thousand objects a second.
pub const MEMBER_STORED_BYTES_PER_S: u32 = 1_024 * 1_024;

/// Bytes that one account stores at once: the largest scene, with its log.
pub const MEMBER_STORED_BYTES_BURST: u32 = 2 * SCENE_BYTES_MAX as u32;

/// Bytes a second that all accounts store together.
pub const MEMBERS_STORED_BYTES_PER_S: u32 = 16 * 1_024 * 1_024;

/// Bytes that all accounts store at once: four of the largest scenes.
pub const MEMBERS_STORED_BYTES_BURST: u32 = 1_024 * 1_024 * 1_024;
const _: () = assert!(2 * GUEST_OBJECT_BYTES_MAX <= GUEST_STORED_BYTES_BURST as usize);

/// Bytes of scenes a second that one guest requests by `getPersist`: the largest scene every half minute.
pub const GUEST_RETURNED_BYTES_PER_S: u32 = 64 * 1_024;

/// Bytes of scenes that one guest requests at once: the largest scene, twice. Its outbox holds them.
pub const GUEST_RETURNED_BYTES_BURST: u32 = 2 * RETURNED_BYTES_MAX as u32;

/// Bytes of scenes a second that all guests request together. If each of them is another state of a scene, a thread
/// writes them as JSON in a twentieth of its time.
pub const GUESTS_RETURNED_BYTES_PER_S: u32 = 4 * 1_024 * 1_024;

/// Bytes of scenes that all guests request at once: a class of forty enters the largest scene, and half as many again.
pub const GUESTS_RETURNED_BYTES_BURST: u32 = 128 * 1_024 * 1_024;

/// Bytes of scenes a second that one account requests: a script that polls a scene of one megabyte.
pub const MEMBER_RETURNED_BYTES_PER_S: u32 = 1_024 * 1_024;

/// Bytes of scenes that one account requests at once: a script that reads eight of the largest scenes.
pub const MEMBER_RETURNED_BYTES_BURST: u32 = 8 * RETURNED_BYTES_MAX as u32;

/// Bytes of scenes a second that all accounts request together.
pub const MEMBERS_RETURNED_BYTES_PER_S: u32 = 16 * 1_024 * 1_024;

/// Bytes of scenes that all accounts request at once.
pub const MEMBERS_RETURNED_BYTES_BURST: u32 = 256 * 1_024 * 1_024;
const _: () = assert!(40 * RETURNED_BYTES_MAX < GUESTS_RETURNED_BYTES_BURST as usize);
const _: () = assert!(GUESTS_RETURNED_BYTES_BURST <= MEMBERS_RETURNED_BYTES_BURST);
const _: () = assert!(2 * GUEST_RETURNED_BYTES_BURST as usize <= OUTBOX_BYTES_MAX);

/// Structural characters of JSON that a message may have for free: a camera, a hand, or an object with twenty
/// attributes. The number of such messages has bounds of its own.
pub const UNPAID_JSON_STRUCTURE: usize = 128;

/// Structural characters up to which the realm parses a message itself, in a third of a millisecond. The reader of a
/// connection hands longer ones to another thread, which costs some 20 µs.
pub const UNPARSED_JSON_STRUCTURE: usize = 1_024;
const _: () = assert!(UNPAID_JSON_STRUCTURE < UNPARSED_JSON_STRUCTURE);

/// Structural characters of larger messages that one guest sends a second. Parsing and merging one takes up to half a
/// microsecond. A face of 68 points at 10 Hz has 6,000.
pub const GUEST_JSON_STRUCTURE_PER_S: u32 = 20_000;

/// Structural characters that one guest sends at once: twelve messages with all keys that they may have.
pub const GUEST_JSON_STRUCTURE_BURST: u32 = 100_000;

/// Structural characters that all guests send a second: the faces of a class of forty, and half as many again. They
/// take at most a fifth of the realm's time.
pub const GUESTS_JSON_STRUCTURE_PER_S: u32 = 400_000;

/// Structural characters that all guests send at once: less than a second of the realm's time.
pub const GUESTS_JSON_STRUCTURE_BURST: u32 = 2_000_000;

/// Structural characters that one account sends a second: a script that sends a thousand large objects.
pub const MEMBER_JSON_STRUCTURE_PER_S: u32 = 400_000;

/// Structural characters that one account sends at once: a script that builds a scene of ten thousand large objects.
pub const MEMBER_JSON_STRUCTURE_BURST: u32 = 4_000_000;

/// Structural characters that all accounts send a second.
pub const MEMBERS_JSON_STRUCTURE_PER_S: u32 = 800_000;

/// Structural characters that all accounts send at once: four scripts that each build such a scene.
pub const MEMBERS_JSON_STRUCTURE_BURST: u32 = 4 * MEMBER_JSON_STRUCTURE_BURST;
const _: () = assert!(2 * stoa_wire::limits::JSON_KEYS_MAX <= GUEST_JSON_STRUCTURE_BURST as usize);
const _: () = assert!(stoa_wire::limits::JSON_VALUES_MAX <= GUEST_JSON_STRUCTURE_BURST as usize);

/// Microseconds a second of the realm's task for the long inputs of one guest: ten of 5 ms. The time of ordinary inputs
/// is not counted, so the number of people is not bounded by it.
pub const GUEST_REALM_TIME_PER_S: u32 = 50_000;

/// Microseconds that one guest's long inputs take at once.
pub const GUEST_REALM_TIME_BURST: u32 = 250_000;

/// Microseconds a second for the long inputs of all guests: a fifth of the realm's time.
pub const GUESTS_REALM_TIME_PER_S: u32 = 200_000;

/// Microseconds that the long inputs of all guests take at once.
pub const GUESTS_REALM_TIME_BURST: u32 = 1_000_000;

/// Microseconds a second for the long inputs of one account: a script that builds with large messages.
pub const MEMBER_REALM_TIME_PER_S: u32 = 200_000;

/// Microseconds that one account's long inputs take at once.
pub const MEMBER_REALM_TIME_BURST: u32 = 2_000_000;

/// Microseconds a second for the long inputs of all accounts: two fifths of the realm's time.
pub const MEMBERS_REALM_TIME_PER_S: u32 = 400_000;

/// Microseconds that the long inputs of all accounts take at once.
pub const MEMBERS_REALM_TIME_BURST: u32 = 4_000_000;

/// Pause of a client above its fair share of the realm's time, in multiples of its input's time. With it, the 300
/// guests of one address take less than a third of the realm's time together.
pub const LONG_INPUT_PAUSE_TIMES: u32 = 1_000;

/// Longest pause of a client above its fair share of the realm's time. Shorter than usual keep-alives.
pub const LONG_INPUT_PAUSE_MAX: Duration = Duration::from_secs(8);
const _: () = assert!(CHARGE_PAUSE_MAX.as_millis() < LONG_INPUT_PAUSE_MAX.as_millis());

/// Microseconds a second of the realm's task for the inputs of all guests, short ones too. The rest is for accounts.
/// Above it, the inputs of a guest above half of its fair share wait until the share has grown by their time. In a
/// realm that is full of people, all of them have the same share.
pub const GUESTS_INPUT_TIME_PER_S: u32 = 800_000;

/// Microseconds that the inputs of all guests take at once: people who enter together.
pub const GUESTS_INPUT_TIME_BURST: u32 = 2 * GUESTS_INPUT_TIME_PER_S;

/// Microseconds a second of the realm's task for the inputs of all accounts.
pub const MEMBERS_INPUT_TIME_PER_S: u32 = 900_000;

/// Microseconds that the inputs of all accounts take at once.
pub const MEMBERS_INPUT_TIME_BURST: u32 = 2 * MEMBERS_INPUT_TIME_PER_S;

/// Longest pause of a client above its fair share of the time for inputs. With it, a thousand flooding clients that
/// each pay for a millisecond at a time take an eighth of the realm's time. Shorter than usual keep-alives.
pub const PACE_PAUSE_MAX: Duration = LONG_INPUT_PAUSE_MAX;

/// Answers to `getPersist` that are kept for further requests: those of the scenes that people enter at one time.
pub const ANSWERS_KEPT_MAX: usize = 64;

/// Bytes of kept answers to `getPersist`: eight of the largest scenes.
pub const ANSWERS_KEPT_BYTES_MAX: usize = 8 * RETURNED_BYTES_MAX;
const _: () = assert!(OUTBOX_BYTES_MAX <= ANSWERS_KEPT_BYTES_MAX);

/// Bytes in memory of all guests' changes that wait for the disk, from which the largest payers are refused. A small
/// server's disk writes them in a second, and a class of forty that builds makes a hundredth of them in that time.
pub const GUESTS_QUEUED_BYTES_MAX: u64 = 16 * 1_024 * 1_024;

/// Bytes of all guests' changes that wait for the disk, above which all guests' changes are refused. The burst that
/// guests may store at once ([`GUESTS_STORED_BYTES_BURST`]) stays below it, even if nothing is written meanwhile.
pub const GUESTS_QUEUED_BYTES_CEILING: u64 = 96 * 1_024 * 1_024;

/// Bytes in memory of all accounts' changes and session writes that wait for the disk, from which the largest payers
/// are refused. A script that sends its whole burst of messages ([`MEMBER_MESSAGES_BURST`]) stays below it while the
/// disk writes.
pub const MEMBERS_QUEUED_BYTES_MAX: u64 = 96 * 1_024 * 1_024;

/// Bytes of all accounts' changes that wait for the disk, above which all accounts' changes are refused.
pub const MEMBERS_QUEUED_BYTES_CEILING: u64 = 160 * 1_024 * 1_024;
const _: () = assert!(GUESTS_QUEUED_BYTES_MAX < GUESTS_STORED_BYTES_BURST as u64);
const _: () = assert!((GUESTS_STORED_BYTES_BURST as u64) < GUESTS_QUEUED_BYTES_CEILING);
const _: () = assert!(MEMBERS_QUEUED_BYTES_MAX < MEMBERS_QUEUED_BYTES_CEILING);

/// Bytes that wait for the disk, of all clients and of the realm, above which commands that change objects are refused:
/// restores, imports into open scenes, and clearing a scene. Clients alone cannot reach it.
pub const COMMANDS_QUEUED_BYTES_MAX: usize = 288 * 1_024 * 1_024;
const _: () = assert!(GUESTS_QUEUED_BYTES_CEILING + MEMBERS_QUEUED_BYTES_CEILING < COMMANDS_QUEUED_BYTES_MAX as u64);

/// Tenths of the database's ceiling from which an account whose scenes hold more than a fair share stores no more
/// objects. The objects of all accounts share this part of the ceiling. The rest is for accounts within their share,
/// history and settings.
pub const SHARED_DATABASE_TENTHS: u64 = 5;

/// Period in which the objects of all namespaces are counted above [`SHARED_DATABASE_TENTHS`]. An account stores a few
/// MiB in it.
pub const NAMESPACES_COUNTED_PERIOD: Duration = Duration::from_secs(5);
const _: () = assert!(SHARED_DATABASE_TENTHS < GUESTS_DATABASE_TENTHS);

/// Tenths of the database's ceiling from which guests store no more. The rest is for accounts.
pub const GUESTS_DATABASE_TENTHS: u64 = 8;

/// Payers remembered for each bound: as many as connections. A payer with networks of its own takes some kB.
pub const PAYERS_MAX: usize = 16_384;

/// Time for which computed shares are kept. With as many payers as allowed, computing them takes a millisecond or two.
pub const SHARES_KEPT: Duration = Duration::from_millis(50);

/// Longest pause before the next read from a client near its fair share. It is a sixth of 1.5 s, the silence
/// that the shortest keep-alive allows.
pub const CHARGE_PAUSE_MAX: Duration = Duration::from_millis(250);

/// Time in which a held amount is given back, for pauses near a share: the disk takes all waiting changes within a
/// second.
pub const LEVEL_PAUSE_WINDOW: Duration = Duration::from_secs(1);

/// Messages per second of one guest: camera and two hands at 10 Hz each, and as much again.
pub const GUEST_MESSAGES_PER_S: u32 = 60;

/// Burst of messages of one guest.
pub const GUEST_MESSAGES_BURST: u32 = 200;

/// Messages per second of one signed-in client: a script that animates some hundred objects.
pub const MEMBER_MESSAGES_PER_S: u32 = 10_000;

/// Burst of messages of one signed-in client: a script that builds a scene.
pub const MEMBER_MESSAGES_BURST: u32 = 40_000;

/// A QoS 1 or 2 message is written for each persistent session that receives it. At most this many of these writes
/// count against the sender, as one message each: other people's sessions must not throttle it. A guest that drags
/// an object at 10 Hz keeps its camera and two hands.
pub const KEPT_PAID_MAX: usize = 2;
const _: () = assert!(30 + 10 * (1 + KEPT_PAID_MAX) <= GUEST_MESSAGES_PER_S as usize);

/// Messages per second written for all persistent sessions of one subject: with one session it receives all that a
/// member may send.
pub const KEPT_PER_S: u32 = MEMBER_MESSAGES_PER_S;

/// Burst of messages written for all persistent sessions of one subject.
pub const KEPT_BURST: u32 = MEMBER_MESSAGES_BURST;
const _: () = assert!(MEMBER_IDLE_SESSIONS_MAX < KEPT_PER_S as usize);

/// KiB of messages per second of one guest: twenty times the traffic of a camera and two hands, and a tenth of what
/// fills a disk in an afternoon.
pub const GUEST_KIB_PER_S: u32 = 256;

/// Burst of one guest in KiB: some fifty of a guest's largest objects.
pub const GUEST_KIB_BURST: u32 = 2 * 1_024;

/// Bytes of an object, live and stored, that a change walks for free: most objects are smaller. Each change of an
/// object walks all of it, so a larger one is charged for the rest.
pub const UNPAID_OBJECT_BYTES: usize = 8 * 1_024;
const _: () = assert!(2 * OBJECT_BYTES_TYPICAL <= UNPAID_OBJECT_BYTES && UNPAID_OBJECT_BYTES < GUEST_OBJECT_BYTES_MAX);

/// KiB of messages per second of one signed-in client: a disk's write rate.
pub const MEMBER_KIB_PER_S: u32 = 32 * 1_024;

/// Burst of one signed-in client in KiB: a whole scene.
pub const MEMBER_KIB_BURST: u32 = 128 * 1_024;

/// Packets per second of one client that are not messages (pings, acknowledgements) or exceed its message
/// allowance. A client that sends more is disconnected. A page that acknowledges a thousand people at 10 Hz sends
/// 10,000.
pub const UNPAID_PACKETS_PER_S: u32 = 20_000;

/// Burst of packets that are not messages or exceed the message allowance.
pub const UNPAID_PACKETS_BURST: u32 = 50_000;

/// Subjects whose allowances are remembered after they disconnect, for a few seconds each until the buckets are
/// full.
pub const ALLOWANCES_REMEMBERED_MAX: usize = 10_000;

/// Time between two searches for full buckets when [`ALLOWANCES_REMEMBERED_MAX`] are remembered: a search compares all
/// of them.
pub const ALLOWANCES_FORGOTTEN_EVERY: Duration = Duration::from_secs(1);

/// Processor time in which a message finds one subscriber of a filter again after a change of that filter's
/// subscribers, when its memory is not cached. The client that makes the change pays for it.
pub const RECEIVER_TIME: Duration = Duration::from_nanos(20);

/// Messages per second in one scene: a thousand people with a camera and two hands at 10 Hz, and half as much again
/// for scripts. One scene leaves processor time for the rest.
pub const SCENE_MESSAGES_PER_S: u32 = 50_000;

/// Burst of messages in one scene.
pub const SCENE_MESSAGES_BURST: u32 = 100_000;

/// KiB of messages per second in one scene.
pub const SCENE_KIB_PER_S: u32 = 64 * 1_024;

/// Burst of one scene in KiB: several scripts rebuild it.
pub const SCENE_KIB_BURST: u32 = 256 * 1_024;

const _: () = assert!(MEMBER_MESSAGES_PER_S < SCENE_MESSAGES_PER_S && MEMBER_KIB_PER_S < SCENE_KIB_PER_S);

/// Messages that a `getPersist` or a `loadTemplate` counts as. Its effect is a whole scene.
pub const READING_MESSAGES: u32 = 30;

/// Shortest time between two refusal messages to one client.
pub const REFUSAL_INTERVAL: Duration = Duration::from_secs(1);

/// Time between two network graphs. Source: ARENA's broker.
pub const GRAPH_INTERVAL: Duration = Duration::from_secs(30);

/// Clients in a graph: a page draws no more.
pub const GRAPH_CLIENTS_MAX: usize = 200;

/// Subscriptions that are matched with a topic in one part of a graph: less than a millisecond.
pub const GRAPH_PART_FILTERS: usize = 4_096;

/// Time between two parts of a graph. The largest one then takes as much time as its clients' subscriptions need, and
/// leaves the realm's task to other inputs.
pub const GRAPH_PART_INTERVAL: Duration = Duration::from_millis(20);

/// Topics in a graph. Each is matched with the subscriptions of every client in it.
pub const GRAPH_TOPICS_MAX: usize = 128;

/// Topics that a graph lists for one client: camera, hands, and the objects that a script moves.
pub const GRAPH_PUBLISHED_MAX: usize = 16;

/// Retained topics, or scenes, compared with a new filter for the price of a message: a few microseconds.
pub const COMPARED_PER_MESSAGE: usize = 50;

/// Retained messages of the realm from which fair shares of accounts count.
pub const RETAINED_SHARED: usize = 10_000;

/// Retained messages of the realm. Those above [`RETAINED_SHARED`] are for accounts within their fair share.
pub const RETAINED_MAX: usize = 2 * RETAINED_SHARED;

/// Bytes of all retained messages from which fair shares of accounts count.
pub const RETAINED_BYTES_SHARED: usize = 16 * 1024 * 1024;

/// Bytes of all retained messages. Those above [`RETAINED_BYTES_SHARED`] are for accounts within their fair share.
pub const RETAINED_BYTES_MAX: usize = 2 * RETAINED_BYTES_SHARED;

/// Retained messages of one subject, so that one alone cannot fill the realm's quota.
pub const SUBJECT_RETAINED_MAX: usize = 2_000;

/// Bytes of one subject's retained messages.
pub const SUBJECT_RETAINED_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Frames queued for one connection.
pub const OUTBOX_FRAMES_MAX: usize = 32_768;

/// Bytes queued for one connection: two returned scenes, each of which may take twice [`RETURNED_BYTES_MAX`] as JSON.
pub const OUTBOX_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Control frames queued beyond [`OUTBOX_FRAMES_MAX`], so that a client learns why it is disconnected.
pub const OUTBOX_CONTROL_FRAMES: usize = 256;

/// Bytes of control frames queued beyond [`OUTBOX_BYTES_MAX`].
pub const OUTBOX_CONTROL_BYTES: usize = 64 * 1024;

/// Frames that wait behind a blocked write before the outbox conflates. That is a tenth of a second of a large
/// scene: 200 KB in shared batches, and as much for the frames themselves.
pub const CONFLATION_FRAMES_MIN: usize = 512;

/// Batches behind one blocked write after which a receiver counts as stalled rather than briefly slow. A server at
/// its limit has few long rounds per second; one that keeps up makes this many in a tenth of a second.
pub const STALLED_ROUNDS_MIN: usize = 64;

/// Frames that wait for a stalled receiver before the outbox conflates, then again each time the queue has doubled.
pub const STALLED_FRAMES_MIN: usize = 64;

/// Frames that wait before the outbox conflates although no write is blocked: then the server itself falls behind.
/// Shared batches make waiting frames cheap.
pub const BACKLOG_FRAMES_MAX: usize = 4_096;

/// Smallest group of sessions that shares a batch. For fewer, the bookkeeping costs more than it saves.
pub const GROUP_MEMBERS_MIN: usize = 4;

/// Bytes of one shared batch: the size of one write.
pub const BATCH_BYTES_MAX: usize = 256 * 1024;

/// Divisor of a group's size: the share of members that may wait for another batch and be served singly. Where more
/// do, that batch is closed early.
pub const SINGLES_SHARE: usize = 4;

/// Conflation passes in which a newer version may replace a state frame, before one version keeps its position.
pub const CONFLATION_MOVES_MAX: u32 = 4;

const _: () = assert!(STALLED_FRAMES_MIN < CONFLATION_FRAMES_MIN);
const _: () = assert!(CONFLATION_FRAMES_MIN < BACKLOG_FRAMES_MAX && BACKLOG_FRAMES_MAX < OUTBOX_FRAMES_MAX);
const _: () = assert!(BATCH_BYTES_MAX < OUTBOX_BYTES_MAX);
const _: () = assert!(MEMBER_IDLE_SESSIONS_MAX < IDLE_SESSIONS_MAX && PENDING_BYTES_MAX < IDLE_BYTES_MAX);
const _: () = assert!(SUBJECT_RETAINED_MAX < RETAINED_SHARED && SUBJECT_RETAINED_BYTES_MAX < RETAINED_BYTES_SHARED);
const _: () = assert!(TEMPLATE_OBJECTS_MAX < OUTBOX_FRAMES_MAX / 2 && TEMPLATE_BYTES_MAX <= OUTBOX_BYTES_MAX / 2);
const _: () = assert!(AMENDED_MAX < OUTBOX_FRAMES_MAX / 2 && AMENDED_BYTES_MAX <= OUTBOX_BYTES_MAX / 2);
const _: () = assert!(stoa_wire::limits::PACKET_BYTES_MAX < OUTBOX_BYTES_MAX);
const _: () = assert!(stoa_wire::limits::PACKET_BYTES_MAX <= GUEST_KIB_BURST as usize * 1_024);
const _: () = assert!(OBJECTS_MAX * OBJECT_BYTES_TYPICAL <= SCENE_BYTES_MAX);
// MQTT cannot encode a larger packet.
const _: () = assert!(OUTBOX_BYTES_MAX < 268_435_455 / 2);
// An envelope around each object, and escapes, may double it.
const _: () = assert!(2 * RETURNED_BYTES_MAX <= OUTBOX_BYTES_MAX);
const _: () = assert!(SCENE_BYTES_MAX <= MEMBER_KIB_BURST as usize * 1_024);
const _: () = assert!(READING_MESSAGES < GUEST_MESSAGES_BURST);
const _: () = assert!(GUEST_MESSAGES_PER_S <= GUEST_MESSAGES_BURST && GUEST_MESSAGES_BURST < MEMBER_MESSAGES_PER_S);

/// Servers of one realm among which comtrees are planned: their link matrix takes 8 MB, and a tree a few
/// milliseconds.
pub const OVERLAY_SERVERS_MAX: usize = 1_024;

/// Time after leaving in which a person may return to a locked scene: after a network loss of 20 s or a reload.
pub const BACK_INSIDE: Duration = Duration::from_secs(120);

/// Time after entering in which an unjoined person keeps its slot in a full scene, unless its network has many
/// more such people than an entrant's: a page joins within a few seconds, also on a slow line.
pub const LISTENER_GRACE: Duration = Duration::from_secs(30);

/// Time in which a person that was evicted from a full scene after [`LISTENER_GRACE`] takes no other person's slot. Two
/// of them would otherwise replace each other again and again.
pub const EVICTION_COOLDOWN: Duration = Duration::from_secs(120);
const _: () = assert!(LISTENER_GRACE.as_secs() < EVICTION_COOLDOWN.as_secs());

/// Time between two searches of a full scene for a person to evict, if the first found none: a search compares all
/// people in it.
pub const OCCUPANCY_COUNT_LASTS: Duration = Duration::from_secs(1);

/// Bearers that a moderator's list of those without a join shows: far more than a person looks through.
pub const LISTENING_SHOWN_MAX: usize = 500;

/// Entries of 100 bytes in each of a scene's three lists: people who left it ([`BACK_INSIDE`]), people who were evicted
/// ([`EVICTION_COOLDOWN`]), and recent evictions ([`LISTENER_GRACE`]).
pub const LEFT_MAX: usize = 1_024;

/// Connections that the search for [`LISTENING_SHOWN_MAX`] bearers compares: some milliseconds of the realm's task.
pub const LISTENING_SEARCHED_MAX: usize = 8_192;

/// Bearers of one scene that are searched for [`PEOPLE_NAMED_MAX`] people who are present.
pub const PEOPLE_NAMED_SEARCHED_MAX: usize = 64;

/// Names of people that a list of scenes shows for each scene, besides their number.
pub const PEOPLE_NAMED_MAX: usize = 5;
