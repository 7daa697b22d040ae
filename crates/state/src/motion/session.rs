//! The session of one client on a scene's motion plane.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use stoa_wire::motion::MotionObjectKind;

use super::budget::UnsentPosePriority;
use super::changes::UnackedInterestChanges;
use super::frame_rates::IncomingFrameRates;
use super::path_state::NetworkPathState;
use super::received_voices::ReceivedVoices;
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

/// The change from a person's earlier session to a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionTakeover {
    /// The earlier session, which has ended; `None` for a bridged one.
    pub replaced: Option<MotionSessionId>,
}

/// One client's session, from entering to leaving. It doesn't survive a reconnect.
#[derive(Debug)]
pub(super) struct MotionSession {
    pub(super) id: MotionSessionId,
    pub(super) id_tag: String,
    pub(super) rights: super::MotionRights,
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
    /// Whether the session is listed for portions of them.
    pub(super) is_in_portions: bool,
    pub(super) quality_at: Time,
    /// Poses since `quality_at`: all due ones, and the skipped ones.
    pub(super) poses: u32,
    pub(super) thinned: u32,
    /// When the last frame was sent.
    pub(super) sent_at: Time,
    pub(super) frames: IncomingFrameRates,
    /// Limits appearing objects.
    pub(super) appearances: TokenBucket,
    /// Voices of a client that hears.
    pub(super) voices: Option<Box<ReceivedVoices>>,
    /// Poses sent and not acknowledged.
    pub(super) sent: UnackedFramePoses,
    /// The newest of the client's marked frames that all receivers have.
    pub(super) reached: Option<FullyDeliveredMark>,
    /// Whether the session shows a bridged person, who uses MQTT alone and receives no frames.
    pub(super) is_bridged: bool,
    /// Whether the client has sent no frame yet, while its earlier session continues.
    pub(super) is_pending: bool,
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
        let super::MotionEntrant { id_tag, rights } = entrant;
        MotionSession {
            id,
            id_tag,
            rights,
            path: NetworkPathState::new(bytes_per_s, now),
            changes: UnackedInterestChanges::new(),
            own: Vec::new(),
            refused: UnackedRefusals::default(),
            requested: BTreeSet::new(),
            waiting: Vec::new(),
            is_in_portions: false,
            quality_at: now,
            poses: 0,
            thinned: 0,
            sent_at: now,
            frames: IncomingFrameRates::new(now),
            appearances: TokenBucket::new(limits::MOTION_APPEARANCES_PER_S, limits::MOTION_APPEARANCES_BURST, now),
            voices: None,
            sent: UnackedFramePoses::default(),
            reached: None,
            is_bridged: false,
            is_pending: false,
        }
    }

    /// Whether frames are sent to the client.
    pub(super) fn is_receiver(&self) -> bool {
        !self.is_bridged && !self.is_pending
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
