//! Bugs planted between the simulator and the system under test, to prove that the comparison detects them.

use bytes::Bytes;
use serde_json::{Value, json};
use stoa_state::scene::PendingLogEntry;
use stoa_wire::packet::Publish;

/// A fault of the system under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedSceneFault {
    /// A `leave` is accepted and forgotten: a ghost stays.
    LeaveForgotten,
    /// An update replaces attributes instead of merging them.
    MergeReplaces,
    /// A change is acknowledged and never reaches the disk.
    ChangeLost,
    /// A snapshot silently lacks its last message.
    SnapshotShort,
    /// A stored change is acknowledged before it is on disk.
    EarlyAcknowledgement,
}

/// Changes a client's message before the realm reads it.
pub(crate) fn tamper_publish(bug: Option<InjectedSceneFault>, publish: &mut Publish) {
    let Ok(Value::Object(mut payload)) = serde_json::from_slice::<Value>(&publish.payload) else { return };
    match bug {
        Some(InjectedSceneFault::LeaveForgotten) if payload.get("action") == Some(&json!("leave")) => {
            payload.insert("action".to_string(), json!("relocalized"));
        }
        Some(InjectedSceneFault::MergeReplaces)
            if payload.get("action") == Some(&json!("update")) && publish.topic.as_str().contains("/o/") =>
        {
            payload.insert("overwrite".to_string(), json!(true));
        }
        _ => return,
    }
    publish.payload = Bytes::from(Value::Object(payload).to_string());
}

/// Whether a change is lost before the disk.
pub(crate) fn loses(bug: Option<InjectedSceneFault>, change: &PendingLogEntry) -> bool {
    bug == Some(InjectedSceneFault::ChangeLost) && change.revision.is_multiple_of(7)
}

/// Changes a snapshot before the client reads it.
pub(crate) fn tamper_snapshot(bug: Option<InjectedSceneFault>, messages: &mut Vec<(String, Value)>) {
    if bug == Some(InjectedSceneFault::SnapshotShort) {
        messages.pop();
    }
}
