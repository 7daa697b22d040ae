//! The time of sending: immediately when frames arrive, or by ticks. Immediate sending saves half a tick of
//! latency, and costs a datagram for each pose and receiver. Beyond a measured threshold (`experiments/motion`),
//! the poses of a tick are sent together.

use core::fmt;
use core::str::FromStr;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::limits;

/// The operator's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SendTimingMode {
    /// Depends on the load.
    #[default]
    Auto,
    /// Always immediate.
    AtOnce,
    /// Always by ticks.
    Ticks,
}

/// The text names no send timing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is none of auto, at-once and ticks")]
pub struct ParseSendTimingError(String);

/// The load of one scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionSceneLoad {
    /// People on the plane.
    pub people: usize,
    /// Frames with poses in the last second.
    pub frames: u64,
    /// Whether the scene is served immediately; [`choose`] changes it.
    pub is_at_once: bool,
}

impl SendTimingMode {
    /// Whether a scene of this many people may be served immediately; [`choose`] compares its frames too. Call this
    /// before each immediate service, because a crowd may have entered since the last [`choose`].
    pub fn bears(self, people: usize) -> bool {
        match self {
            SendTimingMode::Auto => people <= limits::MOTION_AT_ONCE_PEOPLE,
            SendTimingMode::AtOnce => true,
            SendTimingMode::Ticks => false,
        }
    }
}

/// Chooses the scenes of a thread that are served immediately. `Auto` chooses the cheapest ones within the thread's
/// limit, and no crowds; a chosen scene remains up to a quarter beyond the limit, so that loads near it don't flip.
/// `AtOnce` chooses all, and `Ticks` none.
pub fn choose(serving: SendTimingMode, loads: &mut [MotionSceneLoad]) {
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
        load.is_at_once = serving == SendTimingMode::AtOnce || spent <= most;
    }
}

impl MotionSceneLoad {
    /// Frames sent per second if each incoming frame is sent immediately to all people, its sender included.
    fn cost(&self) -> u64 {
        self.frames.saturating_mul(self.people as u64)
    }
}

impl FromStr for SendTimingMode {
    type Err = ParseSendTimingError;

    fn from_str(text: &str) -> Result<SendTimingMode, ParseSendTimingError> {
        let all = [SendTimingMode::Auto, SendTimingMode::AtOnce, SendTimingMode::Ticks];
        all.into_iter().find(|one| one.to_string() == text).ok_or_else(|| ParseSendTimingError(text.to_string()))
    }
}

impl fmt::Display for SendTimingMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            SendTimingMode::Auto => "auto",
            SendTimingMode::AtOnce => "at-once",
            SendTimingMode::Ticks => "ticks",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u64 = limits::MOTION_AT_ONCE_PER_S;

    fn chosen(serving: SendTimingMode, loads: &[(usize, u64, bool)]) -> Vec<bool> {
        let load = |&(people, frames, is_at_once)| MotionSceneLoad { people, frames, is_at_once };
        let mut loads: Vec<MotionSceneLoad> = loads.iter().map(load).collect();
        choose(serving, &mut loads);
        loads.iter().map(|load| load.is_at_once).collect()
    }

    #[test]
    fn the_cheapest_scenes_within_the_limit_are_served_immediately() {
        let (half, third) = (MOST / 20, MOST / 30);
        assert_eq!(
            chosen(SendTimingMode::Auto, &[(10, half, false), (10, third, false), (10, half, false)]),
            [true, true, false]
        );
        assert_eq!(chosen(SendTimingMode::Auto, &[(1_000, 20_000, true)]), [false]);
        assert_eq!(chosen(SendTimingMode::Auto, &[(9, u64::MAX, true), (0, 0, false)]), [false, true]);
    }

    #[test]
    fn a_crowd_is_never_served_immediately_in_auto_mode_and_uses_no_budget() {
        let most = limits::MOTION_AT_ONCE_PEOPLE;
        assert!(
            SendTimingMode::Auto.bears(most)
                && !SendTimingMode::Auto.bears(most + 1)
                && SendTimingMode::AtOnce.bears(most + 1)
        );
        assert_eq!(chosen(SendTimingMode::Auto, &[(most, 1, true), (most + 1, 0, true)]), [true, false]);
        let frames = MOST * 3 / 4;
        assert_eq!(chosen(SendTimingMode::Auto, &[(1_000, frames / 1_000, false), (1, frames, false)]), [false, true]);
        assert_eq!(chosen(SendTimingMode::AtOnce, &[(1_000, 9, false)]), [true]);
    }

    #[test]
    fn a_load_near_the_limit_keeps_its_send_timing() {
        for is_at_once in [false, true] {
            assert_eq!(chosen(SendTimingMode::Auto, &[(1, MOST * 9 / 8, is_at_once)]), [is_at_once]);
            assert_eq!(chosen(SendTimingMode::Auto, &[(1, MOST * 11 / 8, is_at_once)]), [false]);
            assert_eq!(chosen(SendTimingMode::Auto, &[(1, MOST * 7 / 8, is_at_once)]), [true]);
        }
    }

    #[test]
    fn an_operators_send_timing_overrides_the_load() {
        assert_eq!(chosen(SendTimingMode::AtOnce, &[(9_999, 9_999, false)]), [true]);
        assert_eq!(chosen(SendTimingMode::Ticks, &[(1, 1, true)]), [false]);
        assert_eq!("at-once".parse(), Ok(SendTimingMode::AtOnce));
        let error = "never".parse::<SendTimingMode>().unwrap_err();
        assert_eq!(error.to_string(), "\"never\" is none of auto, at-once and ticks");
    }
}
