//! Decodes all poses that one person receives. The decoder is cheap, since fifty decoders and the connections of a
//! thousand people share one core. A test compares it with `state`'s replica.

use stoa_wire::motion::{
    FramePartKind, MotionFrame, MotionObjectKind, PackedPose, PoseBaseline, PoseDelta, VisibilityChange,
};

use super::protocol::KINDS;

/// Maximum number of baselines to request at a time.
const ASKED_MAX: usize = 16;

/// The decoder of one receiver.
#[derive(Debug, Default)]
pub(crate) struct PoseDecoder {
    /// By short id.
    seen: Vec<Option<DecodedObject>>,
    lacking: Vec<u16>,
}

/// A visible object.
#[derive(Clone, Copy, Debug)]
struct DecodedObject {
    object: PersonObjectId,
    baselines: [Option<(u8, PackedPose)>; 2],
}

/// A person's object: person and index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PersonObjectId {
    pub(crate) person: usize,
    pub(crate) index: usize,
}

impl PoseDecoder {
    /// Applies a change. Returns the object, and whether it entered.
    pub(crate) fn change(&mut self, change: &VisibilityChange<'_>) -> Option<(PersonObjectId, bool)> {
        match *change {
            VisibilityChange::Left { id } => {
                let seen = self.seen.get_mut(usize::from(id))?.take()?;
                Some((seen.object, false))
            }
            VisibilityChange::Entered { id, kind, name, generation, pose, .. } => {
                let object = object_of(kind, name)?;
                let at = usize::from(id);
                if self.seen.len() <= at {
                    self.seen.resize(at + 1, None);
                }
                self.seen[at] = Some(DecodedObject { object, baselines: [Some((generation, pose)), None] });
                Some((object, true))
            }
        }
    }

    /// Passes each pose of a frame to `see`.
    pub(crate) fn decode(&mut self, frame: &MotionFrame<'_>, mut see: impl FnMut(PersonObjectId, &PackedPose)) {
        for (kind, content) in frame.parts() {
            match FramePartKind::of(kind) {
                Some(FramePartKind::Baselines) => PoseBaseline::read_all(content).for_each(|baseline| {
                    let Some(seen) = self.get_mut(baseline.id) else { return };
                    seen.take_baseline(baseline.generation, baseline.pose);
                    see(seen.object, &baseline.pose);
                }),
                Some(FramePartKind::Poses) => PoseDelta::read_all(content).for_each(|update| {
                    let Some(seen) = self.get_mut(update.id) else { return };
                    match seen.pose(&update) {
                        Some(pose) => see(seen.object, &pose),
                        None if self.lacking.len() < ASKED_MAX => self.lacking.push(update.id),
                        None => {}
                    }
                }),
                _ => {}
            }
        }
    }

    /// All visible objects.
    pub(crate) fn seen(&self) -> impl Iterator<Item = PersonObjectId> {
        self.seen.iter().flatten().map(|seen| seen.object)
    }

    /// The objects whose baseline must be requested.
    pub(crate) fn take_lacking(&mut self) -> Vec<u16> {
        std::mem::take(&mut self.lacking)
    }

    fn get_mut(&mut self, id: u16) -> Option<&mut DecodedObject> {
        self.seen.get_mut(usize::from(id))?.as_mut()
    }
}

impl DecodedObject {
    fn take_baseline(&mut self, generation: u8, pose: PackedPose) {
        if self.baselines[0].is_none_or(|(newest, _)| newest != generation) {
            self.baselines[1] = self.baselines[0];
        }
        self.baselines[0] = Some((generation, pose));
    }

    fn pose(&self, update: &PoseDelta) -> Option<PackedPose> {
        let known = self.baselines.iter().flatten().find(|(generation, _)| *generation == update.generation);
        let (_, from) = known?;
        let mut position = from.position;
        for (axis, offset) in position.iter_mut().zip(update.offset) {
            *axis = axis.wrapping_add(offset);
        }
        Some(PackedPose { position, rotation: update.rotation.unwrap_or(from.rotation) })
    }
}

/// The owner and index of an object; `None` for an object of another kind or of no simulated person.
pub(super) fn object_of(kind: MotionObjectKind, name: &str) -> Option<PersonObjectId> {
    Some(PersonObjectId { person: person_of(name)?, index: index_of(kind)? })
}

/// The number of a person by its id tag: `p0012_…` is 12.
fn person_of(id_tag: &str) -> Option<usize> {
    id_tag.strip_prefix('p')?.split('_').next()?.parse().ok()
}

fn index_of(kind: MotionObjectKind) -> Option<usize> {
    KINDS.iter().position(|other| *other == kind)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use stoa_state::motion::replica::MotionReplica;
    use stoa_state::motion::{MotionEntrant, MotionRights, MotionScene, MotionSessionId, MotionSettings};
    use stoa_state::time::Time;
    use stoa_wire::limits::FRAME_BYTES_MAX;
    use stoa_wire::motion::FrameEntriesWriter;
    use stoa_wire::motion::frame::HEAD_BYTES;

    use super::super::protocol::{OutgoingPosesAndRequests, ProtocolState};
    use super::*;
    use crate::load::person::PersonIdentifiers;

    type Poses = BTreeMap<(usize, usize), PackedPose>;

    /// Three moving people in a scene, each received by both kinds of receivers.
    struct SceneFixture {
        scene: MotionScene,
        sessions: Vec<MotionSessionId>,
        protocols: Vec<ProtocolState>,
        decoders: Vec<(PoseDecoder, Poses)>,
        replicas: Vec<MotionReplica>,
    }

    impl SceneFixture {
        fn new() -> SceneFixture {
            let mut scene = MotionScene::new(MotionSettings { bytes_per_s: 4_194_304, ..MotionSettings::default() });
            let id_tag = |person| PersonIdentifiers::of(person).id_tag;
            let sessions = (0..3).map(|person| {
                let entrant = MotionEntrant {
                    id_tag: id_tag(person),
                    rights: MotionRights { may_track: false, ..MotionRights::ALL },
                };
                scene.enter(entrant, Time::ZERO)
            });
            let sessions = sessions.collect();
            let protocols = (0..3).map(|person| ProtocolState::new(id_tag(person))).collect();
            let decoders = (0..3).map(|_| Default::default()).collect();
            SceneFixture {
                scene,
                sessions,
                protocols,
                decoders,
                replicas: (0..3).map(|_| MotionReplica::default()).collect(),
            }
        }

        fn say(&mut self, person: usize, turn: i32, now: Time) {
            let position = [turn * 150, 1_600, person as i32 * 1_000 - turn * turn];
            let poses = [PackedPose { position, ..PackedPose::default() }; 3];
            let mut writer = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
            let saying = OutgoingPosesAndRequests { poses: &poses, asks: &[], now_us: now.as_nanos() / 1_000 };
            let head = self.protocols[person].say(&saying, &mut writer);
            self.scene.handle_frame(self.sessions[person], &[&head[..], writer.bytes()].concat(), now);
        }

        /// Delivers a tick's frames. Every seventh frame is lost.
        fn tick(&mut self, now: Time, count: &mut usize) {
            let mut frames = Vec::new();
            self.scene.tick(now, &mut |outgoing| {
                let bytes = [&outgoing.head[..], outgoing.own, outgoing.shared].concat();
                frames.push((outgoing.session, bytes));
            });
            for (session, bytes) in frames {
                *count += 1;
                let Some(person) =
                    self.sessions.iter().position(|other| *other == session).filter(|_| !count.is_multiple_of(7))
                else {
                    continue;
                };
                let (decoder, seen) = &mut self.decoders[person];
                let mut changed = |change: &VisibilityChange<'_>| {
                    if let Some((object, false)) = decoder.change(change) {
                        seen.remove(&(object.person, object.index));
                    }
                };
                let now_us = now.as_nanos() / 1_000;
                let frame = self.protocols[person].take(&bytes, now_us, &mut changed).expect("a frame");
                decoder.decode(&frame, |object, pose| {
                    seen.insert((object.person, object.index), *pose);
                });
                self.replicas[person].handle_frame(&bytes, now).expect("a frame");
            }
        }
    }

    #[test]
    fn the_decoder_yields_the_same_poses_as_the_replica() {
        let (mut fixture, mut count) = (SceneFixture::new(), 0);
        for turn in 0..100 {
            for subtick in 0..5 {
                let now = Time::from_millis(turn as u64 * 50 + subtick * 10 + 1);
                if subtick < 3 && !(turn >= 60 && subtick == 2) {
                    fixture.say(subtick as usize, turn, now);
                }
                if turn == 60 && subtick == 2 {
                    assert!(fixture.scene.leave(fixture.sessions[2], now));
                }
                fixture.tick(now, &mut count);
            }
            if turn % 10 == 9 {
                for ((_, seen), replica) in fixture.decoders.iter().zip(&fixture.replicas).take(2) {
                    let theirs: Poses = replica
                        .objects()
                        .filter_map(|(_, seen)| Some((object_of(seen.kind, &seen.name)?, seen.pose)))
                        .map(|(object, pose)| ((object.person, object.index), pose))
                        .collect();
                    assert_eq!(*seen, theirs, "at turn {turn}");
                    assert_eq!(theirs.len(), if turn < 60 { 9 } else { 6 }, "at turn {turn}");
                }
            }
        }
    }
}
