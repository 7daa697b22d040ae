//! Those who are in the scene and not on the plane: others tell where they are, and nothing is sent to them. And what others are told of those who are on it.

use alloc::string::ToString;
use alloc::vec::Vec;

use stoa_wire::limits::MOTION_NAME_BYTES_MAX;
use stoa_wire::motion::{ObjectKind, PackedPose, Pose};

use super::frames_in::PoseTimes;
use super::{MotionEntrant, MotionScene};
use crate::motion::clock::MotionTime;
use crate::motion::session::{DeclaredObject, MotionSessionId};
use crate::time::Time;

/// Where something is; what is `None` is as before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartialPose {
    /// Metres.
    pub position: Option<[f64; 3]>,
    /// x, y, z, w.
    pub rotation: Option<[f64; 4]>,
}

/// What has changed of those on the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoseChange {
    /// A head or a hand is somewhere else.
    To(PackedPose),
    /// It is there no more; of people who have left nothing is said.
    Gone,
}

/// What was told of a scene's people, so that only news are: all of them in turns.
#[derive(Debug, Default)]
pub struct ReportedPoses {
    /// By short id: whose that was, and the number of the pose that was told.
    told: Vec<Option<(MotionSessionId, ObjectKind, u64)>>,
    /// With whom the next telling begins.
    next: u16,
}

impl MotionScene {
    /// A head or hand of somebody who is not on the plane is there. Whoever is on it says that itself; what can't be said is left out.
    pub fn place(&mut self, id_tag: &str, kind: ObjectKind, placement: PartialPose, now: Time) {
        let known = self.by_name.get(id_tag).copied();
        if known.and_then(|id| self.session(id)).is_some_and(|session| !session.is_mute) {
            return;
        }
        let before = known.and_then(|id| self.session(id)).and_then(|session| {
            let object = session.own.iter().find(|own| own.kind == kind)?.object?;
            Some((object, self.objects.get(object)?.pose.unpack()))
        });
        let Some(position) = placement.position.or(before.map(|(_, pose)| pose.position)) else { return };
        let rotation = placement.rotation.or(before.map(|(_, pose)| pose.rotation)).unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let Some(pose) = PackedPose::pack(&Pose { position, rotation }) else {
            self.counts.beyond += 1;
            return;
        };
        // An MQTT client's id may be longer than a name here.
        if id_tag.len() > MOTION_NAME_BYTES_MAX {
            self.counts.refused += 1;
            return;
        }
        let taken = MotionTime::at(now);
        if let Some((object, _)) = before {
            self.move_object(object, pose, PoseTimes { said_ms: taken.0, taken, now });
            return;
        }
        let id = known.unwrap_or_else(|| {
            let entrant = MotionEntrant { id_tag: id_tag.to_string(), may_show: true, may_track: false };
            let id = self.enter(entrant, now);
            self.session_mut(id).expect("has just come in").make_mute();
            self.mutes += 1;
            id
        });
        let session = self.session_mut(id).expect("is in");
        // It may be there already, and without a short id: all were taken.
        let index = session.own.iter().position(|own| own.kind == kind).unwrap_or_else(|| {
            session.own.push(DeclaredObject { index: kind as u8, kind, name: "".to_string(), object: None });
            session.own.len() - 1
        });
        self.make_object(id, index, pose, PoseTimes { said_ms: taken.0, taken, now });
    }

    /// A part of somebody who is not on the plane is gone, or all of them.
    pub fn unplace(&mut self, id_tag: &str, kind: Option<ObjectKind>, now: Time) {
        let Some(id) = self.by_name.get(id_tag).copied() else { return };
        let Some(session) = self.session_mut(id).filter(|session| session.is_mute) else { return };
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

impl ReportedPoses {
    /// Tells what has changed of heads and hands since it was told, of `most` of them.
    pub fn poll(
        &mut self,
        scene: &MotionScene,
        most: usize,
        mut tell: impl FnMut(MotionSessionId, ObjectKind, PoseChange),
    ) {
        let ids = scene.objects.ids();
        while self.told.len() > ids && self.told.pop_if(|told| told.is_none()).is_some() {}
        let count = self.told.len().max(ids);
        self.told.resize(count, None);
        let mut left = most;
        for at in 0..count {
            let id = ((usize::from(self.next) + at) % count) as u16;
            if left == 0 {
                self.next = id;
                return;
            }
            let is_bridged = |object: &&crate::motion::objects::MotionObject| {
                object.kind != ObjectKind::Tracked
                    && scene.session(object.owner).is_some_and(|session| !session.is_mute)
            };
            let object = scene.objects.get(id).filter(is_bridged);
            let told = &mut self.told[usize::from(id)];
            if let Some((session, kind, _)) = *told
                && object.is_none_or(|object| object.owner != session || object.kind != kind)
            {
                *told = None;
                if scene.session(session).is_some() {
                    tell(session, kind, PoseChange::Gone);
                    left -= 1;
                }
            }
            let Some(object) = object.filter(|_| left > 0) else { continue };
            if told.is_none_or(|(.., came)| came < object.came) {
                *told = Some((object.owner, object.kind, object.came));
                tell(object.owner, object.kind, PoseChange::To(object.pose));
                left -= 1;
            }
        }
    }
}
