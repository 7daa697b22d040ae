//! arena-persist's interface, writing and listing part: copying, emptying and listing scenes.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use stoa_state::grant::{Claims, SceneSettings};
use stoa_state::scene::StoredObject;
use stoa_wire::topic::SceneName;
use utoipa::ToSchema;

use super::super::caller::{BearerClaims, Caller, may_bearer_make};
use super::super::rate_limit::RequestNetwork;
use super::super::scenes::{all, name_of};
use super::super::{Problem, RouteState, RouteStateExtractor, body};
use super::persist::{PersistError, no_write};
use crate::os::blocking::apart;
use crate::realm_task::RealmError;

/// A command for a scene. `clone` is the only action.
#[derive(Deserialize, ToSchema)]
#[serde(default)]
#[derive(Default)]
pub(in super::super) struct CopySceneRequest {
    action: String,
    /// Namespace of the source scene.
    namespace: String,
    /// Name of the source scene.
    #[serde(rename = "sceneId")]
    scene_id: String,
    #[serde(rename = "allowNonEmptyTarget")]
    allow_non_empty_target: bool,
}

/// The credentials of a request that copies a scene, valid or not, and the network that it comes from.
pub(in super::super) struct CopyRequester {
    token: Result<BearerClaims, Problem>,
    caller: Result<Caller, Problem>,
    asker: RequestNetwork,
}

impl FromRequestParts<Arc<RouteState>> for CopyRequester {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<RouteState>) -> Result<CopyRequester, Infallible> {
        let token = BearerClaims::from_request_parts(parts, web).await;
        // The token's bearer is charged. Without a token the request is refused.
        let caller = Caller::from_headers(web, &parts.headers).await;
        let asker = RequestNetwork::from_request_parts(parts, web).await?;
        Ok(CopyRequester { token, caller, asker })
    }
}

/// Copies the stored objects of another scene into this one.
///
/// The copies keep their object ids.
#[utoipa::path(post, path = "/persist/{namespace}/{scene}", operation_id = "copy_persisted_scene", tag = "arena", request_body = CopySceneRequest,
    params(("namespace" = String, Path), ("scene" = String, Path)), responses(
    (status = 200, body = Object), (status = 400, body = String), (status = 401, body = String), (status = 404, body = String),
    (status = 409, body = String), (status = 429, body = String)
))]
pub(in super::super) async fn order(
    web: RouteStateExtractor,
    CopyRequester { token, caller, asker }: CopyRequester,
    Path((namespace, scene)): Path<(String, String)>,
    request: axum::extract::Request,
) -> Result<Response, PersistError> {
    let target = name_of(&namespace, &scene)?;
    let token = builder(&web, token, &target).await?;
    let bytes = body::bytes(request.into_body()).await?;
    let order: CopySceneRequest = serde_json::from_slice(&bytes)
        .map_err(|_| PersistError::new(StatusCode::BAD_REQUEST, "the body is not JSON of this kind"))?;
    if order.action != "clone" {
        return Err(PersistError::new(StatusCode::BAD_REQUEST, "No valid action."));
    }
    if order.namespace.is_empty() || order.scene_id.is_empty() {
        return Err(PersistError::new(StatusCode::BAD_REQUEST, "No namespace or sceneId specified"));
    }
    let source = name_of(&order.namespace, &order.scene_id)?;
    if !may_copy(&web, &token, caller.as_ref().ok(), &source).await? {
        return Err(PersistError::new(
            StatusCode::UNAUTHORIZED,
            format!("You have not been granted read access to {source}"),
        ));
    }
    let _slot = web.reading.take(&asker.holders()).await?;
    web.readings.ask(asker)?;
    let records = web.app.realm.stored_records(source).await?.filter(|records| records.count() > 0);
    let Some(records) = records else {
        return Err(PersistError::new(StatusCode::NOT_FOUND, "The source scene is empty!"));
    };
    if !order.allow_non_empty_target && count_of(&web, &target).await? > 0 {
        return Err(PersistError::new(StatusCode::CONFLICT, "The target scene is not empty!"));
    }
    make_if_own(&web, &token.0, &target).await?;
    let count = records.count();
    // Clients in the scene see the copies as they are made. Each is on disk when the request ends.
    let objects = apart(move || records.to_objects()).await;
    let bytes: usize = objects.iter().map(StoredObject::size_bytes).sum();
    web.readings.spend(asker, u32::try_from(bytes / 1_024).unwrap_or(u32::MAX));
    web.app.realm.put_objects(&target, &token.0.sub, objects).await?;
    Ok(axum::Json(json!({"result": "success", "objectsCloned": count})).into_response())
}

/// The token, if it may change all objects of the scene. Guests edit single objects within their limits, but don't
/// fill or empty scenes.
async fn builder(
    web: &RouteState,
    token: Result<BearerClaims, Problem>,
    name: &SceneName,
) -> Result<BearerClaims, PersistError> {
    match token {
        Ok(token) if !token.0.guest && token.builds(web, name).await? => Ok(token),
        Err(problem) if problem.status() == StatusCode::TOO_MANY_REQUESTS => Err(problem.into()),
        _ => Err(no_write(name)),
    }
}

/// Whether the token's bearer or the browser's session may read the source now.
async fn may_copy(
    web: &RouteState,
    token: &BearerClaims,
    caller: Option<&Caller>,
    source: &SceneName,
) -> Result<bool, Problem> {
    let Some(settings) = web.app.store.scene(source).await? else {
        return Ok(token.covers_pattern(&source.to_string(), "o/+/+"));
    };
    let bearer = Caller::Bearer(Box::new(token.0.clone()));
    let session = caller.filter(|caller| matches!(caller, Caller::Account { .. }));
    for reader in session.into_iter().chain([&bearer]) {
        if reader.may_read_now(web, source, &settings).await?.is_ok() {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn count_of(web: &RouteState, name: &SceneName) -> Result<usize, Problem> {
    Ok(web.app.realm.stored_records(name.clone()).await?.map_or(0, |records| records.count()))
}

/// Creates a missing target, if the token's account may create it.
async fn make_if_own(web: &RouteState, claims: &Claims, target: &SceneName) -> Result<(), Problem> {
    if web.app.store.scene(target).await?.is_some() {
        return Ok(());
    }
    if !may_bearer_make(web, claims, target).await? {
        return Err(Problem::not_found(format!("there is no scene {target}")));
    }
    web.app.registrar.make(target.clone(), SceneSettings::owned_by(&claims.sub)).await?;
    Ok(())
}

/// Removes all objects of a scene. People in the scene see the removal.
#[utoipa::path(delete, path = "/persist/{namespace}/{scene}", operation_id = "clear_persisted_scene", tag = "arena",
    params(("namespace" = String, Path), ("scene" = String, Path)), responses(
    (status = 200, body = Object), (status = 401, body = String)
))]
pub(in super::super) async fn delete(
    web: RouteStateExtractor,
    token: Result<BearerClaims, Problem>,
    Path((namespace, scene)): Path<(String, String)>,
) -> Result<Response, PersistError> {
    let name = name_of(&namespace, &scene)?;
    let token = builder(&web, token, &name).await?;
    let count = count_of(&web, &name).await?;
    match web.app.realm.clear_scene(name, token.0.sub.clone()).await {
        Ok(()) | Err(RealmError::NoSuchScene) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(axum::Json(json!({"result": "success", "deletedCount": count})).into_response())
}

/// Lists all scenes.
///
/// For tokens that may read them all.
#[utoipa::path(get, path = "/persist/!allscenes", operation_id = "list_persisted_scenes", tag = "arena",
    responses((status = 200, body = [String]), (status = 401, body = String), (status = 429, body = String)))]
pub(in super::super) async fn all_scenes(
    web: RouteStateExtractor,
    asker: RequestNetwork,
    token: Result<BearerClaims, Problem>,
) -> Result<Response, PersistError> {
    listed(&web, asker, token, "+/+", |name| Some(name.to_string())).await
}

/// Lists all namespaces.
///
/// For tokens that may read all scenes.
#[utoipa::path(get, path = "/persist/!allnamespaces", operation_id = "list_persisted_namespaces", tag = "arena",
    responses((status = 200, body = [String]), (status = 401, body = String), (status = 429, body = String)))]
pub(in super::super) async fn all_namespaces(
    web: RouteStateExtractor,
    asker: RequestNetwork,
    token: Result<BearerClaims, Problem>,
) -> Result<Response, PersistError> {
    listed(&web, asker, token, "+/+", |name| Some(name.namespace().to_owned())).await
}

/// Lists the scenes of a namespace.
///
/// For tokens that may read them all. A token without a scene, as ARENA's pages request it, gets those of `public`
/// that it may read.
#[utoipa::path(get, path = "/persist/{namespace}/!allscenes", tag = "arena",
    operation_id = "list_persisted_scenes_of_namespace",
    params(("namespace" = String, Path)),
    responses((status = 200, body = [String]), (status = 401, body = String), (status = 429, body = String)))]
pub(in super::super) async fn namespace_scenes(
    web: RouteStateExtractor,
    asker: RequestNetwork,
    token: Result<BearerClaims, Problem>,
    Path(namespace): Path<String>,
) -> Result<Response, PersistError> {
    let pattern = format!("{namespace}/+");
    match &token {
        Ok(BearerClaims(claims)) if namespace == "public" && claims.scene.is_none() && !claims.explicit => {
            let scenes = all(&web, asker).await?.into_iter().filter(|(name, ..)| name.namespace() == namespace);
            let may_read = |name: &SceneName, settings: &SceneSettings| claims.may_copy(name, settings);
            let told = scenes.filter(|(name, settings, _)| may_read(name, settings)).map(|(name, ..)| name.to_string());
            Ok(axum::Json(told.collect::<BTreeSet<String>>()).into_response())
        }
        _ => {
            let told = |name: &SceneName| (name.namespace() == namespace).then(|| name.to_string());
            listed(&web, asker, token, &pattern, told).await
        }
    }
}

async fn listed(
    web: &RouteState,
    asker: RequestNetwork,
    token: Result<BearerClaims, Problem>,
    pattern: &str,
    told: impl Fn(&SceneName) -> Option<String>,
) -> Result<Response, PersistError> {
    let Some(BearerClaims(claims)) = token.ok().filter(|token| token.covers_pattern(pattern, "o/+/+")) else {
        return Err(PersistError::new(StatusCode::UNAUTHORIZED, "You have not been granted read access"));
    };
    let scenes = all(web, asker).await?;
    let readable = scenes.iter().filter(|(name, settings, _)| claims.role_now(name, settings).is_some());
    let names: BTreeSet<String> = readable.filter_map(|(name, ..)| told(name)).collect();
    Ok(axum::Json(names).into_response())
}

/// Returns whether stored objects can be read and written.
#[utoipa::path(get, path = "/persist/health", operation_id = "get_persist_health", tag = "arena", responses((status = 200, body = Object), (status = 503, body = Object)))]
pub(in super::super) async fn health(web: RouteStateExtractor) -> (StatusCode, axum::Json<Value>) {
    let (stored, realm) = (web.app.store.owner_exists().await.is_ok(), web.app.realm.ping().await.is_ok());
    let word = |well: bool| if well { "connected" } else { "disconnected" };
    if stored && realm {
        return (StatusCode::OK, axum::Json(json!({"result": "success"})));
    }
    let told = json!({"result": "failure", "database": word(stored), "mqtt": word(realm)});
    (StatusCode::SERVICE_UNAVAILABLE, axum::Json(told))
}
