//! `stoa scene`.

use std::path::PathBuf;

use stoa_state::grant::SceneSettings;
use stoa_state::motion::MotionOverrides;
use stoa_state::motion::interest::InterestPolicy;
use stoa_wire::topic::SceneName;

mod transfer;

use super::{CliError, DataDir, print};
use crate::control::{Reply, Request};

/// Commands of `stoa scene`.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Scene {
    /// List scenes
    List {
        #[command(flatten)]
        folder: DataDir,
    },
    /// Make a scene
    Create {
        /// NAMESPACE/SCENE
        name: String,
        /// Everybody may build
        #[arg(long)]
        public_write: bool,
        /// Only its owner, editors and viewers may enter
        #[arg(long)]
        private: bool,
        /// The account that owns it besides the namespace's
        #[arg(long, value_name = "NAME")]
        owner: Option<String>,
        /// Who gets whose heads and hands: all, radius[:METRES], nearest[:COUNT] or hex[:METRES] [default: the realm's]
        #[arg(long, value_name = "POLICY")]
        motion_policy: Option<InterestPolicy>,
        /// Bytes of motion a second that each receiver gets at most [default: the realm's]
        #[arg(long, value_name = "BYTES")]
        motion_bytes_per_s: Option<u32>,
        #[command(flatten)]
        folder: DataDir,
    },
    /// Remove a scene with all that is in it
    Remove {
        /// NAMESPACE/SCENE
        name: String,
        #[command(flatten)]
        folder: DataDir,
    },
    /// Write a scene's settings and stored objects as lines of JSON
    Export {
        /// NAMESPACE/SCENE
        name: String,
        /// The file to write [default: standard output]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Put the content of uploaded files that objects refer to into the export; else they are only named
        #[arg(long)]
        with_files: bool,
        #[command(flatten)]
        folder: DataDir,
    },
    /// Make a scene of an export, or of records of ARENA's arena-persist as JSON; all of it or nothing
    Import {
        /// What stoa scene export wrote, an array of records, or records one after the other
        file: PathBuf,
        /// The scene to make [default: the one that the file names]
        #[arg(long = "as", value_name = "NS/SCENE")]
        name: Option<String>,
        /// Of a file with several of ARENA's scenes, the one to import
        #[arg(long, value_name = "NS/SCENE")]
        from: Option<String>,
        /// Let a scene of that name give way, with its history, lock, bans, invitations, picture and former names, and files of the same names
        #[arg(long)]
        replace: bool,
        /// Only say what would be wrong
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        folder: DataDir,
    },
    /// Make a scene of what is stored of another
    Clone {
        /// NAMESPACE/SCENE that is there
        from: String,
        /// NAMESPACE/SCENE to make
        to: String,
        #[command(flatten)]
        folder: DataDir,
    },
}

impl Scene {
    pub(super) async fn run(self) -> Result<(), CliError> {
        let (folder, request) = match self {
            Scene::List { folder } => (folder, Request::SceneList),
            Scene::Create { name, public_write, private, owner, motion_policy, motion_bytes_per_s, folder } => {
                let public_read = !private;
                let motion = MotionOverrides { policy: motion_policy, bytes_per_s: motion_bytes_per_s };
                motion.check().map_err(|error| CliError::Usage(error.to_string()))?;
                let settings = SceneSettings { owner, public_read, public_write, motion, ..SceneSettings::default() };
                (folder, Request::SceneCreate { name: parse(&name)?, settings })
            }
            Scene::Remove { name, folder } => (folder, Request::SceneRemove { name: parse(&name)? }),
            Scene::Clone { from, to, folder } => (folder, Request::SceneClone { from: parse(&from)?, to: parse(&to)? }),
            Scene::Export { name, out, with_files, folder } => {
                return transfer::export(&folder, parse(&name)?, (out, with_files)).await;
            }
            Scene::Import { file, name, from, replace, dry_run, folder } => {
                let name = name.as_deref().map(parse).transpose()?;
                let from = from.as_deref().map(parse).transpose()?;
                return transfer::import(&folder, transfer::Wish { file, name, from, replace, dry_run }).await;
            }
        };
        if let Reply::Scenes(scenes) = folder.execute(request).await? {
            for (name, settings, people) in scenes {
                print(&line(&name, &settings, people))?;
            }
        }
        Ok(())
    }
}

fn line(name: &SceneName, settings: &SceneSettings, people: Option<usize>) -> String {
    let access = match (settings.public_read, settings.public_write) {
        (_, true) => "everybody builds",
        (true, false) => "everybody enters",
        (false, false) => "private",
    };
    let people = people.map_or_else(String::new, |people| format!("  {people} there"));
    format!("{name:<40} {access}{people}")
}

fn parse(name: &str) -> Result<SceneName, CliError> {
    name.parse().map_err(|_| CliError::Usage(format!("{name:?} is not a scene; it takes NAMESPACE/SCENE")))
}
