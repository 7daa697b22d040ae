use stoa_wire::motion::FrameArrivalsWriter;

use super::*;

/// More poses than the smallest rate carries.
fn crowd(lost_percent: u64, bytes_per_s: u32) -> World {
    let mut world = World::new(InterestSetPolicy::All, bytes_per_s);
    (0..150).for_each(|number| {
        world.person(&format!("p{number}"));
    });
    (0..10).for_each(|step| world.tick(|client| place(client, step)));
    world.lost_percent = lost_percent;
    (10..200).for_each(|step| world.tick(|client| place(client, step)));
    world.lost_percent = 0;
    world
}

fn place(client: usize, step: i32) -> PackedPose {
    pose(client as i32 * 100 + 90 * step, 1_600, -70 * step)
}

/// Bytes to the first client in each of the subticks of half a second.
fn subticks(world: &mut World) -> Vec<usize> {
    let mut subticks = vec![];
    for step in 200..210 {
        for client in 0..150 {
            let poses: Vec<_> = vec![(0, place(client, step))];
            world.say(client, &poses);
        }
        for _ in 0..GROUPS {
            let frames = world.pass();
            let of_first = frames.iter().filter(|(session, _)| *session == world.clients[0].session);
            subticks.push(of_first.map(|(_, bytes)| bytes.len()).sum());
            world.deliver(frames);
        }
    }
    subticks
}

#[test]
fn a_receiver_on_a_slow_path_gets_poses_in_portions() {
    let mut world = crowd(25, 200_000);
    let rate = world.scene.session(world.clients[0].session).unwrap().path.report().bytes_per_s as usize;
    assert!(rate < 45_000, "{rate}");
    let subticks = subticks(&mut world);
    let most = 10 * rate * 3 / 2_000 + FRAME_BYTES_MAX / 4;
    assert!(subticks.iter().all(|bytes| *bytes <= most), "{rate}: {subticks:?}");
    let busy = subticks.iter().filter(|bytes| **bytes > 0).count();
    assert!(busy * 10 >= subticks.len() * 6, "{subticks:?}");
    let half = subticks.iter().sum::<usize>();
    assert!(half <= rate * 6 / 10 && half >= rate * 3 / 10, "{rate}: {half}");
    for other in [1, 75, 149] {
        let position = world.where_is(0, &format!("p{other}")).unwrap();
        assert!((200..210).any(|step| place(other, step).position == position), "{other} at {position:?}");
    }
}

#[test]
fn a_receiver_on_a_good_path_is_served_once_a_tick() {
    for budget in [PLENTY, 40_000] {
        let mut world = crowd(0, budget);
        let busy = subticks(&mut world).iter().filter(|bytes| **bytes > 0).count();
        assert!(busy <= 10 + 1, "{budget}: {busy}");
    }
}

#[test]
fn reported_arrivals_show_a_growing_queue_without_loss() {
    for (growth_q, is_limited) in [(0, false), (40, true)] {
        let mut world = crowd(0, PLENTY);
        let first = world.clients[0].session;
        for step in 0..60_u32 {
            let newest = world.scene.session(first).unwrap().path.sent();
            let mut arrivals = FrameArrivalsWriter::default();
            let sent_q = (world.now.as_nanos() / 250_000) as u32;
            arrivals.begin(newest, sent_q.wrapping_add(7_000 + growth_q * step));
            world.clients[0].sequence += 1;
            let sequence = world.clients[0].sequence;
            let head = FrameHeader { sequence, time_ms: MotionTime::at(world.now).0 };
            let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
            assert!(parts.put(FramePartKind::Arrivals, arrivals.bytes()));
            world.scene.handle_frame(first, &[&head.to_bytes()[..], parts.bytes()].concat(), world.now);
            world.tick(|client| place(client, 200 + step as i32));
        }
        assert_eq!(world.scene.session(first).unwrap().path.is_limited(), is_limited, "{growth_q}");
    }
}
