//! What a host tells of itself: where MQTT and the stored objects are, and who signs people in.

use axum::Extension;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::super::guard::Site;
use super::super::{Shared, Web};
use crate::identity::scoped_tokens::Purpose;

/// What a host that answers fast owes ARENA's pages.
const EARLY_TOKEN: &str = include_str!("early_token.js");

/// ARENA's configuration as JSON: `mqttHost` has no port, for arena-py adds its own.
#[utoipa::path(get, path = "/conf/defaults.json", tag = "arena", responses((status = 200, body = Object)))]
pub(in super::super) async fn defaults_json(web: Shared, Extension(site): Extension<Site>) -> axum::Json<Value> {
    document(&web, &site)
}

fn document(web: &Web, site: &Site) -> axum::Json<Value> {
    let host = host(web, site);
    let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    axum::Json(json!({ "ARENADefaults": defaults(web, &host, &bare) }))
}

/// Who signs ARENA's programs in: the realm itself, by `stoa google-credentials`. There is no secret: what stands there is never asked for.
#[utoipa::path(get, path = "/conf/gauth.json", tag = "arena", responses((status = 200, body = Object)))]
pub(in super::super) async fn gauth() -> axum::Json<Value> {
    axum::Json(json!({"installed": {"client_id": Purpose::SignIn.audience(), "client_secret": "none"}}))
}

/// The same for programs without a browser.
#[utoipa::path(get, path = "/conf/gauth-device.json", tag = "arena", responses((status = 200, body = Object)))]
pub(in super::super) async fn gauth_device() -> axum::Json<Value> {
    gauth().await
}

/// ARENA's configuration as a classic script: `mqttHost` has the port of secure WebSocket.
#[utoipa::path(get, path = "/conf/defaults.js", tag = "arena", responses((status = 200, content_type = "text/javascript", body = String)))]
pub(in super::super) async fn defaults_js(web: Shared, Extension(site): Extension<Site>) -> Response {
    script(&web, &site)
}

fn script(web: &Web, site: &Site) -> Response {
    let host = host(web, site);
    let defaults = defaults(web, &host, &with_port(web, &host));
    let script = format!("const ARENADefaults = {defaults:#};\n{EARLY_TOKEN}");
    ([(header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"))], script).into_response()
}

/// The same for a path that was meant relative to a scene's.
pub(in super::super) fn file(web: &Web, site: &Site, path: &str) -> Option<Response> {
    match path {
        "conf/defaults.js" => Some(script(web, site)),
        "conf/defaults.json" => Some(document(web, site).into_response()),
        _ => None,
    }
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
        // Nothing answers at these two yet, but ARENA's pages take their names apart before they look.
        "jitsiHost": with_port(web, host),
        "ATLASurl": format!("https://{}/atlas", with_port(web, host)),
        "headModelPath": "/static/models/avatars/robobit.glb",
    })
}

/// The realm's name, else the one it was asked by: the guard has made sure that it is ours.
fn host(web: &Web, site: &Site) -> String {
    let host = web.app.config.public_host.as_deref().unwrap_or(site.host());
    if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host.to_owned() }
}

/// ARENA's programs speak HTTPS whatever door they asked.
fn with_port(web: &Web, host: &str) -> String {
    match web.app.ports.https.map_or(web.endpoint.address.port(), |address| address.port()) {
        443 => host.to_owned(),
        port => format!("{host}:{port}"),
    }
}
