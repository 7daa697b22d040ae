//! Plain pages: sign-in, profile, permissions and files for ARENA's pages, and errors for browsers. Only pages in a
//! frame may run a script. All use the colours and fonts of the app.

use std::sync::LazyLock;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The app's colours and fonts, then these pages' own rules.
const STYLE: &str = concat!(include_str!("../../../../web/app/src/styles/theme.css"), include_str!("page.css"));

/// The app's logo, inline, because `--web` may serve other pages than ours.
const MARK: &str = include_str!("../../../../web/app/public/favicon.svg");

/// Content security policy of these pages: no scripts, one style sheet, the logo, and forms to the realm.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| policy("", "'none'"));

/// Policy of a page in a frame of another page of the realm, with a script of the realm.
static FRAMED_POLICY: LazyLock<HeaderValue> =
    LazyLock::new(|| policy("script-src 'self'; connect-src 'self'; ", "'self'"));

fn policy(more: &str, ancestors: &str) -> HeaderValue {
    let style = STANDARD.encode(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, STYLE.as_bytes()));
    let policy = format!(
        "default-src 'none'; {more}style-src 'sha256-{style}'; img-src 'self'; form-action 'self'; base-uri 'none'; \
         frame-ancestors {ancestors}"
    );
    HeaderValue::try_from(policy).expect("base64 is ASCII")
}

/// A page that ARENA's pages show in a frame.
pub(super) fn framed(status: StatusCode, title: &str, body: &str) -> Response {
    let framed = [FRAMED_POLICY.clone(), HeaderValue::from_static("SAMEORIGIN")];
    respond(status, framed, &html(title, "", body))
}

/// A page with this title. `body` is HTML.
pub(super) fn page(status: StatusCode, title: &str, body: &str) -> Response {
    let brand = format!("<header><a href=/>{}Stoa</a></header>", MARK.replacen("<svg ", "<svg aria-hidden=true ", 1));
    respond(status, [POLICY.clone(), HeaderValue::from_static("DENY")], &html(title, &brand, body))
}

fn html(title: &str, brand: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width, initial-scale=1\">\
         <meta name=color-scheme content=\"light dark\"><title>{title} – Stoa</title><link rel=icon type=image/svg+xml href=/favicon.svg>\
         <style>{STYLE}</style></head><body><main>{brand}<h1>{title}</h1>{body}</main></body></html>"
    )
}

fn respond(status: StatusCode, [policy, framing]: [HeaderValue; 2], html: &str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_FRAME_OPTIONS, framing),
    ];
    (status, headers, html.to_owned()).into_response()
}

/// Turns a problem's detail into a sentence. Details are fragments, because programs put them into sentences of their
/// own.
pub(super) fn sentence(text: &str) -> String {
    let mut characters = text.trim_end_matches('.').chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    escaped(&format!("{first}{}.", characters.as_str()))
}

/// The next step for a person who typed an address or followed a link.
pub(super) fn advice(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => {
            "Check the address. If it is a private scene, sign in or ask its owner for an invitation."
        }
        StatusCode::UNAUTHORIZED => "Sign in, then open the address again.",
        StatusCode::FORBIDDEN => "Sign in with another account, or ask the owner of this server.",
        StatusCode::MISDIRECTED_REQUEST => "Use the address that the server printed when it started.",
        StatusCode::TOO_MANY_REQUESTS => "Wait a moment, then reload this page.",
        status if status.is_server_error() => {
            "Reload this page in a moment. If the problem persists, tell the operator of this server."
        }
        _ => "Go back and try another way.",
    }
}

/// Escapes text for HTML, also inside attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_detail_becomes_an_escaped_sentence() {
        assert_eq!(sentence("there is nothing at \"/a\""), "There is nothing at &quot;/a&quot;.");
        assert_eq!(sentence("Élan <b>."), "Élan &lt;b&gt;.");
        assert_eq!(sentence(""), ".");
    }

    #[test]
    fn every_status_has_advice_that_begins_with_a_capital_letter() {
        for status in (400..600).filter_map(|status| StatusCode::from_u16(status).ok()) {
            assert!(advice(status).starts_with(char::is_uppercase) && advice(status).ends_with('.'), "{status}");
        }
    }
}
