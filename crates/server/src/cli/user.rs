//! `stoa user`.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::{Command, Stdio};

use super::{CommandFailure, DataFolderOption, print};
use crate::control::{ControlCommandOutput, ControlRequest};

/// Commands of `stoa user`.
#[derive(Debug, clap::Subcommand)]
pub(super) enum UserCommand {
    /// Create an account; the password is read from standard input
    Add {
        /// The account's name
        name: String,
        /// The account owns the realm
        #[arg(long)]
        owner: bool,
        #[command(flatten)]
        folder: DataFolderOption,
    },
    /// List accounts
    List {
        #[command(flatten)]
        folder: DataFolderOption,
    },
    /// Change a password, read from standard input; the account's browsers are signed out
    Passwd {
        /// The account's name
        name: String,
        #[command(flatten)]
        folder: DataFolderOption,
    },
    /// Remove an account and revoke its tokens; its scenes stay
    Remove {
        /// The account's name
        name: String,
        #[command(flatten)]
        folder: DataFolderOption,
    },
}

impl UserCommand {
    pub(super) async fn run(self) -> Result<(), CommandFailure> {
        let (folder, request) = match self {
            UserCommand::Add { name, owner, folder } => {
                (folder, ControlRequest::UserAdd { name, password: new_password()?, owner })
            }
            UserCommand::List { folder } => (folder, ControlRequest::UserList),
            UserCommand::Passwd { name, folder } => {
                (folder, ControlRequest::UserPasswd { name, password: new_password()? })
            }
            UserCommand::Remove { name, folder } => (folder, ControlRequest::UserRemove { name }),
        };
        if let ControlCommandOutput::Users(users) = folder.execute(request).await? {
            for (name, owner) in users {
                print(&format!("{name}{}", if owner { "  owner of the realm" } else { "" }))?;
            }
        }
        Ok(())
    }
}

/// Reads a new password. Asks twice at a terminal, because the input is hidden.
fn new_password() -> Result<String, CommandFailure> {
    let terminal = io::stdin().is_terminal();
    agreed(terminal, |prompt| line(terminal, prompt))
}

fn agreed(terminal: bool, mut ask: impl FnMut(&str) -> io::Result<String>) -> Result<String, CommandFailure> {
    let first = ask("password: ")?;
    if terminal && ask("the same again: ")? != first {
        return Err(CommandFailure::Usage("the two passwords are not the same; nothing was changed".to_owned()));
    }
    Ok(first)
}

/// Reads one line of standard input, without echo at a terminal.
fn line(terminal: bool, prompt: &str) -> io::Result<String> {
    if terminal {
        eprint!("{prompt}");
        io::stderr().flush()?;
        echo("-echo");
    }
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    if terminal {
        echo("echo");
        eprintln!();
    }
    read?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn echo(mode: &str) {
    // Without `stty` the password is visible while it is typed, which is better than no input.
    let _ = Command::new("stty").arg(mode).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_read_twice_at_a_terminal_and_once_from_other_input() {
        let typed = |terminal: bool, lines: &[&str]| {
            let mut lines = lines.iter();
            agreed(terminal, |_| Ok((*lines.next().expect("no more is asked")).to_owned()))
                .map_err(|error| error.to_string())
        };
        assert_eq!(typed(true, &["correct horse", "correct horse"]).unwrap(), "correct horse");
        assert!(typed(true, &["correct horse", "correct hose"]).unwrap_err().contains("not the same"));
        assert_eq!(typed(false, &["correct horse"]).unwrap(), "correct horse");
    }
}
