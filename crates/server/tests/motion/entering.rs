//! Access to the motion plane: tickets, tokens and rights.

use serde_json::{Value, json};
use stoa_wire::motion::{MotionObjectKind, ObjectRefusalReason};
use stoa_wire::packet::{MqttVersion, ReasonCode};

use crate::client::tcp;
use crate::person::{Person, at, until};
use crate::stage::{LOBBY, SANDBOX, Stage, connect_token, until_dropped};
use crate::wire::{Credentials, Wire};

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_is_issued_only_for_a_token_of_its_scene() {
    let stage = Stage::set().await;
    let guest = stage.issue(LOBBY, "").await;
    assert_eq!(stage.ticket(LOBBY, &guest.token).await.status, 200, "negative control");
    stage.ticket(LOBBY, "").await.problem(401);
    stage.ticket(LOBBY, "forged").await.problem(401);
    stage.ticket(SANDBOX, &guest.token).await.problem(403);
    stage.ticket("alice/den", &guest.token).await.problem(404);
    stage.ticket("no scene", &guest.token).await.problem(400);
    assert!(stage.ticket(LOBBY, &stage.owner()).await.problem(403).contains("/api/v1/token"), "it is nobody's");
    let owners = stage.issue(LOBBY, &stage.owner()).await;
    let told: Value = serde_json::from_str(&stage.ticket(LOBBY, &owners.token).await.body).unwrap();
    assert_eq!((&told["id_tag"], &told["user_client"]), (&json!(owners.id_tag), &json!(owners.user_client)));
    assert_eq!(told["expires_s"], 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connect_token_works_once_and_a_new_ticket_replaces_the_session() {
    let stage = Stage::set().await;
    let (ada, mut bob) = (stage.issue(LOBBY, "").await, stage.guest(LOBBY).await);
    let token = stage.connect_token(LOBBY, &ada.token).await;
    let (mut first, mut second) = (Person::new(&token, &ada.id_tag), Person::new(&token, &ada.id_tag));
    until([&mut first, &mut bob], "she is in", |[_, bob]| bob.sees(&ada.id_tag).is_some());
    // From another address the same connect token is refused, and so would be the ticket in it.
    until_dropped(&stage, "used_token", || [&mut first, &mut second, &mut bob].into_iter().for_each(Person::turn))
        .await;
    assert!(!second.client.is_connected() && first.client.is_connected());
    // With a ticket of its own the client enters at once and replaces the session with the same idTag.
    let mut third = stage.person(LOBBY, &ada).await;
    third.things[0].2 = at([3, 3, 3]);
    until([&mut first, &mut third, &mut bob], "the later one stays", |[first, _, bob]| {
        first.is_out() && bob.sees(&ada.id_tag) == Some([3, 3, 3])
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_can_request_its_motion_ticket_over_mqtt() {
    let stage = Stage::set().await;
    let issued = stage.issue(LOBBY, "").await;
    let pass = Credentials {
        username: issued.username.clone(),
        client_id: issued.user_client.clone(),
        token: issued.token.clone(),
        user_client: issued.user_client.clone(),
        id_tag: issued.id_tag.clone(),
    };
    let (mut wire, answer) = Wire::connect(tcp(&stage.server).await, MqttVersion::V5, &pass).await;
    assert_eq!(answer.code, ReasonCode::SUCCESS);
    let (uc, id) = (&issued.user_client, &issued.id_tag);
    assert!(!wire.subscribe(&format!("realm/s/{LOBBY}/+/+/+/{id}/#")).await.is_error());
    let asked = json!({"object_id": id, "action": "getMotionTicket"}).to_string();
    wire.send(&crate::wire::publish(
        &format!("realm/s/{LOBBY}/d/{uc}/{id}/stoa"),
        asked.as_bytes(),
        stoa_wire::packet::Qos::AtMostOnce,
    ))
    .await;
    let (topic, payload) = wire.message().await;
    assert_eq!(topic, format!("realm/s/{LOBBY}/d/stoa/-/{id}"));
    let told: Value = serde_json::from_str(&payload).unwrap();
    assert_eq!(
        (&told["object_id"], &told["action"], &told["id_tag"]),
        (&json!("-"), &json!("motionTicket"), &json!(id))
    );
    let (mut ada, mut bob) = (Person::new(&connect_token(&told), id), stage.guest(LOBBY).await);
    until([&mut ada, &mut bob], "she is in", |[_, bob]| bob.sees(id).is_some());
    // A token for one scene gives no ticket for another.
    let elsewhere = format!("realm/s/{SANDBOX}/d/{uc}/{id}/stoa");
    assert_eq!(wire.publish(&elsewhere, asked.as_bytes()).await.code, ReasonCode::NOT_AUTHORIZED);
}

#[tokio::test(flavor = "multi_thread")]
async fn moving_a_taken_or_ungranted_object_is_refused() {
    let stage = Stage::set().await;
    let reason = |person: &Person, index: u8| person.replica.refused().get(&index).map(|refusal| refusal.reason);
    let (mut ada, mut eve) = (stage.guest(SANDBOX).await, stage.guest(SANDBOX).await);
    ada.things.push((MotionObjectKind::Tracked, "lamp".into(), at([1, 2, 3])));
    until([&mut ada, &mut eve], "the lamp is hers", |[_, eve]| {
        eve.replica.find(MotionObjectKind::Tracked, "lamp").is_some()
    });
    eve.things.push((MotionObjectKind::Tracked, "lamp".into(), at([6, 6, 6])));
    until([&mut ada, &mut eve], "it is told whose it is", |[_, eve]| {
        reason(eve, 1) == Some(ObjectRefusalReason::Taken)
    });
    let place = |person: &Person| person.replica.find(MotionObjectKind::Tracked, "lamp").map(|lamp| lamp.pose.position);
    assert_eq!((place(&ada), place(&eve)), (Some([1, 2, 3]), Some([1, 2, 3])));
    // In the lobby guests show themselves but can't move objects.
    let (mut cid, mut dan) = (stage.guest(LOBBY).await, stage.guest(LOBBY).await);
    cid.things.push((MotionObjectKind::Tracked, "lamp".into(), at([1, 2, 3])));
    let cid_id = cid.id_tag.clone();
    until([&mut cid, &mut dan], "a viewer moves nothing", |[cid, dan]| {
        reason(cid, 1) == Some(ObjectRefusalReason::NotGranted) && dan.sees(&cid_id).is_some()
    });
    assert!(dan.replica.find(MotionObjectKind::Tracked, "lamp").is_none());
}
