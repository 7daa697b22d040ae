//! What one person sees of everybody: all poses decoded, each held against the moment at which it was said. Dense, for fifty of these run beside a thousand others on one core;
//! a test holds it against `state`'s replica.

use stoa_wire::motion::{Baseline, Change, Frame, Kind, PackedPose, PartKind, PoseUpdate};

use super::hearing::KINDS;

/// Objects whose baseline is asked for at a time.
const ASKED_MAX: usize = 16;

/// One who decodes.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    /// By short id.
    seen: Vec<Option<Seen>>,
    lacking: Vec<u16>,
}

/// An object.
#[derive(Clone, Copy, Debug)]
struct Seen {
    object: ObjectId,
    baselines: [Option<(u8, PackedPose)>; 2],
}

/// Somebody's object: person and index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ObjectId {
    pub(crate) person: usize,
    pub(crate) index: usize,
}

impl Decoder {
    /// Somebody came or went: who, and whether it came.
    pub(crate) fn change(&mut self, change: &Change<'_>) -> Option<(ObjectId, bool)> {
        match *change {
            Change::Left { id } => {
                let seen = self.seen.get_mut(usize::from(id))?.take()?;
                Some((seen.object, false))
            }
            Change::Entered { id, kind, name, generation, pose, .. } => {
                let object = object_of(kind, name)?;
                let at = usize::from(id);
                if self.seen.len() <= at {
                    self.seen.resize(at + 1, None);
                }
                self.seen[at] = Some(Seen { object, baselines: [Some((generation, pose)), None] });
                Some((object, true))
            }
        }
    }

    /// Tells each pose in a frame.
    pub(crate) fn decode(&mut self, frame: &Frame<'_>, mut see: impl FnMut(ObjectId, &PackedPose)) {
        for (kind, content) in frame.parts() {
            match PartKind::of(kind) {
                Some(PartKind::Baselines) => Baseline::read_all(content).for_each(|baseline| {
                    let Some(seen) = self.get_mut(baseline.id) else { return };
                    seen.take_baseline(baseline.generation, baseline.pose);
                    see(seen.object, &baseline.pose);
                }),
                Some(PartKind::Poses) => PoseUpdate::read_all(content).for_each(|update| {
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

    /// All that is around it.
    pub(crate) fn seen(&self) -> impl Iterator<Item = ObjectId> {
        self.seen.iter().flatten().map(|seen| seen.object)
    }

    /// The objects whose baseline is to be asked for.
    pub(crate) fn take_lacking(&mut self) -> Vec<u16> {
        std::mem::take(&mut self.lacking)
    }

    fn get_mut(&mut self, id: u16) -> Option<&mut Seen> {
        self.seen.get_mut(usize::from(id))?.as_mut()
    }
}

impl Seen {
    fn take_baseline(&mut self, generation: u8, pose: PackedPose) {
        if self.baselines[0].is_none_or(|(newest, _)| newest != generation) {
            self.baselines[1] = self.baselines[0];
        }
        self.baselines[0] = Some((generation, pose));
    }

    fn pose(&self, update: &PoseUpdate) -> Option<PackedPose> {
        let known = self.baselines.iter().flatten().find(|(generation, _)| *generation == update.generation);
        let (_, from) = known?;
        let mut position = from.position;
        for (axis, offset) in position.iter_mut().zip(update.offset) {
            *axis = axis.wrapping_add(offset);
        }
        Some(PackedPose { position, rotation: update.rotation.unwrap_or(from.rotation) })
    }
}

/// Whose object it is; `None` where it is none of the load's.
pub(super) fn object_of(kind: Kind, name: &str) -> Option<ObjectId> {
    Some(ObjectId { person: person_of(name)?, index: index_of(kind)? })
}

/// Which of the load's people an idTag is: `p0012_…` is the thirteenth.
fn person_of(id_tag: &str) -> Option<usize> {
    id_tag.strip_prefix('p')?.split('_').next()?.parse().ok()
}

fn index_of(kind: Kind) -> Option<usize> {
    KINDS.iter().position(|other| *other == kind)
}
