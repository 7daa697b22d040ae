//! Clients on Stoa's motion plane, by its public protocol alone (`spec/wire.md`). A group is a scene of its own in which everybody sees everybody, and a client is a head. Its pose is the
//! update, and the acknowledgement too: the height says by the millimetre at which turn it was said, and the bits of the other two axes name the newest turn that it has seen of each of
//! its group. Whoever sees somebody's new turn says its own pose at once, one frame for all that came to it in one wake-up; what holds no new turn is not acknowledged. The source has all
//! acknowledgements when all others' poses name its newest turn: the server hands them on, as the paper's passive one does.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{Change, PackedPose, PartsWriter, Rotation};

use super::udp::TAKEN_MAX;
use super::{Heard, Ways};
use crate::car::exchange::Groups;
use crate::crowd::decoder::Decoder;
use crate::crowd::hearing::{Hearing, Saying};
use crate::crowd::lines::{LineCounts, Lines, NetcodeLines};
use crate::limits;
use crate::load::person::Name;
use crate::servers::gate::Gate;

/// Of whom a pose can name the newest turn.
pub(crate) const MEMBERS_MAX: usize = 28;
/// A turn is named modulo four. Nobody says a turn before all have acknowledged the one before, or 20 s have passed.
const TURN_BITS: usize = 2;
/// Members that one axis names.
const AXIS_MEMBERS: usize = MEMBERS_MAX / 2;
const _: () = assert!(1 << (AXIS_MEMBERS * TURN_BITS) < 1_000 * stoa_wire::limits::MOTION_EXTENT_M as u64);
/// So many say something before it is looked at what came.
const SPEAKING_TOGETHER: usize = 64;
/// Between two frames of a client that is coming in, and of one that is in and waits for others.
const ENTERING_PERIOD: Duration = Duration::from_millis(50);
const WAITING_PERIOD: Duration = Duration::from_secs(1);

/// The ways to the server.
pub(crate) struct StoaWays {
    lines: NetcodeLines,
    groups: Groups,
    people: Vec<Person>,
    /// Who has something to say.
    dirty: Vec<usize>,
    began: Instant,
    malformed: u64,
    writer: PartsWriter,
}

struct Person {
    hearing: Hearing,
    decoder: Decoder,
    turn: u32,
    /// The newest turn that it has seen of each of its group.
    seen: [u32; MEMBERS_MAX],
    /// Bits of those who have seen its own newest turn.
    acked: u32,
    is_dirty: bool,
}

impl StoaWays {
    /// All come in, and each is told of all of its group.
    pub(crate) fn enter(lines: NetcodeLines, groups: Groups, gate: &mut Gate<'_>) -> Result<StoaWays> {
        ensure!(groups.size <= MEMBERS_MAX, "a pose names {MEMBERS_MAX} members");
        let person = |client| Person {
            hearing: Hearing::new(Name::of(client).id_tag),
            decoder: Decoder::default(),
            turn: 0,
            seen: [0; MEMBERS_MAX],
            acked: 0,
            is_dirty: false,
        };
        let people = (0..groups.clients).map(person).collect();
        let writer = PartsWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        let mut ways =
            StoaWays { lines, groups, people, dirty: Vec::new(), began: Instant::now(), malformed: 0, writer };
        let mut admitted = 0;
        while admitted < groups.clients {
            let wave = admitted..groups.clients.min(admitted + NetcodeLines::WAVE);
            admitted = wave.end;
            ways.lines.admit(&gate.tickets(wave)?)?;
            ways.await_members(admitted)?;
        }
        Ok(ways)
    }

    /// Until the first so many are in and each was told of those of its group who are among them.
    fn await_members(&mut self, admitted: usize) -> Result<()> {
        let deadline = Instant::now() + limits::ENTERING_TIMEOUT;
        let mut spoken_at: Option<Instant> = None;
        loop {
            let among = Groups { clients: admitted, ..self.groups };
            let is_outside = |client: &usize| {
                let told = self.people[*client].hearing.told().0 as usize;
                !self.lines.is_in(*client) || told < among.members(*client).len()
            };
            let mut speaking: Vec<usize> = (0..admitted).filter(is_outside).collect();
            if speaking.is_empty() {
                return Ok(());
            }
            let outside = speaking.len();
            ensure!(Instant::now() < deadline, "{outside} of {admitted} are not in, or were not told of all");
            // Who is in must not fall silent meanwhile.
            if spoken_at.is_none_or(|at| at.elapsed() >= WAITING_PERIOD) {
                spoken_at = Some(Instant::now());
                speaking = (0..admitted).collect();
            }
            let until = Instant::now() + ENTERING_PERIOD;
            for some in speaking.chunks(SPEAKING_TOGETHER) {
                some.iter().for_each(|client| self.mark(*client));
                self.flush();
                self.receive(Instant::now(), &mut |_| {})?;
            }
            while Instant::now() < until {
                self.receive(until, &mut |_| {})?;
                self.flush();
            }
        }
    }

    /// A client has something to say.
    fn mark(&mut self, client: usize) {
        if !std::mem::replace(&mut self.people[client].is_dirty, true) {
            self.dirty.push(client);
        }
    }

    /// Frames that came to all, and that were sent to all by their numbers.
    pub(crate) fn came(&self) -> (u64, u64) {
        self.people
            .iter()
            .map(|person| person.hearing.came())
            .fold((0, 0), |(frames, sent), (received, newest)| (frames + u64::from(received), sent + u64::from(newest)))
    }

    pub(crate) fn malformed(&self) -> u64 {
        self.malformed
    }
}

impl Ways for StoaWays {
    fn say(&mut self, client: usize, turn: u32) {
        let person = &mut self.people[client];
        (person.turn, person.acked) = (turn, 0);
        self.mark(client);
    }

    fn flush(&mut self) {
        let StoaWays { lines, people, dirty, began, writer, .. } = self;
        for client in dirty.drain(..) {
            let person = &mut people[client];
            person.is_dirty = false;
            let now_us = began.elapsed().as_micros() as u64;
            let pose = pose_of(person.turn, &person.seen);
            let asks = person.decoder.take_lacking();
            let head = person.hearing.say(&Saying { poses: &[pose], asks: &asks, now_us }, writer);
            let mut frame = [0; FRAME_BYTES_MAX];
            let length = HEAD_BYTES + writer.bytes().len();
            frame[..HEAD_BYTES].copy_from_slice(&head);
            frame[HEAD_BYTES..length].copy_from_slice(writer.bytes());
            lines.say(client, &frame[..length]);
        }
    }

    fn receive(&mut self, until: Instant, hear: &mut impl FnMut(Heard)) -> Result<()> {
        let StoaWays { lines, groups, people, dirty, began, malformed, .. } = self;
        let (mut taken, mut until) = (0, until);
        while taken < TAKEN_MAX {
            let before = taken;
            let mut now_us = 0;
            lines.receive(until, &mut |client, bytes| {
                if now_us == 0 {
                    now_us = began.elapsed().as_micros() as u64;
                }
                taken += 1;
                let person = &mut people[client];
                let has_news = person.hear((*groups, client), (bytes, now_us), hear);
                *malformed += u64::from(has_news.is_none());
                if has_news == Some(true) && !std::mem::replace(&mut person.is_dirty, true) {
                    dirty.push(client);
                }
            })?;
            if taken == before {
                break;
            }
            until = Instant::now();
        }
        Ok(())
    }

    fn counts(&self) -> LineCounts {
        self.lines.counts()
    }
}

impl Person {
    /// Takes a frame; true where it holds a turn that this one has not seen. `None`: it is no frame.
    fn hear(
        &mut self,
        (groups, client): (Groups, usize),
        (bytes, now_us): (&[u8], u64),
        hear: &mut impl FnMut(Heard),
    ) -> Option<bool> {
        let Person { hearing, decoder, turn, seen, acked, .. } = self;
        let frame = hearing.take(bytes, now_us, &mut |change: &Change<'_>| {
            decoder.change(change);
        })?;
        let (own, mut has_news) = (groups.slot(client), false);
        decoder.decode(&frame, |object, pose| {
            let slot = groups.slot(object.person);
            let theirs = pose.position[1].cast_unsigned();
            // A baseline that is said again may be older than what has come since.
            if object.person == client || theirs < seen[slot] {
                return;
            }
            if theirs > seen[slot] {
                seen[slot] = theirs;
                has_news = true;
                hear(Heard::Update { source: object.person, turn: theirs });
            }
            let bit = 1 << slot;
            if *acked & bit == 0 && *turn > 0 && names(pose, own, *turn) {
                *acked |= bit;
                hear(Heard::Ack { source: client, turn: *turn });
            }
        });
        Some(has_news)
    }
}

/// What a pose says.
fn pose_of(turn: u32, seen: &[u32; MEMBERS_MAX]) -> PackedPose {
    let axis = |members: &[u32]| {
        members.iter().rev().fold(0_u32, |bits, turn| (bits << TURN_BITS) | (turn % (1 << TURN_BITS))).cast_signed()
    };
    let (first, second) = seen.split_at(AXIS_MEMBERS);
    PackedPose { position: [axis(first), turn.cast_signed(), axis(second)], rotation: Rotation::default() }
}

/// Whether a pose names that as the newest turn of a member of the group.
fn names(pose: &PackedPose, slot: usize, turn: u32) -> bool {
    let axis = if slot < AXIS_MEMBERS { pose.position[0] } else { pose.position[2] };
    let named = axis.cast_unsigned() >> (slot % AXIS_MEMBERS * TURN_BITS);
    named % (1 << TURN_BITS) == turn % (1 << TURN_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_names_the_newest_turn_of_each_member_and_lies_within_the_extent() {
        let seen: [u32; MEMBERS_MAX] = std::array::from_fn(|slot| slot as u32 * 7 + 3);
        let pose = pose_of(481, &seen);
        assert!(pose.is_within_extent() && pose.position[1] == 481);
        for (slot, turn) in seen.into_iter().enumerate() {
            for other in [turn + 1, turn + 2, turn + 3] {
                assert!(names(&pose, slot, turn) && !names(&pose, slot, other), "{slot}: {turn}, not {other}");
            }
        }
        let full = pose_of(u32::from(u16::MAX), &[3; MEMBERS_MAX]);
        assert!(full.is_within_extent(), "{full:?}");
    }
}
