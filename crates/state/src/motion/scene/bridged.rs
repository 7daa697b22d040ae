//! The bridge between the motion plane and plain MQTT. People who use MQTT alone get a bridged session, which shows
//! their poses on the plane. `PoseReportCursor` finds the poses of people on the plane that are new to MQTT clients.

use alloc::string::ToString;
use alloc::vec::Vec;

use stoa_wire::limits::MOTION_NAME_BYTES_MAX;
use stoa_wire::motion::{MotionObjectKind, PackedPose, Pose};

use super::frames_in::PoseTimes;
use super::{MotionEntrant, MotionRights, MotionScene};
use crate::motion::clock::MotionTime;
use crate::motion::session::{DeclaredObject, MotionSessionId};
use crate::time::Time;

/// A pose; `None` fields are unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartialPose {
    /// In metres.
    pub position: Option<[f64; 3]>,
    /// Quaternion x, y, z, w.
    pub rotation: Option<[f64; 4]>,
}

/// A change of a head or hand on the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportedPoseChange {
    /// The head or hand moved.
    To(PackedPose),
    /// The head or hand disappeared. Not reported for people who have left.
    Gone,
}

/// Finds poses that were not yet reported to MQTT clients. If a report is full, the next one continues with the
/// remaining objects.
#[derive(Debug, Default)]
pub struct PoseReportCursor {
    /// By short id: the session, the kind, and the number of the last reported pose.
    reported: Vec<Option<(MotionSessionId, MotionObjectKind, u64)>>,
    /// The short id with which the next report begins.
    next: u16,
}

impl MotionScene {
    /// Shows a head or hand of a person who uses MQTT alone. Ignored for people on the plane, for a first pose without
    /// a position, for poses that can't be encoded, and for an idTag longer than a name on the plane.
    pub fn show_bridged(&mut self, id_tag: &str, kind: MotionObjectKind, partial: PartialPose, now: Time) {
        let known = self.by_name.get(id_tag).copied();
        if known.and_then(|id| self.session(id)).is_some_and(|session| !session.is_bridged) {
            return;
        }
        let before = known.and_then(|id| self.session(id)).and_then(|session| {
            let object = session.own.iter().find(|own| own.kind == kind)?.object?;
            Some((object, self.objects.get(object)?.pose.unpack()))
        });
        let Some(position) = partial.position.or(before.map(|(_, pose)| pose.position)) else { return };
        let rotation = partial.rotation.or(before.map(|(_, pose)| pose.rotation)).unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let Some(pose) = PackedPose::pack(&Pose { position, rotation }) else {
            self.counts.beyond += 1;
            return;
        };
        // An MQTT client's idTag may be longer than a name on the plane.
        if id_tag.len() > MOTION_NAME_BYTES_MAX {
            self.counts.refused += 1;
            return;
        }
        let captured = MotionTime::at(now);
        if let Some((object, _)) = before {
            self.move_object(object, pose, PoseTimes { sender_ms: captured.0, captured, now });
            return;
        }
        let id = known.unwrap_or_else(|| {
            let rights = MotionRights { may_show: true, ..MotionRights::default() };
            let entrant = MotionEntrant { id_tag: id_tag.to_string(), rights };
            let id = self.enter(entrant, now);
            self.session_mut(id).expect("has just entered").make_bridged();
            self.bridged_count += 1;
            id
        });
        let session = self.session_mut(id).expect("is in");
        // The declaration may exist without an object, because no short id was free.
        let index = session.own.iter().position(|own| own.kind == kind).unwrap_or_else(|| {
            session.own.push(DeclaredObject { index: kind as u8, kind, name: "".to_string(), object: None });
            session.own.len() - 1
        });
        self.make_object(id, index, pose, PoseTimes { sender_ms: captured.0, captured, now });
    }

    /// Removes the head or one hand of a bridged person, or the person for `None`. The person is removed with the last
    /// of them.
    pub fn hide_bridged(&mut self, id_tag: &str, kind: Option<MotionObjectKind>, now: Time) {
        let Some(id) = self.by_name.get(id_tag).copied() else { return };
        let Some(session) = self.session_mut(id).filter(|session| session.is_bridged) else { return };
        let Some(kind) = kind else {
            self.leave(id, now);
            return;
        };
        let Some(at) = session.own.iter().position(|own| own.kind == kind) else { return };
        let (object, is_last) = (session.own.swap_remove(at).object, session.own.is_empty());
        if let Some(object) = object {
            self.remove_object(object, now);
        }
        if is_last {
            self.leave(id, now);
        }
    }
}

impl PoseReportCursor {
    /// Reports changes of heads and hands since the last report, at most `most`.
    pub fn poll(
        &mut self,
        scene: &MotionScene,
        most: usize,
        mut report: impl FnMut(MotionSessionId, MotionObjectKind, ReportedPoseChange),
    ) {
        let ids = scene.objects.ids();
        while self.reported.len() > ids && self.reported.pop_if(|reported| reported.is_none()).is_some() {}
        let count = self.reported.len().max(ids);
        self.reported.resize(count, None);
        let mut left = most;
        for at in 0..count {
            let id = ((usize::from(self.next) + at) % count) as u16;
            if left == 0 {
                self.next = id;
                return;
            }
            let is_reportable = |object: &&crate::motion::objects::MotionObject| {
                object.kind != MotionObjectKind::Tracked
                    && scene.session(object.owner).is_some_and(|session| !session.is_bridged)
            };
            let object = scene.objects.get(id).filter(is_reportable);
            let reported = &mut self.reported[usize::from(id)];
            if let Some((session, kind, _)) = *reported
                && object.is_none_or(|object| object.owner != session || object.kind != kind)
            {
                *reported = None;
                if scene.session(session).is_some() {
                    report(session, kind, ReportedPoseChange::Gone);
                    left -= 1;
                }
            }
            let Some(object) = object.filter(|_| left > 0) else { continue };
            if reported.is_none_or(|(.., last)| last < object.pose_number) {
                *reported = Some((object.owner, object.kind, object.pose_number));
                report(object.owner, object.kind, ReportedPoseChange::To(object.pose));
                left -= 1;
            }
        }
    }
}
