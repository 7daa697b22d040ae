//! The signed-in caller of ARENA's account service: by cookie, by a sign-in token in the form, by an upload token, or
//! by a token of the realm's owner.

use axum::http::HeaderMap;

use super::super::caller::{Caller, signed_out};
use super::super::rate_limit::RequestNetwork;
use super::super::token::too_far;
use super::super::{Problem, RouteState};
use super::AccountServiceError;
use crate::identity::scoped_tokens::{self, ScopedTokenClaims, TokenPurpose};

/// A signed-in caller.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    /// Whether the caller owns the realm; ARENA calls such accounts staff.
    pub(super) owns_realm: bool,
    /// Ids of the caller's token and of those it was requested with, for the `par` claim of further tokens. `None` if
    /// there are too many.
    parents: Option<Vec<String>>,
}

impl Member {
    /// The signed-in caller. `None` for a guest, and for a bearer that doesn't own the realm.
    ///
    /// # Errors
    /// 403 if the sign-in token is invalid, 401 if the bearer's token is.
    pub(super) async fn of(
        web: &RouteState,
        headers: &HeaderMap,
        id_token: Option<&str>,
    ) -> Result<Option<Member>, AccountServiceError> {
        match id_token.filter(|text| !text.is_empty()) {
            Some(scoped_token) => {
                let scoped_token = scoped_tokens::verify(&web.app.keys, TokenPurpose::SignIn, scoped_token);
                let scoped_token = scoped_token
                    .map_err(|error| AccountServiceError::forbidden(format!("Invalid id_token: {error}")))?;
                Ok(Some(Member::with(web, scoped_token).await?))
            }
            None => Ok(match Caller::from_headers(web, headers).await? {
                Caller::Account { name, realm_owner, .. } => {
                    Some(Member { name, owns_realm: realm_owner, parents: Some(Vec::new()) })
                }
                // Other tokens grant their claims only, and those don't concern an account.
                Caller::Bearer(claims) if crate::identity::claims::is_realm_owner(&claims) => {
                    Some(Member { parents: claims.lineage(), name: claims.sub, owns_realm: true })
                }
                Caller::Bearer(_) | Caller::Guest { .. } => None,
            }),
        }
    }

    /// The subject of a sign-in or upload token. It needs no account, but an existing account may own the realm.
    pub(super) async fn with(web: &RouteState, scoped_token: ScopedTokenClaims) -> Result<Member, Problem> {
        let account = web.app.store.account(&scoped_token.sub).await?;
        let parents = scoped_token.lineage();
        Ok(Member { name: scoped_token.sub, owns_realm: account.is_some_and(|account| account.realm_owner), parents })
    }

    /// The `par` claim of further tokens.
    ///
    /// # Errors
    /// 403 if the caller's token descends from too many others. It keeps its other rights.
    pub(super) fn parents(&self) -> Result<Vec<String>, Problem> {
        self.parents.clone().ok_or_else(too_far)
    }

    /// Authenticates the caller again, after the result was recorded, as [`ReconfirmableCaller::confirm`] does.
    ///
    /// [`ReconfirmableCaller::confirm`]: super::super::caller::ReconfirmableCaller::confirm
    pub(super) async fn confirm(
        &self,
        web: &RouteState,
        headers: &HeaderMap,
        id_token: Option<&str>,
    ) -> Result<(), AccountServiceError> {
        let now = Member::of(web, headers, id_token).await?;
        if now.is_some_and(|now| now.name == self.name) { Ok(()) } else { Err(signed_out().into()) }
    }

    /// Charges the account and its address for a change.
    ///
    /// # Errors
    /// 429.
    pub(super) fn charge_change(&self, web: &RouteState, asker: RequestNetwork) -> Result<(), Problem> {
        web.changes.charge(asker, Some(&self.name))
    }

    /// The account, for the decision of roles.
    pub(super) fn account(&self) -> stoa_state::grant::RoleRequester<'_> {
        stoa_state::grant::RoleRequester { name: &self.name, realm_owner: self.owns_realm, guest: false }
    }

    /// Whether the caller may create scenes in this namespace.
    pub(super) fn may_make_in(&self, namespace: &str) -> bool {
        stoa_state::grant::may_make(&self.account(), namespace)
    }
}
