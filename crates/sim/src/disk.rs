//! The simulated store: group commits, and the state after a crash.

use std::collections::BTreeMap;

use stoa_state::mqtt::stored::StoredBroker;
use stoa_state::realm::StoreWrite;
use stoa_state::scene::{StoredObject, StoredObjectEffect, StoredScene};
use stoa_wire::topic::SceneName;

/// One scene's folded log.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoldedScene {
    /// Epoch in which it was created. Writes of an earlier scene with its name don't apply.
    since: u64,
    pub(crate) revision: u64,
    pub(crate) objects: BTreeMap<String, StoredObject>,
}

/// State on disk, and the queued writes.
#[derive(Debug, Default)]
pub(crate) struct SimulatedDisk {
    scenes: BTreeMap<SceneName, FoldedScene>,
    /// Sessions and retained messages.
    broker: StoredBroker,
    waiting: Vec<(u64, Option<StoreWrite>)>,
    /// All writes up to this sequence are on disk.
    pub(crate) written: u64,
}

impl SimulatedDisk {
    /// Queues a write; `None` only advances the sequence. Returns whether it is the first of its group.
    pub(crate) fn append(&mut self, sequence: u64, write: Option<StoreWrite>) -> bool {
        self.waiting.push((sequence, write));
        self.waiting.len() == 1
    }

    /// Commits the group. Errors: a log that does not ascend.
    pub(crate) fn commit(&mut self) -> Result<u64, String> {
        for (sequence, write) in std::mem::take(&mut self.waiting) {
            self.written = sequence;
            let change = match write {
                Some(StoreWrite::Change(change)) => change,
                Some(StoreWrite::Broker(write)) => {
                    self.broker.apply(write);
                    continue;
                }
                None => continue,
            };
            let folded = self.scenes.entry(change.scene.clone()).or_default();
            if change.epoch < folded.since {
                continue;
            }
            if change.revision <= folded.revision {
                return Err(format!("revision {} of the log follows {}", change.revision, folded.revision));
            }
            folded.revision = change.revision;
            match change.kind {
                StoredObjectEffect::Put(record) => {
                    folded.objects.insert(record.object_id.clone(), record);
                }
                StoredObjectEffect::Delete { descendants } => {
                    for id in descendants.into_iter().chain([change.object_id]) {
                        folded.objects.remove(&id);
                    }
                }
            }
        }
        Ok(self.written)
    }

    /// Loses the group; returns its last sequence.
    pub(crate) fn fail(&mut self) -> Option<u64> {
        std::mem::take(&mut self.waiting).last().map(|(sequence, _)| *sequence)
    }

    /// The queued group.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &StoreWrite> {
        self.waiting.iter().filter_map(|(_, write)| write.as_ref())
    }

    /// Crashes: queued writes are lost, and the next server starts a new sequence.
    pub(crate) fn crash(&mut self) {
        self.waiting.clear();
        self.written = 0;
    }

    /// Removes a scene and creates it again under `epoch`, immediately on disk.
    pub(crate) fn remake(&mut self, name: &SceneName, epoch: u64) {
        self.scenes.insert(name.clone(), FoldedScene { since: epoch, ..FoldedScene::default() });
    }

    /// Sessions and retained messages on disk.
    pub(crate) fn broker(&self) -> StoredBroker {
        self.broker.clone()
    }

    /// A scene on disk.
    pub(crate) fn scene(&self, name: &SceneName) -> StoredScene {
        let FoldedScene { revision, objects, .. } = self.scenes.get(name).cloned().unwrap_or_default();
        StoredScene { revision, objects: objects.into_values().collect() }
    }
}
