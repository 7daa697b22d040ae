//! STYLE.md, *Numbers*: files of a folder of hand-written source or tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{files_below, is_generated};
use crate::house::Figure;

const FILES_MAX: usize = 50;

/// Findings and figure.
pub(crate) fn report(root: &Path) -> Result<(Vec<String>, Figure)> {
    let mut counts: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for path in files_below(root, &["rs", "ts", "mjs", "py", "css"])? {
        let folder = path.strip_prefix(root).unwrap_or(&path).parent().unwrap_or(Path::new("")).to_path_buf();
        if !is_generated(&fs::read_to_string(&path)?) {
            *counts.entry(folder).or_default() += 1;
        }
    }
    let largest = counts.values().copied().max().unwrap_or_default();
    let crowded = counts.into_iter().filter(|(_, count)| *count > FILES_MAX);
    let findings = crowded
        .map(|(folder, count)| format!("{}: {count} files, the limit is {FILES_MAX}", folder.display()))
        .collect();
    Ok((findings, Figure::at_most("files_in_the_largest_folder", largest as f64, FILES_MAX as f64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_too_many_files_is_rejected() -> Result<()> {
        let root = tempfile::tempdir()?;
        for number in 0..FILES_MAX {
            fs::write(root.path().join(format!("a{number}.ts")), "")?;
        }
        assert_eq!(report(root.path())?.0, Vec::<String>::new(), "negative control");
        fs::write(
            root.path().join("generated.ts"),
            "// Generated from spec/objects/box.json by cargo xtask gen. Do not edit.\n",
        )?;
        assert_eq!(report(root.path())?.0, Vec::<String>::new(), "generated files don't count");
        fs::write(root.path().join("one-more.ts"), "")?;
        assert_eq!(report(root.path())?.0.len(), 1);
        Ok(())
    }
}
