//! Holds all people of a crowd: moves them, writes the frames of their turns, and handles the frames that they receive.
//! `connections.rs` has the trait of the transports.

use std::time::Instant;

use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{FrameEntriesWriter, PackedPose, VisibilityChange};

use super::CrowdSettings;
use super::calendar::SendTurnSchedule;
use super::connections::CrowdConnections;
use super::decoder::{PersonObjectId, PoseDecoder};
use super::pace::LastSentFrame;
use super::pose_ledger::PoseArrivalRecorder;
use super::protocol::{OutgoingPosesAndRequests, ProtocolState};
use super::relayed;
use super::screen::ScreenModel;
use super::turn_marks::{poses_of, turn_of};
use crate::bots::{CrowdMovementModel, GroundVector};
use crate::load::person::PersonIdentifiers;

/// All people.
pub(super) struct CrowdPeople {
    pub(super) cast: CrowdSettings,
    pub(super) people: Vec<CrowdPerson>,
    /// Number of people with a ticket. The rest send nothing yet.
    pub(super) admitted: usize,
    pub(super) bots: Box<dyn CrowdMovementModel>,
    pub(super) calendar: SendTurnSchedule,
    /// The last turn for which the bots moved.
    turn: u64,
    /// Frames sent.
    pub(super) said: u64,
    pub(super) began: Instant,
    pub(super) ledger: Option<PoseArrivalRecorder>,
    /// Unreadable frames, and objects of people in other scenes.
    pub(super) malformed: u64,
    /// Screens of the people that decode all poses, if requested.
    pub(super) screens: Vec<ScreenModel>,
    /// Positions of all people at each turn, for the screens.
    paths: Vec<Vec<GroundVector>>,
    writer: FrameEntriesWriter,
}

pub(super) struct CrowdPerson {
    pub(super) protocol: ProtocolState,
    pub(super) decoder: Option<(usize, PoseDecoder)>,
    /// The last frame sent.
    last_frame: Option<LastSentFrame>,
}

impl CrowdPeople {
    pub(super) fn new(cast: CrowdSettings, bots: Box<dyn CrowdMovementModel>) -> CrowdPeople {
        let mut rng = fastrand::Rng::with_seed(cast.seed);
        let decoders = rng.choose_multiple(0..cast.people, cast.decoders);
        let mut people: Vec<CrowdPerson> = (0..cast.people)
            .map(|person| CrowdPerson {
                protocol: ProtocolState::new(PersonIdentifiers::of(person).id_tag),
                decoder: None,
                last_frame: None,
            })
            .collect();
        for (number, person) in decoders.into_iter().enumerate() {
            people[person].decoder = Some((number, PoseDecoder::default()));
        }
        CrowdPeople {
            cast,
            people,
            admitted: 0,
            bots,
            calendar: SendTurnSchedule::new(cast.people, cast.period_us(), cast.seed),
            turn: 0,
            said: 0,
            began: Instant::now(),
            ledger: None,
            malformed: 0,
            screens: Vec::new(),
            paths: Vec::new(),
            writer: FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES),
        }
    }

    pub(super) fn now_us(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    pub(super) fn all_know_their_roommates(&self) -> bool {
        let mut people = self.people.iter().enumerate();
        let objects = self.cast.objects;
        people.all(|(number, person)| person.protocol.told().0 as usize >= self.cast.roommates(number).len() * objects)
    }

    /// Moves all bots up to a turn.
    pub(super) fn step_to(&mut self, turn: u64) {
        while self.turn < turn {
            self.bots.step(self.cast.period);
            self.turn += 1;
            if !self.screens.is_empty() {
                self.paths.push(self.bots.bots().iter().map(|bot| bot.position).collect());
            }
        }
    }

    /// Whether a person must send a frame while other people enter.
    pub(super) fn has_to_speak<L: CrowdConnections>(&self, connections: &L, person: usize, now_us: u64) -> bool {
        let CrowdPerson { protocol, last_frame, .. } = &self.people[person];
        let is_known = connections.is_in(person) && self.is_shown::<L>(person);
        last_frame.is_none_or(|last_frame| last_frame.is_over(is_known, (now_us, protocol.told().0)))
    }

    /// Whether the server has confirmed all of a person's objects. A relay confirms nothing.
    pub(super) fn is_shown<L: CrowdConnections>(&self, person: usize) -> bool {
        L::IS_RELAYED || self.people[person].protocol.is_shown(self.cast.objects)
    }

    pub(super) fn say(&mut self, connections: &mut impl CrowdConnections, (person, turn): (usize, u64)) {
        if person >= self.admitted {
            return;
        }
        self.said += 1;
        let poses = poses_of(&self.bots.bots()[person].pose(), turn);
        let CrowdPerson { protocol, decoder, last_frame } = &mut self.people[person];
        let now_us = self.began.elapsed().as_micros() as u64;
        *last_frame = Some(LastSentFrame { at_us: now_us, told: protocol.told().0 });
        let mut asks = decoder.as_mut().map(|(_, decoder)| decoder.take_lacking()).unwrap_or_default();
        if let Some(screen) = decoder.as_ref().and_then(|(number, _)| self.screens.get_mut(*number)) {
            asks = screen.take_baseline_requests(now_us);
        }
        let saying = OutgoingPosesAndRequests { poses: &poses[..self.cast.objects], asks: &asks, now_us };
        let head = protocol.say(&saying, &mut self.writer);
        let mut frame = [0; FRAME_BYTES_MAX];
        let length = HEAD_BYTES + self.writer.bytes().len();
        frame[..HEAD_BYTES].copy_from_slice(&head);
        frame[HEAD_BYTES..length].copy_from_slice(self.writer.bytes());
        connections.say(person, &frame[..length]);
    }

    pub(super) fn hear(&mut self, person: usize, bytes: &[u8], now_us: u64) {
        let CrowdPeople { cast, people, bots, calendar, ledger, malformed, screens, .. } = self;
        let CrowdPerson { protocol, decoder, .. } = &mut people[person];
        let objects = cast.objects;
        let mut see = |receiver: usize, object: PersonObjectId, pose: &PackedPose| {
            // A person's own objects are no news.
            let Some(ledger) = ledger.as_mut().filter(|_| object.person != person) else { return };
            let said = turn_of(pose, object.index, calendar.last_of(object.person));
            let due_us = calendar.due_of(object.person, said);
            ledger.see((receiver, object_number(object, objects)), (said, due_us), now_us);
        };
        let Some((receiver, decoder)) = decoder else {
            *malformed += u64::from(protocol.take(bytes, now_us, &mut |_| {}).is_none());
            return;
        };
        let mut crossed = Vec::new();
        let frame =
            protocol.take(bytes, now_us, &mut |change: &VisibilityChange<'_>| crossed.extend(decoder.change(change)));
        let Some(frame) = frame else {
            *malformed += 1;
            return;
        };
        let roommates = cast.roommates(person);
        let strangers = crossed.extract_if(.., |(object, _)| !roommates.contains(&object.person)).count();
        *malformed += strangers as u64;
        let are_told = bots.are_told();
        decoder.decode(&frame, |object, pose| {
            see(*receiver, object, pose);
            if are_told && object.index == 0 {
                let [x, _, z] = pose.position.map(|ordinate| f64::from(ordinate) / 1_000.0);
                bots.see((person, object.person), [x, z], now_us);
            }
        });
        let left = crossed.iter().filter(|(_, has_entered)| !has_entered);
        left.for_each(|(object, _)| bots.lose((person, object.person)));
        if let Some(screen) = screens.get_mut(*receiver) {
            screen.hear(bytes, now_us, |object, pose| {
                calendar.due_of(object.person, turn_of(pose, object.index, calendar.last_of(object.person)))
            });
        }
        if let Some(ledger) = ledger {
            for (object, has_entered) in crossed.into_iter().filter(|(object, _)| object.person != person) {
                let pair = (*receiver, object_number(object, objects));
                if has_entered { ledger.enter(pair, now_us) } else { ledger.leave(pair, now_us) }
            }
        }
    }

    /// Handles a datagram of a relay. A sender is visible from its first datagram on.
    pub(super) fn hear_relayed(&mut self, person: usize, datagram: &[u8], now_us: u64) {
        let CrowdPeople { cast, people, calendar, ledger, malformed, .. } = self;
        let (Some((receiver, _)), Some(ledger)) = (&people[person].decoder, ledger) else { return };
        let decoded = relayed::decode(datagram, |object, pose| {
            if object.person == person {
                return;
            }
            let said = turn_of(pose, object.index, calendar.last_of(object.person));
            let pair = (*receiver, object_number(object, cast.objects));
            ledger.enter(pair, now_us);
            ledger.see(pair, (said, calendar.due_of(object.person, said)), now_us);
        });
        *malformed += u64::from(decoded.is_none());
    }

    /// Position of a person at a moment, interpolated between two turns.
    pub(super) fn place_at(&self, person: usize, at_us: f64) -> GroundVector {
        let first_us = self.calendar.due_of(person, 1) as f64;
        let turns = ((at_us - first_us) / self.cast.period_us() as f64).max(0.0);
        let position = |turn: usize| self.paths[turn.min(self.paths.len() - 1)][person];
        let (from, to) = (position(turns as usize), position(turns as usize + 1));
        [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * turns.fract())
    }
}

pub(super) fn object_number(object: PersonObjectId, objects: usize) -> usize {
    object.person * objects + object.index
}
