//! Sign-in, sign-out and the first owner's account.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use stoa_state::network::ClientNetwork;
use utoipa::ToSchema;

use super::body::Json;
use super::caller::{Caller, signed_out};
use super::guard::CheckedAuthority;
use super::problem::ProblemDocument;
use super::rate_limit::RequestNetwork;
use super::{PeerSocketAddress, Problem, RouteState, RouteStateExtractor, cookies};
use crate::identity::accounts::attempts::AttemptOrigin;
use crate::identity::accounts::{self, NewAccount, owner_link, web_session};
use crate::identity::scoped_tokens::{self, ScopedTokenClaims, TokenHolder, TokenPurpose};
use crate::limits;
use crate::store::AccountRow;
use stoa_net::background::ComputationPayer;

/// The caller's account, and how accounts are created on this server.
#[derive(Serialize, ToSchema)]
pub(super) struct SignedInDocument {
    /// The account's name. Null for a guest.
    username: Option<String>,
    /// Whether the account owns the realm.
    owner: bool,
    /// Whether the realm has an owner.
    owner_exists: bool,
    /// Account creation without the realm's owner: `open` (everyone), `invited` or `closed` (no one).
    accounts: &'static str,
    /// URL of the realm for other devices on this network. Only for callers on the realm's own machine, whose page
    /// has an address that is of no use elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<String>,
}

/// An account and its password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignInRequest {
    /// The account's name.
    username: String,
    /// The account's password.
    password: String,
}

/// The secret of the owner's link, and the account to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateOwnerRequest {
    /// The part of the link after `#`.
    secret: String,
    /// The new account's name.
    username: String,
    /// The new account's password, 8 to 1,024 bytes.
    password: String,
}

/// The origin of a sign-in: the client's network, and the account that signed in to this browser before.
pub(super) struct SignInClient {
    network: Option<ClientNetwork>,
    browser: Option<ScopedTokenClaims>,
}

impl SignInClient {
    /// The payer of the sign-in's password hash.
    pub(super) fn payer(&self, name: &str) -> ComputationPayer {
        ComputationPayer::of(self.network, name)
    }

    fn attempt(&self, name: &str) -> AttemptOrigin {
        let known_browser = self.browser.as_ref().filter(|token| token.sub == name).map(|token| token.jti.clone());
        AttemptOrigin { address: self.network.map(ClientNetwork::address), known_browser }
    }
}

impl FromRequestParts<Arc<RouteState>> for SignInClient {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<RouteState>) -> Result<SignInClient, Infallible> {
        let RequestNetwork(network) = RequestNetwork::from_request_parts(parts, web).await?;
        let cookie = cookies::find(&parts.headers, &cookies::browser_name(web.endpoint));
        let browser =
            cookie.and_then(|cookie| scoped_tokens::verify(&web.app.keys, TokenPurpose::Browser, cookie).ok());
        Ok(SignInClient { network, browser })
    }
}

/// The cookies of a sign-in: the web session's, and the one that recognizes the browser.
pub(super) type SignInCookies = [HeaderValue; 2];

/// Signs in.
///
/// The response sets the web session's cookie and the one that recognizes the browser.
#[utoipa::path(post, path = "/api/v1/login", operation_id = "sign_in", tag = "accounts", request_body = SignInRequest, responses(
    (status = 200, body = SignedInDocument), (status = 401, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn login(
    web: RouteStateExtractor,
    origin: SignInClient,
    Json(SignInRequest { username, password }): Json<SignInRequest>,
) -> Result<Response, Problem> {
    let (account, cookies) = begin_session(&web, &username, password, &origin).await?;
    signed_in_response(&web, account.name, account.realm_owner, cookies).await
}

/// Checks the password, within the limits on guessing, and begins a web session. Returns its account and cookies.
pub(super) async fn begin_session(
    web: &RouteState,
    name: &str,
    password: String,
    origin: &SignInClient,
) -> Result<(AccountRow, SignInCookies), Problem> {
    let account = compare(web, name, password, origin).await?;
    let cookies = session_cookies(web, &account).await?;
    Ok((account, cookies))
}

/// The account, if the password is right. A wrong one counts against the limits on guessing.
pub(super) async fn compare(
    web: &RouteState,
    name: &str,
    password: String,
    origin: &SignInClient,
) -> Result<AccountRow, Problem> {
    let hashing = web.app.hashing.of(origin.payer(name));
    let origin = origin.attempt(name);
    begin_attempt(web, name, &origin)?;
    let Some(account) = accounts::sign_in(&web.app.store, &hashing, name, password).await? else {
        return Err(Problem::unauthorized("wrong username or password"));
    };
    web.app.attempts.succeeded(name, &origin);
    Ok(account)
}

/// Signs out.
///
/// Ends the web session and removes its cookies.
#[utoipa::path(post, path = "/api/v1/logout", operation_id = "sign_out", tag = "accounts", responses((status = 204)))]
pub(super) async fn logout(web: RouteStateExtractor, headers: HeaderMap) -> Result<Response, Problem> {
    end_session(&web, &headers).await
}

/// Ends the cookie's web session. Removes the session's cookie and the two cookies for tokens.
pub(super) async fn end_session(web: &RouteState, headers: &HeaderMap) -> Result<Response, Problem> {
    let name = cookies::session_name(web.endpoint);
    if let Some(cookie) = cookies::find(headers, &name) {
        web_session::end(&web.app.store, cookie).await?;
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    for name in [&name, cookies::MQTT_TOKEN, cookies::STORE] {
        let cookie = cookies::set(web.endpoint, name, "", 0).expect("an empty cookie is short");
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Redeems the first owner's link: creates the account and signs it in.
#[utoipa::path(post, path = "/api/v1/owner", operation_id = "create_owner", tag = "accounts", request_body = CreateOwnerRequest, responses(
    (status = 200, body = SignedInDocument), (status = 403, body = ProblemDocument), (status = 409, body = ProblemDocument),
    (status = 422, body = ProblemDocument)
))]
pub(super) async fn owner(
    web: RouteStateExtractor,
    Json(CreateOwnerRequest { secret, username, password }): Json<CreateOwnerRequest>,
) -> Result<Response, Problem> {
    let void = || Problem::forbidden("the link is wrong, expired or used; restart the server to get a new one");
    // Wrong secrets aren't counted, because nobody guesses 256 bits and a limit could lock the owner out. The link is
    // checked before the password is hashed.
    if !owner_link::is_good(&web.app.store, &secret).await? {
        return Err(void());
    }
    let wish = NewAccount { name: username, password, realm_owner: true };
    let account = owner_link::redeem(&web.app.store, &web.app.hashing, &secret, wish).await?.ok_or_else(void)?;
    let cookies = session_cookies(&web, &account).await?;
    signed_in_response(&web, account.name, true, cookies).await
}

/// Returns the caller's account and the realm's account settings.
#[utoipa::path(get, path = "/api/v1/me", operation_id = "get_caller", tag = "accounts", responses((status = 200, body = SignedInDocument)))]
pub(super) async fn me(
    web: RouteStateExtractor,
    caller: Caller,
    client: Option<Extension<PeerSocketAddress>>,
    site: Extension<CheckedAuthority>,
    headers: HeaderMap,
) -> Result<axum::Json<SignedInDocument>, Problem> {
    let username = if caller.is_guest() { None } else { caller.name().map(str::to_owned) };
    let owner_exists = web.app.store.owner_exists().await?;
    let is_here = client.is_some_and(|Extension(PeerSocketAddress(address))| address.ip().to_canonical().is_loopback());
    let network = if is_here && is_from_this_machine(&site, &headers) { web.app.network_address() } else { None };
    let accounts = web.app.config.accounts.as_str();
    Ok(axum::Json(SignedInDocument { username, owner: caller.owns_realm(), owner_exists, accounts, network }))
}

/// Whether a request from a loopback address is from this machine. Behind a local proxy every client address is
/// loopback, but the requests then have another host name or a proxy's header.
fn is_from_this_machine(site: &CheckedAuthority, headers: &HeaderMap) -> bool {
    const OF_PROXIES: [&str; 5] = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];
    ["localhost", "127.0.0.1", "[::1]"].contains(&site.host())
        && !OF_PROXIES.iter().any(|name| headers.contains_key(*name))
}

fn begin_attempt(web: &RouteState, name: &str, origin: &AttemptOrigin) -> Result<(), Problem> {
    let begun = web.app.attempts.begin(name, origin, Instant::now());
    begun.map_err(|wait| {
        let detail = format!("too many failed attempts; try again in {} s", wait.as_secs().max(1));
        Problem::too_many(detail, wait)
    })
}

/// Begins a web session and returns the cookies of the sign-in.
pub(super) async fn session_cookies(web: &RouteState, account: &AccountRow) -> Result<SignInCookies, Problem> {
    let secret = web_session::begin(&web.app.store, account).await?.ok_or_else(signed_out)?;
    let max_age_s = limits::WEB_SESSION_TTL.as_secs();
    let session = cookies::set(web.endpoint, &cookies::session_name(web.endpoint), &secret, max_age_s);
    // The browser's token gives no right but a counter of its own for wrong passwords, so it is not recorded and not
    // revoked.
    let ttl_s = limits::KNOWN_BROWSER_TTL.as_secs();
    let holder = TokenHolder::called(&account.name);
    let owner = ComputationPayer::of(None, &account.name);
    let (token, _) = web.app.signer.issue(owner, TokenPurpose::Browser, holder, ttl_s).await?;
    let browser = cookies::set(web.endpoint, &cookies::browser_name(web.endpoint), &token, ttl_s);
    Ok([session, browser].map(|cookie| cookie.expect("both are short")))
}

pub(super) async fn signed_in_response(
    web: &RouteState,
    name: String,
    realm_owner: bool,
    cookies: SignInCookies,
) -> Result<Response, Problem> {
    let owner_exists = realm_owner || web.app.store.owner_exists().await?;
    let accounts = web.app.config.accounts.as_str();
    let me = SignedInDocument { username: Some(name), owner: realm_owner, owner_exists, accounts, network: None };
    let cookies = AppendHeaders(cookies.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok((cookies, axum::Json(me)).into_response())
}
