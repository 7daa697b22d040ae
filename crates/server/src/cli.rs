//! What a person types.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Parser, Subcommand};

mod backup;
mod google_credentials;
mod scene;
mod serve;
mod token;
mod user;

use crate::config::{ConfigError, Settings};
use crate::control::{self, Folder, Refusal, Reply, Request};
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
    Serve(Box<serve::Serve>),
    /// Print a token for scripts and clients; works beside a running server
    Token(token::Token),
    /// Print the sign-in file that ARENA's Python programs look for: they then run without Google and without a token of their own
    GoogleCredentials(google_credentials::GoogleCredentials),
    /// Local accounts
    #[command(subcommand)]
    User(user::User),
    /// Scenes
    #[command(subcommand)]
    Scene(scene::Scene),
    /// Copy a realm, running or not, into a new folder: scenes with their history, accounts, files, keys
    Backup(backup::Backup),
    /// Make a realm of a backup, in a folder that is empty or not there yet
    Restore(backup::Restore),
}

/// The data folder that a command works on.
#[derive(Clone, Debug, clap::Args)]
struct DataDir {
    /// The realm's data folder
    #[arg(long, env = "STOA_DATA", value_name = "DIR", default_value = limits::DATA_DIR, global = true)]
    data: PathBuf,
}

/// Why a command failed: what the person who typed it gets to read.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The server.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The keys.
    #[error(transparent)]
    Keys(#[from] crate::identity::tokens::KeyError),
    /// The command was not carried out.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The control socket, the terminal.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file to import.
    #[error(transparent)]
    Import(#[from] crate::scenes::transfer::ReadError),
    /// An export could not be written.
    #[error("the export could not be written: {0}")]
    Export(#[from] crate::scenes::transfer::WriteError),
    /// The file store.
    #[error(transparent)]
    Files(#[from] crate::files::FilesError),
    /// A backup could not be restored.
    #[error(transparent)]
    Backup(#[from] crate::control::backup::BackupError),
    /// Something needed wasn't said.
    #[error("{0}")]
    Usage(String),
}

/// Runs what was typed.
///
/// # Errors
/// [`CliError`].
pub async fn run(cli: Cli) -> Result<(), CliError> {
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

impl DataDir {
    /// Only `serve` makes a realm: any other command in a wrong folder would leave an empty one behind.
    fn expect_realm(&self) -> Result<(), CliError> {
        if self.data.join(crate::store::FILE_NAME).is_file() {
            return Ok(());
        }
        let shown = std::path::absolute(&self.data)?;
        Err(CliError::Usage(format!(
            "there is no realm in {}: name its folder with --data, or start one with stoa serve",
            shown.display()
        )))
    }

    /// Asks the server of the folder, or does it on the folder itself if none is running.
    async fn execute(&self, request: Request) -> Result<Reply, CliError> {
        self.expect_realm()?;
        if let Some(answer) = control::ask(&self.data.join("run"), &request).await? {
            return Ok(answer?);
        }
        let (_lock, store) = crate::serve::open_idle_folder(&self.data).await?;
        let folder = Folder::idle(&self.data, store).map_err(ServeError::Files)?;
        Ok(control::execute(&folder, request).await?)
    }
}

/// Prints a line of what was asked for. Whoever stops reading (`| head`) has had enough, which is no error.
///
/// # Errors
/// Standard output can't be written.
pub fn print(text: &str) -> io::Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

/// The settings of the file, below those of flags and environment.
fn layered(flags: Settings, file: Option<&PathBuf>) -> Result<Settings, ConfigError> {
    Ok(match file {
        Some(path) => flags.over(Settings::from_file(path)?),
        None => flags,
    })
}
