//! The routes with an OpenAPI description. The parent module adds the routes without one: pages, WebSocket and some
//! paths of ARENA's.

use std::sync::Arc;

use axum::response::Response;
use axum::{Extension, Router};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::arena::{
    account as arena_account, defaults, files_page, login, mqtt_auth, persist, persist_change, recorder, scene_form,
    scene_settings, storage,
};
use super::problem::ProblemDocument;
use super::{
    HttpEndpointAddress, RouteState, RouteStateExtractor, account, history, invitations, moderation, motion_ticket,
    pictures, scenes, sign_in, token, transfer, trust, uploads,
};

mod document;
mod responses;
mod security;

pub(super) use document::OpenApiDocument;
use document::OpenApiExtension;
use responses::AccountServiceErrorDocument;
use security::AcceptedCredentials;

/// Title and description of the document.
#[derive(OpenApi)]
#[openapi(
    info(title = "Stoa", description = "The HTTP API of a realm. Errors are problem documents (RFC 9457)."),
    components(schemas(ProblemDocument, AccountServiceErrorDocument))
)]
struct OpenApiBase;

/// The described routes of one endpoint, and their description.
pub(super) fn routes(endpoint: HttpEndpointAddress) -> (Router<Arc<RouteState>>, utoipa::openapi::OpenApi) {
    let (router, mut description) = OpenApiRouter::with_openapi(OpenApiBase::openapi())
        .merge(AcceptedCredentials::None.are_for(public_routes()))
        .merge(AcceptedCredentials::OptionalCaller.are_for(optional_caller_routes()))
        .merge(AcceptedCredentials::Caller.are_for(caller_routes()))
        .merge(AcceptedCredentials::OptionalReader.are_for(OpenApiRouter::new().routes(routes!(uploads::read))))
        .merge(AcceptedCredentials::Bearer.are_for(OpenApiRouter::new().routes(routes!(motion_ticket::issue))))
        .merge(AcceptedCredentials::Token.are_for(token_routes()))
        .merge(AcceptedCredentials::UploadToken.are_for(OpenApiRouter::new().routes(routes!(
            storage::upload,
            storage::look,
            storage::remove
        ))))
        .split_for_parts();
    // OpenAPI lacks the router's wildcard segment, `{*path}`.
    let paths = std::mem::take(&mut description.paths.paths);
    description.paths.paths = paths.into_iter().map(|(path, item)| (path.replace("{*", "{"), item)).collect();
    security::add_schemes(description.components.get_or_insert_default(), endpoint);
    responses::complete(&mut description);
    (router, description)
}

/// Routes that ignore the caller's identity, or take it from the body.
fn public_routes() -> OpenApiRouter<Arc<RouteState>> {
    OpenApiRouter::new()
        .routes(routes!(sign_in::login))
        .routes(routes!(sign_in::owner))
        .routes(routes!(account::join))
        .routes(routes!(account::reset))
        .routes(routes!(trust::authority))
        .routes(routes!(trust::qr))
        .routes(routes!(describe))
        .routes(routes!(jwks))
        .routes(routes!(ready))
        .routes(routes!(alive))
        .routes(routes!(defaults::defaults_json))
        .routes(routes!(defaults::defaults_js))
        .routes(routes!(defaults::gauth))
        .routes(routes!(defaults::gauth_device))
        .routes(routes!(persist_change::health))
        .routes(routes!(arena_account::health))
        .routes(routes!(login::show, login::submit))
        .routes(routes!(recorder::status))
        .routes(routes!(recorder::list))
        .routes(routes!(recorder::start))
        .routes(routes!(recorder::stop))
}

/// Routes that serve guests too. Some answer a guest with a redirect to the sign-in page.
fn optional_caller_routes() -> OpenApiRouter<Arc<RouteState>> {
    OpenApiRouter::new()
        .routes(routes!(sign_in::logout))
        .routes(routes!(sign_in::me))
        .routes(routes!(invitations::redeem))
        .routes(routes!(pictures::read))
        .routes(routes!(scenes::list))
        .routes(routes!(scenes::get))
        .routes(routes!(token::issue))
        .routes(routes!(arena_account::user_state))
        .routes(routes!(arena_account::my_scenes))
        .routes(routes!(arena_account::my_namespaces))
        .routes(routes!(arena_account::store_login))
        .routes(routes!(mqtt_auth::issue))
        .routes(routes!(login::logout_page, login::logout))
        .routes(routes!(login::profile))
        .routes(routes!(scene_form::show, scene_form::submit))
}

/// Routes for accounts and bearers of tokens. A few serve only signed-in accounts.
fn caller_routes() -> OpenApiRouter<Arc<RouteState>> {
    OpenApiRouter::new()
        .routes(routes!(account::list))
        .routes(routes!(account::describe))
        .routes(routes!(account::change_password))
        .routes(routes!(account::delete))
        .routes(routes!(account::make_link))
        .routes(routes!(invitations::list, invitations::make))
        .routes(routes!(invitations::take_back))
        .routes(routes!(moderation::read, moderation::act))
        .routes(routes!(pictures::put))
        .routes(routes!(scenes::put, scenes::delete))
        .routes(routes!(scenes::rename))
        .routes(routes!(scenes::reset))
        .routes(routes!(transfer::export))
        .routes(routes!(transfer::import))
        .routes(routes!(transfer::copy))
        .routes(routes!(history::history))
        .routes(routes!(history::restore))
        .routes(routes!(uploads::quota))
        .routes(routes!(uploads::upload))
        .routes(routes!(scene_settings::scene))
        .routes(routes!(files_page::folder))
}

/// Routes for bearers of tokens, also by ARENA's cookie.
fn token_routes() -> OpenApiRouter<Arc<RouteState>> {
    OpenApiRouter::new()
        .routes(routes!(scenes::snapshot))
        .routes(routes!(persist::persisted, persist_change::order, persist_change::delete))
        .routes(routes!(persist::persisted_object))
        .routes(routes!(persist_change::all_scenes))
        .routes(routes!(persist_change::all_namespaces))
        .routes(routes!(persist_change::namespace_scenes))
}

/// Returns this OpenAPI document.
#[utoipa::path(get, path = "/api/v1/openapi.json", operation_id = "get_openapi_document", tag = "realm", responses((status = 200, body = Object)))]
async fn describe(Extension(document): OpenApiExtension) -> Response {
    document.response()
}

/// Returns the public keys that verify the realm's tokens.
#[utoipa::path(get, path = "/.well-known/jwks.json", operation_id = "get_public_keys", tag = "realm", responses((status = 200, body = Object)))]
async fn jwks(web: RouteStateExtractor) -> axum::Json<jsonwebtoken::jwk::JwkSet> {
    axum::Json(web.app.keys.public_keys())
}

/// Answers once the realm takes requests.
#[utoipa::path(get, path = "/readyz", operation_id = "check_ready", tag = "realm", responses((status = 200, body = String)))]
async fn ready() -> &'static str {
    "ready\n"
}

/// Answers while the process is alive.
#[utoipa::path(get, path = "/healthz", operation_id = "check_alive", tag = "realm", responses((status = 200, body = String)))]
async fn alive() -> &'static str {
    "alive\n"
}
