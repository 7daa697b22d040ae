//! Emulates a bad network path in user space, seeded: in both directions it loses frames and delays them by a varying
//! time, which also reorders them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use anyhow::Result;
use fastrand::Rng;
use serde_json::Value;

use super::connections::{CrowdConnections, GeneratorDatagramCounts};

/// Quality of the path, in each direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkImpairment {
    /// Share of frames that are lost.
    pub(crate) loss: f64,
    pub(crate) delay: Duration,
    /// Maximum of the additional delay, evenly distributed.
    pub(crate) jitter: Duration,
    pub(crate) seed: u64,
}

/// Connections behind a bad path.
pub(crate) struct ImpairedConnections<L> {
    connections: L,
    up: ImpairedDirection,
    down: ImpairedDirection,
}

/// Due time, number, person, bytes.
type DelayedFrame = (Instant, u64, usize, Vec<u8>);

/// One direction.
struct ImpairedDirection {
    impairment: LinkImpairment,
    rng: Rng,
    /// Frames on the path, by due time and then by arrival.
    on_it: BinaryHeap<Reverse<DelayedFrame>>,
    count: u64,
}

impl<L> ImpairedConnections<L> {
    pub(crate) fn new(connections: L, impairment: LinkImpairment) -> ImpairedConnections<L> {
        let link =
            |seed| ImpairedDirection { impairment, rng: Rng::with_seed(seed), on_it: BinaryHeap::new(), count: 0 };
        ImpairedConnections { connections, up: link(impairment.seed), down: link(!impairment.seed) }
    }
}

impl ImpairedDirection {
    fn put(&mut self, person: usize, frame: &[u8], now: Instant) {
        if self.rng.f64() < self.impairment.loss {
            return;
        }
        let due = now + self.impairment.delay + self.impairment.jitter.mul_f64(self.rng.f64());
        self.count += 1;
        self.on_it.push(Reverse((due, self.count, person, frame.to_vec())));
    }

    fn take(&mut self, now: Instant) -> Option<(usize, Vec<u8>)> {
        self.on_it.peek().filter(|Reverse((due, ..))| *due <= now)?;
        self.on_it.pop().map(|Reverse((_, _, person, frame))| (person, frame))
    }

    fn due(&self) -> Option<Instant> {
        self.on_it.peek().map(|Reverse((due, ..))| *due)
    }
}

impl<L: CrowdConnections> CrowdConnections for ImpairedConnections<L> {
    const WAVE: usize = L::WAVE;

    fn admit(&mut self, tickets: &[Value]) -> Result<()> {
        self.connections.admit(tickets)
    }

    fn say(&mut self, person: usize, frame: &[u8]) {
        self.up.put(person, frame, Instant::now());
    }

    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
        let ImpairedConnections { connections, up, down } = self;
        let now = Instant::now();
        while let Some((person, frame)) = up.take(now) {
            connections.say(person, &frame);
        }
        let mut came = 0;
        while let Some((person, frame)) = down.take(now) {
            came += 1;
            hear(person, &frame);
        }
        let wake = [up.due(), down.due()].into_iter().flatten().fold(until, Instant::min);
        let until = if came > 0 { now } else { wake };
        Ok(came + connections.receive(until, &mut |person, frame| down.put(person, frame, Instant::now()))?)
    }

    fn is_in(&self, person: usize) -> bool {
        self.connections.is_in(person)
    }

    fn counts(&self) -> GeneratorDatagramCounts {
        self.connections.counts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn come(loss: f64) -> Vec<(u128, usize)> {
        let (delay, jitter) = (Duration::from_millis(100), Duration::from_millis(50));
        let impairment = LinkImpairment { loss, delay, jitter, seed: 3 };
        let mut link = ImpairedConnections::new((), impairment).up;
        let now = Instant::now();
        (0..1_000).for_each(|person| link.put(person, b"frame", now));
        let mut came = Vec::new();
        while let Some(due) = link.due() {
            assert!(link.take(due - Duration::from_nanos(1)).is_none(), "nothing comes before its time");
            let (person, _) = link.take(due).expect("it is due");
            came.push(((due - now).as_millis(), person));
        }
        came
    }

    #[test]
    fn an_impaired_path_loses_delays_and_reorders_frames_as_set() {
        let came = come(0.2);
        assert!((760..840).contains(&came.len()), "{}", came.len());
        assert!(came.iter().all(|(late_ms, _)| (100..=150).contains(late_ms)));
        assert!(!came.is_sorted_by_key(|(_, person)| *person), "in another order");
        assert_eq!(come(0.2), came, "the same seed, the same way");
        assert_eq!(come(0.0).len(), 1_000, "negative control");
    }
}
