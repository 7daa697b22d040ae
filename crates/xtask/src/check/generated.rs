//! Rejects differences between the tree and the output of `cargo xtask gen`, and generated files without a source.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::r#gen;

pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    let wanted = r#gen::files(root)?;
    let found = r#gen::existing(root)?;
    Ok(differences(&wanted, &found))
}

fn differences(wanted: &BTreeMap<PathBuf, String>, found: &[PathBuf]) -> Vec<String> {
    let stale = found.iter().filter(|path| !wanted.contains_key(*path));
    let mut findings: Vec<String> =
        stale.map(|path| format!("{} has no source in spec/: run cargo xtask gen", path.display())).collect();
    for (path, text) in wanted {
        if fs::read_to_string(path).ok().as_ref() != Some(text) {
            findings.push(format!("{} differs from spec/: run cargo xtask gen", path.display()));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edited_missing_and_stale_generated_files_are_rejected() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        fs::write(path("kept.rs"), "same")?;
        fs::write(path("edited.rs"), "by hand")?;
        let wanted = ["kept.rs", "edited.rs", "missing.rs"].map(|name| (path(name), "same".to_owned()));
        let findings = differences(&BTreeMap::from(wanted), &[path("kept.rs"), path("stale.rs")]);
        assert_eq!(findings.len(), 3, "all but kept.rs: {findings:?}");
        assert!(!findings.iter().any(|finding| finding.contains("kept.rs")));
        Ok(())
    }
}
