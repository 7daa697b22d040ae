//! Loss on the way to a client, by the client's counts.

use stoa_wire::motion::{FrameAck, serial};

use crate::limits;
use crate::motion::clock::MotionTime;

/// Measures loss.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LossMeter {
    /// The acknowledgement at the last measurement.
    before: Option<(FrameAck, MotionTime)>,
    /// Acknowledgements of frames up to this one don't measure the present path.
    measured_after: Option<u32>,
}

impl LossMeter {
    /// A meter of the frames after this one.
    pub(super) fn of_frames_after(sequence: u32) -> LossMeter {
        LossMeter { before: None, measured_after: Some(sequence) }
    }

    /// Whether an acknowledgement of this frame measures the present path.
    pub(super) fn is_measured(&self, sequence: u32) -> bool {
        self.measured_after.is_none_or(|after| serial::is_newer(sequence, after))
    }

    /// Returns the lost frames in thousandths since the last measurement, once there are enough frames.
    pub(super) fn handle_ack(&mut self, ack: FrameAck, now: MotionTime) -> Option<u16> {
        self.measured_after = None;
        let Some((before, at)) = self.before else {
            self.before = Some((ack, now));
            return None;
        };
        let (elapsed_ms, sent) = (now.since(at), ack.newest.wrapping_sub(before.newest));
        let is_enough = sent >= limits::RATE_LOSS_FRAMES_MIN || elapsed_ms >= limits::RATE_LOSS_MS_MAX;
        if sent == 0 || elapsed_ms < limits::RATE_RISE_PERIOD_MS || !is_enough {
            return None;
        }
        self.before = Some((ack, now));
        let received = ack.received.wrapping_sub(before.received).min(sent);
        Some((u64::from(sent - received) * 1_000 / u64::from(sent)) as u16)
    }
}
