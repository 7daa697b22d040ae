//! The voices that one receiver hears: which, and how far their units were sent.

use alloc::collections::{BTreeMap, VecDeque};
use core::time::Duration;

use super::flows::{FlowKey, SceneFlow};
use super::voices::VoiceSlots;
use crate::limits;
use crate::time::Time;

/// Successive frames that declare a flow: those of 160 ms, so that one lost frame doesn't cut the first word.
const DECLARING_FRAMES: usize = 8;
/// Frames with one declaration whose acknowledgements count.
const DECLARING_FRAMES_MAX: usize = 32;

/// A receiver's voices.
#[derive(Debug, Default)]
pub(super) struct ReceivedVoices {
    /// How many voices the client can take at once.
    pub(super) most: usize,
    pub(super) slots: VoiceSlots<FlowKey>,
    /// When the slots were last chosen, and how often people had begun to speak by then.
    pub(super) chosen_at: Time,
    pub(super) speech_count: u64,
    /// Flows of which units were sent.
    pub(super) sent: BTreeMap<FlowKey, SentFlow>,
}

/// How far a flow was sent to a receiver.
#[derive(Debug, Default)]
pub(super) struct SentFlow {
    /// Position of the next unit.
    pub(super) next: u64,
    /// The last frames with the flow's declaration, and when the last one was sent.
    frames: VecDeque<u32>,
    declared_at: Time,
    /// Whether the client has the declaration.
    pub(super) is_declared: bool,
}

impl ReceivedVoices {
    /// The voices of a client that can take at most `most` at once.
    pub(super) fn up_to(most: usize) -> ReceivedVoices {
        ReceivedVoices { most: most.min(limits::VOICES_MAX), ..ReceivedVoices::default() }
    }

    /// Handles an acknowledgement; `has_come` returns whether the client has received a frame.
    pub(super) fn handle_acked(&mut self, has_come: impl Fn(u32) -> bool) {
        for sent in self.sent.values_mut().filter(|sent| !sent.is_declared) {
            sent.is_declared = sent.frames.iter().any(|frame| has_come(*frame));
            if sent.is_declared {
                sent.frames = VecDeque::new();
            }
        }
    }
}

impl SentFlow {
    /// A flow that a receiver begins to hear, with its last [`limits::VOICE_LEAD_UNITS`].
    pub(super) fn beginning_at(flow: &SceneFlow) -> SentFlow {
        SentFlow { next: flow.kept().saturating_sub(limits::VOICE_LEAD_UNITS), ..SentFlow::default() }
    }

    /// Whether the next frame with a unit has to declare the flow: the first ones, then one each `patience`.
    pub(super) fn is_due(&self, patience: Duration, now: Time) -> bool {
        let is_new = self.frames.len() < DECLARING_FRAMES || now.since(self.declared_at) >= patience;
        !self.is_declared && is_new
    }

    /// Notes that the frame of this number declares the flow.
    pub(super) fn note_declared(&mut self, frame: u32, now: Time) {
        if self.frames.len() == DECLARING_FRAMES_MAX {
            self.frames.pop_front();
        }
        self.frames.push_back(frame);
        self.declared_at = now;
    }
}
