//! The simulated people.

use core::time::Duration;

use fastrand::Rng;
use stoa_state::motion::replica::MotionReplica;
use stoa_state::motion::{MotionSessionId, MotionTime};
use stoa_state::time::Time;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FrameHeader, ObjectDeclaration, ObjectKind, OwnPose, PackedPose, PartKind, PartsWriter, Rotation,
};

use crate::limits;

/// Something that somebody moves.
#[derive(Clone, Debug)]
pub(super) struct MovedObject {
    pub(super) kind: ObjectKind,
    /// As receivers know it.
    pub(super) name: String,
    /// The owner's idTag.
    pub(super) owner: String,
    pub(super) pose: PackedPose,
    /// Since when it is said where it is.
    pub(super) since: Time,
}

/// The same, as its owner has it.
struct OwnObject {
    kind: ObjectKind,
    /// Of a tracked object.
    name: String,
    pose: PackedPose,
    /// `Err`: it was withdrawn, and comes again after this.
    shown: Result<Time, Time>,
}

/// One simulated person.
pub(super) struct MotionPerson {
    pub(super) id_tag: String,
    pub(super) session: Option<MotionSessionId>,
    /// When it came in last.
    pub(super) entered_at: Time,
    pub(super) replica: MotionReplica,
    sequence: u32,
    /// What its own clock shows when ours begins.
    clock_ms: u32,
    things: Vec<OwnObject>,
    /// It says the last of its things first: its hand before its head.
    is_backward: bool,
}

impl MotionPerson {
    pub(super) fn new(number: usize, rng: &mut Rng) -> MotionPerson {
        let own = |kind, name, rng: &mut Rng| OwnObject { kind, name, pose: somewhere(rng), shown: Ok(Time::ZERO) };
        let mut things = vec![own(ObjectKind::Head, String::new(), rng)];
        if rng.bool() {
            things.push(own(ObjectKind::RightHand, String::new(), rng));
        }
        if rng.u32(..4) == 0 {
            things.push(own(ObjectKind::Tracked, format!("thing{number}"), rng));
        }
        MotionPerson {
            id_tag: format!("person{number}"),
            session: None,
            entered_at: Time::ZERO,
            replica: MotionReplica::default(),
            sequence: 0,
            clock_ms: rng.u32(..),
            things,
            is_backward: rng.bool(),
        }
    }

    pub(super) fn enter(&mut self, session: MotionSessionId, now: Time) {
        self.entered_at = now;
        (self.session, self.replica, self.sequence) = (Some(session), MotionReplica::default(), 0);
    }

    /// Those that it shows.
    pub(super) fn things(&self) -> impl Iterator<Item = MovedObject> + '_ {
        self.things.iter().filter_map(|own| {
            let since = own.shown.ok()?.max(self.entered_at);
            let (name, owner) = (own.known_as(&self.id_tag).to_string(), self.id_tag.clone());
            Some(MovedObject { kind: own.kind, name, owner, pose: own.pose, since })
        })
    }

    /// Where its head is.
    pub(super) fn place(&self) -> [i32; 3] {
        self.things[0].pose.position
    }

    /// A step of each of its things; now and then one jumps.
    pub(super) fn walk(&mut self, rng: &mut Rng) {
        for OwnObject { pose, .. } in &mut self.things {
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

    /// Now and then it puts something away that is not its head, and takes it up again after a while. True where it did.
    pub(super) fn toggle(&mut self, rng: &mut Rng, now: Time) -> bool {
        let MotionPerson { replica, things, id_tag, .. } = self;
        let mut is_withdrawn = false;
        for own in things.iter_mut().filter(|own| own.kind != ObjectKind::Head) {
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

    /// What it says: where its things are, and what has come.
    pub(super) fn frame(&mut self, now: Time) -> Vec<u8> {
        self.sequence += 1;
        let mut parts = PartsWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        if let Some(ack) = self.replica.ack(now) {
            parts.put(PartKind::Ack, &ack.to_bytes());
        }
        let count = self.things.len();
        for at in 0..count {
            let at = if self.is_backward { count - 1 - at } else { at };
            let (own, index) = (&self.things[at], at as u8);
            let OwnObject { kind, ref name, pose, .. } = *own;
            if own.shown.is_ok() {
                let mut declared = Vec::new();
                ObjectDeclaration { index, kind, name }.write(&mut declared);
                parts.put(PartKind::Declare, &declared);
                parts.put(PartKind::Own, &OwnPose { index, age_ms: 0, pose }.to_bytes());
            } else if self.replica.find(kind, own.known_as(&self.id_tag)).is_some() {
                parts.put(PartKind::Withdraw, &[index]);
            }
        }
        for id in self.replica.take_asked(now) {
            parts.put(PartKind::Ask, &id.to_le_bytes());
        }
        let time_ms = MotionTime::at(now).0.wrapping_add(self.clock_ms);
        [&FrameHeader { sequence: self.sequence, time_ms }.to_bytes(), parts.bytes()].concat()
    }
}

impl OwnObject {
    /// How receivers know it.
    fn known_as<'a>(&'a self, id_tag: &'a str) -> &'a str {
        if self.kind == ObjectKind::Tracked { &self.name } else { id_tag }
    }
}

fn somewhere(rng: &mut Rng) -> PackedPose {
    let mut axis = || rng.i32(-limits::MOTION_AREA_MM..=limits::MOTION_AREA_MM);
    let position = [axis(), axis() / 20, axis()];
    PackedPose { position, rotation: Rotation::default() }
}
