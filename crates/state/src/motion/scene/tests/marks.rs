//! Marked frames, from the first pose to the report that all receivers have it.

use core::time::Duration;

use stoa_wire::motion::entries::reached;
use stoa_wire::motion::{FramePartKind, MotionFrame};

use super::*;

impl World {
    /// Sends a marked frame with a head pose and returns its sequence number.
    fn mark(&mut self, client: usize, place: PackedPose) -> u32 {
        self.mark_all(client, &[(0, place)])
    }

    /// Sends a marked frame with several poses.
    fn mark_all(&mut self, client: usize, poses: &[(u8, PackedPose)]) -> u32 {
        let frame = self.frame(client, poses);
        let marked = [&frame[..], &[FramePartKind::Mark as u8, 0, 0]].concat();
        self.scene.handle_frame(self.clients[client].session, &marked, self.now);
        self.clients[client].sequence
    }

    /// Serves all immediately. Returns the reports on marked frames, and the clients that got any frame.
    fn flush(&mut self) -> (Vec<(usize, u32)>, Vec<usize>) {
        self.now = self.now + Duration::from_millis(1);
        let mut frames = vec![];
        self.scene.flush(self.now, &mut |out| frames.push((out.session, bytes_of(&out))));
        let client_of =
            |session: MotionSessionId| self.clients.iter().position(|client| client.session == session).unwrap();
        let receivers = frames.iter().map(|(session, _)| client_of(*session)).collect();
        let told = frames.iter().filter_map(|(session, bytes)| {
            let frame = MotionFrame::read(bytes).unwrap();
            let content = frame.parts().find(|(kind, _)| *kind == FramePartKind::Reached as u8)?.1;
            Some((client_of(*session), reached(content).unwrap()))
        });
        let told = told.collect();
        self.deliver(frames);
        (told, receivers)
    }

    fn acknowledge(&mut self, clients: impl IntoIterator<Item = usize>) {
        clients.into_iter().for_each(|client| self.say(client, &[]));
    }
}

fn at(place: i32) -> PackedPose {
    pose(place, 1_600, 0)
}

/// People at these positions who all know each other's.
fn gathered(policy: InterestSetPolicy, places: &[i32]) -> World {
    let mut world = World::new(policy, PLENTY);
    (0..places.len()).for_each(|client| {
        world.person(&format!("p{client}"));
    });
    (0..60).for_each(|_| world.tick(|client| at(places[client])));
    world.flush();
    world.acknowledge(0..places.len());
    world
}

#[test]
fn the_sender_of_a_marked_frame_is_notified_after_the_last_acknowledgement() {
    let mut world = gathered(InterestSetPolicy::All, &[0, 1, 2]);
    let marked = world.mark(0, at(5));
    let (told, receivers) = world.flush();
    assert!(told.is_empty() && receivers.contains(&1) && receivers.contains(&2), "{receivers:?}");
    // A new baseline is sent twice.
    world.flush();
    world.acknowledge([1]);
    assert!(!world.scene.has_news(), "one of two");
    world.acknowledge([2]);
    assert!(world.scene.has_news());
    assert_eq!(world.flush(), (vec![(0, marked)], vec![0]), "nobody else gets anything");
    assert!(!world.scene.has_news());
    world.acknowledge([0, 1, 2]);
    world.now = world.now + Duration::from_millis(400);
    assert!(world.flush().0.is_empty(), "it knows");
}

#[test]
fn a_clients_own_pose_returns_with_other_poses_or_two_ticks_later() {
    for policy in [InterestSetPolicy::All, InterestSetPolicy::Nearest { count: 2 }] {
        let mut world = gathered(policy, &[0, 1]);
        let place = |world: &World| world.where_is(0, "p0").unwrap()[0];
        world.say(1, &[(0, at(6))]);
        assert!((0..2).all(|_| world.flush().1.contains(&0)), "a new baseline goes out twice");
        for own in [5, 6] {
            world.say(0, &[(0, at(own))]);
            (0..3).for_each(|_| assert!(!world.flush().1.contains(&0), "its own alone is no reason"));
        }
        assert_eq!(place(&world), 0);
        world.say(1, &[(0, at(7))]);
        assert!(world.flush().1.contains(&0));
        assert_eq!(place(&world), 6, "with another's");
        world.say(0, &[(0, at(8))]);
        world.flush();
        for _ in 0..2 * GROUPS {
            let frames = world.pass();
            world.deliver(frames);
        }
        assert_eq!(place(&world), 8, "without another's");
    }
}

#[test]
fn a_client_with_constant_reports_still_gets_its_own_poses() {
    let mut world = gathered(InterestSetPolicy::All, &[0, 1]);
    for own in 2..12 {
        world.mark(0, at(own));
        world.flush();
        world.acknowledge([1]);
        world.now = world.now + Duration::from_millis(15);
        world.flush();
        world.acknowledge([0]);
    }
    assert!(world.where_is(0, "p0").unwrap()[0] >= 10);
}

#[test]
fn a_lost_reached_report_is_sent_again_after_a_pause() {
    let mut world = gathered(InterestSetPolicy::All, &[0, 1]);
    let marked = world.mark(0, at(5));
    world.flush();
    world.acknowledge([1]);
    world.lost_percent = 100;
    assert_eq!(world.flush().0, [(0, marked)]);
    assert!(world.flush().0.is_empty(), "not with each service");
    world.now = world.now + Duration::from_millis(400);
    world.lost_percent = 0;
    assert_eq!(world.flush().0, [(0, marked)]);
}

#[test]
fn a_lost_marked_frame_is_not_reported_as_reached_and_the_next_one_is() {
    let mut world = gathered(InterestSetPolicy::All, &[0, 1]);
    world.mark(0, at(5));
    world.lost_percent = 100;
    world.flush();
    world.lost_percent = 0;
    world.say(1, &[(0, at(7))]);
    world.flush();
    world.acknowledge([1]);
    assert!(world.flush().0.is_empty(), "what came after it has come");
    let next = world.mark(0, at(6));
    world.flush();
    world.acknowledge([1]);
    assert_eq!(world.flush().0, [(0, next)]);
}

#[test]
fn a_reached_report_waits_only_for_receivers_that_see_the_sender() {
    let far = 400_000;
    let mut world = gathered(InterestSetPolicy::Nearest { count: 1 }, &[0, 10, far, far + 10]);
    let marked = world.mark(0, at(5));
    world.flush();
    world.acknowledge([1]);
    assert_eq!(world.flush().0, [(0, marked)], "those who are far get nothing of it");
}

#[test]
fn a_reached_report_waits_for_all_receivers_that_see_a_moved_object() {
    let far = 400_000;
    let mut world = World::new(InterestSetPolicy::Nearest { count: 1 }, PLENTY);
    ["p0", "p1", "p2"].iter().for_each(|id_tag| {
        world.person(id_tag);
    });
    world.clients[0].declared.push((1, MotionObjectKind::Tracked, "lamp".to_string()));
    let place = |client: usize| at([0, 10, far][client]);
    let said = |world: &mut World| {
        world.say(0, &[(0, place(0)), (1, at(far + 5))]);
        [1, 2].into_iter().for_each(|client| world.say(client, &[(0, place(client))]));
        for _ in 0..GROUPS {
            let frames = world.pass();
            world.deliver(frames);
        }
    };
    (0..60).for_each(|_| said(&mut world));
    world.flush();
    world.acknowledge(0..3);
    assert!(world.where_is(2, "lamp").is_some() && world.where_is(1, "lamp").is_none());
    let marked = world.mark_all(0, &[(1, at(far + 6))]);
    world.flush();
    world.acknowledge([0, 1]);
    assert!(world.flush().0.is_empty(), "they have it not around");
    world.acknowledge([2]);
    assert_eq!(world.flush().0, [(0, marked)]);
    let marked = world.mark_all(0, &[(0, at(1)), (1, at(far + 7))]);
    world.flush();
    world.acknowledge([0, 2]);
    assert!(world.flush().0.is_empty(), "one has the head around");
    world.acknowledge([1]);
    assert_eq!(world.flush().0, [(0, marked)]);
}

#[test]
fn an_older_marked_frame_is_not_reported_after_a_newer_one() {
    let mut world = gathered(InterestSetPolicy::All, &[0, 1, 2]);
    world.mark(0, at(5));
    let mut frames = vec![];
    world.scene.flush(world.now, &mut |out| frames.push((out.session, bytes_of(&out))));
    frames.retain(|(session, _)| *session != world.clients[2].session);
    world.deliver(frames);
    world.acknowledge([1]);
    let newer = world.mark(0, at(6));
    world.flush();
    world.acknowledge([1, 2]);
    assert_eq!(world.flush().0, [(0, newer)]);
    world.acknowledge([0]);
    let gone = world.clients[2].session;
    world.scene.leave(gone, world.now);
    assert!(world.flush().0.is_empty(), "that all have the older one too, is no news");
}

#[test]
fn a_reached_report_does_not_wait_for_receivers_that_left_or_entered_later() {
    let mut world = gathered(InterestSetPolicy::All, &[0, 1, 2]);
    let marked = world.mark(0, at(5));
    world.flush();
    world.acknowledge([1]);
    world.person("late");
    let gone = world.clients[2].session;
    world.scene.leave(gone, world.now);
    assert_eq!(world.flush().0, [(0, marked)]);
}

#[test]
fn a_mark_without_poses_is_ignored_and_a_lone_senders_mark_is_reached_at_once() {
    let mut world = gathered(InterestSetPolicy::All, &[0]);
    let frame = world.frame(0, &[]);
    let marked = [&frame[..], &[FramePartKind::Mark as u8, 0, 0]].concat();
    let said = world.scene.pose_frames();
    world.scene.handle_frame(world.clients[0].session, &marked, world.now);
    assert!(world.flush().0.is_empty());
    assert_eq!(world.scene.pose_frames(), said, "it says nothing of where anything is");
    let marked = world.mark(0, at(5));
    assert_eq!(world.scene.pose_frames(), said + 1);
    assert_eq!(world.flush().0, [(0, marked)]);
}
