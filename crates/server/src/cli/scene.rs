//! `stoa scene`.

use stoa_state::grant::SceneSettings;
use stoa_wire::topic::SceneName;

use super::{CliError, DataDir};
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
}

impl Scene {
    pub(super) async fn run(self) -> Result<(), CliError> {
        let (folder, request) = match self {
            Scene::List { folder } => (folder, Request::SceneList),
            Scene::Create { name, public_write, private, owner, folder } => {
                let public_read = !private;
                let settings = SceneSettings { owner, public_read, public_write, ..SceneSettings::default() };
                (folder, Request::SceneCreate { name: parse(&name)?, settings })
            }
            Scene::Remove { name, folder } => (folder, Request::SceneRemove { name: parse(&name)? }),
        };
        if let Reply::Scenes(scenes) = folder.execute(request).await? {
            for (name, settings, people) in scenes {
                println!("{}", line(&name, &settings, people));
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
