//! Moves scenes between realms. An export is a text of JSON lines; an import reads an export or a dump of
//! arena-persist's database. `docs/operator.md` describes the format.

mod arena;
mod checks;
mod reading;
mod references;
mod rehoming;
mod writing;

use serde::{Deserialize, Serialize};
use stoa_state::grant::SceneSettings;
use stoa_state::scene::StoredObject;
use stoa_wire::topic::SceneName;

pub(crate) use checks::{check, unfit};
pub(crate) use reading::{ImportContents, ImportDocumentFile, ImportReadError, read, store_contents, take_back};
pub(crate) use references::files_of;
pub(crate) use rehoming::{ImportDestination, rename_files, without_accounts};
pub(crate) use writing::{ExportPiece, ExportWriteError, pieces, write};

/// The version of the export format. A later version may give its lines another meaning.
pub(crate) const VERSION: u32 = 1;

/// A line of an export.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum ExportLine {
    Head(ExportHead),
    File(FileLine),
    Content { content: String },
    Object(Box<StoredObject>),
}

/// An export's first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ExportHead {
    /// [`VERSION`].
    stoa_scene: u32,
    scene: SceneName,
    settings: SceneSettings,
}

/// A file, followed by the lines of its content, if exported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FileLine {
    file: String,
    sha256: String,
    size_bytes: u64,
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::Value;
    use stoa_state::scene::{StoredObject, UnixMillis};

    /// An object with these attributes.
    pub(crate) fn object(id: &str, attributes: Value) -> StoredObject {
        StoredObject {
            object_id: id.into(),
            type_name: "object".into(),
            attributes: attributes.as_object().cloned().unwrap(),
            expires_at: None,
            created_at: UnixMillis(1),
            updated_at: UnixMillis(1),
        }
    }
}
