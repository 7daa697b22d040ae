//! The output of commands, run as processes.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::running::{Running, stoa};

#[tokio::test]
async fn a_data_folder_name_that_is_not_utf8_does_not_panic() {
    let above = tempfile::tempdir().unwrap();
    let data = above.path().join(OsStr::from_bytes(b"caf\xe9"));
    let output = stoa(&["scene", "list"]).arg("--data").arg(&data).output().await.unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("there is no realm in") && !said.contains("panicked"), "{said}");
}

#[tokio::test]
async fn a_command_succeeds_when_its_output_pipe_is_closed() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path()).await;
    for arguments in [["scene", "list"].as_slice(), &["token", "--user", "reader", "--scene", "public/lobby"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        // Tokio's `output` would replace this pipe by its own.
        let command = stoa(arguments).arg("--data").arg(data.path()).stdout(writer).spawn().unwrap();
        let output = command.wait_with_output().await.unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}: {}", output.status);
    }
    server.kill().await;
}
