//! Every number that bounds a transport, with its reason.

use std::time::Duration;

use stoa_wire::limits::PACKET_BYTES_MAX;

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
