//! The commands of `stoa scene`: sent to the running server, or executed on the folder if none runs.

use std::path::PathBuf;

use stoa_state::grant::SceneSettings;
use stoa_state::motion::MotionSettingsOverrides;
use stoa_state::motion::interest::InterestSetPolicy;
use stoa_wire::topic::SceneName;

mod transfer;

use super::{CommandFailure, DataFolderOption, print};
use crate::control::{ControlCommandOutput, ControlRequest};

/// Commands of `stoa scene`.
#[derive(Debug, clap::Subcommand)]
pub(super) enum SceneCommand {
    /// List scenes
    List {
        #[command(flatten)]
        folder: DataFolderOption,
    },
    /// Create a scene
    Create {
        /// NAMESPACE/SCENE
        name: String,
        /// Everyone can edit
        #[arg(long)]
        public_write: bool,
        /// Only the owner, editors and viewers can enter
        #[arg(long)]
        private: bool,
        /// An account that owns it besides the namespace's owner
        #[arg(long, value_name = "NAME")]
        owner: Option<String>,
        #[arg(long, value_name = "POLICY", help = motion_policy_help())]
        motion_policy: Option<InterestSetPolicy>,
        /// Bytes of motion a second for each receiver [default: the realm's]
        #[arg(long, value_name = "BYTES")]
        motion_bytes_per_s: Option<u32>,
        #[command(flatten)]
        folder: DataFolderOption,
    },
    /// Remove a scene with all its objects
    Remove {
        /// NAMESPACE/SCENE
        name: String,
        #[command(flatten)]
        folder: DataFolderOption,
    },
    /// Write a scene's settings and stored objects as JSON lines
    Export {
        /// NAMESPACE/SCENE
        name: String,
        /// The file to write [default: standard output]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Include the content of uploaded files that objects refer to; else only their names
        #[arg(long)]
        with_files: bool,
        #[command(flatten)]
        folder: DataFolderOption,
    },
    /// Create a scene from an export or from JSON records of ARENA's arena-persist, whole or not at all
    Import {
        /// The output of stoa scene export, an array of records, or records one after the other
        file: PathBuf,
        /// The scene to create [default: the one that the file names]
        #[arg(long = "as", value_name = "NS/SCENE")]
        name: Option<String>,
        /// The scene to import, from a file with several of ARENA's scenes
        #[arg(long, value_name = "NS/SCENE")]
        from: Option<String>,
        /// Delete an existing scene of that name first, with its history, lock, bans, invitations, picture and former
        /// names, and overwrite files of the same names
        #[arg(long)]
        replace: bool,
        /// Check the file and report errors and warnings, without importing it
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        folder: DataFolderOption,
    },
    /// Create a scene from the stored state of another
    Clone {
        /// NAMESPACE/SCENE to copy
        from: String,
        /// NAMESPACE/SCENE to create
        to: String,
        #[command(flatten)]
        folder: DataFolderOption,
    },
}

impl SceneCommand {
    pub(super) async fn run(self) -> Result<(), CommandFailure> {
        let (folder, request) = match self {
            SceneCommand::List { folder } => (folder, ControlRequest::SceneList),
            SceneCommand::Create { name, public_write, private, owner, motion_policy, motion_bytes_per_s, folder } => {
                let public_read = !private;
                let motion = MotionSettingsOverrides { policy: motion_policy, bytes_per_s: motion_bytes_per_s };
                motion.check().map_err(|error| CommandFailure::Usage(error.to_string()))?;
                let settings = SceneSettings { owner, public_read, public_write, motion, ..SceneSettings::default() };
                (folder, ControlRequest::SceneCreate { name: parse(&name)?, settings })
            }
            SceneCommand::Remove { name, folder } => (folder, ControlRequest::SceneRemove { name: parse(&name)? }),
            SceneCommand::Clone { from, to, folder } => {
                (folder, ControlRequest::SceneClone { from: parse(&from)?, to: parse(&to)? })
            }
            SceneCommand::Export { name, out, with_files, folder } => {
                return transfer::export(&folder, parse(&name)?, out, with_files).await;
            }
            SceneCommand::Import { file, name, from, replace, dry_run, folder } => {
                let name = name.as_deref().map(parse).transpose()?;
                let from = from.as_deref().map(parse).transpose()?;
                return transfer::import(&folder, transfer::ImportOptions { file, name, from, replace, dry_run }).await;
            }
        };
        if let ControlCommandOutput::Scenes(scenes) = folder.execute(request).await? {
            for (name, settings, people) in scenes {
                print(&line(&name, &settings, people))?;
            }
        }
        Ok(())
    }
}

fn line(name: &SceneName, settings: &SceneSettings, people: Option<usize>) -> String {
    let access = match (settings.public_read, settings.public_write) {
        (_, true) => "anyone can edit",
        (true, false) => "anyone can enter",
        (false, false) => "private",
    };
    let people = people.map_or_else(String::new, |people| format!("  {people} there"));
    format!("{name:<40} {access}{people}")
}

fn parse(name: &str) -> Result<SceneName, CommandFailure> {
    name.parse().map_err(|_| CommandFailure::Usage(format!("{name:?} is not a scene; it takes NAMESPACE/SCENE")))
}

fn motion_policy_help() -> String {
    format!("Which heads and hands each receiver gets: {} [default: the realm's]", InterestSetPolicy::formats())
}
