//! How much of its own processor time a snapshot costs the largest scene. Run by hand, on a machine that does nothing else:
//! `cargo test -p stoa-state --release --test snapshot_block -- --ignored --nocapture`.

#![expect(clippy::unwrap_used, reason = "a measurement ends where something is wrong")]

use std::collections::VecDeque;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use stoa_state::connection_id::ConnectionId;
use stoa_state::grant::Author;
use stoa_state::limits::OBJECTS_MAX;
use stoa_state::scene::{Message, Scene, Snapshot, StoredScene};
use stoa_state::time::{Time, UnixTime};
use stoa_wire::envelope::Envelope;
use stoa_wire::topic::{SceneName, SceneTopic};

/// At the 99.9th percentile: a tenth of what a person notices.
const BLOCK_MAX: Duration = Duration::from_millis(10);
const ROUNDS: usize = 2_000;
/// Snapshots that are still being read while the scene goes on.
const HELD: usize = 4;
const UPDATES: usize = 20;

fn message(scene: &mut Scene, author: &Author, (action, number): (&str, usize), x: usize) {
    let id = format!("box{number}");
    let topic = SceneTopic::parse(&format!("realm/s/public/large/o/{}/{id}", author.user_client)).unwrap().unwrap();
    let payload = json!({"object_id": id, "action": action, "type": "object", "persist": true, "data": {
        "object_type": "box", "position": {"x": x, "y": 1.5, "z": number}, "rotation": {"x": 0, "y": 0, "z": 0, "w": 1},
        "scale": {"x": 1, "y": 1, "z": 1}, "material": {"color": "#7f7f7f"}, "click-listener": true}});
    let envelope = Envelope::parse(topic.kind, &topic.uuid, payload.to_string().as_bytes()).unwrap();
    scene.handle_message(Message { author, topic: &topic, envelope }, Time::from_secs(1)).unwrap();
    while scene.poll_output().is_some() {}
}

/// What this thread has had of a processor: others on the machine are not the scene's doing.
fn own_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}

fn p999(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() * 999 / 1_000]
}

#[test]
#[ignore = "a measurement, not a test"]
fn a_snapshot_of_the_largest_scene_holds_it_up_for_less_than_ten_milliseconds() {
    let mut scene = Scene::new(SceneName::new("public", "large").unwrap(), 1, UnixTime(1_800_000_000));
    scene.restore(StoredScene::default(), Time::ZERO);
    let author = Author {
        connection: ConnectionId(1),
        user_client: "alice_py".into(),
        id_tag: "alice".into(),
        subject: "alice".into(),
        guest: false,
        moderator: true,
    };
    (0..OBJECTS_MAX).for_each(|number| message(&mut scene, &author, ("create", number), 0));
    let (mut blocks, mut updates) = (Vec::new(), Vec::new());
    let mut held: VecDeque<Snapshot> = VecDeque::new();
    for round in 0..ROUNDS {
        let started = own_time();
        held.push_back(scene.snapshot(Time::from_secs(2)));
        blocks.push(own_time() - started);
        for update in 0..UPDATES {
            let number = (round * UPDATES + update) * 7_919 % OBJECTS_MAX;
            let started = own_time();
            message(&mut scene, &author, ("update", number), round + 1);
            updates.push(own_time() - started);
        }
        if held.len() > HELD {
            held.pop_front();
        }
    }
    let reading = own_time();
    let bytes: usize = held.pop_front().unwrap().into_json().map(|piece| piece.len()).sum();
    let read = own_time() - reading;
    let (block, update) = (p999(&mut blocks), p999(&mut updates));
    println!(
        "{}",
        json!({"snapshot_block_ms": block.as_secs_f64() * 1e3, "snapshot_block_max_ms": blocks.last().unwrap().as_secs_f64() * 1e3,
            "update_beside_snapshots_p999_ms": update.as_secs_f64() * 1e3, "objects": OBJECTS_MAX, "snapshots": ROUNDS,
            "json_bytes": bytes, "json_ms_elsewhere": read.as_secs_f64() * 1e3})
    );
    assert!(block < BLOCK_MAX, "p99.9 of the block is {block:?}");
    assert!(update < BLOCK_MAX, "p99.9 of an update beside snapshots that are read is {update:?}");
}
