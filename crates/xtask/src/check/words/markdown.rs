//! Texts of hand-written Markdown: paragraphs, headings, list items and table cells, without code and without the targets of links.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Of its beginning, from 1.
    pub(super) line: usize,
    pub(super) kind: TextKind,
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    Heading,
    Paragraph,
    /// A cell of a table; its length is not a sentence's.
    Cell,
}

/// The texts in their order; inline code is kept between backticks.
pub(super) fn texts(markdown: &str) -> Vec<Text> {
    let mut found = Vec::new();
    let mut open: Option<Text> = None;
    for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(tag) => begin(&tag, markdown, &range, &mut open, &mut found),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell | TagEnd::Item) => {
                found.extend(open.take());
            }
            Event::End(TagEnd::CodeBlock) => open = None,
            Event::Text(text) => push(&mut open, markdown, &range, &text),
            Event::Code(code) => push(&mut open, markdown, &range, &format!("`{code}`")),
            Event::SoftBreak | Event::HardBreak => push(&mut open, markdown, &range, " "),
            _ => {}
        }
    }
    found.retain(|text| !text.text.trim().is_empty());
    found
}

fn begin(tag: &Tag<'_>, markdown: &str, range: &Range<usize>, open: &mut Option<Text>, found: &mut Vec<Text>) {
    let kind = match tag {
        Tag::Paragraph | Tag::Item => TextKind::Paragraph,
        Tag::Heading { .. } => TextKind::Heading,
        Tag::TableCell => TextKind::Cell,
        Tag::CodeBlock(_) => {
            found.extend(open.take());
            // The text of a code block finds nothing open, and `push` begins none inside of it.
            *open = Some(Text { line: 0, kind: TextKind::Paragraph, text: String::new() });
            return;
        }
        _ => return,
    };
    found.extend(open.take().filter(|text| text.line > 0));
    *open = Some(Text { line: line_at(markdown, range.start), kind, text: String::new() });
}

fn push(open: &mut Option<Text>, markdown: &str, range: &Range<usize>, text: &str) {
    let line = line_at(markdown, range.start);
    let into = open.get_or_insert_with(|| Text { line, kind: TextKind::Paragraph, text: String::new() });
    if into.line > 0 {
        into.text.push_str(text);
    }
}

fn line_at(markdown: &str, offset: usize) -> usize {
    markdown[..offset].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_without_code_and_targets_of_links() {
        let markdown = "# Title\nOne [link](there.md) and `code`\non two lines.\n\n```sh\nwho\n```\n- item\n  - inner\n\n| a | b |\n|---|---|\n| c | d |\n";
        let found = texts(markdown);
        let read: Vec<(usize, TextKind, &str)> =
            found.iter().map(|text| (text.line, text.kind, text.text.as_str())).collect();
        let expected = [
            (1, TextKind::Heading, "Title"),
            (2, TextKind::Paragraph, "One link and `code` on two lines."),
            (8, TextKind::Paragraph, "item"),
            (9, TextKind::Paragraph, "inner"),
            (11, TextKind::Cell, "a"),
            (11, TextKind::Cell, "b"),
            (13, TextKind::Cell, "c"),
            (13, TextKind::Cell, "d"),
        ];
        assert_eq!(read, expected);
    }
}
