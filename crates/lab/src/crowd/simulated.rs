//! Runs a crowd against `MotionScene` in virtual time, without server, network, delay or loss, to predict each
//! receiver's load. A measurement with a real server should show the same values.

use std::collections::HashMap;
use std::time::Duration;

use stoa_state::motion::{MotionEntrant, MotionRights, MotionScene, MotionSessionId, MotionSettings};
use stoa_state::time::Time;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::FrameEntriesWriter;
use stoa_wire::motion::frame::HEAD_BYTES;

use super::calendar::SendTurnSchedule;
use super::composition::CrowdSettings;
use super::protocol::{OutgoingPosesAndRequests, ProtocolState};
use super::turn_marks::poses_of;
use crate::bots::CrowdMovementModel;
use crate::load::person::PersonIdentifiers;

const SUBTICK_US: u64 = stoa_state::limits::MOTION_SUBTICK.as_micros() as u64;
/// netcode's overhead of a frame: packet type, sequence number and tag. The sequence number has two bytes between the
/// 257th packet and about an hour, which covers the window.
const SEAL_BYTES: u64 = 1 + 2 + 16;

/// A receiver's rates, averaged over all receivers and the window.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct MeanReceiverRates {
    /// Objects in its interest set, without its own.
    pub(crate) fan_in: f64,
    /// Bytes of datagrams, as received.
    pub(crate) bytes_per_s: f64,
    /// Objects that entered or left its interest set.
    pub(crate) changes_per_s: f64,
}

struct SimulatedScene {
    cast: CrowdSettings,
    scene: MotionScene,
    sessions: Vec<MotionSessionId>,
    numbers: HashMap<MotionSessionId, usize>,
    people: Vec<ProtocolState>,
    bots: Box<dyn CrowdMovementModel>,
    turn: u64,
    writer: FrameEntriesWriter,
    /// Frames of one tick.
    frames: Vec<(MotionSessionId, Vec<u8>)>,
    received_bytes: u64,
    received_changes: u64,
}

/// Simulates one scene in which everyone is present from the start. Counts between the two times.
pub(crate) fn simulate(
    cast: CrowdSettings,
    settings: MotionSettings,
    bots: Box<dyn CrowdMovementModel>,
    window_us: (u64, u64),
) -> MeanReceiverRates {
    let mut scene = MotionScene::new(settings);
    let names = (0..cast.people).map(|person| PersonIdentifiers::of(person).id_tag);
    let entrant = |id_tag| MotionEntrant { id_tag, rights: MotionRights { may_track: false, ..MotionRights::ALL } };
    let sessions: Vec<MotionSessionId> = names.clone().map(|id_tag| scene.enter(entrant(id_tag), Time::ZERO)).collect();
    let numbers = sessions.iter().enumerate().map(|(number, session)| (*session, number)).collect();
    let mut simulated = SimulatedScene {
        cast,
        scene,
        sessions,
        numbers,
        people: names.map(ProtocolState::new).collect(),
        bots,
        turn: 0,
        writer: FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES),
        frames: Vec::new(),
        received_bytes: 0,
        received_changes: 0,
    };
    let mut calendar = SendTurnSchedule::new(cast.people, cast.period_us(), cast.seed);
    let (mut tick_us, mut held_us) = (SUBTICK_US, 0);
    while tick_us < window_us.1 {
        while let Some(turn) = calendar.next(tick_us) {
            simulated.say(turn, calendar.due_of(turn.0, turn.1));
        }
        simulated.tick(tick_us, window_us.0);
        if tick_us >= window_us.0 {
            held_us += simulated.people.iter().map(|person| u64::from(person.around())).sum::<u64>() * SUBTICK_US;
        }
        tick_us += SUBTICK_US;
    }
    let receiver_us = (window_us.1 - window_us.0) as f64 * cast.people as f64;
    MeanReceiverRates {
        fan_in: held_us as f64 / receiver_us - cast.objects as f64,
        bytes_per_s: simulated.received_bytes as f64 * 1e6 / receiver_us,
        changes_per_s: simulated.received_changes as f64 * 1e6 / receiver_us,
    }
}

impl SimulatedScene {
    fn say(&mut self, (person, turn): (usize, u64), now_us: u64) {
        while self.turn < turn {
            self.bots.step(self.cast.period);
            self.turn += 1;
        }
        let poses = poses_of(&self.bots.bots()[person].pose(), turn);
        let saying = OutgoingPosesAndRequests { poses: &poses[..self.cast.objects], asks: &[], now_us };
        let head = self.people[person].say(&saying, &mut self.writer);
        let frame = [&head[..], self.writer.bytes()].concat();
        self.scene.handle_frame(self.sessions[person], &frame, at(now_us));
    }

    fn tick(&mut self, now_us: u64, counted_from_us: u64) {
        let frames = &mut self.frames;
        self.scene.tick(at(now_us), &mut |outgoing| {
            let mut frame = [&outgoing.head[..], outgoing.own, outgoing.shared].concat();
            frame.resize(frame.len() + outgoing.padding, 0);
            frames.push((outgoing.session, frame));
        });
        for (session, frame) in self.frames.drain(..) {
            let mut changes = 0;
            self.people[self.numbers[&session]].take(&frame, now_us, &mut |_| changes += 1);
            if now_us >= counted_from_us {
                self.received_bytes += frame.len() as u64 + SEAL_BYTES;
                self.received_changes += changes;
            }
        }
    }
}

fn at(now_us: u64) -> Time {
    Time::ZERO + Duration::from_micros(now_us)
}

#[cfg(test)]
mod tests {
    use stoa_state::motion::interest::InterestSetPolicy;

    use super::*;
    use crate::bots::random_waypoint::RandomWaypointCrowd;

    #[test]
    fn interest_sets_are_complete_under_all_and_small_under_nearest() {
        let told = |policy| {
            let cast = CrowdSettings { people: 40, seed: 3, ..CrowdSettings::default() };
            let settings = MotionSettings { policy, ..MotionSettings::default() };
            simulate(cast, settings, Box::new(RandomWaypointCrowd::new(40, 3)), (3_000_000, 8_000_000))
        };
        let (all, nearest) = (told(InterestSetPolicy::All), told(InterestSetPolicy::Nearest { count: 5 }));
        assert!((all.fan_in - 39.0).abs() < 1e-9 && all.changes_per_s == 0.0, "{all:?}");
        assert!((5.0..7.0).contains(&nearest.fan_in) && nearest.changes_per_s > 0.0, "{nearest:?}");
        assert!(nearest.bytes_per_s < all.bytes_per_s / 3.0, "{nearest:?}, {all:?}");
        // 39 people send 20 poses a second of at least 12 bytes.
        assert!((39.0 * 20.0 * 12.0..39.0 * 20.0 * 40.0).contains(&all.bytes_per_s), "{all:?}");
    }
}
