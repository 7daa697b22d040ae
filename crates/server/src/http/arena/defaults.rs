//! ARENA's configuration of a host: addresses of MQTT and of stored objects, and the sign-in.

use axum::Extension;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::super::guard::CheckedAuthority;
use super::super::{RouteState, RouteStateExtractor};
use crate::identity::scoped_tokens::TokenPurpose;

/// A script for ARENA's pages, which otherwise miss the token of a host that answers fast.
const EARLY_TOKEN: &str = include_str!("early_token.js");

/// Returns ARENA's configuration as JSON.
///
/// `mqttHost` has no port, because arena-py adds its own.
#[utoipa::path(get, path = "/conf/defaults.json", operation_id = "get_arena_defaults_json", tag = "arena", responses((status = 200, body = Object)))]
pub(in super::super) async fn defaults_json(
    web: RouteStateExtractor,
    Extension(site): Extension<CheckedAuthority>,
) -> axum::Json<Value> {
    document(&web, &site)
}

fn document(web: &RouteState, site: &CheckedAuthority) -> axum::Json<Value> {
    let host = host(web, site);
    let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    axum::Json(json!({ "ARENADefaults": defaults(web, &host, &bare) }))
}

/// Returns the OAuth client of ARENA's programs.
///
/// The realm itself signs them in, by `stoa google-credentials`. The client secret is a placeholder that no program
/// uses.
#[utoipa::path(get, path = "/conf/gauth.json", operation_id = "get_arena_gauth_json", tag = "arena", responses((status = 200, body = Object)))]
pub(in super::super) async fn gauth() -> axum::Json<Value> {
    axum::Json(json!({"installed": {"client_id": TokenPurpose::SignIn.audience(), "client_secret": "none"}}))
}

/// Returns the OAuth client for programs without a browser.
#[utoipa::path(get, path = "/conf/gauth-device.json", operation_id = "get_arena_gauth_device_json", tag = "arena", responses((status = 200, body = Object)))]
pub(in super::super) async fn gauth_device() -> axum::Json<Value> {
    gauth().await
}

/// Returns ARENA's configuration as a classic script.
///
/// `mqttHost` has the port of secure WebSocket.
#[utoipa::path(get, path = "/conf/defaults.js", operation_id = "get_arena_defaults_script", tag = "arena", responses((status = 200, content_type = "text/javascript", body = String)))]
pub(in super::super) async fn defaults_js(
    web: RouteStateExtractor,
    Extension(site): Extension<CheckedAuthority>,
) -> Response {
    script(&web, &site)
}

fn script(web: &RouteState, site: &CheckedAuthority) -> Response {
    let host = host(web, site);
    let defaults = defaults(web, &host, &with_port(web, &host));
    let script = format!("const ARENADefaults = {defaults:#};\n{EARLY_TOKEN}");
    ([(header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"))], script).into_response()
}

/// The configuration for a path relative to a scene's.
pub(in super::super) fn file(web: &RouteState, site: &CheckedAuthority, path: &str) -> Option<Response> {
    match path {
        "conf/defaults.js" => Some(script(web, site)),
        "conf/defaults.json" => Some(document(web, site).into_response()),
        _ => None,
    }
}

fn defaults(web: &RouteState, host: &str, mqtt_host: &str) -> Value {
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
        // Nothing answers at these two yet, but ARENA's pages parse both names.
        "jitsiHost": with_port(web, host),
        "ATLASurl": format!("https://{}/atlas", with_port(web, host)),
        "headModelPath": "/static/models/avatars/robobit.glb",
    })
}

/// The realm's public host, or else the request's host, which the guard has checked.
fn host(web: &RouteState, site: &CheckedAuthority) -> String {
    let host = web.app.config.public_host.as_deref().unwrap_or(site.host());
    if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host.to_owned() }
}

/// The host with the port of HTTPS, because ARENA's programs always use HTTPS. Without HTTPS, the endpoint's own port.
/// Port 443 is omitted.
fn with_port(web: &RouteState, host: &str) -> String {
    match web.app.ports.https.map_or(web.endpoint.address.port(), |address| address.port()) {
        443 => host.to_owned(),
        port => format!("{host}:{port}"),
    }
}
