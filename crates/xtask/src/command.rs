//! Runs a program, keeps its output, and shows it line by line, as one block at the end, or not at all.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, pipe};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// A program with its arguments, its working folder, and the variables to set and to remove.
#[derive(Clone, Debug)]
pub(crate) struct CommandLine {
    folder: PathBuf,
    words: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    removed: Vec<OsString>,
}

/// Result of a program, with its duration and output.
pub(crate) struct Outcome {
    pub(crate) succeeded: bool,
    pub(crate) output: String,
    pub(crate) took: Duration,
}

/// When to show the output of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputTiming {
    /// Line by line; standard error is not captured.
    AtOnce,
    /// As one block at the end, with both streams interleaved.
    AtTheEnd,
    /// Never, and the command isn't shown either. Standard error is not captured, so it is shown at once.
    Never,
}

impl CommandLine {
    /// The first of `words` is the program.
    pub(crate) fn new<S: Into<OsString>>(
        folder: impl Into<PathBuf>,
        words: impl IntoIterator<Item = S>,
    ) -> CommandLine {
        let words = words.into_iter().map(Into::into).collect();
        CommandLine { folder: folder.into(), words, environment: Vec::new(), removed: Vec::new() }
    }

    pub(crate) fn arg(mut self, word: impl Into<OsString>) -> CommandLine {
        self.words.push(word.into());
        self
    }

    pub(crate) fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> CommandLine {
        self.environment.push((name.into(), value.into()));
        self
    }

    pub(crate) fn env_remove(mut self, name: impl Into<OsString>) -> CommandLine {
        self.removed.push(name.into());
        self
    }

    /// Prefixes the command: `prefix`, then this line's own words.
    pub(crate) fn within<S: Into<OsString>>(mut self, prefix: impl IntoIterator<Item = S>) -> CommandLine {
        self.words = prefix.into_iter().map(Into::into).chain(self.words).collect();
        self
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// For display: the words, separated by spaces. Empty words and words with blanks are quoted.
    pub(crate) fn shown(&self) -> String {
        let shown = self.words.iter().map(|word| shown_word(word));
        shown.collect::<Vec<_>>().join(" ")
    }

    /// Errors: the program can't be started, or its output can't be read.
    pub(crate) fn run(&self, show: OutputTiming) -> Result<Outcome> {
        if show == OutputTiming::AtOnce {
            println!("+ {}", self.shown());
        }
        let started = Instant::now();
        let program = self.words.first().context("an empty command line")?;
        let (reader, writer) = pipe()?;
        let mut command = Command::new(program);
        command.args(&self.words[1..]).current_dir(&self.folder).stdin(Stdio::null());
        for name in &self.removed {
            command.env_remove(name);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stderr(if show == OutputTiming::AtTheEnd { writer.try_clone()?.into() } else { Stdio::inherit() });
        command.stdout(writer);
        let mut child = command.spawn().with_context(|| format!("cannot start {}", shown_word(program)))?;
        // The command holds the pipe's writing end. Without this drop, the reader would never see the output's end.
        drop(command);
        let output = kept(reader, show == OutputTiming::AtOnce)?;
        let succeeded = child.wait()?.success();
        if show == OutputTiming::AtTheEnd {
            // One write, so that the blocks of two programs don't mix.
            print!("+ {}\n{output}", self.shown());
        }
        Ok(Outcome { succeeded, output, took: started.elapsed() })
    }
}

fn shown_word(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    if text.is_empty() || text.contains(char::is_whitespace) { format!("'{text}'") } else { text.into_owned() }
}

fn kept(reader: impl Read, is_shown: bool) -> Result<String> {
    let mut kept = String::new();
    for bytes in BufReader::new(reader).split(b'\n') {
        let bytes = bytes?;
        let line = String::from_utf8_lossy(&bytes);
        if is_shown {
            println!("{line}");
        }
        kept.push_str(&line);
        kept.push('\n');
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_arguments_and_variables_with_spaces_are_passed_intact() -> Result<()> {
        let root = tempfile::tempdir()?;
        let folder = root.path().join("a folder of two words");
        std::fs::create_dir(&folder)?;
        let line =
            CommandLine::new(&folder, ["sh", "-c", "pwd; echo \"$1:$TOLD\"", "sh"]).arg("b c").env("TOLD", "d e");
        let outcome = line.run(OutputTiming::Never)?;
        assert!(outcome.succeeded);
        assert!(outcome.output.contains("a folder of two words\nb c:d e\n"), "{}", outcome.output);
        assert!(line.shown().ends_with("sh 'b c'"), "{}", line.shown());
        Ok(())
    }

    #[test]
    fn both_output_streams_of_a_failed_command_are_kept() -> Result<()> {
        let outcome =
            CommandLine::new(".", ["sh", "-c", "echo out; echo err >&2; exit 3"]).run(OutputTiming::AtTheEnd)?;
        assert_eq!((outcome.succeeded, outcome.output.as_str()), (false, "out\nerr\n"));
        Ok(())
    }
}
