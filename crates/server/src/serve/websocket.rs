//! The way from HTTP to MQTT: RFC 6455's opening handshake with subprotocol `mqtt`. Host and Origin have been checked before.

use std::sync::{Arc, Mutex};

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::upgrade::OnUpgrade;

/// RFC 6455 section 1.3.
const ACCEPT_SUFFIX: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// Ours first; the second is what Paho asks for when it falls back to MQTT 3.1.
const SUBPROTOCOLS: [&str; 2] = ["mqtt", "mqttv3.1"];

/// Where a request leaves its upgrade for the task of its connection, which goes on with MQTT when HTTP has ended.
#[derive(Clone, Debug, Default)]
pub(super) struct UpgradeSlot(Arc<Mutex<Option<OnUpgrade>>>);

impl UpgradeSlot {
    pub(super) fn take(&self) -> Option<OnUpgrade> {
        self.0.lock().expect("no code panics while it holds this lock").take()
    }

    fn put(&self, upgrade: OnUpgrade) {
        *self.0.lock().expect("no code panics while it holds this lock") = Some(upgrade);
    }
}

/// Answers 101 and hands the connection over, or says what is missing.
pub async fn upgrade(mut request: Request) -> Response {
    let (accept, subprotocol) = match check(request.method(), request.headers()) {
        Ok(checked) => checked,
        Err((status, why)) => return (status, [(header::UPGRADE, "websocket")], why).into_response(),
    };
    let Some(slot) = request.extensions().get::<UpgradeSlot>().cloned() else {
        return (StatusCode::NOT_IMPLEMENTED, "this door does not upgrade").into_response();
    };
    slot.put(hyper::upgrade::on(&mut request));
    let accept = HeaderValue::try_from(accept).expect("base64 is ASCII");
    let headers = [
        (header::UPGRADE, HeaderValue::from_static("websocket")),
        (header::CONNECTION, HeaderValue::from_static("upgrade")),
        (header::SEC_WEBSOCKET_ACCEPT, accept),
        (header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(subprotocol)),
    ];
    (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
}

fn check(method: &Method, headers: &HeaderMap) -> Result<(String, &'static str), (StatusCode, &'static str)> {
    let bad = |why| Err((StatusCode::BAD_REQUEST, why));
    if !has_token(headers, header::UPGRADE, "websocket") || !has_token(headers, header::CONNECTION, "upgrade") {
        return Err((StatusCode::UPGRADE_REQUIRED, "MQTT is spoken here over WebSocket, subprotocol mqtt"));
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
    let Some(subprotocol) = SUBPROTOCOLS.iter().find(offered) else {
        return bad("Sec-WebSocket-Protocol must offer mqtt");
    };
    let accept = digest(&SHA1_FOR_LEGACY_USE_ONLY, format!("{key}{ACCEPT_SUFFIX}").as_bytes());
    Ok((STANDARD.encode(accept), subprotocol))
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
    fn the_sample_of_rfc_6455_is_answered_as_it_says() {
        let (accept, subprotocol) = check(&Method::GET, &headers("chat, mqtt")).unwrap();
        assert_eq!(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        assert_eq!(subprotocol, "mqtt");
    }

    #[test]
    fn a_client_that_falls_back_to_mqtt_3_1_is_answered_in_its_own_words() {
        assert_eq!(check(&Method::GET, &headers("mqttv3.1")).unwrap().1, "mqttv3.1");
    }

    #[test]
    fn an_upgrade_without_mqtt_is_refused() {
        assert_eq!(check(&Method::GET, &headers("chat")).unwrap_err().0, StatusCode::BAD_REQUEST);
        assert_eq!(check(&Method::GET, &HeaderMap::new()).unwrap_err().0, StatusCode::UPGRADE_REQUIRED);
    }
}
