//! ARENA's account service: the signed-in account, its scenes and namespaces, health.

use std::collections::BTreeSet;

use axum::Extension;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stoa_state::grant::{Role, role_of};
use utoipa::ToSchema;

use super::super::guard::CheckedAuthority;
use super::super::rate_limit::RequestNetwork;
use super::super::scenes::all;
use super::super::{RouteStateExtractor, cookies};
use super::AccountServiceError;
use super::csrf::{Csrf, CsrfCheckedRequest};
use super::form::Form;
use super::member::Member;
use super::scene_settings::SceneDocument;
use crate::identity::scoped_tokens::{TokenHolder, TokenPurpose};
use crate::limits;
use stoa_net::background::ComputationPayer;

/// A sign-in without cookies, for programs.
#[derive(Deserialize, ToSchema)]
pub(in super::super) struct ShownIdToken {
    /// The sign-in token of `stoa google-credentials`.
    pub(super) id_token: Option<String>,
}

/// Returns the signed-in account, and sets the CSRF cookie that writes repeat.
#[utoipa::path(method(get, post), path = "/user/v2/user_state", operation_id = "arena_user_state", tag = "arena",
    request_body(content = ShownIdToken, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, body = Object), (status = 403, body = Object)))]
pub(in super::super) async fn user_state(
    web: RouteStateExtractor,
    _checked: CsrfCheckedRequest,
    csrf: Csrf,
    site: Extension<CheckedAuthority>,
    Form { fields: shown, headers }: Form<ShownIdToken>,
) -> Result<Response, AccountServiceError> {
    let state = match Member::of(&web, &headers, shown.id_token.as_deref()).await? {
        Some(Member { name, owns_realm, .. }) => json!({
            "authenticated": true,
            "username": name,
            "fullname": name,
            "email": format!("{name}@{}", site.host()),
            "type": "arena",
            "is_staff": owns_realm,
        }),
        None => json!({"authenticated": false}),
    };
    Ok(([(header::SET_COOKIE, csrf.cookie(web.endpoint))], axum::Json(state)).into_response())
}

/// Lists the scenes that the caller owns, or that list it as an editor or viewer.
///
/// Owners of the realm get all scenes.
#[utoipa::path(method(get, post), path = "/user/v2/my_scenes", operation_id = "arena_my_scenes", tag = "arena",
    request_body(content = ShownIdToken, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, body = [SceneDocument]), (status = 403, body = Object), (status = 429, body = Object)))]
pub(in super::super) async fn my_scenes(
    web: RouteStateExtractor,
    _csrf: CsrfCheckedRequest,
    asker: RequestNetwork,
    Form { fields: shown, headers }: Form<ShownIdToken>,
) -> Result<axum::Json<Vec<SceneDocument>>, AccountServiceError> {
    let Some(member) = Member::of(&web, &headers, shown.id_token.as_deref()).await? else {
        return Ok(axum::Json(Vec::new()));
    };
    let scenes = all(&web, asker).await?;
    let own = scenes.into_iter().filter_map(|(name, settings, _)| {
        let role = role_of(&name, &settings, &member.account())?;
        let listed = settings.editors.has(&member.name) || settings.viewers.has(&member.name);
        (role == Role::Owner || listed).then(|| SceneDocument::of(&name, (*settings).clone()))
    });
    Ok(axum::Json(own.collect()))
}

/// A namespace, in ARENA's format.
#[derive(Serialize, ToSchema)]
pub(in super::super) struct NamespaceDocument {
    name: String,
    /// Always empty: access is granted scene by scene.
    editors: Vec<String>,
    /// Always empty.
    viewers: Vec<String>,
    /// Whether an account has this name.
    account: bool,
}

/// Lists the caller's namespace.
///
/// Owners of the realm get all namespaces with scenes.
#[utoipa::path(method(get, post), path = "/user/v2/my_namespaces", operation_id = "arena_my_namespaces", tag = "arena",
    request_body(content = ShownIdToken, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, body = [NamespaceDocument]), (status = 403, body = Object), (status = 429, body = Object)))]
pub(in super::super) async fn my_namespaces(
    web: RouteStateExtractor,
    _csrf: CsrfCheckedRequest,
    asker: RequestNetwork,
    Form { fields: shown, headers }: Form<ShownIdToken>,
) -> Result<axum::Json<Vec<NamespaceDocument>>, AccountServiceError> {
    let Some(member) = Member::of(&web, &headers, shown.id_token.as_deref()).await? else {
        return Ok(axum::Json(Vec::new()));
    };
    let mut names = BTreeSet::from([member.name.clone()]);
    let mut accounts = names.clone();
    if member.owns_realm {
        names.extend(all(&web, asker).await?.into_iter().map(|(name, ..)| name.namespace().to_owned()));
        accounts.extend(web.app.store.accounts().await?.into_iter().map(|account| account.name));
    }
    let told = names.into_iter().map(|name| NamespaceDocument {
        account: accounts.contains(&name),
        editors: Vec::new(),
        viewers: Vec::new(),
        name,
    });
    Ok(axum::Json(told.collect()))
}

/// Returns the health of the account service, its database and the realm.
#[utoipa::path(get, path = "/user/v2/health", operation_id = "get_arena_account_health", tag = "arena", responses((status = 200, body = Object), (status = 503, body = Object)))]
pub(in super::super) async fn health(web: RouteStateExtractor) -> (StatusCode, axum::Json<Value>) {
    let stored = web.app.store.owner_exists().await.is_ok();
    let realm = web.app.realm.ping().await.is_ok();
    let word = |well: bool| if well { "healthy" } else { "unhealthy" };
    let (status, result) =
        if stored && realm { (StatusCode::OK, "success") } else { (StatusCode::SERVICE_UNAVAILABLE, "failure") };
    let told = json!({
        "result": result, "sqlite_status": word(stored), "mongo_status": word(realm), "filestore_status": word(stored),
    });
    (status, axum::Json(told))
}

/// Signs in to the file store.
///
/// Sets a cookie for the header `X-Auth` of uploads. Removes it for guests.
#[utoipa::path(method(get, post), path = "/user/v2/storelogin", operation_id = "arena_store_login", tag = "arena",
    request_body(content = ShownIdToken, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200), (status = 403, body = Object), (status = 429, body = Object)))]
pub(in super::super) async fn store_login(
    web: RouteStateExtractor,
    _csrf: CsrfCheckedRequest,
    Form { fields: shown, headers }: Form<ShownIdToken>,
) -> Result<Response, AccountServiceError> {
    let member = Member::of(&web, &headers, shown.id_token.as_deref()).await?;
    let cookie = match &member {
        Some(member) => {
            web.tokens.charge_account(&member.name)?;
            let ttl_s = limits::UPLOAD_PASS_TTL.as_secs();
            let holder = TokenHolder { parents: member.parents()?, ..TokenHolder::called(&member.name) };
            let payer = ComputationPayer::of(None, &member.name);
            let (scoped_token, recorded) = web.app.signer.issue(payer, TokenPurpose::Upload, holder, ttl_s).await?;
            web.app.store.record_token(&recorded).await?;
            member.confirm(&web, &headers, shown.id_token.as_deref()).await?;
            cookies::set_readable(web.endpoint, cookies::STORE, &scoped_token, ttl_s)
        }
        None => cookies::set_readable(web.endpoint, cookies::STORE, "", 0),
    };
    let cookie = cookie.expect("a pass is short");
    Ok(([(header::SET_COOKIE, cookie)], "").into_response())
}
