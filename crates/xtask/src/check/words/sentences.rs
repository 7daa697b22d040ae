//! Splits texts into sentences and words, and finds pronouns in place of a name.

/// Words that may not begin a sentence, doc or commit subject.
const OPENERS: [&str; 7] = ["who", "whoever", "what", "whatever", "somebody", "nobody", "anybody"];
/// Words counted per 1,000 words.
const PRONOUNS: [&str; 8] = ["who", "whoever", "what", "whatever", "somebody", "nobody", "anybody", "others"];
/// Phrases that say as little as a pronoun.
const PRONOUN_PHRASES: [&str; 2] = ["that which", "the one that"];
/// Words that are no doc by themselves.
const QUESTIONS: [&str; 9] = ["which", "what", "whose", "who", "whom", "where", "how", "why", "whether"];

/// Whether the text begins with a pronoun or with "that which".
pub(super) fn begins_with_pronoun(text: &str) -> bool {
    let mut words = words(text);
    match words.next().as_deref() {
        Some("that") => words.next().as_deref() == Some("which"),
        Some(first) => OPENERS.contains(&first),
        None => false,
    }
}

/// Whether a doc is a bare question word: "Which."
pub(super) fn only_asks(text: &str) -> bool {
    let mut words = words(text);
    let asks = words.next().is_some_and(|first| QUESTIONS.contains(&first.as_str()));
    asks && words.next().is_none()
}

/// Words and pronouns of a text.
pub(super) fn count(text: &str) -> Counts {
    let all: Vec<String> = words(text).collect();
    let single = all.iter().filter(|word| PRONOUNS.contains(&word.as_str())).count();
    let line = all.join(" ");
    let phrases: usize = PRONOUN_PHRASES.iter().map(|phrase| line.matches(phrase).count()).sum();
    Counts { words: all.len(), pronouns: single + phrases }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) words: usize,
    pub(super) pronouns: usize,
}

impl Counts {
    pub(super) fn add(&mut self, other: Counts) {
        self.words += other.words;
        self.pronouns += other.pronouns;
    }

    pub(super) fn per_thousand(self) -> f64 {
        if self.words == 0 { 0.0 } else { 1000.0 * self.pronouns as f64 / self.words as f64 }
    }
}

/// The sentences of a paragraph. A sentence ends at `.`, `!` or `?` before a blank or the end, unless a lower-case
/// letter follows or the mark ends an abbreviation such as "e.g.".
pub(super) fn sentences(paragraph: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let marks = paragraph.char_indices().filter(|(_, letter)| ['.', '!', '?'].contains(letter));
    for (at, _) in marks {
        let (before, after) = paragraph.split_at(at + 1);
        let rest = after.trim_start_matches(['"', '\u{201d}', ')', '*', '_', '`']);
        let next = rest.trim_start();
        let ends = next.is_empty() || (next.len() < rest.len() && !next.starts_with(char::is_lowercase));
        if ends && !is_abbreviation(before) && at >= start {
            let end = paragraph.len() - rest.len();
            found.push(paragraph[start..end].trim());
            start = end;
        }
    }
    found.push(paragraph[start..].trim());
    found.retain(|sentence| sentence.chars().any(char::is_alphabetic));
    found
}

fn is_abbreviation(before: &str) -> bool {
    const ABBREVIATIONS: [&str; 8] = ["e.g.", "i.e.", "etc.", "vs.", "fig.", "Fig.", "no.", "ca."];
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    ABBREVIATIONS.contains(&last.trim_start_matches('('))
}

/// Lower-case words; code between backticks is one word.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    without_code(text)
        .to_lowercase()
        .split(|letter: char| !(letter.is_alphanumeric() || "'’-_".contains(letter)))
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .into_iter()
}

fn without_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 0 { part } else { "code" }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pronouns_at_the_start_of_a_sentence_are_found() {
        for text in
            ["Who may enter.", "What a frame holds.", "**Whoever** leaves", "That which is kept.", "\"Nobody\" is"]
        {
            assert!(begins_with_pronoun(text), "{text}");
        }
        for text in ["Whole frames.", "Removes expired bans.", "That ends it.", "`who` names a person.", ""] {
            assert!(!begins_with_pronoun(text), "negative control: {text}");
        }
    }

    #[test]
    fn a_doc_that_is_one_question_word_is_found() {
        assert!(only_asks("Which.") && only_asks("Whose?"));
        assert!(!only_asks("Which object.") && !only_asks("Objects."), "negative control");
    }

    #[test]
    fn pronouns_are_counted_except_in_code() {
        assert_eq!(count("Who is the one that `who` knows? Others."), Counts { words: 8, pronouns: 3 });
    }

    #[test]
    fn sentences_end_at_punctuation_before_a_capital() {
        let text = "One is 3.5 m long, e.g. this. Two? **Three** ends. \"Four.\" and more";
        assert_eq!(sentences(text), ["One is 3.5 m long, e.g. this.", "Two?", "**Three** ends.", "\"Four.\" and more"]);
    }
}
