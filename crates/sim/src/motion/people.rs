//! The simulated people.

use fastrand::Rng;
use stoa_state::motion::replica::MotionReplica;
use stoa_state::motion::{MotionTime, StayId};
use stoa_state::time::Time;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{Declared, Head, Kind, OwnPose, PackedPose, PartKind, PartsWriter, Rotation};

use crate::limits;

/// Something that somebody moves.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub(super) kind: Kind,
    /// As receivers know it.
    pub(super) name: String,
    /// Whose it is.
    pub(super) owner: String,
    pub(super) pose: PackedPose,
}

/// One simulated person.
pub(super) struct Person {
    pub(super) id_tag: String,
    pub(super) stay: Option<StayId>,
    /// When it came in last.
    pub(super) entered_at: Time,
    pub(super) replica: MotionReplica,
    sequence: u32,
    /// What its own clock shows when ours begins.
    clock_ms: u32,
    things: Vec<(Kind, String, PackedPose)>,
}

impl Person {
    pub(super) fn new(number: usize, rng: &mut Rng) -> Person {
        let mut things = vec![(Kind::Head, String::new(), somewhere(rng))];
        if rng.bool() {
            things.push((Kind::RightHand, String::new(), somewhere(rng)));
        }
        if rng.u32(..4) == 0 {
            things.push((Kind::Tracked, format!("thing{number}"), somewhere(rng)));
        }
        Person {
            id_tag: format!("person{number}"),
            stay: None,
            entered_at: Time::ZERO,
            replica: MotionReplica::default(),
            sequence: 0,
            clock_ms: rng.u32(..),
            things,
        }
    }

    pub(super) fn enter(&mut self, stay: StayId, now: Time) {
        self.entered_at = now;
        (self.stay, self.replica, self.sequence) = (Some(stay), MotionReplica::default(), 0);
    }

    pub(super) fn things(&self) -> impl Iterator<Item = Thing> + '_ {
        self.things.iter().map(|(kind, name, pose)| Thing {
            kind: *kind,
            name: if *kind == Kind::Tracked { name.clone() } else { self.id_tag.clone() },
            owner: self.id_tag.clone(),
            pose: *pose,
        })
    }

    /// Where its head is.
    pub(super) fn place(&self) -> [i32; 3] {
        self.things[0].2.position
    }

    /// A step of each of its things; now and then one jumps.
    pub(super) fn walk(&mut self, rng: &mut Rng) {
        for (_, _, pose) in &mut self.things {
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

    /// What it says: where its things are, and what has come.
    pub(super) fn frame(&mut self, now: Time) -> Vec<u8> {
        self.sequence += 1;
        let mut parts = PartsWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        if let Some(ack) = self.replica.ack(now) {
            parts.put(PartKind::Ack, &ack.to_bytes());
        }
        for ((kind, name, pose), index) in self.things.iter().zip(0..) {
            let mut declared = Vec::new();
            Declared { index, kind: *kind, name }.write(&mut declared);
            parts.put(PartKind::Declare, &declared);
            parts.put(PartKind::Own, &OwnPose { index, age_ms: 0, pose: *pose }.to_bytes());
        }
        for id in self.replica.take_asked(now) {
            parts.put(PartKind::Ask, &id.to_le_bytes());
        }
        let time_ms = MotionTime::at(now).0.wrapping_add(self.clock_ms);
        [&Head { sequence: self.sequence, time_ms }.to_bytes(), parts.bytes()].concat()
    }
}

fn somewhere(rng: &mut Rng) -> PackedPose {
    let mut axis = || rng.i32(-limits::MOTION_AREA_MM..=limits::MOTION_AREA_MM);
    let position = [axis(), axis() / 20, axis()];
    PackedPose { position, rotation: Rotation::default() }
}
