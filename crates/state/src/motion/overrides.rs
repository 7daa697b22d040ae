//! Motion settings of a scene, and the text form of policies.

use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use super::MotionSettings;
use super::interest::InterestPolicy;
use crate::limits;

/// A scene's motion settings; absent ones are the realm's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MotionOverrides {
    /// The policy that chooses each receiver's interest set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<InterestPolicy>,
    /// Largest bandwidth of each receiver, in bytes of frames per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_s: Option<u32>,
}

/// Invalid motion settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MotionOverridesError {
    /// Unknown policy, or a parameter out of range.
    #[error(
        "{0:?} is no policy; it takes all, radius[:METRES] (up to {radius} m), nearest[:COUNT] (1 to {count}) or hex[:METRES] ({cell_min} to {cell_max} m)",
        radius = limits::RADIUS_MM_MAX / 1_000, count = limits::NEAREST_COUNT_MAX,
        cell_min = limits::HEX_CELL_MM_MIN / 1_000, cell_max = limits::HEX_CELL_MM_MAX / 1_000
    )]
    Policy(String),
    /// Budget out of range.
    #[error("a budget of {0} bytes a second; {min} to {max} are possible", min = limits::MOTION_BYTES_PER_S_MIN, max = limits::MOTION_BYTES_PER_S_MAX)]
    Budget(u32),
}

impl MotionOverrides {
    /// Applies the overrides to the realm's settings.
    pub fn over(self, realm: MotionSettings) -> MotionSettings {
        let MotionOverrides { policy, bytes_per_s } = self;
        MotionSettings { policy: policy.unwrap_or(realm.policy), bytes_per_s: bytes_per_s.unwrap_or(realm.bytes_per_s) }
    }

    /// Checks the ranges. Errors: [`MotionOverridesError::Budget`].
    pub fn check(&self) -> Result<(), MotionOverridesError> {
        let possible = limits::MOTION_BYTES_PER_S_MIN..=limits::MOTION_BYTES_PER_S_MAX;
        self.bytes_per_s
            .filter(|budget| !possible.contains(budget))
            .map_or(Ok(()), |budget| Err(MotionOverridesError::Budget(budget)))
    }
}

impl FromStr for InterestPolicy {
    type Err = MotionOverridesError;

    /// Parses `all`, `radius:24`, `nearest:20` or `hex:20`. Without a number, the papers' values apply.
    fn from_str(text: &str) -> Result<InterestPolicy, MotionOverridesError> {
        let (name, number) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
        let bad = || MotionOverridesError::Policy(text.chars().take(64).collect());
        let millimetres = |number: &str, least: u32, most: u32| {
            let said: f64 = number.parse().map_err(|_| bad())?;
            // Rounds, since the cast truncates.
            let millimetres = said * 1_000.0 + 0.5;
            let fits = (f64::from(least)..=f64::from(most)).contains(&millimetres);
            if fits { Ok(millimetres as u32) } else { Err(bad()) }
        };
        match (name, number) {
            ("all", None) => Ok(InterestPolicy::All),
            ("radius", None) => Ok(InterestPolicy::RADIUS),
            ("nearest", None) => Ok(InterestPolicy::NEAREST),
            ("hex", None) => Ok(InterestPolicy::HEX),
            ("radius", Some(number)) => {
                Ok(InterestPolicy::Radius { radius_mm: millimetres(number, 1, limits::RADIUS_MM_MAX)? })
            }
            ("nearest", Some(number)) => {
                let count = number.parse().ok().filter(|count| (1..=limits::NEAREST_COUNT_MAX).contains(count));
                Ok(InterestPolicy::Nearest { count: count.ok_or_else(bad)? })
            }
            ("hex", Some(number)) => {
                let cell_mm = millimetres(number, limits::HEX_CELL_MM_MIN, limits::HEX_CELL_MM_MAX)?;
                Ok(InterestPolicy::Hex { cell_mm })
            }
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for InterestPolicy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            InterestPolicy::All => formatter.write_str("all"),
            InterestPolicy::Radius { radius_mm } => write!(formatter, "radius:{}", f64::from(radius_mm) / 1_000.0),
            InterestPolicy::Nearest { count } => write!(formatter, "nearest:{count}"),
            InterestPolicy::Hex { cell_mm } => write!(formatter, "hex:{}", f64::from(cell_mm) / 1_000.0),
        }
    }
}

impl TryFrom<String> for InterestPolicy {
    type Error = MotionOverridesError;

    fn try_from(text: String) -> Result<InterestPolicy, MotionOverridesError> {
        text.parse()
    }
}

impl From<InterestPolicy> for String {
    fn from(policy: InterestPolicy) -> String {
        policy.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_the_same_after_it_was_said() {
        for (text, policy) in [
            ("all", InterestPolicy::All),
            ("radius", InterestPolicy::RADIUS),
            ("nearest", InterestPolicy::NEAREST),
            ("hex", InterestPolicy::HEX),
            ("radius:7.5", InterestPolicy::Radius { radius_mm: 7_500 }),
            ("nearest:3", InterestPolicy::Nearest { count: 3 }),
            ("hex:20.001", InterestPolicy::Hex { cell_mm: 20_001 }),
        ] {
            assert_eq!(text.parse(), Ok(policy), "{text}");
            assert_eq!(policy.to_string().parse(), Ok(policy), "{policy}");
        }
    }

    #[test]
    fn what_is_no_policy_is_refused_with_what_would_be_one() {
        for text in [
            "",
            "every",
            "all:1",
            "radius:",
            "radius:0",
            "radius:-3",
            "radius:NaN",
            "radius:inf",
            "nearest:0",
            "nearest:513",
            "nearest:1.5",
            "hex:0.5",
            "hex:1001",
            "hex:20:3",
        ] {
            let error = text.parse::<InterestPolicy>().unwrap_err().to_string();
            assert!(error.contains("nearest[:COUNT]"), "{text}: {error}");
        }
    }

    #[test]
    fn what_a_scene_does_not_say_is_the_realms() {
        let realm = MotionSettings { policy: InterestPolicy::HEX, bytes_per_s: 100_000 };
        assert_eq!(MotionOverrides::default().over(realm), realm);
        let overrides = MotionOverrides { policy: Some(InterestPolicy::All), bytes_per_s: Some(50_000) };
        assert_eq!(overrides.over(realm), MotionSettings { policy: InterestPolicy::All, bytes_per_s: 50_000 });
        assert_eq!(overrides.check(), Ok(()));
        for budget in [0, limits::MOTION_BYTES_PER_S_MIN - 1, limits::MOTION_BYTES_PER_S_MAX + 1] {
            assert_eq!(
                MotionOverrides { bytes_per_s: Some(budget), ..overrides }.check(),
                Err(MotionOverridesError::Budget(budget))
            );
        }
    }
}
