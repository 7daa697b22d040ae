//! Forms of ARENA's programs: bounded like JSON bodies, and of any content type.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use serde::de::DeserializeOwned;

use super::super::body;
use super::AccountServiceError;

/// A decoded form with the request's headers. Empty for a read.
pub(in super::super) struct Form<T> {
    pub(super) fields: T,
    pub(super) headers: HeaderMap,
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Form<T> {
    type Rejection = AccountServiceError;

    async fn from_request(request: Request, state: &S) -> Result<Form<T>, AccountServiceError> {
        let (mut parts, body) = request.into_parts();
        let bytes = if matches!(parts.method, Method::GET | Method::HEAD) {
            Default::default()
        } else {
            body::bytes(body).await?
        };
        let headers = parts.headers.clone();
        parts.method = Method::POST;
        parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        let form = axum::Form::<T>::from_request(Request::from_parts(parts, Body::from(bytes)), state).await;
        // The error isn't shown, because it may quote a password.
        form.map(|axum::Form(fields)| Form { fields, headers })
            .map_err(|_| AccountServiceError::bad_request("the form cannot be read"))
    }
}

/// Whether a field is true, as browsers and Python write it.
pub(super) fn is_yes(field: Option<&str>) -> bool {
    field.is_some_and(|text| ["true", "1", "on", "yes"].iter().any(|yes| text.eq_ignore_ascii_case(yes)))
}
