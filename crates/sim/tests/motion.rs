//! The motion world: a thousand seeds agree, and planted bugs are detected.

use stoa_sim::motion::{InjectedMotionFault, rows, run, run_many, run_with};

#[test]
fn a_thousand_seeds_of_the_motion_plane_agree() {
    let coverage = run_many(1..1_001).unwrap_or_else(|failure| panic!("{failure}"));
    for row in rows() {
        assert!(coverage.times(row) >= 50, "{row:?} was met {} times", coverage.times(row));
    }
    println!("1000 seeds agree");
}

#[test]
fn the_same_motion_plane_seed_gives_the_same_run() {
    let [first, second] = [run(17), run(17)].map(|run| run.unwrap_or_else(|failure| panic!("{failure}")));
    assert_eq!(first, second);
}

/// Asserts that one of the first seeds detects the bug, and passes without it.
fn is_seen(bug: InjectedMotionFault, says: &str) {
    let failures = (1..=20).filter_map(|seed| run_with(seed, Some(bug)).err());
    let seen = failures.into_iter().find(|failure| failure.what.contains(says)).expect("the bug is seen");
    assert!(run(seen.seed).is_ok(), "negative control");
}

#[test]
fn lost_interest_set_changes_are_detected() {
    is_seen(InjectedMotionFault::ChangesLost, "around it");
}

#[test]
fn an_exceeded_receiver_budget_is_detected() {
    is_seen(InjectedMotionFault::BudgetIgnored, "bytes in a second");
}

#[test]
fn a_baseline_with_a_wrong_position_is_detected() {
    is_seen(InjectedMotionFault::BaselineBeside, "and it is at");
}
