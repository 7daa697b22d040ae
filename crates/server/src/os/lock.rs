//! The lock of a data folder: one process owns it by `DIR/lock`. The system releases it when the process ends, even
//! by `kill -9`.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::private_file;

/// Exclusive use of the folder, until this is dropped.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

/// Reasons why a folder can't be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process uses the folder.
    #[error("the data folder {dir} is in use by another stoa (process {holder}); give a different one with --data")]
    Held {
        /// The folder.
        dir: PathBuf,
        /// Process id of the other process, or "unknown".
        holder: String,
    },
    /// The lock file can't be opened or written.
    #[error("cannot lock the data folder {dir}: {source}")]
    Io {
        /// The folder.
        dir: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

impl FolderLock {
    /// Locks the folder.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn take(dir: &Path) -> Result<FolderLock, LockError> {
        let io = |source| LockError::Io { dir: dir.to_owned(), source };
        let mut file = private_file::open(&dir.join("lock")).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                let holder = if holder.trim().is_empty() { "unknown".to_owned() } else { holder.trim().to_owned() };
                return Err(LockError::Held { dir: dir.to_owned(), holder });
            }
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(io)?;
        writeln!(file, "{}", std::process::id()).map_err(io)?;
        Ok(FolderLock { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_folder_refuses_a_second_lock_until_it_is_released() {
        let dir = tempfile::tempdir().unwrap();
        let held = FolderLock::take(dir.path()).unwrap();
        let refused = FolderLock::take(dir.path()).unwrap_err().to_string();
        assert!(refused.contains(&std::process::id().to_string()), "{refused}");
        drop(held);
        FolderLock::take(dir.path()).unwrap();
    }
}
