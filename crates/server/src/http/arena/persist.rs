//! The reading part of arena-persist's HTTP API: lists a scene's stored objects. All answers are JSON, errors too.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use stoa_wire::topic::SceneName;

use super::super::caller::BearerClaims;
use super::super::query::Query;
use super::super::rate_limit::RequestNetwork;
use super::super::scenes::name_of;
use super::super::streaming::{self, JsonPieces};
use super::super::{Problem, RouteState, RouteStateExtractor};
use crate::realm_task::RealmError;

/// An error as arena-persist returns it: a JSON string.
#[derive(Debug)]
pub(in super::super) struct PersistError(Problem);

impl PersistError {
    pub(super) fn new(status: StatusCode, what: impl Into<String>) -> PersistError {
        PersistError(Problem::new(status, what))
    }
}

impl<E: Into<Problem>> From<E> for PersistError {
    fn from(error: E) -> PersistError {
        PersistError(error.into())
    }
}

impl IntoResponse for PersistError {
    fn into_response(self) -> Response {
        (self.0.status(), axum::Json(self.0.detail())).into_response()
    }
}

/// The refusal of a write: 401, because ARENA's programs don't expect 403 here.
pub(super) fn no_write(name: &SceneName) -> PersistError {
    PersistError::new(StatusCode::UNAUTHORIZED, format!("You have not been granted write access to {name}"))
}

/// Filters of `/persist`.
#[derive(Deserialize, utoipa::IntoParams)]
pub(in super::super) struct PersistFilter {
    /// Only objects of this type, such as `scene-options`.
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// Lists the stored objects of a scene, sorted by the id of their parent. Objects without a parent are first.
#[utoipa::path(get, path = "/persist/{namespace}/{scene}", operation_id = "list_persisted_objects", tag = "arena", params(
    ("namespace" = String, Path), ("scene" = String, Path), PersistFilter
), responses(
    (status = 200, body = [Object]), (status = 401, body = String, description = "a JSON string, as arena-persist's")
))]
pub(in super::super) async fn persisted(
    State(web): RouteStateExtractor,
    token: Result<BearerClaims, Problem>,
    asker: RequestNetwork,
    Path((namespace, scene)): Path<(String, String)>,
    Query(narrow): Query<PersistFilter>,
) -> Result<Response, PersistError> {
    let query = StoredObjectsSelector { name: name_of(&namespace, &scene)?, object_id: None, kind: narrow.kind };
    records(web, token, asker, query).await
}

/// Returns one stored object, as an array of one or none.
#[utoipa::path(get, path = "/persist/{namespace}/{scene}/{object_id}", operation_id = "get_persisted_object", tag = "arena", params(
    ("namespace" = String, Path), ("scene" = String, Path), ("object_id" = String, Path)
), responses(
    (status = 200, body = [Object]), (status = 401, body = String, description = "a JSON string, as arena-persist's")
))]
pub(in super::super) async fn persisted_object(
    State(web): RouteStateExtractor,
    token: Result<BearerClaims, Problem>,
    asker: RequestNetwork,
    Path((namespace, scene, object_id)): Path<(String, String, String)>,
) -> Result<Response, PersistError> {
    let name = name_of(&namespace, &scene)?;
    records(web, token, asker, StoredObjectsSelector { name, object_id: Some(object_id), kind: None }).await
}

/// The scene to read, and the object or the type to which the answer is limited.
struct StoredObjectsSelector {
    name: SceneName,
    object_id: Option<String>,
    kind: Option<String>,
}

async fn records(
    web: Arc<RouteState>,
    token: Result<BearerClaims, Problem>,
    asker: RequestNetwork,
    query: StoredObjectsSelector,
) -> Result<Response, PersistError> {
    let StoredObjectsSelector { name, object_id, kind } = query;
    let denied = || {
        let text = format!("You have not been granted read access: the cookie mqtt_token does not let you read {name}");
        PersistError::new(StatusCode::UNAUTHORIZED, text)
    };
    let token = token.map_err(|_| denied())?;
    if !token.reads(&web, &name, "o/+/+").await? || token.is_shut_out(&web, &name).await? {
        return Err(denied());
    }
    let realm = web.app.realm.clone();
    let body = streaming::scene(web, asker, &token.0.sub, async || {
        let records = match realm.records(name, object_id, kind).await {
            // ARENA's programs treat a scene that doesn't exist as empty.
            Err(RealmError::NoSuchScene) => None,
            records => Some(records?),
        };
        Ok(move || match records {
            Some(records) => Box::new(records.into_json()) as JsonPieces,
            None => Box::new(std::iter::once(b"[]".to_vec())),
        })
    });
    Ok(([(header::CONTENT_TYPE, "application/json")], body.await?).into_response())
}
