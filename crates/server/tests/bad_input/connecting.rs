//! Connections that the server refuses or ends.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use stoa_server::tokens::TokenAuthority;
use stoa_wire::packet::{MqttVersion, Packet, ReasonCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::client::{tcp, websocket_stream};
use crate::running::PATIENCE;
use crate::stage::{SANDBOX, Stage, create, enter, member};
use crate::wire::{Credentials, Wire, connect};

/// A token whose header and claims were changed after signing.
fn tampered(token: &str, header: &Value, change: impl Fn(&mut Value)) -> String {
    let mut parts = token.split('.').map(str::to_owned).collect::<Vec<_>>();
    let mut claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(&parts[1]).unwrap()).unwrap();
    change(&mut claims);
    parts[0] = URL_SAFE_NO_PAD.encode(header.to_string());
    parts[1] = URL_SAFE_NO_PAD.encode(claims.to_string());
    if header["alg"] == "none" {
        parts[2].clear();
    }
    parts.join(".")
}

const BAD_LOGIN: ReasonCode = ReasonCode::BAD_USER_NAME_OR_PASSWORD;
const BAD_CLIENT_ID: ReasonCode = ReasonCode::CLIENT_IDENTIFIER_NOT_VALID;

/// Invalid credentials, each with MQTT 5's reason code.
async fn bad_credentials(stage: &Stage) -> Vec<(&'static str, ReasonCode, Credentials)> {
    let good = stage.guest().await;
    let owner = member(&stage.server, "client-owner", "owner").await;
    let keys = TokenAuthority::load_or_create(&stage.server.data).unwrap();
    let claims = keys.verify(&good.token).unwrap();
    let signed = |change: &dyn Fn(&mut stoa_state::grant::Claims)| {
        let mut claims = claims.clone();
        change(&mut claims);
        keys.issue(&claims).unwrap()
    };
    let with = |token: String| Credentials { token, ..good.clone() };
    let rs256 = json!({"alg": "RS256", "typ": "JWT"});
    let own_key = json!({"alg": "RS256", "jwk": {"kty": "RSA", "n": "AQAB", "e": "AQAB"}, "kid": "../../dev/null"});
    vec![
        ("no token at all", BAD_LOGIN, with("a.b.c".into())),
        (
            "a token that has ended",
            ReasonCode::NOT_AUTHORIZED,
            with(signed(&|claims| claims.exp.0 = claims.iat.0 - 10)),
        ),
        ("a ticket's audience", BAD_LOGIN, with(signed(&|claims| claims.aud = "stoa-motion".into()))),
        ("an invitation", BAD_LOGIN, with(signed(&|claims| claims.typ = "invitation".into()))),
        ("no signature", BAD_LOGIN, with(tampered(&good.token, &json!({"alg": "none"}), |_| {}))),
        ("a shared secret", BAD_LOGIN, with(tampered(&good.token, &json!({"alg": "HS256"}), |_| {}))),
        ("a key it brings along", BAD_LOGIN, with(tampered(&good.token, &own_key, |_| {}))),
        ("changed claims", BAD_LOGIN, with(tampered(&good.token, &rs256, |claims| claims["publ"] = json!(["#"])))),
        ("another's user name", BAD_LOGIN, Credentials { username: "client-owner".into(), ..good.clone() }),
        ("the realm's own client id", BAD_CLIENT_ID, Credentials { client_id: "stoa".into(), ..owner.clone() }),
        ("nobody's client id", BAD_CLIENT_ID, Credentials { client_id: "-".into(), ..owner.clone() }),
        ("a guest's identity", BAD_CLIENT_ID, Credentials { client_id: good.user_client.clone(), ..owner }),
        ("a client id that is a filter", BAD_CLIENT_ID, Credentials { client_id: "a/#".into(), ..good.clone() }),
    ]
}

#[tokio::test]
async fn bad_credentials_are_refused_by_the_connack_and_end_the_connection() {
    let mut stage = Stage::set().await;
    let cases = bad_credentials(&stage).await;
    for version in [MqttVersion::V5, MqttVersion::V311] {
        for (what, code, credentials) in &cases {
            let before = stage.counter("stoa_connect_refused_total").await;
            let (mut wire, answer) = Wire::connect(tcp(&stage.server).await, version, credentials).await;
            assert_eq!(answer.code, *code, "{what}");
            assert_eq!(answer.properties.reason.is_some(), version == MqttVersion::V5, "{what} is explained");
            assert!(wire.next().await.is_none(), "{what} ends the connection");
            assert_eq!(stage.counter("stoa_connect_refused_total").await, before + 1, "{what} is counted");
        }
    }
    stage.nothing_was_forwarded("bad credentials").await;
}

#[tokio::test]
async fn a_message_behind_a_refused_connect_is_not_forwarded() {
    let mut stage = Stage::set().await;
    let credentials = Credentials { token: "a.b.c".into(), ..stage.guest().await };
    let mut wire = Wire::over(tcp(&stage.server).await, MqttVersion::V5);
    let topic = format!("{SANDBOX}/o/{}/thing", credentials.user_client);
    let message =
        crate::wire::publish(&topic, create("thing").to_string().as_bytes(), stoa_wire::packet::Qos::AtMostOnce);
    let frames = [Packet::Connect(connect(MqttVersion::V5, &credentials)), message];
    let bytes: Vec<u8> =
        frames.iter().flat_map(|packet| stoa_wire::packet::encode(packet, MqttVersion::V5).parts().concat()).collect();
    wire.send_bytes(&bytes).await;
    assert!(
        matches!(wire.next().await, Some(Packet::ConnAck(answer)) if answer.code == ReasonCode::BAD_USER_NAME_OR_PASSWORD)
    );
    assert!(wire.next().await.is_none());
    stage.nothing_was_forwarded("a message behind a refused CONNECT").await;
}

/// Bytes that no client may send, each with the DISCONNECT's reason code.
fn bad_bytes() -> Vec<(&'static str, ReasonCode, Vec<u8>)> {
    let publish = |flags: u8, rest: &[u8]| [&[0x30 | flags, u8::try_from(rest.len()).unwrap()][..], rest].concat();
    let with_property = |property: &[u8]| {
        let length = [u8::try_from(property.len()).unwrap()];
        publish(0, &[b"\x00\x01t".as_slice(), &length, property].concat())
    };
    vec![
        ("packet type 0", ReasonCode::MALFORMED_PACKET, vec![0x00, 0x00]),
        ("reserved flags", ReasonCode::MALFORMED_PACKET, vec![0xc1, 0x00]),
        ("a length without end", ReasonCode::MALFORMED_PACKET, vec![0x30, 0xff, 0xff, 0xff, 0xff, 0x01]),
        ("a packet beyond the maximum", ReasonCode::PACKET_TOO_LARGE, vec![0x30, 0xff, 0xff, 0xff, 0x7f]),
        ("a second CONNECT", ReasonCode::PROTOCOL_ERROR, b"\x10\x0d\x00\x04MQTT\x05\x02\x00\x3c\x00\x00\x00".to_vec()),
        ("a packet that servers send", ReasonCode::PROTOCOL_ERROR, vec![0xd0, 0x00]),
        ("an AUTH", ReasonCode::PROTOCOL_ERROR, vec![0xf0, 0x00]),
        ("QoS 3", ReasonCode::MALFORMED_PACKET, publish(6, b"\x00\x01t\x00\x01\x00")),
        ("packet id 0", ReasonCode::MALFORMED_PACKET, publish(2, b"\x00\x01t\x00\x00\x00")),
        ("a wildcard in a topic", ReasonCode::TOPIC_NAME_INVALID, publish(0, b"\x00\x03t/#\x00")),
        ("U+0000 in a topic", ReasonCode::TOPIC_NAME_INVALID, publish(0, b"\x00\x03t\x00t\x00")),
        ("a topic that is not UTF-8", ReasonCode::MALFORMED_PACKET, publish(0, b"\x00\x01\xff\x00")),
        ("no topic", ReasonCode::TOPIC_NAME_INVALID, publish(0, b"\x00\x00\x00")),
        ("a topic alias that was never given", ReasonCode::PROTOCOL_ERROR, publish(0, b"\x00\x00\x03\x23\x00\x05")),
        ("a topic alias of 0", ReasonCode::PROTOCOL_ERROR, publish(0, b"\x00\x01t\x03\x23\x00\x00")),
        ("a subscription id from a client", ReasonCode::PROTOCOL_ERROR, with_property(b"\x0b\x01")),
        ("U+0000 in a user property", ReasonCode::MALFORMED_PACKET, with_property(b"\x26\x00\x01\x00\x00\x01v")),
        ("U+0000 in a content type", ReasonCode::MALFORMED_PACKET, with_property(b"\x03\x00\x01\x00")),
        ("a wildcard in a response topic", ReasonCode::MALFORMED_PACKET, with_property(b"\x08\x00\x01#")),
    ]
}

#[tokio::test]
async fn a_malformed_packet_ends_its_connection_with_a_reason() {
    let mut stage = Stage::set().await;
    let guest = stage.guest().await;
    for (what, code, bytes) in bad_bytes() {
        let before = stage.counter("stoa_protocol_errors_total").await;
        let mut wire = enter(&stage.server, &guest).await;
        wire.send_bytes(&bytes).await;
        let Some(Packet::Disconnect(last)) = wire.next().await else { panic!("{what} is answered") };
        assert_eq!(last.code, code, "{what}: {:?}", last.reason);
        assert!(last.reason.is_some(), "{what} is explained");
        assert!(wire.next().await.is_none(), "{what} ends the connection");
        assert_eq!(stage.counter("stoa_protocol_errors_total").await, before + 1, "{what} is counted");
    }
    stage.nothing_was_forwarded("malformed packets").await;
}

#[tokio::test]
async fn a_text_frame_closes_its_websocket_with_code_1003() {
    let mut stage = Stage::set().await;
    let mut stream = websocket_stream(&stage.server).await;
    // A final text frame of four bytes, masked with zeros.
    stream.write_all(b"\x81\x84\0\0\0\0text").await.unwrap();
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("an end in time").unwrap();
    assert_eq!(answer.get(..1), Some(&[0x88][..]), "a close frame");
    assert_eq!(answer.get(2..4), Some(&1003_u16.to_be_bytes()[..]), "unsupported data");
    assert_eq!(stage.counter("stoa_net_text_frames_total").await, 1);
    stage.nothing_was_forwarded("a text frame").await;
}

#[tokio::test]
async fn a_connection_with_an_incomplete_packet_is_closed_at_its_timeout() {
    let mut stage = Stage::set().await;
    let address = stage.server.ports.mqtt.unwrap();
    let mut halves = Vec::new();
    for bytes in [&b""[..], b"\x10", b"\x10\x40\x00\x04MQTT\x05"] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        halves.push(stream);
    }
    stage.nothing_was_forwarded("half a CONNECT").await;
    for mut stream in halves {
        let mut rest = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut rest)).await.expect("an end in time").unwrap();
        assert_eq!(rest, b"", "nobody has spoken MQTT yet, so there is nothing to say");
    }
    stage.nothing_was_forwarded("half a CONNECT that was given up").await;
}
