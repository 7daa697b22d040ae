//! Properties of decoders for arbitrary bytes.

use std::path::{Component, Path};
use std::sync::OnceLock;

use serde_json::{Value, json};
use stoa_server::files::FilePath;
use stoa_server::tokens::TokenAuthority;
use stoa_state::grant::Claims;
use stoa_wire::envelope::Envelope;
use stoa_wire::limits;
use stoa_wire::packet::{Decoder, MqttVersion, Packet, encode};
use stoa_wire::topic::{SceneTopic, Topic, TopicKind};
use stoa_wire::topic_filter::TopicFilter;

use crate::conversation::converse;

/// A function that takes arbitrary bytes.
pub type FuzzTargetFn = fn(&[u8]);

const KINDS: [TopicKind; 8] =
    [TopicKind::X, TopicKind::C, TopicKind::U, TopicKind::O, TopicKind::R, TopicKind::E, TopicKind::P, TopicKind::D];

/// Parses a payload as each kind of topic. An accepted payload is within the size limit. On `o`, its id, action and
/// attributes encode again and decode to the same attributes.
pub fn envelope(bytes: &[u8]) {
    let named = serde_json::from_slice::<Value>(bytes).ok();
    let id = named.as_ref().and_then(|value| value.get("object_id")?.as_str()).unwrap_or("box1");
    for kind in KINDS {
        let Ok(envelope) = Envelope::parse(kind, id, bytes) else { continue };
        assert!(bytes.len() <= limits::PAYLOAD_BYTES_MAX);
        if kind != TopicKind::O {
            continue;
        }
        let Some(action) = envelope.action else { panic!("an object's message without an action was accepted") };
        assert_eq!(envelope.object_id, id);
        let mut again = json!({"object_id": id, "action": action.as_str()});
        if let Some(attributes) = &envelope.attributes {
            again["data"] = Value::Object(attributes.clone());
        }
        let text = again.to_string();
        if text.len() <= limits::PAYLOAD_BYTES_MAX {
            let said_again = Envelope::parse(kind, id, text.as_bytes());
            assert_eq!(said_again.map(|envelope| envelope.attributes), Ok(envelope.attributes), "{text}");
        }
    }
}

/// A topic: its text is unchanged and contains no wildcard. A scene's topic begins with the decoded scene and kind.
pub fn topic(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(topic) = Topic::parse(text) {
        assert_eq!(topic.as_str(), text);
        assert!(text.len() <= limits::TOPIC_BYTES_MAX && !text.contains(['+', '#', '\0']));
    }
    if let Some(Ok(topic)) = SceneTopic::parse(text) {
        let prefix = format!("realm/s/{}/{}/", topic.scene, topic.kind.as_str());
        assert!(text.starts_with(&prefix), "{text:?} is not below {prefix:?}");
    }
}

/// Two filters and a topic, one per line. A filter covers itself. Two filters that cover each other are equal. A
/// covering filter matches all topics of the covered one, and two filters that match one topic overlap.
pub fn filter(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut lines = text.split('\n');
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return };
    let (Ok(a), Ok(b)) = (TopicFilter::parse(first), TopicFilter::parse(second)) else { return };
    assert!(a.covers(&a) && b.covers(&b));
    if a.covers(&b) && b.covers(&a) {
        assert_eq!(a, b);
    }
    let Some(topic) = lines.next().filter(|topic| Topic::parse(topic).is_ok()) else { return };
    // At the first level only `matches` considers `$`.
    if a.covers(&b) && b.matches(topic) && !topic.starts_with('$') {
        assert!(a.matches(topic), "{first:?} covers {second:?}, which alone hears {topic:?}");
    }
    if a.matches(topic) && b.matches(topic) {
        assert!(a.overlaps(&b), "{first:?} and {second:?} both hear {topic:?}");
    }
}

/// A stream of MQTT packets. Cut into pieces of one size, it decodes to the same packets, and the realm handles them
/// without a panic.
pub fn packets(bytes: &[u8]) {
    let whole = decoded(std::iter::once(bytes));
    let size = usize::from(bytes.first().copied().unwrap_or(0) % 7) + 1;
    let (pieces, end) = decoded(bytes.chunks(size));
    assert_eq!(format!("{:?}", whole), format!("{:?}", (&pieces, &end)));
    let mut version = MqttVersion::V5;
    for packet in &pieces {
        match packet {
            Packet::Connect(connect) => version = connect.version,
            Packet::Publish(publish) if !publish.topic.is_by_alias() => {
                let mut decoder = Decoder::for_client(version);
                encode(packet, version).parts().into_iter().for_each(|part| decoder.feed(part));
                let again = decoder.next_packet();
                assert_eq!(format!("{again:?}"), format!("{:?}", Ok::<_, ()>(Some(packet))));
            }
            _ => {}
        }
    }
    converse(pieces, end);
}

fn decoded<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> (Vec<Packet>, Option<stoa_wire::packet::DecodeError>) {
    let mut decoder = Decoder::new(limits::PACKET_BYTES_MAX);
    let mut packets = Vec::new();
    for piece in pieces {
        decoder.feed(piece);
        loop {
            match decoder.next_packet() {
                Ok(Some(packet)) => packets.push(packet),
                Ok(None) => break,
                Err(error) => return (packets, Some(error)),
            }
        }
    }
    (packets, None)
}

/// A token: only the issued one is accepted. `GOOD` stands for it, so that mutations start near it.
pub fn token(bytes: &[u8]) {
    static ISSUED: OnceLock<(TokenAuthority, String, Claims)> = OnceLock::new();
    let (keys, good, claims) = ISSUED.get_or_init(issue);
    let text = String::from_utf8_lossy(bytes).replace("GOOD", good);
    if let Ok(believed) = keys.verify(&text) {
        assert_eq!((&text, &believed), (good, claims), "a token that was never issued is believed");
    }
}

fn issue() -> (TokenAuthority, String, Claims) {
    let dir = std::env::temp_dir().join(format!("stoa-fuzz-{}", std::process::id()));
    let keys = TokenAuthority::load_or_create(&dir).expect("the temporary folder can be written");
    let _ = std::fs::remove_dir_all(&dir);
    let claims = stoa_server::claims::new("alice", stoa_state::grant::realm_filters(), 86_400);
    let good = keys.issue(&claims).expect("a fresh key signs");
    (keys, good, claims)
}

/// The path of an upload: an accepted path stays below its owner's folder, however it is joined.
pub fn upload_path(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(path) = FilePath::parse(text) else { return };
    assert_eq!(path.as_str(), text);
    let plain = Path::new(text).components().all(|part| matches!(part, Component::Normal(_)));
    assert!(plain, "{text:?} climbs, hides or begins elsewhere");
    assert!(text.starts_with(&format!("users/{}/", path.owner())), "{text:?}");
    assert!(!text.chars().any(|character| character.is_control() || character == '\\'), "{text:?}");
    let _ = (path.scene(), path.extension());
}
