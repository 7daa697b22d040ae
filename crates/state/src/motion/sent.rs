//! Poses in the frames sent to a receiver, until it acknowledges them. [`super::marks`] waits for these
//! acknowledgements.

use alloc::collections::VecDeque;

use stoa_wire::motion::serial;

use crate::limits;
use crate::time::Time;

/// Numbers of poses that a receiver has: greater than `after`, up to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PoseNumberRange {
    pub(super) after: u64,
    pub(super) to: u64,
}

/// Poses in one receiver's unacknowledged frames.
#[derive(Debug, Default)]
pub(super) struct UnackedFramePoses {
    frames: VecDeque<ServiceFramePoses>,
    /// All poses up to this number were sent.
    to: u64,
    /// Sequence number of the first frame since then that lacked some poses.
    partial: Option<u32>,
    /// Up to this sequence number and time, the client's count may include a late frame instead of a lost one.
    unsure: Option<(u32, Time)>,
}

/// Poses in the frames of one service.
#[derive(Clone, Copy, Debug)]
struct ServiceFramePoses {
    first: u32,
    last: u32,
    poses: PoseNumberRange,
}

impl UnackedFramePoses {
    /// Notes that frames from sequence number `first` on lack some poses.
    pub(super) fn note_partial(&mut self, first: u32) {
        self.partial.get_or_insert(first);
    }

    /// Notes frames that complete the poses up to number `to`. `is_asked`: a marked frame of the scene is pending.
    pub(super) fn note(&mut self, first: u32, last: u32, to: u64, is_asked: bool) {
        let poses = PoseNumberRange { after: self.to, to };
        let first = self.partial.take().unwrap_or(first);
        self.to = to;
        if !is_asked {
            self.frames.clear();
            return;
        }
        if self.frames.len() >= limits::MOTION_MARKED_FRAMES_MAX {
            self.frames.pop_front();
        }
        self.frames.push_back(ServiceFramePoses { first, last, poses });
    }

    /// Whether the receiver has all frames since its last acknowledgement: its count says so, and can't include a late
    /// frame. Marked frames expire after [`limits::MOTION_MARK_LIFE`], so later frames don't matter.
    pub(super) fn is_whole(&mut self, newest: u32, is_counted: bool, now: Time) -> bool {
        if !is_counted {
            self.unsure = Some((newest.wrapping_add(limits::MOTION_WINDOW), now + limits::MOTION_MARK_LIFE));
        }
        self.unsure.take_if(|(to, until)| serial::is_newer(newest, *to) || now >= *until);
        self.unsure.is_none()
    }

    /// Returns the poses that an acknowledgement confirms. If a frame may be lost (`is_whole` is false), these are only
    /// the poses of a service whose single frame is the newest one.
    pub(super) fn take_confirmed(&mut self, newest: u32, is_whole: bool) -> Option<PoseNumberRange> {
        let mut known: Option<PoseNumberRange> = None;
        while let Some(held) = self.frames.pop_front_if(|held| !serial::is_newer(held.last, newest)) {
            if is_whole || held.first == newest {
                let after = known.map_or(held.poses.after, |known| known.after);
                known = Some(PoseNumberRange { after, to: held.poses.to });
            }
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_loss_only_the_newest_frames_poses_are_confirmed() {
        let known = |after, to| Some(PoseNumberRange { after, to });
        let mut sent = UnackedFramePoses::default();
        for (frame, came) in [(1, 5), (2, 9), (3, 12), (4, 20)] {
            sent.note(frame, frame, came, true);
        }
        assert_eq!(sent.take_confirmed(2, true), known(0, 9));
        assert_eq!(sent.take_confirmed(4, false), known(12, 20), "the third may be lost");
        sent.note(5, 7, 30, true);
        assert_eq!(sent.take_confirmed(6, true), None, "a service's last frame has not come");
        assert_eq!(sent.take_confirmed(7, false), None, "or one before it");
        sent.note_partial(8);
        sent.note(9, 9, 31, true);
        assert_eq!(sent.take_confirmed(9, false), None, "what was left out before went with a frame of its own");
        sent.note(10, 10, 32, false);
        sent.note(11, 11, 40, true);
        assert_eq!(sent.take_confirmed(11, true), known(32, 40), "what nobody waited for is not kept");
    }

    #[test]
    fn after_a_loss_counts_are_not_trusted_until_no_late_frame_can_arrive() {
        let (mut sent, now) = (UnackedFramePoses::default(), Time::from_secs(1));
        assert!(sent.is_whole(5, true, now));
        assert!(!sent.is_whole(8, false, now));
        assert!(!sent.is_whole(9, true, now), "the count is right again, by whichever");
        assert!(sent.is_whole(9 + limits::MOTION_WINDOW, true, now), "later than that no frame is taken");
        assert!(!sent.is_whole(2_000, false, now));
        assert!(!sent.is_whole(2_001, true, now + limits::MOTION_MARK_LIFE / 2));
        assert!(sent.is_whole(2_002, true, now + limits::MOTION_MARK_LIFE), "nothing comes so late");
    }
}
