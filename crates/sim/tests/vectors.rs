//! Runs `spec/vectors/stream.json`: a replica's state after a snapshot and the stream that follows.

use serde_json::Value;
use stoa_wire::topic::SceneName;

const VECTORS: &str = include_str!("../../../spec/vectors/stream.json");

#[test]
fn a_simulated_client_matches_the_stream_vectors() {
    let file: Value = serde_json::from_str(VECTORS).expect("vectors are JSON");
    let skips = &file["skips"]["rust"];
    let cases = file["cases"].as_array().expect("cases are a list");
    let (skipped, runnable): (Vec<_>, Vec<_>) =
        cases.iter().partition(|case| case["name"].as_str().is_some_and(|name| skips.get(name).is_some()));
    for case in &runnable {
        let name = case["name"].as_str().expect("a case has a name");
        let steps = case["steps"].as_array().expect("steps are a list");
        let seen = stoa_sim::replay("public/lobby".parse::<SceneName>().expect("a scene's name"), steps);
        assert_eq!(seen["wants_snapshot"], case["wants_snapshot"], "{name}");
        if case.get("objects").is_some() {
            assert_eq!((&seen["objects"], &seen["people"]), (&case["objects"], &case["people"]), "{name}");
        }
    }
    println!("vectors stream.json: {} run, {} skipped", runnable.len(), skipped.len());
    assert!(!runnable.is_empty(), "no vector was run");
}
