//! What is asked and answered on the control socket.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use stoa_state::grant::{Claims, SceneSettings};
use stoa_wire::topic::SceneName;

use crate::control::backup::Contents;
use crate::store::{Carried, Import};

/// A command.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub(crate) enum Request {
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
    /// Gives all that is stored of a scene.
    SceneExport {
        /// Which.
        name: SceneName,
    },
    /// Makes a scene of what was exported; the contents of its files are in the file store already.
    SceneImport {
        /// Where and what.
        import: Box<Import>,
    },
    /// Removes contents that were put there for an import that is none, unless they have got a name meanwhile.
    ContentsTakeBack {
        /// Their hashes.
        hashes: Vec<String>,
    },
    /// Makes a scene of what is stored of another.
    SceneClone {
        /// The other.
        from: SceneName,
        /// The scene to be.
        to: SceneName,
    },
    /// Copies all that the folder holds.
    Backup {
        /// Into this folder, an absolute path.
        to: PathBuf,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Reply {
    /// It is done.
    Done,
    /// Accounts: names, and whether they own the realm.
    Users(Vec<(String, bool)>),
    /// Scenes: names, settings, and how many people are there where a server runs.
    Scenes(Vec<(SceneName, SceneSettings, Option<usize>)>),
    /// A scene.
    Scene(Box<Carried>),
    /// A backup is there.
    BackedUp(Contents),
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);
