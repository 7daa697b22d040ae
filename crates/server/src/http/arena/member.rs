//! Who asks, as ARENA's account service knows people: signed in by a cookie, or by a pass in the form.

use axum::http::HeaderMap;

use super::super::caller::{Caller, signed_out};
use super::super::token::too_far;
use super::super::{Problem, Web};
use super::AccountServiceError;
use crate::identity::scoped_tokens::{self, Pass, Purpose};

/// Somebody who is signed in.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    /// ARENA's staff.
    pub(super) owns_realm: bool,
    /// The token or pass that it shows, and what that comes from: `par` in what it asks for. `None` where that would be too far from the first.
    parents: Option<Vec<String>>,
}

impl Member {
    /// Who asks; `None`: a guest.
    ///
    /// # Errors
    /// 403 where the pass is not good.
    pub(super) async fn of(
        web: &Web,
        headers: &HeaderMap,
        id_token: Option<&str>,
    ) -> Result<Option<Member>, AccountServiceError> {
        match id_token.filter(|text| !text.is_empty()) {
            Some(pass) => {
                let pass = scoped_tokens::verify(&web.app.keys, Purpose::SignIn, pass);
                let pass =
                    pass.map_err(|error| AccountServiceError::forbidden(format!("Invalid id_token: {error}")))?;
                Ok(Some(Member::with(web, pass).await?))
            }
            None => Ok(match Caller::from_headers(web, headers).await? {
                Caller::Account { name, realm_owner, .. } => {
                    Some(Member { name, owns_realm: realm_owner, parents: Some(Vec::new()) })
                }
                // Other tokens count for no more than their claims, and these say nothing of an account.
                Caller::Bearer(claims) if crate::identity::claims::is_realm_owner(&claims) => {
                    Some(Member { parents: claims.lineage(), name: claims.sub, owns_realm: true })
                }
                Caller::Bearer(_) | Caller::Guest { .. } => None,
            }),
        }
    }

    /// The holder of a pass: it needs no account, but one that is there says what it owns.
    pub(super) async fn with(web: &Web, pass: Pass) -> Result<Member, Problem> {
        let account = web.app.store.account(&pass.sub).await?;
        let parents = pass.lineage();
        Ok(Member { name: pass.sub, owns_realm: account.is_some_and(|account| account.realm_owner), parents })
    }

    /// What stands as `par` in what is issued to it.
    ///
    /// # Errors
    /// 403 where it may be asked for nothing more; what is open to it otherwise stays so.
    pub(super) fn parents(&self) -> Result<Vec<String>, Problem> {
        self.parents.clone().ok_or_else(too_far)
    }

    /// Looks once more who asks, when what was asked for is recorded, as [`RevalidatedCaller::confirm`] does.
    ///
    /// [`RevalidatedCaller::confirm`]: super::super::caller::RevalidatedCaller::confirm
    pub(super) async fn confirm(
        &self,
        web: &Web,
        (headers, id_token): (&HeaderMap, Option<&str>),
    ) -> Result<(), AccountServiceError> {
        let now = Member::of(web, headers, id_token).await?;
        if now.is_some_and(|now| now.name == self.name) { Ok(()) } else { Err(signed_out().into()) }
    }

    /// As roles are decided.
    pub(super) fn account(&self) -> stoa_state::grant::Account<'_> {
        stoa_state::grant::Account { name: &self.name, realm_owner: self.owns_realm, guest: false }
    }

    /// Whether it may make scenes in this namespace.
    pub(super) fn may_make_in(&self, namespace: &str) -> bool {
        stoa_state::grant::may_make(&self.account(), namespace)
    }
}
