//! Files with access for the server's own user only.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Writes `text` with mode 0600 by rename, so that the file at `path` is always complete and private.
///
/// # Errors
/// Errors of the file system.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    let next = path.with_added_extension("next");
    let mut file = create(&next)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&next, path)
}

/// Creates an empty file with mode 0600 for writing. It replaces an existing one, which a crash may have left with
/// another mode.
///
/// # Errors
/// Errors of the file system.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    let _ = std::fs::remove_file(path);
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Opens a file for reading and writing, with mode 0600 if possible. Creates a missing file, and keeps the content of
/// an existing one.
///
/// # Errors
/// Errors of the file system.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    // Some file systems know no modes, and another account may own the file.
    let _ = file.set_permissions(Permissions::from_mode(0o600));
    Ok(file)
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
    fn a_private_file_is_replaced_and_readable_only_by_its_owner() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        super::write(&path, "one").unwrap();
        super::write(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn opening_a_private_file_keeps_its_content_and_restricts_its_mode() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        std::fs::write(&path, "17").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        super::open(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "17");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}
