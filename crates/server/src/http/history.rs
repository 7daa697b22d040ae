//! A scene's history over HTTP: its changes with author and time, and restores (`spec/history.md`).

mod restore;

pub(super) use restore::{__path_restore, restore};

use std::time::Instant;

use axum::extract::Path;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use stoa_state::connection_id::ConnectionId;
use stoa_state::grant::{Author, Role};
use stoa_state::scene::{ReplacedState, UnixMillis};
use stoa_wire::topic::{REALM_CLIENT, SceneName};
use utoipa::{IntoParams, ToSchema};

use super::caller::Caller;
use super::problem::ProblemDocument;
use super::query::Query;
use super::rate_limit::RequestNetwork;
use super::scenes::{closed, name_of, no_scene, settings_of};
use super::{Problem, RouteState, RouteStateExtractor};
use crate::app::slots::SlotHolder;
use crate::limits;
use crate::store::{HistoryEntry, HistoryQuery};

/// Filters of a history query.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(super) struct HistoryFilter {
    /// Only changes before this revision: `next` of the previous answer.
    before: Option<u64>,
    /// Only changes of this object.
    object_id: Option<String>,
    /// Only changes by this author.
    author: Option<String>,
    /// Only changes at or after this time (RFC 3339).
    #[param(value_type = Option<String>)]
    from: Option<UnixMillis>,
    /// Only changes at or before this time (RFC 3339).
    #[param(value_type = Option<String>)]
    until: Option<UnixMillis>,
    /// Number of entries [default: 50, at most 200].
    limit: Option<usize>,
}

/// One page of a scene's history.
#[derive(Serialize, ToSchema)]
pub(super) struct HistoryDocument {
    /// How long history is kept.
    retention: RetentionDocument,
    /// Entries, newest first.
    entries: Vec<HistoryEntryDocument>,
    /// Value of `before` for the next page. Null on the last page.
    next: Option<u64>,
    /// The earliest revision that can be restored. Null if the scene has no history.
    reaches: Option<u64>,
}

/// How long history is kept.
#[derive(Serialize, ToSchema)]
struct RetentionDocument {
    /// Age limit in days.
    days: u64,
    /// Size limit in bytes for all scenes together. The oldest entries are removed first.
    bytes: u64,
    /// Time of this scene's oldest entry (RFC 3339).
    #[schema(value_type = Option<String>)]
    oldest: Option<UnixMillis>,
}

/// One entry: a change, or several updates of one object by one author that were stored together.
#[derive(Serialize, ToSchema)]
struct HistoryEntryDocument {
    /// Revision of the entry's last change.
    revision: u64,
    /// Time of the entry (RFC 3339).
    #[schema(value_type = String)]
    at: UnixMillis,
    /// Author, as the `author` of a restore names it: an account, or one visit of a guest.
    author: String,
    /// Display name of the author.
    author_name: String,
    /// Whether the author is a guest, who chose the display name.
    guest: bool,
    /// The changed object's id.
    object_id: String,
    /// `create`, `update`, `overwrite` or `delete`.
    action: String,
    /// Number of changes in the entry.
    changes: u64,
    /// Number of whole objects that it replaced or removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    objects: Option<u64>,
    /// Previous values of the changed attributes. Null if there was no object.
    #[schema(value_type = Option<Object>)]
    before: Option<Map<String, Value>>,
    /// New values of these attributes. Null if the object was removed.
    #[schema(value_type = Option<Object>)]
    after: Option<Map<String, Value>>,
    /// Whether `before` and `after` are left out because they are too long.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    shortened: bool,
}

/// Lists a scene's changes, newest first.
///
/// For its editors and owners.
#[utoipa::path(get, path = "/api/v1/scenes/{namespace}/{scene}/history", operation_id = "get_scene_history", tag = "history", params(
    ("namespace" = String, Path), ("scene" = String, Path), HistoryFilter
), responses(
    (status = 200, body = HistoryDocument), (status = 400, body = ProblemDocument), (status = 401, body = ProblemDocument),
    (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn history(
    web: RouteStateExtractor,
    caller: Caller,
    asker: RequestNetwork,
    Path((namespace, scene)): Path<(String, String)>,
    Query(wanted): Query<HistoryFilter>,
) -> Result<axum::Json<HistoryDocument>, Problem> {
    let name = name_of(&namespace, &scene)?;
    builder(&web, &caller, &name).await?;
    let entries_max = wanted.limit.unwrap_or(limits::HISTORY_PAGE_DEFAULT);
    if !(1..=limits::HISTORY_PAGE_MAX).contains(&entries_max) {
        let most = limits::HISTORY_PAGE_MAX;
        return Err(Problem::bad_request(format!("limit is {entries_max}; it takes 1 to {most}")));
    }
    let _slot = web.reading.take(&holders(&caller, asker)).await?;
    web.readings.ask(asker)?;
    let began = Instant::now();
    let HistoryFilter { before, object_id, author, from, until, .. } = wanted;
    let query = HistoryQuery { before, object_id, author, from, until, entries_max };
    let page = web.app.store.history(&name, &query).await;
    spend_time(&web, asker, began);
    let page = page?.ok_or_else(|| no_scene(&name))?;
    let keep = web.app.config.history;
    let next = page.next;
    let entries: Vec<HistoryEntryDocument> = page.entries.into_iter().map(HistoryEntryDocument::of).collect();
    let retention = RetentionDocument { days: keep.age.as_secs() / 86_400, bytes: keep.bytes, oldest: page.oldest };
    web.readings.spend(asker, u32::try_from(entries.len()).unwrap_or(u32::MAX));
    Ok(axum::Json(HistoryDocument { retention, entries, next, reaches: page.reaches }))
}

/// The caller's account and networks, each of which has one slot for reading the log.
fn holders(caller: &Caller, asker: RequestNetwork) -> Vec<SlotHolder> {
    match caller {
        Caller::Account { name, .. } => SlotHolder::of_account(name, asker.0),
        Caller::Bearer(claims) if !claims.guest => SlotHolder::of_account(claims.subject(), asker.0),
        Caller::Guest { .. } | Caller::Bearer(_) => asker.holders(),
    }
}

/// Charges the caller's network for the time of reading the log, because a long read may find little.
pub(super) fn spend_time(web: &RouteState, asker: RequestNetwork, began: Instant) {
    let us = u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX);
    web.readings.spend(asker, us.saturating_mul(limits::LOG_KIB_PER_MS) / 1_000);
}

impl HistoryEntryDocument {
    fn of(entry: HistoryEntry) -> HistoryEntryDocument {
        let after = entry.patch.as_ref().and_then(|patch| patch.get("data")?.as_object().cloned());
        let before = match entry.before.as_ref() {
            Some(ReplacedState::Attributes(before)) => Some(before.clone()),
            Some(ReplacedState::Objects(records)) => {
                let own = records.iter().find(|record| record.object_id == entry.object_id);
                let replaced = after.as_ref().filter(|_| entry.action == "update");
                own.map(|record| match replaced {
                    Some(patch) => patch.keys().map(|key| (key.clone(), was(&record.attributes, key))).collect(),
                    None => record.attributes.clone(),
                })
            }
            None => None,
        };
        let is_long = |value: &Option<Map<String, Value>>| {
            value.as_ref().is_some_and(|value| {
                serde_json::to_string(value).map_or(0, |text| text.len()) > limits::HISTORY_VALUE_BYTES_MAX
            })
        };
        let shortened = entry.is_long || is_long(&before) || is_long(&after);
        let guest = entry.guest_name.is_some() || entry.author.starts_with("anonymous");
        HistoryEntryDocument {
            revision: entry.revision,
            at: entry.at,
            author_name: entry.guest_name.unwrap_or_else(|| entry.author.clone()),
            author: entry.author,
            guest,
            object_id: entry.object_id,
            action: entry.action,
            changes: entry.changes,
            objects: entry.objects,
            before: before.filter(|_| !shortened),
            after: after.filter(|_| !shortened),
            shortened,
        }
    }
}

fn was(attributes: &Map<String, Value>, key: &str) -> Value {
    attributes.get(key).cloned().unwrap_or(Value::Null)
}

/// The caller as an author, if it may edit the scene.
///
/// # Errors
/// 401 for a guest without a token, 403 for a viewer or a locked scene, else 403 and 404 as for the scene itself.
async fn builder(web: &RouteState, caller: &Caller, name: &SceneName) -> Result<Author, Problem> {
    let settings = settings_of(web, name).await?;
    match caller.role_inside(web, name, &settings).await? {
        Some(Role::Editor | Role::Owner) => author(caller),
        Some(Role::Viewer) => {
            Err(Problem::forbidden(format!("only people who can edit {name} can see and restore its history")))
        }
        None => Err(closed(name, Some(&settings), caller.is_guest(), "enter")),
    }
}

/// The caller as the log names it. Errors: 401 for a guest without a token.
fn author(caller: &Caller) -> Result<Author, Problem> {
    let (subject, guest_name) = match caller {
        Caller::Guest { .. } => {
            return Err(Problem::unauthorized("a guest needs its scene token: Authorization: Bearer"));
        }
        Caller::Account { name, .. } => (name.clone(), None),
        Caller::Bearer(claims) => (claims.subject().to_owned(), claims.display_name.clone().filter(|_| claims.guest)),
    };
    Ok(Author {
        // There is no connection, because nothing is answered by MQTT.
        connection: ConnectionId(u64::MAX),
        user_client: REALM_CLIENT.to_owned(),
        id_tag: String::new(),
        subject,
        guest: caller.is_guest(),
        guest_name,
        moderator: true,
        payer: None,
    })
}

/// 422 with `detail`.
fn unfit(detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
}
