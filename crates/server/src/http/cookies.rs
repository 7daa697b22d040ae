//! Names, reads and writes cookies: Stoa's for session, guest and browser, and ARENA's two for tokens. Browsers ignore
//! ports in cookies, so the names of Stoa's cookies hold the port.

use axum::http::{HeaderMap, HeaderValue, header};

use super::HttpEndpointAddress;
use crate::limits;

/// ARENA's clients send their token in this cookie to `/persist` and `/store`.
pub(super) const MQTT_TOKEN: &str = "mqtt_token";

/// ARENA's pages read their upload token from this cookie.
pub(super) const STORE: &str = "auth";

/// Name of an endpoint's web session cookie.
pub(super) fn session_name(endpoint: HttpEndpointAddress) -> String {
    format!("stoa-{}", endpoint.address.port())
}

/// Name of the cookie that identifies a browser, and thereby its guests.
pub(super) fn guest_name(endpoint: HttpEndpointAddress) -> String {
    format!("stoa-guest-{}", endpoint.address.port())
}

/// Name of the cookie that recognizes a browser in which an account signed in before.
pub(super) fn browser_name(endpoint: HttpEndpointAddress) -> String {
    format!("stoa-browser-{}", endpoint.address.port())
}

/// Value of the first cookie of that name.
pub(super) fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(found, value)| (found == name).then_some(value))
}

/// A cookie that scripts can't read and other sites can't send. `None` if it is so long that browsers drop it.
pub(super) fn set(endpoint: HttpEndpointAddress, name: &str, value: &str, max_age_s: u64) -> Option<HeaderValue> {
    written(endpoint, name, value, max_age_s, "; HttpOnly")
}

/// A cookie for the realm's own scripts: ARENA's pages repeat it in a header.
pub(super) fn set_readable(
    endpoint: HttpEndpointAddress,
    name: &str,
    value: &str,
    max_age_s: u64,
) -> Option<HeaderValue> {
    written(endpoint, name, value, max_age_s, "")
}

fn written(
    endpoint: HttpEndpointAddress,
    name: &str,
    value: &str,
    max_age_s: u64,
    http_only: &str,
) -> Option<HeaderValue> {
    let secure = if endpoint.secure { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={max_age_s}{http_only}; SameSite=Strict{secure}");
    if text.len() > limits::COOKIE_BYTES_MAX {
        return None;
    }
    HeaderValue::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_marked_secure_only_on_tls_endpoints() {
        let endpoint = |secure| HttpEndpointAddress { secure, address: ([127, 0, 0, 1], 8443).into() };
        for written in [set, set_readable] {
            let cookie = |secure| written(endpoint(secure), "a", "b", 60).unwrap().to_str().unwrap().to_owned();
            assert!(cookie(true).ends_with("; SameSite=Strict; Secure"), "{}", cookie(true));
            assert!(!cookie(false).contains("Secure"), "a browser would not send it back to plain HTTP on loopback");
        }
        assert!(set(endpoint(true), "a", "b", 60).unwrap().to_str().unwrap().contains("; HttpOnly"));
        assert_eq!(set(endpoint(true), "a", &"b".repeat(limits::COOKIE_BYTES_MAX), 60), None, "browsers would drop it");
    }
}
