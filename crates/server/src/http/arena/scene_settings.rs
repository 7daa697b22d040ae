//! ARENA's settings of a scene: `/user/v2/scenes/<namespace>/<scene>`.

use axum::extract::{Path, Request};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use stoa_state::grant::{AccountList, LOCAL_OWNER, Role, SceneSettings, role_of};
use stoa_wire::topic::SceneName;
use utoipa::ToSchema;

use super::super::rate_limit::RequestNetwork;
use super::super::scenes::{check_names, name_of, settings_of};
use super::super::{Problem, RouteState, RouteStateExtractor, body};
use super::AccountServiceError;
use super::csrf::SameSiteWrite;
use super::member::Member;
use crate::limits;

/// A scene, in ARENA's format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(in super::super) struct SceneDocument {
    /// `<namespace>/<scene>`.
    name: String,
    summary: Option<String>,
    editors: Vec<String>,
    viewers: Vec<String>,
    /// ISO 8601. Null for scenes from versions that didn't record it.
    creation_date: Option<String>,
    public_read: bool,
    public_write: bool,
    anonymous_users: bool,
    video_conference: bool,
    users: bool,
}

impl SceneDocument {
    pub(super) fn of(name: &SceneName, settings: SceneSettings) -> SceneDocument {
        let date = |at: stoa_state::time::UnixSeconds| {
            i64::try_from(at.0).ok().and_then(|seconds| Timestamp::from_second(seconds).ok()).map(|at| at.to_string())
        };
        SceneDocument {
            name: name.to_string(),
            summary: settings.summary,
            editors: settings.editors.into(),
            viewers: settings.viewers.into(),
            creation_date: settings.created.and_then(date),
            public_read: settings.public_read,
            public_write: settings.public_write,
            anonymous_users: settings.anonymous_users,
            video_conference: settings.video_conference,
            users: settings.users,
        }
    }
}

/// The settings to change. Missing fields keep their values.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(in super::super) struct SceneChange {
    pub(super) summary: Option<String>,
    pub(super) editors: Option<Vec<String>>,
    pub(super) viewers: Option<Vec<String>>,
    pub(super) public_read: Option<bool>,
    pub(super) public_write: Option<bool>,
    pub(super) anonymous_users: Option<bool>,
    pub(super) video_conference: Option<bool>,
    pub(super) users: Option<bool>,
}

impl SceneChange {
    /// Checks the new values only; stored ones may predate a rule. Errors: 422 for an invalid account name, too many
    /// names, or a long summary.
    pub(super) fn check(&self) -> Result<(), Problem> {
        let summary_bytes = self.summary.as_ref().map_or(0, String::len);
        if summary_bytes > limits::SUMMARY_BYTES_MAX {
            let max = limits::SUMMARY_BYTES_MAX;
            let detail = format!("a summary of {summary_bytes} bytes; at most {max} are allowed");
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
        }
        check_names([self.editors.as_deref(), self.viewers.as_deref()].map(Option::unwrap_or_default), None)
    }

    /// The old settings with these changes.
    pub(super) fn merged(self, old: SceneSettings) -> SceneSettings {
        SceneSettings {
            summary: self.summary.or(old.summary),
            editors: self.editors.map_or(old.editors, AccountList::from),
            viewers: self.viewers.map_or(old.viewers, AccountList::from),
            public_read: self.public_read.unwrap_or(old.public_read),
            public_write: self.public_write.unwrap_or(old.public_write),
            anonymous_users: self.anonymous_users.unwrap_or(old.anonymous_users),
            video_conference: self.video_conference.unwrap_or(old.video_conference),
            users: self.users.unwrap_or(old.users),
            ..old
        }
    }
}

/// Reads, creates, changes or removes a scene, by method.
///
/// Errors are ARENA's: 400 for a caller without the right.
#[utoipa::path(method(get, post, put, delete), path = "/user/v2/scenes/{namespace}/{scene}", operation_id = "arena_scene", tag = "arena", request_body = SceneChange,
    params(("namespace" = String, Path), ("scene" = String, Path)), responses(
    (status = 200, body = SceneDocument), (status = 201, body = SceneDocument), (status = 400, body = Object), (status = 404, body = Object),
    (status = 422, body = Object)
))]
pub(in super::super) async fn scene(
    web: RouteStateExtractor,
    _from: SameSiteWrite,
    Path((namespace, scene)): Path<(String, String)>,
    request: Request,
) -> Result<Response, AccountServiceError> {
    let name = name_of(&namespace, &scene)?;
    let member = Member::of(&web, request.headers(), None).await?;
    let method = request.method().clone();
    if let Some(member) = member.as_ref().filter(|_| method != Method::GET) {
        member.charge_change(&web, RequestNetwork::of(request.extensions().get()))?;
    }
    let old = web.app.store.scene(&name).await?;
    if !may(member.as_ref(), &name, old.as_ref(), &method) {
        return Err(AccountServiceError::bad_request(format!("User does not have edit permission for scene: {name}.")));
    }
    let change = change_of(request).await?;
    match (method, old) {
        (Method::POST, Some(_)) => {
            Err(AccountServiceError::bad_request(format!("Unable to claim existing scene: {name}, use PUT.")))
        }
        (Method::POST, None) => make(&web, member, name, change.unwrap_or_default()).await,
        (_, None) => Err(AccountServiceError::new(StatusCode::NOT_FOUND, "The scene does not exist")),
        (Method::PUT, Some(old)) => {
            let Some(change) = change else { return Err(AccountServiceError::bad_request("Invalid parameters")) };
            change.check()?;
            let account = member.as_ref().map_or(LOCAL_OWNER, |member| member.name.as_str());
            web.charge_settings(&name, account, &change.clone().merged(old)).await?;
            web.app.registrar.change(name.clone(), move |old| change.merged(old)).await?;
            let settings = settings_of(&web, &name).await?;
            Ok(axum::Json(SceneDocument::of(&name, settings)).into_response())
        }
        (Method::DELETE, Some(old)) => {
            web.app.registrar.remove(name.clone()).await?;
            Ok(axum::Json(SceneDocument::of(&name, old)).into_response())
        }
        (_, Some(old)) => Ok(axum::Json(SceneDocument::of(&name, old)).into_response()),
    }
}

/// Whether the caller may use the method: listed editors read, owners do everything. For a missing scene, accounts that
/// may create it do everything.
fn may(member: Option<&Member>, name: &SceneName, settings: Option<&SceneSettings>, method: &Method) -> bool {
    let Some(member) = member else { return false };
    let Some(settings) = settings else { return member.may_make_in(name.namespace()) };
    let role = role_of(name, settings, &member.account());
    let listed = settings.editors.has(&member.name);
    role == Some(Role::Owner) || (*method == Method::GET && listed)
}

async fn change_of(request: Request) -> Result<Option<SceneChange>, AccountServiceError> {
    if request.method() == Method::GET {
        return Ok(None);
    }
    let bytes = body::bytes(request.into_body()).await?;
    if bytes.is_empty() {
        return Ok(None);
    }
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| AccountServiceError::bad_request(format!("the body cannot be read: {error}")))
}

async fn make(
    web: &RouteState,
    member: Option<Member>,
    name: SceneName,
    change: SceneChange,
) -> Result<Response, AccountServiceError> {
    let maker = member.map_or_else(|| LOCAL_OWNER.to_owned(), |member| member.name);
    change.check()?;
    let settings = change.merged(SceneSettings::owned_by(&maker));
    web.charge_settings(&name, &maker, &settings).await?;
    if !web.app.registrar.make(name.clone(), settings).await? {
        return Err(AccountServiceError::bad_request(format!("Unable to claim existing scene: {name}, use PUT.")));
    }
    let settings = settings_of(web, &name).await?;
    Ok((StatusCode::CREATED, axum::Json(SceneDocument::of(&name, settings))).into_response())
}
