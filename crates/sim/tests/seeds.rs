//! A thousand seeds agree, and a planted bug is seen.

use stoa_sim::coverage::PERSISTENCE;
use stoa_sim::limits::OPERATIONS_MIN;
use stoa_sim::{Bug, Coverage, Row, run, run_with};

#[test]
fn a_thousand_seeds_agree_with_the_model_on_every_row() {
    let mut coverage = Coverage::default();
    for seed in 1..=1_000 {
        let report = run(seed).unwrap_or_else(|failure| panic!("{failure}"));
        assert!(report.operations >= OPERATIONS_MIN, "seed {seed} did {} operations", report.operations);
        let unmet = PERSISTENCE.into_iter().find(|row| report.coverage.times(*row) == 0);
        assert_eq!(unmet, None, "seed {seed} meets every row of the table of persistence");
        coverage.add(&report.coverage);
    }
    let beside = [
        Row::Reset,
        Row::Join,
        Row::Camera,
        Row::Hand,
        Row::Rename,
        Row::Leave,
        Row::Straggler,
        Row::CameraExpired,
        Row::ConnectionLost,
        Row::SceneChanged,
        Row::ServerCrashed,
        Row::TabFrozen,
        Row::Refused,
        Row::Chat,
    ];
    for row in beside {
        assert!(coverage.times(row) >= 100, "{row:?} was met {} times", coverage.times(row));
    }
    println!("1000 seeds agree");
}

#[test]
fn the_same_seed_is_the_same_run() {
    let runs = [run(17), run(17)].map(|run| run.unwrap_or_else(|failure| panic!("{failure}")));
    let [first, second] = &runs;
    assert_eq!(first.coverage, second.coverage);
    assert_eq!((first.operations, first.lasted), (second.operations, second.lasted));
    let other = run(18).unwrap_or_else(|failure| panic!("{failure}"));
    assert_ne!(first.coverage, other.coverage, "negative control");
}

/// Every planted bug must be seen by the first seed that is asked.
fn is_seen(bug: Bug, says: &str) {
    let failure = run_with(1, Some(bug)).expect_err("the bug is seen");
    let line = failure.to_string();
    assert!(line.starts_with("seed 1, commit "), "{line}");
    assert!(line.ends_with("replay: cargo run -p stoa-sim -- --seed 1"), "{line}");
    assert!(failure.what.contains(says), "{line}");
}

#[test]
fn a_leave_that_is_forgotten_is_seen() {
    is_seen(Bug::LeaveForgotten, "ought");
}

#[test]
fn a_merge_that_replaces_is_seen() {
    is_seen(Bug::MergeReplaces, "ought to be");
}

#[test]
fn a_change_that_never_reaches_the_disk_is_seen() {
    is_seen(Bug::ChangeLost, "ought");
}

#[test]
fn a_short_snapshot_is_seen() {
    is_seen(Bug::SnapshotShort, "sees");
}

#[test]
fn an_early_acknowledgement_is_seen() {
    is_seen(Bug::EarlyAcknowledgement, "is not on disk");
}
