//! The contents of uploaded files, each stored under its hash. The names that users see are in [`crate::store`].
//! Contents are in a local folder, behind the interface of `object_store`, which also offers other kinds of storage.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use futures_util::{Stream, stream};
use object_store::local::LocalFileSystem;
use object_store::{GetOptions, GetRange, GetResult, MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload};
use tokio::sync::Semaphore;

pub mod check;
mod media;
mod path;

pub use media::{FileResponseHeaders, media_of};
pub use path::{FilePath, PathError, encoded};

use crate::limits;
use crate::os::private_file;

/// The folder for files, below the data folder.
pub const FOLDER: &str = "files";
/// Subfolder of [`FOLDER`] for contents, by hash.
pub const CONTENTS: &str = "sha256";
/// Subfolder of [`FOLDER`] for files being received.
const INCOMING: &str = "incoming";

/// The contents of files. Clones share them.
#[derive(Clone, Debug)]
pub struct ContentStore {
    contents: Arc<dyn ObjectStore>,
    /// The folder on disk.
    folder: PathBuf,
    /// Held while a content gets a name, and while a content without a name is removed: neither happens during the
    /// other.
    naming: Arc<tokio::sync::Mutex<()>>,
    /// Permits for parts being read. Each has a file open.
    reading: Arc<Semaphore>,
    /// Permits for files being checked.
    checking: Arc<Semaphore>,
}

/// Reasons why a file can't be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum ContentStoreError {
    /// The folder can't be created.
    #[error("cannot use the folder {path}: {source}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The object store failed.
    #[error("the file store failed: {0}")]
    Store(#[from] object_store::Error),
    /// The check of a file could not run.
    #[error("the file could not be checked: {0}")]
    Check(std::io::Error),
    /// A content is shorter or longer than its record says, or could not be read to the end of a part.
    #[error("a stored file could not be read: {0}")]
    Part(io::Error),
}

impl ContentStoreError {
    /// Whether the disk is full.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let mut error: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(found) = error {
            if found.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == std::io::ErrorKind::StorageFull) {
                return true;
            }
            error = found.source();
        }
        false
    }
}

/// Hash and length of a received file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDigest {
    /// SHA-256, in hexadecimal.
    pub hash: String,
    /// Length in bytes.
    pub size_bytes: u64,
}

impl ContentStore {
    /// Opens a data folder's files and removes incomplete ones.
    ///
    /// # Errors
    /// [`ContentStoreError`].
    pub fn open(data_dir: &Path) -> Result<ContentStore, ContentStoreError> {
        // A crash may leave incomplete files. A failed removal is harmless, because they are never served.
        let _ = std::fs::remove_dir_all(data_dir.join(FOLDER).join(INCOMING));
        ContentStore::open_beside(data_dir)
    }

    /// Opens a data folder's files and keeps incomplete ones, which a running server may be receiving.
    ///
    /// # Errors
    /// [`ContentStoreError`].
    pub fn open_beside(data_dir: &Path) -> Result<ContentStore, ContentStoreError> {
        let path = data_dir.join(FOLDER);
        private_file::make_dir(&path).map_err(|source| ContentStoreError::Folder { path: path.clone(), source })?;
        let contents = LocalFileSystem::new_with_prefix(&path)?.with_fsync(true);
        Ok(ContentStore {
            contents: Arc::new(contents),
            folder: path,
            naming: Arc::default(),
            reading: Arc::new(Semaphore::new(limits::FILE_READS_MAX)),
            checking: Arc::new(Semaphore::new(limits::FILE_CHECKS_MAX)),
        })
    }

    /// Starts to receive a file of unknown length and hash.
    ///
    /// # Errors
    /// [`ContentStoreError::Store`].
    pub async fn receive(&self) -> Result<IncomingFile, ContentStoreError> {
        let location = object_store::path::Path::from(format!("{INCOMING}/{:032x}", rand::random::<u128>()));
        let upload = self.contents.put_multipart(&location).await?;
        let temporary = TemporaryFile(Some(self.folder.join(location.as_ref())));
        Ok(IncomingFile {
            location,
            temporary,
            upload,
            hash: Context::new(&SHA256),
            size_bytes: 0,
            waiting: Vec::new(),
        })
    }

    /// Moves a complete file to its hash. Clients read contents by name, so none can read it before it has one.
    ///
    /// # Errors
    /// [`ContentStoreError::Store`].
    pub async fn keep(
        &self,
        UncommittedFile { location, mut temporary, received }: UncommittedFile,
    ) -> Result<FileDigest, ContentStoreError> {
        self.contents.rename(&location, &location_of(&received.hash)).await?;
        temporary.0 = None;
        Ok(received)
    }

    /// Deletes a complete file.
    pub async fn discard(&self, mut complete: UncommittedFile) {
        // A failed removal is harmless, as in [`IncomingFile::abort`].
        let _ = self.contents.delete(&complete.location).await;
        complete.temporary.0 = None;
    }

    /// The path of a complete file that is not kept yet, for reading.
    #[must_use]
    pub fn path_of(&self, complete: &UncommittedFile) -> PathBuf {
        self.folder.join(complete.location.as_ref())
    }

    /// Removes a content that no name refers to any more.
    ///
    /// # Errors
    /// [`ContentStoreError::Store`].
    pub async fn forget(&self, hash: &str) -> Result<(), ContentStoreError> {
        match self.contents.delete(&location_of(hash)).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            done => Ok(done?),
        }
    }

    /// Reads a content or a range of it.
    ///
    /// # Errors
    /// [`ContentStoreError::Store`].
    pub async fn read(&self, hash: &str, range: Option<GetRange>) -> Result<GetResult, ContentStoreError> {
        let options = GetOptions { range, ..GetOptions::default() };
        Ok(self.contents.get_opts(&location_of(hash), options).await?)
    }

    /// Whether a content is kept.
    ///
    /// # Errors
    /// [`ContentStoreError::Store`].
    pub async fn contains(&self, hash: &str) -> Result<bool, ContentStoreError> {
        match self.contents.head(&location_of(hash)).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Checks that a content has this length, before it is served.
    ///
    /// # Errors
    /// [`ContentStoreError::Store`] if it is missing, [`ContentStoreError::Part`] if it has another length.
    pub async fn verify(&self, hash: &str, size_bytes: u64) -> Result<(), ContentStoreError> {
        let _permit = self.reading.acquire().await.expect("the semaphore is never closed");
        let found = self.contents.head(&location_of(hash)).await?.size;
        if found == size_bytes {
            return Ok(());
        }
        let fault = format!("{hash} has {found} bytes, expected {size_bytes}");
        Err(ContentStoreError::Part(io::Error::new(io::ErrorKind::InvalidData, fault)))
    }

    /// Reads a part of a content, with the file open only meanwhile. At most [`limits::FILE_READS_MAX`] are read at one
    /// time.
    ///
    /// # Errors
    /// [`ContentStoreError`] if the content is missing or ends within the part.
    pub async fn read_part(&self, hash: &str, part: Range<u64>) -> Result<Bytes, ContentStoreError> {
        let permit = Arc::clone(&self.reading).acquire_owned().await.expect("the semaphore is never closed");
        let (contents, location) = (Arc::clone(&self.contents), location_of(hash));
        let length = part.end.saturating_sub(part.start);
        // A task keeps the permit until the file is closed, even if the client disconnects.
        let reading = tokio::spawn(async move {
            let read = contents.get_ranges(&location, std::slice::from_ref(&part)).await;
            drop(permit);
            read
        });
        let read = reading.await.map_err(|ended| ContentStoreError::Part(io::Error::other(ended)))??;
        let whole = read.into_iter().next().filter(|bytes| bytes.len() as u64 == length);
        whole.ok_or_else(|| ContentStoreError::Part(io::Error::from(io::ErrorKind::UnexpectedEof)))
    }

    /// Streams a range of a content in pieces of [`limits::FILE_PIECE_BYTES`]. No file is open between two pieces, so a
    /// slow reader holds no descriptor. Pieces of two contents never mix, because the hash names the content. The
    /// stream ends with an error if the content is removed meanwhile.
    pub fn pieces(
        &self,
        hash: &str,
        range: Range<u64>,
    ) -> impl Stream<Item = Result<Bytes, ContentStoreError>> + Send + use<> {
        let (files, hash) = (self.clone(), hash.to_owned());
        stream::try_unfold((files, hash, range), |(files, hash, left)| async move {
            if left.is_empty() {
                return Ok::<_, ContentStoreError>(None);
            }
            let end = left.end.min(left.start + limits::FILE_PIECE_BYTES);
            let piece = files.read_part(&hash, left.start..end).await?;
            Ok(Some((piece, (files, hash, end..left.end))))
        })
    }

    /// Hard-links contents into a new folder and returns that folder, so that they remain until a backup has copied
    /// them. Contents are copied if the file system has no hard links. The caller removes the folder; otherwise the
    /// next start does.
    ///
    /// # Errors
    /// The system's error.
    pub async fn stage(&self, hashes: Vec<String>) -> std::io::Result<PathBuf> {
        let folder = self.folder.clone();
        let staged = tokio::task::spawn_blocking(move || {
            let staged = folder.join(INCOMING).join(format!("backup-{:032x}", rand::random::<u128>()));
            private_file::make_dir(&staged)?;
            for hash in &hashes {
                let (content, second) = (folder.join(location(hash)), staged.join(hash));
                std::fs::hard_link(&content, &second).or_else(|_| std::fs::copy(&content, &second).map(drop))?;
            }
            Ok(staged)
        });
        staged.await.unwrap_or_else(|ended| Err(std::io::Error::other(ended)))
    }

    /// Locks the naming of contents.
    pub async fn naming(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.naming.lock().await
    }
}

/// A content's path below the folder for files.
pub fn location(hash: &str) -> PathBuf {
    Path::new(CONTENTS).join(hash.get(..2).unwrap_or("__")).join(hash)
}

fn location_of(hash: &str) -> object_store::path::Path {
    object_store::path::Path::from_iter(location(hash).iter().filter_map(|part| part.to_str()))
}

/// Removes a received file on drop, for instance after an error. Holds no path once the file was kept or discarded.
#[derive(Debug)]
struct TemporaryFile(Option<PathBuf>);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // The file often doesn't exist yet. A failed removal is harmless: the file is never served, and the
            // next start removes it.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A file being received.
pub struct IncomingFile {
    location: object_store::path::Path,
    temporary: TemporaryFile,
    upload: Box<dyn MultipartUpload>,
    hash: Context,
    size_bytes: u64,
    /// Received bytes that are not yet passed to `upload`.
    waiting: Vec<u8>,
}

impl std::fmt::Debug for IncomingFile {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("IncomingFile").field("size_bytes", &self.size_bytes).finish_non_exhaustive()
    }
}

impl IncomingFile {
    /// Bytes received so far.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Appends received bytes.
    ///
    /// # Errors
    /// [`ContentStoreError::Store`].
    pub async fn take(&mut self, piece: &Bytes) -> Result<(), ContentStoreError> {
        self.hash.update(piece);
        self.size_bytes += piece.len() as u64;
        self.waiting.extend_from_slice(piece);
        if self.waiting.len() >= limits::PIECE_BYTES {
            self.flush().await?;
        }
        Ok(())
    }

    /// Cancels the upload and removes its file.
    pub async fn abort(mut self) {
        // A file that can't be removed stays in `incoming` under a random name and is never served.
        let _ = self.upload.abort().await;
    }

    async fn flush(&mut self) -> Result<(), ContentStoreError> {
        let piece = PutPayload::from(std::mem::take(&mut self.waiting));
        Ok(self.upload.put_part(piece).await?)
    }

    /// Completes the upload.
    ///
    /// # Errors
    /// [`ContentStoreError::Store`].
    pub async fn finish(mut self) -> Result<UncommittedFile, ContentStoreError> {
        self.flush().await?;
        self.upload.complete().await?;
        let digest = self.hash.finish();
        let hash = digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        let received = FileDigest { hash, size_bytes: self.size_bytes };
        Ok(UncommittedFile { location: self.location, temporary: self.temporary, received })
    }
}

/// A completely received file, not yet kept or discarded.
#[derive(Debug)]
pub struct UncommittedFile {
    location: object_store::path::Path,
    temporary: TemporaryFile,
    received: FileDigest,
}

impl UncommittedFile {
    /// Length in bytes.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.received.size_bytes
    }

    /// Hash and length.
    #[must_use]
    pub fn received(&self) -> &FileDigest {
        &self.received
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;

    use super::*;

    async fn receive(files: &ContentStore, content: &[u8]) -> FileDigest {
        let mut incoming = files.receive().await.unwrap();
        for piece in content.chunks(3) {
            incoming.take(&Bytes::copy_from_slice(piece)).await.unwrap();
        }
        files.keep(incoming.finish().await.unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn a_content_is_found_by_its_hash_whole_and_in_part() {
        let dir = tempfile::tempdir().unwrap();
        let files = ContentStore::open(dir.path()).unwrap();
        let received = receive(&files, b"hello world").await;
        assert_eq!(received.hash, "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9");
        assert_eq!(received.size_bytes, 11);
        let whole = files.read(&received.hash, None).await.unwrap().bytes().await.unwrap();
        assert_eq!(whole, "hello world");
        let part = files.read(&received.hash, Some(GetRange::Bounded(6..8))).await.unwrap().bytes().await.unwrap();
        assert_eq!(part, "wo");
    }

    #[tokio::test]
    async fn a_range_is_streamed_in_pieces_to_its_last_byte() {
        let dir = tempfile::tempdir().unwrap();
        let files = ContentStore::open(dir.path()).unwrap();
        let content: Vec<u8> = (0..3 * limits::FILE_PIECE_BYTES).map(|at| (at % 251) as u8).collect();
        let hash = receive(&files, &content).await.hash;
        let end = content.len();
        for range in [0..end, 1..end - 1, 40_000..40_001, end..end] {
            let pieces = files.pieces(&hash, range.start as u64..range.end as u64);
            let pieces: Vec<Bytes> = pieces.map(Result::unwrap).collect().await;
            assert!(pieces.iter().all(|piece| piece.len() as u64 <= limits::FILE_PIECE_BYTES));
            assert!(pieces.concat() == content[range.clone()], "{range:?}");
        }
        let end = end as u64;
        assert!(files.verify(&hash, end).await.is_ok());
        assert!(files.verify(&hash, end - 1).await.is_err());
        assert!(files.read_part(&hash, end - 1..end + 1).await.is_err(), "it ends within the part");
    }

    #[tokio::test]
    async fn an_aborted_upload_leaves_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let files = ContentStore::open(dir.path()).unwrap();
        let mut incoming = files.receive().await.unwrap();
        incoming.take(&Bytes::from_static(b"half")).await.unwrap();
        incoming.abort().await;
        let left = std::fs::read_dir(dir.path().join("files/incoming")).map_or(0, Iterator::count);
        assert_eq!(left, 0);
    }

    #[tokio::test]
    async fn dropping_a_complete_uncommitted_upload_deletes_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let files = ContentStore::open(dir.path()).unwrap();
        let mut incoming = files.receive().await.unwrap();
        incoming.take(&Bytes::from_static(b"whole")).await.unwrap();
        let complete = incoming.finish().await.unwrap();
        let place = files.path_of(&complete);
        assert!(place.exists(), "negative control");
        drop(complete);
        assert!(!place.exists());
    }

    #[tokio::test]
    async fn identical_contents_are_stored_once_and_deleted_idempotently() {
        let dir = tempfile::tempdir().unwrap();
        let files = ContentStore::open(dir.path()).unwrap();
        assert_eq!(receive(&files, b"same").await, receive(&files, b"same").await);
        let hash = receive(&files, b"same").await.hash;
        files.forget(&hash).await.unwrap();
        assert!(files.read(&hash, None).await.is_err());
        files.forget(&hash).await.unwrap();
    }
}
