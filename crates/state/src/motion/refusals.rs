//! Refusals of one client's declarations, each sent until acknowledged. Source: `spec/wire.md` section 6.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::time::Duration;

use stoa_wire::motion::ObjectRefusal;

use crate::limits;
use crate::time::Time;

/// Frames of one refusal whose acknowledgements count. Sent every [`limits::MOTION_PATIENCE_MS_MAX`], they cover a round
/// trip of 2.4 s.
const FRAMES_MAX: usize = 8;

/// One client's refusals, at most one for each index.
#[derive(Debug, Default)]
pub(super) struct UnackedRefusals(Vec<UnackedRefusal>);

#[derive(Debug)]
struct UnackedRefusal {
    refusal: ObjectRefusal,
    /// The last frames with this refusal.
    frames: VecDeque<u32>,
    /// When the last of these frames was sent.
    sent_at: Time,
    /// The client acknowledged a frame with this refusal.
    is_acked: bool,
}

impl UnackedRefusals {
    /// Adds a refusal, unless the client was told the same within [`limits::MOTION_REFUSAL_PERIOD`].
    pub(super) fn push(&mut self, refusal: ObjectRefusal, now: Time) {
        self.0.retain(|before| !before.is_over(now));
        match self.0.iter_mut().find(|before| before.refusal.index == refusal.index) {
            Some(before) if before.refusal == refusal => {}
            Some(before) => *before = UnackedRefusal::new(refusal),
            None => self.0.push(UnackedRefusal::new(refusal)),
        }
    }

    /// Forgets the refusal of an index that has been admitted.
    pub(super) fn handle_admitted(&mut self, index: u8) {
        self.0.retain(|before| before.refusal.index != index);
    }

    /// The refusals for the frame of this number: new ones, and those whose last frame was not acknowledged in time.
    pub(super) fn poll(&mut self, frame: u32, patience: Duration, now: Time) -> impl Iterator<Item = ObjectRefusal> {
        self.0.iter_mut().filter_map(move |one| {
            let is_due = !one.is_acked && (one.frames.is_empty() || now.since(one.sent_at) >= patience);
            is_due.then(|| {
                if one.frames.len() == FRAMES_MAX {
                    one.frames.pop_front();
                }
                one.frames.push_back(frame);
                one.sent_at = now;
                one.refusal
            })
        })
    }

    /// Handles an acknowledgement; `has_come` returns whether the client has received a frame.
    pub(super) fn handle_acked(&mut self, has_come: impl Fn(u32) -> bool) {
        for one in &mut self.0 {
            one.is_acked |= one.frames.iter().any(|frame| has_come(*frame));
        }
    }
}

impl UnackedRefusal {
    fn new(refusal: ObjectRefusal) -> UnackedRefusal {
        UnackedRefusal { refusal, frames: VecDeque::new(), sent_at: Time::ZERO, is_acked: false }
    }

    /// Whether the client has the refusal and is told again if it declares the index again.
    fn is_over(&self, now: Time) -> bool {
        self.is_acked && now.since(self.sent_at) >= limits::MOTION_REFUSAL_PERIOD
    }
}
