//! The server's side of netcode 1.02, as a state machine without socket or clock. Only its hash tables use random
//! numbers. It opens the client's packets for the caller and seals the caller's payloads. The issuer of tokens decides
//! on admission. Source: `STANDARD.md` of mas-bandwidth/netcode, and `spec/wire.md` section 7 for the choices that the
//! standard leaves open.
//!
//! The loop: pass each datagram to [`NetcodeServer::handle`]. At [`NetcodeServer::poll_timeout`] call
//! [`NetcodeServer::handle_timeout`], then [`NetcodeServer::poll_due`] until it returns `None`.
//!
//! Costs: a packet of a known address is one map lookup and one opening (about 1 µs for 1,200 bytes, a third of
//! that for a client's usual packet). Sealing does no lookup. Neither allocates. A request with a new token allocates
//! and costs 5 µs, and `limits` bounds such requests per second. A packet beyond the rate of its session or network
//! costs the lookup alone. A session takes two of the library's keys (600 bytes each) and 300 bytes.
//!
//! Differences from the standard:
//! * A challenge is bound to the address that it was sent to. In the standard it is valid for any address, so a
//!   client with two tokens could direct frames at a third party.
//! * A token admits only one client.
//! * A client that moves to another address keeps its session (`migration.rs`).

mod admission;
mod drops;
mod issuer;
mod keys;
mod machine;
mod migration;
mod replay;
mod sealing;
mod sessions;
mod source_rates;
mod timing;

use stoa_wire::netcode::{KEY_BYTES, TAG_BYTES};

pub use self::drops::{DropCounts, DropReason};
pub use self::issuer::{IssueError, TokenContent, TokenIssuer, TokenRandomness};
pub use self::machine::{DisconnectNotice, NetcodeConfig, NetcodeDatagramOutcome, NetcodeServer};
pub use self::sessions::NetcodeSessionId;
pub use self::timing::DueAction;

/// Identifies a token: the tag of its sealed part.
type TokenTag = [u8; TAG_BYTES];
/// Bytes of a key.
pub const SECRET_BYTES: usize = KEY_BYTES;

#[cfg(test)]
mod tests;
