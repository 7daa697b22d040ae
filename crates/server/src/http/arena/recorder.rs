//! ARENA's recorder: this realm does not record yet, and says so.

use axum::extract::Query;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

/// Which scene is meant.
#[derive(Deserialize, utoipa::IntoParams)]
pub(in super::super) struct RecorderQuery {
    /// Its namespace.
    namespace: Option<String>,
    /// Its name there.
    #[serde(rename = "sceneId")]
    scene_id: Option<String>,
}

/// Whether a scene is being recorded: never.
#[utoipa::path(get, path = "/recorder/status", tag = "arena", params(RecorderQuery), responses((status = 200, body = Object)))]
pub(in super::super) async fn status(Query(which): Query<RecorderQuery>) -> axum::Json<Value> {
    axum::Json(json!({"is_recording": false, "namespace": which.namespace, "sceneId": which.scene_id}))
}

/// The recordings there are: none.
#[utoipa::path(get, path = "/recorder/list", tag = "arena", responses((status = 200, body = [Object])))]
pub(in super::super) async fn list() -> axum::Json<Vec<Value>> {
    axum::Json(Vec::new())
}

/// Begins to record a scene: not here.
#[utoipa::path(post, path = "/recorder/start", tag = "arena", responses((status = 501, body = String)))]
pub(in super::super) async fn start() -> (StatusCode, &'static str) {
    // ARENA's page shows the text as it is.
    (StatusCode::NOT_IMPLEMENTED, "This realm records nothing yet.")
}

/// Ends it: there is nothing to end.
#[utoipa::path(post, path = "/recorder/stop", tag = "arena", responses((status = 501, body = String)))]
pub(in super::super) async fn stop() -> (StatusCode, &'static str) {
    start().await
}
