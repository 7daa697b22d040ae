//! Scenes over HTTP: list, settings, creation, rename, reset, removal, snapshot.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use stoa_state::grant::{LOCAL_OWNER, ParseVoiceModeError, Role, RoleRequester, SceneSettings, VoiceMode, role_of};
use stoa_state::motion::{MotionOverridesError, MotionSettingsOverrides};
use stoa_wire::topic::{SceneName, is_name};
use utoipa::ToSchema;

use super::body::Json;
use super::caller::{BearerClaims, Caller};
use super::owned_scene::{OwnedScene, RemoveActionMarker, RenameActionMarker, ResetActionMarker};
use super::problem::ProblemDocument;
use super::rate_limit::RequestNetwork;
use super::streaming::{self, JsonPieces};
use super::token::locked;
use super::{Problem, RouteState, RouteStateExtractor};
use crate::limits;
use crate::scenes::first_scenes;

/// A scene that the caller may enter.
#[derive(Serialize, ToSchema)]
pub(super) struct SceneEntry {
    /// The scene's namespace.
    namespace: String,
    /// The scene's name in its namespace.
    scene: String,
    /// `viewer`, `editor` or `owner`.
    #[schema(value_type = String)]
    role: Role,
    /// Number of people in it, as `people_max` counts them: also those who have not joined yet.
    people: usize,
    /// Display names of some of them, those of guests with ` (guest)`. Empty if the scene is locked for the caller.
    names: Vec<String>,
    /// Limit of people at one time. Null for none.
    people_max: Option<u32>,
    /// Whether it has a picture, at `/api/v1/scenes/<namespace>/<scene>/picture`.
    picture: bool,
    /// Whether the scene is locked.
    locked: bool,
}

/// A scene's settings: ARENA's fields, the owner, the motion settings and the limit of people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SettingsDocument {
    /// Account that owns the scene, besides the namespace's owner. Null keeps the present owner.
    owner: Option<String>,
    /// Everyone can view [default: true].
    public_read: Option<bool>,
    /// Everyone can edit [default: false].
    public_write: Option<bool>,
    /// Whether everyone includes guests [default: true].
    anonymous_users: Option<bool>,
    /// Viewers have an avatar, click and chat [default: true].
    users: Option<bool>,
    /// Audio and video calls [default: true].
    video_conference: Option<bool>,
    /// Which heads and hands each receiver gets: a policy such as `nearest:20`, see docs/operator.md [default: the
    /// realm's].
    motion_policy: Option<String>,
    /// Bytes of motion a second for each receiver [default: the realm's].
    motion_bytes_per_s: Option<u32>,
    /// Whether people talk: `open` or `off` [default: `open` for a new scene, else the present value]. It is `off`
    /// without `video_conference`.
    voice: Option<String>,
    /// Limit of people at one time. Null or 0 for none.
    people_max: Option<u32>,
    /// Accounts that can edit. Returned to editors and owners only.
    #[serde(skip_serializing_if = "Option::is_none")]
    editors: Option<Vec<String>>,
    /// Accounts that can view. Returned to editors and owners only.
    #[serde(skip_serializing_if = "Option::is_none")]
    viewers: Option<Vec<String>>,
}

impl SettingsDocument {
    fn visible_to(role: Role, settings: SceneSettings) -> SettingsDocument {
        let listed = role >= Role::Editor;
        let voice = if settings.has_voice() { settings.voice } else { VoiceMode::Off };
        SettingsDocument {
            owner: settings.owner,
            public_read: Some(settings.public_read),
            public_write: Some(settings.public_write),
            anonymous_users: Some(settings.anonymous_users),
            users: Some(settings.users),
            video_conference: Some(settings.video_conference),
            motion_policy: settings.motion.policy.map(|policy| policy.to_string()),
            motion_bytes_per_s: settings.motion.bytes_per_s,
            voice: Some(voice.to_string()),
            people_max: settings.people_max,
            editors: listed.then_some(settings.editors.into()),
            viewers: listed.then_some(settings.viewers.into()),
        }
    }

    /// Errors: 422 for an invalid account name, too many names, or an invalid motion or voice setting.
    fn check(&self) -> Result<(), Problem> {
        let invalid = |error: String| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error);
        self.motion().map_err(|error| invalid(error.to_string()))?;
        self.voice().map_err(|error| invalid(error.to_string()))?;
        let lists = [self.editors.as_deref(), self.viewers.as_deref()];
        check_names(lists.map(Option::unwrap_or_default), self.owner.as_ref())
    }

    fn motion(&self) -> Result<MotionSettingsOverrides, MotionOverridesError> {
        let policy = self.motion_policy.as_deref().map(str::parse).transpose()?;
        let wish = MotionSettingsOverrides { policy, bytes_per_s: self.motion_bytes_per_s };
        wish.check().map(|()| wish)
    }

    fn voice(&self) -> Result<Option<VoiceMode>, ParseVoiceModeError> {
        self.voice.as_deref().map(str::parse).transpose()
    }

    /// Replaces the old settings. A missing field becomes the default, except `owner` and `voice`, which keep their
    /// values. Settings that the document doesn't have, such as invitations, stay.
    fn merged(self, old: SceneSettings) -> SceneSettings {
        let default = SceneSettings::default();
        // Parsed once already by `check`.
        let (motion, voice) = (self.motion().unwrap_or_default(), self.voice().unwrap_or_default());
        SceneSettings {
            owner: self.owner.or(old.owner.clone()),
            public_read: self.public_read.unwrap_or(default.public_read),
            public_write: self.public_write.unwrap_or(default.public_write),
            anonymous_users: self.anonymous_users.unwrap_or(default.anonymous_users),
            users: self.users.unwrap_or(default.users),
            video_conference: self.video_conference.unwrap_or(default.video_conference),
            editors: self.editors.unwrap_or_default().into(),
            viewers: self.viewers.unwrap_or_default().into(),
            motion,
            voice: voice.unwrap_or(old.voice),
            people_max: self.people_max.filter(|most| *most > 0),
            ..old
        }
    }
}

/// Checks account names in two lists and a single one. Errors: 422.
pub(super) fn check_names(lists: [&[String]; 2], one: Option<&String>) -> Result<(), Problem> {
    let wrong = |detail| Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
    if let Some(list) = lists.iter().find(|list| list.len() > limits::SCENE_NAMES_MAX) {
        return wrong(format!("the list has {} names; the limit is {}", list.len(), limits::SCENE_NAMES_MAX));
    }
    let mut names = one.into_iter().chain(lists.into_iter().flatten());
    match names.find(|name| !is_name(name)) {
        Some(name) => wrong(format!("{:?} is not a username", name.chars().take(64).collect::<String>())),
        None => Ok(()),
    }
}

/// Lists the scenes that the caller may enter, locked ones included.
#[utoipa::path(get, path = "/api/v1/scenes", operation_id = "list_scenes", tag = "scenes", responses(
    (status = 200, body = [SceneEntry]), (status = 429, body = ProblemDocument)
))]
pub(super) async fn list(
    web: RouteStateExtractor,
    caller: Caller,
    asker: RequestNetwork,
) -> Result<axum::Json<Vec<SceneEntry>>, Problem> {
    let scenes = all(&web, asker).await?;
    let mut names = web.app.realm.names().await?;
    let pictured: BTreeSet<SceneName> = web.app.store.pictured().await?.into_iter().collect();
    let mut entries = Vec::new();
    for (name, settings, people) in scenes {
        let Some(role) = caller.role_in(&name, &settings) else { continue };
        let mut names = names.remove(&name).unwrap_or_default();
        if !names.is_empty() && caller.is_shut_out(&web, &name, &settings).await? {
            names.clear();
        }
        entries.push(SceneEntry {
            namespace: name.namespace().into(),
            scene: name.scene().into(),
            role,
            people,
            names,
            people_max: settings.people_max,
            picture: pictured.contains(&name),
            locked: settings.moderation.locked,
        });
    }
    Ok(axum::Json(entries))
}

/// All scenes with their settings and number of people, from memory. Charges the caller's network for the list.
pub(super) async fn all(
    web: &RouteState,
    asker: RequestNetwork,
) -> Result<Vec<(SceneName, Arc<SceneSettings>, usize)>, Problem> {
    web.readings.ask(asker)?;
    let scenes = web.app.realm.scenes().await?;
    let bytes = scenes.len() * limits::SCENE_ENTRY_BYTES;
    web.readings.spend(asker, u32::try_from(bytes / 1_024).unwrap_or(u32::MAX));
    Ok(scenes)
}

/// Returns a scene's settings.
#[utoipa::path(get, path = "/api/v1/scenes/{namespace}/{scene}", operation_id = "get_scene_settings", tag = "scenes", params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses((status = 200, body = SettingsDocument), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(super) async fn get(
    web: RouteStateExtractor,
    caller: Caller,
    Path((namespace, scene)): Path<(String, String)>,
) -> Result<axum::Json<SettingsDocument>, Problem> {
    let name = name_of(&namespace, &scene)?;
    let settings = settings_of(&web, &name).await?;
    let role =
        caller.role_in(&name, &settings).ok_or_else(|| closed(&name, Some(&settings), caller.is_guest(), "enter"))?;
    Ok(axum::Json(SettingsDocument::visible_to(role, settings)))
}

/// Creates a scene or changes its settings.
///
/// Accounts create scenes in their own namespace, owners of the realm in any.
#[utoipa::path(put, path = "/api/v1/scenes/{namespace}/{scene}", operation_id = "put_scene_settings", tag = "scenes", request_body = SettingsDocument, params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses(
    (status = 200, body = SettingsDocument), (status = 201, body = SettingsDocument),
    (status = 403, body = ProblemDocument), (status = 409, body = ProblemDocument), (status = 422, body = ProblemDocument)
))]
pub(super) async fn put(
    web: RouteStateExtractor,
    caller: Caller,
    Path((namespace, scene)): Path<(String, String)>,
    Json(document): Json<SettingsDocument>,
) -> Result<Response, Problem> {
    let name = name_of(&namespace, &scene)?;
    let old = web.app.store.scene(&name).await?;
    let may = match &old {
        Some(settings) => caller.role_in(&name, settings) == Some(Role::Owner),
        None => caller.may_make(&web, &name).await?,
    };
    if !may {
        return Err(may_not(&name, "create or change"));
    }
    document.check()?;
    let account = caller.name().unwrap_or(LOCAL_OWNER);
    web.charge_settings(&name, account, &document.clone().merged(old.clone().unwrap_or_default())).await?;
    // The caller's right depends on whether the scene exists, so a concurrent creation is a conflict.
    let status = if old.is_none() {
        let settings = document.merged(SceneSettings::owned_by(account));
        if !web.app.registrar.make(name.clone(), settings).await? {
            return Err(Problem::new(StatusCode::CONFLICT, format!("another person has just created {name}")));
        }
        StatusCode::CREATED
    } else {
        if !web.app.registrar.change(name.clone(), move |old| document.merged(old)).await? {
            return Err(no_scene(&name));
        }
        StatusCode::OK
    };
    // The stored settings, which may have more fields than the request.
    let settings = settings_of(&web, &name).await?;
    Ok((status, axum::Json(SettingsDocument::visible_to(Role::Owner, settings))).into_response())
}

/// Removes a scene with all its objects.
#[utoipa::path(delete, path = "/api/v1/scenes/{namespace}/{scene}", operation_id = "delete_scene", tag = "scenes", params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses((status = 204), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(super) async fn delete(
    web: RouteStateExtractor,
    OwnedScene { name, .. }: OwnedScene<RemoveActionMarker>,
) -> Result<StatusCode, Problem> {
    if web.app.registrar.remove(name.clone()).await? { Ok(StatusCode::NO_CONTENT) } else { Err(no_scene(&name)) }
}

/// A scene's new name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RenameSceneRequest {
    /// New name as `<namespace>/<scene>`.
    to: String,
}

/// Renames a scene, also into another namespace in which the caller may create scenes.
///
/// People in the scene are disconnected and rejoin under the new name. The refusal of a token for the old name gives
/// the new one, if the caller may enter.
#[utoipa::path(post, path = "/api/v1/scenes/{namespace}/{scene}/rename", operation_id = "rename_scene", tag = "scenes", request_body = RenameSceneRequest, params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses(
    (status = 204), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument),
    (status = 409, body = ProblemDocument), (status = 422, body = ProblemDocument)
))]
pub(super) async fn rename(
    web: RouteStateExtractor,
    OwnedScene { name, caller, .. }: OwnedScene<RenameActionMarker>,
    Json(RenameSceneRequest { to }): Json<RenameSceneRequest>,
) -> Result<StatusCode, Problem> {
    let to = scene_name_of(&to)?;
    if to.namespace() != name.namespace() && !caller.may_make(&web, &to).await? {
        return Err(may_not(&to, "create"));
    }
    // Only callers who may create scenes there take over the old name of another scene, because old links lead to it.
    let former = web.app.store.renamed(&to).await?;
    let is_anothers = former.is_some_and(|now| now != name) && !caller.may_make(&web, &to).await?;
    if is_anothers {
        return Err(taken(&to));
    }
    // A conflict reveals nothing, because the caller owns a scene in that namespace, or may create scenes there.
    if web.app.registrar.rename(name.clone(), to.clone()).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(taken(&to))
}

fn taken(name: &SceneName) -> Problem {
    Problem::new(StatusCode::CONFLICT, format!("the name {name} is taken"))
}

/// Removes all objects of a scene.
///
/// The first scenes get their first objects back.
#[utoipa::path(post, path = "/api/v1/scenes/{namespace}/{scene}/reset", operation_id = "reset_scene", tag = "scenes", params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses((status = 204), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(super) async fn reset(
    web: RouteStateExtractor,
    OwnedScene { name, caller, .. }: OwnedScene<ResetActionMarker>,
) -> Result<StatusCode, Problem> {
    let author = caller.name().unwrap_or_default().to_owned();
    // The first objects are created before the others are removed, so that a reset that fails half-way loses nothing.
    let keep = first_scenes::fill(&web.app.realm, &name).await?;
    web.app.realm.clear_scene_but(name, author, keep).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns a whole scene at one revision, as messages that create it in order (`spec/topics.md` section 4).
#[utoipa::path(get, path = "/api/v1/scenes/{namespace}/{scene}/snapshot", operation_id = "get_scene_snapshot", tag = "scenes", params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses(
    (status = 200, body = Object), (status = 401, body = ProblemDocument),
    (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn snapshot(
    State(web): RouteStateExtractor,
    token: BearerClaims,
    asker: RequestNetwork,
    Path((namespace, scene)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let name = name_of(&namespace, &scene)?;
    if !token.reads(&web, &name, "+/+/+").await? {
        let settings = web.app.store.scene(&name).await?;
        return Err(closed(&name, settings.as_ref(), token.0.guest, "use this token for"));
    }
    // A snapshot shows where people are, so a token from before the lock isn't enough.
    if token.is_shut_out(&web, &name).await? {
        return Err(locked(&name));
    }
    let realm = web.app.realm.clone();
    let body = streaming::scene(web, asker, &token.0.sub, async || {
        let snapshot = realm.snapshot(name).await?;
        Ok(move || Box::new(snapshot.into_json()) as JsonPieces)
    });
    let body = body.await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// Parses two path segments as a scene name.
pub(super) fn name_of(namespace: &str, scene: &str) -> Result<SceneName, Problem> {
    SceneName::new(namespace, scene).map_err(|_| {
        let shown: String = format!("{namespace}/{scene}").chars().take(160).collect();
        Problem::bad_request(format!(
            "{shown:?} is not a scene name: it takes two parts of 1 to 64 of A-Z a-z 0-9 _ . -"
        ))
    })
}

/// The settings of an existing scene. Errors: 404.
pub(super) async fn settings_of(web: &RouteState, name: &SceneName) -> Result<SceneSettings, Problem> {
    let settings = web.app.store.scene(name).await?;
    settings.ok_or_else(|| no_scene(name))
}

pub(super) fn no_scene(name: &SceneName) -> Problem {
    Problem::not_found(format!("there is no scene {name}, or you don't have access to it"))
}

/// Parses the scene name in a request's body.
///
/// # Errors
/// 400 for an invalid name.
pub(super) fn scene_name_of(text: &str) -> Result<SceneName, Problem> {
    text.parse().map_err(|_| {
        let shown: String = text.chars().take(160).collect();
        Problem::bad_request(format!("{shown:?} is not a scene name: it takes <folder>/<scene>"))
    })
}

/// The refusal for a caller without access. A closed scene gets the 404 of a missing scene, so that the refusal doesn't
/// reveal which scenes exist. A scene that is open to all accounts, or for a guest to all guests, gets 403.
pub(super) fn closed(name: &SceneName, settings: Option<&SceneSettings>, guest: bool, what: &str) -> Problem {
    let anybody = RoleRequester { name: "", realm_owner: false, guest };
    let open = settings.is_some_and(|settings| role_of(name, settings, &anybody).is_some());
    if open { may_not(name, what) } else { no_scene(name) }
}

/// 403.
pub(super) fn may_not(name: &SceneName, what: &str) -> Problem {
    Problem::forbidden(format!("you can't {what} {name}"))
}
