//! Extractor of routes for a scene's owner: finds the scene of the path and rejects other callers.

use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use stoa_state::grant::{Role, SceneSettings};
use stoa_wire::topic::SceneName;

use super::caller::Caller;
use super::scenes::{closed, may_not, name_of, settings_of};
use super::{Problem, RouteState};

/// The action that a route carries out on the scene.
pub(super) trait OwnerActionVerb {
    /// The action's verb in a refusal: you can't … alice/den.
    const VERB: &'static str;
}

/// Lists, makes and revokes invitations.
pub(super) struct ShareActionMarker;

impl OwnerActionVerb for ShareActionMarker {
    const VERB: &'static str = "share";
}

/// Removes the scene.
pub(super) struct RemoveActionMarker;

impl OwnerActionVerb for RemoveActionMarker {
    const VERB: &'static str = "delete";
}

/// Gives the scene another name.
pub(super) struct RenameActionMarker;

impl OwnerActionVerb for RenameActionMarker {
    const VERB: &'static str = "rename";
}

/// Removes the scene's objects.
pub(super) struct ResetActionMarker;

impl OwnerActionVerb for ResetActionMarker {
    const VERB: &'static str = "reset";
}

/// The scene that a path names by `namespace` and `scene`, and the caller, who owns it.
///
/// Rejections: 400 for an invalid scene name, 401 for a bad token, 404 if the caller may not know of the scene, 403
/// if the caller isn't an owner.
pub(super) struct OwnedScene<A> {
    /// The scene.
    pub(super) name: SceneName,
    /// The scene's settings.
    pub(super) settings: SceneSettings,
    /// The scene's owner, or an owner of the realm.
    pub(super) caller: Caller,
    action: PhantomData<A>,
}

/// The two segments of the path. A route may have parameters besides them.
#[derive(Deserialize)]
struct SceneSegments {
    namespace: String,
    scene: String,
}

impl<A: OwnerActionVerb> OwnedScene<A> {
    async fn check(web: &RouteState, caller: Caller, segments: SceneSegments) -> Result<OwnedScene<A>, Problem> {
        let name = name_of(&segments.namespace, &segments.scene)?;
        let settings = settings_of(web, &name).await?;
        match caller.role_in(&name, &settings) {
            Some(Role::Owner) => Ok(OwnedScene { name, settings, caller, action: PhantomData }),
            Some(_) => Err(may_not(&name, A::VERB)),
            None => Err(closed(&name, Some(&settings), caller.is_guest(), A::VERB)),
        }
    }
}

impl<A: OwnerActionVerb> FromRequestParts<Arc<RouteState>> for OwnedScene<A> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<RouteState>) -> Result<OwnedScene<A>, Response> {
        let caller = Caller::from_request_parts(parts, web).await.map_err(IntoResponse::into_response)?;
        let segments = Path::from_request_parts(parts, web).await;
        let Path(segments) = segments.map_err(IntoResponse::into_response)?;
        OwnedScene::check(web, caller, segments).await.map_err(IntoResponse::into_response)
    }
}
