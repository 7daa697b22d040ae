//! Outgoing voice: the units of the voices that each receiver hears, in frames of their own.

use alloc::vec::Vec;
use core::time::Duration;

use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{FlowDeclaration, FrameEntriesWriter, FramePartKind};

use super::{FrameClass, MotionScene, OutgoingFrame};
use crate::limits;
use crate::motion::clock::MotionTime;
use crate::motion::flows::{FlowKey, SceneFlow};
use crate::motion::received_voices::{ReceivedVoices, SentFlow};
use crate::motion::session::{MotionSession, MotionSessionId};
use crate::motion::voices::SpeakerFacts;
use crate::time::Time;

/// Receivers are served in so many turns, one each subtick, so that a unit leaves within two.
const TURNS: usize = 2;

/// Scratch memory and progress of outgoing voice.
#[derive(Debug, Default)]
pub(super) struct VoiceService {
    turn: usize,
    /// Number of units when each turn was last served.
    served: [u64; TURNS],
    speakers: Vec<SpeakerFacts<FlowKey>>,
    declaration: Vec<u8>,
    writer: Option<FrameEntriesWriter>,
}

impl MotionScene {
    /// Whether units have arrived since the last service of some receivers.
    pub(super) fn has_units(&self) -> bool {
        self.voice.served.iter().any(|served| *served < self.flows.unit_count())
    }

    /// Serves the receivers of the next turn.
    pub(super) fn serve_voice_turn(&mut self, now: Time, out: &mut impl FnMut(OutgoingFrame<'_>)) {
        self.voice.turn = (self.voice.turn + 1) % TURNS;
        if self.voice.served[self.voice.turn] < self.flows.unit_count() {
            self.serve_voice(self.voice.turn, now, out);
        }
    }

    /// Serves all receivers.
    pub(super) fn flush_voice(&mut self, now: Time, out: &mut impl FnMut(OutgoingFrame<'_>)) {
        if self.has_units() {
            (0..TURNS).for_each(|turn| self.serve_voice(turn, now, out));
        }
    }

    fn serve_voice(&mut self, turn: usize, now: Time, out: &mut impl FnMut(OutgoingFrame<'_>)) {
        self.voice.served[turn] = self.flows.unit_count();
        self.list_speakers(now);
        for slot in (turn..self.sessions.len()).step_by(TURNS) {
            let is_hearing = |session: &mut alloc::boxed::Box<MotionSession>| {
                session.is_receiver() && session.voices.as_ref().is_some_and(|voices| voices.most > 0)
            };
            let Some(mut session) = self.sessions[slot].take_if(is_hearing) else { continue };
            self.serve_listener(&mut session, now, out);
            self.sessions[slot] = Some(session);
        }
    }

    /// Lists the people who speak.
    fn list_speakers(&mut self, now: Time) {
        let MotionScene { flows, sessions, objects, voice, .. } = self;
        voice.speakers.clear();
        for (key, flow) in flows.iter() {
            let Some(spoke_at) = flow.spoke_at.filter(|spoke_at| now.since(*spoke_at) < limits::VOICE_SILENCE) else {
                continue;
            };
            let session = flow.session.and_then(|id| sessions.get(id.slot())?.as_deref());
            let lead = session.and_then(MotionSession::lead).and_then(|lead| objects.get(lead));
            let position = lead.map_or([0; 3], |object| object.pose.position);
            voice.speakers.push(SpeakerFacts { id: key, position, spoke_at });
        }
    }

    fn choose_voices(&self, session: &MotionSession, voices: &mut ReceivedVoices, now: Time) {
        let is_due = voices.speech_count != self.flows.speech_count()
            || now.since(voices.chosen_at) >= limits::VOICE_CHOICE_PERIOD;
        if !is_due {
            return;
        }
        (voices.chosen_at, voices.speech_count) = (now, self.flows.speech_count());
        let lead = session.lead().and_then(|lead| self.objects.get(lead));
        let position = lead.map_or([0; 3], |object| object.pose.position);
        let is_own = |key: FlowKey| self.flows.get(key).is_none_or(|flow| flow.session == Some(session.id));
        let others = self.voice.speakers.iter().copied().filter(|speaker| !is_own(speaker.id));
        // Beyond a share of a slow receiver's rate, voices would leave no bytes for poses.
        let kept = affordable_voices(session, limits::VOICE_RATE_KEPT_PERCENT).min(voices.slots.held().len() as u32);
        let most = affordable_voices(session, limits::VOICE_RATE_PERCENT).max(kept) as usize;
        voices.slots.choose(others, position, voices.most.min(most), now);
        voices.sent.retain(|key, _| self.flows.get(*key).is_some());
    }

    fn serve_listener(&mut self, session: &mut MotionSession, now: Time, out: &mut impl FnMut(OutgoingFrame<'_>)) {
        let Some(mut voices) = session.voices.take() else { return };
        self.choose_voices(session, &mut voices, now);
        let parts = self.voice.writer.take().unwrap_or_else(|| FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES));
        let declaration = core::mem::take(&mut self.voice.declaration);
        let repeats = unit_repeats(session, voices.slots.held().len());
        let sent = SentVoice::default();
        let mut writer = VoiceFrameWriter { session, parts, declaration, now, repeats, sent, out };
        let ReceivedVoices { slots, sent, .. } = &mut *voices;
        for key in slots.held() {
            if let Some(flow) = self.flows.get(*key) {
                let known = sent.entry(*key).or_insert_with(|| SentFlow::beginning_at(flow));
                writer.write_flow(flow, known);
            }
        }
        writer.send();
        let VoiceFrameWriter { parts, declaration, sent, .. } = writer;
        (self.voice.writer, self.voice.declaration) = (Some(parts), declaration);
        session.path.spend(sent.bytes);
        session.voices = Some(voices);
        self.counts.sent += sent.frames;
        self.counts.sent_bytes += sent.bytes as u64;
        self.counts.voice.units_out += sent.units;
        self.counts.voice.units_repeated += sent.repeated;
    }
}

/// How many units before each new one are sent again: more on a path that loses more, as far as voices may take its
/// rate. While a queue drains there are none, because more bytes would lose more.
fn unit_repeats(session: &MotionSession, voices: usize) -> u64 {
    let lost_per_mille = session.path.lost_per_mille();
    let wanted = limits::VOICE_REPEATS_LOST_PER_MILLE.iter().filter(|limit| lost_per_mille >= **limit).count();
    if wanted == 0 || voices == 0 || session.path.is_draining() {
        return 0;
    }
    let copies = affordable_voices(session, limits::VOICE_RATE_KEPT_PERCENT) as usize / voices;
    wanted.min(copies.saturating_sub(1)) as u64
}

/// Voices that a share of the receiver's rate carries.
fn affordable_voices(session: &MotionSession, percent: u32) -> u32 {
    session.path.sustained_bytes_per_s() / 100 * percent / limits::VOICE_TYPICAL_BYTES_PER_S
}

/// Voice sent in one service of a receiver.
#[derive(Debug, Default)]
struct SentVoice {
    units: u64,
    repeated: u64,
    frames: u64,
    bytes: usize,
}

/// Writes the voice frames of one service of a receiver.
struct VoiceFrameWriter<'a, Out> {
    session: &'a mut MotionSession,
    parts: FrameEntriesWriter,
    declaration: Vec<u8>,
    now: Time,
    /// Units before each new one that are sent again.
    repeats: u64,
    sent: SentVoice,
    out: &'a mut Out,
}

impl<Out: FnMut(OutgoingFrame<'_>)> VoiceFrameWriter<'_, Out> {
    fn write_flow(&mut self, flow: &SceneFlow, sent: &mut SentFlow) {
        let patience = Duration::from_millis(u64::from(self.session.path.patience_ms()));
        if flow.kept() == sent.next {
            return;
        }
        for (position, entry) in flow.units_from(sent.next.saturating_sub(self.repeats), self.now) {
            if sent.is_due(patience, self.now) {
                self.declaration.clear();
                FlowDeclaration { id: flow.id, media: flow.media, name: &flow.owner }.write(&mut self.declaration);
                let (declaration, unit) = (core::mem::take(&mut self.declaration), entry.len());
                // The declaration stands before the unit, in the same frame.
                if !self.fits(declaration.len() + unit) {
                    self.send();
                }
                self.parts.put(FramePartKind::Flow, &declaration);
                self.declaration = declaration;
                sent.note_declared(self.session.path.sent().wrapping_add(1), self.now);
            }
            if !self.parts.put(FramePartKind::Units, entry) {
                self.send();
                self.parts.put(FramePartKind::Units, entry);
            }
            let count = if position < sent.next { &mut self.sent.repeated } else { &mut self.sent.units };
            *count += 1;
        }
        sent.next = flow.kept();
    }

    /// Whether entries of two parts with so many bytes fit into the present frame.
    fn fits(&self, bytes: usize) -> bool {
        const HEADS: usize = 2 * stoa_wire::motion::frame::PART_HEAD_BYTES;
        self.parts.bytes().len() + HEADS + bytes <= FRAME_BYTES_MAX - HEAD_BYTES
    }

    fn send(&mut self) {
        if self.parts.bytes().is_empty() {
            return;
        }
        let head = self.session.path.next_head(MotionTime::at(self.now)).to_bytes();
        let length = HEAD_BYTES + self.parts.bytes().len();
        self.session.path.handle_frame_sent(length, self.now);
        self.sent.frames += 1;
        self.sent.bytes += length;
        let session: MotionSessionId = self.session.id;
        let own = self.parts.bytes();
        (self.out)(OutgoingFrame { session, class: FrameClass::Voice, head, own, shared: &[], padding: 0 });
        self.parts.clear();
    }
}
