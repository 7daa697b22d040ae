//! One scene's motion: who is in it, what they move, and what each of them gets.

mod bridged;
mod frames_in;
mod frames_out;
mod update_candidates;

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{ObjectKind, PartsWriter};

pub use self::bridged::{PartialPose, PoseChange, ReportedPoses};
use super::changes::UnackedChange as Change;
use super::clock::TickLateness;
use super::interest::{
    InterestChange, InterestInput, InterestItem, InterestPolicy, InterestSets, ItemId, Observer, ObserverId,
};
use super::marks::MarkedFrames;
use super::objects::{GROUPS, MotionObjects};
use super::session::{DeclaredObject, MotionSession, MotionSessionId};
use crate::limits;
use crate::time::Time;

/// How a scene's motion is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionSettings {
    /// The policy that chooses each receiver's interest set.
    pub policy: InterestPolicy,
    /// What each receiver gets at most, in bytes of frames.
    pub bytes_per_s: u32,
}

impl Default for MotionSettings {
    fn default() -> MotionSettings {
        MotionSettings { policy: InterestPolicy::All, bytes_per_s: limits::MOTION_BYTES_PER_S }
    }
}

/// Somebody who comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MotionEntrant {
    /// Who it is; of two with the same, the later one stays.
    pub id_tag: String,
    /// Whether it may show head and hands.
    pub may_show: bool,
    /// Whether it may move tracked objects.
    pub may_track: bool,
}

/// A frame that goes out: its bytes are these, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct OutgoingFrame<'a> {
    /// The receiver's session.
    pub session: MotionSessionId,
    /// Version, sequence, time.
    pub head: [u8; HEAD_BYTES],
    /// What is for this one alone.
    pub own: &'a [u8],
    /// What others get too.
    pub shared: &'a [u8],
    /// How many zeros come behind.
    pub padding: usize,
}

/// What came that was not taken, and what went out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotionCounts {
    /// Frames that went out.
    pub sent: u64,
    /// Their bytes.
    pub sent_bytes: u64,
    /// Poses that were left out for a receiver's budget.
    pub thinned: u64,
    /// Frames that were taken.
    pub taken: u64,
    /// Frames that are none, or of another version.
    pub malformed: u64,
    /// Frames that came before, or too late.
    pub repeated: u64,
    /// Frames of who says too many.
    pub flooding: u64,
    /// Poses of objects that were not declared.
    pub undeclared: u64,
    /// Poses beyond the extent.
    pub beyond: u64,
    /// Objects that a client may not move.
    pub refused: u64,
    /// Acknowledgements of what was never sent.
    pub untrue: u64,
}

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEndReason {
    /// Nothing came for too long.
    Silent,
    /// It has not said for too long that it knows who came and went.
    Behind,
    /// It moved, and has not proved in time that it hears what goes there, or guessed.
    Unproved,
}

/// One scene's motion.
#[derive(Debug)]
pub struct MotionScene {
    settings: MotionSettings,
    /// Each in a place of its own: who is served is taken out, and put back.
    sessions: Vec<Option<Box<MotionSession>>>,
    by_name: BTreeMap<String, MotionSessionId>,
    /// The tracked objects that somebody moves: each is declared once.
    tracked: BTreeSet<String>,
    /// How many of them are not on the plane.
    mutes: usize,
    generations: Vec<u32>,
    free: Vec<u32>,
    objects: MotionObjects,
    interest: InterestSets,
    /// Poses that have come, and frames that brought some.
    came: u64,
    said: u64,
    services: u64,
    /// How often each group was served, and how many poses had come by then.
    served: [u32; GROUPS],
    seen: [u64; GROUPS],
    next_group: usize,
    counts: MotionCounts,
    bodies: frames_out::SharedFrames,
    candidates: update_candidates::UpdateCandidates,
    marks: MarkedFrames,
    /// Somebody is to be told that a marked frame is with all.
    has_reached: bool,
    late: TickLateness,
    scratch: ScratchBuffers,
}

/// Memory that is used again.
#[derive(Debug, Default)]
struct ScratchBuffers {
    items: Vec<InterestItem>,
    observers: Vec<Observer>,
    crossings: Vec<InterestChange>,
    visible: Vec<u16>,
    waiting: Vec<super::budget::PosePriority>,
    chosen: Vec<super::budget::PosePriority>,
    bytes: Vec<u8>,
    own: Option<PartsWriter>,
    shared: Option<PartsWriter>,
}

impl MotionScene {
    /// Nobody is in it.
    pub fn new(settings: MotionSettings) -> MotionScene {
        MotionScene {
            settings,
            sessions: Vec::new(),
            by_name: BTreeMap::new(),
            tracked: BTreeSet::new(),
            mutes: 0,
            generations: Vec::new(),
            free: Vec::new(),
            objects: MotionObjects::default(),
            interest: InterestSets::new(settings.policy),
            came: 0,
            said: 0,
            services: 0,
            served: [0; GROUPS],
            seen: [0; GROUPS],
            next_group: 0,
            counts: MotionCounts::default(),
            bodies: frames_out::SharedFrames::default(),
            candidates: update_candidates::UpdateCandidates::default(),
            marks: MarkedFrames::default(),
            has_reached: false,
            late: TickLateness::default(),
            scratch: ScratchBuffers::default(),
        }
    }

    /// Somebody comes in. Who was in it under the same idTag is out.
    pub fn enter(&mut self, entrant: MotionEntrant, now: Time) -> MotionSessionId {
        if let Some(before) = self.by_name.get(&entrant.id_tag).copied() {
            self.leave(before, now);
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.sessions.push(None);
            self.generations.push(0);
            (self.sessions.len() - 1) as u32
        });
        let generation = self.generations[slot as usize];
        let id = MotionSessionId { slot, generation };
        self.by_name.insert(entrant.id_tag.clone(), id);
        let mut session = MotionSession::new(id, entrant, self.settings.bytes_per_s, now);
        if self.settings.policy == InterestPolicy::All {
            self.objects.iter().for_each(|(id, _)| session.changes.push(Change { id, entered: true }));
        }
        self.sessions[slot as usize] = Some(Box::new(session));
        id
    }

    /// Its turns begin with that group: of many scenes that begin at the same time not all have theirs in the same fifth of a tick.
    pub fn staggered(mut self, number: u64) -> MotionScene {
        self.next_group = (number % GROUPS as u64) as usize;
        self
    }

    /// Somebody is out; what it moved is gone. False where it was not in.
    pub fn leave(&mut self, id: MotionSessionId, now: Time) -> bool {
        if self.session(id).is_none() {
            return false;
        }
        let Some(session) = self.sessions[id.slot as usize].take() else {
            return false;
        };
        self.by_name.remove(&session.id_tag);
        session.own.iter().for_each(|own| self.forget(own));
        self.mutes -= usize::from(session.is_mute);
        self.generations[id.slot as usize] += 1;
        self.free.push(id.slot);
        self.interest.remove_observer(ObserverId(id.slot));
        self.marks.handle_left(id);
        self.note_reached();
        // Hands first, while it is known who has their person around.
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

    /// One of those whose session is over, and why: to be taken out.
    pub fn poll_ended(&self, now: Time) -> Option<(MotionSessionId, SessionEndReason)> {
        let why = |session: &MotionSession| match () {
            () if session.is_mute => None,
            () if now.since(session.path.heard_at()) >= limits::MOTION_SILENCE => Some(SessionEndReason::Silent),
            () if session.path.is_unproved(now) => Some(SessionEndReason::Unproved),
            () if session.changes.is_over() => Some(SessionEndReason::Behind),
            () => None,
        };
        self.sessions.iter().flatten().find_map(|session| Some((session.id, why(session)?)))
    }

    /// Somebody's frames come from another address from now on. To be called before the first of them is handled, with a number that nobody can guess: as many sequences
    /// as that says are left out, so that only who hears what goes there can acknowledge it. One guess, and it is over ([`SessionEndReason::Unproved`]).
    pub fn handle_moved(&mut self, id: MotionSessionId, random: u32, now: Time) {
        if let Some(session) = self.session_mut(id) {
            session.path.handle_moved(random, now);
        }
    }

    /// Whether somebody has acknowledged what was sent where they are now. Who has not moved is where they are.
    pub fn is_proved(&self, id: MotionSessionId) -> bool {
        self.session(id).is_some_and(|session| session.path.is_proved())
    }

    /// How many are on it.
    pub fn len(&self) -> usize {
        self.sessions.len() - self.free.len() - self.mutes
    }

    /// Whether nobody is on it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether something came that somebody has not been served with.
    pub fn has_news(&self) -> bool {
        self.has_reached || self.seen.iter().any(|seen| *seen < self.came)
    }

    /// Frames that said where something is, since it began: not those that only acknowledge.
    pub fn said(&self) -> u64 {
        self.said
    }

    /// What was counted since it began.
    pub fn counts(&self) -> MotionCounts {
        self.counts
    }

    /// Nobody moves that any more.
    fn forget(&mut self, own: &DeclaredObject) {
        if own.kind == ObjectKind::Tracked {
            self.tracked.remove(&own.name);
        }
    }

    fn session(&self, id: MotionSessionId) -> Option<&MotionSession> {
        self.sessions.get(id.slot as usize)?.as_deref().filter(|session| session.id == id)
    }

    fn session_mut(&mut self, id: MotionSessionId) -> Option<&mut MotionSession> {
        self.sessions.get_mut(id.slot as usize)?.as_deref_mut().filter(|session| session.id == id)
    }

    /// Those who have an object around them are told that it is not there any more. What came along with it is around by its own place from now on.
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
        if self.settings.policy == InterestPolicy::All {
            receivers(&mut self.sessions).for_each(|session| session.changes.push(left));
            return;
        }
        let item = ItemId(u32::from(object.lead));
        let crossings = &mut self.scratch.crossings;
        crossings.clear();
        if object.lead == id {
            self.interest.remove_item(item, crossings);
        } else {
            let told = |observer| InterestChange { observer, item, entered: false };
            crossings.extend(self.interest.watchers(item).map(told));
        }
        for crossing in crossings.drain(..) {
            if let Some(session) = self.sessions.get_mut(crossing.observer.0 as usize).and_then(Option::as_mut) {
                session.changes.push(left);
                object.followers.iter().for_each(|id| session.changes.push(Change { id: *id, entered: false }));
            }
        }
    }

    /// Those who have its person around them are told that an object is there. One that is around nobody yet is found when interest is looked at.
    fn announce(&mut self, id: u16, lead: u16) {
        let entered = Change { id, entered: true };
        if self.settings.policy == InterestPolicy::All {
            receivers(&mut self.sessions).for_each(|session| session.changes.push(entered));
        } else if lead != id {
            for observer in self.interest.watchers(ItemId(u32::from(lead))) {
                if let Some(session) = self.sessions.get_mut(observer.0 as usize).and_then(Option::as_mut) {
                    session.changes.push(entered);
                }
            }
        }
    }

    /// Shares it in another way from now on. Under another policy everybody is told anew who is around.
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
            if before.policy == InterestPolicy::All {
                scratch.visible.extend(objects.iter().map(|(id, _)| id));
            } else {
                for lead in interest.visible(ObserverId(session.id.slot)).map(|item| item.0 as u16) {
                    scratch.visible.push(lead);
                    scratch.visible.extend(objects.get(lead).into_iter().flat_map(|object| &object.followers));
                }
            }
            scratch.visible.drain(..).for_each(|id| session.changes.push(Change { id, entered: false }));
            if settings.policy == InterestPolicy::All {
                objects.iter().for_each(|(id, _)| session.changes.push(Change { id, entered: true }));
            }
        }
    }

    /// Looks anew at who is around whom.
    fn look_around(&mut self, now: Time) {
        let ScratchBuffers { items, observers, crossings, .. } = &mut self.scratch;
        items.clear();
        observers.clear();
        crossings.clear();
        for (id, object) in self.objects.iter().filter(|(id, object)| object.lead == *id) {
            let owner = Some(ObserverId(object.owner.slot));
            items.push(InterestItem { id: ItemId(u32::from(id)), owner, place: object.pose.position });
        }
        for session in self.sessions.iter().flatten().filter(|session| !session.is_mute) {
            let lead = session.lead().and_then(|lead| self.objects.get(lead));
            let place = lead.map_or([0; 3], |object| object.pose.position);
            observers.push(Observer { id: ObserverId(session.id.slot), place });
        }
        self.interest.update(InterestInput { items, observers }, now, crossings);
        for InterestChange { observer, item, entered } in crossings.drain(..) {
            let Some(session) = self.sessions.get_mut(observer.0 as usize).and_then(Option::as_mut) else { continue };
            let lead = item.0 as u16;
            session.changes.push(Change { id: lead, entered });
            for id in self.objects.get(lead).into_iter().flat_map(|object| &object.followers) {
                session.changes.push(Change { id: *id, entered });
            }
        }
    }
}

/// All to whom something is sent.
fn receivers(sessions: &mut [Option<Box<MotionSession>>]) -> impl Iterator<Item = &mut MotionSession> {
    sessions.iter_mut().flatten().map(AsMut::as_mut).filter(|session| !session.is_mute)
}

#[cfg(test)]
mod tests;
