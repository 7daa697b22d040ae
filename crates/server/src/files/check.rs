//! Checks that an uploaded file has the structure its name claims, before it gets a name and before browsers,
//! headsets and scripts load it. Checking means parsing, so a child process does it with access to the bytes alone: no
//! environment, bounded time and memory, and, where the kernel supports it, no files and no network.

use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures_util::TryStreamExt;
use object_store::ObjectStoreExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::timeout;

mod confined;
mod glb;
mod kind;
mod pictures;

use super::{ContentStore, ContentStoreError, UncommittedFile};
use crate::limits;
pub use kind::CheckedFileKind;

/// The child's command, not intended for people.
pub const COMMAND: &str = "check-file";

/// The child's exit code for a refused file. The reason is on its standard output.
const REFUSED: i32 = 3;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileVerdict {
    /// The structure is valid, as far as the check covers it; or files of this extension aren't checked.
    Sound,
    /// The structure is invalid; the reason, for the uploader.
    Unsound(String),
}

/// How uploaded files are checked.
#[derive(Clone, Copy, Debug)]
pub enum FileCheckMode {
    /// This program as a child process.
    Child,
    /// No check, for tests of other parts, which upload arbitrary bytes.
    #[cfg(test)]
    Unchecked,
}

impl FileCheckMode {
    /// Checks a completely received file.
    ///
    /// # Errors
    /// [`ContentStoreError`] if the file can't be read back, or the child can't be started or can't check it.
    pub async fn check(
        self,
        files: &ContentStore,
        file: &UncommittedFile,
        extension: &str,
    ) -> Result<FileVerdict, ContentStoreError> {
        let Some(kind) = CheckedFileKind::of(extension) else { return Ok(FileVerdict::Sound) };
        match self {
            FileCheckMode::Child => check(files, file, kind).await,
            #[cfg(test)]
            FileCheckMode::Unchecked => Ok(FileVerdict::Sound),
        }
    }
}

async fn check(
    files: &ContentStore,
    file: &UncommittedFile,
    kind: CheckedFileKind,
) -> Result<FileVerdict, ContentStoreError> {
    let _permit = files.checking.acquire().await.expect("the semaphore is never closed");
    let size_bytes = file.received.size_bytes.to_string();
    // The running binary, even if a newer one has replaced its file.
    let mut command = Command::new("/proc/self/exe");
    command.args([COMMAND, kind.word(), &size_bytes]).env_clear().current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn().map_err(ContentStoreError::Check)?;
    let done = timeout(limits::FILE_CHECK_TIMEOUT, async {
        write_file(files, file, &mut child).await?;
        let mut output = String::new();
        if let Some(out) = child.stdout.take() {
            // Output that isn't UTF-8 counts as empty.
            let _ = out.take(limits::FILE_VERDICT_BYTES_MAX).read_to_string(&mut output).await;
        }
        Ok::<_, ContentStoreError>((child.wait().await.map_err(ContentStoreError::Check)?, output))
    });
    match done.await {
        Ok(done) => done.and_then(|(ended, output)| verdict(ended, output)),
        Err(_) => Ok(FileVerdict::Unsound(limits_exceeded(limits::FILE_CHECK_TIMEOUT))),
    }
}

/// Interprets the child's exit. With a code other than 0 and [`REFUSED`], or with `REFUSED` but no reason, the child
/// could not confine itself or has a bug, so the file may be valid. A signal usually means that it exceeded a limit.
fn verdict(ended: ExitStatus, output: String) -> Result<FileVerdict, ContentStoreError> {
    match ended.code() {
        Some(0) => Ok(FileVerdict::Sound),
        Some(REFUSED) if !output.is_empty() => Ok(FileVerdict::Unsound(output)),
        Some(_) => Err(ContentStoreError::Check(io::Error::other(format!("the check ended: {ended}")))),
        None => {
            // SIGKILL and SIGXCPU mean a limit of time, or a machine without memory. A failed allocation aborts the
            // child, as a bug does.
            if !matches!(ended.signal(), Some(libc::SIGKILL | libc::SIGXCPU)) {
                tracing::warn!(%ended, "the check of an uploaded file was killed: it used too much memory or crashed");
            }
            Ok(FileVerdict::Unsound(limits_exceeded(limits::FILE_CHECK_TIMEOUT)))
        }
    }
}

fn limits_exceeded(time: Duration) -> String {
    let mib = limits::FILE_CHECK_MEMORY_BYTES >> 20;
    format!("checking it took more than {} s or {mib} MiB, or failed", time.as_secs())
}

/// Writes the file to the child as long as it reads.
async fn write_file(files: &ContentStore, file: &UncommittedFile, child: &mut Child) -> Result<(), ContentStoreError> {
    let Some(mut into) = child.stdin.take() else { return Ok(()) };
    let mut pieces = files.contents.get(&file.location).await?.into_stream();
    while let Some(piece) = pieces.try_next().await? {
        // The child closes its input once it has read enough.
        if into.write_all(&piece).await.is_err() {
            break;
        }
    }
    Ok(())
}

/// The child process: confines itself, then reads a file from `input` and returns the exit code of its verdict.
#[must_use]
pub fn run_child(arguments: &[String], input: impl Read) -> u8 {
    let [word, size_bytes] = arguments else { return 2 };
    let (Some(kind), Ok(size_bytes)) = (CheckedFileKind::called(word), size_bytes.parse()) else { return 2 };
    if confined::confine().is_err() {
        return 2;
    }
    match kind.check(input, size_bytes) {
        Ok(()) => 0,
        Err(reason) => {
            print!("{reason}");
            REFUSED as u8
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_check_process_is_an_error_and_a_killed_one_rejects_the_file() {
        let ended = |code: i32, output: &str| verdict(ExitStatus::from_raw(code << 8), output.to_owned());
        assert_eq!(ended(0, "").unwrap(), FileVerdict::Sound);
        assert_eq!(ended(REFUSED, "it is no image").unwrap(), FileVerdict::Unsound("it is no image".to_owned()));
        for code in [1, 2, 101, REFUSED] {
            let error = ended(code, "").expect_err("the operator is told").to_string();
            assert!(error.contains(&format!("exit status: {code}")), "{error}");
        }
        for signal in [libc::SIGXCPU, libc::SIGKILL, libc::SIGABRT, libc::SIGSEGV] {
            let limit = verdict(ExitStatus::from_raw(signal), String::new()).unwrap();
            assert!(matches!(limit, FileVerdict::Unsound(why) if why.contains("20 s or 2048 MiB")), "{signal}");
        }
    }
}
