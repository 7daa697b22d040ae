//! Replays a stream to a simulated client, for `spec/vectors/stream.json`, which the other replicas run too.

use serde_json::{Map, Value, json};
use stoa_wire::topic::SceneName;

use crate::client::{SceneClient, SceneEntryPhase, SceneUpdate, UpdateContinuityResult};
use crate::replica::SceneReplica;

/// Runs the steps of a case and returns the final state: `objects`, `people`, `wants_snapshot`.
pub fn replay(scene: SceneName, steps: &[Value]) -> Value {
    let mut client = SceneClient::new(0, scene);
    let mut wants_snapshot = true;
    for step in steps {
        if step.get("subscribe").is_some() {
            client.phase = SceneEntryPhase::Fetching(Vec::new());
            wants_snapshot = true;
        } else if step.get("ask").is_some() {
            wants_snapshot = false;
        } else if let Some(answer) = step.get("answer") {
            wants_snapshot = client.take_snapshot(snapshot(answer)) == UpdateContinuityResult::Gap;
        } else if let Some(heard) = step.get("deliver").and_then(heard) {
            wants_snapshot |= client.follow(heard) == UpdateContinuityResult::Gap;
        }
    }
    let SceneReplica { objects, joined, .. } = client.replica;
    let objects: Map<String, Value> = objects.into_iter().map(|(id, (_, attributes))| (id, attributes)).collect();
    json!({"objects": objects, "people": joined.into_iter().collect::<Map<_, _>>(), "wants_snapshot": wants_snapshot})
}

fn snapshot(answer: &Value) -> SceneReplica {
    let messages = answer["messages"].as_array().into_iter().flatten();
    let messages: Vec<_> = messages.map(|one| (text(&one["topic"]), one["payload"].clone())).collect();
    SceneReplica::of(number(&answer["epoch"]), number(&answer["revision"]), &messages)
}

/// `None` for messages without epoch and revision, which change nothing.
fn heard(delivery: &Value) -> Option<SceneUpdate> {
    let place = (delivery.get("epoch")?, delivery.get("revision")?);
    Some(SceneUpdate {
        epoch: number(place.0),
        revision: number(place.1),
        topic: text(&delivery["topic"]),
        payload: delivery["payload"].clone(),
    })
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
