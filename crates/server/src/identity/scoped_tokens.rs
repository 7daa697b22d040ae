//! Passes: signed like tokens, but for other doors. ARENA's programs sign in with an id token that they think is Google's, and upload with one that
//! they think is a file browser's; a realm makes both itself.

use serde::{Deserialize, Serialize};
use stoa_state::grant::{Claims, TokenFilters};
use stoa_state::limits::TOKEN_PARENTS_MAX;
use stoa_state::time::UnixTime;

use crate::identity::claims;
use crate::identity::tokens::{AuthError, KeyError, Keys};

/// What a pass is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Signs a program of ARENA's in, in place of Google's id token.
    SignIn,
    /// Uploads files.
    Upload,
    /// Tells a guest's browser from others.
    Guest,
}

impl Purpose {
    /// The audience, so that no pass can stand in for another, or for a token. For signing in it is the client id that `/conf/gauth.json` names.
    #[must_use]
    pub(crate) fn audience(self) -> &'static str {
        match self {
            Purpose::SignIn => "stoa-sign-in",
            Purpose::Upload => "stoa-upload",
            Purpose::Guest => "stoa-guest",
        }
    }
}

/// What a pass says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pass {
    /// Whose it is: an account's name, though the account may be gone.
    pub sub: String,
    /// The purpose's audience.
    pub aud: String,
    /// Issued at.
    pub iat: UnixTime,
    /// Ends at.
    pub exp: UnixTime,
    /// Its own name, by which it is revoked.
    pub jti: String,
    /// By what it was asked for, as in a token.
    #[serde(rename = "par", default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<String>,
    /// What ARENA's programs show for a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

impl Pass {
    /// The names whose revocation ends it: its own, and its parents'.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.jti).chain(&self.parents).map(String::as_str)
    }

    /// What stands as `par` in what is asked for by it. `None` where that would be too far from the first.
    #[must_use]
    pub(crate) fn lineage(&self) -> Option<Vec<String>> {
        let all = self.parents.iter().chain([&self.jti]).cloned();
        (self.parents.len() < TOKEN_PARENTS_MAX).then(|| all.collect())
    }
}

/// Whose a pass is to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holder<'a> {
    /// The account's name.
    pub name: &'a str,
    /// What ARENA's programs show for a name.
    pub email: Option<String>,
    /// By what it is asked for.
    pub parents: Vec<String>,
}

impl<'a> Holder<'a> {
    /// Somebody who asks in person.
    #[must_use]
    pub(crate) fn called(name: &'a str) -> Holder<'a> {
        Holder { name, ..Holder::default() }
    }
}

/// Signs a pass; the second answer is what to record of it, so that it can be revoked with the account.
///
/// # Errors
/// [`KeyError::NotSigned`].
pub(crate) fn issue(
    keys: &Keys,
    purpose: Purpose,
    holder: Holder<'_>,
    ttl_s: u64,
) -> Result<(String, Claims), KeyError> {
    let Holder { name, email, parents } = holder;
    let recorded = claims::new(name, TokenFilters { publ: Vec::new(), subs: Vec::new() }, ttl_s);
    let pass = Pass {
        sub: name.to_owned(),
        aud: purpose.audience().to_owned(),
        iat: recorded.iat,
        exp: recorded.exp,
        jti: recorded.jti.clone(),
        parents,
        email,
    };
    Ok((keys.sign(&pass)?, recorded))
}

/// What a pass says, if it is good.
///
/// # Errors
/// [`AuthError`].
pub(crate) fn verify(keys: &Keys, purpose: Purpose, text: &str) -> Result<Pass, AuthError> {
    let pass: Pass = keys.read(text, purpose.audience())?;
    if pass.names().any(|name| keys.is_revoked(name)) { Err(AuthError::Revoked) } else { Ok(pass) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_opens_its_own_door_alone() {
        let dir = tempfile::tempdir().unwrap();
        let keys = Keys::load_or_create(dir.path()).unwrap();
        let (pass, recorded) = issue(&keys, Purpose::SignIn, Holder::called("alice"), 60).unwrap();
        assert_eq!(verify(&keys, Purpose::SignIn, &pass).unwrap().sub, "alice");
        assert_eq!(verify(&keys, Purpose::Upload, &pass), Err(AuthError::BadToken));
        assert_eq!(keys.verify(&pass), Err(AuthError::BadToken));
        let token = keys.issue(&claims::new("alice", stoa_state::grant::realm_filters(), 60)).unwrap();
        assert!(keys.verify(&token).is_ok(), "negative control");
        assert_eq!(verify(&keys, Purpose::SignIn, &token), Err(AuthError::BadToken));
        keys.revoke(recorded.jti.clone());
        assert_eq!(verify(&keys, Purpose::SignIn, &pass), Err(AuthError::Revoked));
        let child = Holder { parents: vec![recorded.jti], ..Holder::called("alice") };
        let (child, _) = issue(&keys, Purpose::Upload, child, 60).unwrap();
        assert_eq!(verify(&keys, Purpose::Upload, &child), Err(AuthError::Revoked), "it was asked for by that");
    }
}
