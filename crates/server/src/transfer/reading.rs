//! Reads what is to be imported, without storing anything; files' contents follow in a second pass, once all else is known to be good.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use object_store::GetRange;
use serde::de::DeserializeOwned;
use serde_json::de::IoRead;
use serde_json::{StreamDeserializer, Value};
use stoa_state::grant::SceneSettings;
use stoa_state::scene::{StoredObject, UnixMillis};
use stoa_wire::topic::SceneName;

use super::arena::{Record, record};
use super::{Carried, FileLine, Head, VERSION};
use crate::clock;
use crate::files::{FilePath, Files, FilesError, Incoming, media_of};
use crate::store::FileRow;

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
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
    pub fn carried(self) -> Carried {
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

/// Reads a document: an export of ours, or records of ARENA's as an array or one after the other. Of several scenes only `from` counts.
///
/// # Errors
/// [`ReadError`].
pub fn read(path: &Path, from: Option<&SceneName>) -> Result<Document, ReadError> {
    let now = UnixMillis(clock::unix_now().0 * 1_000);
    let mut values = Values::open(path)?;
    let mut document = Document::default();
    let mut scenes = BTreeSet::new();
    while let Some(value) = values.next()? {
        let key = |key: &str| value.get(key).is_some();
        if key("stoa_scene") {
            let head: Head = values.parsed(value)?;
            if head.stoa_scene != VERSION {
                return Err(
                    values.wrong(format!("version {} of the format; this stoa knows {VERSION}", head.stoa_scene))
                );
            }
            document.name = Some(head.scene);
            document.settings = Some(head.settings);
        } else if key("file") {
            let row = row_of(values.parsed(value)?).map_err(|why| values.wrong(why))?;
            if values.content_follows()? {
                document.files.push(row);
            } else {
                document.named.push(row.path);
            }
        } else if key("content") {
            continue;
        } else {
            let Record { object, scene } = record(value, now).map_err(|why| values.wrong(why))?;
            if from.is_some() && scene.is_some() && scene.as_ref() != from {
                continue;
            }
            scenes.extend(scene);
            document.objects.push(object);
        }
    }
    if scenes.len() > 1 {
        let list = scenes.iter().take(5).map(ToString::to_string).collect::<Vec<_>>().join(", ");
        return Err(ReadError::SeveralScenes { path: path.to_owned(), list });
    }
    document.name = document.name.or_else(|| scenes.pop_first());
    Ok(document)
}

fn row_of(line: FileLine) -> Result<FileRow, String> {
    let path = FilePath::parse(&line.file).map_err(|error| error.to_string())?;
    Ok(FileRow {
        hash: line.sha256,
        size_bytes: line.size_bytes,
        content_type: media_of(&path.extension()).content_type.to_owned(),
        owner: path.owner().to_owned(),
        path: path.as_str().to_owned(),
    })
}

/// Puts the contents that come with a document into the file store, and gives the hashes of those that were not there before.
///
/// # Errors
/// [`ReadError`]: also for a content that is not what its line said.
pub async fn store_contents(path: &Path, files: &Files) -> Result<Vec<String>, ReadError> {
    let mut values = Values::open(path)?;
    let mut fresh = Vec::new();
    let mut receiving: Option<(FileLine, Incoming)> = None;
    loop {
        let value = values.next()?;
        let content = value.as_ref().and_then(|value| value.get("content")?.as_str());
        if let (Some(content), Some((_, incoming))) = (content, receiving.as_mut()) {
            let piece = STANDARD.decode(content).map_err(|_| values.wrong("the content is not base64".to_owned()))?;
            incoming.take(&Bytes::from(piece)).await?;
            continue;
        }
        if let Some((line, incoming)) = receiving.take() {
            let known = files.read(&line.sha256, Some(GetRange::Bounded(0..1))).await.is_ok();
            let received = files.keep(incoming).await?;
            if !known {
                fresh.push(received.hash.clone());
            }
            if (received.hash.as_str(), received.size_bytes) != (line.sha256.as_str(), line.size_bytes) {
                take_back(files, fresh).await?;
                return Err(values.wrong(format!("the content of {:?} is not what was exported", line.file)));
            }
        }
        let Some(value) = value else { return Ok(fresh) };
        if value.get("file").is_some() && values.content_follows()? {
            receiving = Some((values.parsed(value)?, files.receive().await?));
        }
    }
}

/// Removes contents that were put there for an import that is none.
///
/// # Errors
/// [`FilesError`].
pub async fn take_back(files: &Files, hashes: Vec<String>) -> Result<(), FilesError> {
    for hash in hashes {
        files.forget(&hash).await?;
    }
    Ok(())
}

/// The JSON values of a file one after the other, those of arrays too.
struct Values {
    path: PathBuf,
    values: StreamDeserializer<'static, IoRead<BufReader<File>>, Value>,
    items: std::vec::IntoIter<Value>,
    ahead: Option<Value>,
    number: usize,
}

impl Values {
    fn open(path: &Path) -> Result<Values, ReadError> {
        let file = File::open(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
        let values = serde_json::Deserializer::from_reader(BufReader::new(file)).into_iter();
        Ok(Values { path: path.to_owned(), values, items: Vec::new().into_iter(), ahead: None, number: 0 })
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
            match self.values.next() {
                Some(Ok(Value::Array(items))) => self.items = items.into_iter(),
                Some(Ok(value)) => return Ok(Some(value)),
                Some(Err(source)) => return Err(ReadError::Json { path: self.path.clone(), source }),
                None => return Ok(None),
            }
        }
    }

    fn content_follows(&mut self) -> Result<bool, ReadError> {
        self.ahead = self.fresh()?;
        Ok(self.ahead.as_ref().is_some_and(|value| value.get("content").is_some()))
    }

    fn parsed<T: DeserializeOwned>(&self, value: Value) -> Result<T, ReadError> {
        serde_json::from_value(value).map_err(|error| self.wrong(error.to_string()))
    }

    fn wrong(&self, why: String) -> ReadError {
        ReadError::Value { path: self.path.clone(), number: self.number, why }
    }
}
