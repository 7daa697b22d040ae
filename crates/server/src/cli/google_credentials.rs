//! `stoa google-credentials`: the file that arena-py caches after a sign-in with Google, signed by this realm.

use serde_json::json;

use super::{CommandFailure, DataFolderOption, print};
use crate::control::{ControlCommandOutput, ControlRequest};
use crate::identity::scoped_tokens::{self, TokenHolder, TokenPurpose};
use crate::identity::tokens::TokenAuthority;
use crate::limits;

/// Options of `stoa google-credentials`.
#[derive(Debug, clap::Args)]
pub(super) struct ArenaSignInOptions {
    #[command(flatten)]
    folder: DataFolderOption,
    /// The host as the program writes it, with its port: `localhost`, `realm.example:8443`
    #[arg(long, value_name = "HOST")]
    host: String,
    /// The account to sign in; access to the data folder allows any name
    #[arg(long, value_name = "NAME")]
    user: String,
    /// Lifetime of the sign-in, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = limits::TOKEN_TTL_S_DEFAULT)]
    ttl: u64,
}

impl ArenaSignInOptions {
    pub(super) async fn run(self) -> Result<(), CommandFailure> {
        let ArenaSignInOptions { folder, host, user, ttl } = self;
        crate::identity::accounts::check_name_rules(&user)
            .map_err(|error| CommandFailure::Usage(format!("--user: {error}")))?;
        if ttl == 0 || ttl > limits::TOKEN_TTL_S_MAX {
            let max = limits::TOKEN_TTL_S_MAX;
            return Err(CommandFailure::Usage(format!("--ttl is {ttl}; it takes 1 to {max} seconds")));
        }
        if host.is_empty() || host.contains(['/', ' ']) {
            return Err(CommandFailure::Usage(format!("--host is {host:?}; it takes the host of Scene(host=…)")));
        }
        folder.expect_realm()?;
        let bare = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
        let email = format!("{user}@{bare}");
        let holder = TokenHolder { email: Some(email), ..TokenHolder::called(&user) };
        let keys = TokenAuthority::load_or_create(&folder.data)?;
        let (pass, recorded) = scoped_tokens::issue(&keys, TokenPurpose::SignIn, holder, ttl)?;
        folder.execute(ControlRequest::TokenRecord { claims: Box::new(recorded) }).await?;
        if let ControlCommandOutput::Users(users) = folder.execute(ControlRequest::UserList).await?
            && !users.iter().any(|(name, _)| *name == user)
        {
            eprintln!("stoa: there is no account {user}; the file still works, for scenes of {user}/");
        }
        eprintln!("stoa: save this as ~/.arena/python/{host}/s/.arena_google_auth, readable by you alone (chmod 600)");
        Ok(print(&serde_json::to_string_pretty(&json!({"id_token": pass})).expect("one string"))?)
    }
}
