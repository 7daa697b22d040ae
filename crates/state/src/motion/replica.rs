//! A receiver's replica of a motion scene, for the simulator, the lab and tests: the counterpart of
//! [`super::MotionScene`].

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use stoa_wire::motion::{
    FrameAck, FrameError, FramePartKind, MotionFrame, MotionObjectKind, ObjectRefusal, PackedPose, PathQuality,
    PoseBaseline, PoseDelta, VisibilityChange, serial,
};

use super::clock::MotionTime;
use crate::limits;
use crate::time::Time;

/// Receive window in sequence numbers.
const WINDOW: u32 = limits::MOTION_WINDOW;

/// A moving object in a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaObject {
    /// Head, hand or tracked object.
    pub kind: MotionObjectKind,
    /// The id of a tracked object, else the person's idTag.
    pub name: String,
    /// The latest pose.
    pub pose: PackedPose,
    /// Its capture time by the motion clock.
    pub captured: MotionTime,
    /// When the object appeared, by the receiver's clock.
    pub appeared_at: Time,
    /// Number of poses received, each newer than the one before. The first came with the object.
    pub updates: u64,
    /// The last two baselines received, the latest arrival first.
    baselines: [Option<(u8, PackedPose)>; 2],
    lacks_baseline_since: Option<Time>,
    requested_at: Option<Time>,
}

/// One receiver's replica.
#[derive(Debug, Default)]
pub struct MotionReplica {
    objects: BTreeMap<u16, ReplicaObject>,
    /// Number of the last applied change.
    changes: u32,
    /// The newest frame received.
    newest: u32,
    /// Number of frames received.
    received: u32,
    newest_time_ms: u32,
    newest_at: Option<Time>,
    /// Sequence numbers of received frames, at least those within the window.
    received_numbers: BTreeSet<u32>,
    quality: Option<PathQuality>,
    acked: Option<FrameAck>,
    refused: BTreeMap<u8, ObjectRefusal>,
}

impl MotionReplica {
    /// Handles a frame. A duplicate, or one before the window, changes nothing. Errors: it doesn't decode.
    pub fn handle_frame(&mut self, bytes: &[u8], now: Time) -> Result<(), FrameError> {
        let frame = MotionFrame::read(bytes)?;
        if !self.note_received(&frame, now) {
            return Ok(());
        }
        let time = MotionTime(frame.head.time_ms);
        for (kind, content) in frame.parts() {
            match FramePartKind::of(kind) {
                Some(FramePartKind::Changes) => {
                    if let Some((first, changes)) = VisibilityChange::read_all(content) {
                        changes
                            .zip(0..)
                            .for_each(|(change, at)| self.handle_change(first.wrapping_add(at), &change, time, now));
                    }
                }
                Some(FramePartKind::Baselines) => {
                    PoseBaseline::read_all(content).for_each(|baseline| self.handle_baseline(&baseline, time));
                }
                Some(FramePartKind::Poses) => {
                    PoseDelta::read_all(content).for_each(|update| self.handle_update(&update, time, now))
                }
                Some(FramePartKind::Quality) => self.quality = PathQuality::read(content).or(self.quality),
                Some(FramePartKind::Ack) => self.acked = FrameAck::read(content).or(self.acked),
                Some(FramePartKind::Refused) => ObjectRefusal::read_all(content).for_each(|refusal| {
                    self.refused.insert(refusal.index, refusal);
                }),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the acknowledgement for received frames; `None` before the first.
    pub fn ack(&self, now: Time) -> Option<FrameAck> {
        let delay = now.since(self.newest_at?);
        Some(FrameAck {
            newest: self.newest,
            received: self.received,
            time_ms: self.newest_time_ms,
            held_ms: u16::try_from(delay.as_millis()).unwrap_or(u16::MAX),
            changes: self.changes,
        })
    }

    /// Returns the objects whose baselines must be requested now.
    pub fn take_baseline_requests(&mut self, now: Time) -> Vec<u16> {
        let patience = core::time::Duration::from_millis(u64::from(limits::MOTION_PATIENCE_MS_MIN));
        let is_over = |since: Option<Time>| since.is_none_or(|since| now.since(since) >= patience);
        let lacking = self.objects.iter_mut().filter(|(_, object)| object.lacks_baseline_since.is_some());
        let due = lacking.filter(|(_, object)| is_over(object.lacks_baseline_since) && is_over(object.requested_at));
        due.take(limits::MOTION_ASKED_MAX)
            .map(|(id, object)| {
                object.requested_at = Some(now);
                *id
            })
            .collect()
    }

    /// All visible objects by short id.
    pub fn objects(&self) -> impl Iterator<Item = (u16, &ReplicaObject)> {
        self.objects.iter().map(|(id, object)| (*id, object))
    }

    /// Finds a visible object by name.
    pub fn find(&self, kind: MotionObjectKind, name: &str) -> Option<&ReplicaObject> {
        self.objects.values().find(|object| object.kind == kind && object.name == name)
    }

    /// The server's last path quality report.
    pub fn quality(&self) -> Option<PathQuality> {
        self.quality
    }

    /// The server's last acknowledgement.
    pub fn acked(&self) -> Option<FrameAck> {
        self.acked
    }

    /// Refused declarations by index.
    pub fn refused(&self) -> &BTreeMap<u8, ObjectRefusal> {
        &self.refused
    }

    fn note_received(&mut self, frame: &MotionFrame<'_>, now: Time) -> bool {
        let sequence = frame.head.sequence;
        if self.newest_at.is_none() {
            self.newest = sequence.wrapping_sub(1);
        }
        let is_newest = serial::is_newer(sequence, self.newest);
        // A number newer than all is never a duplicate; an equal one in the set predates the wrap-around.
        let is_duplicate = || self.newest.wrapping_sub(sequence) >= WINDOW || self.received_numbers.contains(&sequence);
        if !is_newest && is_duplicate() {
            return false;
        }
        self.received_numbers.insert(sequence);
        self.received = self.received.wrapping_add(1);
        if is_newest {
            (self.newest, self.newest_time_ms, self.newest_at) = (sequence, frame.head.time_ms, Some(now));
            if self.received_numbers.len() > 4 * WINDOW as usize {
                let newest = self.newest;
                self.received_numbers.retain(|number| newest.wrapping_sub(*number) < WINDOW);
            }
        }
        true
    }

    fn handle_change(&mut self, number: u32, change: &VisibilityChange<'_>, time: MotionTime, now: Time) {
        if number != self.changes.wrapping_add(1) {
            return;
        }
        self.changes = number;
        match *change {
            VisibilityChange::Left { id } => {
                self.objects.remove(&id);
            }
            VisibilityChange::Entered { id, kind, name, age_ms, generation, pose } => {
                let object = ReplicaObject {
                    kind,
                    name: name.into(),
                    pose,
                    captured: time.before(u32::from(age_ms)),
                    appeared_at: now,
                    updates: 1,
                    baselines: [Some((generation, pose)), None],
                    lacks_baseline_since: None,
                    requested_at: None,
                };
                self.objects.insert(id, object);
            }
        }
    }

    fn handle_baseline(&mut self, baseline: &PoseBaseline, time: MotionTime) {
        let Some(object) = self.objects.get_mut(&baseline.id) else { return };
        (object.lacks_baseline_since, object.requested_at) = (None, None);
        let other = object.baselines.into_iter().flatten().find(|(generation, _)| *generation != baseline.generation);
        object.baselines = [Some((baseline.generation, baseline.pose)), other];
        object.move_to(baseline.pose, time.before(u32::from(baseline.age_ms)));
    }

    fn handle_update(&mut self, update: &PoseDelta, time: MotionTime, now: Time) {
        let Some(object) = self.objects.get_mut(&update.id) else { return };
        let baseline = object.baselines.into_iter().flatten().find(|(generation, _)| *generation == update.generation);
        let Some((_, from)) = baseline else {
            object.lacks_baseline_since.get_or_insert(now);
            return;
        };
        let mut position = from.position;
        for (axis, offset) in position.iter_mut().zip(update.offset) {
            *axis = axis.wrapping_add(offset);
        }
        let rotation = update.rotation.unwrap_or(from.rotation);
        object.move_to(PackedPose { position, rotation }, time.before(u32::from(update.age_ms)));
    }
}

impl ReplicaObject {
    fn move_to(&mut self, pose: PackedPose, captured: MotionTime) {
        if captured.is_after(self.captured) {
            (self.pose, self.captured) = (pose, captured);
            self.updates += 1;
        }
    }
}
