//! The command line.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Parser, Subcommand};

mod backup;
mod google_credentials;
mod scene;
mod serve;
mod token;
mod user;

use crate::config::{ConfigError, PartialConfig};
use crate::control::{self, ControlCommandOutput, ControlRefusal, ControlRequest, ControlTarget};
use crate::limits;
use crate::serve::ServeError;

/// Stoa: a realm of shared XR scenes, in one binary and one folder.
#[derive(Debug, Parser)]
#[command(name = "stoa", version, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a realm
    Serve(Box<serve::ServeOptions>),
    /// Print a token for scripts and clients; works beside a running server
    Token(token::TokenOptions),
    /// Print the sign-in file that ARENA's Python programs look for, so that they run without Google and without a
    /// token
    GoogleCredentials(google_credentials::ArenaSignInOptions),
    /// Manage local accounts
    #[command(subcommand)]
    User(user::UserCommand),
    /// Manage scenes
    #[command(subcommand)]
    Scene(scene::SceneCommand),
    /// Copy a realm, running or not, into a new folder: scenes with their history, accounts, files and keys
    Backup(backup::BackupOptions),
    /// Restore a backup into a folder that is empty or doesn't exist
    Restore(backup::RestoreOptions),
}

/// The data folder that a command works on.
#[derive(Clone, Debug, clap::Args)]
struct DataFolderOption {
    /// The realm's data folder
    #[arg(long, env = "STOA_DATA", value_name = "DIR", default_value = limits::DATA_DIR, global = true)]
    data: PathBuf,
}

/// A failed command. Its text is printed for the person who typed it.
#[derive(Debug, thiserror::Error)]
pub enum CommandFailure {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The server failed or can't start.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The signing key can't be used.
    #[error(transparent)]
    Keys(#[from] crate::identity::tokens::KeyError),
    /// The server or the folder refused the command.
    #[error(transparent)]
    Refused(#[from] ControlRefusal),
    /// The control socket, the terminal or a file of the command failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file to import can't be read.
    #[error(transparent)]
    Import(#[from] crate::scenes::transfer::ImportReadError),
    /// An export could not be written.
    #[error("the export could not be written: {0}")]
    Export(#[from] crate::scenes::transfer::ExportWriteError),
    /// The file store failed.
    #[error(transparent)]
    Files(#[from] crate::files::ContentStoreError),
    /// A backup could not be restored.
    #[error(transparent)]
    Backup(#[from] crate::control::backup::BackupError),
    /// Any other failure: a missing or invalid argument, a folder without a realm, an import with errors, or a second
    /// signal.
    #[error("{0}")]
    Usage(String),
}

/// Runs a parsed command line.
///
/// # Errors
/// [`CommandFailure`].
pub async fn run(cli: Cli) -> Result<(), CommandFailure> {
    match cli.command {
        Command::Serve(serve) => serve.run().await,
        Command::Token(token) => token.run().await,
        Command::GoogleCredentials(credentials) => credentials.run().await,
        Command::User(user) => user.run().await,
        Command::Scene(scene) => scene.run().await,
        Command::Backup(backup) => backup.run().await,
        Command::Restore(restore) => restore.run().await,
    }
}

impl DataFolderOption {
    /// Rejects a folder without a realm. Only `serve` creates one: another command in a wrong folder would leave an
    /// empty realm behind.
    fn expect_realm(&self) -> Result<(), CommandFailure> {
        if self.data.join(crate::store::FILE_NAME).is_file() {
            return Ok(());
        }
        let shown = std::path::absolute(&self.data)?;
        Err(CommandFailure::Usage(format!(
            "there is no realm in {}: name its folder with --data, or start one with stoa serve",
            shown.display()
        )))
    }

    /// Sends `request` to the folder's server, or executes it on the folder itself if no server runs.
    async fn execute(&self, request: ControlRequest) -> Result<ControlCommandOutput, CommandFailure> {
        self.expect_realm()?;
        if let Some(answer) = control::ask(&self.data.join("run"), &request).await? {
            return Ok(answer?);
        }
        let (_lock, store) = crate::serve::open_idle_folder(&self.data).await?;
        let folder = ControlTarget::idle(&self.data, store).map_err(ServeError::Files)?;
        Ok(control::execute(&folder, request).await?)
    }
}

/// Prints a line of a result. A closed pipe (`| head`) isn't an error.
///
/// # Errors
/// Standard output can't be written.
pub fn print(text: &str) -> io::Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

/// Completes the settings of flags and environment with those of the file. Flags and environment take precedence.
fn layered(flags: PartialConfig, file: Option<&PathBuf>) -> Result<PartialConfig, ConfigError> {
    Ok(match file {
        Some(path) => flags.over(PartialConfig::from_file(path)?),
        None => flags,
    })
}
