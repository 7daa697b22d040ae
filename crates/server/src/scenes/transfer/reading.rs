//! Reads what is to be imported, without storing anything; files' contents follow in a second pass, once all else is known to be good.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use object_store::GetRange;
use serde::de::DeserializeOwned;
use serde_json::de::IoRead;
use serde_json::{StreamDeserializer, Value};
use stoa_state::grant::SceneSettings;
use stoa_state::limits::{OBJECTS_MAX, SCENE_BYTES_MAX};
use stoa_state::scene::{StoredObject, UnixMillis};
use stoa_wire::topic::SceneName;

use super::arena::{Record, record};
use super::{FileLine, Head, VERSION};
use crate::files::check::{Checker, Verdict};
use crate::files::{FilePath, Files, FilesError, Incoming, Received, media_of};
use crate::limits;
use crate::os::clock;
use crate::store::{Carried, FileRow};

/// Where a document lies, and how far it is trusted.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    path: PathBuf,
    /// As people know it.
    shown: PathBuf,
    value_bytes_max: u64,
}

impl Source {
    /// One that the operator names.
    #[must_use]
    pub(crate) fn of_operator(path: &Path) -> Source {
        Source { path: path.to_owned(), shown: path.to_owned(), value_bytes_max: u64::MAX }
    }

    /// One that a stranger has sent: no value in it takes more memory than it should.
    #[must_use]
    pub(crate) fn of_stranger(path: PathBuf) -> Source {
        Source { path, shown: "the file".into(), value_bytes_max: limits::IMPORT_VALUE_BYTES_MAX }
    }
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Document {
    /// The scene that it says it is.
    pub name: Option<SceneName>,
    /// Settings; a document of ARENA's has none.
    pub settings: Option<SceneSettings>,
    /// Its objects.
    pub objects: Vec<StoredObject>,
    /// Files that come with their content.
    pub files: Vec<FileRow>,
    /// Files that are only named.
    pub named: Vec<String>,
}

impl Document {
    /// What is to be stored.
    #[must_use]
    pub(crate) fn carried(self) -> Carried {
        Carried { settings: self.settings.unwrap_or_default(), objects: self.objects, files: self.files }
    }
}

/// Why a file can't be imported.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It can't be read.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It isn't JSON.
    #[error("{path} is not JSON: {source}")]
    Json {
        /// The file.
        path: PathBuf,
        /// Where, and why.
        source: serde_json::Error,
    },
    /// A value in it is not what it should be.
    #[error("{path}, value {number}: {why}")]
    Value {
        /// The file.
        path: PathBuf,
        /// Counted from 1, the items of an array one by one.
        number: usize,
        /// What is wrong.
        why: String,
    },
    /// Records of several scenes.
    #[error("{path} holds records of several scenes ({list}): name the one to import with --from")]
    SeveralScenes {
        /// The file.
        path: PathBuf,
        /// Some of them.
        list: String,
    },
    /// The file store.
    #[error(transparent)]
    Files(#[from] FilesError),
}

/// What a value of a document is. Both passes ask here, so that neither takes for a file's what the other takes for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Head,
    /// A part of the file before it.
    Content,
    File,
    Object,
}

impl What {
    fn of(value: &Value) -> What {
        let keys = [("stoa_scene", What::Head), ("content", What::Content), ("file", What::File)];
        keys.into_iter().find(|(key, _)| value.get(key).is_some()).map_or(What::Object, |(_, what)| what)
    }
}

/// Reads a document: an export of ours, or records of ARENA's as an array or one after the other. Of several scenes only `from` counts.
///
/// # Errors
/// [`ReadError`].
pub(crate) fn read(source: &Source, from: Option<&SceneName>) -> Result<Document, ReadError> {
    let now = UnixMillis(clock::unix_now().0 * 1_000);
    let mut values = Values::open(source)?;
    let mut document = Document::default();
    let mut scenes = BTreeSet::new();
    let mut bytes = 0;
    while let Some(value) = values.next()? {
        match What::of(&value) {
            What::Head => {
                let head: Head = values.parsed(value)?;
                if head.stoa_scene != VERSION {
                    let theirs = head.stoa_scene;
                    return Err(values.wrong(format!("version {theirs} of the format; this stoa knows {VERSION}")));
                }
                document.name = Some(head.scene);
                document.settings = Some(head.settings);
            }
            What::File => {
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
            What::Content => {}
            What::Object => {
                let Record { object, scene } = record(value, now).map_err(|why| values.wrong(why))?;
                if from.is_some() && scene.is_some() && scene.as_ref() != from {
                    continue;
                }
                scenes.extend(scene);
                bytes += object.size_bytes();
                // What could not be stored is not gathered first.
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
        return Err(ReadError::SeveralScenes { path: source.shown.clone(), list });
    }
    document.name = document.name.or_else(|| scenes.pop_first());
    Ok(document)
}

fn row_of(line: FileLine) -> Result<FileRow, String> {
    let path = FilePath::parse(&line.file).map_err(|error| error.to_string())?;
    if line.sha256.len() != 64 || !line.sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(format!("the sha256 of {:?} is none", line.file));
    }
    Ok(FileRow {
        hash: line.sha256,
        size_bytes: line.size_bytes,
        content_type: media_of(&path.extension()).content_type.to_owned(),
        owner: path.owner().to_owned(),
        path: path.as_str().to_owned(),
    })
}

/// Puts the contents that come with a document into the file store, each looked at as an upload is, and gives the hashes of those that were not there before.
///
/// # Errors
/// [`ReadError`], and the hashes of those that are there now all the same, to be taken back: also for a content that is not what its line said.
pub(crate) async fn store_contents(
    source: &Source,
    (files, checker): (&Files, Checker),
) -> Result<Vec<String>, (ReadError, Vec<String>)> {
    let mut storing = Storing { files, checker, fresh: Vec::new(), receiving: None };
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

/// Contents on their way into the file store.
struct Storing<'a> {
    files: &'a Files,
    checker: Checker,
    fresh: Vec<String>,
    receiving: Option<(FileLine, Incoming)>,
}

impl Storing<'_> {
    async fn all(&mut self, source: &Source) -> Result<(), ReadError> {
        let mut values = Values::open(source)?;
        loop {
            let value = values.next()?;
            let what = value.as_ref().map(What::of);
            let is_content = what == Some(What::Content);
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
                self.keep(&values, (line, incoming)).await?;
            }
            let Some(value) = value else { return Ok(()) };
            if what == Some(What::File) && values.content_follows()? {
                self.receiving = Some((values.parsed(value)?, self.files.receive().await?));
            }
        }
    }

    /// One of them has come.
    async fn keep(&mut self, values: &Values, (line, incoming): (FileLine, Incoming)) -> Result<(), ReadError> {
        let files = self.files;
        let complete = incoming.finish().await?;
        let Received { hash, size_bytes } = complete.received();
        if (hash, *size_bytes) != (&line.sha256, line.size_bytes) {
            files.discard(complete).await;
            return Err(values.wrong(other_than_exported(&line)));
        }
        let extension = FilePath::parse(&line.file).map(|path| path.extension()).unwrap_or_default();
        if let Verdict::Unsound(reason) = self.checker.look(files, &complete, &extension).await? {
            files.discard(complete).await;
            return Err(values.wrong(format!("{:?} was not taken: {reason}", line.file)));
        }
        if files.read(&line.sha256, Some(GetRange::Bounded(0..1))).await.is_err() {
            self.fresh.push(line.sha256);
        }
        files.keep(complete).await?;
        Ok(())
    }
}

fn other_than_exported(line: &FileLine) -> String {
    format!("the content of {:?} is not what was exported", line.file)
}

/// Removes contents that were put there for an import that is none.
///
/// # Errors
/// [`FilesError`].
pub(crate) async fn take_back(files: &Files, hashes: Vec<String>) -> Result<(), FilesError> {
    for hash in hashes {
        files.forget(&hash).await?;
    }
    Ok(())
}

/// A reader that gives so many bytes for each value, and then no more.
struct Metered {
    inner: BufReader<File>,
    left: Arc<AtomicU64>,
    each: u64,
}

impl Read for Metered {
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

/// The JSON values of a file one after the other, those of arrays too.
struct Values {
    path: PathBuf,
    values: StreamDeserializer<'static, IoRead<Metered>, Value>,
    /// What the value that is read now may still take, and what each may.
    left: Arc<AtomicU64>,
    each: u64,
    items: std::vec::IntoIter<Value>,
    ahead: Option<Value>,
    number: usize,
}

impl Values {
    fn open(from: &Source) -> Result<Values, ReadError> {
        let (path, each) = (from.shown.clone(), from.value_bytes_max);
        let file = File::open(&from.path).map_err(|source| ReadError::Io { path: path.clone(), source })?;
        let left = Arc::new(AtomicU64::new(each));
        let metered = Metered { inner: BufReader::new(file), left: Arc::clone(&left), each };
        let values = serde_json::Deserializer::from_reader(metered).into_iter();
        Ok(Values { path, values, left, each, items: Vec::new().into_iter(), ahead: None, number: 0 })
    }

    fn next(&mut self) -> Result<Option<Value>, ReadError> {
        self.number += 1;
        match self.ahead.take() {
            Some(value) => Ok(Some(value)),
            None => self.fresh(),
        }
    }

    fn fresh(&mut self) -> Result<Option<Value>, ReadError> {
        loop {
            if let Some(item) = self.items.next() {
                return Ok(Some(item));
            }
            self.left.store(self.each, Ordering::Relaxed);
            match self.values.next() {
                Some(Ok(Value::Array(items))) => self.items = items.into_iter(),
                Some(Ok(value)) => return Ok(Some(value)),
                Some(Err(error)) if error.is_io() => {
                    return Err(ReadError::Io { path: self.path.clone(), source: error.into() });
                }
                Some(Err(source)) => return Err(ReadError::Json { path: self.path.clone(), source }),
                None => return Ok(None),
            }
        }
    }

    fn content_follows(&mut self) -> Result<bool, ReadError> {
        self.ahead = self.fresh()?;
        Ok(self.ahead.as_ref().map(What::of) == Some(What::Content))
    }

    fn parsed<T: DeserializeOwned>(&self, value: Value) -> Result<T, ReadError> {
        serde_json::from_value(value).map_err(|error| self.wrong(error.to_string()))
    }

    fn wrong(&self, why: String) -> ReadError {
        ReadError::Value { path: self.path.clone(), number: self.number, why }
    }
}
