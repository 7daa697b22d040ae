//! One scene's motion: its sessions, their objects, and the frames for each receiver.

mod bridged;
mod frames_in;
mod frames_out;
mod portions_out;
mod update_candidates;
mod voice_in;
mod voice_out;

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Add;

use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{FrameEntriesWriter, MotionObjectKind};

pub use self::bridged::{PartialPose, PoseReportCursor, ReportedPoseChange};
use super::changes::UnackedInterestChange as Change;
use super::clock::TickLatenessMeter;
use super::flows::SceneFlows;
use super::interest::{
    InterestInput, InterestItem, InterestMembershipChange, InterestSetPolicy, InterestSets, ItemId, Observer,
    ObserverId,
};
use super::marks::MarkedFrameTracker;
use super::objects::{GROUPS, MotionObjects};
use super::session::{DeclaredObject, MotionSession, MotionSessionId, SessionTakeover};
use crate::limits;
use crate::time::Time;

/// Motion settings of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionSettings {
    /// The policy that chooses each receiver's interest set.
    pub policy: InterestSetPolicy,
    /// Limit of the frames to each receiver, in bytes per second.
    pub bytes_per_s: u32,
    /// Whether the scene forwards voices.
    pub has_voice: bool,
}

impl Default for MotionSettings {
    fn default() -> MotionSettings {
        MotionSettings { policy: InterestSetPolicy::All, bytes_per_s: limits::MOTION_BYTES_PER_S, has_voice: false }
    }
}

/// A person who enters the plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MotionEntrant {
    /// The person's idTag. The first frame of a second session under the same one ends the first.
    pub id_tag: String,
    /// The person's rights.
    pub rights: MotionRights,
}

/// A person's rights on the plane, besides receiving poses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotionRights {
    /// Show head and hands.
    pub may_show: bool,
    /// Move tracked objects.
    pub may_track: bool,
    /// Send voice.
    pub may_speak: bool,
    /// Receive voices.
    pub may_hear: bool,
}

impl MotionRights {
    /// Everything.
    pub const ALL: MotionRights = MotionRights { may_show: true, may_track: true, may_speak: true, may_hear: true };
}

/// The class of a frame, by which a connection that can't send everything chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameClass {
    /// Poses and all other parts: a newer frame replaces an older one.
    Poses,
    /// Voice: all frames count, in order and for a short time.
    Voice,
}

/// An outgoing frame. Its bytes are the header, the own parts, the shared parts and the padding, in this order.
#[derive(Clone, Copy, Debug)]
pub struct OutgoingFrame<'a> {
    /// The receiver's session.
    pub session: MotionSessionId,
    /// The frame's class.
    pub class: FrameClass,
    /// Frame header: version, sequence, time.
    pub head: [u8; HEAD_BYTES],
    /// Parts for this receiver alone.
    pub own: &'a [u8],
    /// Parts shared with more receivers.
    pub shared: &'a [u8],
    /// Number of zero bytes at the end.
    pub padding: usize,
}

/// Counters of a scene's incoming and outgoing frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotionCounts {
    /// Frames sent.
    pub sent: u64,
    /// Bytes of frames sent.
    pub sent_bytes: u64,
    /// Poses skipped for a receiver's budget.
    pub thinned: u64,
    /// Frames accepted.
    pub taken: u64,
    /// Undecodable frames, or of another version.
    pub malformed: u64,
    /// Duplicate frames, and frames before the receive window.
    pub repeated: u64,
    /// Frames beyond a client's rate.
    pub flooding: u64,
    /// Poses of undeclared objects.
    pub undeclared: u64,
    /// Poses beyond the extent, and bridged poses that can't be encoded.
    pub beyond: u64,
    /// Refused declarations, first poses without a free short id, and bridged poses of people with a too long idTag.
    pub refused: u64,
    /// Acknowledgements of frames that were never sent.
    pub untrue: u64,
    /// Voice.
    pub voice: VoiceCounts,
}

/// Counters of a scene's voice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VoiceCounts {
    /// Units accepted.
    pub units_in: u64,
    /// Units sent to receivers.
    pub units_out: u64,
    /// Units sent again to receivers whose path loses frames.
    pub units_repeated: u64,
    /// Flows not admitted: not granted, too many, or another client's.
    pub flows_refused: u64,
    /// Units of flows that were not admitted.
    pub undeclared: u64,
    /// Units that had arrived before, or were too old.
    pub repeated: u64,
    /// Units beyond a flow's rate.
    pub flooding: u64,
}

impl Add for VoiceCounts {
    type Output = VoiceCounts;

    fn add(self, other: VoiceCounts) -> VoiceCounts {
        VoiceCounts {
            units_in: self.units_in + other.units_in,
            units_out: self.units_out + other.units_out,
            units_repeated: self.units_repeated + other.units_repeated,
            flows_refused: self.flows_refused + other.flows_refused,
            undeclared: self.undeclared + other.undeclared,
            repeated: self.repeated + other.repeated,
            flooding: self.flooding + other.flooding,
        }
    }
}

/// The reason for a session's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEndReason {
    /// The client was silent for too long.
    Silent,
    /// Too many changes are unacknowledged.
    Behind,
    /// The client failed to validate its new address in time, or guessed an acknowledgement.
    Unproved,
}

/// The motion of one scene.
#[derive(Debug)]
pub struct MotionScene {
    settings: MotionSettings,
    /// The sessions by slot. A session's slot is empty while the session is served.
    sessions: Vec<Option<Box<MotionSession>>>,
    by_name: BTreeMap<String, MotionSessionId>,
    /// Sessions of people in `by_name` that wait for their first frame.
    pending: BTreeMap<String, MotionSessionId>,
    /// Names of declared tracked objects. Only one session at a time declares a name.
    tracked: BTreeSet<String>,
    /// Number of bridged sessions, which are not on the plane.
    bridged_count: usize,
    generations: Vec<u32>,
    free: Vec<u32>,
    objects: MotionObjects,
    interest: InterestSets,
    /// Number of poses so far, and of frames that contained some.
    pose_count: u64,
    pose_frames: u64,
    services: u64,
    /// By group: how often it was served, and `pose_count` at its last service.
    served: [u32; GROUPS],
    served_poses: [u64; GROUPS],
    next_group: usize,
    counts: MotionCounts,
    shared_frames: frames_out::SharedFrames,
    candidates: update_candidates::EncodedUpdateSet,
    /// Slots of receivers that get waiting poses in portions.
    portions: Vec<u32>,
    flows: SceneFlows,
    voice: voice_out::VoiceService,
    marks: MarkedFrameTracker,
    /// Whether a marked frame has reached all receivers since the last [`MotionScene::flush`]. Ticks don't clear it.
    has_reached: bool,
    late: TickLatenessMeter,
    scratch: ScratchBuffers,
}

/// Reused buffers.
#[derive(Debug, Default)]
struct ScratchBuffers {
    items: Vec<InterestItem>,
    observers: Vec<Observer>,
    changes: Vec<InterestMembershipChange>,
    visible: Vec<u16>,
    waiting: Vec<super::budget::UnsentPosePriority>,
    chosen: Vec<super::budget::UnsentPosePriority>,
    bytes: Vec<u8>,
    own: Option<FrameEntriesWriter>,
    shared: Option<FrameEntriesWriter>,
}

impl MotionScene {
    /// Creates a scene without sessions.
    pub fn new(settings: MotionSettings) -> MotionScene {
        MotionScene {
            settings,
            sessions: Vec::new(),
            by_name: BTreeMap::new(),
            pending: BTreeMap::new(),
            tracked: BTreeSet::new(),
            bridged_count: 0,
            generations: Vec::new(),
            free: Vec::new(),
            objects: MotionObjects::default(),
            interest: InterestSets::new(settings.policy),
            pose_count: 0,
            pose_frames: 0,
            services: 0,
            served: [0; GROUPS],
            served_poses: [0; GROUPS],
            next_group: 0,
            counts: MotionCounts::default(),
            shared_frames: frames_out::SharedFrames::default(),
            candidates: update_candidates::EncodedUpdateSet::default(),
            portions: Vec::new(),
            flows: SceneFlows::default(),
            voice: voice_out::VoiceService::default(),
            marks: MarkedFrameTracker::default(),
            has_reached: false,
            late: TickLatenessMeter::default(),
            scratch: ScratchBuffers::default(),
        }
    }

    /// Adds a session. An earlier one of the same idTag continues until this session's first frame, and this one is
    /// sent none before. A session that still waits for its first frame ends.
    pub fn enter(&mut self, entrant: MotionEntrant, now: Time) -> MotionSessionId {
        if let Some(before) = self.pending.get(&entrant.id_tag).copied() {
            self.leave(before, now);
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.sessions.push(None);
            self.generations.push(0);
            (self.sessions.len() - 1) as u32
        });
        let generation = self.generations[slot as usize];
        let id = MotionSessionId { slot, generation };
        let mut session = MotionSession::new(id, entrant, self.settings.bytes_per_s, now);
        session.is_pending = self.by_name.contains_key(&session.id_tag);
        let by_name = if session.is_pending { &mut self.pending } else { &mut self.by_name };
        by_name.insert(session.id_tag.clone(), id);
        if !session.is_pending {
            self.announce_all(&mut session);
        }
        self.sessions[slot as usize] = Some(Box::new(session));
        id
    }

    /// Whether the session waits for its first frame while the person's earlier session continues.
    pub fn is_pending(&self, id: MotionSessionId) -> bool {
        self.session(id).is_some_and(|session| session.is_pending)
    }

    /// Begins a pending session in place of the person's earlier one.
    fn take_over(&mut self, id: MotionSessionId, now: Time) -> SessionTakeover {
        let session = self.session(id).expect("its frame has arrived");
        let (name, earlier) = (session.id_tag.clone(), self.by_name.get(&session.id_tag).copied());
        let replaced = earlier.filter(|id| self.session(*id).is_some_and(|session| !session.is_bridged));
        if let Some(earlier) = earlier {
            self.leave(earlier, now);
        }
        self.pending.remove(&name);
        self.by_name.insert(name, id);
        let mut session = self.sessions[id.slot as usize].take().expect("was just there");
        session.is_pending = false;
        self.announce_all(&mut session);
        self.sessions[id.slot as usize] = Some(session);
        SessionTakeover { replaced }
    }

    /// Under the policy `all`, announces all objects to a new session. Under others its first interest evaluation does.
    fn announce_all(&self, session: &mut MotionSession) {
        if self.settings.policy == InterestSetPolicy::All {
            self.objects.iter().for_each(|(id, _)| session.changes.push(Change { id, entered: true }));
        }
    }

    /// Sets the first group to be served, so that scenes that start together are served in different fifths of a
    /// tick.
    pub fn staggered(mut self, number: u64) -> MotionScene {
        self.next_group = (number % GROUPS as u64) as usize;
        self
    }

    /// Removes a session and its objects. Returns false if it doesn't exist.
    pub fn leave(&mut self, id: MotionSessionId, now: Time) -> bool {
        if self.session(id).is_none() {
            return false;
        }
        let Some(session) = self.sessions[id.slot as usize].take() else {
            return false;
        };
        let by_name = if session.is_pending { &mut self.pending } else { &mut self.by_name };
        by_name.remove(&session.id_tag);
        session.own.iter().for_each(|own| self.forget(own));
        self.bridged_count -= usize::from(session.is_bridged);
        self.generations[id.slot as usize] += 1;
        self.free.push(id.slot);
        self.interest.remove_observer(ObserverId(id.slot));
        self.marks.handle_left(id);
        self.note_reached();
        self.flows.leave(id, now);
        // Hands go first, while their person's watchers are known.
        let is_lead = |objects: &MotionObjects, id: u16| objects.get(id).is_some_and(|object| object.lead == id);
        for leads in [false, true] {
            for object in session.own.iter().filter_map(|own| own.object) {
                if is_lead(&self.objects, object) == leads {
                    self.remove_object(object, now);
                }
            }
        }
        true
    }

    /// Returns a session that is over, and the reason. The caller must remove it.
    pub fn poll_ended(&self, now: Time) -> Option<(MotionSessionId, SessionEndReason)> {
        let why = |session: &MotionSession| match () {
            () if session.is_bridged => None,
            () if now.since(session.path.heard_at()) >= limits::MOTION_SILENCE => Some(SessionEndReason::Silent),
            () if session.path.is_unproved(now) => Some(SessionEndReason::Unproved),
            () if session.changes.has_overflowed() => Some(SessionEndReason::Behind),
            () => None,
        };
        self.sessions.iter().flatten().find_map(|session| Some((session.id, why(session)?)))
    }

    /// Notes that a session's frames come from a new address. Call it before handling the first of them, with an
    /// unpredictable number. The number determines how many sequence numbers are skipped, so only the receiver at the
    /// address can acknowledge a frame sent there. Until the address is validated, a wrong acknowledgement ends the
    /// session ([`SessionEndReason::Unproved`]).
    pub fn handle_moved(&mut self, id: MotionSessionId, random: u32, now: Time) {
        if let Some(session) = self.session_mut(id) {
            session.path.handle_moved(random, now);
        }
    }

    /// Whether a session's present address is validated. An address that never changed is.
    pub fn is_proved(&self, id: MotionSessionId) -> bool {
        self.session(id).is_some_and(|session| session.path.is_proved())
    }

    /// Number of sessions on the plane, without pending ones.
    pub fn len(&self) -> usize {
        self.sessions.len() - self.free.len() - self.bridged_count - self.pending.len()
    }

    /// Whether no session is on the plane, not even a pending one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && self.pending.is_empty()
    }

    /// Whether some group has not been served since the latest pose or unit, or a marked frame has reached all receivers
    /// since the last [`MotionScene::flush`].
    pub fn has_news(&self) -> bool {
        self.has_reached || self.has_units() || self.served_poses.iter().any(|served| *served < self.pose_count)
    }

    /// Frames with poses since the start, without those that only acknowledge.
    pub fn pose_frames(&self) -> u64 {
        self.pose_frames
    }

    /// Counters since the start.
    pub fn counts(&self) -> MotionCounts {
        self.counts
    }

    /// Frees the name of an object that is no longer moved.
    fn forget(&mut self, own: &DeclaredObject) {
        if own.kind == MotionObjectKind::Tracked {
            self.tracked.remove(&own.name);
        }
    }

    fn session(&self, id: MotionSessionId) -> Option<&MotionSession> {
        self.sessions.get(id.slot as usize)?.as_deref().filter(|session| session.id == id)
    }

    fn session_mut(&mut self, id: MotionSessionId) -> Option<&mut MotionSession> {
        self.sessions.get_mut(id.slot as usize)?.as_deref_mut().filter(|session| session.id == id)
    }

    /// Removes an object and announces this to its watchers. Its followers become visible by their own positions.
    fn remove_object(&mut self, id: u16, now: Time) {
        let Some(object) = self.objects.remove(id, now) else {
            return;
        };
        if object.lead != id
            && let Some(lead) = self.objects.get_mut(object.lead)
        {
            lead.followers.retain(|follower| *follower != id);
        }
        for follower in &object.followers {
            if let Some(alone) = self.objects.get_mut(*follower) {
                alone.lead = *follower;
            }
        }
        let left = Change { id, entered: false };
        if self.settings.policy == InterestSetPolicy::All {
            receivers(&mut self.sessions).for_each(|session| session.changes.push(left));
            return;
        }
        let item = ItemId(u32::from(object.lead));
        let changes = &mut self.scratch.changes;
        changes.clear();
        if object.lead == id {
            self.interest.remove_item(item, changes);
        } else {
            let told = |observer| InterestMembershipChange { observer, item, entered: false };
            changes.extend(self.interest.watchers(item).map(told));
        }
        for change in changes.drain(..) {
            if let Some(session) = self.sessions.get_mut(change.observer.0 as usize).and_then(Option::as_mut) {
                session.changes.push(left);
                object.followers.iter().for_each(|id| session.changes.push(Change { id: *id, entered: false }));
            }
        }
    }

    /// Announces a new object: under the policy `all` to every receiver, under others a hand to its head's watchers.
    /// Under others the next interest evaluation announces each object that is its own lead.
    fn announce(&mut self, id: u16, lead: u16) {
        let entered = Change { id, entered: true };
        if self.settings.policy == InterestSetPolicy::All {
            receivers(&mut self.sessions).for_each(|session| session.changes.push(entered));
        } else if lead != id {
            for observer in self.interest.watchers(ItemId(u32::from(lead))) {
                if let Some(session) = self.sessions.get_mut(observer.0 as usize).and_then(Option::as_mut) {
                    session.changes.push(entered);
                }
            }
        }
    }

    /// Changes the settings. A new policy announces all visible objects anew.
    pub fn change_settings(&mut self, settings: MotionSettings) {
        let before = core::mem::replace(&mut self.settings, settings);
        for session in receivers(&mut self.sessions) {
            session.path.set_budget(settings.bytes_per_s);
        }
        if before.policy == settings.policy {
            return;
        }
        self.marks.clear();
        let interest = core::mem::replace(&mut self.interest, InterestSets::new(settings.policy));
        let MotionScene { sessions, objects, scratch, .. } = self;
        for session in receivers(sessions) {
            session.waiting.clear();
            scratch.visible.clear();
            if before.policy == InterestSetPolicy::All {
                scratch.visible.extend(objects.iter().map(|(id, _)| id));
            } else {
                for lead in interest.visible(ObserverId(session.id.slot)).map(|item| item.0 as u16) {
                    scratch.visible.push(lead);
                    scratch.visible.extend(objects.get(lead).into_iter().flat_map(|object| &object.followers));
                }
            }
            scratch.visible.drain(..).for_each(|id| session.changes.push(Change { id, entered: false }));
            if settings.policy == InterestSetPolicy::All {
                objects.iter().for_each(|(id, _)| session.changes.push(Change { id, entered: true }));
            }
        }
    }

    /// Evaluates the interest sets.
    fn update_interest(&mut self, now: Time) {
        let ScratchBuffers { items, observers, changes, .. } = &mut self.scratch;
        items.clear();
        observers.clear();
        changes.clear();
        for (id, object) in self.objects.iter().filter(|(id, object)| object.lead == *id) {
            let owner = Some(ObserverId(object.owner.slot));
            items.push(InterestItem { id: ItemId(u32::from(id)), owner, position: object.pose.position });
        }
        for session in self.sessions.iter().flatten().filter(|session| session.is_receiver()) {
            let lead = session.lead().and_then(|lead| self.objects.get(lead));
            let position = lead.map_or([0; 3], |object| object.pose.position);
            observers.push(Observer { id: ObserverId(session.id.slot), position });
        }
        self.interest.update(InterestInput { items, observers }, now, changes);
        for InterestMembershipChange { observer, item, entered } in changes.drain(..) {
            let Some(session) = self.sessions.get_mut(observer.0 as usize).and_then(Option::as_mut) else { continue };
            let lead = item.0 as u16;
            session.changes.push(Change { id: lead, entered });
            for id in self.objects.get(lead).into_iter().flat_map(|object| &object.followers) {
                session.changes.push(Change { id: *id, entered });
            }
        }
    }
}

/// All sessions to which frames are sent.
fn receivers(sessions: &mut [Option<Box<MotionSession>>]) -> impl Iterator<Item = &mut MotionSession> {
    sessions.iter_mut().flatten().map(AsMut::as_mut).filter(|session| session.is_receiver())
}

#[cfg(test)]
mod tests;
