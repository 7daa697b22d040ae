//! What runs have met.

use stoa_state::motion::interest::InterestPolicy;

/// A situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MotionRow {
    /// Everybody sees everything.
    All,
    /// Those within a distance.
    Radius,
    /// Those who are nearest.
    Nearest,
    /// Those in the cells around.
    Hex,
    /// Somebody left with a word.
    Left,
    /// Somebody was cut off, and was put out for its silence.
    Silent,
    /// More than a fifth of the datagrams were lost.
    MuchLost,
    /// A receiver was served as soon as something came.
    AtOnce,
    /// Somebody withdrew an object.
    Withdrawn,
    /// Not all fitted into somebody's budget.
    Thinned,
    /// All were of one mind at the end.
    Agreed,
}

/// All of them.
pub const ROWS: [MotionRow; 11] = [
    MotionRow::All,
    MotionRow::Radius,
    MotionRow::Nearest,
    MotionRow::Hex,
    MotionRow::Left,
    MotionRow::Silent,
    MotionRow::MuchLost,
    MotionRow::AtOnce,
    MotionRow::Withdrawn,
    MotionRow::Thinned,
    MotionRow::Agreed,
];

pub(super) fn of_policy(policy: InterestPolicy) -> MotionRow {
    match policy {
        InterestPolicy::All => MotionRow::All,
        InterestPolicy::Radius { .. } => MotionRow::Radius,
        InterestPolicy::Nearest { .. } => MotionRow::Nearest,
        InterestPolicy::Hex { .. } => MotionRow::Hex,
    }
}
