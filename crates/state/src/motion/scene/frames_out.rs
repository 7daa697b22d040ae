//! Outgoing frames. Receivers are served in groups; parts that are equal for a whole group are encoded once.

use core::time::Duration;

use alloc::vec::Vec;

use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::{HEAD_BYTES, PART_HEAD_BYTES};
use stoa_wire::motion::{self, FrameAck, FrameEntriesWriter, FramePartKind, PathQuality, PoseBaseline};

use super::{FrameClass, InterestSetPolicy, MotionScene, OutgoingFrame, ScratchBuffers};
use crate::limits;
use crate::motion::budget::{self, UnsentPosePriority};
use crate::motion::changes::UnackedInterestChange;
use crate::motion::clock::MotionTime;
use crate::motion::interest::ObserverId;
use crate::motion::objects::{GROUPS, MotionObject, MotionObjects, SubtickServiceTurn};
use crate::motion::path_state::NetworkPathState;
use crate::motion::session::{MotionSession, MotionSessionId};
use crate::time::Time;

/// Most bytes of a frame's own and shared parts, without the header and the acknowledgement.
const OWN_PARTS_BYTES_MAX: usize = FRAME_BYTES_MAX - HEAD_BYTES - ACK_BYTES;
const ACK_BYTES: usize = PART_HEAD_BYTES + FrameAck::BYTES;

/// Frames for a whole group.
#[derive(Debug, Default)]
pub(super) struct SharedFrames {
    /// The service of these frames.
    service: u64,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    poses: u32,
    owners: FrameOwnerSummary,
}

/// The owners of the objects in some frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FrameOwnerSummary {
    #[default]
    NoOwner,
    One(MotionSessionId),
    Several,
}

impl FrameOwnerSummary {
    fn including(self, owner: MotionSessionId) -> FrameOwnerSummary {
        match self {
            FrameOwnerSummary::NoOwner => FrameOwnerSummary::One(owner),
            FrameOwnerSummary::One(other) if other == owner => self,
            _ => FrameOwnerSummary::Several,
        }
    }
}

impl SharedFrames {
    fn clear(&mut self, service: u64) {
        self.service = service;
        self.bytes.clear();
        self.ends.clear();
        self.poses = 0;
        self.owners = FrameOwnerSummary::NoOwner;
    }

    fn put(&mut self, writer: &mut FrameEntriesWriter, kind: FramePartKind, entry: &[u8]) {
        if !writer.put(kind, entry) {
            self.end(writer);
            let fits = writer.put(kind, entry);
            debug_assert!(fits, "an entry fits into an empty frame");
        }
    }

    fn end(&mut self, writer: &mut FrameEntriesWriter) {
        if !writer.bytes().is_empty() {
            self.bytes.extend_from_slice(writer.bytes());
            self.ends.push(self.bytes.len());
            writer.clear();
        }
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let begins = core::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(from, to)| &self.bytes[from..*to])
    }

    /// Bytes of all frames, if each is full.
    fn frames_bytes(&self) -> usize {
        self.ends.len() * FRAME_BYTES_MAX
    }
}

impl MotionScene {
    /// Serves the next group of receivers. Call it `GROUPS` times a tick. Where there are no more slots than
    /// groups, all are served in the same call, so that a thousand scenes of two are visited a fifth as often.
    pub fn tick(&mut self, now: Time, out: &mut impl FnMut(OutgoingFrame<'_>)) {
        self.late.tick(now);
        self.serve_voice_turn(now, out);
        let group = self.next_group;
        self.next_group = (group + 1) % GROUPS;
        let groups = match (self.sessions.len() <= GROUPS, group) {
            (true, 0) => 0..GROUPS,
            (true, _) => 0..0,
            (false, _) => group..group + 1,
        };
        self.serve_portions(&groups, now, out);
        if groups.is_empty() {
            return;
        }
        self.begin_service(now);
        groups.for_each(|group| self.serve(group, now, out));
    }

    /// Serves all receivers immediately: for small scenes, when frames have arrived.
    pub fn flush(&mut self, now: Time, out: &mut impl FnMut(OutgoingFrame<'_>)) {
        self.flush_voice(now, out);
        self.begin_service(now);
        (0..GROUPS).for_each(|group| self.serve(group, now, out));
        self.has_reached = false;
    }

    fn begin_service(&mut self, now: Time) {
        if self.settings.policy != InterestSetPolicy::All && now >= self.interest.poll_timeout() {
            self.update_interest(now);
        }
        self.marks.forget(now);
        let served = self.served;
        self.objects.iter_mut().for_each(|(_, object)| object.refresh(served, now));
    }

    fn serve(&mut self, group: usize, now: Time, out: &mut impl FnMut(OutgoingFrame<'_>)) {
        self.services += 1;
        let (number, served, time) = (self.services, self.served[group], MotionTime::at(now));
        let service = SubtickServiceTurn { number, group, served, time };
        for slot in (group..self.sessions.len()).step_by(GROUPS) {
            let Some(mut session) = self.sessions[slot].take_if(|session| session.is_receiver()) else { continue };
            let (id, credit) = (session.id, session.path.credit(now));
            let mut writer = SessionFrameSender { session: id, service, now, credit, sent: 0, bytes: 0, out };
            self.serve_one(&mut session, &mut writer);
            self.list_limited(&mut session);
            self.sessions[slot] = Some(session);
        }
        self.served[group] = served.wrapping_add(1);
        self.served_poses[group] = self.pose_count;
    }

    fn serve_one(
        &mut self,
        session: &mut MotionSession,
        writer: &mut SessionFrameSender<'_, impl FnMut(OutgoingFrame<'_>)>,
    ) {
        let now = writer.now;
        let mut own = self.begin_frame(session, now);
        self.write_own_parts(session, &mut own, writer);
        writer.credit = writer.credit.saturating_sub(writer.bytes);
        if self.settings.policy == InterestSetPolicy::All && session.waiting.is_empty() {
            self.write_shared_frames(&writer.service);
        }
        let is_shared = self.settings.policy == InterestSetPolicy::All
            && session.waiting.is_empty()
            && self.shared_frames.service == writer.service.number
            && self.shared_frames.frames_bytes() <= writer.credit
            && (writer.is_free(session, &own) || self.shared_frames.owners != FrameOwnerSummary::One(session.id));
        if is_shared {
            session.poses = session.poses.saturating_add(self.shared_frames.poses);
            // The receiver's own parts go with the first shared frame, or before it.
            let first = self.shared_frames.iter().next().map_or(0, <[u8]>::len);
            if own.bytes().len() + first > OWN_PARTS_BYTES_MAX + ACK_BYTES {
                let follows = first > 0;
                writer.send(
                    &mut session.path,
                    [own.bytes(), &[]],
                    if follows { FrameSuccessor::More } else { FrameSuccessor::Nothing },
                );
                own.clear();
            }
            let mut shared_frames = self.shared_frames.iter().peekable();
            while let Some(shared_frame) = shared_frames.next() {
                let follows = shared_frames.peek().is_some();
                writer.send(
                    &mut session.path,
                    [own.bytes(), shared_frame],
                    if follows { FrameSuccessor::More } else { FrameSuccessor::Nothing },
                );
                own.clear();
            }
        } else {
            self.write_chosen(session, &mut own, writer);
        }
        let is_hearing = session.voices.as_ref().is_some_and(|voices| voices.most > 0);
        let period = if is_hearing { limits::FLOW_BEAT } else { limits::MOTION_SAID_PERIOD };
        let is_due = now.since(session.sent_at) >= period;
        if !own.bytes().is_empty() && (writer.sent == 0 && is_due || own.bytes().len() > ACK_BYTES) {
            writer.send(&mut session.path, [own.bytes(), &[]], FrameSuccessor::Nothing);
        }
        self.note_sent(session, writer, self.pose_count);
        self.scratch.own = Some(own);
    }

    /// Notes the frames sent to a receiver. It has all poses up to number `to`, unless some wait.
    pub(super) fn note_sent(
        &mut self,
        session: &mut MotionSession,
        writer: &SessionFrameSender<'_, impl FnMut(OutgoingFrame<'_>)>,
        to: u64,
    ) {
        let SessionFrameSender { sent, bytes, now, .. } = *writer;
        if sent > 0 {
            session.sent_at = now;
            let last = session.path.sent();
            let first = last.wrapping_sub(sent as u32 - 1);
            if session.waiting.is_empty() {
                session.sent.note(first, last, to, !self.marks.is_empty());
            } else {
                session.sent.note_partial(first);
            }
        }
        session.path.spend(bytes);
        self.counts.sent += sent;
        self.counts.sent_bytes += bytes as u64;
    }

    /// Begins a frame with the acknowledgement.
    pub(super) fn begin_frame(&mut self, session: &MotionSession, now: Time) -> FrameEntriesWriter {
        let own = self.scratch.own.take();
        let mut own = own.unwrap_or_else(|| FrameEntriesWriter::new(OWN_PARTS_BYTES_MAX + ACK_BYTES));
        own.clear();
        if let Some(ack) = session.path.ack(now) {
            own.put(FramePartKind::Ack, &ack.to_bytes());
        }
        own
    }

    /// Writes the receiver's own parts: the reached mark, refusals, requested baselines, path quality, changes.
    fn write_own_parts(
        &mut self,
        session: &mut MotionSession,
        own: &mut FrameEntriesWriter,
        writer: &mut SessionFrameSender<'_, impl FnMut(OutgoingFrame<'_>)>,
    ) {
        let report = session.path.report();
        let (time, now, mut credit) = (writer.service.time, writer.now, writer.credit);
        let patience = Duration::from_millis(u64::from(session.path.patience_ms()));
        if let Some(reached) = &mut session.reached
            && !reached.is_known
            && reached.reported.is_none_or(|(_, at)| now.since(at) >= patience)
        {
            reached.reported = Some((session.path.sent().wrapping_add(1), now));
            own.put(FramePartKind::Reached, &reached.sequence.to_le_bytes());
        }
        // The mark, one refusal for each index and the client's rate always fit into one frame with the
        // acknowledgement.
        for refusal in session.refused.poll(session.path.sent().wrapping_add(1), patience, now) {
            own.put(FramePartKind::Refused, &refusal.to_bytes());
        }
        if let Some(bytes_per_s) = session.path.poll_uplink(now) {
            own.put(FramePartKind::Uplink, &bytes_per_s.to_le_bytes());
        }
        let MotionSession { path, changes, requested, .. } = session;
        let mut put = |own: &mut FrameEntriesWriter, kind: FramePartKind, entry: &[u8]| {
            if !own.put(kind, entry) {
                writer.send(path, [own.bytes(), &[]], FrameSuccessor::More);
                own.clear();
                own.put(kind, entry);
            }
        };
        while credit >= PoseBaseline::BYTES
            && let Some(id) = requested.pop_first()
        {
            credit -= PoseBaseline::BYTES;
            if let Some(object) = self.objects.get(id) {
                put(own, FramePartKind::Baselines, &object.baseline(id, time).to_bytes());
            }
        }
        if now.since(session.quality_at) >= limits::MOTION_QUALITY_PERIOD {
            let visible = match self.settings.policy {
                InterestSetPolicy::All => self.objects.len(),
                _ => self.interest.visible(ObserverId(session.id.slot)).count(),
            };
            let thinned = u64::from(session.thinned) * 1_000 / u64::from(session.poses.max(1));
            let quality = PathQuality {
                bytes_per_s: report.bytes_per_s,
                lost_per_mille: report.lost_per_mille,
                round_trip_ms: report.round_trip_ms,
                visible: u16::try_from(visible).unwrap_or(u16::MAX),
                thinned_per_mille: thinned.min(1_000) as u16,
            };
            put(own, FramePartKind::Quality, &quality.to_bytes());
            (session.quality_at, session.poses, session.thinned) = (now, 0, 0);
        }
        // A receiver without credit gets no changes either.
        if !changes.is_empty() && credit > 0 {
            self.write_changes(session, own, writer);
        }
    }

    /// Writes changes into half of the available bytes, but at least a frame's, so that poses continue.
    fn write_changes(
        &mut self,
        session: &mut MotionSession,
        own: &mut FrameEntriesWriter,
        writer: &mut SessionFrameSender<'_, impl FnMut(OutgoingFrame<'_>)>,
    ) {
        let bytes_max = (writer.credit / 2).max(FRAME_BYTES_MAX);
        let (time, now) = (writer.service.time, writer.now);
        let patience = Duration::from_millis(u64::from(session.path.patience_ms()));
        let MotionSession { path, changes, .. } = session;
        let (mut number, pending) = changes.poll(patience, now);
        let (mut count, mut bytes) = (0, 0);
        let mut begins = true;
        for change in pending {
            let entry = &mut self.scratch.bytes;
            entry.clear();
            if begins {
                entry.extend_from_slice(&number.to_le_bytes());
            }
            write_change(&self.objects, change, time, entry);
            if begins {
                own.end_part();
            }
            if !own.put(FramePartKind::Changes, entry) {
                writer.send(path, [own.bytes(), &[]], FrameSuccessor::More);
                own.clear();
                entry.clear();
                entry.extend_from_slice(&number.to_le_bytes());
                write_change(&self.objects, change, time, entry);
                own.put(FramePartKind::Changes, entry);
            }
            begins = false;
            (count, bytes, number) = (count + 1, bytes + entry.len(), number.wrapping_add(1));
            if bytes >= bytes_max {
                break;
            }
        }
        own.end_part();
        changes.handle_sent(count, now);
    }

    /// Encodes all objects with a pose since the group's last service, and all due baselines.
    fn write_shared_frames(&mut self, service: &SubtickServiceTurn) {
        if self.shared_frames.service == service.number {
            return;
        }
        let poses_before = self.served_poses[service.group];
        let mut writer = self.scratch.shared.take().unwrap_or_else(|| FrameEntriesWriter::new(OWN_PARTS_BYTES_MAX));
        writer.clear();
        self.shared_frames.clear(service.number);
        for (id, object) in self.objects.iter() {
            if let Some(baseline) = object.baseline_due(id, service) {
                self.shared_frames.owners = self.shared_frames.owners.including(object.owner);
                self.shared_frames.put(&mut writer, FramePartKind::Baselines, &baseline.to_bytes());
            }
        }
        for (id, object) in self.objects.iter_mut().filter(|(_, object)| object.pose_number > poses_before) {
            self.shared_frames.poses += 1;
            self.shared_frames.owners = self.shared_frames.owners.including(object.owner);
            if !(object.is_baseline() && object.baseline_due(id, service).is_some()) {
                let update = object.update(id, service);
                self.shared_frames.put(&mut writer, FramePartKind::Poses, update);
            }
        }
        self.shared_frames.end(&mut writer);
        self.scratch.shared = Some(writer);
    }

    /// Writes the unsent poses of visible objects that fit the receiver's budget: those with the longest weighted wait.
    fn write_chosen(
        &mut self,
        session: &mut MotionSession,
        own: &mut FrameEntriesWriter,
        writer: &mut SessionFrameSender<'_, impl FnMut(OutgoingFrame<'_>)>,
    ) {
        self.candidates.write(&mut self.objects, &writer.service, self.served_poses[writer.service.group]);
        self.find_waiting(session);
        if !writer.is_free(session, own) && self.owners_of_waiting() == FrameOwnerSummary::One(session.id) {
            session.waiting.clone_from(&self.scratch.waiting);
            return;
        }
        let before = session.waiting.len();
        self.write_waiting(session, own, writer);
        session.poses = session.poses.saturating_add(self.scratch.waiting.len() as u32);
        // Poses that wait for their portion are not omitted, unless they still do in the next service.
        let left_out = if session.path.is_limited() { before } else { session.waiting.len() } as u32;
        session.thinned = session.thinned.saturating_add(left_out);
        self.counts.thinned += u64::from(left_out);
    }

    /// Writes those of the poses in `scratch.waiting` that fit the receiver's budget, and leaves the rest waiting.
    pub(super) fn write_waiting(
        &mut self,
        session: &mut MotionSession,
        own: &mut FrameEntriesWriter,
        writer: &mut SessionFrameSender<'_, impl FnMut(OutgoingFrame<'_>)>,
    ) {
        let ScratchBuffers { waiting, chosen, .. } = &mut self.scratch;
        chosen.clear();
        session.waiting.clear();
        let cost = |priority: &UnsentPosePriority| self.candidates.cost(priority);
        budget::choose(waiting, entry_bytes_within(writer.credit), cost, |priority, goes| match goes {
            true => chosen.push(priority),
            false => session.waiting.push(priority),
        });
        let (path, time) = (&mut session.path, writer.service.time);
        let mut put = |own: &mut FrameEntriesWriter, kind: FramePartKind, entry: &[u8]| {
            if !own.put(kind, entry) {
                writer.send(path, [own.bytes(), &[]], FrameSuccessor::More);
                own.clear();
                own.put(kind, entry);
            }
        };
        for priority in chosen.iter().filter(|priority| priority.lacks_baseline) {
            if let Some(object) = self.objects.get(priority.id) {
                put(own, FramePartKind::Baselines, &object.baseline(priority.id, time).to_bytes());
            }
        }
        for candidate in chosen.iter().filter_map(|priority| self.candidates.get(priority.id)) {
            put(own, FramePartKind::Poses, candidate.update());
        }
        if !chosen.is_empty() {
            writer.send(&mut session.path, [own.bytes(), &[]], FrameSuccessor::Nothing);
            own.clear();
        }
    }

    fn owners_of_waiting(&self) -> FrameOwnerSummary {
        let objects = self.scratch.waiting.iter().filter_map(|priority| self.objects.get(priority.id));
        objects.fold(FrameOwnerSummary::NoOwner, |owners, object| owners.including(object.owner))
    }

    /// Lists the visible objects with unsent poses in `scratch.waiting`, with their waiting weights, by ascending
    /// id.
    fn find_waiting(&mut self, session: &MotionSession) {
        let ScratchBuffers { visible, waiting, .. } = &mut self.scratch;
        waiting.clear();
        let lead = session.lead().and_then(|lead| self.objects.get(lead));
        let position = lead.map_or([0; 3], |object| object.pose.position);
        let mut before = session.waiting.iter().copied().peekable();
        let candidates = &self.candidates;
        let mut consider = |id: u16| {
            let Some(candidate) = candidates.get(id) else { return };
            while before.next_if(|priority| priority.id < id).is_some() {}
            let waits = before.next_if(|priority| priority.id == id);
            if waits.is_none() && !candidate.is_news {
                return;
            }
            let lacks_baseline = candidate.is_due || waits.is_some_and(|priority| priority.lacks_baseline);
            let waited = waits.map_or(0, |priority| priority.waited) + budget::weight(position, candidate.position);
            waiting.push(UnsentPosePriority { id, lacks_baseline, waited });
        };
        if self.settings.policy == InterestSetPolicy::All {
            candidates.ids().for_each(consider);
            return;
        }
        visible.clear();
        for item in self.interest.visible(ObserverId(session.id.slot)) {
            let lead = item.0 as u16;
            visible.push(lead);
            visible.extend(self.objects.get(lead).into_iter().flat_map(|object| &object.followers));
        }
        visible.sort_unstable();
        visible.iter().for_each(|id| consider(*id));
    }
}

/// Bytes of entries in frames of this total length.
fn entry_bytes_within(credit: usize) -> usize {
    // A frame whose next entry doesn't fit is padded with zeros.
    const SLACK: usize = 2 * PART_HEAD_BYTES + PoseBaseline::BYTES;
    let rest = (credit % FRAME_BYTES_MAX).saturating_sub(HEAD_BYTES + ACK_BYTES + 2 * PART_HEAD_BYTES);
    credit / FRAME_BYTES_MAX * (OWN_PARTS_BYTES_MAX - SLACK) + rest
}

/// The successor of a frame in the same service of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameSuccessor {
    /// Another frame. This one is padded to full length, because datagrams of one length leave in one system call.
    More,
    /// No frame.
    Nothing,
}

/// Sends frames to one session.
pub(super) struct SessionFrameSender<'a, Out> {
    pub(super) session: MotionSessionId,
    pub(super) service: SubtickServiceTurn,
    pub(super) now: Time,
    /// Bytes that may still be sent.
    pub(super) credit: usize,
    pub(super) sent: u64,
    pub(super) bytes: usize,
    pub(super) out: &'a mut Out,
}

impl<Out: FnMut(OutgoingFrame<'_>)> SessionFrameSender<'_, Out> {
    /// Whether poses of the receiver's own objects may be sent without other poses: a frame is sent anyway, or the last
    /// one was sent a tick ago. A receiver knows its own poses, so they alone don't justify a frame.
    fn is_free(&self, session: &MotionSession, own: &FrameEntriesWriter) -> bool {
        let is_old = self.now.since(session.sent_at) > limits::MOTION_SUBTICK * (GROUPS as u32 - 1);
        is_old || self.sent > 0 || own.bytes().len() > ACK_BYTES
    }

    fn send(&mut self, path: &mut NetworkPathState, [own, shared]: [&[u8]; 2], then: FrameSuccessor) {
        let head = path.next_head(self.service.time).to_bytes();
        let length = HEAD_BYTES + own.len() + shared.len();
        let padding = match then {
            FrameSuccessor::More => FRAME_BYTES_MAX - length,
            FrameSuccessor::Nothing => 0,
        };
        path.handle_frame_sent(length + padding, self.now);
        self.sent += 1;
        self.bytes += length + padding;
        (self.out)(OutgoingFrame { session: self.session, class: FrameClass::Poses, head, own, shared, padding });
    }
}

/// Writes one change. An object that has gone meanwhile is announced as left.
fn write_change(
    objects: &MotionObjects,
    UnackedInterestChange { id, entered }: UnackedInterestChange,
    time: MotionTime,
    bytes: &mut Vec<u8>,
) {
    let object: Option<&MotionObject> = objects.get(id).filter(|_| entered);
    let change = match object {
        None => motion::VisibilityChange::Left { id },
        Some(object) => {
            let PoseBaseline { age_ms, generation, pose, .. } = object.baseline(id, time);
            motion::VisibilityChange::Entered { id, kind: object.kind, name: &object.name, age_ms, generation, pose }
        }
    };
    change.write(bytes);
}
