//! Messages that the realm must not forward.

use serde_json::Value;
use stoa_wire::packet::{MqttVersion, Packet, Qos, ReasonCode};

use crate::client::tcp;
use crate::stage::{SANDBOX, Stage, create, enter};
use crate::wire::{Credentials, Wire, publish};

/// A bad message of a guest in the sandbox, with the refusal's reason and MQTT 5's code.
struct Bad {
    topic: String,
    payload: Vec<u8>,
    reason: &'static str,
    code: u8,
}

fn bad(reason: &'static str, code: u8, topic: impl Into<String>, payload: impl AsRef<[u8]>) -> Bad {
    Bad { topic: topic.into(), payload: payload.as_ref().to_vec(), reason, code }
}

fn bad_messages(guest: &Credentials) -> Vec<Bad> {
    let Credentials { user_client: own, id_tag: id, .. } = guest;
    let object = format!("{SANDBOX}/o/{own}/thing");
    let good = create("thing").to_string();
    let deep = format!("{}1{}", "[".repeat(70), "]".repeat(70));
    let with = |attributes: &str| {
        format!(
            r#"{{"object_id":"thing","action":"create","type":"object","data":{{"object_type":"box","x":{attributes}}}}}"#
        )
    };
    let typed = |kind: &str| good.replace(r#""type":"object""#, &format!(r#""type":"{kind}""#));
    let join = r#"{"object_id":"somebody","action":"join"}"#;
    vec![
        bad("bad_topic", 0x90, format!("{SANDBOX}/z/{own}/thing"), &good),
        bad("bad_topic", 0x90, format!("{SANDBOX}/o/{own}"), &good),
        bad("bad_topic", 0x90, format!("{SANDBOX}/o//thing"), &good),
        bad("bad_topic", 0x90, format!("realm/s/public/../o/{own}/thing"), &good),
        bad("not_json", 0x99, &object, "{"),
        bad("not_json", 0x99, &object, ""),
        bad("not_an_object", 0x99, &object, "[1]"),
        bad("not_an_object", 0x99, &object, "\"text\""),
        bad("bad_utf8", 0x99, &object, b"{\"object_id\":\"\xff\"}"),
        bad("too_large", 0x99, &object, with(&format!("\"{}\"", "x".repeat(256 * 1_024)))),
        bad("too_deep", 0x99, &object, with(&deep)),
        bad("not_finite", 0x99, &object, with("NaN")),
        bad("not_finite", 0x99, &object, with("1e999")),
        bad("not_json", 0x99, &object, with(r#""\ud800""#)),
        bad("repeated_key", 0x99, &object, with(r#"1,"x":2"#)),
        bad("repeated_key", 0x99, &object, with(r#"1,"\u0078":2"#)),
        bad("id_mismatch", 0x99, format!("{SANDBOX}/o/{own}/other"), &good),
        bad("missing_key", 0x99, &object, r#"{"object_id":"thing","action":"create"}"#),
        bad("bad_value", 0x99, &object, r#"{"object_id":"thing","action":"explode","data":{}}"#),
        bad(
            "reserved_key",
            0x99,
            format!("{SANDBOX}/c/{own}/{id}"),
            format!(r#"{{"object_id":"{id}","type":"chat","self":1}}"#),
        ),
        bad("wrong_identity", 0x87, format!("{SANDBOX}/o/client-author/thing"), &good),
        bad("wrong_identity", 0x87, format!("{SANDBOX}/o/stoa/thing"), &good),
        bad("wrong_identity", 0x87, format!("{SANDBOX}/x/{own}/somebody"), join),
        bad("wrong_identity", 0x87, format!("{SANDBOX}/x/somebody/{id}"), join),
        bad("not_granted", 0x87, format!("realm/s/public/lobby/o/{own}/thing"), &good),
        bad("not_granted", 0x87, "realm/g/public/p/rt", "{}"),
        bad("not_granted", 0x87, "anything/else", "{}"),
        bad("not_granted", 0x87, "$SYS/broker", "{}"),
        bad("reserved_type", 0x87, &object, typed("program")),
        bad("reserved_type", 0x87, &object, typed("scene-options")),
        bad("reserved_type", 0x87, &object, typed("camera-override")),
        bad(
            "departed",
            0x83,
            format!("{SANDBOX}/u/{own}/handLeft_{id}"),
            format!(r#"{{"object_id":"handLeft_{id}","action":"update","data":{{}}}}"#),
        ),
    ]
}

#[tokio::test]
async fn an_mqtt_5_sender_gets_a_refusal_as_reason_code_and_string() {
    let mut stage = Stage::set().await;
    let guest = stage.guest().await;
    let mut sender = enter(&stage.server, &guest).await;
    for Bad { topic, payload, reason, code } in bad_messages(&guest) {
        let before = stage.refused(reason).await;
        let ack = sender.publish(&topic, &payload).await;
        let words = ack.reason.expect("in words");
        let (told, limit) = words.split_once(": at most ").unzip();
        assert_eq!((ack.code.0, told.unwrap_or(&words)), (code, reason), "{topic}");
        assert_eq!(limit.is_some(), reason.starts_with("too_"), "{words}");
        assert_eq!(stage.refused(reason).await, before + 1, "{reason} on {topic} is counted");
        stage.nothing_was_forwarded(&format!("{reason} on {topic}")).await;
    }
    let (topic, payload) = (format!("{SANDBOX}/o/{}/thing", guest.user_client), create("thing").to_string());
    let ack = sender.publish(&topic, payload.as_bytes()).await;
    assert_eq!(ack.code, ReasonCode::SUCCESS, "negative control: without the mistake it is taken");
    assert_eq!(stage.heard_before_control().await, 1);
}

#[tokio::test]
async fn a_sender_without_reason_codes_gets_its_refusal_on_the_debug_topic() {
    let mut stage = Stage::set().await;
    for (version, qos) in [
        (MqttVersion::V311, Qos::AtLeastOnce),
        (MqttVersion::V311, Qos::AtMostOnce),
        (MqttVersion::V5, Qos::AtMostOnce),
    ] {
        let guest = stage.guest().await;
        for Bad { topic, payload, reason, .. } in bad_messages(&guest) {
            // A new connection for each message: the debug topic reports at most one refusal a second.
            let (mut sender, answer) = Wire::connect(tcp(&stage.server).await, version, &guest).await;
            assert_eq!(answer.code, ReasonCode::SUCCESS);
            assert!(!sender.subscribe(&format!("{SANDBOX}/+/+/+/{}/#", guest.id_tag)).await.is_error());
            let before = stage.refused(reason).await;
            sender.send(&publish(&topic, &payload, qos)).await;
            let (told_on, told) = sender.message().await;
            assert_eq!(told_on, format!("{SANDBOX}/d/stoa/-/{}", guest.id_tag));
            let told: Value = serde_json::from_str(&told).unwrap();
            assert_eq!(
                (&told["object_id"], &told["action"], &told["reason"], &told["count"]),
                (&"-".into(), &"refused".into(), &reason.into(), &1.into()),
                "{topic}"
            );
            assert_eq!(stage.refused(reason).await, before + 1, "{reason} on {topic} is counted");
            stage.nothing_was_forwarded(&format!("{reason} on {topic}")).await;
        }
    }
}

#[tokio::test]
async fn a_refused_filter_is_reported_by_its_suback_code() {
    let mut stage = Stage::set().await;
    let guest = stage.guest().await;
    let filters = [
        ("realm/s/public/sandbox/#", ReasonCode(0x87), "not_granted"),
        ("realm/s/public/sandbox/+/+/+/+", ReasonCode(0x87), "not_granted"),
        ("realm/s/public/sandbox/+/+/+/client-author/#", ReasonCode(0x87), "not_granted"),
        ("realm/s/public/+/+/+/+", ReasonCode(0x87), "not_granted"),
        ("realm/s/public/lobby/+/+/+", ReasonCode(0x87), "not_granted"),
        ("#", ReasonCode(0x87), "not_granted"),
        ("$NETWORK", ReasonCode(0x87), "not_granted"),
        ("$SYS/#", ReasonCode(0x87), "not_granted"),
        ("$share/all/realm/s/public/sandbox/#", ReasonCode(0x87), "not_granted"),
        ("realm/s/public/sandbox/o+/+/+", ReasonCode(0x8f), "bad_topic"),
        ("realm/s/#/sandbox", ReasonCode(0x8f), "bad_topic"),
    ];
    for (version, plain) in [(MqttVersion::V5, false), (MqttVersion::V311, true)] {
        let (mut asker, _) = Wire::connect(tcp(&stage.server).await, version, &guest).await;
        for (filter, code, reason) in filters {
            let before = stage.refused(reason).await;
            assert_eq!(
                asker.subscribe(filter).await,
                if plain { ReasonCode::UNSPECIFIED_ERROR } else { code },
                "{filter}"
            );
            assert_eq!(stage.refused(reason).await, before + 1, "{filter} is counted");
        }
        assert_eq!(
            asker.subscribe(&format!("{SANDBOX}/o/+/+")).await,
            ReasonCode::SUCCESS,
            "negative control: a narrower one is granted"
        );
        stage.nothing_was_forwarded("refused filters").await;
        let Some(Packet::Publish(heard)) = asker.next().await else { panic!("the asker hears what it may") };
        assert_eq!(heard.topic.as_str(), format!("{SANDBOX}/o/client-author/control-{}", stage.controls()));
    }
}
