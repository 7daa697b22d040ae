//! What is dropped, counted by why.

use std::ops::Index;

/// Why a datagram was dropped. All the rest goes on unharmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DropReason {
    /// Longer than a packet can be.
    Oversized,
    /// Cut short, of no kind, or not as long as its kind is.
    Malformed,
    /// A request for another protocol.
    OtherProtocol,
    /// A request whose token has ended.
    Expired,
    /// A request beyond those that are looked at in a second.
    TooMany,
    /// A request whose token this realm did not make.
    ForgedToken,
    /// A request whose token has let somebody in, or came from another address before.
    UsedToken,
    /// Of a client that is in, or at the address of one.
    AlreadyIn,
    /// Of a kind that does not come now, or not from clients.
    Unexpected,
    /// It can't be opened.
    Forged,
    /// It came before.
    Replayed,
    /// Too old to say whether it came before.
    Late,
    /// From an address of which nothing is known, and of nobody who could have moved there.
    Stranger,
}

impl DropReason {
    /// All of them, in their order.
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

    /// Its name in metrics.
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

/// How many were dropped, by why: `drops[DropReason::Forged]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DropCounts([u64; DropReason::ALL.len()]);

impl DropCounts {
    pub(super) fn count(&mut self, dropped: DropReason) {
        self.0[dropped as usize] += 1;
    }

    /// All of them together.
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
    fn each_has_a_count_of_its_own() {
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
