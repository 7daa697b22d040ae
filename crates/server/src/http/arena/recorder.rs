//! ARENA's recorder interface. This realm doesn't record yet, and answers so.

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::query::Query;

/// The scene of a request.
#[derive(Deserialize, utoipa::IntoParams)]
pub(in super::super) struct RecorderQuery {
    /// The scene's namespace.
    namespace: Option<String>,
    /// The scene's name in its namespace.
    #[serde(rename = "sceneId")]
    scene_id: Option<String>,
}

/// Returns whether a scene is being recorded: never.
#[utoipa::path(get, path = "/recorder/status", operation_id = "get_recorder_status", tag = "arena", params(RecorderQuery), responses((status = 200, body = Object)))]
pub(in super::super) async fn status(Query(which): Query<RecorderQuery>) -> axum::Json<Value> {
    axum::Json(json!({"is_recording": false, "namespace": which.namespace, "sceneId": which.scene_id}))
}

/// Lists recordings: none.
#[utoipa::path(get, path = "/recorder/list", operation_id = "list_recordings", tag = "arena", responses((status = 200, body = [Object])))]
pub(in super::super) async fn list() -> axum::Json<Vec<Value>> {
    axum::Json(Vec::new())
}

/// Refuses to record a scene.
#[utoipa::path(post, path = "/recorder/start", operation_id = "start_recording", tag = "arena", responses((status = 501, body = String)))]
pub(in super::super) async fn start() -> (StatusCode, &'static str) {
    // ARENA's page shows this text.
    (StatusCode::NOT_IMPLEMENTED, "This server can't record yet.")
}

/// Refuses to end a recording, because there is none.
#[utoipa::path(post, path = "/recorder/stop", operation_id = "stop_recording", tag = "arena", responses((status = 501, body = String)))]
pub(in super::super) async fn stop() -> (StatusCode, &'static str) {
    start().await
}
