//! Payloads on `e`. arena-py parses these as JSON after ignoring bytes that are not UTF-8.

use proptest::prelude::{Strategy, any, prop, prop_oneof, proptest};
use serde_json::Value;
use stoa_wire::envelope::Envelope;
use stoa_wire::topic::SceneTopic;

/// Pieces of JSON, with bytes between them that are not UTF-8.
fn payload() -> impl Strategy<Value = Vec<u8>> {
    let pieces: [&[u8]; 14] =
        [b"{", b"}", b"[", b"]", b"\"a\"", b":", b",", b" ", b"1", b"-2.5e3", b"null", b"true", b"\xff", b"\x81\xa4"];
    let piece = prop_oneof![
        4 => prop::sample::select(pieces.to_vec()).prop_map(<[u8]>::to_vec),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Python's `bytes.decode("utf-8", "ignore")`, then its JSON parser.
fn as_arena_py_reads(payload: &[u8]) -> Option<Value> {
    let text: String = payload.utf8_chunks().map(|chunk| chunk.valid()).collect();
    serde_json::from_str(&text).ok()
}

proptest! {
    #[test]
    fn an_accepted_payload_is_an_object_or_no_json_to_arena_py(payload in payload()) {
        let topic = SceneTopic::parse("realm/s/public/lobby/e/alice_1_web/alice_1").unwrap().unwrap();
        let passes = Envelope::on(&topic, &payload).is_ok();
        let deafens = as_arena_py_reads(&payload).is_some_and(|value| !value.is_object());
        assert!(!(passes && deafens), "{payload:?}");
    }
}

#[test]
fn surroundings_in_the_msgpack_of_arenas_client_are_accepted() {
    let topic = SceneTopic::parse("realm/s/public/lobby/e/alice_1_web/alice_1").unwrap().unwrap();
    let plane = b"\x83\xa4type\xa5plane\xa8vertices\xc4\x04\x00\x00\x80\x3f\xa5label\xa5floor";
    assert!(Envelope::on(&topic, plane).is_ok());
    assert!(as_arena_py_reads(b"\xff1").is_some(), "negative control: a number behind what is no text is read");
}
