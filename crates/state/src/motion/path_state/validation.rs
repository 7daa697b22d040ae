//! Validation of a new peer address by an acknowledgement. Source: `spec/wire.md` section 7.

use stoa_wire::motion::serial;

use crate::limits;
use crate::time::Time;

/// The validation of one address change: the skipped sequence numbers, and the time from which it must succeed within
/// [`limits::MOTION_PROOF`].
#[derive(Clone, Copy, Debug)]
pub(super) struct PathValidation {
    /// Last sequence number sent to the old address.
    before: u32,
    /// Last skipped sequence number.
    skipped: u32,
    /// When the client's address first changed since the last validated one.
    since: Time,
    /// A frame that was never sent was acknowledged, so validation has failed.
    is_refuted: bool,
}

impl PathValidation {
    /// Skips a random count of sequence numbers after `sent`. Only a receiver at the new address can know the numbers
    /// that follow. `former` is a validation that has not succeeded yet.
    pub(super) fn after(sent: u32, random: u32, former: Option<PathValidation>, now: Time) -> PathValidation {
        let skipped = sent.wrapping_add(random % limits::MOTION_SKIPPED_MAX + 1);
        let since = former.map_or(now, |former| former.since);
        PathValidation { before: sent, skipped, since, is_refuted: former.is_some_and(|former| former.is_refuted) }
    }

    /// The last skipped sequence number.
    pub(super) fn skipped(&self) -> u32 {
        self.skipped
    }

    /// Whether this sequence number was skipped.
    pub(super) fn has_skipped(&self, sequence: u32) -> bool {
        serial::is_newer(sequence, self.before) && !serial::is_newer(sequence, self.skipped)
    }

    /// Fails the validation: an acknowledged frame was never sent, so it was guessed.
    pub(super) fn refute(&mut self) {
        self.is_refuted = true;
    }

    /// Whether an acknowledgement of this sent frame validates the address.
    pub(super) fn is_proved_by(&self, sequence: u32) -> bool {
        !self.is_refuted && serial::is_newer(sequence, self.skipped)
    }

    /// Whether the validation has failed: its time has passed, or an acknowledgement was guessed.
    pub(super) fn is_lost(&self, now: Time) -> bool {
        self.is_refuted || now.since(self.since) >= limits::MOTION_PROOF
    }
}
