//! Space on disks.

use std::path::Path;

/// Free bytes for this process on the disk of a file or folder.
///
/// # Errors
/// The system's error.
pub(crate) fn free_bytes(path: &Path) -> std::io::Result<u64> {
    let disk = rustix::fs::statvfs(path)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_is_measured_and_an_error_for_a_missing_folder() {
        let dir = tempfile::tempdir().unwrap();
        assert!(free_bytes(dir.path()).unwrap() > 0);
        assert!(free_bytes(&dir.path().join("missing")).is_err());
    }
}
