//! Stores and returns the picture that the list of scenes shows for a scene. An editor's page renders the picture.

use axum::extract::{Path, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use stoa_state::grant::Role;

use super::body::bytes_up_to;
use super::caller::Caller;
use super::problem::ProblemDocument;
use super::scenes::{closed, name_of, no_scene, settings_of};
use super::{Problem, RouteStateExtractor};
use crate::limits;
use crate::scenes::pictures::{PictureError, read_header};
use crate::store::ScenePicture;

/// Returns a scene's picture.
///
/// For everyone who may enter the scene.
#[utoipa::path(get, path = "/api/v1/scenes/{namespace}/{scene}/picture", operation_id = "get_scene_picture", tag = "scenes", params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses((status = 200, body = String, content_type = "image/*"), (status = 404, body = ProblemDocument)))]
pub(super) async fn read(
    web: RouteStateExtractor,
    caller: Caller,
    Path((namespace, scene)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let name = name_of(&namespace, &scene)?;
    let settings = settings_of(&web, &name).await?;
    if caller.role_in(&name, &settings).is_none() {
        return Err(closed(&name, Some(&settings), caller.is_guest(), "view"));
    }
    let found = web.app.store.picture(&name).await?;
    let ScenePicture { content_type, bytes } =
        found.ok_or_else(|| Problem::not_found(format!("there is no picture of {name}")))?;
    let content_type =
        HeaderValue::try_from(content_type).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    // A browser that mistakes the picture for a page runs no script in it.
    let policy = HeaderValue::from_static("default-src 'none'; sandbox");
    Ok(([(header::CONTENT_TYPE, content_type), (header::CONTENT_SECURITY_POLICY, policy)], bytes).into_response())
}

/// Replaces a scene's picture.
///
/// Takes a JPEG, PNG or WebP of at most 192 KiB and 1,024 pixels a side. For owners, and for editors with an account.
#[utoipa::path(put, path = "/api/v1/scenes/{namespace}/{scene}/picture", operation_id = "put_scene_picture", tag = "scenes", params(
    ("namespace" = String, Path), ("scene" = String, Path)
), request_body(content = String, content_type = "image/*"), responses(
    (status = 204), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument),
    (status = 413, body = ProblemDocument), (status = 415, body = ProblemDocument), (status = 422, body = ProblemDocument)
))]
pub(super) async fn put(
    web: RouteStateExtractor,
    caller: Caller,
    Path((namespace, scene)): Path<(String, String)>,
    request: Request,
) -> Result<StatusCode, Problem> {
    let name = name_of(&namespace, &scene)?;
    let settings = settings_of(&web, &name).await?;
    match caller.role_inside(&web, &name, &settings).await? {
        Some(role) if role >= Role::Editor && !caller.is_guest() => {}
        Some(_) => return Err(Problem::forbidden(format!("you can't change the picture of {name}"))),
        None => return Err(closed(&name, Some(&settings), caller.is_guest(), "change")),
    }
    let bytes = bytes_up_to(limits::PICTURE_BYTES_MAX, request.into_body()).await?;
    let seen = read_header(&bytes).map_err(|error| match error {
        PictureError::Unknown => Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error.to_string()),
        PictureError::Broken | PictureError::TooLarge { .. } => {
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
        }
    })?;
    web.charge_stored(&name, caller.name().unwrap_or_default(), bytes.len()).await?;
    let picture = ScenePicture { content_type: seen.content_type.to_owned(), bytes: bytes.to_vec() };
    if web.app.store.put_picture(&name, &picture).await? { Ok(StatusCode::NO_CONTENT) } else { Err(no_scene(&name)) }
}
