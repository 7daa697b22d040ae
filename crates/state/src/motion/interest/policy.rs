//! The interest policies: parameters, names, and their text in settings.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::limits;

/// A scene's interest policy. A text with a parameter out of range is refused. [`super::InterestSets`] clamps a count
/// and a cell size to `limits`, but no radius.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum InterestSetPolicy {
    /// Shows all items to all observers. It keeps no pairs and reports no changes, because the caller knows which
    /// items it adds and removes.
    #[default]
    All,
    /// Shows items within a distance, in all three axes. They leave at a tenth more.
    Radius {
        /// Range in millimetres.
        radius_mm: u32,
    },
    /// Shows the nearest items, in all three axes. An item that falls out leaves at the first evaluation after
    /// [`limits::NEAREST_STAY`].
    Nearest {
        /// Number of items, at most [`limits::NEAREST_COUNT_MAX`].
        count: u32,
    },
    /// Shows items in the observer's hexagonal ground cell and in the six around it.
    Hex {
        /// Diameter from corner to corner, in millimetres.
        cell_mm: u32,
    },
}

impl InterestSetPolicy {
    /// One of each policy, with its default parameters: those of a name without a number. Parsing finds names in it;
    /// tests, the simulator and the fuzz targets iterate over it.
    pub const SAMPLES: [InterestSetPolicy; 4] =
        [InterestSetPolicy::All, InterestSetPolicy::RADIUS, InterestSetPolicy::NEAREST, InterestSetPolicy::HEX];
    /// `radius` by default: a circle as large as the seven cells that [`InterestSetPolicy::HEX`] shows.
    pub const RADIUS: InterestSetPolicy = InterestSetPolicy::Radius { radius_mm: limits::RADIUS_MM_DEFAULT };
    /// Ubiq's parameters.
    pub const NEAREST: InterestSetPolicy = InterestSetPolicy::Nearest { count: limits::NEAREST_COUNT_DEFAULT };
    /// Ubiq's parameters.
    pub const HEX: InterestSetPolicy = InterestSetPolicy::Hex { cell_mm: limits::HEX_CELL_MM_DEFAULT };

    /// The policy's name in settings and reports.
    pub fn name(self) -> &'static str {
        match self {
            InterestSetPolicy::All => "all",
            InterestSetPolicy::Radius { .. } => "radius",
            InterestSetPolicy::Nearest { .. } => "nearest",
            InterestSetPolicy::Hex { .. } => "hex",
        }
    }

    /// The texts that [`InterestSetPolicy::from_str`] accepts, for help and errors.
    pub fn formats() -> String {
        let [radius, cell_min, cell_max] =
            [limits::RADIUS_MM_MAX, limits::HEX_CELL_MM_MIN, limits::HEX_CELL_MM_MAX].map(|mm| mm / 1_000);
        format!(
            "all, radius[:METRES] (up to {radius} m), nearest[:COUNT] (1 to {count}) or hex[:METRES] ({cell_min} to {cell_max} m)",
            count = limits::NEAREST_COUNT_MAX
        )
    }
}

/// Unknown policy, or a parameter out of range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no policy; it takes {formats}", formats = InterestSetPolicy::formats())]
pub struct InterestPolicyError(String);

impl FromStr for InterestSetPolicy {
    type Err = InterestPolicyError;

    /// Parses a text that [`InterestSetPolicy::formats`] describes, such as `all` or `radius:24`.
    fn from_str(text: &str) -> Result<InterestSetPolicy, InterestPolicyError> {
        let (name, number) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
        let bad = || InterestPolicyError(text.chars().take(64).collect());
        let millimetres = |number: &str, least: u32, most: u32| {
            let metres: f64 = number.parse().map_err(|_| bad())?;
            // Rounds, since the cast truncates. The cast turns NaN and negative values into 0, and saturates.
            let millimetres = (metres * 1_000.0 + 0.5) as u32;
            if (least..=most).contains(&millimetres) { Ok(millimetres) } else { Err(bad()) }
        };
        let Some(number) = number else {
            return InterestSetPolicy::SAMPLES.into_iter().find(|policy| policy.name() == name).ok_or_else(bad);
        };
        match name {
            "radius" => Ok(InterestSetPolicy::Radius { radius_mm: millimetres(number, 1, limits::RADIUS_MM_MAX)? }),
            "nearest" => {
                let count = number.parse().ok().filter(|count| (1..=limits::NEAREST_COUNT_MAX).contains(count));
                Ok(InterestSetPolicy::Nearest { count: count.ok_or_else(bad)? })
            }
            "hex" => {
                let cell_mm = millimetres(number, limits::HEX_CELL_MM_MIN, limits::HEX_CELL_MM_MAX)?;
                Ok(InterestSetPolicy::Hex { cell_mm })
            }
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for InterestSetPolicy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            InterestSetPolicy::All => formatter.write_str(self.name()),
            InterestSetPolicy::Nearest { count } => write!(formatter, "{}:{count}", self.name()),
            InterestSetPolicy::Radius { radius_mm: mm } | InterestSetPolicy::Hex { cell_mm: mm } => {
                write!(formatter, "{}:{}", self.name(), f64::from(mm) / 1_000.0)
            }
        }
    }
}

impl TryFrom<String> for InterestSetPolicy {
    type Error = InterestPolicyError;

    fn try_from(text: String) -> Result<InterestSetPolicy, InterestPolicyError> {
        text.parse()
    }
}

impl From<InterestSetPolicy> for String {
    fn from(policy: InterestSetPolicy) -> String {
        policy.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_survives_a_text_round_trip() {
        for (text, policy) in [
            ("all", InterestSetPolicy::All),
            ("radius", InterestSetPolicy::RADIUS),
            ("nearest", InterestSetPolicy::NEAREST),
            ("hex", InterestSetPolicy::HEX),
            ("radius:7.5", InterestSetPolicy::Radius { radius_mm: 7_500 }),
            ("nearest:3", InterestSetPolicy::Nearest { count: 3 }),
            ("hex:20.001", InterestSetPolicy::Hex { cell_mm: 20_001 }),
        ] {
            assert_eq!(text.parse(), Ok(policy), "{text}");
            assert_eq!(policy.to_string().parse(), Ok(policy), "{policy}");
        }
        for policy in InterestSetPolicy::SAMPLES {
            assert_eq!(policy.name().parse(), Ok(policy), "{policy}: a name alone has the default parameters");
            assert_eq!(policy.to_string().parse(), Ok(policy), "{policy}: the text with its parameters");
            assert!(InterestSetPolicy::formats().contains(policy.name()), "formats() lacks {policy}");
        }
    }

    #[test]
    fn the_samples_hold_every_policy() {
        // A new variant takes a number here and a place in SAMPLES.
        let number = |policy| match policy {
            InterestSetPolicy::All => 0,
            InterestSetPolicy::Radius { .. } => 1,
            InterestSetPolicy::Nearest { .. } => 2,
            InterestSetPolicy::Hex { .. } => 3,
        };
        assert_eq!(InterestSetPolicy::SAMPLES.map(number), [0, 1, 2, 3]);
    }

    #[test]
    fn the_ends_of_each_range_are_accepted() {
        for text in ["radius:0.001", "radius:1000000", "nearest:1", "nearest:512", "hex:1", "hex:1000"] {
            let policy: InterestSetPolicy = text.parse().expect(text);
            assert_eq!(policy.to_string(), text);
        }
        for text in ["radius:0.0004", "radius:1000001", "nearest:0", "nearest:513", "hex:0.999", "hex:1000.001"] {
            assert!(text.parse::<InterestSetPolicy>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_invalid_policy_is_refused_with_the_accepted_formats() {
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
            let error = text.parse::<InterestSetPolicy>().unwrap_err().to_string();
            assert!(error.contains("nearest[:COUNT]"), "{text}: {error}");
        }
    }
}
