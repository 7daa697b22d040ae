//! A network namespace for one command: created by root, or in a user namespace if the kernel allows it.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

const WAYS: [&[&str]; 2] = [&["unshare", "--net"], &["unshare", "--user", "--map-root-user", "--net"]];
/// Loopback is down in a new namespace. This script brings loopback up, then runs the command in its arguments.
const LOOPBACK: &str = "deploy/in-netns.sh";

/// The words that prefix a command. Errors: no namespace can be created; the message lists the requirements.
pub(crate) fn prefix(root: &Path) -> Result<Vec<OsString>> {
    for way in WAYS {
        let works = Command::new(way[0])
            .args(&way[1..])
            .args(["ip", "link", "set", "lo", "up"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if works {
            return Ok(way.iter().map(OsString::from).chain([root.join(LOOPBACK).into_os_string()]).collect());
        }
    }
    bail!(
        "no network namespace can be made here: it takes root, or user namespaces (kernel.unprivileged_userns_clone), and the programs unshare and ip"
    )
}
