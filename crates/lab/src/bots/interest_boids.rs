//! Moves flocking bots (boids) that know only the bots in their interest set under a policy, as in Ubiq's runs.

use std::time::Duration;

use stoa_state::motion::interest::{
    InterestInput, InterestItem, InterestSetPolicy, InterestSets, ItemId, Observer, ObserverId,
};
use stoa_state::time::Time;

use super::boids::{Boids, FlockingWeights};
use super::{BotKinematics, CrowdMovementModel, side_m};

/// A flock with the interest set of each boid.
#[derive(Debug)]
pub(crate) struct InterestFilteredBoids {
    boids: Boids,
    interest: InterestSets,
    sets: Vec<Vec<usize>>,
    now: Time,
}

impl InterestFilteredBoids {
    pub(crate) fn new(bots: usize, seed: u64, policy: InterestSetPolicy) -> InterestFilteredBoids {
        InterestFilteredBoids::of(Boids::within(side_m(bots), bots, (seed, FlockingWeights::default())), policy)
    }

    /// Limits the sight of a flock's boids by a policy.
    pub(crate) fn of(boids: Boids, policy: InterestSetPolicy) -> InterestFilteredBoids {
        let bots = boids.bots().len();
        InterestFilteredBoids {
            boids,
            interest: InterestSets::new(policy),
            sets: vec![Vec::new(); bots],
            now: Time::ZERO,
        }
    }

    fn look(&mut self) {
        let places =
            self.boids.bots().iter().map(|bot| [(bot.position[0] * 1e3) as i32, 0, (bot.position[1] * 1e3) as i32]);
        let (mut items, mut observers) = (Vec::new(), Vec::new());
        for (slot, position) in (0..).zip(places) {
            let id = ObserverId(slot);
            items.push(InterestItem { id: ItemId(slot), owner: Some(id), position });
            observers.push(Observer { id, position });
        }
        self.interest.update(InterestInput { items: &items, observers: &observers }, self.now, &mut Vec::new());
        for (slot, set) in (0..).zip(&mut self.sets) {
            set.clear();
            let visible = self.interest.visible(ObserverId(slot)).map(|item| item.0 as usize);
            set.extend(visible.filter(|other| *other != slot as usize));
        }
    }
}

impl CrowdMovementModel for InterestFilteredBoids {
    fn step(&mut self, dt: Duration) {
        if self.now >= self.interest.poll_timeout() {
            self.look();
        }
        self.boids.step_seeing(&self.sets, dt);
        self.now = self.now + dt;
    }

    fn bots(&self) -> &[BotKinematics] {
        self.boids.bots()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::{length, minus};

    #[test]
    fn interest_sets_under_nearest_contain_no_distant_boids() {
        let mut boids = InterestFilteredBoids::new(200, 3, InterestSetPolicy::NEAREST);
        (0..20).for_each(|_| boids.step(Duration::from_millis(50)));
        let count = stoa_state::limits::NEAREST_COUNT_DEFAULT as usize;
        assert!(boids.sets.iter().all(|set| set.len() >= count), "{:?}", boids.sets);
        let far = |at: usize| {
            let apart = |other: &usize| length(minus(boids.bots()[at].position, boids.bots()[*other].position));
            boids.sets[at].iter().map(apart).fold(0.0, f64::max)
        };
        let farthest = (0..200).map(far).fold(0.0, f64::max);
        assert!(farthest < crate::bots::side_m(200) / 2.0, "{farthest} m");
    }
}
