//! What ARENA's programs ask of a host: its configuration, and the stored objects of a scene.

use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use stoa_wire::topic::SceneName;

use super::caller::Token;
use super::guard::Site;
use super::pace::Asker;
use super::scenes::{name_of, read_whole};
use super::{Problem, Shared, Web};
use crate::realm_task::RealmError;

/// Narrows `/persist` down.
#[derive(Deserialize, utoipa::IntoParams)]
pub(super) struct Narrow {
    /// Only objects of this type, such as `scene-options`.
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// ARENA's configuration as JSON: `mqttHost` has no port, for arena-py adds its own.
#[utoipa::path(get, path = "/conf/defaults.json", tag = "arena", responses((status = 200, body = Object)))]
pub(super) async fn defaults_json(web: Shared, Extension(site): Extension<Site>) -> axum::Json<Value> {
    let host = host(&web, &site);
    let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    axum::Json(json!({ "ARENADefaults": defaults(&web, &host, &bare) }))
}

/// ARENA's configuration as a classic script: `mqttHost` has the port of secure WebSocket.
#[utoipa::path(get, path = "/conf/defaults.js", tag = "arena", responses((status = 200, content_type = "text/javascript", body = String)))]
pub(super) async fn defaults_js(web: Shared, Extension(site): Extension<Site>) -> Response {
    let host = host(&web, &site);
    let defaults = defaults(&web, &host, &with_port(&web, &host));
    let script = format!("const ARENADefaults = {defaults:#};\n");
    ([(header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"))], script).into_response()
}

fn defaults(web: &Web, host: &str, mqtt_host: &str) -> Value {
    json!({
        "realm": "realm",
        "namespace": "public",
        "sceneName": "lobby",
        "userName": "Anonymous",
        "camUpdateIntervalMs": 100,
        "startCoords": {"x": 0, "y": 0, "z": 0},
        "camHeight": 1.6,
        "mqttHost": mqtt_host,
        "mqttPath": ["/mqtt/"],
        "persistHost": with_port(web, host),
        "persistPath": "/persist/",
        "graphTopic": "$NETWORK",
        "latencyTopic": "$NETWORK/latency",
        "vioTopic": "realm/vio/",
    })
}

/// The realm's name, else the one it was asked by: the guard has made sure that it is ours.
fn host(web: &Web, site: &Site) -> String {
    let host = web.app.config.public_host.as_deref().unwrap_or(site.host());
    if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host.to_owned() }
}

/// ARENA's programs speak HTTPS whatever door they asked.
fn with_port(web: &Web, host: &str) -> String {
    match web.app.ports.https.map_or(web.door.address.port(), |address| address.port()) {
        443 => host.to_owned(),
        port => format!("{host}:{port}"),
    }
}

/// The stored objects of a scene, sorted by their parents.
#[utoipa::path(get, path = "/persist/{namespace}/{scene}", tag = "arena", params(
    ("namespace" = String, Path), ("scene" = String, Path), Narrow
), security(("bearer" = []), ("mqtt_token" = [])), responses(
    (status = 200, body = [Object]), (status = 401, body = String, description = "a JSON string, as arena-persist's")
))]
pub(super) async fn persisted(
    web: Shared,
    reader: PersistReader,
    Path(segments): Path<(String, String)>,
    Query(narrow): Query<Narrow>,
) -> Result<Response, Problem> {
    records(&web, reader, (name_of(&segments)?, None, narrow.kind)).await
}

/// One stored object: an array of one, or of none.
#[utoipa::path(get, path = "/persist/{namespace}/{scene}/{object_id}", tag = "arena", params(
    ("namespace" = String, Path), ("scene" = String, Path), ("object_id" = String, Path)
), security(("bearer" = []), ("mqtt_token" = [])), responses(
    (status = 200, body = [Object]), (status = 401, body = String, description = "a JSON string, as arena-persist's")
))]
pub(super) async fn persisted_object(
    web: Shared,
    reader: PersistReader,
    Path((namespace, scene, object_id)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    records(&web, reader, (name_of(&(namespace, scene))?, Some(object_id), None)).await
}

/// Who reads `/persist`, if known, and from where.
type PersistReader = (Result<Token, Problem>, Asker);

async fn records(
    web: &Web,
    (token, asker): PersistReader,
    (name, object_id, kind): (SceneName, Option<String>, Option<String>),
) -> Result<Response, Problem> {
    let covered = token.is_ok_and(|token| token.covers(&name, "o/+/+"));
    if !covered {
        let text = axum::Json(format!("the cookie mqtt_token does not let you read {name}"));
        return Ok((StatusCode::UNAUTHORIZED, text).into_response());
    }
    let read = async || match web.app.realm.records(name, object_id, kind).await {
        // A scene that nobody has made yet is empty to ARENA's programs.
        Err(RealmError::NoSuchScene) => Ok("[]".into()),
        records => records,
    };
    let records = read_whole(web, asker, read).await?;
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok((headers, records).into_response())
}
