//! STYLE.md, *Numbers*, for Python: lines of a function without blanks, comments and docstring. Python's linters
//! count statements instead. clippy measures Rust's functions, Biome TypeScript's.

use std::path::Path;

const FUNCTION_LINES_MAX: usize = 70;

pub(super) fn findings(path: &Path, text: &str) -> Vec<String> {
    if path.extension().is_none_or(|extension| extension != "py") {
        return Vec::new();
    }
    let lines: Vec<&str> = text.lines().collect();
    let starts = (0..lines.len()).filter(|&at| is_function(lines[at]));
    starts.filter_map(|at| too_long(&lines[at..])).collect()
}

fn is_function(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("def ") || line.starts_with("async def ")
}

fn too_long(lines: &[&str]) -> Option<String> {
    let indent = indent_of(lines[0]);
    let rest = lines[1..]
        .iter()
        .take_while(|line| line.trim().is_empty() || indent_of(line) > indent || line.trim_start().starts_with(')'));
    let mut in_docstring = false;
    let count = 1 + rest.filter(|line| counts(line, &mut in_docstring)).count();
    (count > FUNCTION_LINES_MAX)
        .then(|| format!("{} has {count} lines, the limit is {FUNCTION_LINES_MAX}", lines[0].trim()))
}

fn counts(line: &str, in_docstring: &mut bool) -> bool {
    let line = line.trim();
    let quotes = line.matches("\"\"\"").count();
    let was_in = *in_docstring;
    if quotes % 2 == 1 {
        *in_docstring = !was_in;
    }
    !(line.is_empty() || line.starts_with('#') || was_in || quotes > 0)
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_python_function_is_rejected() {
        let function = |lines: usize| {
            format!(
                "async def f():\n    \"\"\"Does.\n\n    More.\n    \"\"\"\n{}\nx = 1\n",
                "    a()\n    # why\n".repeat(lines)
            )
        };
        assert_eq!(findings(Path::new("a.py"), &function(69)), Vec::<String>::new(), "negative control");
        assert_eq!(findings(Path::new("a.py"), &function(70)).len(), 1);
    }
}
