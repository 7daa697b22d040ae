//! Simulates people on the motion plane, all on one thread. Everyone moves and turns in each period, sends its poses
//! and opens every datagram. A sample, drawn by the seed, also decodes all poses. The crowd must be cheap enough not to
//! be the bottleneck.

pub(crate) mod calendar;
mod composition;
pub(crate) mod connections;
pub(crate) mod decoder;
pub(crate) mod flows;
pub(crate) mod impaired;
pub(crate) mod interval;
mod pace;
mod people;
pub(crate) mod pose_ledger;
pub(crate) mod protocol;
pub(crate) mod relayed;
pub(crate) mod screen;
pub(crate) mod simulated;
pub(crate) mod sockets;
pub(crate) mod tickets;
mod turn_marks;
pub(crate) mod watch;
pub(crate) mod webtransport;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use stoa_wire::motion::PathQuality;

pub(crate) use self::composition::CrowdSettings;
use self::connections::{CrowdConnections, GeneratorDatagramCounts, SAID_TOGETHER, listen};
use self::pace::FramePace;
use self::people::{CrowdPeople, object_number};
use self::pose_ledger::PoseArrivalRecorder;
use self::screen::{DrawnPose, ScreenModel};
use self::tickets::TicketSource;
use crate::bots::{BotKinematics, CrowdMovementModel, length, minus};
use crate::limits;
use crate::search::LoadNotCarried;
use crate::servers::motion::PolicyName;

/// All people, and their connections to the server.
pub(crate) struct Crowd<L> {
    pub(crate) connections: L,
    everybody: CrowdPeople,
}

/// Counts of frames and changes.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub(crate) struct CrowdFrameCounts {
    /// Frames that all people together received.
    pub(crate) frames: u64,
    /// Frames that the server sent to all people, by the newest sequence numbers.
    pub(crate) sent: u64,
    /// Frames that all people together sent.
    pub(crate) said: u64,
    /// Objects that entered or left interest sets.
    pub(crate) changes: u64,
    /// Received frames that carried at least one new change.
    pub(crate) change_frames: u64,
}

impl CrowdFrameCounts {
    /// Frames that were sent and did not arrive.
    pub(crate) fn lost(&self) -> u64 {
        self.sent.saturating_sub(self.frames)
    }

    pub(crate) fn since(self, before: &CrowdFrameCounts) -> CrowdFrameCounts {
        CrowdFrameCounts {
            frames: self.frames - before.frames,
            sent: self.sent - before.sent,
            said: self.said - before.said,
            changes: self.changes - before.changes,
            change_frames: self.change_frames - before.change_frames,
        }
    }
}

impl<L: CrowdConnections> Crowd<L> {
    pub(crate) fn new(cast: CrowdSettings, connections: L, bots: Box<dyn CrowdMovementModel>) -> Crowd<L> {
        Crowd { connections, everybody: CrowdPeople::new(cast, bots) }
    }

    /// Lets all people enter in waves and waits until their objects are confirmed. Admitted people send now and
    /// then meanwhile, since the server ends silent sessions.
    pub(crate) fn enter(&mut self, ticket_source: &mut TicketSource<'_>) -> Result<()> {
        let people = self.everybody.cast.people;
        if self.everybody.admitted == 0 {
            // Turns begin with the first wave, so that none is in arrears.
            self.everybody.began = Instant::now();
        }
        while self.everybody.admitted < people {
            let wave = self.everybody.admitted..people.min(self.everybody.admitted + L::WAVE);
            let tickets = ticket_source.young_tickets(wave)?;
            self.connections.admit(&tickets)?;
            self.everybody.admitted += tickets.len();
            self.await_shown(self.everybody.admitted)?;
        }
        Ok(())
    }

    /// Waits until the first `people` have entered and the server has confirmed their objects.
    fn await_shown(&mut self, people: usize) -> Result<()> {
        let deadline = Instant::now() + limits::ENTERING_TIMEOUT;
        loop {
            self.drive_at(FramePace::Waiting, self.now_us() + 100_000)?;
            let outside = (0..people).filter(|person| !self.connections.is_in(*person)).count();
            let unseen = (0..people).filter(|person| !self.everybody.is_shown::<L>(*person)).count();
            if outside == 0 && unseen == 0 {
                return Ok(());
            }
            if Instant::now() >= deadline {
                bail!(LoadNotCarried(format!(
                    "{outside} of {people} have not entered, {unseen} have unconfirmed objects"
                )));
            }
        }
    }

    /// Waits until every person knows all people of its scene. Only policy `all` shows each pair, so under other
    /// policies the call returns at once.
    pub(crate) fn await_roommates(&mut self, policy: PolicyName) -> Result<()> {
        if policy != PolicyName::All {
            return Ok(());
        }
        let deadline = Instant::now() + limits::ENTERING_TIMEOUT;
        while !self.everybody.all_know_their_roommates() {
            self.drive_at(FramePace::Waiting, self.now_us() + 100_000)?;
            if Instant::now() >= deadline {
                bail!(LoadNotCarried("not everyone knows all people of the scene".to_owned()));
            }
        }
        Ok(())
    }

    pub(crate) fn now_us(&self) -> u64 {
        self.everybody.now_us()
    }

    /// The state of all bots.
    pub(crate) fn bots(&self) -> &[BotKinematics] {
        self.everybody.bots.bots()
    }

    /// Starts bots that waited for everyone to enter.
    pub(crate) fn begin(&mut self) {
        self.everybody.bots.begin();
    }

    /// Gives screens to the people that decode all poses. Call it before anyone enters.
    pub(crate) fn show(&mut self) {
        self.everybody.screens =
            (0..self.everybody.cast.decoders).map(|_| ScreenModel::new(self.everybody.cast.period)).collect();
    }

    /// The current samples of all screens.
    pub(crate) fn draw(&self) -> impl Iterator<Item = DrawnPose> {
        let now_us = self.everybody.now_us();
        self.everybody.screens.iter().flat_map(move |screen| screen.draw(now_us))
    }

    /// Distance between a drawn position and the true one at `at_us`, in millimetres.
    pub(crate) fn away_mm(&self, sample: &DrawnPose, at_us: f64) -> f64 {
        let position = self.everybody.place_at(sample.object.person, at_us);
        length(minus(position, sample.position)) * 1_000.0
    }

    /// Starts a ledger that records arrivals between the two times.
    pub(crate) fn open_ledger(&mut self, window_us: (u64, u64)) {
        let CrowdSettings { decoders, people, objects, .. } = self.everybody.cast;
        let mut ledger = PoseArrivalRecorder::new((decoders, people * objects), window_us);
        let now_us = self.everybody.now_us();
        for (number, person) in self.everybody.people.iter().enumerate() {
            let Some((receiver, decoder)) = &person.decoder else { continue };
            let others = decoder.seen().filter(|object| object.person != number);
            others.for_each(|object| ledger.enter((*receiver, object_number(object, objects)), now_us));
        }
        self.everybody.ledger = Some(ledger);
    }

    /// Ends the ledger and returns it.
    pub(crate) fn close_ledger(&mut self) -> Option<PoseArrivalRecorder> {
        let mut ledger = self.everybody.ledger.take()?;
        ledger.close();
        Some(ledger)
    }

    /// Sends and receives until `until_us`.
    pub(crate) fn drive(&mut self, until_us: u64) -> Result<()> {
        self.drive_at(FramePace::Full, until_us)
    }

    fn drive_at(&mut self, pace: FramePace, until_us: u64) -> Result<()> {
        let Crowd { connections, everybody } = self;
        loop {
            let now_us = everybody.now_us();
            if now_us >= until_us {
                return Ok(());
            }
            // Even a late generator listens after each batch. Otherwise arrivals would overflow the sockets.
            let speaking_since = Instant::now();
            let enough = everybody.said + SAID_TOGETHER as u64;
            while everybody.said < enough
                && let Some((person, turn)) = everybody.calendar.next(now_us)
            {
                everybody.step_to(turn);
                if pace == FramePace::Full || everybody.has_to_speak(connections, person, now_us) {
                    everybody.say(connections, (person, turn));
                }
            }
            let wake_us = everybody.calendar.due_us().min(until_us);
            let wake_at = everybody.began + Duration::from_micros(wake_us);
            listen(connections, (speaking_since, wake_at), &mut |person, frame| {
                let now_us = everybody.now_us();
                if L::IS_RELAYED {
                    everybody.hear_relayed(person, frame, now_us);
                } else {
                    everybody.hear(person, frame, now_us);
                }
            })?;
        }
    }

    /// Counts of all people since the beginning.
    pub(crate) fn came(&self) -> CrowdFrameCounts {
        let mut came = CrowdFrameCounts { said: self.everybody.said, ..CrowdFrameCounts::default() };
        for protocol in self.everybody.people.iter().map(|person| &person.protocol) {
            let (received, newest) = protocol.came();
            let (changes, change_frames) = protocol.told();
            came.frames += u64::from(received);
            came.sent += u64::from(newest);
            came.changes += u64::from(changes);
            came.change_frames += u64::from(change_frames);
        }
        came
    }

    /// Mean number of objects in an interest set now, without one's own.
    pub(crate) fn around(&self) -> f64 {
        let people = self.everybody.people.iter().map(|person| f64::from(person.protocol.around()));
        people.sum::<f64>() / self.everybody.cast.people as f64 - self.everybody.cast.objects as f64
    }

    /// Number of pairs of a decoding person and another person's object in the same scene.
    pub(crate) fn pairs(&self) -> usize {
        let CrowdPeople { cast, people, .. } = &self.everybody;
        let looking = people.iter().enumerate().filter(|(_, person)| person.decoder.is_some());
        looking.map(|(person, _)| (cast.roommates(person).len() - 1) * cast.objects).sum()
    }

    pub(crate) fn counts(&self) -> GeneratorDatagramCounts {
        self.connections.counts()
    }

    /// Unreadable frames, and objects of people in other scenes, since the beginning.
    pub(crate) fn malformed(&self) -> u64 {
        self.everybody.malformed
    }

    /// The path quality that the server last reported to the people that decode all poses.
    pub(crate) fn qualities(&self) -> impl Iterator<Item = PathQuality> {
        let looking = self.everybody.people.iter().filter(|person| person.decoder.is_some());
        looking.filter_map(|person| person.protocol.quality)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::random_waypoint::RandomWaypointCrowd;

    /// Connections without arrivals, on which everyone has entered.
    impl CrowdConnections for () {
        const IS_RELAYED: bool = true;

        fn say(&mut self, _person: usize, _frame: &[u8]) {}

        fn receive(&mut self, _until: Instant, _hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
            Ok(0)
        }

        fn is_in(&self, _person: usize) -> bool {
            true
        }

        fn counts(&self) -> GeneratorDatagramCounts {
            GeneratorDatagramCounts::default()
        }
    }

    #[test]
    fn people_send_once_a_second_until_all_have_entered() {
        let cast = CrowdSettings { people: 4, period: Duration::from_millis(2), ..CrowdSettings::default() };
        let mut crowd = Crowd::new(cast, (), Box::new(RandomWaypointCrowd::new(4, 1)));
        let began = Instant::now();
        crowd.enter(&mut TicketSource::Open).expect("they are in");
        let most = 4 * (1 + began.elapsed().as_secs());
        assert!((4..=most).contains(&crowd.came().said), "{} of {most}", crowd.came().said);
        let (said, deadline) = (crowd.came().said, Instant::now() + Duration::from_secs(10));
        while crowd.came().said < said + 400 {
            crowd.drive(crowd.now_us() + 50_000).expect("a way");
            assert!(Instant::now() < deadline, "{}", crowd.came().said);
        }
    }
}
