//! The caller of a request: a signed-in browser, the bearer of a token of this realm, or a guest.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use stoa_state::grant::{
    self, Claims, GUEST, Invitation, Role, RoleRequester, SceneReadRequester, SceneSettings, TokenFilters,
};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{SCENE_PREFIX, SceneName};

use super::token::locked;
use super::{Problem, RouteState, cookies};
use crate::identity::accounts::{secret, web_session};
use crate::identity::claims::{self, is_realm_owner};
use crate::identity::scoped_tokens::{self, TokenPurpose};
use crate::realm_task::RealmError;

/// The caller of a request.
#[derive(Clone, Debug)]
pub(super) enum Caller {
    /// Neither signed in nor with a token.
    Guest {
        /// The id in the browser's guest cookie; `None` without the cookie.
        id: Option<String>,
        /// Ids of the invitations that it has redeemed.
        invitations: Vec<String>,
    },
    /// Signed in.
    Account {
        /// The account's name.
        name: String,
        /// Whether it owns the realm.
        realm_owner: bool,
        /// Ids of the invitations that it has redeemed.
        invitations: Vec<String>,
    },
    /// Presents a token. Its claims limit its rights: a token for one scene gives no role in another scene.
    Bearer(Box<Claims>),
}

impl Caller {
    /// The caller's role in a scene, or `None` without access.
    pub(super) fn role_in(&self, name: &SceneName, settings: &SceneSettings) -> Option<Role> {
        match self {
            Caller::Guest { .. } | Caller::Account { .. } => self.standing(name, settings).map(|(role, _)| role),
            Caller::Bearer(claims) if is_realm_owner(claims) => Some(Role::Owner),
            Caller::Bearer(claims) => {
                let told = claims.role.filter(|_| claims.scene.as_ref() == Some(name))?;
                claims.role_now(name, settings).map(|now| now.min(told))
            }
        }
    }

    /// The caller's role in a scene that it may read now. A locked scene admits its moderators, and clients that are
    /// inside or left it a moment ago.
    ///
    /// # Errors
    /// 403 if the scene is locked for the caller.
    pub(super) async fn role_inside(
        &self,
        web: &RouteState,
        name: &SceneName,
        settings: &SceneSettings,
    ) -> Result<Option<Role>, Problem> {
        let Some(role) = self.role_in(name, settings) else { return Ok(None) };
        Ok(self.reading_role(web, name, settings).await?.map(|_| role))
    }

    /// The role by which the caller reads the scene now, or `None` without access. A token also reads a scene that all
    /// people may read.
    ///
    /// # Errors
    /// 403 if the scene is locked for the caller.
    pub(super) async fn reading_role(
        &self,
        web: &RouteState,
        name: &SceneName,
        settings: &SceneSettings,
    ) -> Result<Option<Role>, Problem> {
        match self.may_read_now(web, name, settings).await? {
            Ok(role) => Ok(Some(role)),
            Err(Reason::Locked) => Err(locked(name)),
            Err(_) => Ok(None),
        }
    }

    /// Whether the scene is locked for the caller.
    pub(super) async fn is_shut_out(
        &self,
        web: &RouteState,
        name: &SceneName,
        settings: &SceneSettings,
    ) -> Result<bool, Problem> {
        Ok(self.may_read_now(web, name, settings).await? == Err(Reason::Locked))
    }

    /// The answer of [`SceneReadRequester::may_read_now`] for the caller. An owner of the realm always reads. Asks the
    /// realm whether the caller is inside only if the scene is locked.
    pub(super) async fn may_read_now(
        &self,
        web: &RouteState,
        name: &SceneName,
        settings: &SceneSettings,
    ) -> Result<Result<Role, Reason>, Problem> {
        if self.owns_realm() {
            return Ok(Ok(Role::Owner));
        }
        let is_inside = settings.moderation.locked && !is_locked_for(web, name, self.claims_in(name)).await?;
        let who = self.who();
        let invitation = self.standing(name, settings).and_then(|(_, invitation)| invitation);
        let reader = match self {
            Caller::Bearer(claims) => SceneReadRequester::Bearer(claims),
            Caller::Guest { .. } | Caller::Account { .. } => SceneReadRequester::Person {
                account: RoleRequester { name: &who, realm_owner: false, guest: self.is_guest() },
                invitation: invitation.map(|invitation| invitation.id.as_str()),
            },
        };
        Ok(reader.may_read_now(name, settings, is_inside))
    }

    /// The bearer's claims; for another caller, claims without rights that hold its identity and the scene.
    fn claims_in(&self, name: &SceneName) -> Claims {
        let in_person = || Claims { scene: Some(name.clone()), ..claims::new("", TokenFilters::default(), 0) };
        match self {
            Caller::Bearer(claims) => Claims::clone(claims),
            Caller::Account { name: account, .. } => Claims { sub: account.clone(), ..in_person() },
            Caller::Guest { id, .. } => Claims { guest: true, guest_id: id.clone(), ..in_person() },
        }
    }

    /// The role of a caller without a token, and the invitation if one grants the role. `None` for a bearer.
    pub(super) fn standing<'a>(
        &self,
        name: &SceneName,
        settings: &'a SceneSettings,
    ) -> Option<(Role, Option<&'a Invitation>)> {
        let who = self.who();
        let (redeemed, realm_owner, guest) = match self {
            Caller::Guest { invitations, .. } => (invitations, false, true),
            Caller::Account { invitations, realm_owner, .. } => (invitations, *realm_owner, false),
            Caller::Bearer(_) => return None,
        };
        let account = RoleRequester { name: &who, realm_owner, guest };
        let own = grant::role_of(name, settings, &account).map(|role| (role, None));
        let theirs = settings.invitations.iter().filter(|invitation| redeemed.contains(&invitation.id));
        let invited = theirs.filter_map(|invitation| {
            let role = grant::role_with(name, settings, &account, Some(&invitation.id))?;
            Some((role, Some(invitation)))
        });
        // The higher role wins, then a role that moderates. Between equal ones, an own role wins over an invitation,
        // which it outlives, and a longer invitation over a shorter one.
        let rank = |(role, invitation): &(Role, Option<&Invitation>)| {
            let moderates = grant::moderates(name, settings, &account, invitation.map(|found| found.id.as_str()));
            (*role, moderates, invitation.is_none(), invitation.map(|invitation| invitation.ends))
        };
        own.into_iter().chain(invited).max_by_key(rank)
    }

    /// The caller's identity, as restrictions name it.
    pub(super) fn who(&self) -> String {
        match self {
            Caller::Guest { id, .. } => format!("{GUEST}{}", id.as_deref().unwrap_or_default()),
            Caller::Account { name, .. } => name.clone(),
            Caller::Bearer(claims) => claims.who().into_owned(),
        }
    }

    /// The role by which the caller moderates a scene, if any.
    pub(super) fn moderates(&self, name: &SceneName, settings: &SceneSettings) -> Option<Role> {
        match self {
            Caller::Guest { .. } => None,
            Caller::Account { name: account, realm_owner, .. } => {
                let account = RoleRequester { name: account, realm_owner: *realm_owner, guest: false };
                let invitation = self.standing(name, settings)?.1.map(|invitation| invitation.id.as_str());
                grant::moderates(name, settings, &account, invitation)
            }
            Caller::Bearer(claims) if is_realm_owner(claims) => Some(Role::Owner),
            Caller::Bearer(claims) if claims.scene.as_ref() == Some(name) => claims.moderates(name, settings),
            Caller::Bearer(_) => None,
        }
    }

    /// The account's name, or the token's subject.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Caller::Guest { .. } => None,
            Caller::Account { name, .. } => Some(name),
            Caller::Bearer(claims) => Some(&claims.sub),
        }
    }

    /// Whether the caller has no account.
    pub(super) fn is_guest(&self) -> bool {
        match self {
            Caller::Guest { .. } => true,
            Caller::Account { .. } => false,
            Caller::Bearer(claims) => claims.guest,
        }
    }

    /// Whether the caller may create this scene. A bearer may if its token allows editing and its account may create
    /// scenes.
    pub(super) async fn may_make(&self, web: &RouteState, name: &SceneName) -> Result<bool, Problem> {
        match self {
            Caller::Guest { .. } => Ok(false),
            Caller::Account { name: account, realm_owner, .. } => {
                let account = RoleRequester { name: account, realm_owner: *realm_owner, guest: false };
                Ok(grant::may_make(&account, name.namespace()))
            }
            Caller::Bearer(claims) => may_bearer_make(web, claims, name).await,
        }
    }

    /// Whether the caller owns the realm.
    pub(super) fn owns_realm(&self) -> bool {
        match self {
            Caller::Guest { .. } => false,
            Caller::Account { realm_owner, .. } => *realm_owner,
            Caller::Bearer(claims) => is_realm_owner(claims),
        }
    }

    pub(super) async fn from_headers(web: &RouteState, headers: &HeaderMap) -> Result<Caller, Problem> {
        if let Some(token) = bearer(headers)? {
            return Ok(Caller::Bearer(Box::new(web.app.keys.verify(token)?)));
        }
        let account = match cookies::find(headers, &cookies::session_name(web.endpoint)) {
            Some(cookie) => web_session::account(&web.app.store, cookie).await?,
            None => None,
        };
        if let Some(account) = account {
            let invitations = web.app.store.invitations_of(&account.name).await?;
            return Ok(Caller::Account { name: account.name, realm_owner: account.realm_owner, invitations });
        }
        let id = browser_id(web, headers);
        let invitations = match &id {
            Some(id) => web.app.store.invitations_of(&format!("{GUEST}{id}")).await?,
            None => Vec::new(),
        };
        Ok(Caller::Guest { id, invitations })
    }
}

impl FromRequestParts<Arc<RouteState>> for Caller {
    type Rejection = Problem;

    /// Identifies the caller, and charges it for a request that may change something.
    async fn from_request_parts(parts: &mut Parts, web: &Arc<RouteState>) -> Result<Caller, Problem> {
        let caller = Caller::from_headers(web, &parts.headers).await?;
        web.changes.ask(parts, caller.name().filter(|_| !caller.is_guest()))?;
        Ok(caller)
    }
}

/// The caller of a request whose result outlasts it, such as a token. Its route has a rate of its own.
pub(super) struct ReconfirmableCaller {
    pub(super) caller: Caller,
    headers: HeaderMap,
}

impl ReconfirmableCaller {
    /// Authenticates the caller again, after the result was recorded. An end of the account or token in between
    /// either finds the record, or is found here.
    pub(super) async fn confirm(&self, web: &RouteState) -> Result<(), Problem> {
        let now = Caller::from_headers(web, &self.headers).await?;
        if now.name() == self.caller.name() { Ok(()) } else { Err(signed_out()) }
    }

    /// The id of the caller's browser: a fresh one without the guest cookie, and that of its token for a bearer.
    pub(super) fn browser_id(&self, web: &RouteState) -> Option<String> {
        match &self.caller {
            Caller::Guest { id, .. } => Some(id.clone().unwrap_or_else(secret::fresh)),
            Caller::Account { .. } => Some(browser_id(web, &self.headers).unwrap_or_else(secret::fresh)),
            Caller::Bearer(claims) => claims.guest_id.clone(),
        }
    }
}

impl FromRequestParts<Arc<RouteState>> for ReconfirmableCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<RouteState>) -> Result<ReconfirmableCaller, Problem> {
        let headers = parts.headers.clone();
        Ok(ReconfirmableCaller { caller: Caller::from_headers(web, &headers).await?, headers })
    }
}

/// The id in the browser's guest cookie. Accounts that sign in to the browser share it.
pub(super) fn browser_id(web: &RouteState, headers: &HeaderMap) -> Option<String> {
    let cookie = cookies::find(headers, &cookies::guest_name(web.endpoint))?;
    let token = scoped_tokens::verify(&web.app.keys, TokenPurpose::Guest, cookie).ok()?;
    Some(token.sub)
}

/// 401 for a caller whose account, password or web session changed or ended during the request.
pub(super) fn signed_out() -> Problem {
    Problem::unauthorized("you have been signed out: sign in again")
}

pub(super) async fn may_bearer_make(web: &RouteState, claims: &Claims, name: &SceneName) -> Result<bool, Problem> {
    if claims.guest || !claims.may_build(name) {
        return Ok(false);
    }
    let owns = is_realm_owner(claims) || web.app.store.account(&claims.sub).await?.is_some_and(|row| row.realm_owner);
    Ok(grant::may_make(&RoleRequester { name: &claims.sub, realm_owner: owns, guest: false }, name.namespace()))
}

/// The caller of a read-only request, for which ARENA's cookie counts too.
pub(super) struct ReadOnlyRequestCaller(pub(super) Caller);

impl FromRequestParts<Arc<RouteState>> for ReadOnlyRequestCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<RouteState>) -> Result<ReadOnlyRequestCaller, Problem> {
        let caller = Caller::from_headers(web, &parts.headers).await?;
        let cookie = cookies::find(&parts.headers, cookies::MQTT_TOKEN);
        Ok(ReadOnlyRequestCaller(match (caller, cookie.map(|token| web.app.keys.verify(token))) {
            (Caller::Guest { .. }, Some(Ok(claims))) => Caller::Bearer(Box::new(claims)),
            (caller, _) => caller,
        }))
    }
}

/// The claims of a token, from the header or from ARENA's cookie.
pub(super) struct BearerClaims(pub(super) Claims);

impl BearerClaims {
    /// Whether the bearer may subscribe to this filter below the scene, by the token and the scene's current settings.
    pub(super) async fn reads(&self, web: &RouteState, name: &SceneName, below: &str) -> Result<bool, Problem> {
        Ok(self.covers_pattern(&name.to_string(), below) && self.role_now(web, name).await? >= Some(Role::Viewer))
    }

    /// Whether the scene is locked now for the bearer of a token for this scene. `false` for other tokens.
    pub(super) async fn is_shut_out(&self, web: &RouteState, name: &SceneName) -> Result<bool, Problem> {
        // For a token of several scenes, `role_now` considers the lock.
        if self.0.scene.as_ref() != Some(name) {
            return Ok(false);
        }
        is_locked_for(web, name, self.0.clone()).await
    }

    /// Whether the bearer may subscribe to this filter below every scene of a pattern such as `alice/+`.
    pub(super) fn covers_pattern(&self, pattern: &str, below: &str) -> bool {
        self.0.may_read(&format!("{SCENE_PREFIX}{pattern}/{below}"))
    }

    /// Whether the bearer may publish any object of the scene, by the token, the scene's current settings and its lock.
    pub(super) async fn builds(&self, web: &RouteState, name: &SceneName) -> Result<bool, Problem> {
        let builds = self.0.may_build(name) && self.role_now(web, name).await? >= Some(Role::Editor);
        Ok(builds && !self.is_shut_out(web, name).await?)
    }

    /// The bearer's current role. A scene that doesn't exist restricts nothing.
    async fn role_now(&self, web: &RouteState, name: &SceneName) -> Result<Option<Role>, Problem> {
        let settings = web.app.store.scene(name).await?;
        Ok(settings.map_or(Some(Role::Owner), |settings| self.0.role_now(name, &settings)))
    }
}

impl FromRequestParts<Arc<RouteState>> for BearerClaims {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<RouteState>) -> Result<BearerClaims, Problem> {
        let token = match bearer(&parts.headers)? {
            Some(token) => Some(token),
            None => cookies::find(&parts.headers, cookies::MQTT_TOKEN),
        };
        let Some(token) = token else {
            return Err(Problem::unauthorized("a token is needed: Authorization: Bearer, or the cookie mqtt_token"));
        };
        let claims = web.app.keys.verify(token)?;
        web.changes.ask(parts, Some(claims.sub.as_str()).filter(|_| !claims.guest))?;
        Ok(BearerClaims(claims))
    }
}

/// Asks the realm whether a scene is locked for the bearer of these claims.
pub(super) async fn is_locked_for(web: &RouteState, name: &SceneName, claims: Claims) -> Result<bool, Problem> {
    match web.app.realm.check_admission(name.clone(), claims, None).await {
        Err(RealmError::Refused(Refusal { reason: Reason::Locked, .. })) => Ok(true),
        Ok(()) | Err(RealmError::Refused(_) | RealmError::NoSuchScene) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let token = value.to_str().ok().and_then(|value| value.split_once(' '));
    match token {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(Some(token.trim())),
        _ => Err(Problem::unauthorized("Authorization takes Bearer and a token of this realm")),
    }
}
