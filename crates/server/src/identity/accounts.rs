//! Local accounts: their names and passwords, and the ways to create and use them.

use stoa_state::grant::{LOCAL_OWNER, PUBLIC};

pub(crate) mod attempts;
pub(crate) mod hashing;
pub(crate) mod owner_link;
pub(crate) mod registration;
pub(crate) mod secret;
pub(crate) mod web_session;

use self::hashing::PasswordHasher;
use crate::limits;
use crate::os::clock;
use crate::store::{AccountRow, Store, StoreError};

/// First path segments of the realm's routes, which no account may have as its name. The pages' own are in
/// [`RESERVED`]. A test compares this list with the routes.
pub(crate) const FIRST_SEGMENTS: [&str; 15] = [
    ".well-known",
    "api",
    "assets",
    "conf",
    "healthz",
    "motion",
    "mqtt",
    "openapi",
    "persist",
    "readyz",
    "recorder",
    "static",
    "store",
    "storemng",
    "user",
];

/// Names of pages, of topics and of the realm's own clients. An account or namespace with such a name would be
/// unreachable or mistaken for the realm.
const RESERVED: [&str; 9] = ["-", "account", "dist", "owner", PUBLIC, "realm", "src", "stoa", "trust"];

/// Prefixes of the names of guests, of ARENA's programs and of the realm's own clients.
const OTHERS: [&str; 3] = ["anonymous", "pyclient-", "stoa-"];

/// A request for an account.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct NewAccount {
    /// `[A-Za-z0-9_.-]`, 1 to 64 bytes.
    pub name: String,
    /// Plain text. Only its hash is stored.
    pub password: String,
    /// Whether the account owns the realm.
    pub realm_owner: bool,
}

impl std::fmt::Debug for NewAccount {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("NewAccount").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Reasons why an account can't be created, changed or used.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// The name has other characters, or a wrong length.
    #[error("username {0:?} is not 1 to {max} of A-Z a-z 0-9 _ . -", max = limits::ACCOUNT_NAME_BYTES_MAX)]
    BadName(String),
    /// The name is a path of the realm, or looks like a guest's or one of the realm's own clients.
    #[error("username {0:?} is reserved")]
    ReservedName(String),
    /// The password has a wrong length. The error never repeats it.
    #[error("the password has {got} bytes; it takes {min} to {max}", min = limits::PASSWORD_BYTES_MIN, max = limits::PASSWORD_BYTES_MAX)]
    BadPassword {
        /// The password's length in bytes.
        got: usize,
    },
    /// The name is in use, was in use, or is reserved for a person.
    #[error("the name {0:?} is taken")]
    NameTaken(String),
    /// No account has the name.
    #[error("there is no account {0:?}")]
    NoSuchAccount(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// argon2 failed, for lack of memory.
    #[error("the password could not be hashed: {0}")]
    Hash(String),
}

/// Creates an account.
///
/// # Errors
/// [`AccountError`] names the invalid part.
pub(crate) async fn add(
    store: &Store,
    hashing: &PasswordHasher,
    new_account: NewAccount,
) -> Result<AccountRow, AccountError> {
    let row = row_of(hashing, new_account).await?;
    if store.add_account(&row).await? { Ok(row) } else { Err(AccountError::NameTaken(row.name)) }
}

/// Changes a password and ends the account's web sessions.
///
/// # Errors
/// [`AccountError`], if the account doesn't exist or the password breaks a rule.
pub(crate) async fn set_password(
    store: &Store,
    hashing: &PasswordHasher,
    name: &str,
    password: String,
) -> Result<(), AccountError> {
    let hash = hash(hashing, password).await?;
    if store.set_password(name, &hash).await? { Ok(()) } else { Err(AccountError::NoSuchAccount(name.to_owned())) }
}

/// Removes an account and its web sessions. Its scenes and files stay.
///
/// # Errors
/// [`AccountError::NoSuchAccount`], [`AccountError::Store`].
pub(crate) async fn remove(store: &Store, name: &str) -> Result<(), AccountError> {
    if store.remove_account(name).await? { Ok(()) } else { Err(AccountError::NoSuchAccount(name.to_owned())) }
}

/// The account, if the password is right. An unknown name takes equally long, so response times don't reveal names.
///
/// # Errors
/// [`AccountError::Store`].
pub(crate) async fn sign_in(
    store: &Store,
    hashing: &PasswordHasher,
    name: &str,
    password: String,
) -> Result<Option<AccountRow>, AccountError> {
    if password.len() > limits::PASSWORD_BYTES_MAX {
        return Ok(None);
    }
    let account = store.account(name).await?;
    let known = account.as_ref().map(|account| account.password.clone());
    let right = hashing.is_right(password, known).await;
    Ok(account.filter(|_| right))
}

/// Checks that an account or namespace may have this name.
///
/// # Errors
/// [`AccountError::BadName`], [`AccountError::ReservedName`].
pub(crate) fn check_name_rules(name: &str) -> Result<(), AccountError> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    let fits = (1..=limits::ACCOUNT_NAME_BYTES_MAX).contains(&name.len());
    if !fits || !name.bytes().all(allowed) || name == "." || name == ".." {
        return Err(AccountError::BadName(name.chars().take(limits::ACCOUNT_NAME_BYTES_MAX).collect()));
    }
    let lower = name.to_ascii_lowercase();
    if FIRST_SEGMENTS.contains(&lower.as_str())
        || RESERVED.contains(&lower.as_str())
        || OTHERS.iter().any(|prefix| lower.starts_with(prefix))
        || lower == LOCAL_OWNER
    {
        return Err(AccountError::ReservedName(name.to_owned()));
    }
    Ok(())
}

async fn row_of(hashing: &PasswordHasher, new_account: NewAccount) -> Result<AccountRow, AccountError> {
    check_name_rules(&new_account.name)?;
    let password = hash(hashing, new_account.password).await?;
    Ok(AccountRow {
        name: new_account.name,
        password,
        realm_owner: new_account.realm_owner,
        created: clock::unix_now(),
    })
}

fn check_password_rules(password: &str) -> Result<(), AccountError> {
    let fits = (limits::PASSWORD_BYTES_MIN..=limits::PASSWORD_BYTES_MAX).contains(&password.len());
    if fits { Ok(()) } else { Err(AccountError::BadPassword { got: password.len() }) }
}

/// Hashes a password after checking its length.
async fn hash(hashing: &PasswordHasher, password: String) -> Result<String, AccountError> {
    check_password_rules(&password)?;
    hashing.hash(password).await.map_err(AccountError::Hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn store() -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        (dir, store)
    }

    fn new_account(name: &str) -> NewAccount {
        NewAccount { name: name.into(), password: "correct horse".into(), realm_owner: false }
    }

    #[tokio::test]
    async fn only_the_right_password_signs_in() {
        let (_dir, store) = store().await;
        let hashing = PasswordHasher::for_tests();
        add(&store, &hashing, new_account("alice")).await.unwrap();
        let signs_in = async |name: &str, password: &str| {
            let account = sign_in(&store, &hashing, name, password.into()).await.unwrap();
            account.map(|account| account.name)
        };
        assert_eq!(signs_in("alice", "correct horse").await, Some("alice".into()));
        assert_eq!(signs_in("alice", "correct horsf").await, None);
        assert_eq!(signs_in("bob", "correct horse").await, None);
    }

    #[tokio::test]
    async fn a_password_is_stored_as_argon2id() {
        let (_dir, store) = store().await;
        let account = add(&store, &PasswordHasher::for_tests(), new_account("alice")).await.unwrap();
        assert!(account.password.starts_with("$argon2id$"), "{}", account.password);
    }

    #[tokio::test]
    async fn a_taken_account_name_is_refused() {
        let (_dir, store) = store().await;
        let hashing = PasswordHasher::for_tests();
        add(&store, &hashing, new_account("alice")).await.unwrap();
        assert!(matches!(add(&store, &hashing, new_account("alice")).await, Err(AccountError::NameTaken(_))));
    }

    #[test]
    fn reserved_and_malformed_account_names_are_refused() {
        for name in ["public", "Stoa", "api", "anonymous-bob", "-", "local-owner", "Local-Owner", "stoa-first-scenes"] {
            assert!(matches!(check_name_rules(name), Err(AccountError::ReservedName(_))), "{name}");
        }
        for name in ["", "..", "a/b", "a+b", "ä", &"x".repeat(65)] {
            assert!(matches!(check_name_rules(name), Err(AccountError::BadName(_))), "{name}");
        }
        assert!(check_name_rules("alice.b-c_1").is_ok());
    }

    #[test]
    fn a_short_password_is_refused_without_repeating_it() {
        let refused = check_password_rules("hunter2").expect_err("seven bytes").to_string();
        assert!(refused.contains('7') && !refused.contains("hunter2"), "{refused}");
    }
}
