//! Makes the claims of new tokens.

use stoa_state::grant::{Claims, TokenFilters};
use stoa_state::time::UnixTime;

use crate::identity::accounts::secret;
use crate::os::clock;

/// Claims for `filters`, valid from now for `ttl_s` seconds; further claims are the caller's to set.
pub fn new(subject: &str, filters: TokenFilters, ttl_s: u64) -> Claims {
    let iat = clock::unix_now();
    Claims::new(subject, secret::fresh(), iat..UnixTime(iat.0.saturating_add(ttl_s)), filters)
}

/// Whether these are an owner's of the whole realm.
pub fn is_realm_owner(claims: &Claims) -> bool {
    !claims.guest && claims.scene.is_none() && claims.publ.iter().any(|filter| filter.as_str() == "#")
}
