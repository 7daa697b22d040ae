//! Refusals of one client's declarations, each sent until acknowledged. Source: `spec/wire.md` section 6.

use alloc::vec::Vec;
use core::time::Duration;

use stoa_wire::motion::ObjectRefusal;

use crate::limits;
use crate::time::Time;

/// One client's refusals, at most one for each index.
#[derive(Debug, Default)]
pub(super) struct UnackedRefusals(Vec<UnackedRefusal>);

#[derive(Debug)]
struct UnackedRefusal {
    refusal: ObjectRefusal,
    /// The last frame with this refusal, and when it was sent.
    reported: Option<(u32, Time)>,
    /// The client acknowledged a frame with this refusal.
    is_acked: bool,
}

impl UnackedRefusals {
    /// Adds a refusal, unless the client was told the same within [`limits::MOTION_REFUSAL_PERIOD`].
    pub(super) fn push(&mut self, refusal: ObjectRefusal, now: Time) {
        self.0.retain(|before| !before.is_over(now));
        match self.0.iter_mut().find(|before| before.refusal.index == refusal.index) {
            Some(before) if before.refusal == refusal => {}
            Some(before) => *before = UnackedRefusal { refusal, reported: None, is_acked: false },
            None => self.0.push(UnackedRefusal { refusal, reported: None, is_acked: false }),
        }
    }

    /// Forgets the refusal of an index that has been admitted.
    pub(super) fn handle_admitted(&mut self, index: u8) {
        self.0.retain(|before| before.refusal.index != index);
    }

    /// The refusals for the frame of this number: new ones, and those whose last frame was not acknowledged in time.
    pub(super) fn poll(&mut self, frame: u32, patience: Duration, now: Time) -> impl Iterator<Item = ObjectRefusal> {
        self.0.iter_mut().filter_map(move |one| {
            let is_due = !one.is_acked && one.reported.is_none_or(|(_, at)| now.since(at) >= patience);
            is_due.then(|| {
                one.reported = Some((frame, now));
                one.refusal
            })
        })
    }

    /// Handles an acknowledgement; `has_come` returns whether the client has received a frame.
    pub(super) fn handle_acked(&mut self, has_come: impl Fn(u32) -> bool) {
        for one in &mut self.0 {
            one.is_acked |= one.reported.is_some_and(|(frame, _)| has_come(frame));
        }
    }
}

impl UnackedRefusal {
    /// Whether the client has the refusal and is told again if it declares the index again.
    fn is_over(&self, now: Time) -> bool {
        self.is_acked && self.reported.is_some_and(|(_, at)| now.since(at) >= limits::MOTION_REFUSAL_PERIOD)
    }
}
