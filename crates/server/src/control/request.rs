//! Requests and replies of the control socket.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use stoa_state::grant::{Claims, SceneSettings};
use stoa_wire::topic::SceneName;

use crate::control::backup::BackupSummary;
use crate::store::{SceneContents, SceneImport};

/// A command.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub(crate) enum ControlRequest {
    /// Makes an account.
    UserAdd {
        /// The account's name.
        name: String,
        /// The account's password.
        password: String,
        /// Whether the account owns the realm.
        owner: bool,
    },
    /// Lists accounts.
    UserList,
    /// Changes a password.
    UserPasswd {
        /// The account's name.
        name: String,
        /// The new password.
        password: String,
    },
    /// Removes an account and revokes its tokens.
    UserRemove {
        /// The account's name.
        name: String,
    },
    /// Lists scenes.
    SceneList,
    /// Makes a scene.
    SceneCreate {
        /// The scene's name.
        name: SceneName,
        /// The scene's settings.
        settings: SceneSettings,
    },
    /// Removes a scene with all its objects.
    SceneRemove {
        /// The scene's name.
        name: SceneName,
    },
    /// Returns a scene's settings and stored objects, and the records of their uploaded files.
    SceneExport {
        /// The scene's name.
        name: SceneName,
    },
    /// Creates a scene from an export, or replaces one. The contents of its files are already in the file store.
    SceneImport {
        /// The scene's name and content.
        import: Box<SceneImport>,
    },
    /// Removes contents stored for a failed import, except those that have a file name by now.
    ContentsTakeBack {
        /// The hashes of the contents.
        hashes: Vec<String>,
    },
    /// Creates a scene from the stored state of another.
    SceneClone {
        /// The scene to copy.
        from: SceneName,
        /// The new scene's name.
        to: SceneName,
    },
    /// Copies the whole data folder.
    Backup {
        /// The target folder, as an absolute path.
        to: PathBuf,
    },
    /// Records a newly issued token.
    TokenRecord {
        /// The token's claims.
        claims: Box<Claims>,
    },
    /// Revokes a token and ends its connections.
    TokenRevoke {
        /// The token's id.
        jti: String,
    },
}

/// The result of a successful command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ControlCommandOutput {
    /// Success without a result.
    Done,
    /// Accounts: name, and whether it owns the realm.
    Users(Vec<(String, bool)>),
    /// Scenes: name, settings, and the number of people in it while a server runs.
    Scenes(Vec<(SceneName, SceneSettings, Option<usize>)>),
    /// A scene.
    Scene(Box<SceneContents>),
    /// The content of the finished backup.
    BackedUp(BackupSummary),
}

/// The reason for a failed command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{0}")]
pub struct ControlRefusal(pub String);
