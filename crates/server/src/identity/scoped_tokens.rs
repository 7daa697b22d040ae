//! Scoped tokens: each serves one purpose, named by its audience, and grants no other right. ARENA's programs sign in
//! with one that they take for Google's id token, and upload with one that they take for a file browser's. Two more
//! recognize browsers.

use serde::{Deserialize, Serialize};
use stoa_state::grant::{Claims, TokenFilters};
use stoa_state::limits::TOKEN_PARENTS_MAX;
use stoa_state::time::UnixSeconds;

use crate::identity::claims;
use crate::identity::tokens::{AuthError, KeyError, TokenAuthority};

/// The purpose of a scoped token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenPurpose {
    /// Signs in a program of ARENA's, in place of Google's id token.
    SignIn,
    /// Uploads files.
    Upload,
    /// Recognizes a guest's browser.
    Guest,
    /// Recognizes a browser in which the account signed in before.
    Browser,
}

impl TokenPurpose {
    /// The token's audience, so that no scoped token is accepted for another purpose or as a full token. For
    /// signing in it is the client id in `/conf/gauth.json`.
    #[must_use]
    pub(crate) fn audience(self) -> &'static str {
        match self {
            TokenPurpose::SignIn => "stoa-sign-in",
            TokenPurpose::Upload => "stoa-upload",
            TokenPurpose::Guest => "stoa-guest",
            TokenPurpose::Browser => "stoa-browser",
        }
    }
}

/// The claims of a scoped token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ScopedTokenClaims {
    /// The account's name, or the id of a guest's browser. The account may be gone.
    pub sub: String,
    /// The purpose's audience.
    pub aud: String,
    /// Issue time.
    pub iat: UnixSeconds,
    /// Expiry.
    pub exp: UnixSeconds,
    /// The token's id, for revocation.
    pub jti: String,
    /// The ids of the tokens that it was derived from, as in a full token.
    #[serde(rename = "par", default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<String>,
    /// The name that ARENA's programs show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

impl ScopedTokenClaims {
    /// The ids whose revocation ends the token: its own and its parents'.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.jti).chain(&self.parents).map(String::as_str)
    }

    /// The `par` claim of tokens derived from this one; `None` if the chain would exceed the limit.
    #[must_use]
    pub(crate) fn lineage(&self) -> Option<Vec<String>> {
        let all = self.parents.iter().chain([&self.jti]).cloned();
        (self.parents.len() < TOKEN_PARENTS_MAX).then(|| all.collect())
    }
}

/// The holder of a new scoped token.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenHolder<'a> {
    /// The account's name, or the id of a guest's browser.
    pub name: &'a str,
    /// The name that ARENA's programs show.
    pub email: Option<String>,
    /// The ids of the tokens that the new token is derived from.
    pub parents: Vec<String>,
}

impl<'a> TokenHolder<'a> {
    /// A holder without parent tokens.
    #[must_use]
    pub(crate) fn called(name: &'a str) -> TokenHolder<'a> {
        TokenHolder { name, ..TokenHolder::default() }
    }
}

/// Signs a scoped token. The caller records the second value, so that the token can be revoked with its account.
///
/// # Errors
/// [`KeyError::NotSigned`].
pub(crate) fn issue(
    keys: &TokenAuthority,
    purpose: TokenPurpose,
    holder: TokenHolder<'_>,
    ttl_s: u64,
) -> Result<(String, Claims), KeyError> {
    let (scoped_token, recorded) = unsigned(purpose, holder, ttl_s);
    Ok((keys.sign(&scoped_token)?, recorded))
}

/// The claims of a new scoped token, and the claims to record.
pub(crate) fn unsigned(purpose: TokenPurpose, holder: TokenHolder<'_>, ttl_s: u64) -> (ScopedTokenClaims, Claims) {
    let TokenHolder { name, email, parents } = holder;
    let recorded = claims::new(name, TokenFilters { publ: Vec::new(), subs: Vec::new() }, ttl_s);
    let scoped_token = ScopedTokenClaims {
        sub: name.to_owned(),
        aud: purpose.audience().to_owned(),
        iat: recorded.iat,
        exp: recorded.exp,
        jti: recorded.jti.clone(),
        parents,
        email,
    };
    (scoped_token, recorded)
}

/// Verifies signature, audience and expiry, and that neither the token nor a parent is revoked. Returns the claims.
///
/// # Errors
/// [`AuthError`].
pub(crate) fn verify(keys: &TokenAuthority, purpose: TokenPurpose, text: &str) -> Result<ScopedTokenClaims, AuthError> {
    let scoped_token: ScopedTokenClaims = keys.read(text, purpose.audience())?;
    if scoped_token.names().any(|name| keys.is_revoked(name)) { Err(AuthError::Revoked) } else { Ok(scoped_token) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scoped_token_is_valid_only_for_its_purpose_until_revoked() {
        let dir = tempfile::tempdir().unwrap();
        let keys = TokenAuthority::load_or_create(dir.path()).unwrap();
        let (scoped_token, recorded) = issue(&keys, TokenPurpose::SignIn, TokenHolder::called("alice"), 60).unwrap();
        assert_eq!(verify(&keys, TokenPurpose::SignIn, &scoped_token).unwrap().sub, "alice");
        assert_eq!(verify(&keys, TokenPurpose::Upload, &scoped_token), Err(AuthError::BadToken));
        assert_eq!(keys.verify(&scoped_token), Err(AuthError::BadToken));
        let token = keys.issue(&claims::of_realm_owner("alice", 60)).unwrap();
        assert!(keys.verify(&token).is_ok(), "negative control");
        assert_eq!(verify(&keys, TokenPurpose::SignIn, &token), Err(AuthError::BadToken));
        keys.revoke(recorded.jti.clone());
        assert_eq!(verify(&keys, TokenPurpose::SignIn, &scoped_token), Err(AuthError::Revoked));
        let child = TokenHolder { parents: vec![recorded.jti], ..TokenHolder::called("alice") };
        let (child, _) = issue(&keys, TokenPurpose::Upload, child, 60).unwrap();
        assert_eq!(verify(&keys, TokenPurpose::Upload, &child), Err(AuthError::Revoked), "it was asked for by that");
    }
}
