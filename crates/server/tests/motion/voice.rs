//! Voices on the motion plane.

use serde_json::{Value, json};
use stoa_wire::motion::FlowId;

use crate::person::{Person, until};
use crate::stage::{LOBBY, Stage, until_dropped};

const FLOW: FlowId = FlowId { epoch: 7, flow: 0 };

/// Two guests who are on the plane: the first speaks, and the second hears.
async fn two(stage: &Stage, scene: &str) -> [Person; 2] {
    let [mut ada, mut bob] = [stage.guest(scene).await, stage.guest(scene).await];
    (ada.voice, bob.hears) = (Some((FLOW, 0)), 16);
    let bob_id = bob.id_tag.clone();
    until([&mut ada, &mut bob], "both are on the plane", |[ada, bob]| {
        ada.sees(&bob_id).is_some() && bob.sees(&ada.id_tag).is_some()
    });
    [ada, bob]
}

/// Runs the people until units of a flow that was not admitted have been dropped.
async fn until_units_drop(stage: &Stage, mut people: [&mut Person; 2]) {
    until_dropped(stage, "unit_undeclared", || people.iter_mut().for_each(|person| person.turn())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voice_reaches_the_people_who_hear_under_its_speakers_name() {
    let stage = Stage::set().await;
    let [mut ada, mut bob] = two(&stage, LOBBY).await;
    until([&mut ada, &mut bob], "he hears her", |[_, bob]| bob.heard.len() >= 50);
    assert!(bob.heard.iter().all(|(name, _)| *name == ada.id_tag), "{:?}", bob.heard);
    assert!(bob.heard.windows(2).all(|pair| pair[0].1 < pair[1].1), "in order and once: {:?}", bob.heard);
    assert!(ada.heard.is_empty(), "her own voice doesn't come back");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scene_forwards_voices_while_its_setting_is_open() {
    let stage = Stage::set().await;
    let owner = stage.owner();
    let set = async |body: Value| stage.ask("PUT /api/v1/scenes/public/den", &owner, &body).await.status;
    assert_eq!(set(json!({"voice": "off"})).await, 201);
    let issued = stage.issue("public/den", "").await;
    let ticket: Value = serde_json::from_str(&stage.ticket("public/den", &issued.token).await.body).unwrap();
    assert_eq!(ticket["flows"], Value::Null);
    let [mut ada, mut bob] = two(&stage, "public/den").await;
    until_units_drop(&stage, [&mut ada, &mut bob]).await;
    assert!(bob.heard.is_empty(), "{:?}", bob.heard);
    assert_eq!(set(json!({"voice": "open"})).await, 200);
    let ticket: Value = serde_json::from_str(&stage.ticket("public/den", &issued.token).await.body).unwrap();
    assert_eq!(ticket["flows"], json!({"speak": true, "hear": true}));
    until([&mut ada, &mut bob], "the setting is open", |[_, bob]| bob.heard.len() >= 10);
    assert_eq!(set(json!({"video_conference": false})).await, 200);
    until_units_drop(&stage, [&mut ada, &mut bob]).await;
    let heard = bob.heard.len();
    until_units_drop(&stage, [&mut ada, &mut bob]).await;
    assert_eq!(bob.heard.len(), heard, "nothing is forwarded any more");
}
