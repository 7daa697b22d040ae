//! Situations in the motion world.

use stoa_state::motion::interest::InterestPolicy;

/// A situation that a run met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MotionRow {
    /// Policy: everyone sees everything.
    All,
    /// Policy: objects within a distance.
    Radius,
    /// Policy: the nearest objects.
    Nearest,
    /// Policy: objects in the surrounding cells.
    Hex,
    /// A person left orderly.
    Left,
    /// A person was cut off, and removed for its silence.
    Silent,
    /// More than a fifth of the datagrams were lost.
    MuchLost,
    /// A receiver was served as soon as a pose arrived.
    AtOnce,
    /// A person withdrew an object.
    Withdrawn,
    /// A receiver's budget was too small for all poses.
    Thinned,
    /// All replicas equalled the model at the end.
    Agreed,
}

/// All rows.
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
