//! One frame's time on a path.

/// When a frame was sent and when it arrived, each by the clock of that end, in quarters of a millisecond modulo 2^32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameTransit {
    pub(crate) sent_q: u32,
    pub(crate) arrived_q: u32,
    /// Length of the frame.
    pub(crate) bytes: u32,
    /// Bytes of all frames that arrived since the transit reported before, this frame included.
    pub(crate) delivered: u32,
}

/// Quarters of a millisecond in a millisecond.
pub(crate) const QUARTERS: u32 = 4;
