//! The first owner's link: a one-time secret in a URL's fragment, which keeps it out of logs. It expires after an
//! hour, is replaced at each start, and is void once the realm has an owner.

use stoa_state::time::UnixSeconds;

use super::hashing::PasswordHasher;
use super::{AccountError, NewAccount, row_of, secret};
use crate::limits;
use crate::os::clock;
use crate::store::{AccountRow, OwnerRedemptionOutcome, Store};

/// Creates a new link's secret and voids the old one; `None` if the realm has an owner.
///
/// # Errors
/// [`AccountError::Store`].
pub(crate) async fn renew(store: &Store) -> Result<Option<String>, AccountError> {
    if store.owner_exists().await? {
        store.void_owner_link().await?;
        return Ok(None);
    }
    let fresh = secret::fresh();
    let expires = UnixSeconds(clock::unix_now().0 + limits::OWNER_LINK_TTL.as_secs());
    store.put_owner_link(&secret::hash(&fresh), expires).await?;
    Ok(Some(fresh))
}

/// Whether the secret is valid now. Only [`redeem`] decides.
///
/// # Errors
/// [`AccountError::Store`].
pub(crate) async fn is_good(store: &Store, secret: &str) -> Result<bool, AccountError> {
    Ok(store.owner_link_is_good(&secret::hash(secret), clock::unix_now()).await?)
}

/// Creates the realm's owner; `None` if the secret is wrong, expired or void.
///
/// # Errors
/// [`AccountError`] names the invalid part.
pub(crate) async fn redeem(
    store: &Store,
    hashing: &PasswordHasher,
    secret: &str,
    new_account: NewAccount,
) -> Result<Option<AccountRow>, AccountError> {
    let account = row_of(hashing, NewAccount { realm_owner: true, ..new_account }).await?;
    match store.redeem_owner_link(&secret::hash(secret), &account).await? {
        OwnerRedemptionOutcome::Made => Ok(Some(account)),
        OwnerRedemptionOutcome::Refused => Ok(None),
        OwnerRedemptionOutcome::NameTaken => Err(AccountError::NameTaken(account.name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_account(name: &str) -> NewAccount {
        NewAccount { name: name.into(), password: "correct horse".into(), realm_owner: false }
    }

    #[tokio::test]
    async fn an_owner_link_creates_one_realm_owner_and_is_then_invalid() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        let link = renew(&store).await.unwrap().expect("nobody owns the realm yet");
        assert!(
            redeem(&store, &PasswordHasher::for_tests(), "guessed", new_account("mallory")).await.unwrap().is_none()
        );
        let owner = redeem(&store, &PasswordHasher::for_tests(), &link, new_account("alice"))
            .await
            .unwrap()
            .expect("the link is good");
        assert!(owner.realm_owner);
        assert!(redeem(&store, &PasswordHasher::for_tests(), &link, new_account("bob")).await.unwrap().is_none());
        assert_eq!(renew(&store).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_renewed_owner_link_invalidates_the_previous_one() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        let first = renew(&store).await.unwrap().expect("no owner");
        let second = renew(&store).await.unwrap().expect("no owner");
        assert!(redeem(&store, &PasswordHasher::for_tests(), &first, new_account("alice")).await.unwrap().is_none());
        assert!(
            redeem(&store, &PasswordHasher::for_tests(), &second, new_account("alice")).await.unwrap().is_some(),
            "negative control: the new one works"
        );
    }

    #[tokio::test]
    async fn an_expired_owner_link_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        store.put_owner_link(&secret::hash("late"), UnixSeconds(clock::unix_now().0 - 1)).await.unwrap();
        assert!(redeem(&store, &PasswordHasher::for_tests(), "late", new_account("alice")).await.unwrap().is_none());
    }
}
