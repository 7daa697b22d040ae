//! Backups of a whole data folder, with or without a running server, and their restore.
//!
//! A backup is a folder like a data folder, without `run`. It holds `backup.json`, which is written last: without
//! that file a backup is incomplete.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use stoa_state::scene::UnixMillis;

use crate::files::{self, ContentStore, ContentStoreError};
use crate::limits;
use crate::os::lock::{FolderLock, LockError};
use crate::os::{clock, private_file};
use crate::store::{FILE_NAME, Store, StoreError};

/// The file that marks a complete backup.
const MARK: &str = "backup.json";
/// The version of a backup's layout.
const VERSION: u32 = 1;
/// Folders of private files.
const PRIVATE: [&str; 2] = ["keys", "tls"];

/// The source of a backup.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackupSource<'a> {
    /// The data folder.
    pub data: &'a Path,
    /// The data folder's database.
    pub store: &'a Store,
    /// The data folder's files. While a server runs this is the server's own value, whose locks it shares.
    pub files: &'a ContentStore,
}

/// A backup's `backup.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BackupSummary {
    /// [`VERSION`].
    stoa_backup: u32,
    /// Version of the stoa that made the backup.
    version: String,
    /// When the backup was made.
    taken_at: UnixMillis,
    /// Number of scenes.
    scenes: usize,
    /// Number of accounts.
    accounts: usize,
    /// Number of different file contents.
    files: usize,
}

impl fmt::Display for BackupSummary {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} scenes, {} accounts, {} files, as of {}", self.scenes, self.accounts, self.files, self.taken_at)
    }
}

/// A failed backup or restore.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The target folder isn't empty.
    #[error("{0} is not empty: name a folder that is empty or not there yet")]
    NotEmpty(PathBuf),
    /// Not a backup, an incomplete one, or one of another version.
    #[error("{0} is no whole backup: it has no {MARK} that this stoa understands")]
    NoBackup(PathBuf),
    /// A file can't be read or written.
    #[error("cannot copy {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file's content is missing or doesn't match its hash, or the database is damaged.
    #[error("{0} is damaged or missing")]
    Damaged(PathBuf),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file store failed.
    #[error(transparent)]
    Files(#[from] ContentStoreError),
    /// The folder is in use.
    #[error(transparent)]
    Lock(#[from] LockError),
}

/// Copies a realm into the folder `to`, as of one moment, while it stays in use. Only the naming of uploads waits,
/// until the database is copied and each content has a hard link (or a copy, on file systems without links).
///
/// # Errors
/// [`BackupError`]. The folder then holds no complete backup.
pub(crate) async fn take(source: &BackupSource<'_>, to: &Path) -> Result<BackupSummary, BackupError> {
    make_empty(to)?;
    let database = to.join(FILE_NAME);
    // SQLite fills an empty file. One that it created itself would be readable by other users.
    private_file::write(&database, "").map_err(|error| at(&database, error))?;
    let (hashes, staged) = {
        let _naming = source.files.naming().await;
        source.store.copy_to(&database).await?;
        let hashes = source.store.content_hashes().await?;
        let staged = source.files.stage(hashes.clone()).await.map_err(|error| at(source.data, error))?;
        (hashes, staged)
    };
    let contents = BackupSummary {
        stoa_backup: VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        taken_at: UnixMillis(clock::unix_now().0 * 1_000),
        scenes: source.store.scenes().await?.len(),
        accounts: source.store.accounts().await?.len(),
        files: hashes.len(),
    };
    let (data, target, mark) = (source.data.to_owned(), to.to_owned(), contents.clone());
    let copied = tokio::task::spawn_blocking(move || {
        let copied = hashes.iter().try_for_each(|hash| copy_content(&staged.join(hash), hash, &target));
        // A failed removal is harmless: the next start removes the staging folder.
        let _ = std::fs::remove_dir_all(&staged);
        copied?;
        PRIVATE.iter().try_for_each(|folder| copy_private(&data.join(folder), &target.join(folder)))?;
        sync(&target.join(FILE_NAME))?;
        let text = serde_json::to_string_pretty(&mark).expect("strings and numbers");
        private_file::write(&target.join(MARK), &text).map_err(|error| at(&target, error))?;
        sync(&target)
    });
    copied.await.unwrap_or_else(|ended| Err(at(to, io::Error::other(ended))))?;
    Ok(contents)
}

/// Restores a backup into an empty data folder.
///
/// # Errors
/// [`BackupError`]. Nothing of the restore then remains in the folder.
pub(crate) async fn restore(from: &Path, data: &Path) -> Result<BackupSummary, BackupError> {
    let text = std::fs::read_to_string(from.join(MARK)).map_err(|_| BackupError::NoBackup(from.to_owned()))?;
    let contents: BackupSummary = serde_json::from_str(&text).map_err(|_| BackupError::NoBackup(from.to_owned()))?;
    if contents.stoa_backup != VERSION {
        return Err(BackupError::NoBackup(from.to_owned()));
    }
    make_empty(data)?;
    let lock = FolderLock::take(data)?;
    let filled = fill(from, data).await;
    if filled.is_err() {
        // The folder was empty, so everything in it is from this restore.
        for entry in std::fs::read_dir(data).into_iter().flatten().flatten() {
            let _ = std::fs::remove_dir_all(entry.path()).or_else(|_| std::fs::remove_file(entry.path()));
        }
    }
    drop(lock);
    filled.map(|()| contents)
}

async fn fill(from: &Path, data: &Path) -> Result<(), BackupError> {
    let (source, target) = (from.to_owned(), data.to_owned());
    let copied = tokio::task::spawn_blocking(move || {
        PRIVATE.iter().try_for_each(|folder| copy_private(&source.join(folder), &target.join(folder)))?;
        for path in contents_below(&source.join(files::FOLDER).join(files::CONTENTS))? {
            let hash = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            copy_content(&path, &hash, &target)?;
        }
        copy(&source.join(FILE_NAME), &target.join(FILE_NAME))
    });
    copied.await.unwrap_or_else(|ended| Err(at(data, io::Error::other(ended))))?;
    let store = Store::open(data).await?;
    if !store.settle_in(limits::RESTORED_EPOCHS).await? {
        return Err(BackupError::Damaged(from.join(FILE_NAME)));
    }
    for hash in store.content_hashes().await? {
        if !data.join(location(&hash)).is_file() {
            return Err(BackupError::Damaged(from.join(location(&hash))));
        }
    }
    Ok(())
}

fn at(path: &Path, source: io::Error) -> BackupError {
    BackupError::Io { path: path.to_owned(), source }
}

fn make_empty(folder: &Path) -> Result<(), BackupError> {
    private_file::make_dir(folder).map_err(|error| at(folder, error))?;
    let mut entries = std::fs::read_dir(folder).map_err(|error| at(folder, error))?;
    if entries.next().is_some() { Err(BackupError::NotEmpty(folder.to_owned())) } else { Ok(()) }
}

fn location(hash: &str) -> PathBuf {
    Path::new(files::FOLDER).join(files::location(hash))
}

fn copy_content(from: &Path, hash: &str, target: &Path) -> Result<(), BackupError> {
    let to = target.join(location(hash));
    private_file::make_dir(to.parent().unwrap_or(target)).map_err(|error| at(&to, error))?;
    copy(from, &to)?;
    if hash_of(&to).map_err(|error| at(&to, error))? == hash {
        Ok(())
    } else {
        Err(BackupError::Damaged(from.to_owned()))
    }
}

fn copy_private(from: &Path, to: &Path) -> Result<(), BackupError> {
    private_file::make_dir(to).map_err(|error| at(to, error))?;
    for entry in std::fs::read_dir(from).map_err(|error| at(from, error))? {
        let entry = entry.map_err(|error| at(from, error))?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() { copy_private(&from, &to)? } else { copy(&from, &to)? }
    }
    Ok(())
}

/// Copies a file with mode 0600, and syncs it to disk.
fn copy(from: &Path, to: &Path) -> Result<(), BackupError> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = std::fs::OpenOptions::new();
    let copied = File::open(from).and_then(|mut source| {
        let mut target = options.write(true).create_new(true).mode(0o600).open(to)?;
        io::copy(&mut source, &mut target)?;
        target.sync_all()
    });
    copied.map_err(|error| at(from, error))
}

fn sync(path: &Path) -> Result<(), BackupError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|error| at(path, error))
}

fn contents_below(folder: &Path) -> Result<Vec<PathBuf>, BackupError> {
    let mut found = Vec::new();
    let Ok(folders) = std::fs::read_dir(folder) else { return Ok(found) };
    for part in folders {
        let part = part.map_err(|error| at(folder, error))?.path();
        for content in std::fs::read_dir(&part).map_err(|error| at(&part, error))? {
            found.push(content.map_err(|error| at(&part, error))?.path());
        }
    }
    Ok(found)
}

fn hash_of(path: &Path) -> io::Result<String> {
    let (mut file, mut context) = (File::open(path)?, Context::new(&SHA256));
    let mut buffer = vec![0; limits::COPY_BYTES];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            length => context.update(&buffer[..length]),
        }
    }
    Ok(context.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect())
}
