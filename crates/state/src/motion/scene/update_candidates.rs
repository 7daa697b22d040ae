//! Encoded updates of all objects for one service. They are in one array, because each receiver that doesn't get the
//! shared frames scans it and chooses among them.

use alloc::vec::Vec;

use stoa_wire::motion::{PoseBaseline, PoseDelta};

use crate::motion::budget::UnsentPosePriority;
use crate::motion::objects::{MotionObject, MotionObjects, SubtickServiceTurn};

/// One object's update.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UpdateCandidate {
    is_there: bool,
    /// A pose has arrived since the group's last service, or the baseline is due.
    pub(super) is_news: bool,
    /// The object's baseline is due.
    pub(super) is_due: bool,
    length: u8,
    pub(super) position: [i32; 3],
    bytes: [u8; PoseDelta::BYTES_MAX],
}

/// The updates of one service, by short id of the object.
#[derive(Debug, Default)]
pub(super) struct EncodedUpdateSet {
    /// The service of these updates.
    service: u64,
    candidates: Vec<UpdateCandidate>,
}

impl EncodedUpdateSet {
    /// Encodes the updates for a service, once. `poses_before` is the number of poses at the group's last service.
    pub(super) fn write(&mut self, objects: &mut MotionObjects, service: &SubtickServiceTurn, poses_before: u64) {
        if self.service == service.number {
            return;
        }
        self.service = service.number;
        self.candidates.clear();
        for (id, object) in objects.iter_mut() {
            self.candidates.resize(usize::from(id), UpdateCandidate::default());
            self.candidates.push(UpdateCandidate::of(id, object, service, poses_before));
        }
    }

    /// Encodes the updates of some objects for a service.
    pub(super) fn write_some(
        &mut self,
        objects: &mut MotionObjects,
        service: &SubtickServiceTurn,
        waiting: &[UnsentPosePriority],
    ) {
        if self.service != service.number {
            self.service = service.number;
            self.candidates.clear();
        }
        for id in waiting.iter().map(|priority| priority.id) {
            let at = usize::from(id);
            if at >= self.candidates.len() {
                self.candidates.resize(at + 1, UpdateCandidate::default());
            }
            if !self.candidates[at].is_there
                && let Some(object) = objects.get_mut(id)
            {
                self.candidates[at] = UpdateCandidate::of(id, object, service, u64::MAX);
            }
        }
    }

    /// Returns the candidate of an existing object.
    pub(super) fn get(&self, id: u16) -> Option<&UpdateCandidate> {
        self.candidates.get(usize::from(id)).filter(|candidate| candidate.is_there)
    }

    /// Short ids up to the last one, unused ones included.
    pub(super) fn ids(&self) -> impl Iterator<Item = u16> + use<> {
        0..self.candidates.len() as u16
    }

    /// Bytes of an object's entries.
    pub(super) fn cost(&self, one: &UnsentPosePriority) -> usize {
        let baseline = if one.lacks_baseline { PoseBaseline::BYTES } else { 0 };
        baseline + self.candidates.get(usize::from(one.id)).map_or(0, |candidate| usize::from(candidate.length))
    }
}

impl UpdateCandidate {
    fn of(id: u16, object: &mut MotionObject, service: &SubtickServiceTurn, poses_before: u64) -> UpdateCandidate {
        let is_due = object.baseline_due(id, service).is_some();
        let (is_news, position) = (is_due || object.pose_number > poses_before, object.pose.position);
        let update = object.update(id, service);
        let mut candidate =
            UpdateCandidate { is_there: true, is_news, is_due, length: update.len() as u8, position, bytes: [0; _] };
        candidate.bytes[..update.len()].copy_from_slice(update);
        candidate
    }

    /// The encoded update.
    pub(super) fn update(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}
