//! The lab's standard output, tested as a process.

use std::process::{Command, Stdio};

#[test]
fn a_closed_standard_output_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut list = Command::new(env!("CARGO_BIN_EXE_stoa-lab"));
    let listed = list.arg("list").stdout(writer).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&listed.stderr), "");
    assert!(listed.status.success(), "{}", listed.status);
}
