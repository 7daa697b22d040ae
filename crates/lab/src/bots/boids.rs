//! Moves boids: bots that flock by the positions of the bots they see. Source: Ubiq section V-A, which states neither
//! law nor weights. Law and weights are those of `BotBoidAgent`, public code written for Ubiq: a pull to the middle of
//! the visible bots, a little of their mean velocity, and a push away from each bot within `proximity_m`, proportional
//! to the distance. A bot counts among its own visible bots.
//!
//! Unlike in `BotBoidAgent`, boids walk on the ground, all step at the same time, and are put back at the edge of the
//! area, whose size depends on their number.

use std::time::Duration;

use fastrand::Rng;

#[cfg(test)]
use super::side_m;
use super::{BotKinematics, CrowdMovementModel, GroundVector, length, minus, plus, times};

/// The longest step: a tick of 20 Hz. Longer steps are split, since a push applied for too long throws a flock
/// apart. (`BotBoidAgent` counts at most 100 ms.)
const STEP_MAX: Duration = Duration::from_millis(50);

/// The law's weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlockingWeights {
    /// Acceleration to the middle of the visible bots, for each metre to it; 1/s².
    pub(crate) pull: f64,
    /// Acceleration along the mean velocity of the visible bots; 1/s.
    pub(crate) inertia: f64,
    /// Acceleration away from each bot within `proximity_m`, for each metre between them; 1/s².
    pub(crate) proximity: f64,
    /// Radius of the push.
    pub(crate) proximity_m: f64,
    pub(crate) speed_max_m_per_s: f64,
}

impl Default for FlockingWeights {
    /// The initial values of `BotBoidAgent`. 15 m/s is no walking speed, but makes flocks comparable with the
    /// paper's.
    fn default() -> FlockingWeights {
        FlockingWeights { pull: 1.0, inertia: 0.005, proximity: 2.5, proximity_m: 5.0, speed_max_m_per_s: 15.0 }
    }
}

/// A flock.
#[derive(Clone, Debug)]
pub(crate) struct Boids {
    law: FlockingWeights,
    half_m: f64,
    bots: Vec<BotKinematics>,
    accelerations: Vec<GroundVector>,
    /// All bots by their square of side `proximity_m`, ascending.
    squares: Vec<(GridSquare, usize)>,
}

/// A bot's knowledge of another bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Neighbour {
    pub(crate) position: GroundVector,
    pub(crate) velocity: GroundVector,
}

/// Column and row.
type GridSquare = [i64; 2];

impl Boids {
    /// Boids in the area for their number, as [`Boids::within`] scatters them.
    #[cfg(test)]
    pub(crate) fn new(bots: usize, seed: u64, law: FlockingWeights) -> Boids {
        Boids::within(side_m(bots), bots, (seed, law))
    }

    /// Boids scattered evenly over a square of side `side_m`, each moving at 1 m/s in its own direction (as
    /// `BotBoidAgent` begins).
    pub(crate) fn within(side_m: f64, bots: usize, (seed, law): (u64, FlockingWeights)) -> Boids {
        let mut rng = Rng::with_seed(seed);
        let begin = |_| {
            let mut bot = BotKinematics::somewhere(&mut rng, side_m);
            let (sine, cosine) = bot.heading_rad.sin_cos();
            bot.velocity = [-sine, -cosine];
            bot
        };
        let bots = (0..bots).map(begin).collect();
        Boids { law, half_m: side_m / 2.0, bots, accelerations: Vec::new(), squares: Vec::new() }
    }

    /// Scales the positions towards the middle by `factor`.
    pub(crate) fn gathered(mut self, factor: f64) -> Boids {
        self.bots.iter_mut().for_each(|bot| bot.position = times(bot.position, factor));
        self
    }

    /// Moves all bots by a step in which each sees only its interest set.
    pub(crate) fn step_seeing(&mut self, sets: &[Vec<usize>], dt: Duration) {
        for dt_s in parts(dt) {
            let accelerations = self.bots.iter().zip(sets).map(|(bot, set)| {
                let others = set.iter().map(|&other| &self.bots[other]);
                self.steered(bot, others.map(|other| Neighbour { position: other.position, velocity: other.velocity }))
            });
            self.accelerations = accelerations.collect();
            self.go(dt_s);
        }
    }

    /// Moves all bots by a step in which each steers by the poses that it received, at any age.
    pub(crate) fn step_told<'a>(&mut self, told: impl Fn(usize) -> &'a [Neighbour], dt: Duration) {
        for dt_s in parts(dt) {
            let accelerations = self.bots.iter().enumerate();
            let accelerations = accelerations.map(|(at, bot)| self.steered(bot, told(at).iter().copied()));
            self.accelerations = accelerations.collect();
            self.go(dt_s);
        }
    }

    /// The acceleration of a bot from the bots it knows.
    fn steered(&self, bot: &BotKinematics, others: impl Iterator<Item = Neighbour>) -> GroundVector {
        let (mut places, mut velocities, mut away, mut count) = (bot.position, bot.velocity, [0.0; 2], 1.0);
        for other in others {
            places = plus(places, other.position);
            velocities = plus(velocities, other.velocity);
            away = plus(away, self.away(bot.position, other.position));
            count += 1.0;
        }
        let share = 1.0 / count;
        self.acceleration(bot, [times(places, share), times(velocities, share), away])
    }

    /// The push from another bot: the vector from that bot if it is within `proximity_m`, else zero.
    fn away(&self, bot: GroundVector, other: GroundVector) -> GroundVector {
        let way = minus(bot, other);
        if length(way) < self.law.proximity_m { way } else { [0.0; 2] }
    }

    fn acceleration(&self, bot: &BotKinematics, [middle, velocity, away]: [GroundVector; 3]) -> GroundVector {
        let pull = times(minus(middle, bot.position), self.law.pull);
        plus(plus(pull, times(velocity, self.law.inertia)), times(away, self.law.proximity))
    }

    fn square(&self, position: GroundVector) -> GridSquare {
        position.map(|ordinate| (ordinate / self.law.proximity_m).floor() as i64)
    }

    /// The sum of [`Boids::away`] over all bots.
    fn away_from_all(&self, bot: &BotKinematics) -> GroundVector {
        let [column, row] = self.square(bot.position);
        let mut away = [0.0; 2];
        for column in column - 1..=column + 1 {
            let from = self.squares.partition_point(|(square, _)| *square < [column, row - 1]);
            for (_, other) in self.squares[from..].iter().take_while(|(square, _)| *square <= [column, row + 1]) {
                away = plus(away, self.away(bot.position, self.bots[*other].position));
            }
        }
        away
    }

    fn go(&mut self, dt_s: f64) {
        for (bot, acceleration) in self.bots.iter_mut().zip(&self.accelerations) {
            bot.velocity = plus(bot.velocity, times(*acceleration, dt_s));
            let speed = length(bot.velocity);
            if speed > self.law.speed_max_m_per_s {
                bot.velocity = times(bot.velocity, self.law.speed_max_m_per_s / speed);
            }
            bot.position = plus(bot.position, times(bot.velocity, dt_s));
            for axis in [0, 1] {
                if bot.position[axis].abs() > self.half_m {
                    bot.position[axis] = bot.position[axis].clamp(-self.half_m, self.half_m);
                    bot.velocity[axis] = -bot.velocity[axis];
                }
            }
            bot.turn(dt_s);
        }
    }
}

impl CrowdMovementModel for Boids {
    /// Moves all bots by a step in which every bot sees every bot.
    fn step(&mut self, dt: Duration) {
        let share = 1.0 / self.bots.len().max(1) as f64;
        for dt_s in parts(dt) {
            let squares = self.bots.iter().enumerate().map(|(at, bot)| (self.square(bot.position), at));
            self.squares = squares.collect();
            self.squares.sort_unstable();
            let sum = |part: fn(&BotKinematics) -> GroundVector| self.bots.iter().map(part).fold([0.0; 2], plus);
            let middle = times(sum(|bot| bot.position), share);
            let velocity = times(sum(|bot| bot.velocity), share);
            let acceleration =
                |bot: &BotKinematics| self.acceleration(bot, [middle, velocity, self.away_from_all(bot)]);
            self.accelerations = self.bots.iter().map(acceleration).collect();
            self.go(dt_s);
        }
    }

    fn bots(&self) -> &[BotKinematics] {
        &self.bots
    }
}

/// Splits a step into equal parts, in seconds each.
fn parts(dt: Duration) -> impl Iterator<Item = f64> {
    let count = (dt.as_secs_f64() / STEP_MAX.as_secs_f64()).ceil().max(1.0);
    (0..count as usize).map(move |_| dt.as_secs_f64() / count)
}

#[cfg(test)]
mod tests {
    use super::super::flock::extension_m;
    use super::*;

    const TICK: Duration = Duration::from_millis(50);

    #[test]
    fn boids_with_full_interest_sets_move_like_boids_that_see_all() {
        let [mut all, mut named] = [(); 2].map(|()| Boids::new(40, 9, FlockingWeights::default()));
        let sets: Vec<Vec<usize>> = (0..40).map(|at| (0..40).filter(|&other| other != at).collect()).collect();
        for _ in 0..20 {
            all.step(TICK);
            named.step_seeing(&sets, TICK);
        }
        for (one, other) in all.bots.iter().zip(&named.bots) {
            // Sums in another order differ in their last bits.
            assert!(length(minus(one.position, other.position)) < 1e-6, "{one:?} {other:?}");
        }
    }

    #[test]
    fn boids_with_empty_interest_sets_form_no_flock() {
        let mut boids = Boids::new(40, 9, FlockingWeights::default());
        let before = extension_m(&boids.bots);
        (0..400).for_each(|_| boids.step_seeing(&vec![Vec::new(); 40], TICK));
        assert!(extension_m(&boids.bots) > before / 2.0);
    }

    #[test]
    fn near_boids_push_each_other_away() {
        let distance = |proximity: f64| {
            let mut boids = Boids::new(2, 1, FlockingWeights { proximity, ..FlockingWeights::default() });
            for (bot, x) in boids.bots.iter_mut().zip([0.0, 1.0]) {
                (bot.position, bot.velocity) = ([x, 0.0], [0.0; 2]);
            }
            (0..20).for_each(|_| boids.step(TICK));
            length(minus(boids.bots[0].position, boids.bots[1].position))
        };
        assert!(distance(FlockingWeights::default().proximity) > 2.0);
        assert!(distance(0.0) < 1.0, "negative control: the pull brings them together");
    }

    #[test]
    fn a_long_step_equals_several_short_steps() {
        let [mut long, mut short] = [(); 2].map(|()| Boids::new(40, 9, FlockingWeights::default()));
        long.step(4 * TICK);
        (0..4).for_each(|_| short.step(TICK));
        assert_eq!(long.bots, short.bots);
    }
}
