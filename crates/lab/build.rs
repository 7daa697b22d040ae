//! Notes the commit that is built: a report tells what was measured.

use std::process::Command;

fn main() {
    // Whatever is committed or changed from now on is another state.
    println!("cargo:rerun-if-changed=../../.git/logs/HEAD");
    println!("cargo:rerun-if-changed=..");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["describe", "--always", "--dirty=-changed", "--abbrev=12", "--exclude=*"]);
    println!("cargo:rustc-env=STOA_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}
