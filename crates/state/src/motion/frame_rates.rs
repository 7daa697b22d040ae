//! The rates at which one client's frames are accepted: voice frames and all others have separate shares.

use stoa_wire::limits::VOICE_FRAME_BYTES_MIN;
use stoa_wire::motion::{FramePartKind, MotionFrame};

use super::FrameClass;
use crate::bucket::TokenBucket;
use crate::limits;
use crate::time::Time;

/// Accepts a client's frames within its rates.
#[derive(Clone, Debug)]
pub struct IncomingFrameRates {
    /// Frames.
    poses: TokenBucket,
    /// Bytes.
    voice: TokenBucket,
}

impl IncomingFrameRates {
    /// Full rates.
    pub fn new(now: Time) -> IncomingFrameRates {
        IncomingFrameRates {
            poses: TokenBucket::new(limits::MOTION_FRAMES_PER_S, limits::MOTION_FRAMES_BURST, now),
            voice: TokenBucket::new(limits::VOICE_BYTES_PER_S, limits::VOICE_BYTES_BURST, now),
        }
    }

    /// Whether a frame of this class and length is within its rate; then it is charged.
    pub fn take(&mut self, class: FrameClass, bytes: usize, now: Time) -> bool {
        match class {
            FrameClass::Poses => self.poses.take(now),
            FrameClass::Voice => self.voice.take_many(bytes.max(VOICE_FRAME_BYTES_MIN) as u32, now),
        }
    }
}

impl FrameClass {
    /// The class of an incoming frame. Source: `spec/wire.md` section 8.2.
    pub fn of_incoming(frame: &MotionFrame<'_>) -> FrameClass {
        let mut kinds = frame.parts().map(|(kind, _)| FramePartKind::of(kind));
        let is_preamble = |kind: &Option<FramePartKind>| {
            matches!(kind, Some(FramePartKind::Ack | FramePartKind::Arrivals | FramePartKind::Hears))
        };
        match kinds.find(|kind| !is_preamble(kind)).flatten() {
            Some(FramePartKind::Flow | FramePartKind::Units) => FrameClass::Voice,
            _ => FrameClass::Poses,
        }
    }
}

#[cfg(test)]
mod tests {
    use stoa_wire::motion::{FrameEntriesWriter, FrameHeader};

    use super::*;

    fn class(kinds: &[FramePartKind]) -> FrameClass {
        let mut parts = FrameEntriesWriter::new(100);
        kinds.iter().for_each(|kind| assert!(parts.put(*kind, &[0])));
        let bytes = [&FrameHeader { sequence: 1, time_ms: 1 }.to_bytes()[..], parts.bytes()].concat();
        FrameClass::of_incoming(&MotionFrame::read(&bytes).unwrap())
    }

    #[test]
    fn a_frame_is_voice_if_units_come_before_other_parts() {
        use FramePartKind::{Ack, Arrivals, Flow, Hears, Own, Units};
        for voice in [&[Units][..], &[Flow, Units], &[Ack, Arrivals, Hears, Units, Own]] {
            assert_eq!(class(voice), FrameClass::Voice, "{voice:?}");
        }
        for poses in [&[][..], &[Ack], &[Own, Units], &[Ack, Own, Flow]] {
            assert_eq!(class(poses), FrameClass::Poses, "{poses:?}");
        }
    }

    #[test]
    fn a_flood_of_voice_leaves_the_rate_of_poses_and_the_reverse() {
        let (mut rates, now) = (IncomingFrameRates::new(Time::ZERO), Time::ZERO);
        let taken = |rates: &mut IncomingFrameRates, class, bytes| {
            (0..10_000).filter(|_| rates.take(class, bytes, now)).count()
        };
        assert_eq!(taken(&mut rates, FrameClass::Voice, 1), limits::VOICE_BYTES_BURST as usize / VOICE_FRAME_BYTES_MIN);
        assert_eq!(taken(&mut rates, FrameClass::Poses, 1), limits::MOTION_FRAMES_BURST as usize);
        let mut rates = IncomingFrameRates::new(now);
        assert_eq!(taken(&mut rates, FrameClass::Voice, 1_000), limits::VOICE_BYTES_BURST as usize / 1_000);
    }
}
