//! The server's side of netcode 1.02, as a machine: no socket, no clock, no chance of its own. Opened bytes go in to whoever asked, sealed ones come out; who may be in
//! is decided by whoever makes tokens. Source: `STANDARD.md` of mas-bandwidth/netcode, and `spec/wire.md` section 7 for what it leaves open.
//!
//! The loop: each datagram to [`NetcodeServer::handle`]; at [`NetcodeServer::poll_timeout`] call [`NetcodeServer::handle_timeout`], then [`NetcodeServer::poll_due`] until it has nothing.
//!
//! Costs: a packet that is known by its address is one look into a map and one opening (about 1 µs for 1,200 bytes, a third of that for what clients send); sealing looks
//! into no map. Neither allocates. A request costs an allocation and 5 µs, of so many a second as `limits` says. A session takes two keys of the library (600 bytes each)
//! and 300 bytes.
//!
//! Beyond the standard: a challenge is bound to the address that it was sent to (there it is good for any address, so that whoever has two tokens could have a third one
//! flooded), a token lets in once, and a client that moves to another address goes on there (`moving.rs`).

mod admission;
mod drops;
mod issuer;
mod keys;
mod machine;
mod migration;
mod replay;
mod sealing;
mod sessions;
mod timing;

use stoa_wire::netcode::{KEY_BYTES, TAG_BYTES};

pub use self::drops::{DropCounts, DropReason};
pub use self::issuer::{IssueError, TokenContent, TokenIssuer, TokenRandomness};
pub use self::machine::{DisconnectNotice, NetcodeConfig, NetcodeEvent, NetcodeServer};
pub use self::sessions::NetcodeSessionId;
pub use self::timing::DueAction;

/// By which a token is told from all others: the tag of its sealed part.
type TokenTag = [u8; TAG_BYTES];
/// Bytes of a key.
pub const SECRET_BYTES: usize = KEY_BYTES;

#[cfg(test)]
mod tests;
