//! `stoa token`. Access to the folder's key allows issuing any token, also while a server runs.

use clap::ValueEnum;
use stoa_state::grant::{
    self, Claims, RequestableRight, Role, RoleRequester, SceneSettings, TokenFilterInput, TokenFilters, TokenIds,
};
use stoa_wire::topic::SceneName;
use stoa_wire::topic_filter::TopicFilter;

use super::{CommandFailure, DataFolderOption, print};
use crate::control::{ControlCommandOutput, ControlRequest};
use crate::identity::claims;
use crate::identity::tokens::TokenAuthority;
use crate::limits;

/// Options of `stoa token`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct TokenOptions {
    #[command(subcommand)]
    revoke: Option<TokenRevocationCommand>,
    #[command(flatten)]
    folder: DataFolderOption,
    /// The name in the token; it needs no account
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// A scene that the token opens
    #[arg(long, value_name = "NS/SCENE")]
    scene: Option<String>,
    /// The role in the scene
    #[arg(long, default_value = "owner", requires = "scene")]
    role: RoleName,
    /// A topic filter to publish to; can be repeated
    #[arg(long, value_name = "FILTER", conflicts_with = "scene")]
    publish: Vec<String>,
    /// A topic filter to subscribe to; can be repeated
    #[arg(long, value_name = "FILTER", conflicts_with = "scene")]
    subscribe: Vec<String>,
    /// Lifetime of the token, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = limits::TOKEN_TTL_S_DEFAULT)]
    ttl: u64,
}

#[derive(Debug, clap::Subcommand)]
enum TokenRevocationCommand {
    /// Revoke a token before it expires
    Revoke {
        /// The token's jti claim
        #[arg(allow_hyphen_values = true)]
        jti: String,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RoleName {
    Owner,
    Editor,
    Viewer,
}

impl TokenOptions {
    pub(super) async fn run(self) -> Result<(), CommandFailure> {
        if let Some(TokenRevocationCommand::Revoke { jti }) = self.revoke {
            self.folder.execute(ControlRequest::TokenRevoke { jti }).await?;
            return Ok(());
        }
        let claims = self.claims()?;
        self.folder.expect_realm()?;
        if let Some(scene) = &claims.scene {
            self.warn_of_missing(scene).await?;
        }
        let token = TokenAuthority::load_or_create(&self.folder.data)?.issue(&claims)?;
        // The claims are recorded, so that the token can be found and revoked. The token itself isn't stored.
        self.folder.execute(ControlRequest::TokenRecord { claims: Box::new(claims) }).await?;
        Ok(print(&token)?)
    }

    /// Warns if the scene doesn't exist. It may be created later, so the token is printed anyway.
    async fn warn_of_missing(&self, scene: &SceneName) -> Result<(), CommandFailure> {
        let ControlCommandOutput::Scenes(scenes) = self.folder.execute(ControlRequest::SceneList).await? else {
            return Ok(());
        };
        if !scenes.iter().any(|(name, ..)| name == scene) {
            eprintln!(
                "stoa: there is no scene {scene} yet: create it with `stoa scene create {scene}`; the token is useless until then"
            );
        }
        Ok(())
    }

    fn claims(&self) -> Result<Claims, CommandFailure> {
        let usage = |text: &str| CommandFailure::Usage(text.to_owned());
        let user = self.user.as_deref().ok_or_else(|| usage("--user is missing: the name in the token"))?;
        if self.ttl == 0 || self.ttl > limits::TOKEN_TTL_S_MAX {
            let max = limits::TOKEN_TTL_S_MAX;
            return Err(CommandFailure::Usage(format!("--ttl is {}; it takes 1 to {max} seconds", self.ttl)));
        }
        if !stoa_wire::topic::is_name(user) {
            return Err(CommandFailure::Usage(format!("--user is {user:?}; it takes 1 to 64 of A-Z a-z 0-9 _ . -")));
        }
        match &self.scene {
            Some(scene) => self.scene_claims(user, scene),
            None if self.publish.is_empty() && self.subscribe.is_empty() => {
                Err(usage("say what the token is for: --scene NS/SCENE, or --publish FILTER and --subscribe FILTER"))
            }
            None => {
                let filters = TokenFilters { publ: parse(&self.publish)?, subs: parse(&self.subscribe)? };
                Ok(Claims { explicit: true, ..claims::new(user, filters, self.ttl) })
            }
        }
    }

    fn scene_claims(&self, user: &str, scene: &str) -> Result<Claims, CommandFailure> {
        let scene: SceneName = scene
            .parse()
            .map_err(|_| CommandFailure::Usage(format!("--scene is {scene:?}; it takes NAMESPACE/SCENE")))?;
        let role = match self.role {
            RoleName::Owner => Role::Owner,
            RoleName::Editor => Role::Editor,
            RoleName::Viewer => Role::Viewer,
        };
        let account = RoleRequester { name: user, realm_owner: false, guest: false };
        // A program cannot request to be a host beforehand, so an owner's token allows it.
        let rights = if role == Role::Owner {
            vec![RequestableRight::RenderHost, RequestableRight::EnvironmentHost]
        } else {
            Vec::new()
        };
        let ids = TokenIds { rights, ..TokenIds::default() };
        let entry =
            TokenFilterInput { scene: &scene, settings: &SceneSettings::default(), account: &account, role, ids: &ids };
        let filters = grant::filters(&entry);
        let claims = claims::new(user, filters, self.ttl);
        Ok(Claims { scene: Some(scene.clone()), role: Some(role), by_realm: true, ..claims })
    }
}

fn parse(filters: &[String]) -> Result<Vec<TopicFilter>, CommandFailure> {
    let parsed = filters.iter().map(|text| {
        TopicFilter::parse(text).map_err(|_| CommandFailure::Usage(format!("{text:?} is not a topic filter")))
    });
    Ok(grant::without_covered(parsed.collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        token: TokenOptions,
    }

    #[test]
    fn revoke_accepts_a_jti_that_begins_with_a_dash() {
        for words in [["revoke", "-Txq_", "--data", "here"], ["revoke", "--data", "here", "-Txq_"]] {
            let line = Line::try_parse_from(["stoa"].iter().chain(&words));
            let token = line.unwrap_or_else(|error| panic!("{error}")).token;
            assert!(matches!(token.revoke, Some(TokenRevocationCommand::Revoke { jti }) if jti == "-Txq_"));
        }
    }
}
