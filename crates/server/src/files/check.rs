//! Whether an uploaded file is what its name says, structurally: what browsers, headsets and scripts will be handed is looked at before it has a name. Looking means parsing, so it is done by
//! a child process that has nothing but the bytes: no files, no network, no environment, bounded time and memory.

use std::io::Read;
use std::process::Stdio;
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

use super::{Complete, Files, FilesError};
use crate::limits;
pub use kind::Kind;

/// The name of the command that is the child; not meant for people.
pub const COMMAND: &str = "check-file";

/// What it ends with where the file is not what it should be; the reason is on its standard output.
const REFUSED: i32 = 3;

/// What a look at a file found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is what its name says, as far as that can be told.
    Sound,
    /// It is not, in words for whoever uploaded it.
    Unsound(String),
}

/// Who looks at files.
#[derive(Clone, Copy, Debug)]
pub enum Checker {
    /// This program, once more.
    Child,
    /// Nobody: tests of other things upload what is no model.
    #[cfg(test)]
    Nobody,
}

impl Checker {
    /// Looks at a file that came whole.
    ///
    /// # Errors
    /// [`FilesError`]: it can't be read back, or the child not be started.
    pub async fn look(self, files: &Files, file: &Complete, extension: &str) -> Result<Verdict, FilesError> {
        let Some(kind) = Kind::of(extension) else { return Ok(Verdict::Sound) };
        match self {
            Checker::Child => look(files, file, kind).await,
            #[cfg(test)]
            Checker::Nobody => Ok(Verdict::Sound),
        }
    }
}

async fn look(files: &Files, file: &Complete, kind: Kind) -> Result<Verdict, FilesError> {
    let size_bytes = file.received.size_bytes.to_string();
    // The program that runs, also where a newer one lies under its name.
    let mut command = Command::new("/proc/self/exe");
    command.args([COMMAND, kind.word(), &size_bytes]).env_clear().current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn().map_err(FilesError::Check)?;
    let done = timeout(limits::FILE_CHECK_TIMEOUT, async {
        hand_over(files, file, &mut child).await?;
        let mut said = String::new();
        if let Some(out) = child.stdout.take() {
            // What is no text says nothing.
            let _ = out.take(limits::FILE_VERDICT_BYTES_MAX).read_to_string(&mut said).await;
        }
        Ok::<_, FilesError>((child.wait().await.map_err(FilesError::Check)?.code(), said))
    });
    Ok(match done.await {
        Ok(done) => match done? {
            (Some(0), _) => Verdict::Sound,
            (Some(REFUSED), said) if !said.is_empty() => Verdict::Unsound(said),
            _ => Verdict::Unsound(too_much(limits::FILE_CHECK_TIMEOUT)),
        },
        Err(_) => Verdict::Unsound(too_much(limits::FILE_CHECK_TIMEOUT)),
    })
}

fn too_much(time: Duration) -> String {
    let mib = limits::FILE_CHECK_MEMORY_BYTES >> 20;
    format!("looking at it took more than {} s or {mib} MiB, or went wrong", time.as_secs())
}

/// Hands the bytes over, as long as they are taken.
async fn hand_over(files: &Files, file: &Complete, child: &mut Child) -> Result<(), FilesError> {
    let Some(mut into) = child.stdin.take() else { return Ok(()) };
    let mut pieces = files.contents.get(&file.location).await?.into_stream();
    while let Some(piece) = pieces.try_next().await? {
        // Who has seen enough closes its end.
        if into.write_all(&piece).await.is_err() {
            break;
        }
    }
    Ok(())
}

/// The child: confines itself, reads a file from `input`, and tells its verdict by what it gives back as the status to end with. Nothing of the file is looked at before it is confined.
#[must_use]
pub fn run_child(arguments: &[String], input: impl Read) -> u8 {
    let [word, size_bytes] = arguments else { return 2 };
    let (Some(kind), Ok(size_bytes)) = (Kind::called(word), size_bytes.parse()) else { return 2 };
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
