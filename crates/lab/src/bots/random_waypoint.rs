//! Randomwalk: a bot picks a random position, walks there at 3 m/s, and picks the next. Source: Ubiq section V-A.
//!
//! Positions are picked evenly from the whole area, as the paper says, so the density is somewhat higher in the
//! middle, at any size alike. Bots walk at constant speed: the paper mentions no pause and no slower corners.

use std::time::Duration;

use fastrand::Rng;

use super::{BotKinematics, CrowdMovementModel, GroundVector, length, minus, plus, side_m, somewhere, times};

/// Walking speed. Source: Ubiq section V-A.
pub(crate) const SPEED_M_PER_S: f64 = 3.0;

/// A crowd of walkers.
#[derive(Debug)]
pub(crate) struct RandomWaypointCrowd {
    rng: Rng,
    side_m: f64,
    bots: Vec<BotKinematics>,
    /// The destination of each bot.
    goals: Vec<GroundVector>,
}

impl RandomWaypointCrowd {
    /// Walkers scattered evenly over the area for their number.
    pub(crate) fn new(bots: usize, seed: u64) -> RandomWaypointCrowd {
        RandomWaypointCrowd::within(side_m(bots), bots, seed)
    }

    /// Walkers in a square of side `side_m`.
    pub(crate) fn within(side_m: f64, bots: usize, seed: u64) -> RandomWaypointCrowd {
        let mut rng = Rng::with_seed(seed);
        let bots: Vec<BotKinematics> = (0..bots).map(|_| BotKinematics::somewhere(&mut rng, side_m)).collect();
        let goals = bots.iter().map(|_| somewhere(&mut rng, side_m)).collect();
        RandomWaypointCrowd { rng, side_m, bots, goals }
    }
}

impl CrowdMovementModel for RandomWaypointCrowd {
    fn step(&mut self, dt: Duration) {
        let dt_s = dt.as_secs_f64();
        for (bot, goal) in self.bots.iter_mut().zip(&mut self.goals) {
            let mut left_m = SPEED_M_PER_S * dt_s;
            let mut way = minus(*goal, bot.position);
            while length(way) <= left_m {
                left_m -= length(way);
                bot.position = *goal;
                *goal = somewhere(&mut self.rng, self.side_m);
                way = minus(*goal, bot.position);
            }
            let ahead = times(way, 1.0 / length(way));
            bot.position = plus(bot.position, times(ahead, left_m));
            bot.velocity = times(ahead, SPEED_M_PER_S);
            bot.turn(dt_s);
        }
    }

    fn bots(&self) -> &[BotKinematics] {
        &self.bots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_walk_at_three_metres_a_second_and_reach_their_goals() {
        let mut walk = RandomWaypointCrowd::new(20, 1);
        let (start, goals) = (walk.bots[0].position, walk.goals.clone());
        walk.step(Duration::from_millis(10));
        let way = length(minus(walk.bots[0].position, start));
        assert!((way - 0.03).abs() < 1e-9 || walk.goals[0] != goals[0], "{way} m in 10 ms");
        // The longest path is the diagonal.
        let longest_s = side_m(20) * 2_f64.sqrt() / SPEED_M_PER_S;
        walk.step(Duration::from_secs_f64(longest_s));
        assert!(walk.goals.iter().zip(&goals).all(|(goal, before)| goal != before));
    }

    #[test]
    fn bots_cross_as_many_hex_cells_a_minute_as_in_the_paper() {
        let mut walk = RandomWaypointCrowd::new(100, 2);
        let lattice = stoa_state::motion::interest::HexLattice::new(stoa_state::limits::HEX_CELL_MM_DEFAULT);
        let cell =
            |bot: &BotKinematics| lattice.cell([(bot.position[0] * 1e3) as i32, 0, (bot.position[1] * 1e3) as i32]);
        let (mut before, mut changes) = (walk.bots.iter().map(cell).collect::<Vec<_>>(), 0);
        for _ in 0..1_200 {
            walk.step(Duration::from_millis(50));
            let now: Vec<_> = walk.bots.iter().map(cell).collect();
            changes += now.iter().zip(&before).filter(|(now, before)| now != before).count();
            before = now;
        }
        // "A Randomwalk bot visits an average of 12 ± 2 rooms every 60 seconds."
        let each = changes as f64 / 100.0;
        assert!((10.0..=14.0).contains(&each), "{each} cells a minute");
    }
}
