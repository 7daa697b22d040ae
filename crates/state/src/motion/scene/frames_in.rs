//! Incoming frames of clients: acknowledgements, declarations, own poses, requests and marks.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use stoa_wire::limits::{MOTION_NAME_BYTES_MAX, MOTION_OWN_MAX};
use stoa_wire::motion::entries::{requested, withdrawn};
use stoa_wire::motion::{
    FrameAck, FramePartKind, MotionFrame, MotionObjectKind, ObjectDeclaration, ObjectRefusal, ObjectRefusalReason,
    OwnPose, PackedPose, serial,
};

use super::{FrameClass, InterestSetPolicy, MotionScene};
use crate::limits;
use crate::motion::changes::UnackedInterestChange;
use crate::motion::clock::MotionTime;
use crate::motion::interest::ItemId;
use crate::motion::marks::MarkedFrameId;
use crate::motion::objects::MotionObject;
use crate::motion::session::{DeclaredObject, FullyDeliveredMark, MotionSessionId, SessionTakeover};
use crate::time::Time;

/// Times of a pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoseTimes {
    /// Capture time by the sender's clock, in milliseconds. It orders the poses of one object while the clock
    /// estimate still changes.
    pub(super) sender_ms: u32,
    /// Capture time by the motion clock.
    pub(super) captured: MotionTime,
    /// Time of arrival.
    pub(super) now: Time,
}

impl MotionScene {
    /// Handles a frame of a session. Counts rejected frames, declarations, poses and acknowledgements, but no poses
    /// older than the object's last one. Ignores other invalid parts. Returns the takeover if this is the session's
    /// first frame and the person had an earlier session.
    pub fn handle_frame(&mut self, id: MotionSessionId, bytes: &[u8], now: Time) -> Option<SessionTakeover> {
        let frame = match MotionFrame::read(bytes) {
            Ok(frame) => frame,
            Err(_) => {
                self.counts.malformed += 1;
                return None;
            }
        };
        let late_ms = self.late.most_ms();
        let session = self.session_mut(id)?;
        if !session.frames.take(FrameClass::of_incoming(&frame), bytes.len(), now) {
            self.counts.flooding += 1;
            return None;
        }
        let Some(is_newest) = session.path.handle_head(frame.head, now) else {
            self.counts.repeated += 1;
            return None;
        };
        session.path.handle_length(frame.head, bytes.len(), late_ms, now);
        let takeover = session.is_pending.then(|| self.take_over(id, now));
        self.counts.taken += 1;
        self.handle_parts(id, &frame, is_newest, now);
        takeover
    }

    fn handle_parts(&mut self, id: MotionSessionId, frame: &MotionFrame<'_>, is_newest: bool, now: Time) {
        let (poses_before, mut is_marked) = (self.pose_count, false);
        let mut declarations = MOTION_OWN_MAX;
        for (kind, content) in frame.parts() {
            match FramePartKind::of(kind) {
                Some(FramePartKind::Ack) => self.handle_ack(id, content, now),
                Some(FramePartKind::Arrivals) => self.handle_arrivals(id, content, now),
                // A late frame must not reverse newer declarations.
                Some(FramePartKind::Withdraw) if is_newest => {
                    withdrawn(content).for_each(|index| self.handle_withdrawn(id, index, now));
                }
                Some(FramePartKind::Declare) if is_newest => {
                    for declared in ObjectDeclaration::read_all(content).take(declarations) {
                        declarations -= 1;
                        self.handle_declared(id, &declared, now);
                    }
                }
                Some(FramePartKind::Own) => {
                    OwnPose::read_all(content).for_each(|own| self.handle_own(id, &own, frame.head.time_ms, now));
                }
                Some(FramePartKind::Ask) => self.handle_request(id, content),
                Some(FramePartKind::Mark) => is_marked = true,
                Some(FramePartKind::Flow) => self.handle_flows(id, content, now),
                Some(FramePartKind::Units) => self.handle_units(id, content, now),
                Some(FramePartKind::Hears) if is_newest => self.handle_hears(id, content),
                // Parts from server to client, unknown ones, and declarations and withdrawals in late frames.
                _ => {}
            }
        }
        if self.pose_count == poses_before {
            return;
        }
        self.pose_frames += 1;
        if is_marked {
            self.mark(MarkedFrameId { session: id, sequence: frame.head.sequence }, poses_before, now);
        }
    }

    /// Notes a marked frame and its receivers: the watchers of each object that it moved, without its sender.
    fn mark(&mut self, marked: MarkedFrameId, before: u64, now: Time) {
        let MotionScene { marks, interest, sessions, objects, settings, pose_count, .. } = self;
        let others = sessions.iter().flatten().filter(|session| session.is_receiver() && session.id != marked.session);
        if settings.policy == InterestSetPolicy::All {
            marks.push(marked, *pose_count, now, others.map(|session| session.id.slot()));
        } else {
            let Some(session) = sessions[marked.session.slot()].as_deref() else { return };
            let moved = session
                .own
                .iter()
                .filter_map(|own| objects.get(own.object?))
                .filter(|object| object.pose_number > before);
            let watchers = moved.flat_map(|object| interest.watchers(ItemId(u32::from(object.lead))));
            let watchers = watchers.filter(|observer| observer.0 != marked.session.slot);
            marks.push(marked, *pose_count, now, watchers.map(|observer| observer.0 as usize));
        }
        self.note_reached();
    }

    /// Prepares the answers for marked frames that have reached all receivers.
    pub(super) fn note_reached(&mut self) {
        while let Some(MarkedFrameId { session, sequence }) = self.marks.poll_reached() {
            let Some(session) = self.session_mut(session) else { continue };
            if session.reached.is_none_or(|before| serial::is_newer(sequence, before.sequence)) {
                session.reached = Some(FullyDeliveredMark { sequence, reported: None, is_known: false });
                self.has_reached = true;
            }
        }
    }

    fn handle_ack(&mut self, id: MotionSessionId, content: &[u8], now: Time) {
        let late_ms = self.late.most_ms();
        let (Some(ack), Some(session)) = (FrameAck::read(content), self.session_mut(id)) else { return };
        let (newest, received) = session.path.acked();
        if !session.path.handle_ack(ack, late_ms, now) {
            self.counts.untrue += 1;
            return;
        }
        session.changes.handle_acked(ack.changes);
        let is_counted = ack.newest.wrapping_sub(newest) == ack.received.wrapping_sub(received);
        let is_whole = session.sent.is_whole(ack.newest, is_counted, now);
        let has_come =
            |by: u32| by == ack.newest || is_whole && serial::is_newer(by, newest) && serial::is_newer(ack.newest, by);
        if let Some(reached) = &mut session.reached {
            reached.is_known |= reached.reported.is_some_and(|(by, _)| has_come(by));
        }
        session.refused.handle_acked(has_come);
        if let Some(voices) = &mut session.voices {
            voices.handle_acked(has_come);
        }
        if let Some(known) = session.sent.take_confirmed(ack.newest, is_whole) {
            self.marks.handle_confirmed(id.slot(), known);
            self.note_reached();
        }
    }

    fn handle_arrivals(&mut self, id: MotionSessionId, content: &[u8], now: Time) {
        let late_ms = self.late.most_ms();
        if let Some(session) = self.session_mut(id) {
            session.path.handle_arrivals(content, late_ms, now);
        }
    }

    fn handle_request(&mut self, id: MotionSessionId, content: &[u8]) {
        let Some(session) = self.session_mut(id) else { return };
        for object in requested(content).take(limits::MOTION_ASKED_MAX) {
            if session.requested.len() < limits::MOTION_ASKED_MAX {
                session.requested.insert(object);
            }
        }
    }

    fn handle_declared(&mut self, id: MotionSessionId, declared: &ObjectDeclaration<'_>, now: Time) {
        let declaration = self.declare(id, declared, now);
        self.counts.refused += u64::from(declaration.is_err());
        let Some(session) = self.session_mut(id) else { return };
        let index = declared.index;
        match declaration {
            Ok(()) => session.refused.handle_admitted(index),
            Err(reason) => session.refused.push(ObjectRefusal { index, reason }, now),
        }
    }

    fn declare(
        &mut self,
        id: MotionSessionId,
        declared: &ObjectDeclaration<'_>,
        now: Time,
    ) -> Result<(), ObjectRefusalReason> {
        let Some(session) = self.session(id) else { return Ok(()) };
        let ObjectDeclaration { index, kind, name } = *declared;
        if let Some(own) = session.own.iter().find(|own| own.index == index) {
            let same = own.kind == kind && own.name == name;
            return if same { Ok(()) } else { Err(ObjectRefusalReason::BadName) };
        }
        let (is_granted, is_name) = match kind {
            MotionObjectKind::Tracked => (session.rights.may_track, is_object_id(name)),
            MotionObjectKind::Head | MotionObjectKind::LeftHand | MotionObjectKind::RightHand => {
                (session.rights.may_show, name.is_empty())
            }
        };
        let is_own = |own: &DeclaredObject| own.kind == kind && own.name == name;
        let is_tracked = kind == MotionObjectKind::Tracked && self.tracked.contains(name);
        if !is_granted {
            Err(ObjectRefusalReason::NotGranted)
        } else if !is_name {
            Err(ObjectRefusalReason::BadName)
        } else if session.own.len() >= MOTION_OWN_MAX {
            Err(ObjectRefusalReason::TooMany)
        } else if session.own.iter().any(is_own) || is_tracked {
            Err(ObjectRefusalReason::Taken)
        } else {
            let session = self.session_mut(id).expect("was just there");
            if !session.appearances.take(now) {
                return Err(ObjectRefusalReason::TooMany);
            }
            session.own.push(DeclaredObject { index, kind, name: name.to_string(), object: None });
            if kind == MotionObjectKind::Tracked {
                self.tracked.insert(name.to_string());
            }
            Ok(())
        }
    }

    fn handle_withdrawn(&mut self, id: MotionSessionId, index: u8, now: Time) {
        let Some(session) = self.session_mut(id) else { return };
        let Some(at) = session.own.iter().position(|own| own.index == index) else { return };
        let own = session.own.swap_remove(at);
        self.forget(&own);
        if let Some(object) = own.object {
            self.remove_object(object, now);
        }
    }

    fn handle_own(&mut self, id: MotionSessionId, own_pose: &OwnPose, time_ms: u32, now: Time) {
        let Some(session) = self.session(id) else { return };
        let Some(own) = session.own.iter().position(|own| own.index == own_pose.index) else {
            self.counts.undeclared += 1;
            return;
        };
        if !own_pose.pose.is_within_extent() {
            self.counts.beyond += 1;
            return;
        }
        let captured = session.path.taken_at(time_ms, own_pose.age_ms, now);
        let times = PoseTimes { sender_ms: time_ms.wrapping_sub(u32::from(own_pose.age_ms)), captured, now };
        match session.own[own].object {
            Some(object) => self.move_object(object, own_pose.pose, times),
            None => self.make_object(id, own, own_pose.pose, times),
        }
    }

    pub(super) fn move_object(&mut self, id: u16, pose: PackedPose, times: PoseTimes) {
        let PoseTimes { sender_ms, captured, .. } = times;
        let Some(object) = self.objects.get_mut(id) else { return };
        // Of two poses captured in the same millisecond, the one that arrived later counts.
        if serial::is_newer(object.sender_ms, sender_ms) {
            return;
        }
        self.pose_count += 1;
        object.sender_ms = sender_ms;
        // A receiver ignores a pose that isn't later than its last one.
        let next = object.captured.after(1);
        object.move_to(pose, if captured.is_after(next) { captured } else { next }, self.pose_count);
    }

    /// Makes an object. `own` is the index of its declaration in the session.
    pub(super) fn make_object(&mut self, id: MotionSessionId, own: usize, pose: PackedPose, times: PoseTimes) {
        let PoseTimes { sender_ms, captured, now } = times;
        let Some(session) = self.session(id) else { return };
        let DeclaredObject { kind, ref name, .. } = session.own[own];
        let name: String = if kind == MotionObjectKind::Tracked { name.clone() } else { session.id_tag.clone() };
        let head = session.own.iter().find(|own| own.kind == MotionObjectKind::Head).and_then(|own| own.object);
        let is_hand = matches!(kind, MotionObjectKind::LeftHand | MotionObjectKind::RightHand);
        let mut object = MotionObject::new(name, kind, id, pose);
        self.pose_count += 1;
        (object.pose_number, object.sender_ms) = (self.pose_count, sender_ms);
        let Some(made) = self.objects.insert(object, now) else {
            self.counts.refused += 1;
            return;
        };
        let lead = head.filter(|_| is_hand).unwrap_or(made);
        let object = self.objects.get_mut(made).expect("was just made");
        object.begin(made, self.served, captured, now);
        object.lead = lead;
        if lead != made
            && let Some(person) = self.objects.get_mut(lead)
        {
            person.followers.push(made);
        }
        self.session_mut(id).expect("was just there").own[own].object = Some(made);
        self.announce(made, lead);
        if kind == MotionObjectKind::Head {
            self.gather_hands(id, made);
        }
    }

    /// Attaches hands that appeared before their head. Present watchers of a hand get a `left`; the hand enters again
    /// together with the head.
    fn gather_hands(&mut self, id: MotionSessionId, head: u16) {
        let session = self.sessions[id.slot as usize].as_ref().expect("was just there");
        let hands = session
            .own
            .iter()
            .filter(|own| matches!(own.kind, MotionObjectKind::LeftHand | MotionObjectKind::RightHand));
        for hand in hands.filter_map(|own| own.object).collect::<Vec<u16>>() {
            self.objects.get_mut(hand).expect("is its owner's").lead = head;
            self.objects.get_mut(head).expect("was just made").followers.push(hand);
            let changes = &mut self.scratch.changes;
            changes.clear();
            self.interest.remove_item(ItemId(u32::from(hand)), changes);
            for change in changes.drain(..) {
                if let Some(session) = self.sessions.get_mut(change.observer.0 as usize).and_then(Option::as_mut) {
                    session.changes.push(UnackedInterestChange { id: hand, entered: false });
                }
            }
        }
    }
}

/// Whether a name can be an object's id: one level of a topic.
fn is_object_id(name: &str) -> bool {
    let is_one_token = |character: char| !matches!(character, '/' | '+' | '#') && !character.is_control();
    (1..=MOTION_NAME_BYTES_MAX).contains(&name.len()) && name.chars().all(is_one_token)
}
