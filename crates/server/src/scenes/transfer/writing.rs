//! Writes an export.

use std::io::{self, Write};
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use stoa_state::grant::SceneSettings;
use stoa_state::scene::StoredObject;
use stoa_wire::topic::SceneName;

use super::{ExportHead, ExportLine, FileLine, VERSION};
use crate::files::{ContentStore, ContentStoreError};
use crate::limits;
use crate::store::{FileRow, SceneContents};

/// Errors of writing an export.
#[derive(Debug, thiserror::Error)]
pub enum ExportWriteError {
    /// The output can't be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A file can't be read.
    #[error(transparent)]
    Files(#[from] ContentStoreError),
}

/// A part of an export, in order.
#[derive(Debug)]
pub(crate) enum ExportPiece {
    /// One line.
    Line(Vec<u8>),
    /// One line with a part of a file's content.
    Content {
        /// The content's hash.
        hash: String,
        /// The byte range.
        part: Range<u64>,
    },
}

impl ExportPiece {
    /// Encodes the piece as bytes.
    ///
    /// # Errors
    /// [`ContentStoreError`]: the file can't be read.
    pub(crate) async fn into_bytes(self, files: &ContentStore) -> Result<Vec<u8>, ContentStoreError> {
        match self {
            ExportPiece::Line(bytes) => Ok(bytes),
            ExportPiece::Content { part, .. } if part.is_empty() => {
                Ok(line(&ExportLine::Content { content: String::new() }))
            }
            ExportPiece::Content { hash, part } => {
                let bytes = files.read_part(&hash, part).await?;
                Ok(line(&ExportLine::Content { content: STANDARD.encode(&bytes) }))
            }
        }
    }
}

/// A scene's pieces: one line for its settings, one for each object, one for each file, and with `with_contents` the
/// lines of each file's content.
pub(crate) fn pieces<O: Iterator<Item = StoredObject> + Send>(
    name: &SceneName,
    settings: SceneSettings,
    objects: O,
    files: Vec<FileRow>,
    with_contents: bool,
) -> impl Iterator<Item = ExportPiece> + Send + use<O> {
    let head = ExportLine::Head(ExportHead { stoa_scene: VERSION, scene: name.clone(), settings });
    let objects = objects.map(|object| ExportLine::Object(Box::new(object)));
    let lines = std::iter::once(head).chain(objects).map(|what| ExportPiece::Line(line(&what)));
    lines.chain(files.into_iter().flat_map(move |row| {
        let told = FileLine { file: row.path, sha256: row.hash.clone(), size_bytes: row.size_bytes };
        let end = row.size_bytes;
        // An empty file has one empty part, which tells that its content is included.
        let starts = (0..if with_contents { end.max(1) } else { 0 }).step_by(limits::EXPORT_PIECE_BYTES as usize);
        let contents = starts.map(move |at| ExportPiece::Content {
            hash: row.hash.clone(),
            part: at..(at + limits::EXPORT_PIECE_BYTES).min(end),
        });
        std::iter::once(ExportPiece::Line(line(&ExportLine::File(told)))).chain(contents)
    }))
}

/// Writes a scene, with the files' contents if `files.1` is true.
///
/// # Errors
/// [`ExportWriteError`]; the output is then incomplete.
pub(crate) async fn write(
    to: &mut impl Write,
    name: &SceneName,
    carried: SceneContents,
    files: (&ContentStore, bool),
) -> Result<(), ExportWriteError> {
    let (contents, with_contents) = files;
    let SceneContents { settings, objects, files } = carried;
    for piece in pieces(name, settings, objects.into_iter(), files, with_contents) {
        to.write_all(&piece.into_bytes(contents).await?)?;
    }
    Ok(to.flush()?)
}

fn line(what: &ExportLine) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(what).expect("all of it is JSON already, with string keys");
    bytes.push(b'\n');
    bytes
}
