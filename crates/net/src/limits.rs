//! Every number that bounds a transport, with its reason.

use std::time::Duration;

use stoa_state::limits::{MOTION_PROOF, MOTION_SKIPPED_MAX};
use stoa_wire::limits::{FRAME_BYTES_MAX, MOTION_REPORT_MS, MOTION_SILENCE_MS, PACKET_BYTES_MAX};

/// One read from a socket: holds some forty packets of a scene. One such buffer serves all connections of a thread.
pub const READ_BYTES_MAX: usize = 16 * 1_024;
/// What the writer gathers into one write. More would sit in the kernel as stale poses; less would cost system calls.
pub const WRITE_BYTES_MAX: usize = 256 * 1_024;
/// Buffers that one write takes: as many as tokio offers at once. More are copied into one.
pub const PARTS_MAX: usize = 64;
/// Pieces of a write that a connection keeps room for: an idle one is small.
pub const PIECES_KEPT: usize = 4;
/// Bytes that the kernel takes ahead of what is on its way to a receiver: more of them would only grow stale there, where nothing can take their place.
pub const UNSENT_BYTES_MAX: u32 = 64 * 1_024;

const _: () = assert!(PIECES_KEPT < PARTS_MAX && UNSENT_BYTES_MAX as usize <= WRITE_BYTES_MAX);

/// What waits within a WebSocket for somebody who takes nothing: a write that is on its way, another, and answers to pings. A later such answer then takes
/// the place of the one before.
pub const WEBSOCKET_UNSENT_BYTES_MAX: usize = 4 * WRITE_BYTES_MAX;

/// One WebSocket message may hold several packets, or a part of one: clients put all that is said in one turn into one message. It is kept until it is there
/// whole.
pub const WEBSOCKET_MESSAGE_BYTES_MAX: usize = 2 * PACKET_BYTES_MAX;

/// KiB of packets, of all connections together, that wait for the realm; readers wait past it. What a core takes in in a fraction of a second.
pub const INPUTS_KIB_MAX: usize = 32 * 1_024;
const _: () = assert!(PACKET_BYTES_MAX / 1_024 < INPUTS_KIB_MAX);

/// One read of a WebSocket that carries motion frames: three of them, a tick's or two.
pub const FRAMES_READ_BYTES: usize = 4 * 1_024;
const _: () = assert!(FRAMES_READ_BYTES > 3 * FRAME_BYTES_MAX);
/// Answers to pings that wait behind a tick's frames: thirty of the longest. Browsers send no pings. A later answer then takes the place of the one before.
pub const FRAMES_ANSWER_BYTES_MAX: usize = 4 * 1_024;
/// What is written and does not move for so long ends a WebSocket with motion frames: who hears nothing is as far away as who says nothing.
pub const FRAMES_STUCK_TIMEOUT: Duration = Duration::from_millis(MOTION_SILENCE_MS);

/// TLS handshakes are three messages; a phone on a poor network needs a second or two.
pub const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// A packet that has begun must end by then: half of one must not hold memory for ever.
pub const PACKET_TIMEOUT: Duration = Duration::from_secs(30);
/// The same of a WebSocket message, which may hold a few packets: as long as these would have one after the other.
pub const WEBSOCKET_MESSAGE_TIMEOUT: Duration = Duration::from_secs(120);
const _: () = assert!(WEBSOCKET_MESSAGE_TIMEOUT.as_secs() >= 2 * PACKET_TIMEOUT.as_secs());
/// What a closing connection gets to take its last words.
pub const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the socket is read and thrown away after the last words: closing with unread bytes would reset them away.
pub const LINGER_TIMEOUT: Duration = Duration::from_secs(2);

/// Connections of all doors together, where the system lets a process have as many sockets: each costs one, two buffers and an outbox.
pub const CONNECTIONS_MAX: usize = 16_384;
/// Of these, one in so many is kept for each door: whoever fills one leaves a way in by the others.
pub const CONNECTIONS_KEPT_PART: usize = 16;
/// Connections of one address (of IPv6: one /64) on all doors, unless told: a school behind one address, with two or three for each page.
pub const CONNECTIONS_PER_ADDRESS_MAX: usize = 1_024;
const _: () = assert!(CONNECTIONS_PER_ADDRESS_MAX < CONNECTIONS_MAX);
/// How many leading bits of IPv6 addresses are counted together, and for how many addresses they count: a household's /64, the /56 that homes and offices are
/// given, and the /48 of a company or a tunnel; a mobile network has a /64 for each phone, and many of them below one /48.
pub const CIRCLES_V6: &[(u8, u32)] = &[(64, 1), (56, 4), (48, 8)];
const _: () = assert!(CONNECTIONS_PER_ADDRESS_MAX * CIRCLES_V6[2].1 as usize <= CONNECTIONS_MAX / 2);
/// New connections a second of one address: each may cost a TLS handshake and a token's verification.
pub const OPENINGS_PER_S: u32 = 50;
/// The same at once: all of them come back after a restart.
pub const OPENINGS_BURST: u32 = 2_048;
const _: () = assert!(CONNECTIONS_PER_ADDRESS_MAX < OPENINGS_BURST as usize);
/// CONNECTs without a good token that one address may make up for in a second: a page whose token has ended tries again at most that often.
pub const FAILURES_PER_S: u32 = 5;
/// The same at once: a class whose tokens ended over night.
pub const FAILURES_BURST: u32 = 300;
/// Addresses and circles of them that are remembered; past it, those that have gone are forgotten.
pub const HOUSEHOLDS_MAX: usize = 65_536;
const _: () = assert!(CIRCLES_V6.len() * CONNECTIONS_MAX < HOUSEHOLDS_MAX);
/// Wait after a failed accept (the process is out of sockets): others may close meanwhile.
pub const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// UDP payload of one datagram: every QUIC path carries this much (RFC 9000 section 14).
pub const DATAGRAM_BYTES_MAX: usize = 1_200;
/// What netcode puts around a frame: prefix, a sequence of at most eight bytes, tag.
pub const SEAL_BYTES_MAX: usize = 1 + 8 + 16;
const _: () = assert!(FRAME_BYTES_MAX + SEAL_BYTES_MAX <= DATAGRAM_BYTES_MAX);
/// Messages taken in one go: what a thousand people send in ten milliseconds, so that the time is asked for once for all of them.
pub const BATCH_MESSAGES_MAX: usize = 256;
/// Datagrams in one call. Source: `UDP_MAX_SEGMENTS` of the oldest kernels that have GSO.
pub const RUN_DATAGRAMS_MAX: usize = 64;
/// Bytes of such a call: below the 65,507 that one UDP packet over IPv4 holds.
pub const RUN_BYTES_MAX: usize = 65_000;
const _: () = assert!(RUN_BYTES_MAX > 17 * DATAGRAM_BYTES_MAX, "a thousand poses to one receiver are one call");
/// Datagrams to one receiver each that go out in one call: entering the kernel is then a small part of it, and what waits is still in the nearest caches.
pub const SINGLES_MAX: usize = 64;
/// What is asked for of what came and was not taken: 0.2 s of a thousand people, each datagram counted with the kernel's bookkeeping. Systems often give less.
pub const RECEIVE_BUFFER_BYTES: usize = 8 * 1_024 * 1_024;
/// What is asked for of what is on its way out: one tick of a fifth of a thousand receivers.
pub const SEND_BUFFER_BYTES: usize = 4 * 1_024 * 1_024;
/// How long a full send buffer is waited for: a card of 1 Gbit/s sends two hundred datagrams meanwhile. Beyond it the run is dropped: everybody else waits too.
pub const SEND_WAIT: Duration = Duration::from_millis(2);
/// After a call with several datagrams was refused, each goes in a call of its own for so long.
pub const OFFLOAD_RETRY: Duration = Duration::from_secs(10);

/// Between two looks at all netcode sessions for those that have gone or want to hear something.
pub const SWEEP_PERIOD: Duration = Duration::from_millis(100);
/// A session that was told nothing for so long is told that we are there: ten in a second, as the standard suggests.
pub const KEEP_ALIVE_PERIOD: Duration = Duration::from_millis(100);
/// Sequences behind the newest that are told apart. Source: netcode 1.02, Replay Protection.
pub const REPLAY_SEQUENCES: u64 = 256;
/// Connect tokens opened in one second: each costs some 5 µs, so a flood of forged ones takes two hundredths of a core. A thousand people are in within a second.
pub const TOKENS_OPENED_PER_S: u32 = 4_000;
/// How long who was asked to say something back has for it: a hundred times as long as it takes.
pub const PENDING_MAX: Duration = Duration::from_secs(10);
/// How often a session is told that it is over: it does not answer, and one in three gets through.
pub const GOODBYES: usize = 3;
/// Silence after which a session may have moved to another address: five reports.
pub const MOVE_SILENCE: Duration = Duration::from_millis(5 * MOTION_REPORT_MS);
const _: () = assert!(5 * MOTION_REPORT_MS < MOTION_SILENCE_MS);
/// Of somebody who moves again and again and hears nothing, the sequences that are left out stay ahead of what they heard: half of all are newer than one. They are put out
/// within a second after their time is over.
const MOVES_UNPROVED_MAX: u128 = (MOTION_PROOF.as_millis() + 1_000) / MOVE_SILENCE.as_millis() + 1;
const _: () = assert!(MOVES_UNPROVED_MAX * (MOTION_SKIPPED_MAX as u128) < 1 << 31);
/// Datagrams from unknown addresses in one second for which a session is looked for. With some thousand silent sessions one costs some 15 µs: a flood takes at most 2 % of
/// a core, and while it lasts those who move come in again with a new ticket.
pub const MOVES_TRIED_PER_S: u32 = 1_000;
/// Sessions whose key is tried on one such datagram, of those whose next sequence it could be.
pub const MOVE_KEYS_MAX: usize = 8;
/// How far ahead of the newest that came the sequence of somebody who moved may be: what 90 Hz say within the silence that ends a session, doubled.
pub const MOVE_SEQUENCES_AHEAD_MAX: u64 = 1_024;

/// WebTransport connections at one time: each takes some 100 kB, most of it quinn's.
pub const QUIC_CONNECTIONS_MAX: usize = 4_096;
/// First packets that wait for somebody to look at them: those of a tenth of a second, while a thousand people come in.
pub const QUIC_INCOMING_MAX: usize = 1_024;
/// What is kept of one whose first packet has been seen, until it has been looked at: its whole first flight.
pub const QUIC_INCOMING_BYTES: u64 = 8 * 1_024;
/// QUIC handshakes begun in a second: each takes some 0.7 ms, so a flood of them at most a fifth of a core, and a thousand people are in within four seconds.
pub const QUIC_HANDSHAKES_PER_S: u32 = 300;
/// The same at once: a class that comes in by one link.
pub const QUIC_HANDSHAKES_BURST: u32 = 300;
/// A connection from which nothing comes for so long has gone: by then its session has long ended.
pub const QUIC_IDLE_TIMEOUT: Duration = Duration::from_millis(2 * MOTION_SILENCE_MS);
/// Streams that a client opens to say how it speaks HTTP/3: settings, two of QPACK, and some that mean nothing, so that nobody relies on there being three.
pub const QUIC_UNI_STREAMS_MAX: u32 = 8;
/// What comes on one stream and isn't read: a request with all of its headers fits.
pub const QUIC_STREAM_BYTES: u32 = 16 * 1_024;
/// The same of all streams of a connection.
pub const QUIC_RECEIVE_BYTES: u32 = 32 * 1_024;
/// What we say on streams: settings and one answer.
pub const QUIC_SEND_BYTES: u64 = 4 * 1_024;
/// Handshake messages that came out of order: nobody here has a certificate to show.
pub const QUIC_CRYPTO_BYTES: usize = 8 * 1_024;
/// Frames that came and weren't taken: half a second of one client's, all of them whole.
pub const QUIC_UNTAKEN_BYTES: usize = 32 * 1_024;
/// Frames to one receiver in one tick: three thousand poses, a thousand people with both hands.
pub const TICK_FRAMES_MAX: usize = RUN_DATAGRAMS_MAX;
/// What quinn counts for each datagram beside its bytes.
pub const QUIC_KEPT_BYTES: usize = size_of::<bytes::Bytes>();
/// Frames that a connection could not send yet: one such tick. An older one gives way to a newer.
pub const QUIC_UNSENT_BYTES: usize = TICK_FRAMES_MAX * (1 + FRAME_BYTES_MAX + QUIC_KEPT_BYTES);
/// Receivers that are sent to before what has come in is looked at: half a millisecond's work. Where a frame waits for ten milliseconds, two poses of one sender fall into one
/// tick and the next has none.
pub const QUIC_SLICE_LANES: usize = 12;
/// Tasks of connections that run before the socket is looked at, for the same reason.
pub const QUIC_POLLS_AT_ONCE: u32 = 16;
/// Bytes on their way to one receiver: the largest ticks at 20 Hz for half a second, on a way round the world.
pub const QUIC_WINDOW_BYTES: u64 = 1_024 * 1_024;
const _: () = assert!(QUIC_WINDOW_BYTES as usize >= 10 * TICK_FRAMES_MAX * DATAGRAM_BYTES_MAX);
/// The same while nothing comes back. Source: RFC 9002 section 7.2, initial window.
pub const QUIC_WINDOW_BYTES_MIN: u64 = 10 * DATAGRAM_BYTES_MAX as u64;
/// Packets after which a client that can be told so acknowledges: each acknowledgement costs as much as a datagram. Most ticks are one.
pub const QUIC_ACK_PACKETS: u32 = 31;
/// The longest that it waits with it: one tick.
pub const QUIC_ACK_DELAY: Duration = Duration::from_millis(50);
