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
fn the_same_seed_of_a_broker_is_the_same_run() {
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
fn an_acknowledgement_before_the_disk_is_seen() {
    is_seen(InjectedBrokerFault::EarlyAcknowledgement, "on disk");
}

#[test]
fn a_retained_message_that_never_reaches_the_disk_is_seen() {
    is_seen(InjectedBrokerFault::RetainedLost, "");
}

#[test]
fn what_waits_and_never_reaches_the_disk_is_seen() {
    is_seen(InjectedBrokerFault::QueueLost, "");
}

#[test]
fn a_clean_start_that_finds_the_old_session_is_seen() {
    is_seen(InjectedBrokerFault::CleanStartIgnored, "a session is present");
}

#[test]
fn a_will_after_a_disconnect_is_seen() {
    is_seen(InjectedBrokerFault::WillAfterDisconnect, "ought not to have been said");
}

#[test]
fn a_will_that_is_published_again_after_good_commits_is_seen() {
    is_seen(InjectedBrokerFault::WillEndLost, "");
}

#[test]
fn a_will_whose_end_a_failed_commit_lost_may_be_published_again() {
    for seed in [464, 5_570, 7_242, 10_423, 11_996] {
        run(seed).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn a_message_without_answer_may_come_again_after_the_end_of_its_session() {
    for seed in [8_998, 20_271] {
        run(seed).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn a_message_published_twice_for_a_share_may_come_in_either_order() {
    for seed in [10_551, 31_297, 48_164] {
        run(seed).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn a_shared_message_may_come_from_a_session_whose_end_was_lost() {
    for seed in [32_033, 41_380] {
        run(seed).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn a_share_whose_members_all_get_everything_is_seen() {
    is_seen(InjectedBrokerFault::ShareForAll, "");
}

#[test]
fn a_message_that_is_taken_twice_is_seen() {
    is_seen(InjectedBrokerFault::TakenTwice, "");
}

#[test]
fn a_token_that_allows_what_it_does_not_say_is_seen() {
    is_seen(InjectedBrokerFault::RightsIgnored, "");
}

#[test]
fn a_failed_commit_that_is_taken_for_a_good_one_is_seen() {
    is_seen(InjectedBrokerFault::FailureIgnored, "");
}
