//! The way back: a scene, an object, or without what one author did.

use std::collections::BTreeSet;
use std::time::Instant;

use axum::extract::Path;
use serde::{Deserialize, Serialize};
use stoa_state::scene::{Amendment, StoredRecords, UndoPlan, UndoRequest, UnixMillis};
use stoa_wire::topic::SceneName;
use utoipa::ToSchema;

use super::super::body::Json;
use super::super::caller::Caller;
use super::super::pace::Asker;
use super::super::problem::ProblemDocument;
use super::super::scenes::{name_of, no_scene};
use super::super::{Problem, Shared, Web};
use super::{builder, spend_time, unfit};
use crate::limits;
use crate::os::blocking::apart;
use crate::store::{LoggedText, Since, Span, StoreError};

/// Where to, and what of it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct RestoreDocument {
    /// To how it was at this time (RFC 3339); this or `revision`.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    time: Option<UnixMillis>,
    /// To how it was at this revision.
    #[serde(default)]
    revision: Option<u64>,
    /// This object alone, with what it hung on and what hung on it where that is gone.
    #[serde(default)]
    object_id: Option<String>,
    /// Take back only what this author did since, and nobody else has changed after.
    #[serde(default)]
    author: Option<String>,
    /// Only say what would happen.
    #[serde(default)]
    dry_run: bool,
}

/// What was done, or would be.
#[derive(Serialize, ToSchema)]
pub(in super::super) struct RestoredDocument {
    /// The revision whose state was asked for.
    revision: u64,
    /// Objects that come back.
    created: usize,
    /// Objects that change.
    changed: usize,
    /// Objects that go.
    removed: usize,
    /// Objects of which something stays, because others have changed it since.
    left: usize,
    /// The first of them all, by name.
    objects: Vec<NamedObject>,
    /// Whether it was done.
    done: bool,
}

/// An object, and what happens to it.
#[derive(Serialize, ToSchema)]
struct NamedObject {
    /// Which.
    object_id: String,
    /// `created`, `changed`, `removed` or `left`.
    what: &'static str,
}

/// Restores a scene or an object to a time, or takes back what one author did since: in the asker's name, seen by everybody, whole or not at all.
#[utoipa::path(post, path = "/api/v1/scenes/{namespace}/{scene}/restore", tag = "history", request_body = RestoreDocument, params(
    ("namespace" = String, Path), ("scene" = String, Path)
), security(("bearer" = []), ("mqtt_token" = [])), responses(
    (status = 200, body = RestoredDocument), (status = 400, body = ProblemDocument), (status = 401, body = ProblemDocument),
    (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument),
    (status = 429, body = ProblemDocument), (status = 507, body = ProblemDocument)
))]
pub(in super::super) async fn restore(
    web: Shared,
    (caller, asker): (Caller, Asker),
    Path(segments): Path<(String, String)>,
    Json(asked): Json<RestoreDocument>,
) -> Result<axum::Json<RestoredDocument>, Problem> {
    let name = name_of(&segments)?;
    let author = builder(&web, &caller, &name).await?;
    let _place = web.reading.take(&asker).await?;
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
        web.app.realm.amend(name, author, undoing.amendments).await?;
        restored.done = true;
    }
    Ok(axum::Json(restored))
}

/// What is to be changed, and which revision that leads back to.
async fn undoing(web: &Web, name: &SceneName, asked: &RestoreDocument) -> Result<(u64, UndoPlan), Problem> {
    let since = match (asked.time, asked.revision) {
        // Of one author there is no more to take back than the log has.
        (Some(at), None) => Since::Time { at, at_most: asked.author.is_some() },
        (None, Some(revision)) => Since::Revision(revision),
        _ => return Err(Problem::bad_request("a restore takes either time or revision")),
    };
    let (records, through) = web.app.realm.settle(name.clone()).await?;
    let span = web.app.store.history_since(name, since, through).await?.ok_or_else(|| no_scene(name))?;
    let (revision, entries) = match span {
        Span::Whole { revision, entries } => (revision, entries),
        Span::TooOld(None) => {
            return Err(unfit(format!(
                "the history of {name} leads back to nothing earlier: it is empty, no longer kept, or of an older version"
            )));
        }
        Span::TooOld(Some(oldest)) => {
            return Err(unfit(format!("the history of {name} leads back to {oldest} and no further")));
        }
        Span::TooMany { entries, bytes } => {
            let (most, bytes_max) = (limits::SPAN_ENTRIES_MAX, limits::SPAN_BYTES_MAX);
            return Err(unfit(format!(
                "{entries} entries of {bytes} bytes have been written since then; a restore goes back over {most} of them at once, of {bytes_max} bytes in all"
            )));
        }
    };
    let wanted = UndoRequest { object_id: asked.object_id.clone(), author: asked.author.clone() };
    Ok((revision, apart(move || taken_back(&records, entries, &wanted)).await?))
}

/// One entry is parsed at a time: all of them would take too much memory.
fn taken_back(records: &StoredRecords, entries: Vec<LoggedText>, wanted: &UndoRequest) -> Result<UndoPlan, StoreError> {
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
        let object = |(object_id, what): (&String, _)| NamedObject { object_id: object_id.clone(), what };
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

fn what_happens(amendment: &Amendment) -> &'static str {
    match (&amendment.basis, &amendment.target) {
        (None, _) => "created",
        (Some(_), Some(_)) => "changed",
        (Some(_), None) => "removed",
    }
}

fn size_bytes(amendment: &Amendment) -> usize {
    amendment.target.as_ref().map_or(0, |record| record.size_bytes())
}
