//! What is dropped, counted by why.

use std::ops::Index;

/// Why a datagram was dropped. All the rest goes on unharmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dropped {
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

impl Dropped {
    /// All of them, in their order.
    pub const ALL: [Dropped; 13] = [
        Dropped::Oversized,
        Dropped::Malformed,
        Dropped::OtherProtocol,
        Dropped::Expired,
        Dropped::TooMany,
        Dropped::ForgedToken,
        Dropped::UsedToken,
        Dropped::AlreadyIn,
        Dropped::Unexpected,
        Dropped::Forged,
        Dropped::Replayed,
        Dropped::Late,
        Dropped::Stranger,
    ];

    /// Its name in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Dropped::Oversized => "oversized",
            Dropped::Malformed => "malformed",
            Dropped::OtherProtocol => "other_protocol",
            Dropped::Expired => "expired",
            Dropped::TooMany => "too_many",
            Dropped::ForgedToken => "forged_token",
            Dropped::UsedToken => "used_token",
            Dropped::AlreadyIn => "already_in",
            Dropped::Unexpected => "unexpected",
            Dropped::Forged => "forged",
            Dropped::Replayed => "replayed",
            Dropped::Late => "late",
            Dropped::Stranger => "stranger",
        }
    }
}

/// How many were dropped, by why: `drops[Dropped::Forged]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drops([u64; Dropped::ALL.len()]);

impl Drops {
    pub(super) fn count(&mut self, dropped: Dropped) {
        self.0[dropped as usize] += 1;
    }

    /// All of them together.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl Index<Dropped> for Drops {
    type Output = u64;

    fn index(&self, dropped: Dropped) -> &u64 {
        &self.0[dropped as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_count_of_its_own() {
        let mut drops = Drops::default();
        for (n, dropped) in Dropped::ALL.into_iter().enumerate() {
            (0..=n).for_each(|_| drops.count(dropped));
        }
        for (n, dropped) in Dropped::ALL.into_iter().enumerate() {
            assert_eq!(drops[dropped], n as u64 + 1, "{}", dropped.name());
        }
        assert_eq!(drops.total(), 91);
    }
}
