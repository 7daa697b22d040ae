//! What a service has to say of each object, side by side: receivers whose budget binds choose among these, and each looks at all of them.

use alloc::vec::Vec;

use stoa_wire::motion::{Baseline, PoseUpdate};

use crate::motion::budget::PosePriority;
use crate::motion::objects::{MotionObjects, SubtickService};

/// One object.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UpdateCandidate {
    is_there: bool,
    /// A pose of it came since the group was served, or its baseline is due.
    pub(super) is_news: bool,
    /// Its baseline is due.
    pub(super) is_due: bool,
    length: u8,
    pub(super) place: [i32; 3],
    bytes: [u8; PoseUpdate::BYTES_MAX],
}

/// All objects, by short id.
#[derive(Debug, Default)]
pub(super) struct UpdateCandidates {
    /// Which service they are for.
    service: u64,
    candidates: Vec<UpdateCandidate>,
}

impl UpdateCandidates {
    /// Writes them for this service, once. `seen`: how many poses had come when its group was served last.
    pub(super) fn write(&mut self, objects: &mut MotionObjects, service: &SubtickService, seen: u64) {
        if self.service == service.number {
            return;
        }
        self.service = service.number;
        self.candidates.clear();
        for (id, object) in objects.iter_mut() {
            self.candidates.resize(usize::from(id), UpdateCandidate::default());
            let is_due = object.baseline_due(id, service).is_some();
            let (is_news, place) = (is_due || object.came > seen, object.pose.position);
            let update = object.update(id, service);
            let mut candidate =
                UpdateCandidate { is_there: true, is_news, is_due, length: update.len() as u8, place, bytes: [0; _] };
            candidate.bytes[..update.len()].copy_from_slice(update);
            self.candidates.push(candidate);
        }
    }

    /// The line of an object that is there.
    pub(super) fn get(&self, id: u16) -> Option<&UpdateCandidate> {
        self.candidates.get(usize::from(id)).filter(|candidate| candidate.is_there)
    }

    /// The short ids up to the last one, those of nobody among them.
    pub(super) fn ids(&self) -> impl Iterator<Item = u16> + use<> {
        0..self.candidates.len() as u16
    }

    /// The bytes that one takes.
    pub(super) fn cost(&self, one: &PosePriority) -> usize {
        let baseline = if one.lacks_baseline { Baseline::BYTES } else { 0 };
        baseline + self.candidates.get(usize::from(one.id)).map_or(0, |candidate| usize::from(candidate.length))
    }
}

impl UpdateCandidate {
    /// Its newest pose.
    pub(super) fn update(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}
