//! The simulated people of the motion world: their objects, walks, frames and replicas.

use core::time::Duration;

use fastrand::Rng;
use stoa_state::motion::replica::MotionReplica;
use stoa_state::motion::{MotionSessionId, MotionTime};
use stoa_state::time::Time;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FrameEntriesWriter, FrameHeader, FramePartKind, MotionObjectKind, ObjectDeclaration, OwnPose, PackedPose, Rotation,
};

use crate::limits;

/// An object that a person moves.
#[derive(Clone, Debug)]
pub(super) struct MovedObject {
    pub(super) kind: MotionObjectKind,
    /// Name by which receivers know it.
    pub(super) name: String,
    /// The owner's idTag.
    pub(super) owner: String,
    pub(super) pose: PackedPose,
    /// Time since which its pose is sent.
    pub(super) since: Time,
}

/// The object on its owner's side.
struct OwnerSideObject {
    kind: MotionObjectKind,
    /// Id of a tracked object.
    name: String,
    pose: PackedPose,
    /// Shown since; `Err`: withdrawn until.
    shown: Result<Time, Time>,
}

/// One simulated person.
pub(super) struct MotionPerson {
    pub(super) id_tag: String,
    pub(super) session: Option<MotionSessionId>,
    /// Time of its last entrance.
    pub(super) entered_at: Time,
    pub(super) replica: MotionReplica,
    sequence: u32,
    /// The person's clock at the start of the run.
    clock_ms: u32,
    objects: Vec<OwnerSideObject>,
    /// It sends its objects in reverse order: hands before head.
    is_backward: bool,
}

impl MotionPerson {
    pub(super) fn new(number: usize, rng: &mut Rng) -> MotionPerson {
        let own =
            |kind, name, rng: &mut Rng| OwnerSideObject { kind, name, pose: somewhere(rng), shown: Ok(Time::ZERO) };
        let mut objects = vec![own(MotionObjectKind::Head, String::new(), rng)];
        if rng.bool() {
            objects.push(own(MotionObjectKind::RightHand, String::new(), rng));
        }
        if rng.u32(..4) == 0 {
            objects.push(own(MotionObjectKind::Tracked, format!("thing{number}"), rng));
        }
        MotionPerson {
            id_tag: format!("person{number}"),
            session: None,
            entered_at: Time::ZERO,
            replica: MotionReplica::default(),
            sequence: 0,
            clock_ms: rng.u32(..),
            objects,
            is_backward: rng.bool(),
        }
    }

    pub(super) fn enter(&mut self, session: MotionSessionId, now: Time) {
        self.entered_at = now;
        (self.session, self.replica, self.sequence) = (Some(session), MotionReplica::default(), 0);
    }

    /// The objects that it shows.
    pub(super) fn objects(&self) -> impl Iterator<Item = MovedObject> + '_ {
        self.objects.iter().filter_map(|own| {
            let since = own.shown.ok()?.max(self.entered_at);
            let (name, owner) = (own.known_as(&self.id_tag).to_string(), self.id_tag.clone());
            Some(MovedObject { kind: own.kind, name, owner, pose: own.pose, since })
        })
    }

    /// Position of its head.
    pub(super) fn head_position(&self) -> [i32; 3] {
        self.objects[0].pose.position
    }

    /// Moves each object by a step; rarely one jumps.
    pub(super) fn walk(&mut self, rng: &mut Rng) {
        for OwnerSideObject { pose, .. } in &mut self.objects {
            if rng.u32(..500) == 0 {
                *pose = somewhere(rng);
                continue;
            }
            for axis in &mut pose.position {
                *axis = (*axis + rng.i32(-150..=150)).clamp(-limits::MOTION_AREA_MM, limits::MOTION_AREA_MM);
            }
            pose.rotation = Rotation([rng.u8(..), rng.u8(..), rng.u8(..), rng.u8(..), rng.u8(..) & 0x3f]);
        }
    }

    /// Sometimes withdraws an object other than its head, and shows it again later. Returns whether it withdrew
    /// one.
    pub(super) fn toggle(&mut self, rng: &mut Rng, now: Time) -> bool {
        let MotionPerson { replica, objects, id_tag, .. } = self;
        let mut is_withdrawn = false;
        for own in objects.iter_mut().filter(|own| own.kind != MotionObjectKind::Head) {
            let is_there = replica.find(own.kind, own.known_as(id_tag)).is_some();
            match own.shown {
                Ok(_) if is_there && rng.u32(..200) == 0 => {
                    let away_ms = rng.u64(..limits::MOTION_PUT_AWAY_MAX_MS);
                    own.shown = Err(now + Duration::from_millis(away_ms));
                    is_withdrawn = true;
                }
                Err(until) if !is_there && now >= until => own.shown = Ok(now),
                _ => {}
            }
        }
        is_withdrawn
    }

    /// The person's next frame: acknowledgement, declarations, poses, withdrawals and baseline requests.
    pub(super) fn frame(&mut self, now: Time) -> Vec<u8> {
        self.sequence += 1;
        let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        if let Some(ack) = self.replica.ack(now) {
            parts.put(FramePartKind::Ack, &ack.to_bytes());
        }
        let count = self.objects.len();
        for at in 0..count {
            let at = if self.is_backward { count - 1 - at } else { at };
            let (own, index) = (&self.objects[at], at as u8);
            let OwnerSideObject { kind, ref name, pose, .. } = *own;
            if own.shown.is_ok() {
                let mut declared = Vec::new();
                ObjectDeclaration { index, kind, name }.write(&mut declared);
                parts.put(FramePartKind::Declare, &declared);
                parts.put(FramePartKind::Own, &OwnPose { index, age_ms: 0, pose }.to_bytes());
            } else if self.replica.find(kind, own.known_as(&self.id_tag)).is_some() {
                parts.put(FramePartKind::Withdraw, &[index]);
            }
        }
        for id in self.replica.take_baseline_requests(now) {
            parts.put(FramePartKind::Ask, &id.to_le_bytes());
        }
        let time_ms = MotionTime::at(now).0.wrapping_add(self.clock_ms);
        [&FrameHeader { sequence: self.sequence, time_ms }.to_bytes(), parts.bytes()].concat()
    }
}

impl OwnerSideObject {
    /// Name by which receivers know it.
    fn known_as<'a>(&'a self, id_tag: &'a str) -> &'a str {
        if self.kind == MotionObjectKind::Tracked { &self.name } else { id_tag }
    }
}

fn somewhere(rng: &mut Rng) -> PackedPose {
    let mut axis = || rng.i32(-limits::MOTION_AREA_MM..=limits::MOTION_AREA_MM);
    let position = [axis(), axis() / 20, axis()];
    PackedPose { position, rotation: Rotation::default() }
}
