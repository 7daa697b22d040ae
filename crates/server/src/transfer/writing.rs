//! Writes an export.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use stoa_wire::topic::SceneName;

use super::{Carried, FileLine, Head, Line, VERSION};
use crate::files::{Files, FilesError};
use crate::limits;

/// Why an export is not whole.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// It can't be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A file can't be read.
    #[error(transparent)]
    Files(#[from] FilesError),
}

/// Writes a scene: a line with its settings, one for each object, one for each file; the files' content if `files` are given.
///
/// # Errors
/// [`WriteError`]; what was written until then is no whole export.
pub async fn write(
    to: &mut impl Write,
    name: &SceneName,
    carried: Carried,
    files: Option<&Files>,
) -> Result<(), WriteError> {
    let Carried { settings, objects, files: rows } = carried;
    line(to, &Line::Head(Head { stoa_scene: VERSION, scene: name.clone(), settings }))?;
    for object in objects {
        line(to, &Line::Object(Box::new(object)))?;
    }
    for row in rows {
        line(to, &Line::File(FileLine { file: row.path, sha256: row.hash.clone(), size_bytes: row.size_bytes }))?;
        let Some(files) = files else { continue };
        let mut at = 0;
        while at < row.size_bytes {
            let end = (at + limits::EXPORT_PIECE_BYTES).min(row.size_bytes);
            let part = object_store::GetRange::Bounded(at..end);
            let bytes = files.read(&row.hash, Some(part)).await?.bytes().await.map_err(FilesError::Store)?;
            line(to, &Line::Content { content: STANDARD.encode(&bytes) })?;
            at = end;
        }
    }
    Ok(to.flush()?)
}

fn line(to: &mut impl Write, line: &Line) -> io::Result<()> {
    serde_json::to_writer(&mut *to, line).map_err(io::Error::other)?;
    to.write_all(b"\n")
}
