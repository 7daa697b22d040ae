//! A network namespace for one command: root makes it directly, others by a user namespace where the kernel lets them.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

const WAYS: [&str; 2] = ["unshare --net", "unshare --user --map-root-user --net"];
/// Loopback is down in a new namespace; what follows is run once it is up.
const LOOPBACK: &str = "deploy/in-netns.sh";

/// What to put before a command line, run in a folder right below the repository's root.
/// Errors: neither way works here; the message names what is missing.
pub(crate) fn prefix() -> Result<String> {
    for way in WAYS {
        let mut words = way.split(' ');
        let program = words.next().unwrap_or_default();
        let works = Command::new(program)
            .args(words)
            .args(["ip", "link", "set", "lo", "up"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if works {
            return Ok(format!("{way} ../{LOOPBACK}"));
        }
    }
    bail!(
        "no network namespace can be made here: it takes root, or user namespaces (kernel.unprivileged_userns_clone), and the programs unshare and ip"
    )
}
