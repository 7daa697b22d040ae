//! A page that points to a file of the repository points to one that is there.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::files_below;

pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for page in files_below(root, &["md"])? {
        let folder = page.parent().unwrap_or(root);
        let text = fs::read_to_string(&page)?;
        let shown = page.strip_prefix(root).unwrap_or(&page).display();
        let dead = targets(&text).into_iter().filter(|target| !folder.join(target).exists());
        findings.extend(dead.map(|target| format!("{shown} points to {target}, which isn't there")));
    }
    Ok(findings)
}

/// The relative addresses of a page's links and pictures, without their fragments.
fn targets(text: &str) -> Vec<&str> {
    let parts = text.split("](").skip(1);
    let addresses = parts.filter_map(|part| part.split_once(')').map(|(address, _)| address));
    let paths = addresses.filter_map(|address| address.split('#').next());
    paths
        .filter(|path| !path.is_empty() && !path.contains("://") && !path.starts_with('/') && !path.contains(' '))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_nowhere_is_rejected() -> Result<()> {
        let root = tempfile::tempdir()?;
        fs::write(root.path().join("there.md"), "[web](https://example.org) [top](#top)")?;
        fs::write(root.path().join("page.md"), "![a](there.md) [b](there.md#part)")?;
        assert_eq!(findings(root.path())?, Vec::<String>::new(), "negative control");
        fs::write(root.path().join("page.md"), "[b](gone.md)")?;
        assert_eq!(findings(root.path())?.len(), 1);
        Ok(())
    }
}
