//! Computes Ubiq's measures of a flock: extension, polarisation and collisions (section V-D.1 and Fig. 8). Ubiq took
//! the measures from its reference 63: Zapotecatl et al., "Performance Metrics of Collective Coordinated Motion in
//! Flocks", 2016.

use std::f64::consts::PI;

use super::{BotKinematics, GroundVector, length, minus, plus, times, turned};

/// Bots closer than this collide: the width of two people's shoulders. Neither the paper nor the code written for
/// it states a distance.
pub(crate) const COLLISION_M: f64 = 0.5;

/// The unit of extension: the side of the paper's area.
pub(crate) const EXTENSION_M: f64 = 200.0;

/// All three measures, normalised as in Fig. 8.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct FlockShapeMeasures {
    /// Mean distance from the flock's centre, as a share of 200 m.
    pub(crate) extension: f64,
    /// Mean angle between a bot's direction and the mean direction, as a share of half a turn: 0 if all move in
    /// parallel.
    pub(crate) polarisation: f64,
    /// The share of bots that collide.
    pub(crate) collisions: f64,
}

impl FlockShapeMeasures {
    pub(crate) fn of(bots: &[BotKinematics]) -> FlockShapeMeasures {
        FlockShapeMeasures {
            extension: extension_m(bots) / EXTENSION_M,
            polarisation: polarisation_rad(bots) / PI,
            collisions: colliding(bots) as f64 / bots.len().max(1) as f64,
        }
    }
}

/// Mean distance from the centre, in metres; 0 without bots.
pub(crate) fn extension_m(bots: &[BotKinematics]) -> f64 {
    let share = 1.0 / bots.len().max(1) as f64;
    let middle = times(bots.iter().map(|bot| bot.position).fold([0.0; 2], plus), share);
    bots.iter().map(|bot| length(minus(bot.position, middle))).sum::<f64>() * share
}

/// Mean angle to the mean direction.
fn polarisation_rad(bots: &[BotKinematics]) -> f64 {
    let mean = angle(bots.iter().map(|bot| direction(bot.velocity)).fold([0.0; 2], plus));
    let apart = bots.iter().map(|bot| turned(angle(bot.velocity) - mean).abs());
    apart.sum::<f64>() / bots.len().max(1) as f64
}

fn direction(velocity: GroundVector) -> GroundVector {
    let speed = length(velocity);
    if speed > 0.0 { times(velocity, 1.0 / speed) } else { [0.0; 2] }
}

fn angle([x, z]: GroundVector) -> f64 {
    z.atan2(x)
}

fn colliding(bots: &[BotKinematics]) -> usize {
    let collides = |(at, bot): (usize, &BotKinematics)| {
        let mut others = bots.iter().enumerate().filter(|(other, _)| *other != at);
        others.any(|(_, other)| length(minus(bot.position, other.position)) < COLLISION_M)
    };
    bots.iter().enumerate().filter(|bot| collides(*bot)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bots(of: &[(GroundVector, GroundVector)]) -> Vec<BotKinematics> {
        of.iter()
            .map(|&(position, velocity)| BotKinematics { position, velocity, heading_rad: 0.0, phase: 0.0 })
            .collect()
    }

    #[test]
    fn flock_measures_follow_the_definitions_of_the_paper() {
        let one_way = FlockShapeMeasures::of(&bots(&[([-10.0, 0.0], [0.0, 1.0]), ([10.0, 0.0], [0.0, 9.0])]));
        assert_eq!(one_way, FlockShapeMeasures { extension: 10.0 / 200.0, polarisation: 0.0, collisions: 0.0 });
        let across = FlockShapeMeasures::of(&bots(&[
            ([0.0, 0.0], [1.0, 0.0]),
            ([0.0, 0.4], [0.0, 1.0]),
            ([0.0, 9.0], [1.0, 1.0]),
        ]));
        assert!((across.polarisation - (45.0 + 45.0) / 3.0 / 180.0).abs() < 1e-9, "{across:?}");
        assert!((across.collisions - 2.0 / 3.0).abs() < 1e-9, "{across:?}");
        assert_eq!(FlockShapeMeasures::of(&[]), FlockShapeMeasures::default());
    }
}
