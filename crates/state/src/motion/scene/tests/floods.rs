//! Clients that make objects appear and disappear all the time, and receivers that never acknowledge it.

use core::time::Duration;

use super::*;

/// Sends a frame of these parts from a client that ignores the protocol.
fn say_parts(world: &mut World, client: usize, parts: &[(FramePartKind, Vec<u8>)]) {
    let Client { sequence, session, .. } = &mut world.clients[client];
    *sequence += 1;
    let mut frame = FrameHeader { sequence: *sequence, time_ms: MotionTime::at(world.now).0 }.to_bytes().to_vec();
    for (kind, content) in parts {
        frame.push(*kind as u8);
        frame.extend_from_slice(&(content.len() as u16).to_le_bytes());
        frame.extend_from_slice(content);
    }
    assert!(frame.len() <= FRAME_BYTES_MAX, "{} bytes", frame.len());
    world.scene.handle_frame(*session, &frame, world.now);
}

fn declared(index: u8, kind: MotionObjectKind, name: &str) -> Vec<u8> {
    let mut bytes = vec![];
    ObjectDeclaration { index, kind, name }.write(&mut bytes);
    bytes
}

/// An object is declared, shown and withdrawn.
fn cycle() -> [(FramePartKind, Vec<u8>); 3] {
    let own = OwnPose { index: 0, age_ms: 0, pose: pose(0, 0, 0) }.to_bytes().to_vec();
    [
        (FramePartKind::Declare, declared(0, MotionObjectKind::Head, "")),
        (FramePartKind::Own, own),
        (FramePartKind::Withdraw, vec![0]),
    ]
}

#[test]
fn a_client_that_cycles_objects_uses_few_short_ids_and_causes_few_changes() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let [alice, mallory] = ["alice", "mallory"].map(|name| world.person(name));
    world.clients[mallory].declared.clear();
    let cycles: Vec<_> = (0..30).flat_map(|_| cycle()).collect();
    let seconds = 5;
    for _ in 0..20 * seconds {
        (0..3).for_each(|_| say_parts(&mut world, mallory, &cycles));
        world.tick(|_| pose(0, 0, 0));
    }
    let most = limits::MOTION_APPEARANCES_BURST + limits::MOTION_APPEARANCES_PER_S * (seconds + 1);
    let now = world.now;
    let heard = world.clients[alice].replica.ack(now).unwrap().changes;
    assert!(heard <= 2 * most + 1, "{heard} changes, of {most} that came and went");
    assert!(world.scene.counts().refused > 1_000 && world.scene.objects.ids() as u32 <= most);
    assert!(world.clients[mallory].replica.refused().values().all(|one| one.reason == ObjectRefusalReason::TooMany));
    let bob = world.person("bob");
    (0..3).for_each(|_| world.tick(|client| pose(client as i32, 0, 0)));
    assert_eq!(world.where_is(alice, "bob"), Some([bob as i32, 0, 0]));
}

#[test]
fn all_objects_of_a_client_may_appear_at_once_and_again_after_withdrawal() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let [alice, artist] = ["alice", "artist"].map(|name| world.person(name));
    world.clients[artist]
        .declared
        .extend([(1, MotionObjectKind::LeftHand, String::new()), (2, MotionObjectKind::RightHand, String::new())]);
    let tracked = (3..MOTION_OWN_MAX as u8).map(|index| (index, MotionObjectKind::Tracked, format!("o{index}")));
    world.clients[artist].declared.extend(tracked);
    let all = world.clients[artist].declared.clone();
    for _ in 0..2 {
        for some in all.chunks(16) {
            let parts: Vec<_> = some
                .iter()
                .flat_map(|(index, kind, name)| {
                    let own = OwnPose { index: *index, age_ms: 0, pose: pose(0, 0, 0) }.to_bytes().to_vec();
                    [(FramePartKind::Declare, declared(*index, *kind, name)), (FramePartKind::Own, own)]
                })
                .collect();
            say_parts(&mut world, artist, &parts);
        }
        (0..GROUPS).for_each(|_| {
            let frames = world.pass();
            world.deliver(frames);
        });
        assert_eq!(world.clients[alice].replica.objects().count(), MOTION_OWN_MAX);
        say_parts(&mut world, artist, &[(FramePartKind::Withdraw, all.iter().map(|(index, ..)| *index).collect())]);
        (0..GROUPS).for_each(|_| {
            let frames = world.pass();
            world.deliver(frames);
        });
        assert_eq!(world.clients[alice].replica.objects().count(), 0);
    }
    assert_eq!(world.scene.counts().refused, 0);
}

#[test]
fn declarations_of_one_frame_beyond_the_object_limit_are_ignored() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let mallory = world.enter_as("mallory", true, true);
    let bad = (FramePartKind::Declare, declared(0, MotionObjectKind::Head, "x"));
    let good = (FramePartKind::Declare, declared(1, MotionObjectKind::Head, ""));
    let parts: Vec<_> = core::iter::repeat_n(bad, MOTION_OWN_MAX).chain([good]).collect();
    say_parts(&mut world, mallory, &parts);
    assert_eq!(world.scene.counts().refused, MOTION_OWN_MAX as u64);
    let own = OwnPose { index: 1, age_ms: 0, pose: pose(0, 0, 0) }.to_bytes().to_vec();
    say_parts(&mut world, mallory, &[(FramePartKind::Own, own.clone())]);
    assert_eq!(world.scene.counts().undeclared, 1);
    say_parts(&mut world, mallory, &[parts[MOTION_OWN_MAX].clone(), (FramePartKind::Own, own)]);
    assert_eq!(world.scene.counts().undeclared, 1, "by itself it is");
}

#[test]
fn another_client_may_declare_an_object_after_its_owner_withdraws_it_or_leaves() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let [one, other, third] = ["one", "other", "third"].map(|name| world.enter_as(name, true, true));
    let lamp = |world: &mut World, client: usize| {
        say_parts(world, client, &[(FramePartKind::Declare, declared(0, MotionObjectKind::Tracked, "lamp"))]);
        world.scene.counts().refused
    };
    assert_eq!([lamp(&mut world, one), lamp(&mut world, other), lamp(&mut world, one)], [0, 1, 1]);
    say_parts(&mut world, one, &[(FramePartKind::Withdraw, vec![0])]);
    assert_eq!([lamp(&mut world, other), lamp(&mut world, one)], [1, 2]);
    assert!(world.scene.leave(world.clients[other].session, world.now));
    assert_eq!([lamp(&mut world, third), lamp(&mut world, one)], [2, 3]);
}

#[test]
fn a_client_that_never_acknowledges_changes_ends_as_behind() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let alice = world.enter_as("alice", true, true);
    let place = |world: &mut World| {
        world.scene.show_bridged("mqtt", MotionObjectKind::Head, at(1.0), world.now);
        world.scene.hide_bridged("mqtt", None, world.now);
        world.say(alice, &[]);
    };
    for number in 0..limits::MOTION_CHANGES_MAX / 2 {
        // All short ids have rested meanwhile.
        world.now = world.now + Duration::from_millis(if number % 1_000 == 0 { 1_000 } else { 0 });
        place(&mut world);
    }
    assert_eq!(world.scene.poll_ended(world.now), None, "so many are kept");
    place(&mut world);
    assert_eq!(world.scene.poll_ended(world.now), Some((world.clients[alice].session, SessionEndReason::Behind)));
    assert!(world.scene.leave(world.clients[alice].session, world.now));
    let again = world.person("alice");
    assert_eq!(world.scene.poll_ended(world.now), None);
    (0..3).for_each(|_| world.tick(|_| pose(7, 0, 0)));
    assert_eq!(world.where_is(again, "alice"), Some([7, 0, 0]));
}

#[test]
fn a_hand_declared_before_its_head_follows_the_heads_visibility() {
    for policy in [InterestSetPolicy::All, InterestSetPolicy::Nearest { count: 2 }] {
        let mut world = World::new(policy, PLENTY);
        let [alice, bob, carol] = ["alice", "bob", "carol"].map(|name| world.person(name));
        world.clients[bob].declared = vec![(1, MotionObjectKind::LeftHand, String::new())];
        let place = |client: usize| pose(client as i32 * 1_000, 0, 0);
        (0..10).for_each(|_| world.tick(place));
        assert_eq!(kinds(&world, alice, "bob"), BTreeSet::from([MotionObjectKind::LeftHand]), "{policy:?}");
        world.clients[bob].declared.push((0, MotionObjectKind::Head, String::new()));
        (0..30).for_each(|_| world.tick(place));
        assert_eq!(
            kinds(&world, alice, "bob"),
            BTreeSet::from([MotionObjectKind::Head, MotionObjectKind::LeftHand]),
            "{policy:?}"
        );
        assert_eq!(
            kinds(&world, alice, "carol"),
            BTreeSet::from([MotionObjectKind::Head]),
            "it counts for itself no more"
        );
        assert!(world.scene.leave(world.clients[bob].session, world.now));
        (0..3).for_each(|_| world.tick(place));
        assert_eq!(kinds(&world, alice, "bob"), BTreeSet::new(), "{policy:?}");
        assert_eq!(world.where_is(carol, "alice"), Some([0, 0, 0]));
    }
}
