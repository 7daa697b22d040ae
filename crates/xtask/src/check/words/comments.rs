//! Finds comments in source files, line by line: a block is a run of comment lines of one kind, or a comment after
//! code.

use std::path::Path;

/// Kind of a block, which decides which rules apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentKind {
    /// `//!`, a module's docstring, the first block of a file.
    Head,
    /// `///`, `/** */`, a docstring.
    Doc,
    /// Every other comment.
    Inner,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Comment {
    /// Of its first line, from 1.
    pub(super) line: usize,
    pub(super) kind: CommentKind,
    /// Without the comment marks, lines separated by `\n`.
    pub(super) text: String,
}

/// The comments of a file, without code fences inside docs; none for an unknown language.
pub(super) fn comments(path: &Path, text: &str) -> Vec<Comment> {
    let lines = match path.extension().and_then(|it| it.to_str()) {
        Some("rs" | "ts" | "mjs" | "js" | "css") => slash_lines(text),
        Some("py") => python_lines(text),
        Some("sh" | "toml" | "yml" | "yaml") => hash_lines(text),
        None if path.ends_with("Makefile") || path.ends_with(".ci/run") => hash_lines(text),
        _ => return Vec::new(),
    };
    blocks(lines)
}

struct CommentLine {
    line: usize,
    kind: CommentKind,
    text: String,
    /// Follows code, so it is never part of the block above.
    trails: bool,
}

fn blocks(lines: Vec<CommentLine>) -> Vec<Comment> {
    let mut blocks: Vec<Comment> = Vec::new();
    let mut last = 0;
    let mut in_fence = false;
    for line in lines {
        let follows =
            !line.trails && last + 1 == line.line && blocks.last().is_some_and(|block| block.kind == line.kind);
        last = line.line;
        let is_fence = line.text.trim_start().starts_with("```");
        in_fence = (in_fence && follows) ^ is_fence;
        let text = if in_fence || is_fence { "" } else { line.text.as_str() };
        match blocks.last_mut() {
            Some(block) if follows => {
                block.text.push('\n');
                block.text.push_str(text);
            }
            _ => blocks.push(Comment { line: line.line, kind: line.kind, text: text.to_owned() }),
        }
    }
    blocks.retain(|block| !block.text.trim().is_empty());
    blocks
}

/// Rust, TypeScript and CSS.
fn slash_lines(text: &str) -> Vec<CommentLine> {
    let mut found = Vec::new();
    let mut open: Option<CommentKind> = None;
    let mut before_code = true;
    for (at, raw) in text.lines().enumerate() {
        let line = raw.trim();
        let mut push = |kind, text: &str, trails| {
            found.push(CommentLine { line: at + 1, kind, text: text.trim().to_owned(), trails });
        };
        if let Some(kind) = open {
            let (inside, ends) = line.split_once("*/").map_or((line, false), |(inside, _)| (inside, true));
            push(kind, inside.trim_start_matches('*'), false);
            open = (!ends).then_some(kind);
        } else if let Some(inside) = line.strip_prefix("/*") {
            let kind = match (before_code, inside.starts_with('*')) {
                (true, _) => CommentKind::Head,
                (false, true) => CommentKind::Doc,
                (false, false) => CommentKind::Inner,
            };
            let (inside, ends) = inside.split_once("*/").map_or((inside, false), |(inside, _)| (inside, true));
            push(kind, inside.trim_start_matches('*'), false);
            open = (!ends).then_some(kind);
        } else if let Some(inside) = line.strip_prefix("//!") {
            push(CommentKind::Head, inside, false);
        } else if let Some(inside) = line.strip_prefix("///").filter(|inside| !inside.starts_with('/')) {
            push(CommentKind::Doc, inside, false);
        } else if let Some(inside) = line.strip_prefix("//") {
            push(if before_code { CommentKind::Head } else { CommentKind::Inner }, inside, false);
        } else if let Some(inside) = trailing(line, " // ") {
            push(CommentKind::Inner, inside, true);
        }
        before_code &= line.is_empty()
            || line.starts_with("//")
            || line.starts_with("/*")
            || open.is_some()
            || line.ends_with("*/");
    }
    found
}

fn python_lines(text: &str) -> Vec<CommentLine> {
    let mut found = Vec::new();
    let mut open: Option<CommentKind> = None;
    let mut before = String::new();
    for (at, raw) in text.lines().enumerate() {
        let line = raw.trim();
        let mut push = |kind, text: &str, trails| {
            found.push(CommentLine { line: at + 1, kind, text: text.trim().to_owned(), trails });
        };
        if let Some(kind) = open {
            let (inside, ends) = line.split_once("\"\"\"").map_or((line, false), |(inside, _)| (inside, true));
            push(kind, inside, false);
            open = (!ends).then_some(kind);
        } else if let Some(inside) =
            docstring(line).filter(|_| before.is_empty() || before.ends_with(':') || is_field(&before))
        {
            let kind = if before.is_empty() { CommentKind::Head } else { CommentKind::Doc };
            let (inside, ends) = inside.split_once("\"\"\"").map_or((inside, false), |(inside, _)| (inside, true));
            push(kind, inside, false);
            open = (!ends).then_some(kind);
        } else if let Some(inside) = line.strip_prefix('#').filter(|inside| !inside.starts_with('!')) {
            push(if before.is_empty() { CommentKind::Head } else { CommentKind::Inner }, inside, false);
            continue;
        } else if let Some(inside) = trailing(line, "  # ") {
            push(CommentKind::Inner, inside, true);
        }
        if !line.is_empty() && !line.starts_with("#!") {
            line.clone_into(&mut before);
        }
    }
    found
}

fn docstring(line: &str) -> Option<&str> {
    line.trim_start_matches(['r', 'f']).strip_prefix("\"\"\"")
}

/// Whether a docstring may follow the line, because it declares an attribute: `name: type` or `name = value`.
fn is_field(line: &str) -> bool {
    let name = line.split([':', '=']).next().unwrap_or_default().trim();
    !name.is_empty() && name.len() < line.len() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

fn hash_lines(text: &str) -> Vec<CommentLine> {
    let mut found = Vec::new();
    let mut before_code = true;
    for (at, raw) in text.lines().enumerate() {
        let line = raw.trim();
        if line.starts_with("#!") {
            continue;
        }
        if let Some(inside) = line.strip_prefix('#') {
            let kind = if before_code { CommentKind::Head } else { CommentKind::Inner };
            found.push(CommentLine { line: at + 1, kind, text: inside.trim().to_owned(), trails: false });
        } else {
            if let Some(inside) = trailing(line, " # ") {
                found.push(CommentLine {
                    line: at + 1,
                    kind: CommentKind::Inner,
                    text: inside.to_owned(),
                    trails: true,
                });
            }
            before_code &= line.is_empty();
        }
    }
    found
}

/// The text after the mark, if the mark is not inside a string.
fn trailing<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let (code, comment) = line.split_once(mark)?;
    let is_closed = |quote: char| code.matches(quote).count() % 2 == 0;
    (is_closed('"') && is_closed('`')).then_some(comment)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str, text: &str) -> Vec<(usize, CommentKind, String)> {
        let all = comments(Path::new(path), text);
        all.into_iter().map(|comment| (comment.line, comment.kind, comment.text)).collect()
    }

    #[test]
    fn rust_comments_are_classified_by_kind() {
        let text = "//! Head.\n\n/// Doc one,\n/// two.\n/// ```\n/// code\n/// ```\nfn f() {\n    // Inner.\n    g(\"a // b\"); // Behind.\n}\n";
        let expected = [
            (1, CommentKind::Head, "Head.".to_owned()),
            (3, CommentKind::Doc, "Doc one,\ntwo.\n\n\n".to_owned()),
            (9, CommentKind::Inner, "Inner.".to_owned()),
        ];
        let found = read("a.rs", text);
        assert_eq!(found[..3], expected);
        assert_eq!(found.len(), 3, "a mark behind a string's quote is not told apart: {found:?}");
        assert_eq!(read("a.rs", "let a = 1; // Behind.\n"), [(1, CommentKind::Inner, "Behind.".to_owned())]);
    }

    #[test]
    fn typescript_python_and_shell_comments_are_classified_by_kind() {
        let typescript = "/** Head. */\nimport a;\n/**\n * Doc,\n * more.\n */\nexport const b = 1;\n";
        let found = read("a.ts", typescript);
        assert_eq!(found[0], (1, CommentKind::Head, "Head.".to_owned()));
        assert_eq!(found[1], (3, CommentKind::Doc, "\nDoc,\nmore.\n".to_owned()));
        let python = "\"\"\"Head.\"\"\"\n\nclass A:\n    \"\"\"Doc.\n\n    More.\n    \"\"\"\n    x = 1  # Why.\n";
        let found = read("a.py", python);
        assert_eq!(
            found.iter().map(|comment| comment.1).collect::<Vec<_>>(),
            [CommentKind::Head, CommentKind::Doc, CommentKind::Inner]
        );
        assert_eq!(read("a.sh", "#!/bin/sh\n# Head.\nx\n"), [(2, CommentKind::Head, "Head.".to_owned())]);
    }
}
