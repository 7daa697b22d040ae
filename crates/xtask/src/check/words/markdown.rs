//! Texts of hand-written Markdown: paragraphs, headings, list items and table cells, without code and link targets.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Of its start, from 1.
    pub(super) line: usize,
    pub(super) kind: TextKind,
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    Heading,
    Paragraph,
    /// A table cell. Like a heading, it doesn't count for the lengths of sentences.
    Cell,
}

/// The texts in order; inline code stays between backticks.
pub(super) fn texts(markdown: &str) -> Vec<Text> {
    let mut reader = Reader { markdown, open: None, in_code: false, found: Vec::new() };
    for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        reader.handle(event, &range);
    }
    reader.found.retain(|text| !text.text.trim().is_empty());
    reader.found
}

struct Reader<'a> {
    markdown: &'a str,
    open: Option<Text>,
    in_code: bool,
    found: Vec<Text>,
}

impl Reader<'_> {
    fn handle(&mut self, event: Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::Paragraph | Tag::Item) => self.begin(TextKind::Paragraph, range),
            Event::Start(Tag::Heading { .. }) => self.begin(TextKind::Heading, range),
            Event::Start(Tag::TableCell) => self.begin(TextKind::Cell, range),
            Event::Start(Tag::CodeBlock(_)) => {
                self.end();
                self.in_code = true;
            }
            Event::End(TagEnd::CodeBlock) => self.in_code = false,
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell | TagEnd::Item) => self.end(),
            Event::Text(text) if !self.in_code => self.push(&text, range),
            Event::Code(code) => self.push(&format!("`{code}`"), range),
            Event::SoftBreak | Event::HardBreak => self.push(" ", range),
            _ => {}
        }
    }

    fn begin(&mut self, kind: TextKind, range: &Range<usize>) {
        self.end();
        self.open = Some(Text { line: self.line_at(range), kind, text: String::new() });
    }

    /// Opens a text if none is open. In a tight list, text after a code block has no paragraph event of its own.
    fn push(&mut self, text: &str, range: &Range<usize>) {
        if self.open.is_none() {
            self.begin(TextKind::Paragraph, range);
        }
        if let Some(open) = &mut self.open {
            open.text.push_str(text);
        }
    }

    fn end(&mut self) {
        self.found.extend(self.open.take());
    }

    fn line_at(&self, range: &Range<usize>) -> usize {
        self.markdown[..range.start].matches('\n').count() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_texts_are_read_without_code_blocks_and_link_targets() {
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
