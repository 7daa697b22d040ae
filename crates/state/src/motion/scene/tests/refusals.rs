//! Refusals that get lost, and those that the client has acknowledged.

use alloc::collections::VecDeque;

use super::*;

/// The refusals in the frames of one tick, as (index, reason).
fn refusals_of(frames: &[(MotionSessionId, Vec<u8>)], client: MotionSessionId) -> Vec<(u8, ObjectRefusalReason)> {
    let mut replica = MotionReplica::default();
    for (_, bytes) in frames.iter().filter(|(session, _)| *session == client) {
        replica.handle_frame(bytes, Time::ZERO).expect("a valid frame");
    }
    replica.refused().values().map(|refusal| (refusal.index, refusal.reason)).collect()
}

/// Two clients, of which the second has once declared two lamps of the first. Returns the second.
fn refused_client(world: &mut World) -> usize {
    let [first, second] = ["first", "second"].map(|name| world.enter_as(name, true, true));
    let lamps = |names: [&str; 2]| -> Vec<_> {
        (0..).zip(names).map(|(index, name)| (index, MotionObjectKind::Tracked, name.to_string())).collect()
    };
    world.clients[first].declared = lamps(["lamp", "lantern"]);
    (0..3).for_each(|_| world.tick(|_| pose(0, 0, 0)));
    for declared in lamps(["lamp", "lantern"]) {
        world.clients[second].declared = vec![declared];
        world.say(second, &[]);
    }
    world.clients[second].declared.clear();
    second
}

#[test]
fn a_refusal_is_sent_until_a_frame_with_it_is_acknowledged() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let client = refused_client(&mut world);
    let session = world.clients[client].session;
    let both = [(0, ObjectRefusalReason::Taken), (1, ObjectRefusalReason::Taken)];
    let mut lost = 0;
    for _ in 0..50 * GROUPS {
        lost += usize::from(refusals_of(&world.pass(), session) == both);
    }
    assert!(lost > 1, "sent {lost} times in half a second");
    while world.clients[client].replica.refused().len() < 2 {
        let frames = world.pass();
        world.deliver(frames);
    }
    world.say(client, &[]);
    for _ in 0..100 * GROUPS {
        let frames = world.pass();
        assert_eq!(refusals_of(&frames, session), []);
        world.deliver(frames);
        world.say(client, &[]);
    }
}

#[test]
fn a_refusal_is_not_repeated_for_ever_on_a_path_longer_than_the_longest_timeout() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let client = refused_client(&mut world);
    let session = world.clients[client].session;
    let passes = 2 * limits::MOTION_PATIENCE_MS_MAX as usize / 10;
    let mut on_the_way: VecDeque<_> = core::iter::repeat_n(vec![], passes).collect();
    let mut last = 0;
    for pass in 0..10 * passes {
        let frames = world.pass();
        if !refusals_of(&frames, session).is_empty() {
            last = pass;
        }
        on_the_way.push_back(frames);
        let arrived = on_the_way.pop_front().expect("just pushed");
        world.deliver(arrived);
        world.say(client, &[]);
    }
    assert!((1..3 * passes).contains(&last), "last sent in pass {last} of {}", 10 * passes);
}

#[test]
fn an_object_admitted_after_a_lost_refusal_is_not_refused_again() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let client = refused_client(&mut world);
    let session = world.clients[client].session;
    world.pass();
    let first = world.clients[0].session;
    assert!(world.scene.leave(first, world.now));
    world.clients[client].declared = vec![(0, MotionObjectKind::Tracked, "lamp".to_string())];
    world.say(client, &[(0, pose(0, 0, 0))]);
    let refused: Vec<_> = (0..50 * GROUPS).flat_map(|_| refusals_of(&world.pass(), session)).collect();
    assert!(refused.iter().all(|(index, _)| *index == 1) && !refused.is_empty(), "{refused:?}");
}
