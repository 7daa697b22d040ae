//! Detects repeated packets. Source: netcode 1.02, *Replay Protection*.

use crate::limits::REPLAY_SEQUENCES;

const WORDS: usize = (REPLAY_SEQUENCES / 64) as usize;
const _: () = assert!(REPLAY_SEQUENCES.is_multiple_of(64));

/// The newest sequence, and a record of the last [`REPLAY_SEQUENCES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReplayWindow {
    newest: Option<u64>,
    /// One bit per sequence newer than `newest - REPLAY_SEQUENCES`, at the sequence modulo that number.
    received: [u64; WORDS],
}

/// Relation of a sequence to those received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplayVerdict {
    /// Newer than all.
    Ahead,
    /// Reordered, but not yet received.
    Missing,
    /// Received before.
    Repeated,
    /// Older than the window.
    Late,
}

impl ReplayWindow {
    /// Judges a sequence; call it before the packet is opened.
    pub(super) fn verdict(&self, sequence: u64) -> ReplayVerdict {
        match self.newest {
            None => ReplayVerdict::Ahead,
            Some(newest) if sequence > newest => ReplayVerdict::Ahead,
            Some(newest) if newest - sequence >= REPLAY_SEQUENCES => ReplayVerdict::Late,
            Some(_) if self.received[word(sequence)] & bit(sequence) != 0 => ReplayVerdict::Repeated,
            Some(_) => ReplayVerdict::Missing,
        }
    }

    /// Records a sequence; call it after the packet was opened.
    pub(super) fn mark(&mut self, sequence: u64) {
        match self.newest {
            Some(newest) if sequence <= newest => {}
            Some(newest) if sequence - newest < REPLAY_SEQUENCES => {
                (newest + 1..=sequence).for_each(|skipped| self.received[word(skipped)] &= !bit(skipped));
                self.newest = Some(sequence);
            }
            _ => *self = ReplayWindow { newest: Some(sequence), received: [0; WORDS] },
        }
        self.received[word(sequence)] |= bit(sequence);
    }

    /// Distance ahead of the newest; `None` if it isn't newer.
    pub(super) fn ahead(&self, sequence: u64) -> Option<u64> {
        match self.newest {
            None => Some(sequence.saturating_add(1)),
            Some(newest) => sequence.checked_sub(newest).filter(|ahead| *ahead > 0),
        }
    }
}

fn word(sequence: u64) -> usize {
    (sequence % REPLAY_SEQUENCES / 64) as usize
}

fn bit(sequence: u64) -> u64 {
    1 << (sequence % 64)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_replay_window_detects_repeats_within_its_sequences() {
        let mut replay = ReplayWindow::default();
        for sequence in [0, 1, 5] {
            assert_eq!(replay.verdict(sequence), ReplayVerdict::Ahead);
            replay.mark(sequence);
            assert_eq!(replay.verdict(sequence), ReplayVerdict::Repeated);
        }
        assert_eq!(replay.verdict(3), ReplayVerdict::Missing);
        replay.mark(REPLAY_SEQUENCES - 1);
        assert_eq!((replay.verdict(0), replay.verdict(2)), (ReplayVerdict::Repeated, ReplayVerdict::Missing));
        replay.mark(REPLAY_SEQUENCES);
        assert_eq!(
            (replay.verdict(0), replay.verdict(1), replay.verdict(2)),
            (ReplayVerdict::Late, ReplayVerdict::Repeated, ReplayVerdict::Missing)
        );
    }

    #[test]
    fn the_replay_window_does_not_overflow_at_the_largest_sequence() {
        let mut replay = ReplayWindow::default();
        replay.mark(u64::MAX - 1);
        assert_eq!(replay.verdict(u64::MAX), ReplayVerdict::Ahead);
        replay.mark(u64::MAX);
        assert_eq!(replay.verdict(u64::MAX), ReplayVerdict::Repeated);
        assert_eq!(replay.verdict(u64::MAX - (REPLAY_SEQUENCES - 1)), ReplayVerdict::Missing);
        assert_eq!(replay.verdict(u64::MAX - REPLAY_SEQUENCES), ReplayVerdict::Late);
        assert_eq!(replay.ahead(u64::MAX), None);
    }

    #[test]
    fn the_replay_window_agrees_with_a_set_of_all_received_sequences() {
        let mut random = fastrand::Rng::with_seed(7);
        let (mut replay, mut received) = (ReplayWindow::default(), BTreeSet::new());
        for _ in 0..20_000 {
            let newest = received.last().copied().unwrap_or(0_u64);
            let leap = if random.u8(..) == 0 { random.u64(0..600) } else { random.u64(0..8) };
            let sequence = (newest + leap).saturating_sub(random.u64(0..300));
            let expected = match received.last() {
                None => ReplayVerdict::Ahead,
                Some(newest) if sequence > *newest => ReplayVerdict::Ahead,
                Some(newest) if newest - sequence >= REPLAY_SEQUENCES => ReplayVerdict::Late,
                Some(_) if received.contains(&sequence) => ReplayVerdict::Repeated,
                Some(_) => ReplayVerdict::Missing,
            };
            assert_eq!(replay.verdict(sequence), expected, "{sequence} after {newest}");
            if matches!(expected, ReplayVerdict::Ahead | ReplayVerdict::Missing) {
                replay.mark(sequence);
                received.insert(sequence);
            }
        }
    }
}
