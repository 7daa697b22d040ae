//! The caller's own account: creation, password change, reset by a link, deletion. Owners of the realm also list
//! accounts and create account links.

use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::Json;
use super::caller::Caller;
use super::invitations::{invitation_of, used_up};
use super::problem::ProblemDocument;
use super::rate_limit::RequestNetwork;
use super::sign_in::{
    SignInClient, SignedInDocument, begin_session, compare, end_session, session_cookies, signed_in_response,
};
use super::{Problem, RouteState, RouteStateExtractor};
use crate::control::{self, ControlTarget};
use crate::identity::accounts::registration::{self, RegistrationPolicy};
use crate::identity::accounts::{self, NewAccount, secret};
use crate::limits;
use crate::os::clock;
use crate::store::{RegistrationWarrant, SecretHash};

/// A request for a new account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateAccountRequest {
    /// The account's name.
    username: String,
    /// The account's password, 8 to 1,024 bytes.
    password: String,
    /// Secret of an invitation to a scene, which the new account then has redeemed. Ignored with `link`.
    invitation: Option<String>,
    /// Secret of an account link from the realm's owner.
    link: Option<String>,
}

/// Creates an account and signs it in.
///
/// An account link of the realm's owner suffices under each setting of the realm. Without a link, the setting opens
/// registration to everyone, requires an invitation, or closes it. A refusal by the setting is 403 `accounts_closed`.
#[utoipa::path(post, path = "/api/v1/accounts", operation_id = "create_account", tag = "accounts", request_body = CreateAccountRequest, responses(
    (status = 201, body = SignedInDocument), (status = 403, body = ProblemDocument), (status = 409, body = ProblemDocument),
    (status = 410, body = ProblemDocument), (status = 422, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn join(
    web: RouteStateExtractor,
    asker: RequestNetwork,
    Json(request): Json<CreateAccountRequest>,
) -> Result<Response, Problem> {
    let CreateAccountRequest { username, password, invitation, link } = request;
    web.joins.ask(asker)?;
    let mode = web.app.config.accounts;
    if link.is_none()
        && (mode == RegistrationPolicy::Closed || mode == RegistrationPolicy::Invited && invitation.is_none())
    {
        return Err(Problem::forbidden("only the server's owner can create accounts").because("accounts_closed"));
    }
    // Spent before the first `await`, so that of many concurrent requests no more pass than the rate allows. A request
    // for a taken name costs as much.
    web.joins.spend(asker, limits::JOIN_COST - 1);
    let by_link = link.is_some();
    let link = match link {
        Some(link) => Some(good_link(&web, &link, |account| account.is_none()).await?),
        None => None,
    };
    let invitation = match &invitation {
        Some(secret) if !by_link => Some(invitation_of(&web, secret).await?.1),
        _ => None,
    };
    let warrant = match (&link, &invitation) {
        (Some(link), _) => RegistrationWarrant::Link(link),
        (None, Some(invitation)) => RegistrationWarrant::Invitation(&invitation.id),
        (None, None) => RegistrationWarrant::Open,
    };
    if web.app.store.count_accounts().await? >= limits::ACCOUNTS_MAX {
        let most = limits::ACCOUNTS_MAX;
        return Err(Problem::forbidden(format!("the server has reached its limit of {most} accounts")));
    }
    let hashing = web.app.hashing.of(asker.payer(&username));
    let new_account = NewAccount { name: username, password, realm_owner: false };
    let account = registration::join(&web.app.store, &hashing, new_account, warrant).await?;
    let account = account.ok_or_else(|| if by_link { link_is_void() } else { used_up() })?;
    tracing::info!(name = account.name, by = ?mode, "account created");
    let cookies = session_cookies(&web, &account).await?;
    let mut response = signed_in_response(&web, account.name, false, cookies).await?;
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

/// The hash of a link's secret, if the link is valid. Checked first, because a guess isn't worth a password hash.
///
/// # Errors
/// 410.
async fn good_link(
    web: &RouteState,
    secret: &str,
    is_for: impl FnOnce(Option<String>) -> bool,
) -> Result<SecretHash, Problem> {
    let hash = secret::hash(secret);
    let found = web.app.store.account_link(&hash, clock::unix_now()).await?;
    if found.is_some_and(|link| is_for(link.account)) { Ok(hash) } else { Err(link_is_void()) }
}

fn link_is_void() -> Problem {
    Problem::new(StatusCode::GONE, "the link was used, has expired, or belongs to another server").because("link_void")
}

/// A change of password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangePasswordRequest {
    /// The current password.
    old: String,
    /// The new password, 8 to 1,024 bytes.
    new: String,
}

/// Changes the password of the signed-in account.
///
/// Ends all its other web sessions, connections and tokens.
#[utoipa::path(post, path = "/api/v1/account/password", tag = "accounts", request_body = ChangePasswordRequest, responses(
    (status = 200, body = SignedInDocument), (status = 401, body = ProblemDocument), (status = 422, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn change_password(
    web: RouteStateExtractor,
    caller: Caller,
    origin: SignInClient,
    Json(ChangePasswordRequest { old, new }): Json<ChangePasswordRequest>,
) -> Result<Response, Problem> {
    let name = signed_in(&caller)?;
    compare(&web, &name, old, &origin).await?;
    let hashing = web.app.hashing.of(origin.payer(&name));
    accounts::set_password(&web.app.store, &hashing, &name, new.clone()).await?;
    end_all_of(&web, &name).await?;
    let (account, cookies) = begin_session(&web, &name, new, &origin).await?;
    signed_in_response(&web, account.name, account.realm_owner, cookies).await
}

/// The account's scenes, files and ownership, which its deletion concerns.
#[derive(Serialize, ToSchema)]
pub(super) struct AccountDocument {
    /// The account's name.
    username: String,
    /// The scenes in its namespace, which are removed with it.
    scenes: Vec<String>,
    /// Number of its uploaded files. They stay, because other people's scenes may show them.
    files: u64,
    /// Whether it is the realm's last owner, which cannot be deleted.
    is_last_owner: bool,
}

/// Returns the signed-in account's scenes and files.
#[utoipa::path(get, path = "/api/v1/account", operation_id = "get_account", tag = "accounts", responses((status = 200, body = AccountDocument), (status = 401, body = ProblemDocument)))]
pub(super) async fn describe(web: RouteStateExtractor, caller: Caller) -> Result<axum::Json<AccountDocument>, Problem> {
    let username = signed_in(&caller)?;
    let scenes = scenes_of(&web, &username).await?;
    let files = web.app.store.files_of(&username).await?.files;
    let is_last_owner = web.app.store.is_last_owner(&username).await?;
    Ok(axum::Json(AccountDocument {
        scenes: scenes.iter().map(ToString::to_string).collect(),
        files,
        is_last_owner,
        username,
    }))
}

/// The password, as confirmation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteAccountRequest {
    /// The account's current password.
    password: String,
}

/// Deletes the signed-in account, with the scenes in its namespace.
///
/// Its name cannot be registered again without the realm's owner. The realm's last owner cannot be deleted (409
/// `last_owner`).
#[utoipa::path(post, path = "/api/v1/account/delete", operation_id = "delete_account", tag = "accounts", request_body = DeleteAccountRequest, responses(
    (status = 204), (status = 401, body = ProblemDocument), (status = 409, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn delete(
    web: RouteStateExtractor,
    caller: Caller,
    origin: SignInClient,
    headers: HeaderMap,
    Json(DeleteAccountRequest { password }): Json<DeleteAccountRequest>,
) -> Result<Response, Problem> {
    let name = signed_in(&caller)?;
    compare(&web, &name, password, &origin).await?;
    // Ownership ends before anything is removed, so of the last two owners who delete their accounts at once, one
    // stays.
    if !web.app.store.give_up_realm(&name).await? {
        return Err(Problem::new(StatusCode::CONFLICT, "a server needs an owner: make another account an owner first")
            .because("last_owner"));
    }
    for scene in scenes_of(&web, &name).await? {
        web.app.registrar.remove(scene).await?;
    }
    accounts::remove(&web.app.store, &name).await?;
    end_all_of(&web, &name).await?;
    tracing::info!(name, "account deleted by its holder");
    end_session(&web, &headers).await
}

/// A request for an account link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateAccountLinkRequest {
    /// The account whose password the link resets. Null for a link that creates an account.
    username: Option<String>,
}

/// A link that creates an account or resets a password.
#[derive(Serialize, ToSchema)]
pub(super) struct AccountLinkDocument {
    /// The secret for the link. Returned only once.
    secret: String,
    /// Expiry in Unix seconds.
    ends_at: u64,
}

/// Creates a link by which one person sets a new password or creates an account, once.
///
/// For owners of the realm.
#[utoipa::path(post, path = "/api/v1/account-links", operation_id = "create_account_link", tag = "accounts", request_body = CreateAccountLinkRequest, responses(
    (status = 201, body = AccountLinkDocument), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument)
))]
pub(super) async fn make_link(
    web: RouteStateExtractor,
    caller: Caller,
    Json(CreateAccountLinkRequest { username }): Json<CreateAccountLinkRequest>,
) -> Result<Response, Problem> {
    owners_only(&caller)?;
    tracing::info!(by = caller.name(), account = username, "account link created");
    let link = registration::link(&web.app.store, username.clone()).await?;
    let (secret, ends) =
        link.ok_or_else(|| Problem::not_found(format!("there is no account {:?}", username.unwrap_or_default())))?;
    Ok((StatusCode::CREATED, axum::Json(AccountLinkDocument { secret, ends_at: ends.0 })).into_response())
}

/// A new password by a link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ResetPasswordRequest {
    /// The part of the link after `#reset=`.
    secret: String,
    /// The new password, 8 to 1,024 bytes.
    password: String,
}

/// Sets a new password by a link, once, and signs the account in.
#[utoipa::path(post, path = "/api/v1/account/reset", operation_id = "reset_password", tag = "accounts", request_body = ResetPasswordRequest, responses(
    (status = 200, body = SignedInDocument), (status = 410, body = ProblemDocument), (status = 422, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn reset(
    web: RouteStateExtractor,
    asker: RequestNetwork,
    Json(request): Json<ResetPasswordRequest>,
) -> Result<Response, Problem> {
    web.joins.ask(asker)?;
    let link = good_link(&web, &request.secret, |account| account.is_some()).await?;
    let hashing = web.app.hashing.of(asker.payer(""));
    let name =
        registration::reset(&web.app.store, &hashing, &link, request.password).await?.ok_or_else(link_is_void)?;
    end_all_of(&web, &name).await?;
    let account = web.app.store.account(&name).await?.ok_or_else(link_is_void)?;
    let cookies = session_cookies(&web, &account).await?;
    signed_in_response(&web, account.name, account.realm_owner, cookies).await
}

/// An account, as an owner of the realm sees it.
#[derive(Serialize, ToSchema)]
pub(super) struct AccountEntry {
    /// The account's name.
    username: String,
    /// Whether it owns the realm.
    owner: bool,
}

/// Lists all accounts.
///
/// For owners of the realm.
#[utoipa::path(get, path = "/api/v1/accounts", operation_id = "list_accounts", tag = "accounts", responses((status = 200, body = [AccountEntry]), (status = 403, body = ProblemDocument)))]
pub(super) async fn list(web: RouteStateExtractor, caller: Caller) -> Result<axum::Json<Vec<AccountEntry>>, Problem> {
    owners_only(&caller)?;
    let entry = |row: crate::store::AccountRow| AccountEntry { username: row.name, owner: row.realm_owner };
    Ok(axum::Json(web.app.store.accounts().await?.into_iter().map(entry).collect()))
}

fn owners_only(caller: &Caller) -> Result<(), Problem> {
    if caller.owns_realm() { Ok(()) } else { Err(Problem::forbidden("only the server's owner can do that")) }
}

/// The name of the signed-in account. Tokens cannot change an account.
fn signed_in(caller: &Caller) -> Result<String, Problem> {
    match caller {
        Caller::Account { name, .. } => Ok(name.clone()),
        Caller::Guest { .. } | Caller::Bearer(_) => Err(Problem::unauthorized("sign in first")),
    }
}

async fn scenes_of(web: &RouteState, name: &str) -> Result<Vec<stoa_wire::topic::SceneName>, Problem> {
    Ok(web.app.store.scene_names(name).await?)
}

/// Ends the account's tokens, connections, MQTT sessions and motion sessions.
async fn end_all_of(web: &RouteState, name: &str) -> Result<(), Problem> {
    let ended = control::end_account(&ControlTarget::of_server(&web.app), name.to_owned()).await;
    ended.map(drop).map_err(|refusal| Problem::internal(&refusal))
}
