//! Runs `spec/vectors`, as the TypeScript and Python tests do.

use std::path::Path;

use serde_json::{Value, json};
use stoa_wire::envelope::{Envelope, Persist};
use stoa_wire::reason::Reason;
use stoa_wire::topic::SceneTopic;
use stoa_wire::topic_filter::TopicFilter;

#[path = "vectors/frames.rs"]
mod frames;
#[path = "vectors/netcode.rs"]
mod netcode;

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("{}: {key} is a string", case["name"]))
}

/// Runs the cases of a file, and prints the counts that `cargo xtask check` compares. Fails without cases.
fn run(file: &str, check: impl Fn(&Value)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors").join(file);
    let content = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let vectors: Value = serde_json::from_str(&content).expect("vectors are JSON");
    let skips = &vectors["skips"]["rust"];
    let (mut ran, mut skipped) = (0, 0);
    for case in vectors["cases"].as_array().expect("`cases` is an array") {
        if skips.get(text(case, "name")).is_some() {
            skipped += 1;
        } else {
            check(case);
            ran += 1;
        }
    }
    println!("vectors {file}: {ran} run, {skipped} skipped");
    assert!(ran > 0, "no vectors in {file}");
}

fn repeated(case: &Value) -> String {
    let part = |key: &str| case[key].as_str().unwrap_or_default();
    let times = usize::try_from(case["times"].as_u64().expect("`times` is a count")).expect("fits");
    format!("{}{}{}", part("prefix"), part("unit").repeat(times), part("suffix"))
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).expect("hex is ASCII"));
    digits.map(|pair| u8::from_str_radix(pair, 16).expect("hex")).collect()
}

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn payload(case: &Value) -> Vec<u8> {
    if let Some(payload) = case["payload"].as_str() {
        return payload.into();
    }
    if let Some(hex) = case["payload_hex"].as_str() {
        return bytes_of(hex);
    }
    repeated(&case["payload_repeat"]).into()
}

fn described(envelope: &Envelope) -> Value {
    let persist = match envelope.persist {
        Persist::False => "false",
        Persist::Truthy => "truthy",
        Persist::True => "true",
    };
    json!({
        "object_id": (!envelope.object_id.is_empty()).then_some(&envelope.object_id),
        "action": envelope.action.map(stoa_wire::envelope::Action::as_str),
        "type": envelope.type_name,
        "persist": persist,
        "ttl": envelope.ttl,
        "overwrite": envelope.overwrite,
        "private": envelope.private,
        "attributes": envelope.attributes,
    })
}

/// Compares JSON values, with 30 and 30.0 as one number.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| right.get(key).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}

#[test]
fn envelopes_are_accepted_and_refused_as_the_vectors_say() {
    run("envelopes.json", |case| {
        let outcome = SceneTopic::parse(text(case, "topic"))
            .expect("vectors are about scene topics")
            .and_then(|topic| Envelope::on(&topic, &payload(case)).map_err(|refused| refused.reason));
        match (outcome, case["error"].as_str()) {
            (Ok(envelope), None) => {
                let (got, wanted) = (described(&envelope), &case["envelope"]);
                assert!(same(&got, wanted), "{}: {got} is not {wanted}", case["name"]);
            }
            (Err(reason), Some(wanted)) => assert_eq!(reason.as_str(), wanted, "{}", case["name"]),
            (outcome, wanted) => panic!("{}: {outcome:?} is not {wanted:?}", case["name"]),
        }
    });
}

#[test]
fn topic_filters_match_and_cover_as_the_vectors_say() {
    run("topic-filters.json", |case| {
        let filter = case["filter"].as_str().map_or_else(|| repeated(&case["filter_repeat"]), String::from);
        let filter = TopicFilter::parse(&filter);
        if let Some(wanted) = case["error"].as_str() {
            assert_eq!(filter.map_err(Reason::as_str), Err(wanted), "{}", case["name"]);
            return;
        }
        let filter = filter.unwrap_or_else(|reason| panic!("{}: {reason}", case["name"]));
        if let Some(wanted) = case["matches"].as_bool() {
            assert_eq!(filter.matches(text(case, "topic")), wanted, "{}", case["name"]);
        } else {
            let other = TopicFilter::parse(text(case, "covers")).expect("vectors cover well-formed filters");
            assert_eq!(Some(filter.covers(&other)), case["is_covered"].as_bool(), "{}", case["name"]);
        }
    });
}
