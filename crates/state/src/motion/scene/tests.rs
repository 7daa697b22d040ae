mod floods;
mod marks;
mod portions;
mod refusals;
mod voice;

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;

use stoa_wire::limits::{FRAME_BYTES_MAX, MOTION_NAME_BYTES_MAX, MOTION_OWN_MAX};
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FrameEntriesWriter, FrameHeader, FramePartKind, MotionObjectKind, ObjectDeclaration, ObjectRefusalReason, OwnPose,
    PackedPose, Rotation,
};

use super::*;
use crate::motion::MotionTime;
use crate::motion::replica::MotionReplica;

const PLENTY: u32 = 4 * 1_024 * 1_024;

struct Client {
    session: MotionSessionId,
    replica: MotionReplica,
    sequence: u32,
    declared: Vec<(u8, MotionObjectKind, String)>,
}

struct World {
    scene: MotionScene,
    clients: Vec<Client>,
    now: Time,
    /// Percentage of frames lost in each direction. `posted` counts frames and seeds the choice.
    lost_percent: u64,
    posted: u64,
    bytes: Vec<usize>,
}

fn bytes_of(frame: &OutgoingFrame<'_>) -> Vec<u8> {
    [&frame.head, frame.own, frame.shared, &vec![0; frame.padding]].concat()
}

fn pose(x: i32, y: i32, z: i32) -> PackedPose {
    PackedPose { position: [x, y, z], rotation: Rotation::default() }
}

impl World {
    fn new(policy: InterestSetPolicy, bytes_per_s: u32) -> World {
        let scene = MotionScene::new(MotionSettings { policy, bytes_per_s, has_voice: true });
        World { scene, clients: vec![], now: Time::from_secs(100), lost_percent: 0, posted: 0, bytes: vec![] }
    }

    fn enter_as(&mut self, id_tag: &str, may_show: bool, may_track: bool) -> usize {
        let rights = MotionRights { may_show, may_track, ..MotionRights::ALL };
        let session = self.scene.enter(MotionEntrant { id_tag: id_tag.to_string(), rights }, self.now);
        self.clients.push(Client { session, replica: MotionReplica::default(), sequence: 0, declared: vec![] });
        self.bytes.push(0);
        self.clients.len() - 1
    }

    fn person(&mut self, id_tag: &str) -> usize {
        let client = self.enter_as(id_tag, true, true);
        self.clients[client].declared.push((0, MotionObjectKind::Head, String::new()));
        client
    }

    fn is_lost(&mut self) -> bool {
        // A multiplicative generator: losses have no pattern that could align with ticks.
        self.posted = self.posted.wrapping_add(1);
        let mixed = self.posted.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32 & 0xffff_ffff
            < self.lost_percent * 0xffff_ffff / 100
    }

    /// A client sends its poses and an acknowledgement.
    fn say(&mut self, client: usize, poses: &[(u8, PackedPose)]) {
        let frame = self.frame(client, poses);
        if !self.is_lost() {
            self.scene.handle_frame(self.clients[client].session, &frame, self.now);
        }
    }

    /// Makes the client's next frame.
    fn frame(&mut self, client: usize, poses: &[(u8, PackedPose)]) -> Vec<u8> {
        let now = self.now;
        let Client { replica, sequence, declared, .. } = &mut self.clients[client];
        *sequence += 1;
        let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        if let Some(ack) = replica.ack(now) {
            assert!(parts.put(FramePartKind::Ack, &ack.to_bytes()));
        }
        for id in replica.take_baseline_requests(now) {
            assert!(parts.put(FramePartKind::Ask, &id.to_le_bytes()));
        }
        for (index, kind, name) in declared.iter() {
            let mut bytes = vec![];
            ObjectDeclaration { index: *index, kind: *kind, name }.write(&mut bytes);
            assert!(parts.put(FramePartKind::Declare, &bytes));
        }
        for (index, pose) in poses {
            assert!(parts.put(FramePartKind::Own, &OwnPose { index: *index, age_ms: 0, pose: *pose }.to_bytes()));
        }
        let head = FrameHeader { sequence: *sequence, time_ms: MotionTime::at(now).0 };
        [&head.to_bytes(), parts.bytes()].concat()
    }

    /// A client withdraws an object.
    fn withdraw(&mut self, client: usize, index: u8) {
        let declared = &mut self.clients[client].declared;
        declared.retain(|(declared, ..)| *declared != index);
        let Client { sequence, session, .. } = &mut self.clients[client];
        *sequence += 1;
        let head = FrameHeader { sequence: *sequence, time_ms: MotionTime::at(self.now).0 };
        let frame = [&head.to_bytes()[..], &[FramePartKind::Withdraw as u8, 1, 0, index]].concat();
        self.scene.handle_frame(*session, &frame, self.now);
    }

    fn deliver(&mut self, frames: Vec<(MotionSessionId, Vec<u8>)>) {
        for (session, bytes) in frames {
            assert!(bytes.len() <= FRAME_BYTES_MAX, "{} bytes", bytes.len());
            let Some(client) = self.clients.iter().position(|client| client.session == session) else { continue };
            self.bytes[client] += bytes.len();
            if !self.is_lost() {
                self.clients[client].replica.handle_frame(&bytes, self.now).expect("is a frame");
            }
        }
    }

    /// Passes a fifth of a tick.
    fn pass(&mut self) -> Vec<(MotionSessionId, Vec<u8>)> {
        self.now = self.now + core::time::Duration::from_millis(10);
        let mut frames = vec![];
        self.scene.tick(self.now, &mut |out| frames.push((out.session, bytes_of(&out))));
        frames
    }

    /// Passes a tick: all clients send and receive.
    fn tick(&mut self, place: impl Fn(usize) -> PackedPose) {
        for client in 0..self.clients.len() {
            let poses: Vec<_> =
                self.clients[client].declared.iter().map(|(index, ..)| (*index, place(client))).collect();
            self.say(client, &poses);
        }
        for _ in 0..GROUPS {
            let frames = self.pass();
            self.deliver(frames);
        }
    }

    fn where_is(&self, client: usize, name: &str) -> Option<[i32; 3]> {
        self.clients[client].replica.objects().find(|(_, seen)| seen.name == name).map(|(_, seen)| seen.pose.position)
    }
}

#[test]
fn each_of_200_clients_gets_all_poses_including_its_own_every_tick() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    (0..200).for_each(|number| {
        world.person(&format!("p{number}"));
    });
    let place = |client: usize, tick: i32| pose(client as i32 * 1_000 + 150 * tick, 1_600, -20 * tick);
    (0..40).for_each(|tick| world.tick(|client| place(client, tick)));
    for client in 0..200 {
        assert_eq!(world.clients[client].replica.objects().count(), 200);
        for other in [0, 77, 199] {
            assert_eq!(world.where_is(client, &format!("p{other}")), Some(place(other, 39).position));
        }
    }
    let updates: Vec<u64> = world.clients[3].replica.objects().map(|(_, seen)| seen.updates).collect();
    (40..60).for_each(|tick| world.tick(|client| place(client, tick)));
    for ((_, seen), before) in world.clients[3].replica.objects().zip(updates) {
        assert!(seen.updates - before >= 19, "{} new poses in a second", seen.updates - before);
    }
}

#[test]
fn all_clients_agree_on_a_resting_pose_despite_frame_loss() {
    for lost_percent in [0, 10, 30] {
        let mut world = World::new(InterestSetPolicy::All, PLENTY);
        world.lost_percent = lost_percent;
        (0..30).for_each(|number| {
            world.person(&format!("p{number}"));
        });
        let place = |client: usize, tick: i32| pose(client as i32 * 100 + 700 * tick.min(60), 0, 31 * tick.min(60));
        (0..60).for_each(|tick| world.tick(|client| place(client, tick)));
        // The last pose may be lost on the way to the server, so it is repeated for a moment.
        (60..70).for_each(|tick| world.tick(|client| place(client, tick)));
        let declared: Vec<_> = world.clients.iter_mut().map(|client| core::mem::take(&mut client.declared)).collect();
        (0..200).for_each(|_| world.tick(|_| unreachable!("nobody has anything to say")));
        assert_eq!(declared.len(), 30);
        for client in 0..30 {
            for other in 0..30 {
                let seen = world.where_is(client, &format!("p{other}"));
                assert_eq!(seen, Some(place(other, 60).position), "{lost_percent} %: {client} sees {other}");
            }
        }
    }
}

#[test]
fn a_small_budget_is_respected_and_every_object_is_still_updated() {
    let budget = limits::MOTION_BYTES_PER_S_MIN;
    let mut world = World::new(InterestSetPolicy::All, budget);
    let count = 300_usize;
    (0..count).for_each(|number| {
        world.person(&format!("p{number}"));
    });
    // Each is farther away from the last one.
    let place = |client: usize, tick: i32| pose((count - client) as i32 * 500, 0, (tick % 2) * 400);
    (0..200).for_each(|tick| world.tick(|client| place(client, tick)));
    let before = world.bytes.clone();
    let mut oldest = 0;
    for tick in 200..300 {
        world.tick(|client| place(client, tick));
        let now = MotionTime::at(world.now);
        let ages = world.clients[count - 1].replica.objects().map(|(_, seen)| now.since(seen.captured));
        oldest = oldest.max(ages.max().unwrap());
    }
    for (client, bytes) in before.iter().enumerate() {
        let per_s = (world.bytes[client] - bytes) / 5;
        assert!(per_s <= budget as usize * 11 / 10 && per_s > budget as usize / 2, "{per_s} bytes a second");
    }
    let fit = (budget / 20) as usize * 3 / 4 / 20;
    let bound = (8 * count / fit + 1) as u32 * limits::MOTION_PERIOD_MS;
    assert!(oldest <= bound, "{oldest} ms, at most {bound}");
    let updates = |name: &str| world.clients[count - 1].replica.find(MotionObjectKind::Head, name).unwrap().updates;
    assert!(2 * updates("p298") > 3 * updates("p0"), "near ones have more: {} and {}", updates("p298"), updates("p0"));
    assert!(world.scene.counts().thinned > 0);
    assert!(world.clients[0].replica.quality().is_some_and(|quality| quality.thinned_per_mille > 300));
}

#[test]
fn a_person_that_leaves_disappears_for_all_and_its_id_is_not_reused_yet() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let (alice, bob) = (world.person("alice"), world.person("bob"));
    (0..5).for_each(|_| world.tick(|_| pose(0, 0, 0)));
    let ids: BTreeSet<u16> = world.clients[alice].replica.objects().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), 2);
    let gone = world.clients[bob].session;
    assert!(world.scene.leave(gone, world.now) && !world.scene.leave(gone, world.now));
    world.tick(|_| pose(0, 0, 0));
    assert!(world.where_is(alice, "bob").is_none() && world.where_is(alice, "alice").is_some());
    let carol = world.person("carol");
    (0..5).for_each(|_| world.tick(|_| pose(0, 0, 0)));
    let (id, _) = world.clients[carol].replica.objects().find(|(_, seen)| seen.name == "carol").unwrap();
    assert!(!ids.contains(&id), "a late frame must not move another");
    assert_eq!(world.scene.len(), 2);
}

#[test]
fn the_first_frame_of_a_later_session_ends_the_persons_earlier_one() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let (before, other) = (world.person("alice"), world.person("bob"));
    (0..3).for_each(|_| world.tick(|_| pose(0, 0, 0)));
    let again = world.person("alice");
    assert_eq!(world.scene.len(), 2);
    (0..GROUPS).for_each(|_| {
        let frames = world.pass();
        let pending = world.clients[again].session;
        assert!(frames.iter().all(|(session, _)| *session != pending), "a pending session is sent nothing");
    });
    world.say(before, &[(0, pose(2_000, 0, 0))]);
    assert_eq!(world.scene.counts().undeclared, 0, "the earlier session continues");
    world.say(again, &[(0, pose(1_000, 0, 0))]);
    let taken = world.scene.counts().taken;
    world.say(before, &[(0, pose(9_000, 0, 0))]);
    assert_eq!(world.scene.counts().taken, taken, "the earlier session has ended");
    for _ in 0..5 {
        world.say(again, &[(0, pose(1_000, 0, 0))]);
        world.say(other, &[(0, pose(0, 0, 0))]);
        (0..GROUPS).for_each(|_| {
            let frames = world.pass();
            world.deliver(frames);
        });
    }
    let alices = world.clients[other].replica.objects().filter(|(_, seen)| seen.name == "alice");
    assert_eq!(alices.map(|(_, seen)| seen.pose.position).collect::<Vec<_>>(), [[1_000, 0, 0]]);
}

#[test]
fn a_client_cannot_declare_taken_invalid_or_ungranted_objects() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let builder = world.enter_as("builder", true, true);
    let thief = world.enter_as("thief", true, true);
    let viewer = world.enter_as("viewer", false, false);
    let lamp = |index| (index, MotionObjectKind::Tracked, "lamp".to_string());
    world.clients[builder].declared = vec![lamp(3)];
    world.tick(|_| pose(5, 0, 0));
    let odd = ["", "a/b", "#", "tab\there"].map(|name| (MotionObjectKind::Tracked, name.to_string()));
    world.clients[thief].declared = vec![lamp(0), (1, MotionObjectKind::Head, "builder".to_string())];
    world.clients[thief].declared.extend(odd.into_iter().zip(2..).map(|((kind, name), index)| (index, kind, name)));
    world.clients[viewer].declared =
        vec![(0, MotionObjectKind::Head, String::new()), (1, MotionObjectKind::Tracked, "chair".to_string())];
    (0..25).for_each(|_| world.tick(|client| pose(client as i32 * 100 + 5, 0, 0)));
    let refused = |client: usize| -> Vec<(u8, ObjectRefusalReason)> {
        world.clients[client].replica.refused().values().map(|refusal| (refusal.index, refusal.reason)).collect()
    };
    let (taken, bad) = (ObjectRefusalReason::Taken, ObjectRefusalReason::BadName);
    assert_eq!(refused(thief), [(0, taken), (1, bad), (2, bad), (3, bad), (4, bad), (5, bad)]);
    assert_eq!(refused(viewer), [(0, ObjectRefusalReason::NotGranted), (1, ObjectRefusalReason::NotGranted)]);
    assert_eq!(refused(builder), []);
    assert_eq!(world.where_is(viewer, "lamp"), Some([5, 0, 0]), "it was not moved");
    assert_eq!(world.clients[viewer].replica.objects().count(), 1);
    assert!(world.scene.counts().undeclared > 0);
}

#[test]
fn a_client_has_no_more_objects_than_fit_into_a_frame() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let client = world.enter_as("many", true, true);
    for from in [0, MOTION_OWN_MAX as u8] {
        world.clients[client].declared =
            (from..from + 20).map(|index| (index, MotionObjectKind::Tracked, format!("o{index}"))).collect();
        (0..3).for_each(|_| world.tick(|_| pose(0, 0, 0)));
    }
    assert_eq!(world.clients[client].replica.objects().count(), MOTION_OWN_MAX);
    assert_eq!(world.clients[client].replica.refused().len(), 8);
    assert!(
        world.clients[client].replica.refused().values().all(|refusal| refusal.reason == ObjectRefusalReason::TooMany)
    );
}

#[test]
fn malformed_frames_and_poses_out_of_range_are_counted_and_ignored() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let (alice, bob) = (world.person("alice"), world.person("bob"));
    (0..3).for_each(|_| world.tick(|_| pose(1, 2, 3)));
    let session = world.clients[bob].session;
    let before = world.scene.counts();
    for bytes in [&[][..], &[1; 8], &[2; 30], &[1; FRAME_BYTES_MAX + 1]] {
        world.scene.handle_frame(session, bytes, world.now);
    }
    world.say(bob, &[(0, pose(i32::MAX, 0, 0)), (0, pose(0, i32::MIN, 0)), (9, pose(0, 0, 0))]);
    let counts = world.scene.counts();
    assert_eq!(counts.malformed - before.malformed, 4);
    assert_eq!((counts.beyond - before.beyond, counts.undeclared - before.undeclared), (2, 1));
    world.tick(|_| pose(1, 2, 3));
    assert_eq!(world.where_is(alice, "bob"), Some([1, 2, 3]));
}

#[test]
fn frames_of_a_flooding_client_are_dropped_and_other_clients_are_served() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let (alice, bob) = (world.person("alice"), world.person("bob"));
    (0..2_000).for_each(|place| world.say(bob, &[(0, pose(place, 0, 0))]));
    assert!(world.scene.counts().flooding >= 2_000 - u64::from(limits::MOTION_FRAMES_BURST));
    world.say(alice, &[(0, pose(7, 0, 0))]);
    (0..GROUPS).for_each(|_| {
        let frames = world.pass();
        world.deliver(frames);
    });
    assert_eq!(world.where_is(bob, "alice"), Some([7, 0, 0]));
}

#[test]
fn duplicate_and_late_frames_do_not_move_an_object_back() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let (alice, bob) = (world.person("alice"), world.person("bob"));
    world.tick(|_| pose(0, 0, 0));
    let frame = |sequence: u32, time_ms: u32, x: i32| {
        let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        parts.put(FramePartKind::Own, &OwnPose { index: 0, age_ms: 0, pose: pose(x, 0, 0) }.to_bytes());
        [&FrameHeader { sequence, time_ms }.to_bytes(), parts.bytes()].concat()
    };
    let (session, time) = (world.clients[bob].session, MotionTime::at(world.now).0);
    for bytes in [frame(100, time, 3), frame(99, time - 20, 2), frame(100, time, 4), frame(98, time - 40, 1)] {
        world.scene.handle_frame(session, &bytes, world.now);
    }
    world.clients[bob].sequence = 100;
    world.clients[bob].declared.clear();
    world.tick(|_| pose(0, 0, 0));
    assert_eq!(world.where_is(alice, "bob"), Some([3, 0, 0]));
    assert_eq!(world.scene.counts().repeated, 1);
}

#[test]
fn a_session_without_frames_ends_as_silent() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let (alice, bob) = (world.person("alice"), world.person("bob"));
    let silence = limits::MOTION_SILENCE.as_millis() as u64 / 50;
    for _ in 0..silence {
        assert_eq!(world.scene.poll_ended(world.now), None);
        world.say(alice, &[]);
        (0..GROUPS).for_each(|_| drop(world.pass()));
    }
    assert_eq!(world.scene.poll_ended(world.now), Some((world.clients[bob].session, SessionEndReason::Silent)));
}

#[test]
fn receivers_of_one_group_share_the_same_frame_bytes() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    (0..50).for_each(|number| {
        world.person(&format!("p{number}"));
    });
    (0..20).for_each(|tick| world.tick(|client| pose(client as i32, tick, 0)));
    (0..50).for_each(|client| world.say(client, &[(0, pose(client as i32, 99, 0))]));
    for group in 0..GROUPS {
        world.now = world.now + core::time::Duration::from_millis(10);
        let mut shared: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut frames = 0;
        world.scene.tick(world.now, &mut |out| {
            if !out.shared.is_empty() {
                frames += 1;
                shared.insert((out.shared.as_ptr() as usize, out.shared.len()));
            }
        });
        assert_eq!((frames, shared.len()), (10, 1), "group {group}");
    }
}

#[test]
fn a_flush_delivers_a_new_pose_before_the_next_tick() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let (alice, bob) = (world.person("alice"), world.person("bob"));
    (0..10).for_each(|_| world.tick(|_| pose(0, 0, 0)));
    for x in 1..50 {
        world.now = world.now + core::time::Duration::from_millis(7);
        world.say(alice, &[(0, pose(x, 0, 0))]);
        let mut frames = vec![];
        world.scene.flush(world.now, &mut |out| frames.push((out.session, bytes_of(&out))));
        world.deliver(frames);
        assert_eq!(world.where_is(bob, "alice"), Some([x, 0, 0]));
    }
}

#[test]
fn hands_are_visible_with_their_head_and_tracked_objects_by_their_own_position() {
    let mut world = World::new(InterestSetPolicy::Nearest { count: 2 }, PLENTY);
    let people: Vec<usize> = (0..6).map(|number| world.person(&format!("p{number}"))).collect();
    let artist = people[5];
    world.clients[artist].declared = vec![
        (0, MotionObjectKind::Head, String::new()),
        (1, MotionObjectKind::LeftHand, String::new()),
        (2, MotionObjectKind::Tracked, "kite".to_string()),
    ];
    let place = |client: usize| pose(client as i32 * 10_000, 0, 0);
    for _ in 0..40 {
        for client in people.clone() {
            let poses: Vec<_> = world.clients[client]
                .declared
                .iter()
                .map(|(index, ..)| (*index, if *index == 2 { pose(1_000, 0, 0) } else { place(client) }))
                .collect();
            world.say(client, &poses);
        }
        (0..GROUPS).for_each(|_| {
            let frames = world.pass();
            world.deliver(frames);
        });
    }
    let names = |client: usize| -> BTreeSet<(MotionObjectKind, String)> {
        world.clients[client].replica.objects().map(|(_, seen)| (seen.kind, seen.name.clone())).collect()
    };
    assert!(names(0).contains(&(MotionObjectKind::Tracked, "kite".to_string())), "it is near: {:?}", names(0));
    assert!(!names(0).iter().any(|(_, name)| name == "p5"), "its owner is not");
    let hand = (MotionObjectKind::LeftHand, "p5".to_string());
    assert!(
        names(4).contains(&hand) && names(4).contains(&(MotionObjectKind::Head, "p5".to_string())),
        "{:?}",
        names(4)
    );
    assert!(
        names(artist).contains(&(MotionObjectKind::Tracked, "kite".to_string())),
        "what is one's own is always there"
    );
}

/// The kinds of one person's objects that a client sees.
fn kinds(world: &World, client: usize, name: &str) -> BTreeSet<MotionObjectKind> {
    world.clients[client].replica.objects().filter(|(_, seen)| seen.name == name).map(|(_, seen)| seen.kind).collect()
}

#[test]
fn a_withdrawn_object_disappears_for_all_and_may_be_declared_again() {
    for policy in [InterestSetPolicy::All, InterestSetPolicy::RADIUS] {
        let mut world = World::new(policy, PLENTY);
        let [alice, bob] = ["alice", "bob"].map(|name| world.person(name));
        let hand = (1, MotionObjectKind::LeftHand, String::new());
        world.clients[bob].declared.push(hand.clone());
        (0..5).for_each(|_| world.tick(|_| pose(0, 0, 0)));
        let both = BTreeSet::from([MotionObjectKind::Head, MotionObjectKind::LeftHand]);
        assert_eq!(kinds(&world, alice, "bob"), both, "{policy:?}");
        world.withdraw(bob, 1);
        (0..3).for_each(|_| world.tick(|_| pose(0, 0, 0)));
        assert_eq!(kinds(&world, alice, "bob"), BTreeSet::from([MotionObjectKind::Head]), "{policy:?}");
        world.clients[bob].declared.push(hand);
        (0..5).for_each(|_| world.tick(|_| pose(0, 0, 0)));
        assert_eq!(kinds(&world, alice, "bob"), both, "{policy:?}");
        // Without its head the hand has a position of its own, and leaves with its person.
        world.withdraw(bob, 0);
        (0..30).for_each(|_| world.tick(|_| pose(0, 0, 0)));
        assert_eq!(kinds(&world, alice, "bob"), BTreeSet::from([MotionObjectKind::LeftHand]), "{policy:?}");
        assert!(world.scene.leave(world.clients[bob].session, world.now));
        world.tick(|_| pose(0, 0, 0));
        assert_eq!(kinds(&world, alice, "bob"), BTreeSet::new(), "{policy:?}");
        assert_eq!(kinds(&world, alice, "alice"), BTreeSet::from([MotionObjectKind::Head]), "{policy:?}");
    }
}

#[test]
fn a_late_frame_does_not_undo_a_withdrawal() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let [alice, bob] = ["alice", "bob"].map(|name| world.person(name));
    (0..5).for_each(|_| world.tick(|_| pose(0, 0, 0)));
    let (session, late) = (world.clients[bob].session, world.clients[bob].sequence + 1);
    world.clients[bob].sequence += 1;
    world.withdraw(bob, 0);
    let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
    let mut declared = vec![];
    ObjectDeclaration { index: 0, kind: MotionObjectKind::Head, name: "" }.write(&mut declared);
    assert!(parts.put(FramePartKind::Declare, &declared));
    assert!(parts.put(FramePartKind::Own, &OwnPose { index: 0, age_ms: 0, pose: pose(0, 0, 0) }.to_bytes()));
    let head = FrameHeader { sequence: late, time_ms: MotionTime::at(world.now).0 };
    world.scene.handle_frame(session, &[&head.to_bytes(), parts.bytes()].concat(), world.now);
    (0..3).for_each(|_| world.tick(|_| pose(0, 0, 0)));
    assert_eq!(kinds(&world, alice, "bob"), BTreeSet::new());
}

fn at(x: f64) -> PartialPose {
    PartialPose { position: Some([x, 0.0, 0.0]), rotation: None }
}

#[test]
fn a_bridged_person_is_visible_and_receives_no_frames() {
    for policy in [InterestSetPolicy::All, InterestSetPolicy::RADIUS] {
        let mut world = World::new(policy, PLENTY);
        let alice = world.person("alice");
        let now = world.now;
        world.scene.show_bridged("mqtt", MotionObjectKind::Head, at(1.5), now);
        world.scene.show_bridged("mqtt", MotionObjectKind::LeftHand, at(1.0), now);
        assert_eq!(world.scene.len(), 1);
        let turned = PartialPose { position: None, rotation: Some([0.0, 1.0, 0.0, 0.0]) };
        world.scene.show_bridged("mqtt", MotionObjectKind::Head, turned, now);
        let known: BTreeSet<MotionSessionId> = world.clients.iter().map(|client| client.session).collect();
        for _ in 0..20 {
            world.say(alice, &[(0, pose(0, 0, 0))]);
            for _ in 0..GROUPS {
                let frames = world.pass();
                assert!(frames.iter().all(|(session, _)| known.contains(session)), "{policy:?}");
                world.deliver(frames);
            }
        }
        assert_eq!(
            kinds(&world, alice, "mqtt"),
            BTreeSet::from([MotionObjectKind::Head, MotionObjectKind::LeftHand]),
            "{policy:?}"
        );
        let head = world.clients[alice].replica.find(MotionObjectKind::Head, "mqtt").unwrap();
        assert_eq!(head.pose.position, [1_500, 0, 0], "what is not said is as before");
        assert!(head.pose.unpack().rotation[1].abs() > 0.99);
        let now = world.now;
        world.scene.hide_bridged("mqtt", Some(MotionObjectKind::LeftHand), now);
        world.tick(|_| pose(0, 0, 0));
        assert_eq!(kinds(&world, alice, "mqtt"), BTreeSet::from([MotionObjectKind::Head]), "{policy:?}");
        world.scene.hide_bridged("mqtt", None, now);
        world.tick(|_| pose(0, 0, 0));
        assert_eq!(kinds(&world, alice, "mqtt"), BTreeSet::new(), "{policy:?}");
    }
}

#[test]
fn a_bridged_person_whose_name_exceeds_the_limit_is_refused() {
    for policy in [InterestSetPolicy::All, InterestSetPolicy::RADIUS] {
        let mut world = World::new(policy, PLENTY);
        let alice = world.person("alice");
        let names = [MOTION_NAME_BYTES_MAX, MOTION_NAME_BYTES_MAX + 1, 256].map(|length| "x".repeat(length));
        for name in &names {
            world.scene.show_bridged(name, MotionObjectKind::Head, at(1.0), world.now);
            world.scene.show_bridged(name, MotionObjectKind::LeftHand, at(1.0), world.now);
            world.scene.hide_bridged(name, Some(MotionObjectKind::LeftHand), world.now);
        }
        (0..10).for_each(|_| world.tick(|_| pose(0, 0, 0)));
        let seen = names.each_ref().map(|name| world.where_is(alice, name).is_some());
        assert_eq!(seen, [true, false, false], "{policy:?}");
        assert_eq!(world.scene.counts().refused, 4);
        names.iter().for_each(|name| world.scene.hide_bridged(name, None, world.now));
        (0..5).for_each(|_| world.tick(|_| pose(0, 0, 0)));
        assert_eq!(world.where_is(alice, &names[0]), None, "{policy:?}");
    }
}

#[test]
fn a_person_that_enters_the_plane_is_no_longer_moved_by_the_bridge() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let alice = world.person("alice");
    let now = world.now;
    world.scene.show_bridged("bob", MotionObjectKind::Head, at(1.0), now);
    let bob = world.person("bob");
    world.scene.show_bridged("bob", MotionObjectKind::Head, at(9.0), now);
    world.scene.hide_bridged("bob", None, now);
    (0..4).for_each(|_| world.tick(|client| pose(client as i32 * 5, 0, 0)));
    assert_eq!(world.where_is(alice, "bob"), Some([5, 0, 0]));
    assert_eq!((world.scene.len(), bob), (2, 1));
    world.scene.show_bridged("far", MotionObjectKind::Head, at(f64::NAN), now);
    world.scene.show_bridged("far", MotionObjectKind::Head, at(1e12), now);
    assert_eq!(world.scene.counts().beyond, 2);
    assert_eq!(
        world.scene.poll_ended(now + limits::MOTION_SILENCE * 2).map(|(_, why)| why),
        Some(SessionEndReason::Silent)
    );
}

#[test]
fn a_client_that_changes_its_address_keeps_receiving_despite_sequence_gaps() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let (alice, bob) = (world.person("alice"), world.person("bob"));
    let session = world.clients[alice].session;
    for (turn, random) in (0..).zip([0, u32::MAX, 5_000, 1 << 25].into_iter().cycle().take(160)) {
        world.scene.handle_moved(session, random, world.now);
        assert!(!world.scene.is_proved(session));
        (0..3).for_each(|_| world.tick(|_| pose(turn, 0, 0)));
        assert_eq!(world.where_is(alice, "bob"), Some([turn, 0, 0]), "after {random}");
        assert!(world.scene.is_proved(session) && world.scene.poll_ended(world.now).is_none());
    }
    (0..30).for_each(|_| world.tick(|_| pose(7, 0, 0)));
    let quality = world.clients[alice].replica.quality().map(|quality| quality.lost_per_mille);
    assert_eq!((quality, world.scene.counts().untrue), (Some(0), 0));
    assert_eq!(world.where_is(bob, "alice"), Some([7, 0, 0]));
}

#[test]
fn a_client_that_guesses_acknowledgements_after_a_move_ends_as_unproved() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let (alice, eve) = (world.person("alice"), world.person("eve"));
    (0..4).for_each(|_| world.tick(|_| pose(1, 0, 0)));
    let (session, now) = (world.clients[eve].session, world.now);
    let sent = world.clients[eve].replica.ack(now).expect("something came").newest;
    world.scene.handle_moved(session, 4_711, now);
    let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
    for newest in sent + 1..sent + 40 {
        let ack = stoa_wire::motion::FrameAck { newest, received: newest, time_ms: 0, held_ms: 0, changes: 0 };
        assert!(parts.put(FramePartKind::Ack, &ack.to_bytes()));
        parts.end_part();
    }
    let guesses = [&FrameHeader { sequence: 50, time_ms: 0 }.to_bytes(), parts.bytes()].concat();
    world.scene.handle_frame(session, &guesses, now);
    assert_eq!(world.scene.poll_ended(now), Some((session, SessionEndReason::Unproved)));
    assert!(!world.scene.is_proved(session) && world.scene.counts().untrue == 39);
    assert!(world.scene.leave(session, now) && world.scene.poll_ended(now).is_none());
    (0..4).for_each(|_| world.tick(|_| pose(2, 0, 0)));
    assert_eq!((world.where_is(alice, "eve"), world.where_is(alice, "alice")), (None, Some([2, 0, 0])));
}

#[test]
fn a_bridged_person_never_ends_as_silent() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    world.scene.show_bridged("mqtt", MotionObjectKind::Head, at(1.0), world.now);
    assert!(world.scene.poll_ended(world.now + limits::MOTION_SILENCE * 9).is_none() && world.scene.is_empty());
}

#[test]
fn the_bridge_reports_changed_heads_and_hands_in_turns_within_its_limit() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let many: Vec<usize> = (0..10).map(|number| world.person(&format!("p{number}"))).collect();
    world.clients[0].declared.push((1, MotionObjectKind::RightHand, String::new()));
    world.clients[1].declared.push((1, MotionObjectKind::Tracked, "lamp".to_string()));
    world.scene.show_bridged("mqtt", MotionObjectKind::Head, at(1.0), world.now);
    (0..2).for_each(|_| world.tick(|client| pose(client as i32, 0, 0)));
    let mut bridge = PoseReportCursor::default();
    let mut told = |world: &World, most: usize| {
        let mut told = vec![];
        bridge.poll(&world.scene, most, |session, kind, moved| told.push((session, kind, moved)));
        told
    };
    let [first, second, third] = [4, 4, 9].map(|most| told(&world, most));
    assert_eq!([first.len(), second.len(), third.len()], [4, 4, 3], "ten heads and a hand");
    let all: BTreeSet<(MotionSessionId, MotionObjectKind)> =
        [first, second, third].concat().into_iter().map(|(session, kind, _)| (session, kind)).collect();
    assert_eq!(all.len(), 11);
    assert_eq!(told(&world, 9), []);
    world.say(many[3], &[(0, pose(77, 0, 0))]);
    assert_eq!(
        told(&world, 9),
        [(world.clients[3].session, MotionObjectKind::Head, ReportedPoseChange::To(pose(77, 0, 0)))]
    );
    world.withdraw(0, 1);
    assert_eq!(told(&world, 9), [(world.clients[0].session, MotionObjectKind::RightHand, ReportedPoseChange::Gone)]);
    world.scene.leave(world.clients[5].session, world.now);
    assert_eq!(told(&world, 9), [], "of whoever has left nothing is said");
}

#[test]
fn withdrawn_hands_count_toward_the_bridges_report_limit() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    for number in 0..10 {
        let client = world.person(&format!("p{number}"));
        world.clients[client].declared.push((1, MotionObjectKind::LeftHand, String::new()));
    }
    (0..2).for_each(|_| world.tick(|client| pose(client as i32, 0, 0)));
    let mut bridge = PoseReportCursor::default();
    let mut told = |world: &World, most: usize| {
        let mut told = vec![];
        bridge.poll(&world.scene, most, |_, kind, moved| told.push((kind, moved)));
        told
    };
    assert_eq!(told(&world, 99).len(), 20);
    (0..10).for_each(|client| world.withdraw(client, 1));
    world.say(9, &[(0, pose(50, 0, 0))]);
    let parts = [4, 4, 4].map(|most| told(&world, most));
    assert_eq!(parts.each_ref().map(Vec::len), [4, 4, 3], "no more than so many at a time, and all in the end");
    let gone =
        parts.concat().into_iter().filter(|one| *one == (MotionObjectKind::LeftHand, ReportedPoseChange::Gone)).count();
    assert_eq!((gone, told(&world, 9)), (10, vec![]));
}

#[test]
fn the_latest_pose_by_its_senders_clock_wins() {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let (alice, bob) = (world.person("alice"), world.person("bob"));
    (0..3).for_each(|_| world.tick(|client| pose(client as i32, 0, 0)));
    let session = world.clients[bob].session;
    let say = |world: &mut World, time_ms: u32, (x, age_ms): (i32, u8)| {
        let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        parts.put(FramePartKind::Own, &OwnPose { index: 0, age_ms, pose: pose(x, 0, 0) }.to_bytes());
        world.clients[bob].sequence += 1;
        let head = FrameHeader { sequence: world.clients[bob].sequence, time_ms };
        world.scene.handle_frame(session, &[&head.to_bytes(), parts.bytes()].concat(), world.now);
    };
    let time = MotionTime::at(world.now).0 + 5_000;
    // The fastest delay remains the estimate, and ages are clamped to their maximum.
    say(&mut world, time, (8, 0));
    say(&mut world, time + 260, (9, 255));
    (0..GROUPS).for_each(|_| {
        let frames = world.pass();
        world.deliver(frames);
    });
    assert_eq!(world.where_is(alice, "bob"), Some([9, 0, 0]));
    say(&mut world, time + 300, (7, 255));
    (0..3).for_each(|_| world.say(alice, &[]));
    (0..GROUPS).for_each(|_| {
        let frames = world.pass();
        world.deliver(frames);
    });
    assert_eq!(world.where_is(alice, "bob"), Some([7, 0, 0]));
}

#[test]
fn all_frames_of_a_service_but_the_last_have_the_maximum_length() {
    for (policy, budget) in
        [(InterestSetPolicy::All, PLENTY), (InterestSetPolicy::RADIUS, PLENTY), (InterestSetPolicy::All, 200_000)]
    {
        let mut world = World::new(policy, budget);
        (0..300).for_each(|number| {
            world.person(&format!("p{number}"));
        });
        (0..40).for_each(|tick| world.tick(|client| pose(client as i32 % 17, tick * 300, 0)));
        (0..300).for_each(|client| world.say(client, &[(0, pose(client as i32 % 17, -9, 0))]));
        let frames = world.pass();
        let mut runs: BTreeMap<MotionSessionId, Vec<usize>> = BTreeMap::new();
        frames.iter().for_each(|(session, bytes)| runs.entry(*session).or_default().push(bytes.len()));
        assert!(runs.values().all(|run| run.len() > 1), "{policy:?}: more than fits into one");
        for run in runs.values() {
            let (last, others) = run.split_last().unwrap();
            assert!(others.iter().all(|length| *length == FRAME_BYTES_MAX) && *last <= FRAME_BYTES_MAX, "{run:?}");
        }
    }
}
