//! What is asked and answered on the control socket.

use serde::{Deserialize, Serialize};
use stoa_state::grant::{Claims, SceneSettings};
use stoa_wire::topic::SceneName;

/// A command.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum Request {
    /// Makes an account.
    UserAdd {
        /// Its name.
        name: String,
        /// Its password.
        password: String,
        /// Whether it owns the realm.
        owner: bool,
    },
    /// Lists accounts.
    UserList,
    /// Changes a password.
    UserPasswd {
        /// Whose.
        name: String,
        /// The new one.
        password: String,
    },
    /// Removes an account and revokes its tokens.
    UserRemove {
        /// Whose.
        name: String,
    },
    /// Lists scenes.
    SceneList,
    /// Makes a scene.
    SceneCreate {
        /// Its name.
        name: SceneName,
        /// Its settings.
        settings: SceneSettings,
    },
    /// Removes a scene with all that is in it.
    SceneRemove {
        /// Its name.
        name: SceneName,
    },
    /// Records a token that was just issued.
    TokenRecord {
        /// What it says.
        claims: Box<Claims>,
    },
    /// Revokes a token and ends its connections.
    TokenRevoke {
        /// Its name.
        jti: String,
    },
}

/// What a command gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// It is done.
    Done,
    /// Accounts: names, and whether they own the realm.
    Users(Vec<(String, bool)>),
    /// Scenes: names, settings, and how many people are there where a server runs.
    Scenes(Vec<(SceneName, SceneSettings, Option<usize>)>),
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);
