//! Relative imports of a TypeScript file, static and dynamic, and files named by `new URL`.

use std::path::{Component, Path, PathBuf};

use super::Import;

/// The imports of the file `below`, whose content is `text`, that lead to files of `folder`. The paths of the file and
/// of the imports are relative to `folder`.
pub(super) fn imports(folder: &Path, below: &Path, text: &str) -> Vec<Import> {
    let from = below.parent().unwrap_or(Path::new(""));
    let lines = text.lines().enumerate();
    lines
        .flat_map(|(at, line)| targets(line).into_iter().map(move |target| (at + 1, target)))
        .filter_map(|(line, target)| {
            let to = plain(&from.join(target))?;
            folder.join(&to).is_file().then(|| Import { line, to: to.display().to_string() })
        })
        .collect()
}

fn targets(line: &str) -> Vec<&str> {
    const MARKS: [&str; 4] = ["from \"", "import \"", "import(\"", "new URL(\""];
    if line.trim_start().starts_with("//") || line.trim_start().starts_with('*') {
        return Vec::new();
    }
    let behind = MARKS.iter().flat_map(|mark| line.split(mark).skip(1));
    behind
        .filter_map(|rest| rest.split('"').next())
        .filter(|target| target.starts_with('.'))
        .map(without_query)
        .collect()
}

fn without_query(target: &str) -> &str {
    target.split('?').next().unwrap_or(target)
}

/// The path without `.` and `..`; `None` if it leads out of the folder.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            _ => plain.push(part),
        }
    }
    Some(plain)
}
