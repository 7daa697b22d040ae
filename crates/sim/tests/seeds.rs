//! The scenes' world: a thousand seeds agree, and planted bugs are detected.

use stoa_sim::coverage::PERSISTENCE;
use stoa_sim::limits::{CLIENTS, OPERATIONS_MIN};
use stoa_sim::{InjectedSceneFault, SceneSituation, run, run_many, run_with};

#[test]
fn a_thousand_seeds_agree_with_the_model_and_cover_every_situation() {
    let coverage = run_many(1..1_001).unwrap_or_else(|failure| panic!("{failure}"));
    for row in PERSISTENCE {
        assert!(coverage.times(row) >= 1_000, "each seed meets {row:?}, met {} times", coverage.times(row));
    }
    let beside = [
        SceneSituation::Reset,
        SceneSituation::Join,
        SceneSituation::Camera,
        SceneSituation::Hand,
        SceneSituation::Rename,
        SceneSituation::Leave,
        SceneSituation::Straggler,
        SceneSituation::CameraExpired,
        SceneSituation::ConnectionLost,
        SceneSituation::SceneChanged,
        SceneSituation::SceneRemoved,
        SceneSituation::GrantOutdated,
        SceneSituation::ServerCrashed,
        SceneSituation::TabFrozen,
        SceneSituation::GapClosed,
        SceneSituation::Refused,
        SceneSituation::Chat,
        SceneSituation::TemplateOfAnotherScene,
        SceneSituation::TemplateRemnants,
    ];
    for row in beside {
        assert!(coverage.times(row) >= 100, "{row:?} was met {} times", coverage.times(row));
    }
    println!("1000 seeds agree");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let runs = [run(17), run(17)].map(|run| run.unwrap_or_else(|failure| panic!("{failure}")));
    let [first, second] = &runs;
    assert_eq!(first.coverage, second.coverage);
    assert!(first.operations >= OPERATIONS_MIN && OPERATIONS_MIN >= 200 && CLIENTS >= 8);
    assert_eq!((first.operations, first.lasted), (second.operations, second.lasted));
    let other = run(18).unwrap_or_else(|failure| panic!("{failure}"));
    assert_ne!(first.coverage, other.coverage, "negative control");
}

/// Asserts that the first seed detects the bug.
fn is_seen(bug: InjectedSceneFault, says: &str) {
    let failure = run_with(1, Some(bug)).expect_err("the bug is seen");
    let line = failure.to_string();
    assert!(line.starts_with("seed 1, commit "), "{line}");
    assert!(line.ends_with("replay: cargo run -p stoa-sim -- --seed 1"), "{line}");
    assert!(failure.what.contains(says), "{line}");
}

#[test]
fn a_forgotten_leave_is_detected() {
    is_seen(InjectedSceneFault::LeaveForgotten, "ought");
}

#[test]
fn an_update_that_replaces_instead_of_merging_is_detected() {
    is_seen(InjectedSceneFault::MergeReplaces, "ought");
}

#[test]
fn a_change_that_never_reaches_the_disk_is_detected() {
    is_seen(InjectedSceneFault::ChangeLost, "ought");
}

#[test]
fn a_snapshot_without_its_last_message_is_detected() {
    is_seen(InjectedSceneFault::SnapshotShort, "sees");
}

#[test]
fn an_acknowledgement_before_its_write_is_on_disk_is_detected() {
    is_seen(InjectedSceneFault::EarlyAcknowledgement, "is not on disk");
}
