//! Web sessions: a browser holds an opaque cookie, the store only its hash.

use stoa_state::time::UnixSeconds;

use super::secret;
use crate::limits;
use crate::os::clock;
use crate::store::{AccountRow, Store, StoreError, WebSession};

/// Starts a web session and returns the cookie. `account` is the row whose password was compared; `None` if the
/// password was changed or the account removed since.
///
/// # Errors
/// The store's error.
pub(crate) async fn begin(store: &Store, account: &AccountRow) -> Result<Option<String>, StoreError> {
    let cookie = secret::fresh();
    let now = clock::unix_now();
    let session = WebSession {
        secret_hash: secret::hash(&cookie),
        account: account.name.clone(),
        password: account.password.clone(),
        expires: UnixSeconds(now.0 + limits::WEB_SESSION_TTL.as_secs()),
    };
    Ok(store.add_web_session(&session, now).await?.then_some(cookie))
}

/// The account of a cookie.
///
/// # Errors
/// The store's error.
pub(crate) async fn account(store: &Store, cookie: &str) -> Result<Option<AccountRow>, StoreError> {
    store.web_session_account(&secret::hash(cookie), clock::unix_now()).await
}

/// Ends a web session.
///
/// # Errors
/// The store's error.
pub(crate) async fn end(store: &Store, cookie: &str) -> Result<(), StoreError> {
    store.end_web_session(&secret::hash(cookie)).await
}
