//! `DIR/run/control.sock`, by which commands such as `stoa user` and `stoa scene` reach a running server: one JSON
//! line each way. Only the folder's owner can open it. Without a server the same commands run on the folder itself,
//! under its lock.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stoa_net::shutdown::ShutdownSignal;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;
use tokio::time::timeout;

pub(crate) mod backup;
mod execute;
mod request;

pub(crate) use execute::end_account;
pub(crate) use execute::{ControlTarget, execute};
pub(crate) use request::{ControlCommandOutput, ControlRefusal, ControlRequest};

use crate::app::App;
use crate::limits;

/// The bound socket. Dropping it removes the file.
#[derive(Debug)]
pub(crate) struct ControlSocket {
    listener: UnixListener,
    path: PathBuf,
}

/// Binds the socket, and replaces one that a killed server left. Only the folder's owner has access to the folder.
///
/// # Errors
/// Errors of the file system and of `bind`.
pub(crate) fn listen(run_dir: &Path) -> io::Result<ControlSocket> {
    use std::os::unix::fs::PermissionsExt;
    let path = run_dir.join("control.sock");
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = with_short_path(run_dir, |short| UnixListener::bind(short))?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
    Ok(ControlSocket { listener, path })
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        // A socket left behind refuses connections, which means the same.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Answers commands until `shutdown`.
pub(crate) async fn serve(socket: ControlSocket, app: App, mut shutdown: ShutdownSignal) {
    let folder = Arc::new(ControlTarget::of_server(&app));
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            () = shutdown.wait() => break,
            Some(_) = tasks.join_next() => {}
            accepted = socket.listener.accept() => match accepted {
                Ok((stream, _)) if tasks.len() < limits::CONTROL_CONNECTIONS_MAX => {
                    let folder = Arc::clone(&folder);
                    // A broken connection concerns its client alone.
                    tasks.spawn(async move { drop(answer(stream, &folder).await) });
                }
                Ok(_) => {}
                Err(_) => tokio::time::sleep(limits::CONTROL_RETRY).await,
            }
        }
    }
    while tasks.join_next().await.is_some() {}
}

async fn answer(stream: UnixStream, folder: &ControlTarget) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut line = Vec::new();
    let mut first = (&mut stream).take(limits::CONTROL_LINE_BYTES_MAX);
    timeout(limits::CONTROL_TIMEOUT, first.read_until(b'\n', &mut line)).await??;
    let result: Result<ControlCommandOutput, ControlRefusal> = match serde_json::from_slice::<ControlRequest>(&line) {
        _ if line.len() as u64 == limits::CONTROL_LINE_BYTES_MAX => {
            Err(ControlRefusal(format!("a command has at most {} bytes", limits::CONTROL_LINE_BYTES_MAX)))
        }
        Ok(request) => execute(folder, request).await,
        Err(error) => Err(ControlRefusal(format!("cannot understand the command: {error}"))),
    };
    let mut text = serde_json::to_vec(&result).map_err(io::Error::other)?;
    text.push(b'\n');
    timeout(limits::CONTROL_TIMEOUT, stream.get_mut().write_all(&text)).await?
}

/// Sends `request` to the server of a data folder. `None` if no server runs.
///
/// # Errors
/// Errors of the socket, or an answer that isn't a [`ControlCommandOutput`].
pub(crate) async fn ask(
    run_dir: &Path,
    request: &ControlRequest,
) -> io::Result<Option<Result<ControlCommandOutput, ControlRefusal>>> {
    if !run_dir.is_dir() {
        return Ok(None);
    }
    let stream = with_short_path(run_dir, |short| {
        let stream = std::os::unix::net::UnixStream::connect(short)?;
        stream.set_nonblocking(true)?;
        UnixStream::from_std(stream)
    });
    let stream = match stream {
        Ok(stream) => stream,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let mut stream = BufReader::new(stream);
    let mut line = serde_json::to_vec(request).map_err(io::Error::other)?;
    line.push(b'\n');
    stream.get_mut().write_all(&line).await?;
    let mut answer = Vec::new();
    stream.read_until(b'\n', &mut answer).await?;
    serde_json::from_slice(&answer).map(Some).map_err(io::Error::other)
}

/// A socket's path is limited to 107 bytes, so it is opened through the folder's descriptor.
fn with_short_path<T>(run_dir: &Path, open: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    use std::os::fd::AsRawFd;
    let dir = std::fs::File::open(run_dir)?;
    open(&Path::new("/proc/self/fd").join(dir.as_raw_fd().to_string()).join("control.sock"))
}
