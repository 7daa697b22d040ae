//! `stoa backup` and `stoa restore`.

use std::path::PathBuf;

use super::{CommandFailure, DataFolderOption, print};
use crate::control::backup;
use crate::control::{ControlCommandOutput, ControlRequest};

/// Options of `stoa backup`.
#[derive(Debug, clap::Args)]
pub(super) struct BackupOptions {
    /// The folder to create; it holds the realm's keys, so keep it as safe as the realm itself
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    #[command(flatten)]
    folder: DataFolderOption,
}

/// Options of `stoa restore`.
#[derive(Debug, clap::Args)]
pub(super) struct RestoreOptions {
    /// A folder that stoa backup created
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    #[command(flatten)]
    folder: DataFolderOption,
}

impl BackupOptions {
    pub(super) async fn run(self) -> Result<(), CommandFailure> {
        let to = std::path::absolute(self.to)?;
        if let ControlCommandOutput::BackedUp(contents) =
            self.folder.execute(ControlRequest::Backup { to: to.clone() }).await?
        {
            print(&format!("{}: {contents}", to.display()))?;
        }
        Ok(())
    }
}

impl RestoreOptions {
    pub(super) async fn run(self) -> Result<(), CommandFailure> {
        let contents = backup::restore(&self.from, &self.folder.data).await?;
        Ok(print(&format!("{}: {contents}", std::path::absolute(&self.folder.data)?.display()))?)
    }
}
