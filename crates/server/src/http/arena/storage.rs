//! Uploads as ARENA's programs send them to their file browser: a POST below `/storemng/api/resources/`, with the pass in `X-Auth`.

use axum::extract::{Path, Query, Request};
use axum::http::StatusCode;
use serde::Deserialize;

use super::super::{Problem, Shared, uploads};
use super::form::is_yes;
use super::member::Member;
use crate::files::FilePath;
use crate::passes::{self, Purpose};

/// What becomes of a file that is there already.
#[derive(Deserialize, utoipa::IntoParams)]
pub(in super::super) struct Manner {
    /// `true` replaces it; else it is refused with 409.
    #[serde(rename = "override")]
    replace: Option<String>,
}

/// Uploads a file below the asker's own `users/<name>/`; the owner of the realm names the whole path.
#[utoipa::path(post, path = "/storemng/api/resources/{*path}", tag = "arena", params(("path" = String, Path), Manner),
    request_body(content = String, content_type = "application/octet-stream"), responses(
    (status = 200, body = String), (status = 400, body = super::super::problem::ProblemDocument),
    (status = 401, body = super::super::problem::ProblemDocument), (status = 403, body = super::super::problem::ProblemDocument),
    (status = 409, body = super::super::problem::ProblemDocument), (status = 413, body = super::super::problem::ProblemDocument)
))]
pub(in super::super) async fn upload(
    web: Shared,
    Path(path): Path<String>,
    Query(manner): Query<Manner>,
    request: Request,
) -> Result<(StatusCode, &'static str), Problem> {
    let shown = request.headers().get("x-auth").and_then(|value| value.to_str().ok());
    let shown =
        shown.ok_or_else(|| Problem::unauthorized("X-Auth is missing: /user/v2/storelogin gives what goes there"))?;
    let name = passes::verify(&web.app.keys, Purpose::Upload, shown)?;
    let member = Member::called(&web, name).await?;
    let whole = if member.owns_realm { path } else { format!("users/{}/{path}", member.name) };
    // A folder: they come to be with what is put into them.
    if whole.ends_with('/') {
        return Ok((StatusCode::OK, "200 OK"));
    }
    let path = FilePath::parse(&whole)?;
    if !is_yes(manner.replace.as_deref()) && web.app.store.file(path.as_str()).await?.is_some() {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            format!("there is a file {:?} already: ?override=true replaces it", path.as_str()),
        ));
    }
    uploads::take(&web, &path, request).await?;
    // arena-py takes any answer that is not empty for a success.
    Ok((StatusCode::OK, "200 OK"))
}
