//! The store: group commits, and what is left of it after a crash.

use std::collections::BTreeMap;

use stoa_state::mqtt::stored::StoredBroker;
use stoa_state::realm::StoreWrite;
use stoa_state::scene::{StoredChangeKind, StoredObject, StoredScene};
use stoa_wire::topic::SceneName;

/// One scene's folded log.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoldedScene {
    /// It was made under this epoch: what an earlier one of its name was told is not its own.
    since: u64,
    pub(crate) revision: u64,
    pub(crate) objects: BTreeMap<String, StoredObject>,
}

/// What is on disk, and what is on its way there.
#[derive(Debug, Default)]
pub(crate) struct SimulatedDisk {
    scenes: BTreeMap<SceneName, FoldedScene>,
    /// Sessions and retained messages.
    broker: StoredBroker,
    waiting: Vec<(u64, Option<StoreWrite>)>,
    /// Everything up to it is on disk.
    pub(crate) written: u64,
}

impl SimulatedDisk {
    /// Takes a write; `None` only counts. Says whether it is the first of its group.
    pub(crate) fn append(&mut self, sequence: u64, write: Option<StoreWrite>) -> bool {
        self.waiting.push((sequence, write));
        self.waiting.len() == 1
    }

    /// Writes the group. Errors: a log that does not ascend.
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
                return Err(format!("revision {} of the log comes after {}", change.revision, folded.revision));
            }
            folded.revision = change.revision;
            match change.kind {
                StoredChangeKind::Put(record) => {
                    folded.objects.insert(record.object_id.clone(), record);
                }
                StoredChangeKind::Delete { descendants } => {
                    for id in descendants.into_iter().chain([change.object_id]) {
                        folded.objects.remove(&id);
                    }
                }
            }
        }
        Ok(self.written)
    }

    /// The group is lost. The last of it.
    pub(crate) fn fail(&mut self) -> Option<u64> {
        std::mem::take(&mut self.waiting).last().map(|(sequence, _)| *sequence)
    }

    /// The group that is on its way.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &StoreWrite> {
        self.waiting.iter().filter_map(|(_, write)| write.as_ref())
    }

    /// The server dies: what was on its way is lost, and its successor counts anew.
    pub(crate) fn crash(&mut self) {
        self.waiting.clear();
        self.written = 0;
    }

    /// A scene is removed and made again, at once on disk; it is opened under `epoch`.
    pub(crate) fn remake(&mut self, name: &SceneName, epoch: u64) {
        self.scenes.insert(name.clone(), FoldedScene { since: epoch, ..FoldedScene::default() });
    }

    /// Sessions and retained messages as they lie there.
    pub(crate) fn broker(&self) -> StoredBroker {
        self.broker.clone()
    }

    /// One scene as it lies there.
    pub(crate) fn scene(&self, name: &SceneName) -> StoredScene {
        let FoldedScene { revision, objects, .. } = self.scenes.get(name).cloned().unwrap_or_default();
        StoredScene { revision, objects: objects.into_values().collect() }
    }
}
