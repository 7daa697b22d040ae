//! A `stoa` process under test.

use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use stoa_server::ports::BoundAddresses;
use stoa_server::tokens::TokenAuthority;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// A longer wait means that the server hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A running server and its data folder, which others may share.
pub(crate) struct Running {
    pub(crate) ports: BoundAddresses,
    pub(crate) data: PathBuf,
    child: Child,
}

/// `stoa` with arguments.
pub(crate) fn stoa(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stoa"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

/// `stoa serve` on ports that the system chooses, except those in `told`.
pub(crate) fn serve(data: &Path, told: &[(&str, &str)]) -> Command {
    let mut command = stoa(&["serve", "--no-open"]);
    for flag in ["--https", "--http", "--mqtt", "--mqtts", "--admin", "--motion"] {
        let address = told.iter().find(|(name, _)| *name == flag).map_or("127.0.0.1:0", |(_, address)| address);
        command.args([flag, address]);
    }
    command.arg("--data").arg(data);
    command
}

/// Places this process' signing key into a new data folder: generating one takes a tenth of a second.
fn place_key(data: &Path) {
    static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        TokenAuthority::load_or_create(folder.path()).unwrap();
        folder
    });
    let keys = data.join("keys");
    if !keys.exists() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&keys).unwrap();
        std::fs::copy(FOLDER.path().join("keys/tokens.pem"), keys.join("tokens.pem")).unwrap();
    }
}

impl Running {
    /// Starts a server and waits until it is ready. A new one gets a signing key that such servers share.
    pub(crate) async fn start(data: &Path) -> Running {
        place_key(data);
        Running::start_by(serve(data, &[]), data).await
    }

    /// Starts the server by this command and waits until it is ready.
    pub(crate) async fn start_by(mut command: Command, data: &Path) -> Running {
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = async {
            while let Some(line) = lines.next_line().await.unwrap() {
                if line.contains("is ready") {
                    return true;
                }
            }
            false
        };
        if !timeout(PATIENCE, ready).await.expect("a server is ready in time") {
            let mut why = String::new();
            child.stderr.take().unwrap().read_to_string(&mut why).await.unwrap();
            panic!("the server did not start: {why}");
        }
        let text = std::fs::read_to_string(data.join("run/ports.json")).unwrap();
        Running { ports: serde_json::from_str(&text).unwrap(), data: data.to_owned(), child }
    }

    /// Sends SIGTERM, waits, and returns the exit status and the log.
    pub(crate) async fn terminate(mut self) -> (ExitStatus, String) {
        let pid = self.child.id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let mut log = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        timeout(PATIENCE, stderr.read_to_string(&mut log)).await.expect("a server ends in time").unwrap();
        (self.child.wait().await.unwrap(), log)
    }

    /// Kills the server with SIGKILL.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Issues a token by `stoa token` beside the running server.
    pub(crate) async fn token(&self, arguments: &[&str]) -> String {
        let output = stoa(&["token", "--data"]).arg(&self.data).args(arguments).output().await.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// GET over plain HTTP: status and body.
    pub(crate) async fn get(&self, path: &str, token: Option<&str>) -> (u16, String) {
        get(self.ports.http.unwrap(), path, token).await
    }
}

/// GET over plain HTTP/1.0, so that answers are not chunked: status and body.
pub(crate) async fn get(address: SocketAddr, path: &str, token: Option<&str>) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let bearer = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let request = format!("GET {path} HTTP/1.0\r\nHost: {address}\r\n{bearer}Connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut answer)).await.expect("an answer in time").unwrap();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status line");
    (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}

/// A request with a JSON body over plain HTTP: status and body.
pub(crate) async fn ask(address: SocketAddr, (method, path): (&str, &str), token: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let bearer = if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.0\r\nHost: {address}\r\n{bearer}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut answer)).await.expect("an answer in time").unwrap();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status line");
    (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}
