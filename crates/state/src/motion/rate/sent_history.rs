//! Frames sent to a receiver that reports their arrival.

use alloc::boxed::Box;

use super::transit::{FrameTransit, QUARTERS};
use crate::limits;
use crate::time::Time;

const FRAMES: usize = limits::RATE_HISTORY_FRAMES;
const _: () = assert!(FRAMES.is_power_of_two());

/// The last frames sent, by sequence modulo their number.
#[derive(Debug)]
pub(crate) struct SentFrameHistory {
    frames: Box<[SentFrame; FRAMES]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct SentFrame {
    sent_q: u32,
    /// Lower bits of the sequence divided by the number of frames.
    round: u16,
    /// 0 for a frame that was reported, and where there is none.
    bytes: u16,
}

impl SentFrameHistory {
    pub(crate) fn new() -> SentFrameHistory {
        SentFrameHistory { frames: Box::new([SentFrame::default(); FRAMES]) }
    }

    /// Notes that a frame is sent.
    pub(crate) fn note(&mut self, sequence: u32, bytes: usize, now: Time) {
        let bytes = u16::try_from(bytes).unwrap_or(u16::MAX);
        self.frames[sequence as usize % FRAMES] = SentFrame { sent_q: quarters(now), round: round(sequence), bytes };
    }

    /// Returns the transit of a frame, once. `None` for a frame that was not sent, too long ago, or reported before.
    pub(crate) fn take(&mut self, sequence: u32, arrived_q: u32) -> Option<FrameTransit> {
        let frame = &mut self.frames[sequence as usize % FRAMES];
        if frame.round != round(sequence) || frame.bytes == 0 {
            return None;
        }
        let bytes = u32::from(core::mem::take(&mut frame.bytes));
        Some(FrameTransit { sent_q: frame.sent_q, arrived_q, bytes, delivered: bytes })
    }
}

fn round(sequence: u32) -> u16 {
    (sequence / FRAMES as u32) as u16
}

/// A time in quarters of a millisecond modulo 2^32.
pub(crate) fn quarters(time: Time) -> u32 {
    (time.as_nanos() / (1_000_000 / u64::from(QUARTERS))) as u32
}
