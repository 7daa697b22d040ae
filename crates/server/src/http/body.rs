//! Request bodies, bounded in size and time, and their JSON. Errors may name a field of the body but repeat no value,
//! because values may be passwords.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::Problem;
use crate::limits;

/// A decoded JSON body.
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _state: &S) -> Result<Json<T>, Problem> {
        let bytes = bytes(request.into_body()).await?;
        serde_json::from_slice(&bytes).map(Json).map_err(|error| Problem::bad_request(what_is_wrong(&error)))
    }
}

/// Reads a whole body.
///
/// # Errors
/// 400 if it is interrupted, 408 if it doesn't arrive in time, 413 if it is too long.
pub(super) async fn bytes(body: Body) -> Result<axum::body::Bytes, Problem> {
    bytes_up_to(limits::JSON_BYTES_MAX, body).await
}

/// Reads a whole body of at most `most` bytes. Errors as of `bytes`.
pub(super) async fn bytes_up_to(most: usize, body: Body) -> Result<axum::body::Bytes, Problem> {
    let body = Limited::new(body, most);
    let Ok(collected) = timeout(limits::JSON_TIMEOUT, collect(most, body)).await else {
        let detail = format!("the body was not complete after {} s", limits::JSON_TIMEOUT.as_secs());
        return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, detail));
    };
    collected
}

async fn collect(most: usize, body: Limited<Body>) -> Result<axum::body::Bytes, Problem> {
    let collected = body.collect().await.map_err(|error| {
        if error.is::<LengthLimitError>() {
            let detail = format!("the body has more than {most} bytes");
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
        } else {
            Problem::bad_request("the body was interrupted")
        }
    })?;
    Ok(collected.to_bytes())
}

/// Describes a JSON error. Names of fields may be shown, also unknown ones of the body. Values may be secrets.
fn what_is_wrong(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let names_a_field =
        ["missing field", "unknown field", "duplicate field"].iter().any(|start| text.starts_with(start));
    let position = format!("line {} column {}", error.line(), error.column());
    match error.classify() {
        serde_json::error::Category::Data if names_a_field => text,
        serde_json::error::Category::Data => format!("a value of another type than expected, at {position}"),
        _ => format!("the body is not JSON, at {position}"),
    }
}
