//! People on the motion plane and clients with MQTT alone see each other.

use serde_json::json;
use stoa_wire::packet::ReasonCode;

use crate::client::{Client, tcp};
use crate::person::{at, until};
use crate::stage::{LOBBY, Stage};

#[tokio::test(flavor = "multi_thread")]
async fn an_mqtt_only_client_sees_and_is_seen_on_the_motion_plane() {
    let stage = Stage::set().await;
    let own = stage.issue(LOBBY, "").await;
    let (mut mqtt, code) = Client::connect(tcp(&stage.server).await, (&own.username, "mqtt"), &own.token).await;
    assert_eq!(code, ReasonCode::SUCCESS);
    mqtt.subscribe(&format!("realm/s/{LOBBY}/u/+/+")).await;

    let mut ada = stage.guest(LOBBY).await;
    let ada_id = ada.id_tag.clone();
    ada.things[0].2 = at([1_250, 1_600, -2_000]);
    until([&mut ada], "she is there", |[ada]| ada.sees(&ada_id).is_some());
    let (topic, payload) = mqtt.message().await;
    assert!(topic.starts_with(&format!("realm/s/{LOBBY}/u/")) && topic.ends_with(&ada_id), "{topic}");
    assert_eq!((&payload["action"], &payload["data"]["object_type"]), (&json!("create"), &json!("camera")));
    assert_eq!(payload["data"]["position"], json!({"x": 1.25, "y": 1.6, "z": -2.0}));

    let camera = |x: f64| {
        let attributes = json!({"object_type": "camera", "position": {"x": x, "y": 1, "z": 0}});
        json!({"object_id": own.id_tag, "action": "create", "type": "object", "data": attributes})
    };
    let topic = format!("realm/s/{LOBBY}/u/{}/{}", own.user_client, own.id_tag);
    assert_eq!(mqtt.publish(&topic, &camera(0.5)).await, ReasonCode::SUCCESS);
    until([&mut ada], "she sees its camera", |[ada]| ada.sees(&own.id_tag) == Some([500, 1_000, 0]));
    // A later arrival sees the camera too, although the client sends nothing more.
    let mut bob = stage.guest(LOBBY).await;
    until([&mut ada, &mut bob], "he sees its camera", |[_, bob]| bob.sees(&own.id_tag) == Some([500, 1_000, 0]));
    drop(mqtt);
    until([&mut ada, &mut bob], "it is gone", |[ada, bob]| ada.sees(&own.id_tag).or(bob.sees(&own.id_tag)).is_none());
}
