//! Scenes on their way between realms: an export is a text of JSON lines, an import reads that or what arena-persist's database gives. The format is
//! described in `docs/operator.md`.

mod arena;
mod checks;
mod reading;
mod references;
mod writing;

use serde::{Deserialize, Serialize};
use stoa_state::grant::SceneSettings;
use stoa_state::scene::StoredObject;
use stoa_wire::topic::SceneName;

pub use checks::{Findings, check, unfit};
pub use reading::{Document, ReadError, read, store_contents, take_back};
pub use references::files_of;
pub use writing::{WriteError, write};

use crate::store::FileRow;

/// The format's version; a later one may mean something else.
pub const VERSION: u32 = 1;

/// A scene as it is carried: all that is stored of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Carried {
    /// Its settings.
    pub settings: SceneSettings,
    /// Its objects.
    pub objects: Vec<StoredObject>,
    /// The uploaded files that its objects refer to.
    pub files: Vec<FileRow>,
}

/// A carried scene, and where it shall be put.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Import {
    /// The scene to be.
    pub name: SceneName,
    /// What is in it.
    pub carried: Carried,
    /// Whether one of that name gives way, with its history.
    pub replace: bool,
}

/// A line of an export.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Line {
    Head(Head),
    File(FileLine),
    Content { content: String },
    Object(Box<StoredObject>),
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    /// [`VERSION`].
    stoa_scene: u32,
    scene: SceneName,
    settings: SceneSettings,
}

/// A file; lines with its content follow, or none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FileLine {
    file: String,
    sha256: String,
    size_bytes: u64,
}
