//! An object schema comes with a vector and a page; an A-Frame component comes with a test and a page.

use std::path::Path;

use anyhow::Result;

use super::files_below;

pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for stem in stems(&root.join("spec/objects"), "json")? {
        for wanted in [format!("spec/vectors/objects/{stem}.json"), format!("docs/objects/{stem}.md")] {
            findings.extend(missing(root, &format!("spec/objects/{stem}.json"), &wanted));
        }
    }
    for stem in stems(&root.join("web/aframe/src"), "ts")?.into_iter().filter(|stem| stem.starts_with("stoa-")) {
        for wanted in [format!("web/aframe/test/{stem}.test.ts"), format!("docs/components/{stem}.md")] {
            findings.extend(missing(root, &format!("web/aframe/src/{stem}.ts"), &wanted));
        }
    }
    Ok(findings)
}

fn missing(root: &Path, owner: &str, wanted: &str) -> Option<String> {
    (!root.join(wanted).is_file()).then(|| format!("{owner} has no {wanted}"))
}

fn stems(folder: &Path, extension: &str) -> Result<Vec<String>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let files = files_below(folder, &[extension])?;
    Ok(files.iter().filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_schema_without_vector_and_a_component_without_page_are_rejected() -> Result<()> {
        let root = tempfile::tempdir()?;
        let write = |path: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("has a folder"))?;
            fs::write(path, "")
        };
        for path in ["spec/objects/lamp.json", "spec/vectors/objects/lamp.json", "docs/objects/lamp.md"] {
            write(path)?;
        }
        for path in [
            "web/aframe/src/stoa-lamp.ts",
            "web/aframe/src/mapping.ts",
            "web/aframe/test/stoa-lamp.test.ts",
            "docs/components/stoa-lamp.md",
        ] {
            write(path)?;
        }
        assert_eq!(findings(root.path())?, Vec::<String>::new(), "negative control");
        write("spec/objects/anchor.json")?;
        write("web/aframe/src/stoa-anchor.ts")?;
        assert_eq!(findings(root.path())?.len(), 4);
        Ok(())
    }
}
