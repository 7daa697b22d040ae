//! Reads an import without storing anything. A second pass stores the files' contents, once everything else is
//! known to be valid.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::de::IoRead;
use serde_json::{StreamDeserializer, Value};
use stoa_state::grant::SceneSettings;
use stoa_state::limits::{OBJECTS_MAX, SCENE_BYTES_MAX};
use stoa_state::scene::{StoredObject, UnixMillis};
use stoa_wire::topic::SceneName;

use super::arena::{ArenaRecord, record};
use super::{ExportHead, FileLine, VERSION};
use crate::files::check::{FileCheckMode, FileVerdict};
use crate::files::{ContentStore, ContentStoreError, FileDigest, FilePath, IncomingFile, media_of};
use crate::limits;
use crate::os::clock;
use crate::store::{FileRow, SceneContents};

/// A document's path and the size limit of its values.
#[derive(Clone, Debug)]
pub(crate) struct ImportDocumentFile {
    path: PathBuf,
    /// The path shown in errors.
    shown: PathBuf,
    value_bytes_max: u64,
}

impl ImportDocumentFile {
    /// A document that the operator names: its values have no size limit.
    #[must_use]
    pub(crate) fn of_operator(path: &Path) -> ImportDocumentFile {
        ImportDocumentFile { path: path.to_owned(), shown: path.to_owned(), value_bytes_max: u64::MAX }
    }

    /// An uploaded document: each value, such as a line or a whole array, is limited to
    /// [`limits::IMPORT_VALUE_BYTES_MAX`].
    #[must_use]
    pub(crate) fn of_stranger(path: PathBuf) -> ImportDocumentFile {
        ImportDocumentFile { path, shown: "the file".into(), value_bytes_max: limits::IMPORT_VALUE_BYTES_MAX }
    }
}

/// The contents of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ImportContents {
    /// The scene that the document names.
    pub name: Option<SceneName>,
    /// The scene's settings; `None` in ARENA's documents.
    pub settings: Option<SceneSettings>,
    /// The scene's objects.
    pub objects: Vec<StoredObject>,
    /// Files with content in the document.
    pub files: Vec<FileRow>,
    /// Paths of files without content in the document.
    pub named: Vec<String>,
}

impl ImportContents {
    /// The contents that an import stores.
    #[must_use]
    pub(crate) fn carried(self) -> SceneContents {
        SceneContents { settings: self.settings.unwrap_or_default(), objects: self.objects, files: self.files }
    }
}

/// Reasons why a document can't be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportReadError {
    /// The file can't be read.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file isn't JSON.
    #[error("{path} is not JSON: {source}")]
    Json {
        /// The file.
        path: PathBuf,
        /// The parser's error, with its position.
        source: serde_json::Error,
    },
    /// A value is invalid.
    #[error("{path}, value {number}: {why}")]
    Value {
        /// The file.
        path: PathBuf,
        /// The value's index from 1. Items of an array are counted one by one.
        number: usize,
        /// The problem.
        why: String,
    },
    /// The records belong to several scenes.
    #[error("{path} holds records of several scenes ({list}): name the one to import with --from")]
    SeveralScenes {
        /// The file.
        path: PathBuf,
        /// Some of the scenes' names.
        list: String,
    },
    /// The file store failed.
    #[error(transparent)]
    Files(#[from] ContentStoreError),
}

/// The kind of a value in a document. Both passes use it, so they agree on which values belong to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ImportRecordKind {
    Head,
    /// A part of the preceding file's content.
    Content,
    File,
    Object,
}

impl ImportRecordKind {
    fn of(value: &Value) -> ImportRecordKind {
        let keys = [
            ("stoa_scene", ImportRecordKind::Head),
            ("content", ImportRecordKind::Content),
            ("file", ImportRecordKind::File),
        ];
        keys.into_iter().find(|(key, _)| value.get(key).is_some()).map_or(ImportRecordKind::Object, |(_, what)| what)
    }
}

/// Reads a document: an export of Stoa, or ARENA's records, in an array or one after the other. With `from`, records
/// of other scenes are skipped; records that name no scene are kept.
///
/// # Errors
/// [`ImportReadError`].
pub(crate) fn read(source: &ImportDocumentFile, from: Option<&SceneName>) -> Result<ImportContents, ImportReadError> {
    let now = UnixMillis(clock::unix_now().0 * 1_000);
    let mut values = JsonValues::open(source)?;
    let mut document = ImportContents::default();
    let mut scenes = BTreeSet::new();
    let mut bytes = 0;
    while let Some(value) = values.next()? {
        match ImportRecordKind::of(&value) {
            ImportRecordKind::Head => {
                let head: ExportHead = values.parsed(value)?;
                if head.stoa_scene != VERSION {
                    let theirs = head.stoa_scene;
                    return Err(values.wrong(format!("version {theirs} of the format; this stoa knows {VERSION}")));
                }
                document.name = Some(head.scene);
                document.settings = Some(head.settings);
            }
            ImportRecordKind::File => {
                let row = row_of(values.parsed(value)?).map_err(|why| values.wrong(why))?;
                if document.files.len() + document.named.len() >= limits::CARRIED_FILES_MAX {
                    return Err(values.wrong(format!("more than {} files", limits::CARRIED_FILES_MAX)));
                }
                if values.content_follows()? {
                    document.files.push(row);
                } else {
                    document.named.push(row.path);
                }
            }
            ImportRecordKind::Content => {}
            ImportRecordKind::Object => {
                let ArenaRecord { object, scene } = record(value, now).map_err(|why| values.wrong(why))?;
                if from.is_some() && scene.is_some() && scene.as_ref() != from {
                    continue;
                }
                scenes.extend(scene);
                bytes += object.size_bytes();
                // Stop at the limit before the objects take memory.
                if document.objects.len() >= OBJECTS_MAX || bytes > SCENE_BYTES_MAX {
                    let what = format!("more than {OBJECTS_MAX} objects, or {SCENE_BYTES_MAX} bytes of them");
                    return Err(values.wrong(format!("{what}; a scene holds no more")));
                }
                document.objects.push(object);
            }
        }
    }
    if scenes.len() > 1 {
        let list = scenes.iter().take(5).map(ToString::to_string).collect::<Vec<_>>().join(", ");
        return Err(ImportReadError::SeveralScenes { path: source.shown.clone(), list });
    }
    document.name = document.name.or_else(|| scenes.pop_first());
    Ok(document)
}

fn row_of(line: FileLine) -> Result<FileRow, String> {
    let path = FilePath::parse(&line.file).map_err(|error| error.to_string())?;
    if line.sha256.len() != 64 || !line.sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(format!("the sha256 of {:?} is not a SHA-256 hash", line.file));
    }
    Ok(FileRow {
        hash: line.sha256,
        size_bytes: line.size_bytes,
        content_type: media_of(&path.extension()).content_type.to_owned(),
        owner: path.owner().to_owned(),
        path: path.as_str().to_owned(),
    })
}

/// Stores the contents of a document's files, each checked like an upload. Returns the hashes of contents that were
/// not stored before.
///
/// # Errors
/// [`ImportReadError`], for instance if a content differs from its line, with the hashes stored until then, so that the
/// caller can remove them.
pub(crate) async fn store_contents(
    source: &ImportDocumentFile,
    files: &ContentStore,
    checker: FileCheckMode,
) -> Result<Vec<String>, (ImportReadError, Vec<String>)> {
    let mut storing = FileContentImporter { files, checker, fresh: Vec::new(), receiving: None };
    match storing.all(source).await {
        Ok(()) => Ok(storing.fresh),
        Err(error) => {
            if let Some((_, incoming)) = storing.receiving {
                incoming.abort().await;
            }
            Err((error, storing.fresh))
        }
    }
}

/// The second pass: stores files' contents.
struct FileContentImporter<'a> {
    files: &'a ContentStore,
    checker: FileCheckMode,
    fresh: Vec<String>,
    receiving: Option<(FileLine, IncomingFile)>,
}

impl FileContentImporter<'_> {
    async fn all(&mut self, source: &ImportDocumentFile) -> Result<(), ImportReadError> {
        let mut values = JsonValues::open(source)?;
        loop {
            let value = values.next()?;
            let what = value.as_ref().map(ImportRecordKind::of);
            let is_content = what == Some(ImportRecordKind::Content);
            let content = value.as_ref().filter(|_| is_content).and_then(|value| value.get("content")?.as_str());
            if let (Some(content), Some((line, incoming))) = (content, self.receiving.as_mut()) {
                let piece = STANDARD.decode(content);
                let piece = piece.map_err(|_| values.wrong("the content is not base64".to_owned()))?;
                if incoming.size_bytes() + piece.len() as u64 > line.size_bytes {
                    return Err(values.wrong(other_than_exported(line)));
                }
                incoming.take(&Bytes::from(piece)).await?;
                continue;
            }
            if let Some((line, incoming)) = self.receiving.take() {
                self.keep(&values, line, incoming).await?;
            }
            let Some(value) = value else { return Ok(()) };
            if what == Some(ImportRecordKind::File) && values.content_follows()? {
                self.receiving = Some((values.parsed(value)?, self.files.receive().await?));
            }
        }
    }

    /// Checks and stores a completed content.
    async fn keep(
        &mut self,
        values: &JsonValues,
        line: FileLine,
        incoming: IncomingFile,
    ) -> Result<(), ImportReadError> {
        let files = self.files;
        let complete = incoming.finish().await?;
        let FileDigest { hash, size_bytes } = complete.received();
        if (hash, *size_bytes) != (&line.sha256, line.size_bytes) {
            files.discard(complete).await;
            return Err(values.wrong(other_than_exported(&line)));
        }
        let extension = FilePath::parse(&line.file).map(|path| path.extension()).unwrap_or_default();
        if let FileVerdict::Unsound(reason) = self.checker.check(files, &complete, &extension).await? {
            files.discard(complete).await;
            return Err(values.wrong(format!("{:?} was not taken: {reason}", line.file)));
        }
        if !files.contains(&line.sha256).await? {
            self.fresh.push(line.sha256);
        }
        files.keep(complete).await?;
        Ok(())
    }
}

fn other_than_exported(line: &FileLine) -> String {
    format!("the content of {:?} is not what was exported", line.file)
}

/// Removes contents that were stored for an import that failed.
///
/// # Errors
/// [`ContentStoreError`].
pub(crate) async fn take_back(files: &ContentStore, hashes: Vec<String>) -> Result<(), ContentStoreError> {
    for hash in hashes {
        files.forget(&hash).await?;
    }
    Ok(())
}

/// A reader with a byte budget per value.
struct MeteredReader {
    inner: BufReader<File>,
    left: Arc<AtomicU64>,
    each: u64,
}

impl Read for MeteredReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.left.load(Ordering::Relaxed);
        if left == 0 {
            return Err(io::Error::other(format!("a value in it has more than {} bytes", self.each)));
        }
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(into.len());
        let taken = self.inner.read(&mut into[..most])?;
        self.left.store(left - taken as u64, Ordering::Relaxed);
        Ok(taken)
    }
}

/// Iterates over a file's JSON values, including the items of arrays.
struct JsonValues {
    path: PathBuf,
    values: StreamDeserializer<'static, IoRead<MeteredReader>, Value>,
    /// The bytes left for the current value, and the budget of each value.
    left: Arc<AtomicU64>,
    each: u64,
    items: std::vec::IntoIter<Value>,
    ahead: Option<Value>,
    number: usize,
}

impl JsonValues {
    fn open(from: &ImportDocumentFile) -> Result<JsonValues, ImportReadError> {
        let (path, each) = (from.shown.clone(), from.value_bytes_max);
        let file = File::open(&from.path).map_err(|source| ImportReadError::Io { path: path.clone(), source })?;
        let left = Arc::new(AtomicU64::new(each));
        let metered = MeteredReader { inner: BufReader::new(file), left: Arc::clone(&left), each };
        let values = serde_json::Deserializer::from_reader(metered).into_iter();
        Ok(JsonValues { path, values, left, each, items: Vec::new().into_iter(), ahead: None, number: 0 })
    }

    fn next(&mut self) -> Result<Option<Value>, ImportReadError> {
        self.number += 1;
        match self.ahead.take() {
            Some(value) => Ok(Some(value)),
            None => self.fresh(),
        }
    }

    fn fresh(&mut self) -> Result<Option<Value>, ImportReadError> {
        loop {
            if let Some(item) = self.items.next() {
                return Ok(Some(item));
            }
            self.left.store(self.each, Ordering::Relaxed);
            match self.values.next() {
                Some(Ok(Value::Array(items))) => self.items = items.into_iter(),
                Some(Ok(value)) => return Ok(Some(value)),
                Some(Err(error)) if error.is_io() => {
                    return Err(ImportReadError::Io { path: self.path.clone(), source: error.into() });
                }
                Some(Err(source)) => return Err(ImportReadError::Json { path: self.path.clone(), source }),
                None => return Ok(None),
            }
        }
    }

    fn content_follows(&mut self) -> Result<bool, ImportReadError> {
        self.ahead = self.fresh()?;
        Ok(self.ahead.as_ref().map(ImportRecordKind::of) == Some(ImportRecordKind::Content))
    }

    fn parsed<T: DeserializeOwned>(&self, value: Value) -> Result<T, ImportReadError> {
        serde_json::from_value(value).map_err(|error| self.wrong(error.to_string()))
    }

    fn wrong(&self, why: String) -> ImportReadError {
        ImportReadError::Value { path: self.path.clone(), number: self.number, why }
    }
}
