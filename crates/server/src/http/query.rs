//! Query parameters. Errors are problem documents.

use axum::extract::{FromRequestParts, Query as AxumQuery};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::Problem;

/// Decoded query parameters.
pub(super) struct Query<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Query<T>, Problem> {
        let decoded = AxumQuery::try_from_uri(&parts.uri);
        decoded.map(|AxumQuery(values)| Query(values)).map_err(|error| Problem::bad_request(error.body_text()))
    }
}
