//! STYLE.md, section 3: last words of names that fit any code and so describe none.

use std::path::Path;

const BANNED: [&str; 11] =
    ["manager", "handler", "helper", "helpers", "util", "utils", "common", "core", "data", "info", "process"];

/// Keywords that declare a name.
const DECLARATIONS: [(&str, &[&str]); 3] = [
    ("rs", &["struct", "enum", "trait", "mod", "type", "union"]),
    ("ts", &["class", "interface", "type", "enum", "namespace"]),
    ("py", &["class"]),
];

pub(super) fn findings(path: &Path, text: &str) -> Vec<String> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let mut findings = Vec::new();
    if let Some(word) = banned_word(stem) {
        findings.push(format!("the file's name ends in {word}"));
    }
    for name in declared_types(path, text) {
        if let Some(word) = banned_word(&name) {
            findings.push(format!("the name {name} ends in {word}"));
        }
    }
    findings
}

/// Types and modules that a file declares.
pub(super) fn declared_types(path: &Path, text: &str) -> Vec<String> {
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let Some((_, keywords)) = DECLARATIONS.iter().find(|(it, _)| *it == extension) else { return Vec::new() };
    let lines = text.lines().filter(|line| extension != "rs" || !fills_in(line));
    lines.filter_map(|line| declared(line, keywords)).map(str::to_owned).collect()
}

/// Whether a line of Rust defines an associated type. The trait, not this file, chose its name.
fn fills_in(line: &str) -> bool {
    line.starts_with(' ') && line.trim_start().starts_with("type ") && line.contains('=')
}

/// The name that a line declares, if any.
fn declared<'a>(line: &'a str, keywords: &[&str]) -> Option<&'a str> {
    const BEFORE: [&str; 9] =
        ["pub", "pub(crate)", "pub(super)", "export", "default", "abstract", "declare", "unsafe", "const"];
    let mut words = line.split_whitespace().skip_while(|word| BEFORE.contains(word));
    let keyword = words.next()?;
    // `type A,` within braces imports a type.
    if !keywords.contains(&keyword) || (keyword == "type" && !line.contains('=')) {
        return None;
    }
    words
        .next()?
        .split(|character: char| !character.is_alphanumeric() && character != '_')
        .next()
        .filter(|name| !name.is_empty())
}

fn banned_word(name: &str) -> Option<String> {
    let last = words_of(name).pop()?;
    BANNED.contains(&last.as_str()).then_some(last)
}

/// `MessageHandler`, `message_handler` and `message-handler` are all `message`, `handler`.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in name.chars() {
        if matches!(character, '_' | '-' | '.') || character.is_uppercase() {
            words.push(String::new());
        }
        if character.is_alphanumeric() {
            let word = words.last_mut().expect("there is always a word");
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        findings(Path::new(path), text).len()
    }

    #[test]
    fn banned_names_are_rejected_in_three_languages() {
        assert_eq!(
            found("sessions.rs", "pub struct Sessions;\nmod routes;\nlet process = 1;\n"),
            0,
            "negative control"
        );
        assert_eq!(found("sessions.rs", "pub(crate) struct SessionManager<T>;\n"), 1);
        assert_eq!(found("a.rs", "mod utils;\n"), 1);
        assert_eq!(found("a.ts", "export interface ObjectInfo {\n"), 1);
        assert_eq!((found("a.ts", "  type ObjectInfo,\n"), found("a.ts", "type ObjectInfo = A;\n")), (0, 1));
        assert_eq!(found("a.py", "class Data(Base):\n"), 1);
        assert_eq!(found("message-handler.ts", ""), 1);
        assert_eq!((found("a.rs", "    type Data = Bytes;\n"), found("a.rs", "type Data = Bytes;\n")), (0, 1));
        assert_eq!(found("handler_of_messages.rs", ""), 0, "only the last word counts");
    }
}
