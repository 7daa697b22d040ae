//! The broker's world: a thousand seeds agree, and planted bugs are detected.

use stoa_sim::broker::{InjectedBrokerFault, ROWS, run, run_many, run_with};

#[test]
fn a_thousand_seeds_of_a_broker_agree_with_the_model() {
    let coverage = run_many(1..1_001).unwrap_or_else(|failure| panic!("{failure}"));
    for row in ROWS {
        assert!(coverage.times(row) >= 100, "{row:?} was met {} times", coverage.times(row));
    }
    println!("1000 seeds agree");
}

#[test]
fn the_same_broker_seed_gives_the_same_run() {
    let runs = [run(17), run(17)].map(|run| run.unwrap_or_else(|failure| panic!("{failure}")));
    let [first, second] = &runs;
    assert_eq!(first.coverage, second.coverage);
    assert_eq!((first.operations, first.lasted), (second.operations, second.lasted));
    let other = run(18).unwrap_or_else(|failure| panic!("{failure}"));
    assert_ne!(first.coverage, other.coverage, "negative control");
}

/// Asserts that one of the first seeds detects the bug, and passes without it.
fn is_seen(bug: InjectedBrokerFault, says: &str) {
    let seen = (1..=20).find_map(|seed| run_with(seed, Some(bug)).err()).expect("the bug is seen");
    let line = seen.to_string();
    let replay = format!("replay: cargo run -p stoa-sim -- --broker --seed {}", seen.seed);
    assert!(line.ends_with(&replay), "{line}");
    assert!(seen.what.contains(says), "{line}");
    assert!(run(seen.seed).is_ok(), "negative control");
}

#[test]
fn an_acknowledgement_before_its_write_is_on_disk_is_detected() {
    is_seen(InjectedBrokerFault::EarlyAcknowledgement, "on disk");
}

#[test]
fn a_retained_message_that_never_reaches_the_disk_is_detected() {
    is_seen(InjectedBrokerFault::RetainedLost, "");
}

#[test]
fn a_queued_message_that_never_reaches_the_disk_is_detected() {
    is_seen(InjectedBrokerFault::QueueLost, "");
}

#[test]
fn a_clean_start_that_finds_the_old_session_is_detected() {
    is_seen(InjectedBrokerFault::CleanStartIgnored, "a session is present");
}

#[test]
fn a_will_published_after_a_disconnect_is_detected() {
    is_seen(InjectedBrokerFault::WillAfterDisconnect, "ought not to have been said");
}

#[test]
fn a_will_published_again_after_successful_commits_is_detected() {
    is_seen(InjectedBrokerFault::WillEndLost, "");
}

#[test]
fn a_will_may_be_published_again_if_a_failed_commit_lost_its_end() {
    for seed in [464, 5_570, 7_242, 10_423, 11_996] {
        run(seed).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn an_unanswered_message_may_be_published_again_after_its_session_ends() {
    for seed in [8_998, 20_271] {
        run(seed).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn copies_of_a_twice_published_shared_message_may_arrive_in_any_order() {
    for seed in [10_551, 31_297, 48_164] {
        run(seed).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn a_shared_message_may_survive_in_a_session_whose_end_was_lost() {
    for seed in [32_033, 41_380] {
        run(seed).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn a_share_that_delivers_everything_to_every_member_is_detected() {
    is_seen(InjectedBrokerFault::ShareForAll, "");
}

#[test]
fn a_redelivered_qos_2_message_accepted_twice_is_detected() {
    is_seen(InjectedBrokerFault::TakenTwice, "");
}

#[test]
fn a_token_that_allows_more_than_it_grants_is_detected() {
    is_seen(InjectedBrokerFault::RightsIgnored, "");
}

#[test]
fn a_failed_commit_treated_as_successful_is_detected() {
    is_seen(InjectedBrokerFault::FailureIgnored, "");
}
