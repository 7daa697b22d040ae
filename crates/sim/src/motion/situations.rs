//! Situations that a simulated motion run can meet, which the tests require to occur.

use stoa_state::motion::interest::InterestSetPolicy;

/// A situation that a run met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MotionSituation {
    /// The scene had the interest policy of this name.
    Policy(&'static str),
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
pub fn rows() -> Vec<MotionSituation> {
    let policies = InterestSetPolicy::SAMPLES.map(|policy| MotionSituation::Policy(policy.name()));
    let others = [
        MotionSituation::Left,
        MotionSituation::Silent,
        MotionSituation::MuchLost,
        MotionSituation::AtOnce,
        MotionSituation::Withdrawn,
        MotionSituation::Thinned,
        MotionSituation::Agreed,
    ];
    policies.into_iter().chain(others).collect()
}
