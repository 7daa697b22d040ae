//! Moves boids that steer by the poses that a server delivered to each, at their real age. There are several flocks of
//! one size, unknown to each other.

use std::collections::BTreeMap;
use std::time::Duration;

use super::boids::{Boids, FlockingWeights, Neighbour};
use super::{BotKinematics, CrowdMovementModel, GroundVector, length, minus, times};

/// Flocks that rest until [`CrowdMovementModel::begin`].
#[derive(Debug)]
pub(crate) struct NetworkedFlocks {
    flocks: Vec<Boids>,
    size: usize,
    /// All boids, flock by flock.
    bots: Vec<BotKinematics>,
    /// For each boid, the last received states of other boids, by their numbers.
    seen: Vec<BTreeMap<usize, ReceivedNeighbour>>,
    /// The same states, as arguments of [`Boids::step_told`].
    known: Vec<Vec<Neighbour>>,
    has_begun: bool,
}

/// The last received state of another boid.
#[derive(Clone, Copy, Debug)]
struct ReceivedNeighbour {
    known: Neighbour,
    at_us: u64,
}

impl NetworkedFlocks {
    /// Flocks of one size.
    pub(crate) fn new(flocks: Vec<Boids>) -> NetworkedFlocks {
        let size = flocks.first().map_or(1, |flock| flock.bots().len());
        let bots: Vec<BotKinematics> = flocks.iter().flat_map(|flock| flock.bots().to_vec()).collect();
        let seen = vec![BTreeMap::new(); bots.len()];
        NetworkedFlocks { flocks, size, known: vec![Vec::new(); bots.len()], bots, seen, has_begun: false }
    }
}

impl CrowdMovementModel for NetworkedFlocks {
    fn step(&mut self, dt: Duration) {
        if !self.has_begun {
            return;
        }
        for (known, seen) in self.known.iter_mut().zip(&self.seen) {
            known.clear();
            known.extend(seen.values().map(|seen| seen.known));
        }
        let known = self.known.chunks(self.size).zip(self.bots.chunks_mut(self.size));
        for (flock, (known, bots)) in self.flocks.iter_mut().zip(known) {
            flock.step_told(|at| known[at].as_slice(), dt);
            bots.clone_from_slice(flock.bots());
        }
    }

    fn bots(&self) -> &[BotKinematics] {
        &self.bots
    }

    fn are_told(&self) -> bool {
        true
    }

    /// Stores a received position. Poses carry no velocity, so it is computed: the distance from the previous pose over
    /// time, at most a boid's maximum speed.
    fn see(&mut self, (observer, other): (usize, usize), position: GroundVector, now_us: u64) {
        if observer == other {
            return;
        }
        let mut known = Neighbour { position, velocity: [0.0; 2] };
        if let Some(before) = self.seen[observer].get(&other) {
            let elapsed_s = now_us.saturating_sub(before.at_us) as f64 / 1e6;
            let velocity = times(minus(position, before.known.position), 1.0 / elapsed_s.max(1e-3));
            let speed_max = FlockingWeights::default().speed_max_m_per_s;
            known.velocity = times(velocity, (speed_max / length(velocity).max(speed_max)).min(1.0));
        }
        self.seen[observer].insert(other, ReceivedNeighbour { known, at_us: now_us });
    }

    fn lose(&mut self, (observer, other): (usize, usize)) {
        self.seen[observer].remove(&other);
    }

    fn begin(&mut self) {
        self.has_begun = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::flock::extension_m;

    const TICK: Duration = Duration::from_millis(50);

    /// The largest extension of two flocks after twenty seconds, with or without deliveries.
    fn flock(is_told: bool, begins: bool) -> f64 {
        let mut boids = NetworkedFlocks::new(
            [4, 5].map(|seed| Boids::within(100.0, 30, (seed, FlockingWeights::default()))).to_vec(),
        );
        if begins {
            boids.begin();
        }
        for turn in 0..400 {
            if is_told {
                let places: Vec<GroundVector> = boids.bots().iter().map(|bot| bot.position).collect();
                for (observer, other) in (0..60).flat_map(|one| (0..60).map(move |other| (one, other))) {
                    if observer / 30 == other / 30 {
                        boids.see((observer, other), places[other], turn * 50_000);
                    }
                }
            }
            boids.step(TICK);
        }
        extension_m(&boids.bots()[..30]).max(extension_m(&boids.bots()[30..]))
    }

    #[test]
    fn networked_boids_flock_only_by_received_poses() {
        assert!(flock(true, true) < 15.0, "{}", flock(true, true));
        assert!(flock(false, true) > 30.0, "negative control: nobody is told of anybody: {}", flock(false, true));
        assert!(flock(true, false) > 30.0, "nobody moves before the beginning: {}", flock(true, false));
    }

    #[test]
    fn a_lost_neighbour_no_longer_attracts_a_boid() {
        let mut boids = NetworkedFlocks::new(vec![Boids::within(100.0, 2, (1, FlockingWeights::default()))]);
        boids.begin();
        boids.see((0, 1), [40.0, 0.0], 0);
        boids.lose((0, 1));
        let before = boids.bots()[0].clone();
        boids.step(TICK);
        // Alone it continues in its direction.
        let way = minus(boids.bots()[0].position, before.position);
        assert!((length(way) - length(before.velocity) * 0.05).abs() < 1e-3, "{way:?}");
        boids.see((0, 1), [40.0, 0.0], 0);
        let before = boids.bots()[0].clone();
        boids.step(TICK);
        let way = minus(boids.bots()[0].position, before.position);
        assert!((length(way) - length(before.velocity) * 0.05).abs() > 1e-3, "negative control: {way:?}");
    }
}
