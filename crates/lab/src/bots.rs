//! Moves simulated people: Randomwalk and Boids of Ubiq ("Exploring Server-Centric Scalability for Social VR", Friston
//! et al., section V-A), and the item runners of Forest's game in [`halls`]. Equal seeds and steps give equal paths,
//! except for boids that steer by received poses ([`networked_boids`]).
//!
//! Values that the paper does not state are fixed here and in the modules below, each with its reason. The first
//! source is public code written for Ubiq (`BotBoidAgent`, `BotAgent`; the values of the paper's runs are unknown),
//! the second human behaviour. Ubiq's two kinds walk on level ground without obstacles, as the paper's did.

pub(crate) mod boids;
pub(crate) mod flock;
pub(crate) mod halls;
pub(crate) mod interest_boids;
pub(crate) mod item_run;
pub(crate) mod networked_boids;
pub(crate) mod random_waypoint;

use std::f64::consts::{PI, TAU};
use std::time::Duration;

use fastrand::Rng;
use stoa_wire::motion::Pose;

/// Square metres for each bot. The paper's "200m² area" is read as a square of 200 m: the paper normalises the
/// extension of flocks to 200 m, a Randomwalk bot meets twelve cells of 260 m² a minute, and `BotBoidAgent` turns back
/// at 100 m from the middle. The paper's area held up to 100 bots. With more bots the area grows, so that the density
/// stays the same.
pub(crate) const AREA_PER_BOT_M2: f64 = 200.0 * 200.0 / 100.0;

/// Height of a head above the ground: the eyes of a person of 1.7 m. Not in the paper, which describes positions on
/// the ground only.
pub(crate) const HEAD_HEIGHT_M: f64 = 1.6;

/// Turning rate of a head towards its movement. Not in the paper; the default of Unity's `NavMeshAgent`, by which
/// the paper's bots walk: 120° a second.
pub(crate) const TURN_RAD_PER_S: f64 = TAU / 3.0;

/// Amplitude and period of a head's looking to either side. Not in the paper. Each tick then has a new rotation to
/// send, as with people.
pub(crate) const LOOK_RAD: f64 = 0.3;
pub(crate) const LOOK_PERIOD_S: f64 = 4.0;

/// A vector on the ground: x and z, in metres (or metres a second).
pub(crate) type GroundVector = [f64; 2];

/// A crowd of one kind of bots.
pub(crate) trait CrowdMovementModel {
    /// Moves all bots by one step.
    fn step(&mut self, dt: Duration);
    /// All bots, in a fixed order.
    fn bots(&self) -> &[BotKinematics];

    /// Whether the bots steer by poses that arrive, given by [`CrowdMovementModel::see`].
    fn are_told(&self) -> bool {
        false
    }

    /// The observer received the other bot's position at `now_us` (µs).
    fn see(&mut self, (_observer, _other): (usize, usize), _place: GroundVector, _now_us: u64) {}

    /// The other bot left the observer's interest set.
    fn lose(&mut self, (_observer, _other): (usize, usize)) {}

    /// Starts bots that wait for the beginning.
    fn begin(&mut self) {}
}

/// Position, velocity and gaze of one bot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BotKinematics {
    pub(crate) position: GroundVector,
    pub(crate) velocity: GroundVector,
    /// Direction of the head about the y axis; 0 is towards −z.
    heading_rad: f64,
    /// Phase of looking about, 0 to 1.
    phase: f64,
}

impl BotKinematics {
    /// A bot at a random position in a square of `side_m` about the origin.
    fn somewhere(rng: &mut Rng, side_m: f64) -> BotKinematics {
        let position = somewhere(rng, side_m);
        BotKinematics { position, velocity: [0.0; 2], heading_rad: rng.f64() * TAU, phase: rng.f64() }
    }

    /// Turns the head towards the movement, by at most the turning rate, and advances the phase of looking about.
    fn turn(&mut self, dt_s: f64) {
        let [x, z] = self.velocity;
        if x != 0.0 || z != 0.0 {
            let wanted = f64::atan2(-x, -z);
            let turn_max = TURN_RAD_PER_S * dt_s;
            self.heading_rad += turned(wanted - self.heading_rad).clamp(-turn_max, turn_max);
        }
        self.phase = (self.phase + dt_s / LOOK_PERIOD_S).fract();
    }

    /// The head's pose in the scene's axes.
    pub(crate) fn pose(&self) -> Pose {
        let looks_aside = (4.0 * (self.phase - 0.5).abs() - 1.0) * LOOK_RAD;
        let (sine, cosine) = ((self.heading_rad + looks_aside) / 2.0).sin_cos();
        Pose { position: [self.position[0], HEAD_HEIGHT_M, self.position[1]], rotation: [0.0, sine, 0.0, cosine] }
    }
}

/// Side of the square for a number of bots.
pub(crate) fn side_m(bots: usize) -> f64 {
    (bots as f64 * AREA_PER_BOT_M2).sqrt()
}

fn somewhere(rng: &mut Rng, side_m: f64) -> GroundVector {
    [(); 2].map(|()| (rng.f64() - 0.5) * side_m)
}

/// Normalises an angle to the range from −π to π.
fn turned(angle_rad: f64) -> f64 {
    (angle_rad + PI).rem_euclid(TAU) - PI
}

fn plus(one: GroundVector, other: GroundVector) -> GroundVector {
    [one[0] + other[0], one[1] + other[1]]
}

pub(crate) fn minus(one: GroundVector, other: GroundVector) -> GroundVector {
    [one[0] - other[0], one[1] - other[1]]
}

fn times(one: GroundVector, factor: f64) -> GroundVector {
    one.map(|part| part * factor)
}

pub(crate) fn length([x, z]: GroundVector) -> f64 {
    x.hypot(z)
}

#[cfg(test)]
mod tests {
    use super::boids::{Boids, FlockingWeights};
    use super::flock::extension_m;
    use super::random_waypoint::{RandomWaypointCrowd, SPEED_M_PER_S};
    use super::*;

    /// A tick of the motion plane.
    const TICK: Duration = Duration::from_millis(50);
    /// A minute: the paper evaluates its flocks after that time.
    const TICKS: usize = 1_200;

    /// Both kinds, with their maximum speed.
    fn both(bots: usize, seed: u64) -> [(Box<dyn CrowdMovementModel>, f64); 2] {
        let law = FlockingWeights::default();
        [
            (Box::new(RandomWaypointCrowd::new(bots, seed)), SPEED_M_PER_S),
            (Box::new(Boids::new(bots, seed, law)), law.speed_max_m_per_s),
        ]
    }

    #[test]
    fn the_area_grows_with_the_bots() {
        assert_eq!((side_m(100), side_m(400)), (200.0, 400.0));
    }

    #[test]
    fn bots_remain_in_the_area_and_below_their_maximum_speed() {
        for (mut bots, speed_max) in both(100, 1) {
            let half = side_m(100) / 2.0;
            let mut before: Vec<BotKinematics> = bots.bots().to_vec();
            for _ in 0..TICKS {
                bots.step(TICK);
                for (bot, before) in bots.bots().iter().zip(&before) {
                    let way = length(minus(bot.position, before.position));
                    assert!(way <= speed_max * TICK.as_secs_f64() + 1e-9, "{way} m in a tick");
                    assert!(bot.position.iter().all(|ordinate| ordinate.abs() <= half), "{:?}", bot.position);
                }
                before = bots.bots().to_vec();
            }
        }
    }

    #[test]
    fn equal_seeds_give_equal_paths_and_different_seeds_different_ones() {
        let walk = |seed| {
            both(30, seed).map(|(mut bots, _)| {
                (0..200).for_each(|_| bots.step(TICK));
                bots.bots().to_vec()
            })
        };
        assert_eq!(walk(7), walk(7));
        assert!(walk(7).iter().zip(&walk(8)).all(|(one, other)| one != other));
    }

    #[test]
    fn a_head_pose_changes_each_tick_within_its_turning_rate() {
        for (mut bots, _) in both(50, 3) {
            for _ in 0..200 {
                let before: Vec<Pose> = bots.bots().iter().map(BotKinematics::pose).collect();
                bots.step(TICK);
                for (pose, before) in bots.bots().iter().map(BotKinematics::pose).zip(before) {
                    assert_ne!(pose, before);
                    let cosine: f64 = pose.rotation.iter().zip(before.rotation).map(|(one, other)| one * other).sum();
                    let angle = 2.0 * cosine.abs().min(1.0).acos();
                    let looked = 4.0 * LOOK_RAD / LOOK_PERIOD_S;
                    assert!(angle <= (TURN_RAD_PER_S + looked) * TICK.as_secs_f64() + 1e-6, "{angle} rad in a tick");
                }
            }
        }
    }

    #[test]
    fn a_head_faces_its_walking_direction() {
        for (way, ahead) in [([0.0, -1.0], [0.0, -1.0]), ([1.0, 0.0], [1.0, 0.0]), ([0.0, 1.0], [0.0, 1.0])] {
            // At a quarter of the phase a head looks straight ahead.
            let mut bot = BotKinematics { position: [0.0; 2], velocity: way, heading_rad: 0.0, phase: 0.25 };
            bot.turn(LOOK_PERIOD_S);
            let [_, y, _, w] = bot.pose().rotation;
            // The direction to which the quaternion rotates −z.
            let looks = [-2.0 * y * w, 2.0 * y * y - 1.0];
            assert!(length(minus(looks, ahead)) < 1e-9, "{way:?}: {looks:?}");
        }
    }

    #[test]
    fn boids_flock_and_randomwalk_does_not() {
        let [walkers, boids] = both(100, 5).map(|(mut bots, _)| {
            let before = extension_m(bots.bots());
            (0..TICKS).for_each(|_| bots.step(TICK));
            extension_m(bots.bots()) / before
        });
        assert!(boids < 1.0 / 3.0, "{boids} of the extension at the start");
        assert!(walkers > 0.5, "negative control: {walkers}");
    }
}
