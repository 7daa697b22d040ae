//! Runs every target on its kept corpus and, for a bounded number of rounds, on mutations of it. A finding is
//! printed as bytes: add it to the corpus as a file.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test; clippy sees tests only where the attribute is")]
#![allow(missing_docs, reason = "a test's name is its documentation")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use fastrand::Rng;
use stoa_fuzz::mutation::mutated;
use stoa_fuzz::{FuzzTargetFn, TARGETS};

/// Rounds per target: all of them together take a few seconds.
const ROUNDS: u64 = 50_000;
/// Factor by which a walk through the session machine is slower than other targets, because it seals and opens.
const WALK_ROUNDS: u64 = 25;

/// The files of a target's corpus, sorted by name.
fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

/// Runs a target on one input; returns the input if the target panics.
fn finding(target: FuzzTargetFn, bytes: &[u8]) -> Option<String> {
    catch_unwind(AssertUnwindSafe(|| target(bytes))).err().map(|_| bytes.escape_ascii().to_string())
}

/// The first input among `rounds` mutations for which a target panics.
fn search(target: FuzzTargetFn, inputs: &[Vec<u8>], (seed, rounds): (u64, u64)) -> Option<String> {
    let mut random = Rng::with_seed(seed);
    let mut pool = inputs.to_vec();
    for _ in 0..rounds {
        let [input, other] = [0, 0].map(|_| random.usize(0..pool.len()));
        let bytes = mutated(&pool[input], &pool[other], &mut random);
        if let Some(found) = finding(target, &bytes) {
            return Some(found);
        }
        // Sometimes walks away from the corpus, so that changes add up.
        if random.u8(..) < 8 {
            let place = random.usize(0..pool.len());
            pool[place] = if random.bool() { bytes } else { inputs[place].clone() };
        }
    }
    None
}

fn survives(name: &str) {
    survives_rounds(name, ROUNDS);
}

fn survives_rounds(name: &str, rounds: u64) {
    let (_, target) = TARGETS.into_iter().find(|(found, _)| *found == name).unwrap();
    let corpus = corpus(name);
    assert!(!corpus.is_empty(), "{name} has no corpus");
    for (file, bytes) in &corpus {
        assert_eq!(finding(target, bytes), None, "corpus/{name}/{file}");
    }
    let inputs: Vec<_> = corpus.into_iter().map(|(_, bytes)| bytes).collect();
    let rounds = std::env::var("STOA_FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(rounds);
    let seed = std::env::var("STOA_FUZZ_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let found = search(target, &inputs, (seed, rounds));
    assert_eq!(found, None, "{name} does not survive this; keep it as a file of fuzz/corpus/{name}");
}

#[test]
fn fuzzed_envelopes_break_no_invariant() {
    survives("envelope");
}

#[test]
fn fuzzed_topics_break_no_invariant() {
    survives("topic");
}

#[test]
fn fuzzed_topic_filters_break_no_invariant() {
    survives("filter");
}

#[test]
fn fuzzed_packet_streams_break_no_invariant() {
    survives("packets");
}

#[test]
fn fuzzed_tokens_break_no_invariant() {
    survives("token");
}

#[test]
fn fuzzed_upload_paths_break_no_invariant() {
    survives("upload_path");
}

#[test]
fn fuzzed_motion_frames_break_no_invariant() {
    survives("frame");
}

#[test]
fn fuzzed_netcode_datagrams_break_no_invariant() {
    survives("netcode");
}

#[test]
fn fuzzed_motion_sessions_break_no_invariant() {
    survives_rounds("motion_session", ROUNDS / WALK_ROUNDS);
}

#[test]
fn every_target_has_a_corpus_and_every_corpus_a_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut folders: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    folders.sort();
    let mut names = TARGETS.map(|(name, _)| name.to_owned()).to_vec();
    names.sort();
    assert_eq!(folders, names);
}

#[test]
fn a_planted_fault_is_found() {
    fn gullible(bytes: &[u8]) {
        assert!(!String::from_utf8_lossy(bytes).contains("/../"), "it climbs");
    }
    let inputs = vec![b"users/alice/scenes/den/duck.glb".to_vec(), b"users/alice/a".to_vec()];
    let found = search(gullible, &inputs, (1, ROUNDS)).expect("the search is worth its time");
    assert!(found.contains("/../"), "{found}");
}
