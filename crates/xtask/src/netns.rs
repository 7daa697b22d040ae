//! A network namespace for one command: root makes it directly, others by a user namespace where the kernel lets them.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

const WAYS: [&[&str]; 2] = [&["unshare", "--net"], &["unshare", "--user", "--map-root-user", "--net"]];
/// Loopback is down in a new namespace; what follows is run once it is up.
const LOOPBACK: &str = "deploy/in-netns.sh";

/// The words to put before a command line's own. Errors: neither way works here; the message names what is missing.
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
