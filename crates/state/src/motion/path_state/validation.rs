//! An address that somebody moved to, until it has proved that it hears what goes there. Source: `spec/wire.md` section 7.

use stoa_wire::motion::serial;

use crate::limits;
use crate::time::Time;

/// What went to the address, by its sequence, and for how long nothing of it has come back.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathValidation {
    /// The last sequence that went elsewhere.
    before: u32,
    /// The last one that was left out.
    skipped: u32,
    /// When it last left an address that was proved.
    since: Time,
    /// Something was acknowledged that was never sent: nothing proves it any more.
    is_refuted: bool,
}

impl PathValidation {
    /// After `sent`, so many sequences are left out as chance says: nobody knows which ones go to the address but who hears there. `former`: where it had proved nothing
    /// either.
    pub(super) fn after(sent: u32, random: u32, former: Option<PathValidation>, now: Time) -> PathValidation {
        let skipped = sent.wrapping_add(random % limits::MOTION_SKIPPED_MAX + 1);
        let since = former.map_or(now, |former| former.since);
        PathValidation { before: sent, skipped, since, is_refuted: former.is_some_and(|former| former.is_refuted) }
    }

    /// The last sequence that was left out.
    pub(super) fn skipped(&self) -> u32 {
        self.skipped
    }

    /// Whether that one was left out.
    pub(super) fn has_skipped(&self, sequence: u32) -> bool {
        serial::is_newer(sequence, self.before) && !serial::is_newer(sequence, self.skipped)
    }

    /// Something was acknowledged that was never sent: whoever says so guesses.
    pub(super) fn refute(&mut self) {
        self.is_refuted = true;
    }

    /// Whether it is proved by who has got that one, which was sent.
    pub(super) fn is_proved_by(&self, sequence: u32) -> bool {
        !self.is_refuted && serial::is_newer(sequence, self.skipped)
    }

    /// Whether it has had its time, or its one guess.
    pub(super) fn is_lost(&self, now: Time) -> bool {
        self.is_refuted || now.since(self.since) >= limits::MOTION_PROOF
    }
}
