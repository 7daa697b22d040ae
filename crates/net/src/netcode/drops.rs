//! The reasons for dropping a netcode datagram, and their counters.

use std::ops::Index;

/// Reason for dropping a datagram. A drop ends no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DropReason {
    /// Longer than any packet.
    Oversized,
    /// Truncated, of unknown kind, or of a wrong length for its kind.
    Malformed,
    /// A request for another protocol id.
    OtherProtocol,
    /// A request with an expired token.
    Expired,
    /// A packet beyond the rate of its session or challenge, or a request beyond the rate of its network or of all
    /// requests.
    TooMany,
    /// A request whose token this realm did not make.
    ForgedToken,
    /// A request whose token has admitted a client, or came from another address before.
    UsedToken,
    /// A request or response of a client that has a session, or a request from an address that has one.
    AlreadyIn,
    /// A packet of a kind that is not expected now, or that clients never send.
    Unexpected,
    /// A packet that can't be opened with its client's key, or a response to another challenge.
    Forged,
    /// A packet that was received before.
    Replayed,
    /// A packet too old to tell whether it was received before.
    Late,
    /// A packet from an unknown address: of no session that could have moved there, or beyond the rate of such packets.
    Stranger,
}

impl DropReason {
    /// All reasons, in the order of their declaration.
    pub const ALL: [DropReason; 13] = [
        DropReason::Oversized,
        DropReason::Malformed,
        DropReason::OtherProtocol,
        DropReason::Expired,
        DropReason::TooMany,
        DropReason::ForgedToken,
        DropReason::UsedToken,
        DropReason::AlreadyIn,
        DropReason::Unexpected,
        DropReason::Forged,
        DropReason::Replayed,
        DropReason::Late,
        DropReason::Stranger,
    ];

    /// The reason's name in metrics.
    pub fn name(self) -> &'static str {
        match self {
            DropReason::Oversized => "oversized",
            DropReason::Malformed => "malformed",
            DropReason::OtherProtocol => "other_protocol",
            DropReason::Expired => "expired",
            DropReason::TooMany => "too_many",
            DropReason::ForgedToken => "forged_token",
            DropReason::UsedToken => "used_token",
            DropReason::AlreadyIn => "already_in",
            DropReason::Unexpected => "unexpected",
            DropReason::Forged => "forged",
            DropReason::Replayed => "replayed",
            DropReason::Late => "late",
            DropReason::Stranger => "stranger",
        }
    }
}

/// Number of drops per reason: `drops[DropReason::Forged]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DropCounts([u64; DropReason::ALL.len()]);

impl DropCounts {
    pub(super) fn count(&mut self, dropped: DropReason) {
        self.0[dropped as usize] += 1;
    }

    /// Sum over all reasons.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl Index<DropReason> for DropCounts {
    type Output = u64;

    fn index(&self, dropped: DropReason) -> &u64 {
        &self.0[dropped as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_drop_reason_has_its_own_counter() {
        let mut drops = DropCounts::default();
        for (n, dropped) in DropReason::ALL.into_iter().enumerate() {
            (0..=n).for_each(|_| drops.count(dropped));
        }
        for (n, dropped) in DropReason::ALL.into_iter().enumerate() {
            assert_eq!(drops[dropped], n as u64 + 1, "{}", dropped.name());
        }
        assert_eq!(drops.total(), 91);
    }
}
