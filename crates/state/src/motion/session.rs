//! The session of one client on a scene's motion plane.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use stoa_wire::motion::MotionObjectKind;

use super::budget::UnsentPosePriority;
use super::changes::UnackedInterestChanges;
use super::path_state::NetworkPathState;
use super::refusals::UnackedRefusals;
use super::sent::UnackedFramePoses;
use crate::bucket::TokenBucket;
use crate::limits;
use crate::time::Time;

/// Identifies a session by its slot, and by the number of earlier sessions in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MotionSessionId {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl MotionSessionId {
    /// A small number, unique among the scene's present sessions: an index for per-session tables.
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}

/// One client's session, from entering to leaving. It doesn't survive a reconnect.
#[derive(Debug)]
pub(super) struct MotionSession {
    pub(super) id: MotionSessionId,
    pub(super) id_tag: String,
    /// Whether the client may show head and hands.
    pub(super) may_show: bool,
    /// Whether the client may move tracked objects.
    pub(super) may_track: bool,
    pub(super) path: NetworkPathState,
    pub(super) changes: UnackedInterestChanges,
    /// Declared objects.
    pub(super) own: Vec<DeclaredObject>,
    /// Refused declarations.
    pub(super) refused: UnackedRefusals,
    /// Baselines that the client requested.
    pub(super) requested: BTreeSet<u16>,
    /// Objects whose latest poses were not sent, by ascending id: they did not fit into the budget, or only the
    /// client's own objects had new poses.
    pub(super) waiting: Vec<UnsentPosePriority>,
    pub(super) quality_at: Time,
    /// Poses since `quality_at`: all due ones, and the skipped ones.
    pub(super) poses: u32,
    pub(super) thinned: u32,
    /// When the last frame was sent.
    pub(super) sent_at: Time,
    pub(super) frames: TokenBucket,
    /// Limits appearing objects.
    pub(super) appearances: TokenBucket,
    /// Poses sent and not acknowledged.
    pub(super) sent: UnackedFramePoses,
    /// The newest of the client's marked frames that all receivers have.
    pub(super) reached: Option<FullyDeliveredMark>,
    /// Whether the session shows a bridged person, who uses MQTT alone and receives no frames.
    pub(super) is_bridged: bool,
}

/// A marked frame that all receivers have.
#[derive(Clone, Copy, Debug)]
pub(super) struct FullyDeliveredMark {
    pub(super) sequence: u32,
    /// The last frame that reported the mark, and when.
    pub(super) reported: Option<(u32, Time)>,
    /// The client acknowledged a frame that reported the mark.
    pub(super) is_known: bool,
}

/// A declared object.
#[derive(Debug)]
pub(super) struct DeclaredObject {
    pub(super) index: u8,
    pub(super) kind: MotionObjectKind,
    /// Name of a tracked object, else empty.
    pub(super) name: String,
    /// The short id, from the first pose on.
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
            path: NetworkPathState::new(bytes_per_s, now),
            changes: UnackedInterestChanges::new(),
            own: Vec::new(),
            refused: UnackedRefusals::default(),
            requested: BTreeSet::new(),
            waiting: Vec::new(),
            quality_at: now,
            poses: 0,
            thinned: 0,
            sent_at: now,
            frames: TokenBucket::new(limits::MOTION_FRAMES_PER_S, limits::MOTION_FRAMES_BURST, now),
            appearances: TokenBucket::new(limits::MOTION_APPEARANCES_PER_S, limits::MOTION_APPEARANCES_BURST, now),
            sent: UnackedFramePoses::default(),
            reached: None,
            is_bridged: false,
        }
    }

    /// Makes the session a bridged one.
    pub(super) fn make_bridged(&mut self) {
        self.is_bridged = true;
        self.changes = UnackedInterestChanges::new();
    }

    /// The object that determines the client's position: its head, else the first that it moves.
    pub(super) fn lead(&self) -> Option<u16> {
        let head = self.own.iter().find(|own| own.kind == MotionObjectKind::Head).and_then(|own| own.object);
        head.or_else(|| self.own.iter().find_map(|own| own.object))
    }
}
