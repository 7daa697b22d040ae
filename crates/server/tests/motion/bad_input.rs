//! Bad input to the motion plane is counted and dropped, and other people don't notice it.

use std::net::UdpSocket;
use std::time::{Duration, Instant};

use stoa_wire::motion::{FrameEntriesWriter, FrameHeader, FramePartKind, MotionObjectKind, OwnPose};

use crate::person::{Person, at, until};
use crate::running::PATIENCE;
use crate::stage::{LOBBY, SANDBOX, Stage, until_dropped};

/// Waits until the two other people see each other move.
fn others_go_on(ada: &mut Person, bob: &mut Person, step: i32) {
    let ada_id = ada.id_tag.clone();
    ada.things[0].2 = at([step, 1, 1]);
    until([ada, bob], "others go on", |[_, bob]| bob.sees(&ada_id) == Some([step, 1, 1]));
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_packets_frames_and_poses_are_dropped_and_counted() {
    let stage = Stage::set().await;
    let (mut ada, mut bob, mut eve) = (stage.guest(LOBBY).await, stage.guest(LOBBY).await, stage.guest(LOBBY).await);
    let eve_id = eve.id_tag.clone();
    until([&mut ada, &mut bob, &mut eve], "all are in", |[_, bob, eve]| {
        bob.sees(&eve_id).is_some() && eve.replica.objects().count() == 3
    });
    let stranger = UdpSocket::bind("127.0.0.1:0").unwrap();
    let server = eve.server;
    let say = |bytes: &[u8]| {
        stranger.send_to(bytes, server).unwrap();
    };
    until_dropped(&stage, "malformed", || say(b"hello")).await;
    until_dropped(&stage, "oversized", || say(&[5; 1_400])).await;
    until_dropped(&stage, "stranger", || say(&[[0x15, 1].as_slice(), &[7; 60]].concat())).await;
    until_dropped(&stage, "frame_malformed", || {
        eve.say(&[9; 40]);
        [&mut ada, &mut bob, &mut eve].into_iter().for_each(Person::turn);
    })
    .await;
    // NaN can't be encoded in a packed position, but a position beyond the world can.
    eve.things[0].2 = at([i32::MAX, i32::MIN, 0]);
    until_dropped(&stage, "pose_beyond", || [&mut ada, &mut bob, &mut eve].into_iter().for_each(Person::turn)).await;
    assert_eq!(bob.sees(&eve_id), Some([0, 1_600, 0]));
    eve.things[0].2 = at([0, 1_600, 0]);
    until_dropped(&stage, "pose_undeclared", || {
        let mut parts = FrameEntriesWriter::new(200);
        parts.put(FramePartKind::Own, &OwnPose { index: 31, age_ms: 0, pose: at([1, 1, 1]) }.to_bytes());
        let newer = eve.next_sequence();
        eve.say(&[&FrameHeader { sequence: newer, time_ms: 5 }.to_bytes(), parts.bytes()].concat());
        [&mut ada, &mut bob, &mut eve].into_iter().for_each(Person::turn);
    })
    .await;
    others_go_on(&mut ada, &mut bob, 9);
    assert!(
        eve.client.is_connected() && bob.replica.find(MotionObjectKind::Head, &eve_id).is_some(),
        "a mistake puts nobody out"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_is_dropped_without_affecting_other_clients() {
    let stage = Stage::set().await;
    let (mut ada, mut bob, mut eve) = (stage.guest(LOBBY).await, stage.guest(LOBBY).await, stage.guest(LOBBY).await);
    let eve_id = eve.id_tag.clone();
    until([&mut ada, &mut bob, &mut eve], "all are in", |[_, bob, eve]| {
        bob.sees(&eve_id).is_some() && eve.replica.objects().count() == 3
    });
    until_dropped(&stage, "frame_flooding", || {
        for _ in 0..200 {
            let frame = eve.frame();
            eve.say(&frame);
        }
        [&mut ada, &mut bob, &mut eve].into_iter().for_each(Person::turn);
    })
    .await;
    for step in 0..5 {
        for _ in 0..400 {
            let frame = eve.frame();
            eve.say(&frame);
        }
        others_go_on(&mut ada, &mut bob, step);
    }
    // Requests with forged tokens: each costs the server a check and gets no answer.
    let stranger = UdpSocket::bind("127.0.0.1:0").unwrap();
    stranger.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
    let mut request = stage.connect_token(LOBBY, &stage.issue(LOBBY, "").await.token).await;
    request.truncate(1_078);
    until_dropped(&stage, "malformed", || {
        (0..100).for_each(|_| drop(stranger.send_to(&request, eve.server)));
    })
    .await;
    assert!(stranger.recv(&mut [0; 2_000]).is_err(), "nobody answers it");
    others_go_on(&mut ada, &mut bob, 99);
}

#[tokio::test(flavor = "multi_thread")]
async fn blind_acknowledgements_from_a_new_address_amplify_nothing_and_end_the_session() {
    let stage = Stage::set().await;
    let (mut ada, mut bob) = (stage.guest(SANDBOX).await, stage.guest(SANDBOX).await);
    let mut eve = stage.guest(SANDBOX).await;
    let eve_id = eve.id_tag.clone();
    bob.things.extend((0..20).map(|thing| (MotionObjectKind::Tracked, format!("thing{thing}"), at([thing, 0, 0]))));
    bob.is_restless = true;
    until([&mut ada, &mut bob, &mut eve], "all are in", |[_, bob, eve]| {
        bob.sees(&eve_id).is_some() && eve.replica.objects().count() == 23
    });
    // Her frames now arrive from an address that she can't read at; she guesses acknowledgements one by one.
    eve.moves_away();
    let (mut said, mut heard, newest, deadline) = (0, 0, eve.newest(), Instant::now() + PATIENCE);
    for guess in newest + 1.. {
        said += eve.claim(guess);
        [&mut ada, &mut bob].into_iter().for_each(Person::turn);
        heard += eve.take_unread();
        assert!(heard <= said, "{heard} bytes went where {said} came from");
        if bob.sees(&eve_id).is_none() {
            break;
        }
        assert!(Instant::now() < deadline, "she is put out");
    }
    while stage.dropped("stay_unproved").await == 0 {
        assert!(Instant::now() < deadline, "it was for what she said");
    }
    others_go_on(&mut ada, &mut bob, 9);
}
