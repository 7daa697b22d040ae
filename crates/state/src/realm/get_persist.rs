//! Answers to `getPersist`: a scene's stored objects in one message. The records are written outside of the realm's
//! task, once for all clients that request the same state.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use bytes::Bytes;
use serde_json::json;
use stoa_wire::topic::SceneName;

use super::publishing::own_message;
use super::{Realm, RealmOutput};
use crate::limits;
use crate::scene::{RecordsSnapshot, Scene, StoredObjectsRequest};
use crate::time::Time;

/// Stored objects that are to be written as JSON. They are shared with the scene, not copied.
#[derive(Debug)]
pub struct RecordsSerializationJob {
    query: RecordsQuery,
    version: RecordsVersion,
    records: RecordsSnapshot,
}

/// Stored objects as JSON: the end of an answer.
#[derive(Debug)]
pub struct RecordsJson {
    query: RecordsQuery,
    version: RecordsVersion,
    json: Bytes,
}

/// The selection of an answer's records.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RecordsQuery {
    scene: SceneName,
    /// Only this type.
    type_name: Option<String>,
}

/// A state of a scene.
#[derive(Clone, Copy, Debug)]
struct RecordsVersion {
    epoch: u64,
    revision: u64,
    /// Changes of stored objects. Most revisions change none.
    stored_changes: u64,
}

impl RecordsSerializationJob {
    /// Writes the records. Slow if they are many.
    pub fn write(self) -> RecordsJson {
        let mut json = self.records.to_json();
        json.push(b'}');
        RecordsJson { query: self.query, version: self.version, json: json.into() }
    }
}

impl RecordsVersion {
    fn of(scene: &Scene) -> RecordsVersion {
        RecordsVersion { epoch: scene.epoch(), revision: scene.revision(), stored_changes: scene.stored_changes() }
    }

    /// Whether both states have the same stored objects.
    fn has_same_records(self, other: RecordsVersion) -> bool {
        (self.epoch, self.stored_changes) == (other.epoch, other.stored_changes)
    }
}

/// Records that are being written as JSON, and the JSON of the most recently used ones.
#[derive(Debug, Default)]
pub(super) struct RecordsJsonCache {
    under_way: BTreeMap<RecordsQuery, RecordsJsonWaiters>,
    kept: BTreeMap<RecordsQuery, CachedRecordsJson>,
    kept_bytes: usize,
    /// Number of uses of kept records so far.
    uses: u64,
}

#[derive(Debug)]
struct RecordsJsonWaiters {
    version: RecordsVersion,
    waiting: Vec<StoredObjectsRequest>,
    /// Requests of a later state. They wait for the present writing, so that each query has one at a time.
    later: Vec<StoredObjectsRequest>,
}

#[derive(Debug)]
struct CachedRecordsJson {
    version: RecordsVersion,
    json: Bytes,
    /// Number of the last use of these records.
    used: u64,
}

impl RecordsJsonCache {
    /// The records of a state, if they are kept.
    fn kept(&mut self, query: &RecordsQuery, version: RecordsVersion) -> Option<Bytes> {
        self.uses += 1;
        let kept = self.kept.get_mut(query).filter(|kept| kept.version.has_same_records(version))?;
        kept.used = self.uses;
        Some(kept.json.clone())
    }

    /// Queues a request. Returns whether its records must be written now.
    fn queue(&mut self, query: &RecordsQuery, version: RecordsVersion, request: StoredObjectsRequest) -> bool {
        match self.under_way.get_mut(query) {
            Some(writing) if writing.version.has_same_records(version) => writing.waiting.push(request),
            Some(writing) => writing.later.push(request),
            None => {
                let writing = RecordsJsonWaiters { version, waiting: Vec::from([request]), later: Vec::new() };
                self.under_way.insert(query.clone(), writing);
                return true;
            }
        }
        false
    }

    /// Keeps written records, and returns the requests that waited for them.
    fn finish(&mut self, written: &RecordsJson) -> Option<RecordsJsonWaiters> {
        let writing = self.under_way.remove(&written.query)?;
        self.uses += 1;
        let kept = CachedRecordsJson { version: written.version, json: written.json.clone(), used: self.uses };
        self.kept_bytes += kept.json.len();
        if let Some(older) = self.kept.insert(written.query.clone(), kept) {
            self.kept_bytes -= older.json.len();
        }
        while self.kept.len() > limits::ANSWERS_KEPT_MAX || self.kept_bytes > limits::ANSWERS_KEPT_BYTES_MAX {
            self.forget_oldest();
        }
        Some(writing)
    }

    fn forget_oldest(&mut self) {
        let oldest = self.kept.iter().min_by_key(|(_, kept)| kept.used).map(|(query, _)| query.clone());
        let oldest = oldest.expect("only kept records count");
        if let Some(kept) = self.kept.remove(&oldest) {
            self.kept_bytes -= kept.json.len();
        }
    }
}

impl Realm {
    /// Answers a `getPersist` as soon as the records are written as JSON. Without a subscription to the answer's topic
    /// there is no answer.
    pub(super) fn return_records(&mut self, scene: &SceneName, request: StoredObjectsRequest) {
        if !self.is_heard(request.connection, &request.topic) {
            return;
        }
        let Some(hosted) = self.scenes.get(scene) else {
            return;
        };
        let version = RecordsVersion::of(&hosted.scene);
        let query = RecordsQuery { scene: scene.clone(), type_name: request.type_name.clone() };
        if let Some(json) = self.records.kept(&query, version) {
            self.send_records(&request, version, json);
        } else if self.records.queue(&query, version, request) {
            let records = hosted.scene.records(None, query.type_name.clone());
            self.outputs
                .push_back(RealmOutput::WriteRecords { job: RecordsSerializationJob { query, version, records } });
        }
    }

    /// Handles the answer to [`RealmOutput::WriteRecords`].
    pub fn handle_records(&mut self, written: RecordsJson, now: Time) {
        let Some(writing) = self.records.finish(&written) else {
            return;
        };
        for request in writing.waiting {
            self.send_records(&request, written.version, written.json.clone());
        }
        for request in writing.later {
            self.return_records(&written.query.scene, request);
        }
        self.settle(now);
    }

    /// Sends an answer. Its beginning is the requester's own, its end is shared.
    fn send_records(&mut self, request: &StoredObjectsRequest, version: RecordsVersion, json: Bytes) {
        let RecordsVersion { epoch, revision, .. } = version;
        let begun = format!(
            r#"{{"action":"returnPersist","object_id":{},"epoch":{epoch},"revision":{revision},"data":"#,
            json!(request.object_id)
        );
        if begun.len() + json.len() <= limits::OUTBOX_BYTES_MAX
            && let Some(publish) = own_message(&request.topic, begun.into())
        {
            self.send_continued(request.connection, &publish, json);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::connection_id::ConnectionId;

    fn query(number: usize) -> RecordsQuery {
        RecordsQuery { scene: "public/lobby".parse().unwrap(), type_name: Some(format!("type-{number}")) }
    }

    /// Writes answers of this size, and uses the first one again and again. Returns the numbers of those that are kept.
    fn kept_of(answers: usize, bytes: usize) -> Vec<usize> {
        let version = RecordsVersion { epoch: 1, revision: 1, stored_changes: 1 };
        let (mut cache, json) = (RecordsJsonCache::default(), Bytes::from(vec![0; bytes]));
        for number in 0..answers {
            let (topic, object_id) = (String::from("a/b"), String::from("any"));
            let request = StoredObjectsRequest { connection: ConnectionId(1), topic, object_id, type_name: None };
            assert!(cache.queue(&query(number), version, request));
            cache.finish(&RecordsJson { query: query(number), version, json: json.clone() });
            cache.kept(&query(0), version);
        }
        (0..answers).filter(|number| cache.kept(&query(*number), version).is_some()).collect()
    }

    #[test]
    fn the_most_recently_used_answers_are_cached_within_a_number_and_a_size() {
        let first_and = |last| core::iter::once(0).chain(last).collect::<Vec<usize>>();
        let most = limits::ANSWERS_KEPT_MAX;
        assert_eq!(kept_of(most + 2, 1), first_and(3..most + 2));
        let most = limits::ANSWERS_KEPT_BYTES_MAX / limits::RETURNED_BYTES_MAX;
        assert_eq!(kept_of(most + 2, limits::RETURNED_BYTES_MAX), first_and(3..most + 2));
    }
}
