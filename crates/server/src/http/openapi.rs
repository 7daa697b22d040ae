//! All routes with their OpenAPI description. A route without a description isn't served.

use std::sync::Arc;

use axum::{Extension, Router};
use utoipa::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::arena::{
    account as arena_account, defaults, files_page, login, mqtt_auth, persist, persist_change, recorder, scene_form,
    scene_settings, storage,
};
use super::{
    Shared, Web, account, cookies, history, invitations, moderation, motion_ticket, pictures, scenes, sign_in, token,
    transfer, trust, uploads,
};

/// Title and description of the document.
#[derive(OpenApi)]
#[openapi(info(title = "Stoa", description = "The HTTP API of a realm. Errors are problem documents (RFC 9457)."))]
struct Frame;

/// The document, as it is served.
pub(super) type Description = Extension<Arc<utoipa::openapi::OpenApi>>;

/// All routes except the pages and WebSocket, with their description.
pub(super) fn routes() -> (Router<Arc<Web>>, utoipa::openapi::OpenApi) {
    let (router, mut description) = OpenApiRouter::with_openapi(Frame::openapi())
        .routes(routes!(sign_in::login))
        .routes(routes!(sign_in::logout))
        .routes(routes!(sign_in::owner))
        .routes(routes!(sign_in::me))
        .routes(routes!(account::join, account::list))
        .routes(routes!(account::describe))
        .routes(routes!(account::change_password))
        .routes(routes!(account::delete))
        .routes(routes!(account::reset))
        .routes(routes!(account::make_link))
        .routes(routes!(invitations::list, invitations::make))
        .routes(routes!(invitations::take_back))
        .routes(routes!(invitations::redeem))
        .routes(routes!(moderation::read, moderation::act))
        .routes(routes!(pictures::read, pictures::put))
        .routes(routes!(scenes::list))
        .routes(routes!(scenes::get, scenes::put, scenes::delete))
        .routes(routes!(scenes::rename))
        .routes(routes!(scenes::reset))
        .routes(routes!(scenes::snapshot))
        .routes(routes!(transfer::export))
        .routes(routes!(transfer::import))
        .routes(routes!(transfer::copy))
        .routes(routes!(history::history))
        .routes(routes!(history::restore))
        .routes(routes!(token::issue))
        .routes(routes!(motion_ticket::issue))
        .routes(routes!(trust::authority))
        .routes(routes!(trust::qr))
        .routes(routes!(uploads::quota))
        .routes(routes!(uploads::upload))
        .routes(routes!(uploads::read))
        .merge(arena_routes())
        .routes(routes!(describe))
        .routes(routes!(jwks))
        .routes(routes!(ready))
        .routes(routes!(alive))
        .split_for_parts();
    // OpenAPI lacks the router's wildcard segment, `{*path}`.
    let paths = std::mem::take(&mut description.paths.paths);
    description.paths.paths = paths.into_iter().map(|(path, item)| (path.replace("{*", "{"), item)).collect();
    let components = description.components.get_or_insert_default();
    components.add_security_scheme("bearer", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(cookies::MQTT_TOKEN)));
    components.add_security_scheme(cookies::MQTT_TOKEN, cookie);
    (router, description)
}

/// Routes for ARENA's programs and pages.
fn arena_routes() -> OpenApiRouter<Arc<Web>> {
    OpenApiRouter::new()
        .routes(routes!(defaults::defaults_json))
        .routes(routes!(defaults::defaults_js))
        .routes(routes!(defaults::gauth))
        .routes(routes!(defaults::gauth_device))
        .routes(routes!(persist::persisted, persist_change::order, persist_change::delete))
        .routes(routes!(persist::persisted_object))
        .routes(routes!(persist_change::all_scenes))
        .routes(routes!(persist_change::all_namespaces))
        .routes(routes!(persist_change::namespace_scenes))
        .routes(routes!(persist_change::health))
        .routes(routes!(arena_account::user_state))
        .routes(routes!(arena_account::my_scenes))
        .routes(routes!(arena_account::my_namespaces))
        .routes(routes!(arena_account::health))
        .routes(routes!(arena_account::store_login))
        .routes(routes!(mqtt_auth::issue))
        .routes(routes!(scene_settings::scene))
        .routes(routes!(login::show, login::submit))
        .routes(routes!(login::logout))
        .routes(routes!(login::profile))
        .routes(routes!(scene_form::show, scene_form::submit))
        .routes(routes!(storage::upload, storage::look, storage::remove))
        .routes(routes!(files_page::folder))
        .routes(routes!(recorder::status))
        .routes(routes!(recorder::list))
        .routes(routes!(recorder::start))
        .routes(routes!(recorder::stop))
}

/// Returns this OpenAPI document.
#[utoipa::path(get, path = "/api/v1/openapi.json", tag = "realm", responses((status = 200, body = Object)))]
async fn describe(Extension(description): Description) -> axum::Json<utoipa::openapi::OpenApi> {
    axum::Json(description.as_ref().clone())
}

/// Returns the public keys that verify the realm's tokens.
#[utoipa::path(get, path = "/.well-known/jwks.json", tag = "realm", responses((status = 200, body = Object)))]
async fn jwks(web: Shared) -> axum::Json<jsonwebtoken::jwk::JwkSet> {
    axum::Json(web.app.keys.public_keys())
}

/// Answers once the realm takes requests.
#[utoipa::path(get, path = "/readyz", tag = "realm", responses((status = 200, body = String)))]
async fn ready() -> &'static str {
    "ready\n"
}

/// Answers while the process is alive.
#[utoipa::path(get, path = "/healthz", tag = "realm", responses((status = 200, body = String)))]
async fn alive() -> &'static str {
    "alive\n"
}
