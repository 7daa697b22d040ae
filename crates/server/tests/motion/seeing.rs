//! People see each other.

use std::time::Duration;

use stoa_wire::motion::MotionObjectKind;

use crate::person::{at, until};
use crate::running::{Running, serve};
use crate::stage::{LOBBY, SANDBOX, Stage};

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_one_scene_see_each_others_heads_move_until_they_leave() {
    let stage = Stage::set().await;
    let (mut ada, mut bob) = (stage.guest(LOBBY).await, stage.guest(LOBBY).await);
    let (ada_id, bob_id) = (ada.id_tag.clone(), bob.id_tag.clone());
    let mut elsewhere = stage.guest(SANDBOX).await;
    until([&mut ada, &mut bob, &mut elsewhere], "they see each other", |[ada, bob, elsewhere]| {
        ada.sees(&bob_id).is_some() && bob.sees(&ada_id).is_some() && elsewhere.sees(&elsewhere.id_tag).is_some()
    });
    for place in [[1_000, 1_600, -2_000], [-5, 1_599, 1]] {
        ada.things[0].2 = at(place);
        until([&mut ada, &mut bob], "it is seen where she goes", |[_, bob]| bob.sees(&ada_id) == Some(place));
    }
    assert_eq!(elsewhere.replica.objects().count(), 1, "in another scene there is nobody but itself");
    drop(ada);
    until([&mut bob], "who says nothing is gone", |[bob]| bob.sees(&ada_id).is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn hands_and_tracked_objects_are_seen_by_other_clients() {
    let stage = Stage::set().await;
    let (mut ada, mut bob) = (stage.guest(SANDBOX).await, stage.guest(SANDBOX).await);
    ada.things.push((MotionObjectKind::RightHand, String::new(), at([300, 1_200, 0])));
    ada.things.push((MotionObjectKind::Tracked, "lamp".into(), at([1, 2, 3])));
    let ada_id = ada.id_tag.clone();
    until([&mut ada, &mut bob], "hand and lamp are seen", |[_, bob]| {
        bob.replica.find(MotionObjectKind::RightHand, &ada_id).is_some()
            && bob.replica.find(MotionObjectKind::Tracked, "lamp").is_some()
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_whose_address_changes_keeps_receiving_all_poses() {
    let stage = Stage::set().await;
    let (mut ada, mut bob) = (stage.guest(SANDBOX).await, stage.guest(SANDBOX).await);
    let (ada_id, bob_id) = (ada.id_tag.clone(), bob.id_tag.clone());
    // She sends little and receives much.
    ada.period = Duration::from_millis(100);
    bob.things.extend((0..20).map(|thing| (MotionObjectKind::Tracked, format!("thing{thing}"), at([thing, 0, 0]))));
    until([&mut ada, &mut bob], "they see each other", |[ada, bob]| {
        ada.replica.objects().count() == 22 && bob.sees(&ada_id).is_some()
    });
    ada.moves_away();
    bob.things[0].2 = at([7, 7, 7]);
    until([&mut ada, &mut bob], "she is found where she is now", |[ada, _]| ada.sees(&bob_id) == Some([7, 7, 7]));
    // To an unverified address the server sends at most as many bytes as arrive from it, here two frames a second.
    // Her acknowledgements verify the new address.
    let before = ada.frames;
    bob.is_restless = true;
    until([&mut ada, &mut bob], "she gets all that she got before", |[ada, _]| ada.frames > before + 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn scenes_are_spread_over_threads_and_tickets_name_the_right_one() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = serve(dir.path(), &[]);
    command.args(["--motion-threads", "3"]);
    let stage = Stage::over(Running::start_by(command, dir.path()).await, dir);
    let owner = stage.owner();
    let (mut ports, mut people) = (std::collections::BTreeSet::new(), Vec::new());
    for name in ["alice/a", "alice/b", "alice/c", "alice/d", "alice/e", "alice/f"] {
        let made = stage.ask(&format!("PUT /api/v1/scenes/{name}"), &owner, &serde_json::json!({})).await.status;
        assert_eq!(made, 201);
        let (mut one, mut other) = (stage.guest(name).await, stage.guest(name).await);
        let one_id = one.id_tag.clone();
        until([&mut one, &mut other], "they see each other", |[_, other]| {
            other.sees(&one_id).is_some() && other.replica.objects().count() == 2
        });
        assert_eq!(one.server, other.server, "one scene, one thread");
        ports.insert(one.server.port());
        people.push(one);
    }
    assert!(ports.len() > 1, "six scenes are on several of three threads: {ports:?}");
}
