//! Counts the situations that a run met. Every seed must meet each row of the table in `spec/topics.md` section 2.1
//! (arena-compat 1.8).

use std::collections::BTreeMap;

/// A row of the persistence table, or another situation that tends to cause bugs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the rows")]
pub enum SceneSituation {
    CreatePersisted,
    CreatePersistedWithTtl,
    CreateKeepsDeadline,
    CreateNotPersisted,
    CreateTruthyIsNotTrue,
    UpdatePersistedKnown,
    UpdateRemovesLeaf,
    UpdateReplacesList,
    UpdateMovesDeadline,
    UpdatePersistedUnknown,
    UpdateNotPersistedKnown,
    UpdateNotPersistedUnknown,
    OverwritePersistedKnown,
    OverwriteNotStored,
    DeleteKnown,
    DeleteWithDescendants,
    DeleteUnknown,
    GetPersist,
    GetPersistByType,
    LoadTemplate,
    LoadTemplateRefused,
    ExpiryStored,
    ExpiryLive,
    ExpiryWithDescendants,
    PrivateObject,
    EventOnObjects,
    // Not in the table.
    Reset,
    Join,
    Camera,
    Hand,
    Rename,
    Leave,
    Straggler,
    CameraExpired,
    ConnectionLost,
    SceneChanged,
    SceneRemoved,
    GrantOutdated,
    ServerCrashed,
    TabFrozen,
    GapClosed,
    Refused,
    Chat,
    TemplateOfAnotherScene,
    TemplateRemnants,
}

/// The rows that every seed must meet.
pub const PERSISTENCE: [SceneSituation; 26] = [
    SceneSituation::CreatePersisted,
    SceneSituation::CreatePersistedWithTtl,
    SceneSituation::CreateKeepsDeadline,
    SceneSituation::CreateNotPersisted,
    SceneSituation::CreateTruthyIsNotTrue,
    SceneSituation::UpdatePersistedKnown,
    SceneSituation::UpdateRemovesLeaf,
    SceneSituation::UpdateReplacesList,
    SceneSituation::UpdateMovesDeadline,
    SceneSituation::UpdatePersistedUnknown,
    SceneSituation::UpdateNotPersistedKnown,
    SceneSituation::UpdateNotPersistedUnknown,
    SceneSituation::OverwritePersistedKnown,
    SceneSituation::OverwriteNotStored,
    SceneSituation::DeleteKnown,
    SceneSituation::DeleteWithDescendants,
    SceneSituation::DeleteUnknown,
    SceneSituation::GetPersist,
    SceneSituation::GetPersistByType,
    SceneSituation::LoadTemplate,
    SceneSituation::LoadTemplateRefused,
    SceneSituation::ExpiryStored,
    SceneSituation::ExpiryLive,
    SceneSituation::ExpiryWithDescendants,
    SceneSituation::PrivateObject,
    SceneSituation::EventOnObjects,
];

/// How often each row was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage<R = SceneSituation>(BTreeMap<R, usize>);

impl<R> Default for Coverage<R> {
    fn default() -> Coverage<R> {
        Coverage(BTreeMap::new())
    }
}

impl<R: Copy + Ord> Coverage<R> {
    /// Counts one occurrence.
    pub fn met(&mut self, row: R) {
        *self.0.entry(row).or_default() += 1;
    }

    /// Number of occurrences of `row`.
    pub fn times(&self, row: R) -> usize {
        self.0.get(&row).copied().unwrap_or_default()
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Coverage<R>) {
        for (row, times) in &other.0 {
            *self.0.entry(*row).or_default() += times;
        }
    }

    /// Each row that occurred, with its count.
    pub fn iter(&self) -> impl Iterator<Item = (R, usize)> {
        self.0.iter().map(|(row, times)| (*row, *times))
    }
}

impl Coverage {
    /// The first row of [`PERSISTENCE`] that has not occurred.
    pub fn missing(&self) -> Option<SceneSituation> {
        PERSISTENCE.into_iter().find(|row| self.times(*row) == 0)
    }
}
