//! Bugs to plant between the simulator and the system under test, to prove that the comparison would see them.

use bytes::Bytes;
use serde_json::{Value, json};
use stoa_state::scene::StoredChange;
use stoa_wire::packet::Publish;

/// What the system under test is made to do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneBug {
    /// A `leave` is accepted and forgotten: a ghost stays.
    LeaveForgotten,
    /// An update replaces what was there instead of merging with it.
    MergeReplaces,
    /// A change is acknowledged and never reaches the disk.
    ChangeLost,
    /// A snapshot lacks its last message, and says nothing of it.
    SnapshotShort,
    /// An acknowledgement of a stored change leaves before the disk has it.
    EarlyAcknowledgement,
}

/// What the realm gets to read instead of what the client wrote.
pub(crate) fn tamper_publish(bug: Option<SceneBug>, publish: &mut Publish) {
    let Ok(Value::Object(mut payload)) = serde_json::from_slice::<Value>(&publish.payload) else { return };
    match bug {
        Some(SceneBug::LeaveForgotten) if payload.get("action") == Some(&json!("leave")) => {
            payload.insert("action".to_string(), json!("relocalized"));
        }
        Some(SceneBug::MergeReplaces)
            if payload.get("action") == Some(&json!("update")) && publish.topic.as_str().contains("/o/") =>
        {
            payload.insert("overwrite".to_string(), json!(true));
        }
        _ => return,
    }
    publish.payload = Bytes::from(Value::Object(payload).to_string());
}

/// Whether the disk gets to see it.
pub(crate) fn loses(bug: Option<SceneBug>, change: &StoredChange) -> bool {
    bug == Some(SceneBug::ChangeLost) && change.revision.is_multiple_of(7)
}

/// What the client gets to see of a snapshot.
pub(crate) fn tamper_snapshot(bug: Option<SceneBug>, messages: &mut Vec<(String, Value)>) {
    if bug == Some(SceneBug::SnapshotShort) {
        messages.pop();
    }
}
