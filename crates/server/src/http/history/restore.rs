//! Restores a scene or one object to an earlier state, or undoes one author's changes.

use std::collections::BTreeSet;
use std::time::Instant;

use axum::extract::Path;
use serde::{Deserialize, Serialize};
use stoa_state::scene::{ObjectStateChange, RecordsSnapshot, UndoPlan, UndoRequest, UnixMillis};
use stoa_wire::topic::SceneName;
use utoipa::ToSchema;

use super::super::body::Json;
use super::super::caller::Caller;
use super::super::problem::ProblemDocument;
use super::super::rate_limit::RequestNetwork;
use super::super::scenes::{name_of, no_scene};
use super::super::{Problem, RouteState, RouteStateExtractor};
use super::{builder, holders, spend_time, unfit};
use crate::limits;
use crate::os::blocking::apart;
use crate::store::{LogEntryJson, RestoreEntriesResult, RestorePoint, StoreError};

/// The target of a restore.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct RestoreRequest {
    /// Restores the state at this time (RFC 3339). Either this or `revision`.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    time: Option<UnixMillis>,
    /// Restores the state at this revision.
    #[serde(default)]
    revision: Option<u64>,
    /// Restores only this object, with its missing parents and children.
    #[serde(default)]
    object_id: Option<String>,
    /// Undoes only this author's changes since then, where no other author has changed the same values afterwards.
    #[serde(default)]
    author: Option<String>,
    /// Only reports the effect of the restore.
    #[serde(default)]
    dry_run: bool,
}

/// The effect of a restore.
#[derive(Serialize, ToSchema)]
pub(in super::super) struct RestoredDocument {
    /// The revision that the restore goes back to.
    revision: u64,
    /// Number of objects created again.
    created: usize,
    /// Number of objects changed.
    changed: usize,
    /// Number of objects removed.
    removed: usize,
    /// Number of objects that keep changes of the author, because other authors have changed them, their parents or
    /// their children since.
    left: usize,
    /// The first 100 of these objects.
    objects: Vec<RestoredObjectDocument>,
    /// Whether the restore was carried out.
    done: bool,
}

/// An affected object.
#[derive(Serialize, ToSchema)]
struct RestoredObjectDocument {
    /// The object's id.
    object_id: String,
    /// `created`, `changed`, `removed` or `left`.
    what: &'static str,
}

/// Restores a scene or an object to a time, or undoes one author's changes since then.
///
/// The restore is a change by the caller that everyone in the scene sees. It happens completely or not at all.
#[utoipa::path(post, path = "/api/v1/scenes/{namespace}/{scene}/restore", operation_id = "restore_scene", tag = "history", request_body = RestoreRequest, params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses(
    (status = 200, body = RestoredDocument), (status = 400, body = ProblemDocument), (status = 401, body = ProblemDocument),
    (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument),
    (status = 429, body = ProblemDocument), (status = 507, body = ProblemDocument)
))]
pub(in super::super) async fn restore(
    web: RouteStateExtractor,
    caller: Caller,
    asker: RequestNetwork,
    Path((namespace, scene)): Path<(String, String)>,
    Json(asked): Json<RestoreRequest>,
) -> Result<axum::Json<RestoredDocument>, Problem> {
    let name = name_of(&namespace, &scene)?;
    let author = builder(&web, &caller, &name).await?;
    let _slot = web.reading.take(&holders(&caller, asker)).await?;
    web.readings.ask(asker)?;
    if !asked.dry_run {
        web.restores.ask(asker)?;
    }
    let began = Instant::now();
    let found = undoing(&web, &name, &asked).await;
    spend_time(&web, asker, began);
    let (revision, undoing) = found?;
    let bytes: usize = undoing.amendments.iter().map(size_bytes).sum();
    web.readings.spend(asker, u32::try_from(bytes / 1_024).unwrap_or(u32::MAX));
    let mut restored = RestoredDocument::of(revision, &undoing);
    if !asked.dry_run {
        web.restores.spend(asker, u32::try_from(undoing.amendments.len()).unwrap_or(u32::MAX));
        web.app.realm.amend(name, author, asker.0, undoing.amendments).await?;
        restored.done = true;
    }
    Ok(axum::Json(restored))
}

/// The changes of a restore, and the revision that it leads back to.
async fn undoing(web: &RouteState, name: &SceneName, asked: &RestoreRequest) -> Result<(u64, UndoPlan), Problem> {
    let since = match (asked.time, asked.revision) {
        // Undoing one author's changes can only reach as far as the log does.
        (Some(at), None) => RestorePoint::Time { at, at_most: asked.author.is_some() },
        (None, Some(revision)) => RestorePoint::Revision(revision),
        _ => return Err(Problem::bad_request("a restore takes either time or revision")),
    };
    let (records, through) = web.app.realm.settle(name.clone()).await?;
    let span = web.app.store.history_since(name, since, through).await?.ok_or_else(|| no_scene(name))?;
    let (revision, entries) = match span {
        RestoreEntriesResult::Whole { revision, entries } => (revision, entries),
        RestoreEntriesResult::TooOld(None) => {
            return Err(unfit(format!(
                "the history of {name} has nothing earlier: it is empty, no longer kept, or from an older version"
            )));
        }
        RestoreEntriesResult::TooOld(Some(oldest)) => {
            return Err(unfit(format!("the history of {name} begins at {oldest}")));
        }
        RestoreEntriesResult::TooMany { entries, bytes } => {
            let (most, bytes_max) = (limits::SPAN_ENTRIES_MAX, limits::SPAN_BYTES_MAX);
            return Err(unfit(format!(
                "there are at least {entries} later changes of {bytes} bytes; one restore covers at most {most} changes of {bytes_max} bytes"
            )));
        }
    };
    let wanted = UndoRequest { object_id: asked.object_id.clone(), author: asked.author.clone() };
    Ok((revision, apart(move || taken_back(&records, entries, &wanted)).await?))
}

/// Plans the undo. Parses one entry at a time, because all parsed entries would take too much memory.
fn taken_back(
    records: &RecordsSnapshot,
    entries: Vec<LogEntryJson>,
    wanted: &UndoRequest,
) -> Result<UndoPlan, StoreError> {
    let mut unreadable = None;
    let entries = entries.into_iter().map_while(|entry| match entry.parsed() {
        Ok(entry) => Some(entry),
        Err(error) => {
            unreadable = Some(error);
            None
        }
    });
    let undoing = records.undoing(entries, wanted);
    unreadable.map_or(Ok(undoing), Err)
}

impl RestoredDocument {
    fn of(revision: u64, undoing: &UndoPlan) -> RestoredDocument {
        let amendments = &undoing.amendments;
        let count = |what| amendments.iter().filter(|amendment| what_happens(amendment) == what).count();
        let named = amendments.iter().map(|amendment| (&amendment.object_id, what_happens(amendment)));
        let amended: BTreeSet<&String> = amendments.iter().map(|amendment| &amendment.object_id).collect();
        let left = undoing.left.iter().filter(|id| !amended.contains(id)).map(|id| (id, "left"));
        let object = |(object_id, what): (&String, _)| RestoredObjectDocument { object_id: object_id.clone(), what };
        RestoredDocument {
            revision,
            created: count("created"),
            changed: count("changed"),
            removed: count("removed"),
            left: undoing.left.len(),
            objects: named.chain(left).take(limits::RESTORED_NAMED_MAX).map(object).collect(),
            done: false,
        }
    }
}

fn what_happens(amendment: &ObjectStateChange) -> &'static str {
    match (&amendment.basis, &amendment.target) {
        (None, _) => "created",
        (Some(_), Some(_)) => "changed",
        (Some(_), None) => "removed",
    }
}

fn size_bytes(amendment: &ObjectStateChange) -> usize {
    amendment.target.as_ref().map_or(0, |record| record.size_bytes())
}
