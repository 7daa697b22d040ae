//! Who asks: a browser that signed in, a bearer of a token of this realm, or a guest.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use stoa_state::grant::{self, Account, Claims, GUEST, Invitation, Role, SceneSettings, TokenFilters};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{SCENE_PREFIX, SceneName};

use super::token::locked;
use super::{Problem, Web, cookies};
use crate::identity::accounts::web_session;
use crate::identity::claims::{self, is_realm_owner};
use crate::identity::scoped_tokens::{self, Purpose};
use crate::realm_task::RealmError;

/// Who asks.
#[derive(Clone, Debug)]
pub(super) enum Caller {
    /// Nobody we know.
    Guest {
        /// What tells its browser from others, where that keeps cookies.
        id: Option<String>,
        /// The invitations that it has redeemed.
        invitations: Vec<String>,
    },
    /// Signed in.
    Account {
        /// Its name.
        name: String,
        /// Owns the realm.
        realm_owner: bool,
        /// The invitations that it has redeemed.
        invitations: Vec<String>,
    },
    /// Shows a token. It counts for no more than its claims: a token for one scene opens no other.
    Bearer(Box<Claims>),
}

impl Caller {
    /// What the caller is in a scene; `None`: it may not enter.
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

    /// What the caller may do from outside in a scene whose door may be locked: as [`Caller::role_in`] for those who moderate, are inside or just were.
    ///
    /// # Errors
    /// 403 for others, where it is locked.
    pub(super) async fn role_inside(
        &self,
        web: &Web,
        name: &SceneName,
        settings: &SceneSettings,
    ) -> Result<Option<Role>, Problem> {
        let role = self.role_in(name, settings);
        if role.is_some() && self.is_shut_out(web, name, settings).await? {
            return Err(locked(name));
        }
        Ok(role)
    }

    /// Whether the scene's door is locked for the caller.
    pub(super) async fn is_shut_out(
        &self,
        web: &Web,
        name: &SceneName,
        settings: &SceneSettings,
    ) -> Result<bool, Problem> {
        if !settings.moderation.locked || self.moderates(name, settings).is_some() {
            return Ok(false);
        }
        let in_person = || Claims { scene: Some(name.clone()), ..claims::new("", TokenFilters::default(), 0) };
        let claims = match self {
            Caller::Bearer(claims) => Claims::clone(claims),
            Caller::Account { name: account, .. } => Claims { sub: account.clone(), ..in_person() },
            Caller::Guest { id, .. } => Claims { guest: true, guest_id: id.clone(), ..in_person() },
        };
        finds_shut(web, name, claims).await
    }

    /// The role of somebody who asks in person, and the invitation that it comes from.
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
        let account = Account { name: &who, realm_owner, guest };
        let own = grant::role_of(name, settings, &account).map(|role| (role, None));
        let theirs = settings.invitations.iter().filter(|invitation| redeemed.contains(&invitation.id));
        let invited = theirs.filter_map(|invitation| {
            let role = grant::role_with(name, settings, &account, Some(&invitation.id))?;
            Some((role, Some(invitation)))
        });
        // What one is anyway does not end with a link, unless one moderates by that alone; of links the one that lasts longest.
        let rank = |(role, invitation): &(Role, Option<&Invitation>)| {
            let moderates = grant::moderates(name, settings, &account, invitation.map(|found| found.id.as_str()));
            (*role, moderates, invitation.is_none(), invitation.map(|invitation| invitation.ends))
        };
        own.into_iter().chain(invited).max_by_key(rank)
    }

    /// Who it is, for what is decided about people.
    pub(super) fn who(&self) -> String {
        match self {
            Caller::Guest { id, .. } => format!("{GUEST}{}", id.as_deref().unwrap_or_default()),
            Caller::Account { name, .. } => name.clone(),
            Caller::Bearer(claims) => claims.who().into_owned(),
        }
    }

    /// As what the caller moderates a scene.
    pub(super) fn moderates(&self, name: &SceneName, settings: &SceneSettings) -> Option<Role> {
        match self {
            Caller::Guest { .. } => None,
            Caller::Account { name: account, realm_owner, .. } => {
                let account = Account { name: account, realm_owner: *realm_owner, guest: false };
                let invitation = self.standing(name, settings)?.1.map(|invitation| invitation.id.as_str());
                grant::moderates(name, settings, &account, invitation)
            }
            Caller::Bearer(claims) if is_realm_owner(claims) => Some(Role::Owner),
            Caller::Bearer(claims) if claims.scene.as_ref() == Some(name) => claims.moderates(name, settings),
            Caller::Bearer(_) => None,
        }
    }

    /// The account's name, or what the token says.
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

    /// Whether the caller may make this scene. A bearer may where its token lets it build and the account behind it may make scenes.
    pub(super) async fn may_make(&self, web: &Web, name: &SceneName) -> Result<bool, Problem> {
        match self {
            Caller::Guest { .. } => Ok(false),
            Caller::Account { name: account, realm_owner, .. } => {
                let account = Account { name: account, realm_owner: *realm_owner, guest: false };
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

    pub(super) async fn from_headers(web: &Web, headers: &HeaderMap) -> Result<Caller, Problem> {
        if let Some(token) = bearer(headers)? {
            return Ok(Caller::Bearer(Box::new(web.app.keys.verify(token)?)));
        }
        let account = match cookies::find(headers, &cookies::session_name(web.door)) {
            Some(cookie) => web_session::account(&web.app.store, cookie).await?,
            None => None,
        };
        if let Some(account) = account {
            let invitations = web.app.store.invitations_of(&account.name).await?;
            return Ok(Caller::Account { name: account.name, realm_owner: account.realm_owner, invitations });
        }
        let cookie = cookies::find(headers, &cookies::guest_name(web.door));
        let id = cookie
            .and_then(|pass| scoped_tokens::verify(&web.app.keys, Purpose::Guest, pass).ok())
            .map(|pass| pass.sub);
        let invitations = match &id {
            Some(id) => web.app.store.invitations_of(&format!("{GUEST}{id}")).await?,
            None => Vec::new(),
        };
        Ok(Caller::Guest { id, invitations })
    }
}

impl FromRequestParts<Arc<Web>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<Web>) -> Result<Caller, Problem> {
        Caller::from_headers(web, &parts.headers).await
    }
}

/// Who asks for what outlasts the request.
pub(super) struct Lasting {
    pub(super) caller: Caller,
    headers: HeaderMap,
}

impl Lasting {
    /// Looks once more who asks, when what was asked for is recorded: whatever ends the account or its token meanwhile finds the record, or is found here.
    pub(super) async fn confirm(&self, web: &Web) -> Result<(), Problem> {
        let now = Caller::from_headers(web, &self.headers).await?;
        if now.name() == self.caller.name() { Ok(()) } else { Err(signed_out()) }
    }
}

impl FromRequestParts<Arc<Web>> for Lasting {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<Web>) -> Result<Lasting, Problem> {
        let headers = parts.headers.clone();
        Ok(Lasting { caller: Caller::from_headers(web, &headers).await?, headers })
    }
}

/// The answer where an account ended while it asked.
pub(super) fn signed_out() -> Problem {
    Problem::unauthorized("you were signed out meanwhile")
}

pub(super) async fn may_bearer_make(web: &Web, claims: &Claims, name: &SceneName) -> Result<bool, Problem> {
    if claims.guest || !claims.may_build(name) {
        return Ok(false);
    }
    let owns = is_realm_owner(claims) || web.app.store.account(&claims.sub).await?.is_some_and(|row| row.realm_owner);
    Ok(grant::may_make(&Account { name: &claims.sub, realm_owner: owns, guest: false }, name.namespace()))
}

/// Who asks to read only: here ARENA's cookie counts too.
pub(super) struct Reader(pub(super) Caller);

impl FromRequestParts<Arc<Web>> for Reader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<Web>) -> Result<Reader, Problem> {
        let caller = Caller::from_headers(web, &parts.headers).await?;
        let cookie = cookies::find(&parts.headers, cookies::MQTT_TOKEN);
        Ok(Reader(match (caller, cookie.map(|token| web.app.keys.verify(token))) {
            (Caller::Guest { .. }, Some(Ok(claims))) => Caller::Bearer(Box::new(claims)),
            (caller, _) => caller,
        }))
    }
}

/// The claims of a token, by header or by ARENA's cookie.
pub(super) struct Token(pub(super) Claims);

impl Token {
    /// Whether the bearer may read what this filter covers below the scene, by its settings of now.
    pub(super) async fn reads(&self, web: &Web, name: &SceneName, below: &str) -> Result<bool, Problem> {
        Ok(self.covers_pattern(&name.to_string(), below) && self.role_now(web, name).await? >= Some(Role::Viewer))
    }

    /// Whether the scene's door is locked for the bearer, who has got the token before that.
    pub(super) async fn is_shut_out(&self, web: &Web, name: &SceneName) -> Result<bool, Problem> {
        // One for many scenes gives nothing there anyway.
        if self.0.scene.as_ref() != Some(name) {
            return Ok(false);
        }
        finds_shut(web, name, self.0.clone()).await
    }

    /// Whether the bearer may subscribe to this filter below every scene of a pattern such as `alice/+`.
    pub(super) fn covers_pattern(&self, pattern: &str, below: &str) -> bool {
        self.0.may_read(&format!("{SCENE_PREFIX}{pattern}/{below}"))
    }

    /// Whether the bearer may publish objects of the scene at large, under an identity of its own, by its settings of now.
    pub(super) async fn builds(&self, web: &Web, name: &SceneName) -> Result<bool, Problem> {
        let builds = self.0.may_build(name) && self.role_now(web, name).await? >= Some(Role::Editor);
        Ok(builds && !self.is_shut_out(web, name).await?)
    }

    /// A scene that is not there shuts nobody out.
    async fn role_now(&self, web: &Web, name: &SceneName) -> Result<Option<Role>, Problem> {
        let settings = web.app.store.scene(name).await?;
        Ok(settings.map_or(Some(Role::Owner), |settings| self.0.role_now(name, &settings)))
    }
}

impl FromRequestParts<Arc<Web>> for Token {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<Web>) -> Result<Token, Problem> {
        let token = match bearer(&parts.headers)? {
            Some(token) => Some(token),
            None => cookies::find(&parts.headers, cookies::MQTT_TOKEN),
        };
        let Some(token) = token else {
            return Err(Problem::unauthorized("a token is needed: Authorization: Bearer, or the cookie mqtt_token"));
        };
        Ok(Token(web.app.keys.verify(token)?))
    }
}

/// Asks at a scene's door whether it is locked for the bearer of these claims.
pub(super) async fn finds_shut(web: &Web, name: &SceneName, claims: Claims) -> Result<bool, Problem> {
    match web.app.realm.knock(name.clone(), claims).await {
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
