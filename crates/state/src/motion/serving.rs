//! When receivers are served: as soon as something has come, or tick by tick. At once is sooner by half a tick, and costs a datagram for each pair of people and pose; past a
//! threshold that was measured (`experiments/motion`), what has come in a tick goes out together.

use core::fmt;
use core::str::FromStr;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::limits;

/// What the operator says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ServingMode {
    /// By load.
    #[default]
    Auto,
    /// Always at once.
    AtOnce,
    /// Always tick by tick.
    Ticks,
}

/// What is none of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is none of auto, at-once and ticks")]
pub struct ServingModeError(String);

/// One scene's load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneLoad {
    /// Who is on the plane.
    pub people: usize,
    /// How many frames of them said where something is, in the last second.
    pub frames: u64,
    /// Whether it is served at once; may be changed.
    pub is_at_once: bool,
}

impl ServingMode {
    /// Whether so many may be served at once, whatever they say. To be asked each time: a crowd may have come in since the load was last looked at.
    pub fn bears(self, people: usize) -> bool {
        match self {
            ServingMode::Auto => people <= limits::MOTION_AT_ONCE_PEOPLE,
            ServingMode::AtOnce => true,
            ServingMode::Ticks => false,
        }
    }
}

/// Says which scenes of a thread are served at once: those that cost least, as many as the thread bears, and no crowd. One that is, stays so for a quarter more, so that a load on the border changes nothing.
pub fn choose(serving: ServingMode, loads: &mut [SceneLoad]) {
    let mut order: Vec<usize> = (0..loads.len()).collect();
    order.sort_by_key(|at| loads[*at].cost());
    let mut spent: u64 = 0;
    for at in order {
        let load = &mut loads[at];
        if !serving.bears(load.people) {
            load.is_at_once = false;
            continue;
        }
        spent = spent.saturating_add(load.cost());
        let most = limits::MOTION_AT_ONCE_PER_S * if load.is_at_once { 5 } else { 4 } / 4;
        load.is_at_once = serving == ServingMode::AtOnce || spent <= most;
    }
}

impl SceneLoad {
    /// Frames that go out in a second where each goes out at once, and to its sender too.
    fn cost(&self) -> u64 {
        self.frames.saturating_mul(self.people as u64)
    }
}

impl FromStr for ServingMode {
    type Err = ServingModeError;

    fn from_str(text: &str) -> Result<ServingMode, ServingModeError> {
        let all = [ServingMode::Auto, ServingMode::AtOnce, ServingMode::Ticks];
        all.into_iter().find(|one| one.to_string() == text).ok_or_else(|| ServingModeError(text.to_string()))
    }
}

impl fmt::Display for ServingMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ServingMode::Auto => "auto",
            ServingMode::AtOnce => "at-once",
            ServingMode::Ticks => "ticks",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u64 = limits::MOTION_AT_ONCE_PER_S;

    fn chosen(serving: ServingMode, loads: &[(usize, u64, bool)]) -> Vec<bool> {
        let load = |&(people, frames, is_at_once)| SceneLoad { people, frames, is_at_once };
        let mut loads: Vec<SceneLoad> = loads.iter().map(load).collect();
        choose(serving, &mut loads);
        loads.iter().map(|load| load.is_at_once).collect()
    }

    #[test]
    fn the_smallest_scenes_are_served_at_once_as_many_as_are_borne() {
        let (half, third) = (MOST / 20, MOST / 30);
        assert_eq!(
            chosen(ServingMode::Auto, &[(10, half, false), (10, third, false), (10, half, false)]),
            [true, true, false]
        );
        assert_eq!(chosen(ServingMode::Auto, &[(1_000, 20_000, true)]), [false]);
        assert_eq!(chosen(ServingMode::Auto, &[(9, u64::MAX, true), (0, 0, false)]), [false, true]);
    }

    #[test]
    fn a_crowd_is_never_served_at_once_however_little_it_says_and_takes_nothing_from_others() {
        let most = limits::MOTION_AT_ONCE_PEOPLE;
        assert!(
            ServingMode::Auto.bears(most) && !ServingMode::Auto.bears(most + 1) && ServingMode::AtOnce.bears(most + 1)
        );
        assert_eq!(chosen(ServingMode::Auto, &[(most, 1, true), (most + 1, 0, true)]), [true, false]);
        let frames = MOST * 3 / 4;
        assert_eq!(chosen(ServingMode::Auto, &[(1_000, frames / 1_000, false), (1, frames, false)]), [false, true]);
        assert_eq!(chosen(ServingMode::AtOnce, &[(1_000, 9, false)]), [true]);
    }

    #[test]
    fn a_load_on_the_border_changes_nothing() {
        for is_at_once in [false, true] {
            assert_eq!(chosen(ServingMode::Auto, &[(1, MOST * 9 / 8, is_at_once)]), [is_at_once]);
            assert_eq!(chosen(ServingMode::Auto, &[(1, MOST * 11 / 8, is_at_once)]), [false]);
            assert_eq!(chosen(ServingMode::Auto, &[(1, MOST * 7 / 8, is_at_once)]), [true]);
        }
    }

    #[test]
    fn the_operators_word_counts() {
        assert_eq!(chosen(ServingMode::AtOnce, &[(9_999, 9_999, false)]), [true]);
        assert_eq!(chosen(ServingMode::Ticks, &[(1, 1, true)]), [false]);
        assert_eq!("at-once".parse(), Ok(ServingMode::AtOnce));
        let error = "never".parse::<ServingMode>().unwrap_err();
        assert_eq!(error.to_string(), "\"never\" is none of auto, at-once and ticks");
    }
}
