//! Moves the bots of the halls: each picks an item in a random room, runs there by the shortest path, and picks the
//! next. Forest used "Quake's built-in bots". Ours run for items likewise and do not fight, since the paper measures
//! traffic.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use fastrand::Rng;

use super::halls::{CellId, HallMap};
use super::{BotKinematics, CrowdMovementModel, length, minus, plus, times};

/// Running speed: Quake's 320 units a second, 32 to the metre.
pub(crate) const SPEED_M_PER_S: f64 = 10.0;

/// A crowd of item runners.
#[derive(Debug)]
pub(crate) struct ItemRunners {
    halls: Arc<HallMap>,
    rng: Rng,
    bots: Vec<BotKinematics>,
    /// The cells still ahead of each bot.
    paths: Vec<VecDeque<CellId>>,
}

impl ItemRunners {
    /// A crowd, each bot in a random room.
    pub(crate) fn new(halls: Arc<HallMap>, bots: usize, seed: u64) -> ItemRunners {
        let mut rng = Rng::with_seed(seed);
        let in_a_room = |rng: &mut Rng| halls.middle(halls.rooms()[rng.usize(..halls.rooms().len())]);
        let bots: Vec<BotKinematics> = (0..bots)
            .map(|_| BotKinematics { position: in_a_room(&mut rng), ..BotKinematics::somewhere(&mut rng, 0.0) })
            .collect();
        let paths = bots.iter().map(|_| VecDeque::new()).collect();
        ItemRunners { halls, rng, bots, paths }
    }

    /// The cell of each bot.
    pub(crate) fn cells(&self) -> impl Iterator<Item = CellId> {
        self.bots.iter().map(|bot| self.halls.cell_at(bot.position).expect("nobody is within a wall"))
    }
}

impl CrowdMovementModel for ItemRunners {
    fn step(&mut self, dt: Duration) {
        let ItemRunners { halls, rng, bots, paths } = self;
        for (bot, way) in bots.iter_mut().zip(paths) {
            let mut left_m = SPEED_M_PER_S * dt.as_secs_f64();
            while left_m > 0.0 {
                let Some(&next) = way.front() else {
                    let here = halls.cell_at(bot.position).expect("nobody is within a wall");
                    way.extend(halls.way(here, halls.rooms()[rng.usize(..halls.rooms().len())]));
                    continue;
                };
                let ahead = minus(halls.middle(next), bot.position);
                let step_m = length(ahead).min(left_m);
                if step_m < length(ahead) {
                    bot.velocity = times(ahead, SPEED_M_PER_S / length(ahead));
                    bot.position = plus(bot.position, times(ahead, step_m / length(ahead)));
                } else {
                    bot.position = halls.middle(next);
                    way.pop_front();
                }
                left_m -= step_m;
            }
            bot.turn(dt.as_secs_f64());
        }
    }

    fn bots(&self) -> &[BotKinematics] {
        &self.bots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: Duration = Duration::from_millis(50);

    #[test]
    fn item_runners_keep_to_their_speed_and_reach_most_cells() {
        let halls = Arc::new(HallMap::new(1));
        let mut run = ItemRunners::new(Arc::clone(&halls), 20, 1);
        let mut met = std::collections::BTreeSet::new();
        for _ in 0..2_400 {
            let before: Vec<_> = run.bots().iter().map(|bot| bot.position).collect();
            run.step(TICK);
            met.extend(run.cells());
            for (bot, before) in run.bots().iter().zip(before) {
                // A corner makes the straight line shorter than the path, never longer.
                let way = length(minus(bot.position, before));
                assert!(way <= SPEED_M_PER_S * TICK.as_secs_f64() + 1e-9, "{way} m in a tick");
            }
        }
        let share = met.len() as f64 / halls.cells().count() as f64;
        // The rest are dead ends without items.
        assert!(share > 0.7, "{share} of the cells in two minutes");
    }
}
