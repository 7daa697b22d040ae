//! Creates the claims of new tokens.

use stoa_state::grant::{self, Claims, TokenFilters};
use stoa_state::time::UnixSeconds;

use crate::identity::accounts::secret;
use crate::os::clock;

/// Claims for `filters`, valid for `ttl_s` seconds from now. The caller sets all other claims.
pub fn new(subject: &str, filters: TokenFilters, ttl_s: u64) -> Claims {
    let iat = clock::unix_now();
    Claims::new(subject, secret::fresh(), iat..UnixSeconds(iat.0.saturating_add(ttl_s)), filters)
}

/// Claims to everything in the realm, whatever the settings of its scenes.
pub fn of_realm_owner(subject: &str, ttl_s: u64) -> Claims {
    Claims { by_realm: true, ..new(subject, grant::realm_filters(), ttl_s) }
}

/// Whether the claims are those of an owner of the realm.
pub fn is_realm_owner(claims: &Claims) -> bool {
    !claims.guest && claims.scene.is_none() && claims.publ.iter().any(|filter| filter.as_str() == "#")
}
