//! Paths in a Rust file that lead to another module at the crate's root: `crate::x`, and chains of `super::` up to
//! the root.

use std::path::Path;

use super::super::super::tidy::product_part;
use super::Import;

/// The top-level modules that a file uses outside its tests.
pub(super) fn imports(below: &Path, text: &str) -> Vec<Import> {
    let depth = depth_of(below);
    let code: String = product_part(text).lines().map(|line| without_comment(line).to_owned() + "\n").collect();
    let mut found = Vec::new();
    for prefix in ["crate::".to_owned(), "super::".repeat(depth)] {
        if prefix.is_empty() {
            continue;
        }
        for (at, _) in code.match_indices(&prefix) {
            let is_path_start = code[..at]
                .chars()
                .next_back()
                .is_none_or(|before| !before.is_alphanumeric() && before != ':' && before != '_');
            if !is_path_start {
                continue;
            }
            let line = code[..at].matches('\n').count() + 1;
            let names = first_names(&code[at + prefix.len()..]);
            found.extend(names.into_iter().filter(|name| name != "super").map(|to| Import { line, to: to + ".rs" }));
        }
    }
    found
}

/// Number of `super::` from inside this file's module to the crate's root.
fn depth_of(below: &Path) -> usize {
    let depth = below.components().count();
    let is_root = depth == 1 && below.file_stem().is_some_and(|stem| stem == "lib" || stem == "main");
    if is_root { 0 } else { depth }
}

fn without_comment(line: &str) -> &str {
    let trimmed = line.trim_start();
    if trimmed.starts_with("//") { "" } else { line.split(" // ").next().unwrap_or(line) }
}

/// `a::B` names `a`; `{a::B, c::{D, E}}` names `a` and `c`.
fn first_names(rest: &str) -> Vec<String> {
    let Some(inside) = rest.strip_prefix('{') else { return identifier(rest).into_iter().collect() };
    let mut names = Vec::new();
    let (mut depth, mut is_first) = (0_usize, true);
    for (at, letter) in inside.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_first = true,
            _ if is_first && !letter.is_whitespace() => {
                is_first = false;
                names.extend(identifier(&inside[at..]));
            }
            _ => {}
        }
    }
    names
}

fn identifier(text: &str) -> Option<String> {
    let name: String =
        text.trim_start_matches("r#").chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    (!name.is_empty()).then_some(name)
}
