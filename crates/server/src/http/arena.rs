//! The HTTP interface that ARENA's programs and pages expect of a host.

pub(super) mod account;
pub(super) mod csrf;
pub(super) mod defaults;
pub(super) mod files_page;
mod form;
mod guest_name;
pub(super) mod login;
mod member;
pub(super) mod mqtt_auth;
pub(super) mod persist;
pub(super) mod persist_change;
pub(super) mod recorder;
pub(super) mod scene_form;
pub(super) mod scene_settings;
pub(super) mod storage;

use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::Problem;

/// An error as ARENA's account service returns it: `{"error": …}`.
#[derive(Debug)]
pub(super) struct AccountServiceError(Problem);

impl AccountServiceError {
    fn new(status: StatusCode, what: impl Into<String>) -> AccountServiceError {
        AccountServiceError(Problem::new(status, what))
    }

    fn bad_request(what: impl Into<String>) -> AccountServiceError {
        AccountServiceError::new(StatusCode::BAD_REQUEST, what)
    }

    fn forbidden(what: impl Into<String>) -> AccountServiceError {
        AccountServiceError::new(StatusCode::FORBIDDEN, what)
    }
}

impl<E: Into<Problem>> From<E> for AccountServiceError {
    fn from(error: E) -> AccountServiceError {
        AccountServiceError(error.into())
    }
}

impl IntoResponse for AccountServiceError {
    fn into_response(self) -> Response {
        let AccountServiceError(problem) = self;
        let mut response = (problem.status(), axum::Json(json!({"error": problem.detail()}))).into_response();
        if let Some(wait_s) = problem.retry_after_s() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait_s));
        }
        response
    }
}

/// Refuses paths of the first version of ARENA's account service (426), and unknown paths of the second (404).
pub(super) async fn outdated(uri: Uri) -> AccountServiceError {
    if uri.path().starts_with("/user/v2/") {
        return AccountServiceError::new(StatusCode::NOT_FOUND, format!("there is nothing at {:?}", uri.path()));
    }
    AccountServiceError::new(StatusCode::UPGRADE_REQUIRED, "ARENA User API v2 token required: ask below /user/v2/")
}
