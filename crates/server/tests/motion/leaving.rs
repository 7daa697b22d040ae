//! Events that end a motion session.

use serde_json::json;

use crate::person::{Person, until};
use crate::running::stoa;
use crate::stage::{LOBBY, Stage, until_dropped};

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_token_ends_its_motion_session_and_unused_ticket() {
    let stage = Stage::set().await;
    let (ada, mut bob) = (stage.issue(LOBBY, "").await, stage.guest(LOBBY).await);
    let mut inside = stage.person(LOBBY, &ada).await;
    let unused = stage.connect_token(LOBBY, &ada.token).await;
    until([&mut inside, &mut bob], "she is in", |[_, bob]| bob.sees(&ada.id_tag).is_some());
    let output = stoa(&["token", "revoke", &jti(&ada.token), "--data"]).arg(&stage.server.data).output().await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    until([&mut inside, &mut bob], "she is out", |[inside, bob]| inside.is_out() && bob.sees(&ada.id_tag).is_none());
    assert!(bob.client.is_connected(), "he is not");
    stage.ticket(LOBBY, &ada.token).await.problem(401);
    let mut late = Person::new(&unused, &ada.id_tag);
    until_dropped(&stage, "bad_ticket", || [&mut late, &mut bob].into_iter().for_each(Person::turn)).await;
    assert_eq!(bob.sees(&ada.id_tag), None, "nor does a ticket that was asked for before let in");
}

#[tokio::test(flavor = "multi_thread")]
async fn making_a_scene_private_or_removing_it_ends_sessions_without_access() {
    let stage = Stage::set().await;
    let owner = stage.owner();
    let den = "PUT /api/v1/scenes/alice/den";
    assert_eq!(stage.ask(den, &owner, &json!({})).await.status, 201);
    let (issued, mut visitor) = (stage.issue("alice/den", &owner).await, stage.guest("alice/den").await);
    let mut inside = stage.person("alice/den", &issued).await;
    let visitor_id = visitor.id_tag.clone();
    until([&mut inside, &mut visitor], "both are in", |[inside, _]| inside.sees(&visitor_id).is_some());
    assert_eq!(stage.ask(den, &owner, &json!({"public_read": false})).await.status, 200);
    until([&mut inside, &mut visitor], "the guest is out", |[inside, visitor]| {
        visitor.is_out() && inside.sees(&visitor_id).is_none()
    });
    assert!(inside.client.is_connected(), "what the realm gave stays");
    assert_eq!(stage.ask("DELETE /api/v1/scenes/alice/den", &owner, &json!(null)).await.status, 204);
    until([&mut inside], "with the scene all stays end", |[inside]| inside.is_out());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_motion_policy_applies_to_connected_clients() {
    let stage = Stage::set().await;
    let owner = stage.owner();
    let (mut ada, mut bob) = (stage.guest(LOBBY).await, stage.guest(LOBBY).await);
    bob.things[0].2 = crate::person::at([50_000, 0, 0]);
    let (ada_id, bob_id) = (ada.id_tag.clone(), bob.id_tag.clone());
    until([&mut ada, &mut bob], "all see all", |[ada, bob]| ada.sees(&bob_id).is_some() && bob.sees(&ada_id).is_some());
    let set = async |policy: &str| {
        let body = json!({"motion_policy": policy, "motion_bytes_per_s": 100_000});
        stage.ask("PUT /api/v1/scenes/public/lobby", &owner, &body).await.status
    };
    assert_eq!(set("radius:10").await, 200);
    until([&mut ada, &mut bob], "fifty metres are too far", |[ada, bob]| {
        ada.sees(&bob_id).is_none() && bob.sees(&ada_id).is_none() && ada.sees(&ada_id).is_some()
    });
    bob.things[0].2 = crate::person::at([5_000, 0, 0]);
    until([&mut ada, &mut bob], "five are not", |[ada, bob]| {
        ada.sees(&bob_id).is_some() && bob.sees(&ada_id).is_some()
    });
    bob.things[0].2 = crate::person::at([50_000, 0, 0]);
    until([&mut ada, &mut bob], "he is too far again", |[ada, _]| ada.sees(&bob_id).is_none());
    assert_eq!(set("all").await, 200);
    until([&mut ada, &mut bob], "all see all again", |[ada, bob]| {
        ada.sees(&bob_id).is_some() && bob.sees(&ada_id).is_some()
    });
    assert_eq!(set("nobody").await, 422);
}

/// The `jti` claim of a token.
fn jti(token: &str) -> String {
    use base64::Engine;
    let claims = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
    claims["jti"].as_str().unwrap().to_owned()
}
