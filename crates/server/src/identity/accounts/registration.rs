//! Lets people create accounts for themselves, and reset passwords by a link.

use super::hashing::PasswordHasher;
use super::{AccountError, NewAccount, hash, row_of, secret};
use crate::limits;
use crate::os::clock;
use crate::store::{AccountLink, AccountRow, RegistrationOutcome, RegistrationWarrant, SecretHash, Store};
use stoa_state::time::UnixSeconds;

/// The registration policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegistrationPolicy {
    /// Anyone who reaches the realm may register.
    Open,
    /// Registration takes an invitation to a scene or a link from the realm's owner.
    #[default]
    Invited,
    /// Only the realm's owner creates accounts.
    Closed,
}

impl RegistrationPolicy {
    /// The setting's value.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            RegistrationPolicy::Open => "open",
            RegistrationPolicy::Invited => "invited",
            RegistrationPolicy::Closed => "closed",
        }
    }
}

impl std::str::FromStr for RegistrationPolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<RegistrationPolicy, String> {
        [RegistrationPolicy::Open, RegistrationPolicy::Invited, RegistrationPolicy::Closed]
            .into_iter()
            .find(|joining| joining.as_str() == text)
            .ok_or_else(|| text.to_owned())
    }
}

/// Creates an account by a warrant; `None` if the warrant is used up or void.
///
/// # Errors
/// [`AccountError`] names the invalid part.
pub(crate) async fn join(
    store: &Store,
    hashing: &PasswordHasher,
    new_account: NewAccount,
    warrant: RegistrationWarrant<'_>,
) -> Result<Option<AccountRow>, AccountError> {
    let row = row_of(hashing, NewAccount { realm_owner: false, ..new_account }).await?;
    match store.join(&row, warrant).await? {
        RegistrationOutcome::Made => Ok(Some(row)),
        RegistrationOutcome::Refused => Ok(None),
        RegistrationOutcome::NameTaken => Err(AccountError::NameTaken(row.name)),
    }
}

/// Creates a link that resets an account's password, or one that creates an account. Returns its secret and expiry;
/// `None` if the account doesn't exist.
///
/// # Errors
/// [`AccountError::Store`].
pub(crate) async fn link(
    store: &Store,
    account: Option<String>,
) -> Result<Option<(String, UnixSeconds)>, AccountError> {
    let fresh = secret::fresh();
    let expires = UnixSeconds(clock::unix_now().0 + limits::ACCOUNT_LINK_TTL.as_secs());
    let added = store.add_account_link(&secret::hash(&fresh), &AccountLink { account, expires }).await?;
    Ok(added.then_some((fresh, expires)))
}

/// Sets the password of a link's account and returns the account's name; `None` if the link is void.
///
/// # Errors
/// [`AccountError`], if the password breaks a rule.
pub(crate) async fn reset(
    store: &Store,
    hashing: &PasswordHasher,
    link: &SecretHash,
    password: String,
) -> Result<Option<String>, AccountError> {
    let hashed = hash(hashing, password).await?;
    Ok(store.reset_password(link, &hashed, clock::unix_now()).await?)
}

#[cfg(test)]
mod tests {
    use stoa_state::grant::SceneSettings;

    use super::*;
    use crate::identity::accounts;

    async fn store() -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        (dir, store)
    }

    fn new_account(name: &str) -> NewAccount {
        NewAccount { name: name.into(), password: "correct horse".into(), realm_owner: false }
    }

    #[tokio::test]
    async fn open_registration_refuses_similar_former_and_referenced_names() {
        let (_dir, store) = store().await;
        let open = async |name: &str| match join(
            &store,
            &PasswordHasher::for_tests(),
            new_account(name),
            RegistrationWarrant::Open,
        )
        .await
        {
            Ok(made) => made.is_some(),
            Err(AccountError::NameTaken(_)) => false,
            Err(error) => panic!("{error}"),
        };
        assert!(open("alice").await, "negative control");
        assert!(!open("Alice").await, "looks like another");
        accounts::remove(&store, "alice").await.unwrap();
        assert!(!open("alice").await, "what was given to the one who is gone is nobody else's");
        let expected = SceneSettings { editors: ["bob".into()].into(), ..SceneSettings::default() };
        store.make_scene(&"public/hall".parse().unwrap(), &expected).await.unwrap();
        store.make_scene(&"carla/attic".parse().unwrap(), &SceneSettings::default()).await.unwrap();
        assert!(!open("bob").await && !open("carla").await);
        let (secret, _) = link(&store, None).await.unwrap().unwrap();
        let hash = secret::hash(&secret);
        assert!(
            join(&store, &PasswordHasher::for_tests(), new_account("bob"), RegistrationWarrant::Link(&hash))
                .await
                .unwrap()
                .is_some(),
            "whom the owner sends"
        );
        assert!(
            join(&store, &PasswordHasher::for_tests(), new_account("dora"), RegistrationWarrant::Link(&hash))
                .await
                .unwrap()
                .is_none(),
            "once"
        );
    }

    #[tokio::test]
    async fn only_the_newest_reset_link_of_an_account_works_and_only_once() {
        let (_dir, store) = store().await;
        join(&store, &PasswordHasher::for_tests(), new_account("alice"), RegistrationWarrant::Open).await.unwrap();
        assert!(link(&store, Some("bob".into())).await.unwrap().is_none(), "nobody is called so");
        let (first, _) = link(&store, Some("alice".into())).await.unwrap().unwrap();
        let (second, _) = link(&store, Some("alice".into())).await.unwrap().unwrap();
        let reset = async |secret: &str| {
            reset(&store, &PasswordHasher::for_tests(), &secret::hash(secret), "battery staple".into()).await.unwrap()
        };
        assert_eq!(reset(&first).await, None);
        assert!(
            join(
                &store,
                &PasswordHasher::for_tests(),
                new_account("mallory"),
                RegistrationWarrant::Link(&secret::hash(&second))
            )
            .await
            .unwrap()
            .is_none()
        );
        assert_eq!(reset(&second).await.as_deref(), Some("alice"));
        assert_eq!(reset(&second).await, None);
    }
}
