//! `spec/vectors/grants.json`: rights of tokens, and filters of roles.

use serde_json::Value;
use stoa_state::grant::{
    Claims, Grant, RequestableRight, RoleRequester, SceneSettings, TokenFilterInput, TokenIds, filters,
};
use stoa_state::time::UnixSeconds;
use stoa_wire::reason::Reason;
use stoa_wire::topic_filter::TopicFilter;

#[path = "vectors/mqtt.rs"]
mod mqtt;

const VECTORS: &str = include_str!("../../../spec/vectors/grants.json");

#[test]
fn grant_decisions_match_the_vectors() {
    let file: Value = serde_json::from_str(VECTORS).expect("vectors are JSON");
    let skips = &file["skips"]["rust"];
    let cases = file["cases"].as_array().expect("cases are a list");
    let (mut run, mut skipped) = (0, 0);
    for case in cases {
        let name = case["name"].as_str().expect("a case has a name");
        if skips.get(name).is_some() {
            skipped += 1;
            continue;
        }
        if case.get("given").is_some() {
            check_given(name, case)
        } else if case.get("claims").is_some() {
            check_claims(name, case)
        } else {
            check_filters(name, case)
        }
        run += 1;
    }
    println!("vectors grants.json: {run} run, {skipped} skipped");
    assert!(run > 0, "no vector was run");
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} is a string in {value}"))
}

fn claims_of(name: &str, case: &Value) -> Claims {
    let mut claims = case["claims"].clone();
    for key in ["iat", "exp"] {
        claims[key] = text(&claims, key).parse::<u64>().expect("seconds").into();
    }
    serde_json::from_value(claims).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn check_given(name: &str, case: &Value) {
    let settings: SceneSettings = serde_json::from_value(case["settings"].clone()).expect("settings");
    let scene = text(case, "scene").parse().expect("a scene's name");
    assert_eq!(claims_of(name, case).hold_in(&scene, &settings), case["given"].as_bool().expect("is said"), "{name}");
}

fn check_claims(name: &str, case: &Value) {
    let claims = claims_of(name, case);
    let now = UnixSeconds(text(case, "now").parse().expect("seconds"));
    let verdict = decide(case, claims, now);
    assert_eq!(verdict.is_ok(), case["allowed"].as_bool().expect("is said"), "{name}: {verdict:?}");
    if let Some(expected) = case["error"].as_str() {
        assert_eq!(verdict.map_err(Reason::as_str), Err(expected), "{name}");
    }
}

fn decide(case: &Value, claims: Claims, now: UnixSeconds) -> Result<(), Reason> {
    let grant = Grant::new(claims, text(case, "client_id"))?;
    if grant.is_expired(now) {
        return Err(Reason::NotGranted);
    }
    if case.get("publish").is_some() {
        return grant.may_publish(text(case, "publish"));
    }
    let filter = TopicFilter::parse(text(case, "subscribe"))?;
    if grant.may_subscribe(&filter) { Ok(()) } else { Err(Reason::NotGranted) }
}

fn check_filters(name: &str, case: &Value) {
    let settings = SceneSettings { users: case["users"].as_bool().expect("is said"), ..SceneSettings::default() };
    let account =
        RoleRequester { name: text(case, "sub"), realm_owner: false, guest: case["guest"].as_bool().expect("is said") };
    let id = |key: &str| case["ids"][key].as_str().map(str::to_string);
    let asked = case["parts"].as_array().map(Vec::as_slice).unwrap_or_default();
    let parts = asked.iter().map(|part| part_called(part.as_str().expect("a part's name"))).collect();
    let ids = TokenIds { user_client: id("userclient"), id_tag: id("userid"), rights: parts };
    let entry = TokenFilterInput {
        scene: &text(case, "scene").parse().expect("a scene's name"),
        settings: &settings,
        account: &account,
        role: serde_json::from_value(case["role"].clone()).expect("a role"),
        ids: &ids,
    };
    let given = filters(&entry);
    assert_eq!(serde_json::to_value(&given.publ).expect("filters are strings"), case["publ"], "{name}");
    assert_eq!(serde_json::to_value(&given.subs).expect("filters are strings"), case["subs"], "{name}");
}

fn part_called(name: &str) -> RequestableRight {
    match name {
        "handleftid" => RequestableRight::LeftHand,
        "handrightid" => RequestableRight::RightHand,
        "faceid" => RequestableRight::Face,
        "renderfusionid" => RequestableRight::RenderHost,
        "environmentid" => RequestableRight::EnvironmentHost,
        _ => panic!("there is no part {name:?}"),
    }
}
