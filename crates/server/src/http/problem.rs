//! Errors of requests as problem documents (RFC 9457): with the offending value and the limit, never with a secret.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use stoa_wire::topic::SceneName;

use crate::app::shared_capacity::CapacityError;
use crate::app::slots::RequestSlotError;
use crate::files::{ContentStoreError, PathError};
use crate::identity::accounts::AccountError;
use crate::identity::tokens::{AuthError, KeyError};
use crate::limits;
use crate::realm_task::RealmError;
use crate::scenes::first_scenes::FirstScenesError;
use crate::scenes::registrar::RegistrarError;
use crate::store::StoreError;

/// A refused or failed request.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    detail: String,
    retry_after_s: Option<u64>,
    reason: Option<&'static str>,
    scene: Option<SceneName>,
}

/// Problem fields in a response's extensions, from which the guard makes a page for browsers.
#[derive(Clone, Debug)]
pub(super) struct ProblemPageFields {
    status: StatusCode,
    title: &'static str,
    detail: String,
}

impl ProblemPageFields {
    /// The error page. The caller keeps the headers of the original response that still apply.
    pub(super) fn page(&self) -> Response {
        let (detail, advice) = (super::page::sentence(&self.detail), super::page::advice(self.status));
        let body = format!(
            "<section class=card><p>{detail}</p><p>{advice}</p></section>\
             <p><a href=/>All scenes</a> · <a href=/user/v2/login>Sign in</a></p>"
        );
        let title = if self.status == StatusCode::NOT_FOUND { "Page not found" } else { self.title };
        super::page::page(self.status, title, &body)
    }
}

/// A problem document (RFC 9457).
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ProblemDocument<'a> {
    /// Always `about:blank`: the status is the kind of problem.
    #[serde(rename = "type")]
    kind: &'a str,
    /// The status as text.
    title: &'a str,
    /// The HTTP status.
    status: u16,
    /// The error, with the offending value and the limit.
    detail: &'a str,
    /// Stable code of the refusal, for pages with texts of their own: `spec/topics.md` section 3.1.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// For `renamed`: the scene's new name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    scene: Option<String>,
}

impl Problem {
    /// A problem of this status. `detail` describes the error.
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Problem {
        Problem { status, detail: detail.into(), retry_after_s: None, reason: None, scene: None }
    }

    /// Adds a stable code, which pages have a text for.
    #[must_use]
    pub(super) fn because(self, reason: &'static str) -> Problem {
        Problem { reason: Some(reason), ..self }
    }

    /// Adds the scene to request instead.
    #[must_use]
    pub(super) fn instead(self, scene: SceneName) -> Problem {
        Problem { scene: Some(scene), ..self }
    }

    /// Adds `Retry-After`, in seconds.
    #[must_use]
    pub(super) fn after(self, wait_s: u64) -> Problem {
        Problem { retry_after_s: Some(wait_s), ..self }
    }

    /// The HTTP status.
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// The description of the error.
    pub(super) fn detail(&self) -> &str {
        &self.detail
    }

    /// `Retry-After` in seconds.
    pub(super) fn retry_after_s(&self) -> Option<u64> {
        self.retry_after_s
    }

    /// 400.
    pub(super) fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    /// 401.
    pub(super) fn unauthorized(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNAUTHORIZED, detail)
    }

    /// 403.
    pub(super) fn forbidden(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, detail)
    }

    /// 404.
    pub(super) fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    /// 429 with `Retry-After`.
    pub(super) fn too_many(detail: impl Into<String>, wait: std::time::Duration) -> Problem {
        let retry_after_s = Some(wait.as_secs().max(1));
        Problem { retry_after_s, ..Problem::new(StatusCode::TOO_MANY_REQUESTS, detail) }
    }

    fn disk_full() -> Problem {
        Problem::new(StatusCode::INSUFFICIENT_STORAGE, "the server's disk is full")
    }

    /// 500 for a fault of the server. The error is logged once and not sent.
    pub(super) fn internal(error: &dyn std::error::Error) -> Problem {
        tracing::error!(%error, "a request failed");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed; its log says why")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason().unwrap_or("Error");
        let document = ProblemDocument {
            kind: "about:blank",
            title,
            status: self.status.as_u16(),
            detail: &self.detail,
            reason: self.reason,
            scene: self.scene.as_ref().map(ToString::to_string),
        };
        let text = serde_json::to_string(&document).expect("a problem is strings and a number");
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json")),
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        let mut response = (self.status, headers, text).into_response();
        response.extensions_mut().insert(ProblemPageFields { status: self.status, title, detail: self.detail });
        if let Some(retry_after_s) = self.retry_after_s {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(retry_after_s));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// 405 for a known path with another method.
pub(super) async fn method_not_allowed(method: axum::http::Method, uri: axum::http::Uri) -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, format!("{method} is not for {}", uri.path()))
}

impl From<RequestSlotError> for Problem {
    fn from(error: RequestSlotError) -> Problem {
        match error {
            RequestSlotError::OwnTaken { .. } | RequestSlotError::TimedOut { .. } => {
                Problem::too_many(error.to_string(), limits::PLACE_RETRY)
            }
            RequestSlotError::AllTaken { .. } => Problem::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
        }
    }
}

impl From<CapacityError> for Problem {
    fn from(error: CapacityError) -> Problem {
        Problem::too_many(error.to_string(), limits::PLACE_RETRY)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        match error {
            StoreError::Full => Problem::disk_full(),
            StoreError::Ceiling { .. } => Problem::new(StatusCode::INSUFFICIENT_STORAGE, error.to_string()),
            error => Problem::internal(&error),
        }
    }
}

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Problem {
        match error {
            AccountError::Store(error) => error.into(),
            AccountError::Hash(_) => Problem::internal(&error),
            AccountError::NameTaken(_) => Problem::new(StatusCode::CONFLICT, error.to_string()),
            AccountError::NoSuchAccount(_) => Problem::not_found(error.to_string()),
            AccountError::BadName(_) | AccountError::ReservedName(_) | AccountError::BadPassword { .. } => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
            }
        }
    }
}

impl From<RealmError> for Problem {
    fn from(error: RealmError) -> Problem {
        match error {
            RealmError::NoSuchScene => Problem::not_found(error.to_string()),
            RealmError::Refused(_) => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()),
            RealmError::NotStored => Problem::disk_full(),
            RealmError::Ended => Problem::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
        }
    }
}

impl From<RegistrarError> for Problem {
    fn from(error: RegistrarError) -> Problem {
        match error {
            RegistrarError::Store(error) => error.into(),
            RegistrarError::Realm(error) => error.into(),
            RegistrarError::Files(error) => error.into(),
            RegistrarError::Name(error) => error.into(),
            RegistrarError::FileTaken(_) | RegistrarError::FilesOfAnother { .. } => {
                Problem::new(StatusCode::CONFLICT, error.to_string())
            }
            RegistrarError::NoRoom { .. } => Problem::new(StatusCode::PAYLOAD_TOO_LARGE, error.to_string()),
            RegistrarError::NoContent(_) => Problem::not_found(error.to_string()),
            RegistrarError::TooMany { .. } | RegistrarError::Unfit(_) => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
            }
        }
    }
}

impl From<AuthError> for Problem {
    fn from(error: AuthError) -> Problem {
        Problem::unauthorized(error.to_string())
    }
}

impl From<KeyError> for Problem {
    fn from(error: KeyError) -> Problem {
        Problem::internal(&error)
    }
}

impl From<FirstScenesError> for Problem {
    fn from(error: FirstScenesError) -> Problem {
        match error {
            FirstScenesError::Scene(error) => error.into(),
            FirstScenesError::Store(error) => error.into(),
            FirstScenesError::Realm(error) => error.into(),
        }
    }
}

impl From<ContentStoreError> for Problem {
    fn from(error: ContentStoreError) -> Problem {
        if error.is_full() { Problem::disk_full() } else { Problem::internal(&error) }
    }
}

impl From<PathError> for Problem {
    fn from(error: PathError) -> Problem {
        Problem::bad_request(error.to_string())
    }
}
