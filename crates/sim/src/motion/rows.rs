//! What runs have met.

use stoa_state::motion::interest::InterestPolicy;

/// A situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
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
pub const ROWS: [Row; 11] = [
    Row::All,
    Row::Radius,
    Row::Nearest,
    Row::Hex,
    Row::Left,
    Row::Silent,
    Row::MuchLost,
    Row::AtOnce,
    Row::Withdrawn,
    Row::Thinned,
    Row::Agreed,
];

pub(super) fn of_policy(policy: InterestPolicy) -> Row {
    match policy {
        InterestPolicy::All => Row::All,
        InterestPolicy::Radius { .. } => Row::Radius,
        InterestPolicy::Nearest { .. } => Row::Nearest,
        InterestPolicy::Hex { .. } => Row::Hex,
    }
}
