//! The session of one client on a scene's motion plane.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use stoa_wire::motion::{ObjectKind, ObjectRefusal};

use super::budget::PosePriority;
use super::changes::UnackedChanges;
use super::path_state::PathState;
use super::sent::SentFrames;
use crate::bucket::TokenBucket;
use crate::limits;
use crate::time::Time;

/// Names a session: its slot, and how many sessions had the slot before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MotionSessionId {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl MotionSessionId {
    /// A small number that no other session of this time in the scene has: an index for whoever keeps something for each.
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}

/// One client's time on the plane, from entering to leaving. A session doesn't survive a reconnect.
#[derive(Debug)]
pub(super) struct MotionSession {
    pub(super) id: MotionSessionId,
    pub(super) id_tag: String,
    /// Whether it may show head and hands.
    pub(super) may_show: bool,
    /// Whether it may move tracked objects.
    pub(super) may_track: bool,
    pub(super) path: PathState,
    pub(super) changes: UnackedChanges,
    /// Its objects.
    pub(super) own: Vec<DeclaredObject>,
    /// What is to be told it may not move; each once a second at most.
    pub(super) refused: Vec<ObjectRefusal>,
    pub(super) refused_at: Option<Time>,
    /// The baselines that it lacks.
    pub(super) asked: BTreeSet<u16>,
    /// What it has not got for lack of room, by ascending id.
    pub(super) waiting: Vec<PosePriority>,
    pub(super) quality_at: Time,
    /// Poses since then: those that were due, and those that were left out.
    pub(super) poses: u32,
    pub(super) thinned: u32,
    /// When the last frame went out.
    pub(super) said_at: Time,
    pub(super) frames: TokenBucket,
    /// Of its objects.
    pub(super) appearances: TokenBucket,
    /// Which poses went to it.
    pub(super) sent: SentFrames,
    /// The newest of its marked frames that all have.
    pub(super) reached: Option<ReachedMark>,
    /// It is not on the plane: others tell where it is, and it gets nothing.
    pub(super) is_mute: bool,
}

/// A marked frame that all have.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReachedMark {
    pub(super) sequence: u32,
    /// By which frame it was told last, and when.
    pub(super) told: Option<(u32, Time)>,
    /// It has acknowledged that frame.
    pub(super) is_known: bool,
}

/// An object that a client moves.
#[derive(Debug)]
pub(super) struct DeclaredObject {
    pub(super) index: u8,
    pub(super) kind: ObjectKind,
    /// Of a tracked object; else empty.
    pub(super) name: String,
    /// From its first pose on.
    pub(super) object: Option<u16>,
}

impl MotionSession {
    pub(super) fn new(
        id: MotionSessionId,
        entrant: super::MotionEntrant,
        bytes_per_s: u32,
        now: Time,
    ) -> MotionSession {
        let super::MotionEntrant { id_tag, may_show, may_track } = entrant;
        MotionSession {
            id,
            id_tag,
            may_show,
            may_track,
            path: PathState::new(bytes_per_s, now),
            changes: UnackedChanges::new(),
            own: Vec::new(),
            refused: Vec::new(),
            refused_at: None,
            asked: BTreeSet::new(),
            waiting: Vec::new(),
            quality_at: now,
            poses: 0,
            thinned: 0,
            said_at: now,
            frames: TokenBucket::new(limits::MOTION_FRAMES_PER_S, limits::MOTION_FRAMES_BURST, now),
            appearances: TokenBucket::new(limits::MOTION_APPEARANCES_PER_S, limits::MOTION_APPEARANCES_BURST, now),
            sent: SentFrames::default(),
            reached: None,
            is_mute: false,
        }
    }

    /// It is not on the plane.
    pub(super) fn make_mute(&mut self) {
        self.is_mute = true;
        self.changes = UnackedChanges::new();
    }

    /// The object by which it is somewhere: its head, else the first that it moves.
    pub(super) fn lead(&self) -> Option<u16> {
        let head = self.own.iter().find(|own| own.kind == ObjectKind::Head).and_then(|own| own.object);
        head.or_else(|| self.own.iter().find_map(|own| own.object))
    }
}
