//! The upgrade from HTTP to MQTT and to the motion plane: RFC 6455's opening handshake with a subprotocol. Host and
//! Origin are already checked.

use std::sync::{Arc, Mutex};

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::upgrade::OnUpgrade;
use stoa_net::entrance;
use stoa_net::websocket::frames::{self, OutboundFrameSource};

use crate::http::RouteStateExtractor;
use crate::motion::{DedicatedMotionSession, MotionTransportKind};

/// Constant of RFC 6455 section 1.3: its hash with the client's key proves that the server understood the handshake.
const ACCEPT_SUFFIX: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// The subprotocols of one path, and its errors.
struct EndpointSubprotocols {
    subprotocols: &'static [&'static str],
    not_a_websocket: &'static str,
    not_offered: &'static str,
}

const MQTT: EndpointSubprotocols = EndpointSubprotocols {
    // The registered name first. Paho requests the second when it falls back to MQTT 3.1.
    subprotocols: &["mqtt", "mqttv3.1"],
    not_a_websocket: "MQTT is spoken here over WebSocket, subprotocol mqtt",
    not_offered: "Sec-WebSocket-Protocol must offer mqtt",
};

const MOTION: EndpointSubprotocols = EndpointSubprotocols {
    subprotocols: &[frames::SUBPROTOCOL],
    not_a_websocket: "frames of the motion plane are sent here over WebSocket, subprotocol stoa-motion.1",
    not_offered: "Sec-WebSocket-Protocol must offer stoa-motion.1",
};

/// The protocol after the upgrade.
#[derive(Debug)]
pub(crate) enum UpgradedProtocol {
    /// MQTT.
    Mqtt,
    /// Motion frames of an admitted client.
    Motion(OutboundFrameSource, Box<DedicatedMotionSession>),
}

/// The slot in which a request leaves its upgrade for its connection's task, which continues after HTTP.
#[derive(Clone, Debug, Default)]
pub(crate) struct UpgradeHandoff(Arc<Mutex<Option<(OnUpgrade, UpgradedProtocol)>>>);

impl UpgradeHandoff {
    pub(crate) fn take(&self) -> Option<(OnUpgrade, UpgradedProtocol)> {
        self.0.lock().expect("no code panics while it holds this lock").take()
    }

    fn put(&self, upgrade: OnUpgrade, next: UpgradedProtocol) {
        *self.0.lock().expect("no code panics while it holds this lock") = Some((upgrade, next));
    }
}

/// Answers 101 and hands the connection to MQTT, or names the fault of the request.
pub(crate) async fn upgrade(request: Request) -> Response {
    match check(request.method(), request.headers(), &MQTT) {
        Ok(checked) => switch(request, checked, UpgradedProtocol::Mqtt),
        Err(refused) => refused.into_response(),
    }
}

/// Answers 101 and hands the connection to the motion plane, if the ticket is valid.
pub(crate) async fn upgrade_to_motion(web: RouteStateExtractor, request: Request) -> Response {
    let checked = match check(request.method(), request.headers(), &MOTION) {
        Ok(checked) => checked,
        Err(refused) => return refused.into_response(),
    };
    // Without an upgrade the ticket isn't used up.
    if request.extensions().get::<UpgradeHandoff>().is_none() {
        return cannot_upgrade();
    }
    let counters = &web.app().metrics.motion_websocket;
    let (sink, source) = frames::frame_queue(counters);
    let entered = match entrance::ticket(request.uri().query()) {
        Some(ticket) => web.app().motion.enter(ticket, MotionTransportKind::WebSocket, Box::new(sink)).await,
        None => None,
    };
    let Some(entry) = entered else {
        counters.tickets_refused.add(1);
        return (StatusCode::FORBIDDEN, "the ticket is invalid or expired").into_response();
    };
    switch(request, checked, UpgradedProtocol::Motion(source, Box::new(entry)))
}

impl IntoResponse for UpgradeError {
    fn into_response(self) -> Response {
        (self.status, [(header::UPGRADE, "websocket")], self.detail).into_response()
    }
}

fn cannot_upgrade() -> Response {
    (StatusCode::NOT_IMPLEMENTED, "this endpoint does not upgrade").into_response()
}

fn switch(mut request: Request, upgrade: WebSocketHandshakeResponse, next: UpgradedProtocol) -> Response {
    let Some(slot) = request.extensions().get::<UpgradeHandoff>().cloned() else { return cannot_upgrade() };
    slot.put(hyper::upgrade::on(&mut request), next);
    let accept = HeaderValue::try_from(upgrade.accept).expect("base64 is ASCII");
    let headers = [
        (header::UPGRADE, HeaderValue::from_static("websocket")),
        (header::CONNECTION, HeaderValue::from_static("upgrade")),
        (header::SEC_WEBSOCKET_ACCEPT, accept),
        (header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(upgrade.subprotocol)),
    ];
    (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
}

/// The handshake that a valid request asks for.
#[derive(Debug)]
struct WebSocketHandshakeResponse {
    /// The value of `Sec-WebSocket-Accept`.
    accept: String,
    subprotocol: &'static str,
}

/// The reason why a request can't be upgraded; it is the response's body.
#[derive(Debug)]
struct UpgradeError {
    status: StatusCode,
    detail: &'static str,
}

fn check(
    method: &Method,
    headers: &HeaderMap,
    spoken: &EndpointSubprotocols,
) -> Result<WebSocketHandshakeResponse, UpgradeError> {
    let bad = |detail| Err(UpgradeError { status: StatusCode::BAD_REQUEST, detail });
    if !has_token(headers, header::UPGRADE, "websocket") || !has_token(headers, header::CONNECTION, "upgrade") {
        return Err(UpgradeError { status: StatusCode::UPGRADE_REQUIRED, detail: spoken.not_a_websocket });
    }
    if method != Method::GET {
        return bad("a WebSocket begins with GET");
    }
    if headers.get(header::SEC_WEBSOCKET_VERSION).is_none_or(|version| version != "13") {
        return bad("Sec-WebSocket-Version must be 13");
    }
    let Some(key) = headers.get(header::SEC_WEBSOCKET_KEY).and_then(|key| key.to_str().ok()) else {
        return bad("Sec-WebSocket-Key is missing");
    };
    if STANDARD.decode(key).map_or(0, |key| key.len()) != 16 {
        return bad("Sec-WebSocket-Key must be 16 bytes in base64");
    }
    let offered = |name: &&&str| has_token(headers, header::SEC_WEBSOCKET_PROTOCOL, name);
    let Some(subprotocol) = spoken.subprotocols.iter().find(offered) else {
        return bad(spoken.not_offered);
    };
    let accept = digest(&SHA1_FOR_LEGACY_USE_ONLY, format!("{key}{ACCEPT_SUFFIX}").as_bytes());
    Ok(WebSocketHandshakeResponse { accept: STANDARD.encode(accept), subprotocol })
}

fn has_token(headers: &HeaderMap, name: header::HeaderName, token: &str) -> bool {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|part| part.trim().eq_ignore_ascii_case(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(protocol: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::UPGRADE, HeaderValue::from_static("WebSocket"));
        headers.insert(header::CONNECTION, HeaderValue::from_static("keep-alive, Upgrade"));
        headers.insert(header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        headers.insert(header::SEC_WEBSOCKET_KEY, HeaderValue::from_static("dGhlIHNhbXBsZSBub25jZQ=="));
        headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(protocol));
        headers
    }

    #[test]
    fn the_handshake_sample_of_rfc_6455_gets_the_accept_key_of_the_rfc() {
        let WebSocketHandshakeResponse { accept, subprotocol } =
            check(&Method::GET, &headers("chat, mqtt"), &MQTT).unwrap();
        assert_eq!(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        assert_eq!(subprotocol, "mqtt");
    }

    #[test]
    fn an_mqtt_3_1_client_gets_its_own_subprotocol() {
        assert_eq!(check(&Method::GET, &headers("mqttv3.1"), &MQTT).unwrap().subprotocol, "mqttv3.1");
    }

    #[test]
    fn an_upgrade_without_mqtt_is_refused() {
        assert_eq!(check(&Method::GET, &headers("chat"), &MQTT).unwrap_err().status, StatusCode::BAD_REQUEST);
        assert_eq!(check(&Method::GET, &HeaderMap::new(), &MQTT).unwrap_err().status, StatusCode::UPGRADE_REQUIRED);
    }

    #[test]
    fn each_websocket_path_accepts_only_its_own_subprotocol() {
        assert_eq!(check(&Method::GET, &headers("stoa-motion.1"), &MOTION).unwrap().subprotocol, "stoa-motion.1");
        assert_eq!(check(&Method::GET, &headers("mqtt"), &MOTION).unwrap_err().status, StatusCode::BAD_REQUEST);
        assert_eq!(check(&Method::GET, &headers("stoa-motion.1"), &MQTT).unwrap_err().status, StatusCode::BAD_REQUEST);
    }
}
