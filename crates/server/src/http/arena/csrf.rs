//! CSRF protection of ARENA's routes. Clients repeat a cookie in a header; a page elsewhere can neither read the
//! cookie nor set the header.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};

use super::super::{HttpEndpointAddress, cookies};
use super::AccountServiceError;
use crate::identity::accounts::secret;
use crate::limits;

/// Name of the cookie. Scripts read the cookie, so it is no secret from pages of the realm.
const COOKIE: &str = "csrftoken";
const HEADER: &str = "x-csrftoken";

/// The client's CSRF token, or a fresh one.
pub(in super::super) struct Csrf(String);

impl Csrf {
    /// The token as text, for forms.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// The `Set-Cookie` value, with the lifetime of a sign-in.
    pub(super) fn cookie(&self, endpoint: HttpEndpointAddress) -> HeaderValue {
        let max_age_s = limits::WEB_SESSION_TTL.as_secs();
        cookies::set_readable(endpoint, COOKIE, &self.0, max_age_s).expect("a token is short")
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Csrf {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Csrf, Infallible> {
        let known = cookies::find(&parts.headers, COOKIE).filter(|token| is_token(token));
        Ok(Csrf(known.map_or_else(secret::fresh, str::to_owned)))
    }
}

/// Extractor that admits a write only if it repeats the cookie in the header. Reads pass unchecked.
pub(in super::super) struct CsrfCheckedRequest;

impl<S: Send + Sync> FromRequestParts<S> for CsrfCheckedRequest {
    type Rejection = AccountServiceError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<CsrfCheckedRequest, AccountServiceError> {
        if matches!(parts.method, Method::GET | Method::HEAD) {
            return Ok(CsrfCheckedRequest);
        }
        let repeated = parts.headers.get(HEADER).and_then(|value| value.to_str().ok());
        check(&parts.headers, repeated).map(|()| CsrfCheckedRequest)
    }
}

/// Extractor that admits a write with an `Origin` header of the realm (the guard rejects other origins), or one that
/// repeats the cookie. ARENA's list of scenes removes scenes without repeating the cookie.
pub(in super::super) struct SameSiteWrite;

impl<S: Send + Sync> FromRequestParts<S> for SameSiteWrite {
    type Rejection = AccountServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<SameSiteWrite, AccountServiceError> {
        if parts.headers.contains_key(header::ORIGIN) {
            return Ok(SameSiteWrite);
        }
        CsrfCheckedRequest::from_request_parts(parts, state).await.map(|CsrfCheckedRequest| SameSiteWrite)
    }
}

/// Compares the cookie with the repetition in a header or form.
pub(super) fn check(headers: &HeaderMap, repeated: Option<&str>) -> Result<(), AccountServiceError> {
    let cookie = cookies::find(headers, COOKIE).filter(|token| is_token(token));
    let same = |cookie: &str, repeated: &str| {
        aws_lc_rs::constant_time::verify_slices_are_equal(cookie.as_bytes(), repeated.as_bytes()).is_ok()
    };
    match (cookie, repeated) {
        (Some(cookie), Some(repeated)) if same(cookie, repeated) => Ok(()),
        _ => Err(AccountServiceError::forbidden(
            "CSRF verification failed: GET /user/v2/login sets the cookie csrftoken, the header X-CSRFToken repeats it",
        )),
    }
}

fn is_token(text: &str) -> bool {
    (16..=128).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
