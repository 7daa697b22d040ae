//! Limits of the transports, each with its reason.

use std::time::Duration;

use stoa_state::limits::{
    CIRCLES_V6, GUESTS_JSON_STRUCTURE_BURST, GUESTS_JSON_STRUCTURE_PER_S, MEMBERS_JSON_STRUCTURE_BURST,
    MEMBERS_JSON_STRUCTURE_PER_S, MOTION_FRAMES_BURST, MOTION_FRAMES_PER_S, MOTION_PROOF, MOTION_SKIPPED_MAX,
    OUTBOX_BYTES_MAX,
};
use stoa_wire::limits::{
    FRAME_BYTES_MAX, JSON_KEYS_MAX, JSON_VALUES_MAX, MOTION_REPORT_MS, MOTION_SILENCE_MS, PACKET_BYTES_MAX,
    PARSED_KEY_BYTES_MAX, PARSED_VALUE_BYTES_MAX, VOICE_BYTES_BURST, VOICE_BYTES_PER_S, VOICE_FRAME_BYTES_MIN,
};

/// Bytes per read from a socket: some forty packets of a scene. One such buffer serves all connections of a thread.
/// A WebSocket has a further one of its own.
pub const READ_BYTES_MAX: usize = 16 * 1_024;
/// Bytes that the writer gathers into one write. More would wait in the kernel as stale poses; less would cost
/// system calls.
pub const WRITE_BYTES_MAX: usize = 256 * 1_024;
/// Buffers per write: as many as tokio offers at once. More are copied into one.
pub const PARTS_MAX: usize = 64;
/// Chunks of a write for which a connection keeps memory, so that an idle one is small.
pub const PIECES_KEPT: usize = 4;
/// Unsent bytes that the kernel accepts per connection. More of them would only grow stale there, where newer state
/// can't replace them.
pub const UNSENT_BYTES_MAX: u32 = 64 * 1_024;

const _: () = assert!(PIECES_KEPT < PARTS_MAX && UNSENT_BYTES_MAX as usize <= WRITE_BYTES_MAX);

/// Unread bytes of all connections from which fair shares count: a full send queue for each of forty-eight, or a MiB
/// for each of 384 guests. A packet for many receivers counts for each of them, and so takes less memory.
pub const ALL_OUTBOXES_BYTES_SHARED: u64 = 384 << 20;
/// Unread bytes of all connections. Those above [`ALL_OUTBOXES_BYTES_SHARED`] are for connections within their fair
/// share.
pub const ALL_OUTBOXES_BYTES_MAX: u64 = 512 << 20;
const _: () = assert!(ALL_OUTBOXES_BYTES_SHARED + 16 * OUTBOX_BYTES_MAX as u64 <= ALL_OUTBOXES_BYTES_MAX);
/// Unread bytes of a connection are counted in steps of this size: far more than a connection that keeps up has. The
/// rest below a step isn't counted. With all of [`CONNECTIONS_MAX`] connections it is at most half a GiB.
pub const OUTBOX_STEP_BYTES: usize = 32 * 1_024;
const _: () = assert!((OUTBOX_STEP_BYTES * CONNECTIONS_MAX) as u64 <= ALL_OUTBOXES_BYTES_MAX);

/// Bytes that tungstenite queues for one WebSocket: answers to pings, and at a client also payload. A server's payload
/// bypasses this queue. Beyond it, a later answer replaces the one before.
pub const WEBSOCKET_UNSENT_BYTES_MAX: usize = 4 * WRITE_BYTES_MAX;

/// Bytes of a WebSocket message. It may hold several packets or a part of one, because clients put all packets of
/// one turn into one message. The message is buffered until it is complete.
pub const WEBSOCKET_MESSAGE_BYTES_MAX: usize = 2 * PACKET_BYTES_MAX;

/// Bytes of packets and WebSocket messages of all connections that are buffered until they are whole, from which fair
/// shares count: two hundred of the largest packets. A length counts as soon as it is announced, so that input that was
/// begun can be finished.
pub const UNFINISHED_BYTES_SHARED: u64 = 64 << 20;
const _: () = assert!(UNFINISHED_BYTES_SHARED >= 200 * PACKET_BYTES_MAX as u64);
/// Unfinished bytes of all connections. Those above [`UNFINISHED_BYTES_SHARED`] are for connections within their fair
/// share.
pub const UNFINISHED_BYTES_MAX: u64 = 2 * UNFINISHED_BYTES_SHARED;
/// A connection with at most this many unfinished bytes isn't counted: those of one read, which hold nearly every
/// packet.
pub const UNFINISHED_BYTES_MIN: usize = READ_BYTES_MAX;
/// Wait of a connection above its fair share of unfinished input, before it tries again to be read.
pub const UNFINISHED_RETRY: Duration = Duration::from_millis(100);

/// KiB of packets of all connections together that may wait for the realm; beyond it readers wait. Packets below one
/// KiB aren't counted.
pub const INPUTS_KIB_MAX: usize = 12 * 1_024;
const _: () = assert!(PACKET_BYTES_MAX < INPUTS_KIB_MAX * 1_024 / 16);
/// KiB of parsed payloads of all connections together that may wait for the realm; beyond it no long payload is parsed.
pub const PARSED_KIB_MAX: usize = 20 * 1_024;
/// Bytes of the largest parsed payload.
const PARSED_BYTES_MAX: usize =
    PACKET_BYTES_MAX + JSON_KEYS_MAX * PARSED_KEY_BYTES_MAX + JSON_VALUES_MAX * PARSED_VALUE_BYTES_MAX;
const _: () = assert!(PARSED_BYTES_MAX < PARSED_KIB_MAX * 1_024 / 2);

/// Payloads that are parsed at one time, each on a thread of low priority. Beside one busy thread of the realm it gets
/// a tenth of a core. The largest payload takes some milliseconds.
pub const JSON_PARSED_AT_ONCE_MAX: usize = 1;
/// Structural characters of long messages that are parsed a second for all clients: as many as the realm accepts from
/// guests and accounts. They take a third of a core.
pub const JSON_STRUCTURE_PER_S: u32 = GUESTS_JSON_STRUCTURE_PER_S + MEMBERS_JSON_STRUCTURE_PER_S;
/// Burst of structural characters of long messages. A connection waits for its own parsing, so a long message waits for
/// at most one message of each connection.
pub const JSON_STRUCTURE_BURST: u32 = GUESTS_JSON_STRUCTURE_BURST + MEMBERS_JSON_STRUCTURE_BURST;

/// Bytes per read of a WebSocket that carries motion frames: three frames, those of one or two ticks.
pub const FRAMES_READ_BYTES: usize = 4 * 1_024;
const _: () = assert!(FRAMES_READ_BYTES > 3 * FRAME_BYTES_MAX);
/// Bytes of answers to pings that wait behind a tick's frames: thirty of the longest. Browsers send no pings.
/// Beyond it, a later answer replaces the one before.
pub const FRAMES_ANSWER_BYTES_MAX: usize = 4 * 1_024;
/// Time without write progress that closes a WebSocket with motion frames: a client that reads nothing is as gone
/// as one that sends nothing.
pub const FRAMES_STUCK_TIMEOUT: Duration = Duration::from_millis(MOTION_SILENCE_MS);

/// Time for a TLS handshake: three messages, and a phone on a poor network needs a second or two.
pub const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// TLS handshakes that are computed at one time, each on a thread of low priority. Beside one busy thread of the realm
/// they get three tenths of a core, for more handshakes than [`OPENINGS_SHARED_PER_S`].
pub const HANDSHAKES_AT_ONCE_MAX: usize = 4;
/// Time for a packet to complete once it has begun, so that half a packet doesn't hold memory for ever.
pub const PACKET_TIMEOUT: Duration = Duration::from_secs(30);
/// Time for a WebSocket message, which may hold a few packets: as long as these would have one after the other.
pub const WEBSOCKET_MESSAGE_TIMEOUT: Duration = Duration::from_secs(120);
const _: () = assert!(WEBSOCKET_MESSAGE_TIMEOUT.as_secs() >= 2 * PACKET_TIMEOUT.as_secs());
/// Time for a closing connection to take its last packets.
pub const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// Time for which a closing socket is drained: closing it with unread bytes would reset the connection and lose the
/// last packets.
pub const LINGER_TIMEOUT: Duration = Duration::from_secs(2);

/// Connections of all endpoints together, if the system allows as many sockets. Each costs a socket, two buffers
/// and an outbox.
pub const CONNECTIONS_MAX: usize = 16_384;
/// One in so many of all connections is reserved for each endpoint, so that a client that fills one endpoint leaves the
/// others reachable.
pub const CONNECTIONS_KEPT_PART: usize = 16;
/// Default for connections of one network (IPv4 address or IPv6 /64) on all endpoints: a school behind one address,
/// with two or three connections per page.
pub const CONNECTIONS_PER_ADDRESS_MAX: usize = 1_024;
const _: () = assert!(CONNECTIONS_PER_ADDRESS_MAX < CONNECTIONS_MAX);
const _: () = assert!(CONNECTIONS_PER_ADDRESS_MAX * CIRCLES_V6[2].1 as usize <= CONNECTIONS_MAX / 2);
/// New connections a second per household: each may cost a TLS handshake and the verification of a token.
pub const OPENINGS_PER_S: u32 = 50;
/// Burst of new connections: all clients reconnect after a restart.
pub const OPENINGS_BURST: u32 = 2_048;
const _: () = assert!(CONNECTIONS_PER_ADDRESS_MAX < OPENINGS_BURST as usize);
/// New connections a second of all networks, above which networks above their fair share are refused: a third of a
/// core at 0.7 ms for a TLS handshake and a token.
pub const OPENINGS_SHARED_PER_S: u32 = 500;
const _: () = assert!(OPENINGS_SHARED_PER_S >= 2 * OPENINGS_PER_S);
/// New connections of all networks at once: all clients reconnect after a restart.
pub const OPENINGS_SHARED_BURST: u32 = 16_384;
const _: () = assert!(OPENINGS_SHARED_BURST as usize >= CONNECTIONS_MAX);
/// CONNECTs with an invalid token a second for one household; beyond the burst its connections are refused. A page with
/// an expired token retries at most that often.
pub const FAILURES_PER_S: u32 = 5;
/// Burst of CONNECTs with an invalid token: a class whose tokens expired over night.
pub const FAILURES_BURST: u32 = 300;
/// Network prefixes remembered; at this number, prefixes without open connections are forgotten.
pub const HOUSEHOLDS_MAX: usize = 65_536;
const _: () = assert!(CIRCLES_V6.len() * CONNECTIONS_MAX < HOUSEHOLDS_MAX);
/// Wait after a failed accept (the process is out of sockets), because other sockets may close meanwhile.
pub const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// UDP payload of one datagram: every QUIC path supports it (RFC 9000 section 14).
pub const DATAGRAM_BYTES_MAX: usize = 1_200;
/// Bytes that netcode adds to a frame: prefix, a sequence of at most eight bytes, tag.
pub const SEAL_BYTES_MAX: usize = 1 + 8 + 16;
const _: () = assert!(FRAME_BYTES_MAX + SEAL_BYTES_MAX <= DATAGRAM_BYTES_MAX);
/// Messages received per batch: those of a thousand people in ten milliseconds, so that one clock reading serves
/// them all.
pub const BATCH_MESSAGES_MAX: usize = 256;
/// Datagrams of one GSO call. Source: `UDP_MAX_SEGMENTS` of the oldest kernels that have GSO.
pub const RUN_DATAGRAMS_MAX: usize = 64;
/// Bytes of a GSO call: below the 65,507 that one UDP packet over IPv4 holds.
pub const RUN_BYTES_MAX: usize = 65_000;
const _: () = assert!(RUN_BYTES_MAX > 17 * DATAGRAM_BYTES_MAX, "a thousand poses to one receiver are one call");
/// Single datagrams of one call: entering the kernel is then a small part of the cost, and the datagrams are still
/// in the nearest caches.
pub const SINGLES_MAX: usize = 64;
/// Requested receive buffer: 0.2 s of a thousand people, each datagram counted with the kernel's bookkeeping.
/// Systems often grant less.
pub const RECEIVE_BUFFER_BYTES: usize = 8 * 1_024 * 1_024;
/// Requested send buffer: one tick of a fifth of a thousand receivers.
pub const SEND_BUFFER_BYTES: usize = 4 * 1_024 * 1_024;
/// Wait for a full send buffer: a 1 Gbit/s card sends two hundred datagrams meanwhile. After it the run is dropped,
/// because all receivers wait.
pub const SEND_WAIT: Duration = Duration::from_millis(2);
/// After a refused GSO call, runs are sent as single datagrams for this long. Then GSO is tried again.
pub const OFFLOAD_RETRY: Duration = Duration::from_secs(10);

/// Interval of the sweep over all netcode sessions, which ends silent ones and sends keep-alives.
pub const SWEEP_PERIOD: Duration = Duration::from_millis(100);
/// A session that was sent nothing for this long gets a keep-alive: ten a second, as the standard suggests.
pub const KEEP_ALIVE_PERIOD: Duration = Duration::from_millis(100);
/// Sequences behind the newest whose repetition is detected: four seconds of poses and voice. netcode 1.02, Replay
/// Protection, has 256.
pub const REPLAY_SEQUENCES: u64 = 1_024;
/// Connect tokens opened a second: each costs some 5 µs, so a flood of forged ones takes 2 % of a core. A thousand
/// people enter within a second.
pub const TOKENS_OPENED_PER_S: u32 = 4_000;
/// Datagrams a second that are opened for one session, or for one client network without a session. The rate is twice
/// that of frames on the motion plane, voice included, so it drops only floods, for the price of a lookup.
pub const DATAGRAMS_OPENED_PER_S: u32 = 900;
/// Burst of datagrams that are opened for one session or network: twice the burst of frames, or a school that enters
/// from one address.
pub const DATAGRAMS_OPENED_BURST: u32 = 1_300;
const _: () = assert!(
    DATAGRAMS_OPENED_PER_S as usize >= 2 * (MOTION_FRAMES_PER_S as usize + VOICE_BYTES_PER_S / VOICE_FRAME_BYTES_MIN)
);
const _: () = assert!(
    DATAGRAMS_OPENED_BURST as usize >= 2 * (MOTION_FRAMES_BURST as usize + VOICE_BYTES_BURST / VOICE_FRAME_BYTES_MIN)
);
const _: () = assert!(DATAGRAMS_OPENED_BURST < TOKENS_OPENED_PER_S, "one network leaves tokens to the other ones");
/// Rates of client networks without a session, 80 bytes each: a flooding network shares its rate with one in so many.
pub const SOURCES_COUNTED: usize = 4_096;
/// Time to answer a challenge: a hundred times as long as it takes.
pub const PENDING_MAX: Duration = Duration::from_secs(10);
/// How often a disconnect is sent: it isn't acknowledged, and one of three packets should arrive.
pub const GOODBYES: usize = 3;
/// Silence after which a session may have moved to another address: five reports.
pub const MOVE_SILENCE: Duration = Duration::from_millis(5 * MOTION_REPORT_MS);
const _: () = assert!(5 * MOTION_REPORT_MS < MOTION_SILENCE_MS);
/// Moves that a client without proof can make until its session ends, at most a second after `MOTION_PROOF`. Each
/// move skips sequences, and together they must stay below half of the sequence space, where a number still counts
/// as newer.
const MOVES_UNPROVED_MAX: u128 = (MOTION_PROOF.as_millis() + 1_000) / MOVE_SILENCE.as_millis() + 1;
const _: () = assert!(MOVES_UNPROVED_MAX * (MOTION_SKIPPED_MAX as u128) < 1 << 31);
/// Datagrams a second from unknown addresses for which a session is searched. With some thousand silent sessions
/// one costs some 15 µs, so a flood takes at most 2 % of a core. During a flood, a client that changes its address
/// has to enter again with a new ticket.
pub const MOVES_TRIED_PER_S: u32 = 1_000;
/// Keys tried per datagram from an unknown address, of the sessions whose next sequence it could have.
pub const MOVE_KEYS_MAX: usize = 8;
/// Distance of a moved client's sequence ahead of the newest one received: frames at 90 Hz during the silence that
/// ends a session, doubled.
pub const MOVE_SEQUENCES_AHEAD_MAX: u64 = 1_024;

/// Open WebTransport connections: each takes some 100 kB, most of it quinn's.
pub const QUIC_CONNECTIONS_MAX: usize = 4_096;
/// One in so many of [`QUIC_CONNECTIONS_MAX`] is for client networks within their fair share.
pub const QUIC_CONNECTIONS_SHARED_PART: u64 = 4;
/// Queued first packets: those of a tenth of a second while a thousand people enter.
pub const QUIC_INCOMING_MAX: usize = 1_024;
/// Bytes buffered per queued connection attempt: its whole first flight.
pub const QUIC_INCOMING_BYTES: u64 = 8 * 1_024;
/// QUIC handshakes begun a second: each takes some 0.7 ms, so a flood takes at most a fifth of a core, and a
/// thousand people enter within four seconds.
pub const QUIC_HANDSHAKES_PER_S: u32 = 300;
/// Burst of QUIC handshakes: a class that enters by one link.
pub const QUIC_HANDSHAKES_BURST: u32 = 300;
/// Silence that ends a connection; by then its session has long ended.
pub const QUIC_IDLE_TIMEOUT: Duration = Duration::from_millis(2 * MOTION_SILENCE_MS);
/// Unidirectional streams of a client for HTTP/3: settings, two of QPACK, and some reserved ones (grease).
pub const QUIC_UNI_STREAMS_MAX: u32 = 8;
/// Unread bytes of one stream: a request with all of its headers fits.
pub const QUIC_STREAM_BYTES: u32 = 16 * 1_024;
/// Unread bytes of all streams of a connection.
pub const QUIC_RECEIVE_BYTES: u32 = 32 * 1_024;
/// Unacknowledged bytes that we send on streams: settings and one answer.
pub const QUIC_SEND_BYTES: u64 = 4 * 1_024;
/// Bytes of handshake messages out of order: small, because clients have no certificate.
pub const QUIC_CRYPTO_BYTES: usize = 8 * 1_024;
/// Bytes of received frames not yet taken: half a second of one client's largest frames, and of its voice.
pub const QUIC_UNTAKEN_BYTES: usize = 40 * 1_024;
/// Longest header of a frame on its transport: that of a WebSocket message.
const FRAME_PREFIX_BYTES_MAX: usize = 4;
/// Bytes of pose frames to one receiver in one tick: three thousand poses, a thousand people with both hands.
pub const TICK_POSE_BYTES_MAX: usize = RUN_DATAGRAMS_MAX * (FRAME_PREFIX_BYTES_MAX + FRAME_BYTES_MAX);
/// Bytes of voice frames to one receiver that leave together: sixteen voices' largest units, each with three repeats.
pub const TICK_VOICE_BYTES_MAX: usize = 10 * (FRAME_PREFIX_BYTES_MAX + FRAME_BYTES_MAX);
/// Bytes of voice frames that wait for a connection: those of sixteen voices in `VOICE_WAIT_MAX`, and as much in repeats.
pub const WAITING_VOICE_BYTES_MAX: usize = 32 * 1_024;
const _: () = assert!(WAITING_VOICE_BYTES_MAX >= 2 * TICK_VOICE_BYTES_MAX);
/// Bytes that quinn counts per datagram besides its content.
pub const QUIC_KEPT_BYTES: usize = size_of::<bytes::Bytes>();
/// Bytes of unsent frames of a connection: one tick's, poses and voice.
pub const QUIC_UNSENT_BYTES: usize =
    TICK_POSE_BYTES_MAX + TICK_VOICE_BYTES_MAX + 2 * RUN_DATAGRAMS_MAX * QUIC_KEPT_BYTES;
/// Receivers served before the socket is read again: half a millisecond's work. If a frame waited for ten
/// milliseconds, two poses of one sender would fall into one tick and the next would have none.
pub const QUIC_SLICE_LANES: usize = 12;
/// Connection tasks that run before the socket is read again, for the reason of [`QUIC_SLICE_LANES`].
pub const QUIC_POLLS_AT_ONCE: u32 = 16;
/// Bytes in flight to one receiver: the largest ticks at 20 Hz for half a second, the round trip of a path around
/// the world.
pub const QUIC_WINDOW_BYTES: u64 = 1_024 * 1_024;
const _: () = assert!(QUIC_WINDOW_BYTES as usize >= 10 * RUN_DATAGRAMS_MAX * DATAGRAM_BYTES_MAX);
/// Bytes in flight to one receiver while nothing is acknowledged. Source: RFC 9002 section 7.2, initial window.
pub const QUIC_WINDOW_BYTES_MIN: u64 = 10 * DATAGRAM_BYTES_MAX as u64;
/// Packets per acknowledgement, for clients with that QUIC extension: each acknowledgement costs as much as a
/// datagram. Most ticks are one datagram.
pub const QUIC_ACK_PACKETS: u32 = 31;
/// Longest delay of an acknowledgement: one tick.
pub const QUIC_ACK_DELAY: Duration = Duration::from_millis(50);
