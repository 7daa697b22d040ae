//! Browsers that signed in: an opaque cookie, of which only the hash is stored.

use stoa_state::time::UnixTime;

use super::secret;
use crate::limits;
use crate::os::clock;
use crate::store::{AccountRow, Store, StoreError, WebSession};

/// Begins a web session of an account as it was when its password was compared; the answer is the cookie's value. `None` where the password was changed, or
/// the account removed, meanwhile.
///
/// # Errors
/// What the store says.
pub(crate) async fn begin(store: &Store, account: &AccountRow) -> Result<Option<String>, StoreError> {
    let cookie = secret::fresh();
    let now = clock::unix_now();
    let session = WebSession {
        secret_hash: secret::hash(&cookie),
        account: account.name.clone(),
        password: account.password.clone(),
        expires: UnixTime(now.0 + limits::WEB_SESSION_TTL.as_secs()),
    };
    Ok(store.add_web_session(&session, now).await?.then_some(cookie))
}

/// Whose cookie it is.
///
/// # Errors
/// What the store says.
pub(crate) async fn account(store: &Store, cookie: &str) -> Result<Option<AccountRow>, StoreError> {
    store.web_session_account(&secret::hash(cookie), clock::unix_now()).await
}

/// Ends a web session.
///
/// # Errors
/// What the store says.
pub(crate) async fn end(store: &Store, cookie: &str) -> Result<(), StoreError> {
    store.end_web_session(&secret::hash(cookie)).await
}
