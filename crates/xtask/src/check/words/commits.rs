//! Subjects of commits since STYLE.md has rules for them.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::sentences::begins_with_pronoun;

/// The rules apply to commits after this moment.
const SINCE: &str = "2026-11-24T08:00:00Z";
const SUBJECT_LETTERS_MAX: usize = 72;

/// Violations in commit subjects; none in a source archive, which has no commits. Errors: git doesn't start, or fails.
pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    if !root.join(".git").exists() {
        return Ok(Vec::new());
    }
    let since = format!("--since={SINCE}");
    let run = Command::new("git")
        // In a container, the sources often belong to another user.
        .args(["-c", "safe.directory=*", "log", "--no-merges", &since, "--format=%h %s"])
        .current_dir(root)
        .output()
        .context("git can't be started")?;
    ensure!(run.status.success(), "git log failed: {}", String::from_utf8_lossy(&run.stderr).trim());
    let subjects = String::from_utf8_lossy(&run.stdout).into_owned();
    Ok(subjects
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(hash, subject)| objection(subject).map(|why| format!("commit {hash}: {why}: {subject}")))
        .collect())
}

fn objection(subject: &str) -> Option<String> {
    let letters = subject.chars().count();
    if letters > SUBJECT_LETTERS_MAX {
        return Some(format!("the subject has {letters} letters, the limit is {SUBJECT_LETTERS_MAX}"));
    }
    let Some((kind, words)) = subject.split_once(": ") else {
        return Some("the subject is not `type(scope): verb the thing`".to_owned());
    };
    if !kind.starts_with(char::is_lowercase) || kind.contains(' ') {
        return Some(format!("{kind:?} is not `type(scope)`"));
    }
    begins_with_pronoun(words).then(|| "the subject begins with a pronoun".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commit_subjects_against_the_rules_are_rejected() {
        assert_eq!(objection("fix(app): don't send an aborted upload"), None, "negative control");
        for subject in [
            "refactor(web): what suits most of being moved is told once",
            "a subject without a type",
            "Fix(app): capital",
            "feat(server): a subject that goes on and on, and on, until it holds more letters than fit",
        ] {
            assert!(objection(subject).is_some(), "{subject}");
        }
    }
}
