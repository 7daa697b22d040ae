//! Plain pages without a script: to sign in where ARENA's pages send people, and what a browser is told where something is wrong.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

const STYLE: &str = "body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem;color:#1b1f24;background:#fff}\
    label{display:block;margin:1rem 0 .25rem}input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem}\
    button{font:inherit;margin-top:1.5rem;padding:.5rem 1.25rem}td{padding:.25rem .75rem .25rem 0;word-break:break-word}\
    td button{margin:0;padding:.25rem .75rem}input[type=checkbox]{width:auto;margin-right:.5rem}[role=alert]{color:#a30000}code{word-break:break-all}\
    @media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#15181c}a{color:#9cc7ff}[role=alert]{color:#ff9c9c}}";

const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Of a page that stands in a frame of another of the realm's, with a script of the realm's.
const FRAMED_POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'self'";

/// A page for ARENA's pages to show within theirs.
pub(super) fn framed(status: StatusCode, title: &str, body: &str) -> Response {
    let mut response = page(status, title, body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FRAMED_POLICY));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
    response
}

/// A page with this title; `body` is HTML.
pub(super) fn page(status: StatusCode, title: &str, body: &str) -> Response {
    let title = escaped(title);
    let html = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><title>{title} – Stoa</title>\
         <style>{STYLE}</style><main><h1>{title}</h1>{body}</main></html>"
    );
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    ];
    (status, headers, html).into_response()
}

/// Text for HTML, attributes too.
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
