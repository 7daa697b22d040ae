//! What bounds a realm's machines, each with its reason. Grants and scenes first, then connections and sessions.

use core::time::Duration;

pub use stoa_wire::limits::{
    DESCENDANT_DEPTH_MAX, DESCENDANTS_MAX, GRANT_LEEWAY_S, GUEST_OBJECT_BYTES_MAX, GUEST_SESSIONS_MAX,
    RETURNED_BYTES_MAX, TEMPLATE_BYTES_MAX, TEMPLATE_OBJECTS_MAX,
};

/// Scenes by name in one token: two filters each of at most 200 bytes fit into a token.
pub const ROAMING_SCENES_MAX: usize = 16;

/// Tokens between one and the first that it comes from: a program asks with what it was given, and hands something to another.
pub const TOKEN_PARENTS_MAX: usize = 4;

/// Live or stored objects in one scene: ARENA's largest have some thousands, a scanned building ten times that.
pub const OBJECTS_MAX: usize = 100_000;

/// Objects of one guest in one scene: a guest builds something, not everything.
pub const GUEST_OBJECTS_MAX: usize = 200;

/// Objects of all guests in one scene: a guest who comes again is another guest, so one alone could fill it.
pub const GUESTS_OBJECTS_MAX: usize = 2_000;

/// Objects that one restore changes: each is a message to everybody, and all of them find room in every outbox.
pub const AMENDED_MAX: usize = 10_000;

/// What it changes of their attributes, as JSON, likewise.
pub const AMENDED_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Attributes of one object after merging, as JSON: as much as one message may bring.
pub const OBJECT_BYTES_MAX: usize = stoa_wire::limits::PAYLOAD_BYTES_MAX;

/// All live objects of a scene with their names, and all stored ones, counted as `scene::merge` does: half of it as JSON, what a page can be made to load,
/// and six times of it in memory.
pub const SCENE_BYTES_MAX: usize = 128 * 1024 * 1024;

/// Attributes of an object as scenes have them, as JSON: a primitive with place, size, colour and a listener. So many fit in a scene that is full by number.
pub const OBJECT_BYTES_TYPICAL: usize = 1_024;

/// What a record has besides its id, type and attributes: the keys, two or three times.
pub const RECORD_KEYS_BYTES: usize = 160;

/// People in one scene.
pub const PEOPLE_MAX: usize = 10_000;

/// What a person says of itself when it joins, as JSON: a name and a few flags.
pub const JOIN_BYTES_MAX: usize = 4 * 1024;

/// Departed people that one connection is remembered for: a token with explicit filters may raise several, one after the other.
pub const DEPARTED_MAX: usize = 64;

/// Attributes of one camera, hand or face, as JSON: a face of 68 points takes 2 KiB.
pub const USER_OBJECT_BYTES_MAX: usize = 64 * 1024;

/// Sets of keys of one object whose updates may replace each other: position, rotation, colour and a few more change side by side.
pub const CONFLATION_SETS_MAX: usize = 8;

const _: () = assert!(GUEST_OBJECTS_MAX <= GUESTS_OBJECTS_MAX && GUESTS_OBJECTS_MAX <= OBJECTS_MAX);
const _: () = assert!(GUEST_OBJECT_BYTES_MAX * GUESTS_OBJECTS_MAX <= SCENE_BYTES_MAX);
const _: () = assert!(USER_OBJECT_BYTES_MAX <= OBJECT_BYTES_MAX && OBJECT_BYTES_MAX <= SCENE_BYTES_MAX);

/// Time from the opening of a transport connection to its CONNECT, and from there to a verdict on its token.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Keep-alive that an MQTT 5 client without one, or with a longer one, is given: it is what MQTT.js, paho and ARENA's clients have by themselves, and
/// whoever is cut off without a word haunts its scenes for a minute and a half at most.
pub const KEEP_ALIVE_S_MAX: u16 = 60;

/// A connection that has said nothing for so long is ended where MQTT 3.1.1 asked for no keep-alive: a program that only listens says nothing for hours, and
/// one that has gone without a word would stay until its token ends.
pub const SILENCE_MAX: Duration = Duration::from_secs(24 * 3_600);
const _: () = assert!(KEEP_ALIVE_S_MAX as u64 * 3 / 2 < SILENCE_MAX.as_secs());

/// A will with its topic and properties: it is kept as long as its connection. It says that somebody has gone.
pub const WILL_BYTES_MAX: usize = 64 * 1_024;

/// Packets that may follow a CONNECT before its answer: clients send their subscriptions at once.
pub const EARLY_PACKETS_MAX: usize = 32;

/// A client id: ARENA's have 30 bytes, and it becomes a token of topics.
pub const CLIENT_ID_BYTES_MAX: usize = 256;

/// Topic aliases of one connection in one direction: one for each of a client's objects that move.
pub const TOPIC_ALIASES_MAX: u16 = 32;

/// QoS 1 and 2 messages of one client that may be unacknowledged: as many as one group commit takes of it.
pub const RECEIVE_MAX: u16 = 256;

/// QoS 2 messages of one MQTT 3.1.1 client that it has not released: a program that publishes all it has at once is served, whatever waits for our disk,
/// and one that never releases is not.
pub const UNTOLD_RECEIVE_MAX: usize = 4_096;
const _: () = assert!(RECEIVE_MAX as usize <= UNTOLD_RECEIVE_MAX);

/// QoS 1 and 2 messages that may be under way to one client.
pub const IN_FLIGHT_MAX: usize = 64;

/// QoS 1 and 2 messages that wait for a client: then the oldest give way, or a connected client is ended.
pub const PENDING_MAX: usize = 1_000;

/// Bytes of messages that wait for a client in a session.
pub const PENDING_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The same that are under way to it and not yet acknowledged; one message always may be.
pub const IN_FLIGHT_BYTES_MAX: usize = PENDING_BYTES_MAX;

/// Wait until what a failed commit lost is written again: a full disk is not hammered, and a client that waits for it does not give up.
pub const STORE_RETRY: Duration = Duration::from_secs(5);

/// Subscriptions of one session: ARENA's clients have two to six.
pub const SUBSCRIPTIONS_MAX: usize = 128;

/// The same of a guest, who anybody may be, many times: a page has four. Each level of each is kept as a node of its own, and each with an identifier
/// of its own is looked at for each message.
pub const GUEST_SUBSCRIPTIONS_MAX: usize = 16;
const _: () = assert!(GUEST_SUBSCRIPTIONS_MAX <= SUBSCRIPTIONS_MAX);

/// Bytes of all filters of one session: as many as there may be, each as long as a scene's and an object's names make it.
pub const SUBSCRIPTION_BYTES_MAX: usize = SUBSCRIPTIONS_MAX * 256;

/// How long a session outlives its connection at most.
pub const SESSION_EXPIRY_MAX: Duration = Duration::from_secs(24 * 3_600);

/// The same for guests, whose identity ends with their token: long enough for a network change.
pub const GUEST_SESSION_EXPIRY_MAX: Duration = Duration::from_secs(60);

/// Sessions that exist without a connection, in all: 100 MB at 10 kB each.
pub const IDLE_SESSIONS_MAX: usize = 10_000;

/// The same of one member: a laboratory's sensors, one session each.
pub const MEMBER_IDLE_SESSIONS_MAX: usize = 1_000;

/// Bytes of messages that wait in all sessions without a connection: sixteen full ones, or 6 kB for each of as many as there may be.
pub const IDLE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The same of one member: one session that is full, with what is under way to it. Nobody alone fills the realm's.
pub const MEMBER_IDLE_BYTES_MAX: usize = PENDING_BYTES_MAX + IN_FLIGHT_BYTES_MAX;
const _: () = assert!(MEMBER_IDLE_BYTES_MAX <= IDLE_BYTES_MAX / 8);

/// Messages a second of one guest: camera and two hands at 10 Hz each, and as much again.
pub const GUEST_MESSAGES_PER_S: u32 = 60;

/// Messages at once of one guest.
pub const GUEST_MESSAGES_BURST: u32 = 200;

/// Messages a second of one signed-in client: a script that animates some hundred objects.
pub const MEMBER_MESSAGES_PER_S: u32 = 10_000;

/// Messages at once of one signed-in client: a script that builds a scene.
pub const MEMBER_MESSAGES_BURST: u32 = 40_000;

/// Of the lasting sessions that a message of QoS 1 or 2 is written down for, those that count for whoever says it, as a message each: another's sessions
/// silence nobody. A guest that drags something at 10 Hz keeps its camera and two hands.
pub const KEPT_PAID_MAX: usize = 2;
const _: () = assert!(30 + 10 * (1 + KEPT_PAID_MAX) <= GUEST_MESSAGES_PER_S as usize);

/// Messages a second that are written down for all lasting sessions of one subject: with one of them it hears all that a member can say.
pub const KEPT_PER_S: u32 = MEMBER_MESSAGES_PER_S;

/// The same at once.
pub const KEPT_BURST: u32 = MEMBER_MESSAGES_BURST;
const _: () = assert!(MEMBER_IDLE_SESSIONS_MAX < KEPT_PER_S as usize);

/// KiB of messages a second of one guest: twenty times what a camera and two hands take, and a tenth of what fills a disk in an afternoon.
pub const GUEST_KIB_PER_S: u32 = 256;

/// KiB at once of one guest: a few of the largest objects.
pub const GUEST_KIB_BURST: u32 = 2 * 1_024;

/// Bytes of an object, live and stored, that a change of it does not pay for: as much as most have. Of a larger one each change goes through all of it.
pub const UNPAID_OBJECT_BYTES: usize = 8 * 1_024;
const _: () = assert!(2 * OBJECT_BYTES_TYPICAL <= UNPAID_OBJECT_BYTES && UNPAID_OBJECT_BYTES < GUEST_OBJECT_BYTES_MAX);

/// KiB of messages a second of one signed-in client: what a disk takes.
pub const MEMBER_KIB_PER_S: u32 = 32 * 1_024;

/// KiB at once of one signed-in client: a whole scene.
pub const MEMBER_KIB_BURST: u32 = 128 * 1_024;

/// Packets a second of one client that are no messages (pings, acknowledgements), or are messages past its allowance: whoever sends more is ended. A page
/// that acknowledges a thousand people at 10 Hz sends 10,000.
pub const UNPAID_PACKETS_PER_S: u32 = 20_000;

/// The same at once.
pub const UNPAID_PACKETS_BURST: u32 = 50_000;

/// Subjects whose allowances are remembered after their connections: some seconds each, until all of it is back.
pub const ALLOWANCES_REMEMBERED_MAX: usize = 10_000;

/// Messages a second of all who are in one scene: a thousand people with a camera and two hands at 10 Hz, and half as much again for scripts. One scene
/// leaves a core room for others.
pub const SCENE_MESSAGES_PER_S: u32 = 50_000;

/// Messages at once in one scene.
pub const SCENE_MESSAGES_BURST: u32 = 100_000;

/// KiB of messages a second in one scene.
pub const SCENE_KIB_PER_S: u32 = 64 * 1_024;

/// KiB at once in one scene: several scripts build it anew.
pub const SCENE_KIB_BURST: u32 = 256 * 1_024;

const _: () = assert!(MEMBER_MESSAGES_PER_S < SCENE_MESSAGES_PER_S && MEMBER_KIB_PER_S < SCENE_KIB_PER_S);

/// What a `getPersist` counts for beyond itself: its answer is a scene, made while everybody waits.
pub const READING_MESSAGES: u32 = 30;

/// At most one message about refusals to one client in this time.
pub const REFUSAL_INTERVAL: Duration = Duration::from_secs(1);

/// From one graph of the network to the next. Source: ARENA's broker.
pub const GRAPH_INTERVAL: Duration = Duration::from_secs(30);

/// Clients in a graph: a page draws no more.
pub const GRAPH_CLIENTS_MAX: usize = 200;

/// Topics in a graph: each is held against every client's subscriptions, some milliseconds in all.
pub const GRAPH_TOPICS_MAX: usize = 128;

/// Topics that a graph tells of one client: camera, hands, and what a script moves.
pub const GRAPH_PUBLISHED_MAX: usize = 16;

/// Retained messages of the realm.
pub const RETAINED_MAX: usize = 10_000;

/// Bytes of all retained messages.
pub const RETAINED_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Retained messages of one subject: one alone cannot fill the realm's.
pub const SUBJECT_RETAINED_MAX: usize = 2_000;

/// Bytes of one subject's retained messages.
pub const SUBJECT_RETAINED_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Frames that wait for one connection.
pub const OUTBOX_FRAMES_MAX: usize = 32_768;

/// Bytes that wait for one connection: a returned scene fits, twice.
pub const OUTBOX_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Protocol answers that find room beyond that: a client is told why it ends.
pub const OUTBOX_CONTROL_FRAMES: usize = 256;

/// Their bytes.
pub const OUTBOX_CONTROL_BYTES: usize = 64 * 1024;

/// Frames that may wait behind a write that its receiver does not take, before newer state takes the place of older: a tenth of a second of a large
/// scene, in 200 KB of shared batches and as much for the frames themselves.
pub const CONFLATION_FRAMES_MIN: usize = 512;

/// Batches that come behind one stuck write before its receiver is taken to have stalled, and not to be slow for a moment: a server at its limit has few
/// long rounds a second, one that keeps up makes so many in a tenth.
pub const STALLED_ROUNDS_MIN: usize = 64;

/// Frames that may wait for a receiver that has stalled: then what waits is gone through each time it has doubled.
pub const STALLED_FRAMES_MIN: usize = 64;

/// Frames that wait before that begins though no write is stuck: then it is the server that falls behind. Shared batches make them cheap.
pub const BACKLOG_FRAMES_MAX: usize = 4_096;

/// Sessions that share a batch: for fewer, the bookkeeping costs more than it saves.
pub const GROUP_MEMBERS_MIN: usize = 4;

/// Bytes of one shared batch: as much as one write takes.
pub const BATCH_BYTES_MAX: usize = 256 * 1024;

/// Of a group, one in so many may wait for another batch and be served one by one; where more do, that batch is closed early.
pub const SINGLES_SHARE: usize = 4;

/// How often a state frame may give way to its newer version, each time that the queue is gone through, before one keeps its place.
pub const CONFLATION_MOVES_MAX: u32 = 4;

const _: () = assert!(STALLED_FRAMES_MIN < CONFLATION_FRAMES_MIN);
const _: () = assert!(CONFLATION_FRAMES_MIN < BACKLOG_FRAMES_MAX && BACKLOG_FRAMES_MAX < OUTBOX_FRAMES_MAX);
const _: () = assert!(BATCH_BYTES_MAX < OUTBOX_BYTES_MAX);
const _: () = assert!(MEMBER_IDLE_SESSIONS_MAX < IDLE_SESSIONS_MAX && PENDING_BYTES_MAX < IDLE_BYTES_MAX);
const _: () = assert!(SUBJECT_RETAINED_MAX < RETAINED_MAX && SUBJECT_RETAINED_BYTES_MAX < RETAINED_BYTES_MAX);
const _: () = assert!(TEMPLATE_OBJECTS_MAX < OUTBOX_FRAMES_MAX / 2 && TEMPLATE_BYTES_MAX <= OUTBOX_BYTES_MAX / 2);
const _: () = assert!(AMENDED_MAX < OUTBOX_FRAMES_MAX / 2 && AMENDED_BYTES_MAX <= OUTBOX_BYTES_MAX / 2);
const _: () = assert!(stoa_wire::limits::PACKET_BYTES_MAX < OUTBOX_BYTES_MAX);
const _: () = assert!(stoa_wire::limits::PACKET_BYTES_MAX <= GUEST_KIB_BURST as usize * 1_024);
const _: () = assert!(OBJECTS_MAX * OBJECT_BYTES_TYPICAL <= SCENE_BYTES_MAX);
// MQTT's own bound on a packet: what is past it cannot be encoded.
const _: () = assert!(OUTBOX_BYTES_MAX < 268_435_455 / 2);
// An envelope around each object, and escapes, may double it.
const _: () = assert!(2 * RETURNED_BYTES_MAX <= OUTBOX_BYTES_MAX);
const _: () = assert!(SCENE_BYTES_MAX <= MEMBER_KIB_BURST as usize * 1_024);
const _: () = assert!(READING_MESSAGES < GUEST_MESSAGES_BURST);
const _: () = assert!(GUEST_MESSAGES_PER_S <= GUEST_MESSAGES_BURST && GUEST_MESSAGES_BURST < MEMBER_MESSAGES_PER_S);

/// From one pose of somebody to the next, in milliseconds: 20 Hz, as the papers' clients and Stoa's send. What may wait for a receiver is counted in these.
pub const MOTION_PERIOD_MS: u32 = stoa_wire::limits::MOTION_PERIOD_MS as u32;

/// From serving one group of receivers to serving the next. There are five, and all come round in 40 ms: more often than people of 20 Hz say where they are, so that a pose that comes ten
/// milliseconds late is not overtaken by the next one before it went out.
pub const MOTION_SUBTICK: Duration = Duration::from_millis(8);
const _: () = assert!(MOTION_SUBTICK.as_millis() * 5 <= MOTION_PERIOD_MS as u128);

/// Frames that one thread sends at once in a second, counted as if each sender had its own back too; scenes that would need more are served tick by tick.
pub const MOTION_AT_ONCE_PER_S: u64 = 8_000;

/// More people than so many are never served at once, before it is known what they say.
pub const MOTION_AT_ONCE_PEOPLE: usize = 32;

/// For how long it is remembered, in milliseconds, that we were late ourselves: until all reports that it delayed have come.
pub const MOTION_LATE_MS: u32 = 1_000;

/// How long a session may be silent on the motion plane.
pub const MOTION_SILENCE: Duration = Duration::from_millis(stoa_wire::limits::MOTION_SILENCE_MS);

/// How long somebody who has moved to another address has to acknowledge what was sent there. No more bytes go there than come from there: at ten reports a second a full
/// frame goes out each second and a half, and of six one is heard on any way that is of use.
pub const MOTION_PROOF: Duration = Duration::from_secs(10);

/// How many sequences are left out at most when somebody moves. In the time for the proof a session is sent some thousands of frames: of so many, one that is guessed blindly
/// was sent once in ten thousand times, and there is one guess.
pub const MOTION_SKIPPED_MAX: u32 = 1 << 26;

/// How long a short id rests before something else may have it: a late frame must not move another.
pub const MOTION_ID_REST: Duration = Duration::from_secs(stoa_wire::limits::MOTION_ID_REST_S);
const _: () = assert!(MOTION_SILENCE.as_millis() < MOTION_ID_REST.as_millis());

/// Between two baselines of what moves: Forest's servers tell the whole state once a second.
pub const MOTION_BASELINE_PERIOD: Duration = Duration::from_secs(1);

/// Between two baselines of what moves so fast that updates become long: both tellings of one are over by then, in all groups.
pub const MOTION_BASELINE_PERIOD_MIN: Duration = Duration::from_millis(200);
const _: () = assert!(MOTION_BASELINE_PERIOD_MIN.as_millis() > 3 * MOTION_PERIOD_MS as u128);

/// How often the period doubles while something rests: its baseline is then told each 16 s, to whoever missed where it stopped.
pub const MOTION_BASELINE_DOUBLINGS: u8 = 4;

/// What a new session is sent at most until it has reported, in bytes a second: half the budget of a scene, which a bad line bears for a moment.
pub const MOTION_FIRST_BYTES_PER_S: u32 = 128 * 1_024;

/// What a session is sent at most however bad its way, in bytes a second: a hundred poses a tick, no more than a voice and a small picture.
pub const MOTION_BYTES_PER_S_MIN: u32 = 32 * 1_024;

/// What a receiver gets at most in a scene that says nothing else: a thousand heads at about 14 updates a second, and no more than a fifth of what a home's line bears.
pub const MOTION_BYTES_PER_S: u32 = 256 * 1_024;

/// The most that a scene may say: a thousand heads and hands at 20 Hz, twice.
pub const MOTION_BYTES_PER_S_MAX: u32 = 4 * 1_024 * 1_024;
const _: () = assert!(MOTION_BYTES_PER_S_MIN <= MOTION_BYTES_PER_S && MOTION_BYTES_PER_S <= MOTION_BYTES_PER_S_MAX);

/// Stays on the motion plane of one guest, and tickets for it: its pages, each with a ticket that is not used yet.
pub const GUEST_MOTION_GRANTS_MAX: usize = 2 * GUEST_SESSIONS_MAX;

/// The same of one account: two hundred programs of one person, a school class's pages beside them, and for each a ticket that is not used yet.
pub const MEMBER_MOTION_GRANTS_MAX: usize = 512;

/// The same of all people together.
pub const MOTION_GRANTS_MAX: usize = 16_384;
const _: () =
    assert!(GUEST_MOTION_GRANTS_MAX < MEMBER_MOTION_GRANTS_MAX && MEMBER_MOTION_GRANTS_MAX <= MOTION_GRANTS_MAX / 32);

/// By how much more than with the report before a session's rate rises with each report without loss: by 40 KiB in the first second, by 144 KiB in two. A hitch that halved what a thousand people
/// need is made good in three seconds, and where the way is full a rate that fell by a seventh is back after one.
pub const MOTION_RISE_BYTES_PER_S: u32 = 4 * 1_024;

/// Between two settings of a session's rate, in milliseconds: more than a round trip of most ways, and enough frames to tell a loss by.
pub const MOTION_RATE_MS: u32 = 250;

/// Lost frames in thousandths from which on the way is taken for full: radio alone loses less, after its own repetitions.
pub const MOTION_LOST_PER_MILLE_MAX: u16 = 20;

/// Milliseconds that frames may wait on the way, beyond the shortest of late, before it is taken for full.
pub const MOTION_QUEUEING_MS_MAX: u32 = 100;

/// For how long the shortest way is remembered, in milliseconds: ways change, and so does a clock's drift.
pub const MOTION_LEAST_MS: u32 = 10_000;

/// What must arrive is said again after this at the earliest, in milliseconds: two ticks.
pub const MOTION_PATIENCE_MS_MIN: u32 = 100;

/// What must arrive is said again after this at the latest, in milliseconds: on a long way it is rather said thrice than missed for seconds.
pub const MOTION_PATIENCE_MS_MAX: u32 = 300;

/// Between two frames to whom there is nothing to say: by their acknowledgements the way is known.
pub const MOTION_SAID_PERIOD: Duration = Duration::from_millis(500);

/// Between two parts that tell of the way.
pub const MOTION_QUALITY_PERIOD: Duration = Duration::from_secs(1);

/// Between two refusals of an object to the same client.
pub const MOTION_REFUSAL_PERIOD: Duration = Duration::from_secs(1);

/// For how long nobody who knows MQTT alone hears of people of the motion plane until their scene is told of seldom: in it all of 200 who move are told of.
pub const MOTION_UNHEARD: Duration = Duration::from_secs(1);

/// Marked frames of one client that wait until all have them.
pub const MOTION_MARKS_MAX: usize = stoa_wire::limits::MOTION_MARKS_MAX;

/// After which a marked frame is forgotten that not all are known to have.
pub const MOTION_MARK_LIFE: Duration = Duration::from_millis(stoa_wire::limits::MOTION_MARK_LIFE_MS);

/// Services of one receiver of which it is remembered what they held, until it acknowledges them: what is served at once in a second.
pub const MOTION_MARKED_FRAMES_MAX: usize = 256;

/// Baselines that one client may be waiting for.
pub const MOTION_ASKED_MAX: usize = stoa_wire::limits::MOTION_ASKED_MAX;

/// How many sequences up to the newest a frame may have come by: within these it is known which have.
pub const MOTION_WINDOW: u32 = stoa_wire::limits::MOTION_WINDOW as u32;
const _: () = assert!(MOTION_WINDOW.is_multiple_of(64), "kept in words of 64 bits");

/// Objects of one client that come to be there in a second. Each takes a short id, which then rests for [`MOTION_ID_REST`], and is told to all others: two hundred clients of ill will are needed to
/// use up the short ids of a scene, where one was enough.
pub const MOTION_APPEARANCES_PER_S: u32 = stoa_wire::limits::MOTION_APPEARANCES_PER_S as u32;

/// The same at once: whoever comes in has all its objects there with its first frames, and again after it withdrew them.
pub const MOTION_APPEARANCES_BURST: u32 = stoa_wire::limits::MOTION_APPEARANCES_BURST as u32;
const _: () = assert!(2 * stoa_wire::limits::MOTION_OWN_MAX <= MOTION_APPEARANCES_BURST as usize);

/// Changes that one receiver may not know yet; beyond that its session ends, and it learns everything anew. As many as the largest scene takes that is told anew from one moment to the next: all short
/// ids have left, and all have entered. They take half a megabyte.
pub const MOTION_CHANGES_MAX: usize = stoa_wire::limits::MOTION_CHANGES_MAX;
const _: () = assert!(MOTION_CHANGES_MAX >= 2 * 65_536);

/// Frames of one client in a second: headsets send 90, and as many again after a hitch.
pub const MOTION_FRAMES_PER_S: u32 = stoa_wire::limits::MOTION_FRAMES_PER_S as u32;

/// Frames of one client at once.
pub const MOTION_FRAMES_BURST: u32 = stoa_wire::limits::MOTION_FRAMES_BURST as u32;
const _: () = assert!(MOTION_FRAMES_BURST < MOTION_WINDOW);

/// From one evaluation of a scene's interest sets to the next. Source: Ubiq, 5 Hz.
pub const INTEREST_INTERVAL: Duration = Duration::from_millis(200);

/// Slots of items and of observers in one scene: short ids have 16 bits.
pub const INTEREST_SLOTS_MAX: u32 = 65_536;

/// Items that `nearest` shows each observer. Source: Ubiq, k = 20: about as many as can talk to each other.
pub const NEAREST_COUNT: u32 = 20;

/// The same that a scene may ask for: as many pairs of 2,000 people take 12 MB, and beyond it `all` is cheaper.
pub const NEAREST_COUNT_MAX: u32 = 512;

/// How long an item stays at least that has fallen out of the nearest; it leaves at the next evaluation after that. Source: Ubiq, 500 ms.
pub const NEAREST_STAY: Duration = Duration::from_millis(500);

/// Diameter of a hexagonal cell, corner to corner. Source: Ubiq, 20 m.
pub const HEX_CELL_MM: u32 = 20_000;

/// The least that a scene may ask for: one person to a cell.
pub const HEX_CELL_MM_MIN: u32 = 1_000;

/// The most: beyond what anybody makes out of another.
pub const HEX_CELL_MM_MAX: u32 = 1_000_000;

/// One part in so many of a cell's diameter, somebody stays in it beyond its sides: 1 m of 20 m, farther than a person who stands there sways, leans or turns. (Ubiq has none.)
pub const HEX_BORDER_SHARE: i64 = 20;

/// How far `radius` shows items: a circle as large as the seven cells that an observer of `hex` sees. (Ubiq has no radius.)
pub const RADIUS_MM: u32 = 24_000;

/// As far as a scene reaches.
pub const RADIUS_MM_MAX: u32 = 1_000_000_000;

/// An item that came in at the radius leaves at so many hundredths of it: 2.4 m of 24 m, nearly a second's way at 3 m/s.
pub const RADIUS_OUT_PERCENT: u64 = 110;

/// Servers of one realm among which comtrees are planned: the matrix of their links takes 8 MB, and a tree a few milliseconds.
pub const OVERLAY_SERVERS_MAX: usize = 1_024;

const _: () = assert!(INTEREST_INTERVAL.as_millis() < NEAREST_STAY.as_millis() && NEAREST_COUNT <= NEAREST_COUNT_MAX);
const _: () = assert!(PEOPLE_MAX <= INTEREST_SLOTS_MAX as usize && RADIUS_OUT_PERCENT > 100);
const _: () = assert!(HEX_CELL_MM_MIN <= HEX_CELL_MM && HEX_CELL_MM <= HEX_CELL_MM_MAX && HEX_BORDER_SHARE > 4);
// A hexagon's area is 0.6495 squares of its diameter; equal to one part in a hundred.
const _: () = assert!((RADIUS_MM as u64).pow(2) * 31_416 * 100 / ((HEX_CELL_MM as u64).pow(2) * 7 * 6_495) == 99);

/// Whoever left so short a time ago comes back through a locked door: a network that was gone for 20 s, a page that was loaded anew.
pub const BACK_INSIDE: Duration = Duration::from_secs(120);

/// People of one scene who are remembered so, 100 bytes each.
pub const LEFT_MAX: usize = 1_024;

/// Names of those in a scene that a list of scenes tells: it says how many there are besides.
pub const NAMES_TOLD_MAX: usize = 5;
