//! The motion plane under simulation: people walk, enter and leave over paths that lose, delay, reorder and
//! duplicate datagrams. The result is compared with a simple model: the position of each object, and the interest sets
//! by the scene's policy.

mod faults;
mod people;
mod policies;
mod situations;

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use fastrand::Rng;
use stoa_state::limits as bounds;
use stoa_state::motion::interest::InterestSetPolicy;
use stoa_state::motion::send_timing::{self, MotionSceneLoad, SendTimingMode};
use stoa_state::motion::{
    MotionEntrant, MotionRights, MotionScene, MotionSessionId, MotionSettings, MotionTime, OutgoingFrame,
    SessionEndReason,
};
use stoa_state::time::Time;
use stoa_wire::motion::MotionObjectKind;

use self::people::{MotionPerson, MovedObject};
use crate::coverage::Coverage;
use crate::failure::Failure;
use crate::limits;
use crate::queue::EventQueue;
use crate::seeds::run_each;

pub use self::faults::InjectedMotionFault;
pub use self::situations::{MotionSituation, rows};

/// Path conditions of a seed.
#[derive(Clone, Copy, Debug)]
struct NetworkConditions {
    lost_percent: u32,
    doubled_percent: u32,
    delay_ms: u64,
    jitter_ms: u64,
}

enum MotionEvent {
    /// A frame reaches the server.
    ToServer { session: MotionSessionId, bytes: Vec<u8> },
    /// A frame reaches a client.
    ToClient { session: MotionSessionId, bytes: Vec<u8> },
    /// A person performs an action.
    Act { person: usize },
    /// A fifth of a tick has passed.
    Tick,
}

/// Frames sent within a second.
#[derive(Default)]
struct RecentlySentFrames {
    /// Time and bytes of each.
    frames: VecDeque<(Time, usize)>,
    /// Sum of their bytes.
    bytes: usize,
}

struct MotionSimulation {
    bug: Option<InjectedMotionFault>,
    rng: Rng,
    now: Time,
    events: EventQueue<MotionEvent>,
    scene: MotionScene,
    policy: InterestSetPolicy,
    budget_per_s: u32,
    serving: SendTimingMode,
    load: MotionSceneLoad,
    /// Frame count and time when the load was last measured.
    load_measured: (u64, Time),
    weather: NetworkConditions,
    people: Vec<MotionPerson>,
    /// Frames sent to each session in the last second.
    sent: BTreeMap<MotionSessionId, RecentlySentFrames>,
    is_resting: bool,
    coverage: Coverage<MotionSituation>,
}

/// Runs all seeds of `seeds`. Errors: the failure with the lowest seed among those found.
pub fn run_many(seeds: Range<u64>) -> Result<Coverage<MotionSituation>, Failure> {
    run_each(seeds, run)
}

/// Runs one seed.
pub fn run(seed: u64) -> Result<Coverage<MotionSituation>, Failure> {
    run_with(seed, None)
}

/// Runs one seed with a bug planted.
pub fn run_with(seed: u64, bug: Option<InjectedMotionFault>) -> Result<Coverage<MotionSituation>, Failure> {
    let mut world = MotionSimulation::new(seed, bug);
    let outcome = world.play();
    let at = world.now.since(Time::ZERO);
    outcome.map(|()| world.coverage).map_err(|what| Failure { seed, at, what, flags: "--motion " })
}

impl MotionSimulation {
    fn new(seed: u64, bug: Option<InjectedMotionFault>) -> MotionSimulation {
        let mut rng = Rng::with_seed(seed);
        let policy = policies::any(&mut rng);
        let budget_per_s =
            [limits::MOTION_BYTES_PER_S_TIGHT, bounds::MOTION_BYTES_PER_S_MIN, 1_024 * 1_024][rng.usize(..3)];
        let is_calm = rng.u32(..4) == 0;
        let weather = NetworkConditions {
            lost_percent: if is_calm { 0 } else { rng.u32(..=30) },
            doubled_percent: if is_calm { 0 } else { rng.u32(..=5) },
            delay_ms: rng.u64(..=limits::MOTION_DELAY_MAX_MS),
            jitter_ms: rng.u64(..=limits::MOTION_JITTER_MAX_MS),
        };
        let serving = [SendTimingMode::Auto, SendTimingMode::AtOnce, SendTimingMode::Ticks][rng.usize(..3)];
        let bytes_per_s = if bug == Some(InjectedMotionFault::BudgetIgnored) { budget_per_s * 4 } else { budget_per_s };
        let scene = MotionScene::new(MotionSettings { policy, bytes_per_s, has_voice: true });
        let mut world = MotionSimulation {
            bug,
            rng,
            now: Time::ZERO,
            events: EventQueue::default(),
            scene,
            policy,
            budget_per_s,
            serving,
            load: MotionSceneLoad { people: 0, frames: 0, is_at_once: true },
            load_measured: (0, Time::ZERO),
            weather,
            people: Vec::new(),
            sent: BTreeMap::new(),
            is_resting: false,
            coverage: Coverage::default(),
        };
        let count = world.rng.usize(3..=limits::MOTION_PEOPLE_MAX);
        for number in 0..count {
            world.people.push(MotionPerson::new(number, &mut world.rng));
            let wait_ms = world.rng.u64(..2_000);
            let at = world.after_ms(wait_ms);
            world.events.push(at, MotionEvent::Act { person: number });
        }
        world.events.push(world.now, MotionEvent::Tick);
        world.meet(MotionSituation::Policy(policy.name()));
        world
    }

    fn after_ms(&self, milliseconds: u64) -> Time {
        self.now + Duration::from_millis(milliseconds)
    }

    fn meet(&mut self, row: MotionSituation) {
        self.coverage.met(row);
    }

    fn play(&mut self) -> Result<(), String> {
        self.play_until(Time::from_secs(limits::MOTION_WALK_S))?;
        self.is_resting = true;
        self.play_until(Time::from_secs(limits::MOTION_WALK_S + limits::MOTION_REST_S))?;
        self.compare()
    }

    fn play_until(&mut self, end: Time) -> Result<(), String> {
        while let Some(at) = self.events.next_at().filter(|at| *at < end) {
            if self.events.happened() > limits::EVENTS_MAX {
                return Err(format!("more than {} events", limits::EVENTS_MAX));
            }
            self.now = at;
            let Some(event) = self.events.pop() else { break };
            match event {
                MotionEvent::ToServer { session, bytes } => {
                    self.scene.handle_frame(session, &bytes, at);
                    self.serve_at_once()?;
                }
                MotionEvent::ToClient { session, bytes } => self.receive(session, &bytes)?,
                MotionEvent::Act { person } => self.act(person)?,
                MotionEvent::Tick => self.tick()?,
            }
        }
        self.now = end;
        Ok(())
    }

    fn tick(&mut self) -> Result<(), String> {
        let mut frames = Vec::new();
        self.scene.tick(self.now, &mut |out| frames.push(bytes_of(out)));
        self.send(frames)?;
        if self.now.since(self.load_measured.1) >= Duration::from_secs(1) {
            let (taken, people) = (self.scene.counts().taken, self.scene.len());
            self.load = MotionSceneLoad { people, frames: taken - self.load_measured.0, ..self.load };
            send_timing::choose(self.serving, std::slice::from_mut(&mut self.load));
            self.load_measured = (taken, self.now);
        }
        while let Some((session, why)) = self.scene.poll_ended(self.now) {
            if why == SessionEndReason::Behind {
                return Err(format!("{session:?} has missed changes of its interest set"));
            }
            self.scene.leave(session, self.now);
            self.meet(MotionSituation::Silent);
        }
        self.events.push(self.now + bounds::MOTION_SUBTICK, MotionEvent::Tick);
        Ok(())
    }

    /// Serves receivers at once, as a server does when poses arrive.
    fn serve_at_once(&mut self) -> Result<(), String> {
        if !self.load.is_at_once || !self.serving.bears(self.scene.len()) || !self.scene.has_news() {
            return Ok(());
        }
        let mut frames = Vec::new();
        self.scene.flush(self.now, &mut |out| frames.push(bytes_of(out)));
        if !frames.is_empty() {
            self.meet(MotionSituation::AtOnce);
        }
        self.send(frames)
    }

    fn send(&mut self, frames: Vec<(MotionSessionId, Vec<u8>)>) -> Result<(), String> {
        for (session, bytes) in frames {
            self.check_budget(session, bytes.len())?;
            if let Some(bytes) = faults::tampered(self.bug, bytes, &mut self.rng) {
                self.post(|bytes| MotionEvent::ToClient { session, bytes }, &bytes);
            }
        }
        Ok(())
    }

    /// Checks a receiver's budget over each second, with a margin of two periods and one frame.
    fn check_budget(&mut self, session: MotionSessionId, bytes: usize) -> Result<(), String> {
        let RecentlySentFrames { frames, bytes: sent } = self.sent.entry(session).or_default();
        frames.push_back((self.now, bytes));
        *sent += bytes;
        while let Some((_, former)) = frames.pop_front_if(|(at, _)| self.now.since(*at) >= Duration::from_secs(1)) {
            *sent -= former;
        }
        let ready = self.budget_per_s as usize * 2 * bounds::MOTION_PERIOD_MS as usize / 1_000;
        let most = self.budget_per_s as usize + ready + stoa_wire::limits::FRAME_BYTES_MAX;
        if *sent > most { Err(format!("{sent} bytes in a second to {session:?}, at most {most}")) } else { Ok(()) }
    }

    /// Sends a frame, which may be lost, delayed or duplicated.
    fn post(&mut self, event: impl Fn(Vec<u8>) -> MotionEvent, bytes: &[u8]) {
        let NetworkConditions { lost_percent, doubled_percent, delay_ms, jitter_ms } = self.weather;
        let copies = if self.rng.u32(..100) < doubled_percent { 2 } else { 1 };
        for _ in 0..copies {
            if self.rng.u32(..100) < lost_percent {
                continue;
            }
            let transit_ms = delay_ms + self.rng.u64(..=jitter_ms);
            let at = self.after_ms(transit_ms);
            self.events.push(at, event(bytes.to_vec()));
        }
    }

    fn receive(&mut self, session: MotionSessionId, bytes: &[u8]) -> Result<(), String> {
        let Some(person) = self.people.iter_mut().find(|person| person.session == Some(session)) else { return Ok(()) };
        person.replica.handle_frame(bytes, self.now).map_err(|error| format!("the server says no frame: {error}"))
    }

    fn act(&mut self, number: usize) -> Result<(), String> {
        let person = &mut self.people[number];
        let Some(session) = person.session else {
            let entrant = MotionEntrant { id_tag: person.id_tag.clone(), rights: MotionRights::ALL };
            person.enter(self.scene.enter(entrant, self.now), self.now);
            self.events.push(self.now, MotionEvent::Act { person: number });
            return Ok(());
        };
        if !self.is_resting && self.rng.u32(..1_500) == 0 {
            // The person leaves: orderly, or by a cut connection.
            if self.rng.bool() {
                self.scene.leave(session, self.now);
                self.meet(MotionSituation::Left);
            }
            self.people[number].session = None;
            let away_ms = self.rng.u64(500..limits::MOTION_AWAY_MAX_MS);
            self.events.push(self.after_ms(away_ms), MotionEvent::Act { person: number });
            return Ok(());
        }
        if !self.is_resting {
            person.walk(&mut self.rng);
            if person.toggle(&mut self.rng, self.now) {
                self.coverage.met(MotionSituation::Withdrawn);
            }
        }
        let frame = person.frame(self.now);
        self.check_ages(number)?;
        self.post(|bytes| MotionEvent::ToServer { session, bytes }, &frame);
        self.events.push(self.after_ms(limits::MOTION_ACT_MS), MotionEvent::Act { person: number });
        Ok(())
    }

    /// Checks that no pose a person sees is older than annex A (6) of `spec/wire.md` allows, plus the path's delay and
    /// losses. Covers objects whose poses have been sent for longer than this age.
    fn check_ages(&mut self, number: usize) -> Result<(), String> {
        let person = &self.people[number];
        let count = person.replica.objects().count();
        let most_ms = self.age_max_ms(count);
        let is_settled = |object: &MovedObject| {
            let owner = self.people.iter().find(|other| other.id_tag == object.owner);
            owner.is_some_and(|owner| owner.session.is_some() && self.now.since(object.since).as_millis() > most_ms)
        };
        for (_, seen) in person.replica.objects() {
            // A new object is shown at its baseline until the next tick.
            let age_ms =
                self.now.since(seen.appeared_at).as_millis().min(MotionTime::at(self.now).since(seen.captured).into());
            let is_seen = |object: &MovedObject| object.kind == seen.kind && object.name == seen.name;
            let mut objects = self.people.iter().flat_map(MotionPerson::objects);
            if age_ms > most_ms && objects.any(|object| is_seen(&object) && is_settled(&object)) {
                return Err(format!(
                    "{} sees {} as it was {age_ms} ms ago, at most {most_ms}; {count} around it by {:?}, {:?}, {} bytes a second",
                    person.id_tag, seen.name, self.policy, self.weather, self.budget_per_s
                ));
            }
        }
        Ok(())
    }

    /// Maximum age of a pose for a person with `count` objects in the interest set.
    fn age_max_ms(&self, count: usize) -> u128 {
        let rate = bounds::MOTION_BYTES_PER_S_MIN.min(self.budget_per_s);
        let room = (rate * bounds::MOTION_PERIOD_MS / 1_000).saturating_sub(limits::MOTION_OVERHEAD_BYTES);
        let fit = (room as usize / stoa_wire::motion::PoseDelta::BYTES_MAX).max(1);
        let ticks = 8 * count / fit + 1;
        let NetworkConditions { lost_percent, delay_ms, jitter_ms, .. } = self.weather;
        // With losses, one of thirty successive frames arrives in all known runs, and the request for a lost baseline
        // takes one more round trip.
        let (turns, ways) = if lost_percent > 0 { (limits::MOTION_TURNS_LOST, 4) } else { (2, 2) };
        // An object that left the set is shown until the client learns of it; of twelve frames with the change one
        // arrives.
        let change_attempts = if lost_percent > 0 { 12 } else { 2 };
        let leaving_ms =
            if self.policy == InterestSetPolicy::All { 0 } else { change_attempts * bounds::MOTION_PATIENCE_MS_MAX };
        let poses_ms = (ticks * turns) as u128 * u128::from(bounds::MOTION_PERIOD_MS);
        poses_ms + u128::from(ways * (delay_ms + jitter_ms)) + u128::from(leaving_ms)
    }

    /// Compares at rest: everyone sees the objects of the policy, at their positions.
    fn compare(&mut self) -> Result<(), String> {
        let objects: Vec<MovedObject> =
            self.people.iter().filter(|person| person.session.is_some()).flat_map(MotionPerson::objects).collect();
        for person in self.people.iter().filter(|person| person.session.is_some()) {
            let wanted = policies::expected_set(self.policy, person, &objects);
            let seen: BTreeSet<(MotionObjectKind, String)> =
                person.replica.objects().map(|(_, seen)| (seen.kind, seen.name.clone())).collect();
            let [must, may] = [&wanted.must, &wanted.may];
            if let Some((kind, name)) = must.iter().find(|one| !seen.contains(one)) {
                return Err(format!("{} has not {kind:?} {name} around it", person.id_tag));
            }
            if let Some((kind, name)) = seen.iter().find(|one| !must.contains(one) && !may.contains(one)) {
                return Err(format!("{} still has {kind:?} {name} around it", person.id_tag));
            }
            for (_, seen) in person.replica.objects() {
                let Some(object) = objects.iter().find(|object| object.kind == seen.kind && object.name == seen.name)
                else {
                    continue;
                };
                if object.pose != seen.pose {
                    let (is, shown) = (object.pose.position, seen.pose.position);
                    return Err(format!("{} sees {} at {shown:?}, and it is at {is:?}", person.id_tag, object.name));
                }
            }
        }
        if self.weather.lost_percent > 20 {
            self.meet(MotionSituation::MuchLost);
        }
        if self.scene.counts().thinned > 0 {
            self.meet(MotionSituation::Thinned);
        }
        self.meet(MotionSituation::Agreed);
        Ok(())
    }
}

fn bytes_of(out: OutgoingFrame<'_>) -> (MotionSessionId, Vec<u8>) {
    (out.session, [&out.head, out.own, out.shared, &vec![0; out.padding]].concat())
}
