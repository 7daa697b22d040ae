//! An object schema needs a vector and a page; an A-Frame component needs a test and a page.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::files_below;

const COMPONENTS: &str = "web/aframe/src";
const COMPONENT_TESTS: &str = "web/aframe/test";
/// Forwards every registration to A-Frame, so it names no component itself.
const WRAPPER: &str = "aframe.ts";
const REGISTRATION: &str = ".registerComponent";

pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for stem in stems(&root.join("spec/objects"), "json")? {
        for wanted in [format!("spec/vectors/objects/{stem}.json"), format!("docs/objects/{stem}.md")] {
            findings.extend(missing(root, &format!("spec/objects/{stem}.json"), &wanted));
        }
    }
    findings.extend(component_findings(root)?);
    Ok(findings)
}

/// Finds components by their registration, in any folder and file.
fn component_findings(root: &Path) -> Result<Vec<String>> {
    let folder = root.join(COMPONENTS);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let tests = file_names(&root.join(COMPONENT_TESTS))?;
    let mut findings = Vec::new();
    for path in files_below(&folder, &["ts"])? {
        if path == folder.join(WRAPPER) {
            continue;
        }
        let owner = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        for name in registered(&fs::read_to_string(&path)?) {
            let Some(name) = name else {
                findings.push(format!("{owner} registers a component whose name is neither a literal nor a constant"));
                continue;
            };
            if !tests.contains(&format!("{name}.test.ts")) {
                findings.push(format!("{owner} registers {name}, which has no {COMPONENT_TESTS}/**/{name}.test.ts"));
            }
            findings.extend(missing(root, &owner, &format!("docs/components/{name}.md")));
        }
    }
    Ok(findings)
}

/// Names of the components that a file registers; `None` for one that can't be parsed.
fn registered(text: &str) -> Vec<Option<String>> {
    let calls = text.split(REGISTRATION).skip(1).filter(|after| after.starts_with(['<', '(']));
    calls.map(|call| component_name(text, call)).collect()
}

/// Parses `<Data, Behaviour>({ name: NAME, …` or A-Frame's own `(NAME, {…`.
fn component_name(text: &str, call: &str) -> Option<String> {
    let argument = call.split_once('(')?.1.trim_start();
    let name = match argument.strip_prefix('{') {
        Some(declaration) => declaration.trim_start().strip_prefix("name:")?.trim_start(),
        None => argument,
    };
    if let Some(literal) = name.strip_prefix('"') {
        return Some(literal.split_once('"')?.0.to_owned());
    }
    let constant = name.split_once(',')?.0.trim();
    let value = text.split_once(&format!("const {constant} = \""))?.1;
    Some(value.split_once('"')?.0.to_owned())
}

fn file_names(folder: &Path) -> Result<BTreeSet<String>> {
    if !folder.is_dir() {
        return Ok(BTreeSet::new());
    }
    let files = files_below(folder, &["ts"])?;
    Ok(files.iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect())
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

    fn write(root: &Path, path: &str, text: &str) -> Result<()> {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("has a folder"))?;
        Ok(fs::write(path, text)?)
    }

    fn registration(name: &str) -> String {
        format!("aframe.registerComponent<object, One>({{\n    name: {name},\n    schema: {{}},\n  }});\n")
    }

    #[test]
    fn a_schema_without_vector_and_a_component_without_page_are_rejected() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let root = folder.path();
        for path in ["spec/objects/lamp.json", "spec/vectors/objects/lamp.json", "docs/objects/lamp.md"] {
            write(root, path, "")?;
        }
        write(root, "web/aframe/src/stoa-lamp.ts", &registration("\"stoa-lamp\""))?;
        for path in ["web/aframe/src/mapping.ts", "web/aframe/test/stoa-lamp.test.ts", "docs/components/stoa-lamp.md"] {
            write(root, path, "")?;
        }
        assert_eq!(findings(root)?, Vec::<String>::new(), "negative control");
        write(root, "spec/objects/anchor.json", "")?;
        write(root, "web/aframe/src/stoa-anchor.ts", &registration("\"stoa-anchor\""))?;
        assert_eq!(findings(root)?.len(), 4);
        Ok(())
    }

    #[test]
    fn a_component_is_found_by_its_registration_in_any_folder() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let root = folder.path();
        let constant = format!("const LAMP = \"stoa-lamp\";\n{}", registration("LAMP"));
        write(root, "web/aframe/src/drawing/light.ts", &constant)?;
        write(root, "web/aframe/test/drawing/stoa-lamp.test.ts", "")?;
        write(root, "docs/components/stoa-lamp.md", "")?;
        write(root, "web/aframe/src/drawing/stoa-shade.ts", "export const SHADE = 1;\n")?;
        write(root, "web/aframe/src/aframe.ts", "this.#library.registerComponent(declaration.name, {});\n")?;
        assert_eq!(findings(root)?, Vec::<String>::new(), "negative control");
        write(root, "web/aframe/src/drawing/glow.ts", "AFRAME.registerComponent(\"stoa-glow\", {});\n")?;
        assert_eq!(
            findings(root)?,
            [
                "web/aframe/src/drawing/glow.ts registers stoa-glow, which has no web/aframe/test/**/stoa-glow.test.ts",
                "web/aframe/src/drawing/glow.ts has no docs/components/stoa-glow.md",
            ]
        );
        Ok(())
    }

    #[test]
    fn a_component_whose_name_cannot_be_read_is_rejected() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let root = folder.path();
        write(root, "web/aframe/src/drawing/light.ts", &registration("nameOf(lamp)"))?;
        assert_eq!(findings(root)?.len(), 1);
        Ok(())
    }
}
