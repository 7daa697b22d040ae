//! Tells cargo what is built into the binary besides Rust: migrations, and in releases the web pages.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=migrations");
    let pages = Path::new("../../web/app/dist");
    // Debug builds read the pages from the folder as they run. In a release a missing folder is looked for again at each build.
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if release || pages.exists() {
        println!("cargo:rerun-if-changed={}", pages.display());
    }
}
