//! Files with access for the server's own user only.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// Writes `text` with mode 0600 by rename, so that no half file and no readable one ever exists.
///
/// # Errors
/// Errors of the file system.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    let next = path.with_extension("next");
    // Left by a crash, perhaps with another mode.
    let _ = std::fs::remove_file(&next);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&next)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&next, path)
}

/// Creates a folder (and its parents) with mode 0700. An existing folder keeps its mode.
///
/// # Errors
/// Errors of the file system.
pub(crate) fn make_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_private_file_is_for_its_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        super::write(&path, "one").unwrap();
        super::write(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}
