//! STYLE.md, *Words*, as far as a machine can check: sentences that begin with a pronoun, too many pronouns, docs of
//! one question word ("Which."), long lines, long sentences, commit subjects.

mod comments;
mod commits;
mod markdown;
mod sentences;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use self::comments::{Comment, CommentKind, comments};
use self::markdown::{TextKind, texts};
use self::sentences::{Counts, begins_with_pronoun, count, only_asks, words};
use super::tidy::{files_below, is_generated};
use crate::house::{Figure, Report};

/// Maximum of pronouns in 1,000 words, over all comments and hand-written Markdown.
const PRONOUNS_MAX: f64 = 6.0;
/// Maximum in one file of over [`FILE_WORDS_MIN`] words.
const PRONOUNS_OF_A_FILE_MAX: f64 = 12.0;
const FILE_WORDS_MIN: usize = 300;
const COLUMNS_MAX: usize = 120;
/// Maximum share of comment and Markdown lines over [`COLUMNS_MAX`].
const LONG_LINES_MAX: f64 = 0.005;
/// Maximum of words in a sentence of hand-written Markdown, on average.
const SENTENCE_WORDS_MEAN_MAX: f64 = 20.0;
const SENTENCE_WORDS_MAX: usize = 35;
/// Maximum share of sentences of over [`SENTENCE_WORDS_MAX`] words.
const LONG_SENTENCES_MAX: f64 = 0.01;

#[derive(Default)]
struct Measure {
    counts: Counts,
    lines: usize,
    long_lines: Vec<String>,
    openers: Vec<String>,
    questions: Vec<String>,
    dense_files: Vec<String>,
    sentences: usize,
    sentence_words: usize,
    long_sentences: Vec<String>,
}

/// Errors: an unreadable file, or a failing git.
pub(crate) fn report(root: &Path) -> Result<Report> {
    let mut measure = Measure::default();
    let kinds = ["rs", "ts", "mjs", "py", "css", "sh", "toml", "yml", "md"];
    let scripts = ["Makefile", ".ci/run"].map(|name| root.join(name));
    for path in files_below(root, &kinds)?.into_iter().chain(scripts.into_iter().filter(|path| path.is_file())) {
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if is_generated(&text) {
            continue;
        }
        let shown = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
        measure.file(&shown, &text);
    }
    let commits = commits::findings(root)?;
    Ok(measure.report(commits))
}

impl Measure {
    fn file(&mut self, path: &Path, text: &str) {
        let before = self.counts;
        if path.extension().is_some_and(|extension| extension == "md") {
            self.markdown(path, text);
        } else {
            for comment in comments(path, text) {
                self.comment(path, text, &comment);
            }
        }
        let here = Counts { words: self.counts.words - before.words, pronouns: self.counts.pronouns - before.pronouns };
        if here.words > FILE_WORDS_MIN && here.per_thousand() > PRONOUNS_OF_A_FILE_MAX {
            let shown = path.display();
            let (found, words) = (here.pronouns, here.words);
            self.dense_files.push(format!(
                "{shown}: {found} pronouns in {words} words are {:.1} in 1,000, the limit is {PRONOUNS_OF_A_FILE_MAX}",
                here.per_thousand()
            ));
        }
    }

    fn comment(&mut self, path: &Path, text: &str, comment: &Comment) {
        self.counts.add(count(&comment.text));
        let shown = path.display();
        for (at, raw) in text.lines().enumerate().skip(comment.line - 1).take(comment.text.lines().count()) {
            self.line(path, at + 1, raw);
        }
        if comment.kind == CommentKind::Inner {
            return;
        }
        let paragraphs = comment.text.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
        for sentence in paragraphs
            .flat_map(|paragraph| sentences::sentences(&paragraph).into_iter().map(str::to_owned).collect::<Vec<_>>())
        {
            if begins_with_pronoun(&sentence) {
                self.openers.push(format!("{shown}:{}: begins with a pronoun: {}", comment.line, beginning(&sentence)));
            }
        }
        if only_asks(&comment.text) {
            self.questions.push(format!("{shown}:{}: asks and doesn't answer: {}", comment.line, comment.text.trim()));
        }
    }

    fn markdown(&mut self, path: &Path, text: &str) {
        let shown = path.display();
        for (at, raw) in text.lines().enumerate().filter(|(_, raw)| !raw.trim_start().starts_with('|')) {
            self.line(path, at + 1, raw);
        }
        for part in texts(text) {
            self.counts.add(count(&part.text));
            for sentence in sentences::sentences(&part.text) {
                let length = words(sentence).count();
                let is_cell = part.kind == TextKind::Cell;
                if begins_with_pronoun(sentence) && !(is_cell && length < 4) {
                    self.openers.push(format!("{shown}:{}: begins with a pronoun: {}", part.line, beginning(sentence)));
                }
                if part.kind != TextKind::Paragraph {
                    continue;
                }
                self.sentences += 1;
                self.sentence_words += length;
                if length > SENTENCE_WORDS_MAX {
                    self.long_sentences.push(format!("{shown}:{}: {length} words: {}", part.line, beginning(sentence)));
                }
            }
        }
    }

    fn line(&mut self, path: &Path, number: usize, raw: &str) {
        self.lines += 1;
        let columns = without_links(raw).chars().count();
        if columns > COLUMNS_MAX {
            self.long_lines.push(format!("{}:{number}: {columns} columns, the limit is {COLUMNS_MAX}", path.display()));
        }
    }

    fn report(self, commits: Vec<String>) -> Report {
        let per_thousand = self.counts.per_thousand();
        let long_lines = share(self.long_lines.len(), self.lines);
        let mean = share(self.sentence_words, self.sentences);
        let long_sentences = share(self.long_sentences.len(), self.sentences);
        let figures = vec![
            Figure::at_most("words_openers", self.openers.len() as f64, 0.0),
            Figure::at_most("words_bad_commit_subjects", commits.len() as f64, 0.0),
            Figure::at_most("words_pronouns_per_1000", per_thousand, PRONOUNS_MAX),
            Figure::at_most("words_files_dense_with_pronouns", self.dense_files.len() as f64, 0.0),
            Figure::at_most("words_long_lines_percent", 100.0 * long_lines, 100.0 * LONG_LINES_MAX),
            Figure::at_most("words_docs_that_only_ask", self.questions.len() as f64, 0.0),
            Figure::at_most("words_per_sentence_mean", mean, SENTENCE_WORDS_MEAN_MAX),
            Figure::at_most("words_long_sentences_percent", 100.0 * long_sentences, 100.0 * LONG_SENTENCES_MAX),
        ];
        let mut findings = self.openers;
        findings.extend(self.questions);
        findings.extend(self.dense_files);
        findings.extend(commits);
        if long_lines > LONG_LINES_MAX {
            findings.extend(self.long_lines);
        }
        if long_sentences > LONG_SENTENCES_MAX || mean > SENTENCE_WORDS_MEAN_MAX {
            findings.extend(self.long_sentences);
        }
        findings.extend(figures.iter().filter(|figure| !figure.holds()).map(ToString::to_string));
        Report { findings, figures }
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn beginning(sentence: &str) -> String {
    sentence.split_whitespace().take(8).collect::<Vec<_>>().join(" ")
}

/// The line without its unbreakable parts: targets of links, and URLs.
fn without_links(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("](") {
        kept.push_str(before);
        kept.push(']');
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    kept.push_str(rest);
    kept.split(' ').filter(|word| !word.contains("://")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(path: &str, text: &str) -> Report {
        let mut measure = Measure::default();
        measure.file(Path::new(path), text);
        measure.report(Vec::new())
    }

    fn failing(path: &str, text: &str) -> Vec<&'static str> {
        measured(path, text).figures.iter().filter(|figure| !figure.holds()).map(|figure| figure.name).collect()
    }

    #[test]
    fn each_rule_rejects_a_violation() {
        let plain = "//! Removes expired bans.\n\n/// Sends a frame.\nfn f() {}\n";
        assert_eq!(failing("a.rs", plain), Vec::<&str>::new(), "negative control");
        assert_eq!(failing("a.md", "Editors can move objects."), Vec::<&str>::new(), "negative control");
        let dense = format!("// {}\n// {}\n", "word ".repeat(20), "others").repeat(20);
        let line = format!("/// {}\nfn f() {{}}\n", "long ".repeat(30));
        let sentence = format!("{}.", "one two three four ".repeat(9));
        for (path, text, names) in [
            ("a.rs", "/// Frames. What a frame holds.\nfn f() {}\n", &["words_openers", "words_pronouns_per_1000"][..]),
            ("a.md", "# Who may enter", &["words_openers", "words_pronouns_per_1000"]),
            ("a.ts", "a;\n/** Which. */\nb;\n", &["words_docs_that_only_ask"]),
            ("a.rs", dense.as_str(), &["words_pronouns_per_1000", "words_files_dense_with_pronouns"]),
            ("a.rs", line.as_str(), &["words_long_lines_percent"]),
            (
                "a.md",
                sentence.as_str(),
                &["words_long_lines_percent", "words_per_sentence_mean", "words_long_sentences_percent"],
            ),
        ] {
            assert_eq!(failing(path, text), names, "{text}");
        }
    }

    #[test]
    fn a_finding_names_its_file_and_line() {
        let report = measured("a.rs", "//! Frames.\n\n/// Whoever sends.\nfn f() {}\n");
        assert!(report.findings[0].starts_with("a.rs:3: "), "{:?}", report.findings);
    }

    #[test]
    fn tables_and_link_targets_do_not_count_as_long_lines() {
        let table = format!("| a |\n|---|\n| {} |\n", "x".repeat(200));
        let link = format!("[page](https://example.org/{})", "x".repeat(200));
        assert_eq!(failing("a.md", &table), Vec::<&str>::new());
        assert_eq!(failing("a.md", &link), Vec::<&str>::new());
    }
}
