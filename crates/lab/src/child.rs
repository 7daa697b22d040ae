//! Starts and ends the child processes of experiments: servers, agents, browsers, and the lab's own subcommands.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail, ensure};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::limits;
use crate::machine::on_core;

/// A command whose process the kernel kills when the starting thread ends, for any reason. A process left over from
/// a killed lab would take a core from the next run.
pub(crate) fn bound(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--"]).arg(program);
    command
}

/// This program again, with one of its subcommands.
pub(crate) fn part(name: &str) -> Result<Command> {
    let mut command = bound(std::env::current_exe()?);
    command.arg(name);
    Ok(command)
}

thread_local! {
    /// The note that [`gone`] returns and clears.
    static GONE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Describes a process of this thread that had exited by itself when it was dropped, and clears the note. A crashed
/// server must not pass for one at its limit.
pub(crate) fn gone() -> Option<String> {
    GONE.take()
}

/// A child process. Dropping it kills the process.
#[derive(Debug)]
pub(crate) struct ChildProgram {
    child: Child,
    /// The process's standard output.
    output: Option<BufReader<ChildStdout>>,
    /// Whether the end needs no note: the lab requested it, or [`ChildProgram::line`] has reported it as an error.
    is_ending: bool,
}

impl ChildProgram {
    /// Starts a process without standard input, output and error output.
    pub(crate) fn silent(command: &mut Command) -> Result<ChildProgram> {
        ChildProgram::start(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()))
    }

    /// Starts a process with piped standard output, and standard input open until [`ChildProgram::end_input`].
    pub(crate) fn heard(command: &mut Command) -> Result<ChildProgram> {
        ChildProgram::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()))
    }

    /// Like [`ChildProgram::heard`], on the server's core. The first line of output gives the server's addresses.
    pub(crate) fn server(command: &mut Command) -> Result<ChildProgram> {
        on_core(limits::SERVER_CPU, || ChildProgram::heard(command))
    }

    fn start(command: &mut Command) -> Result<ChildProgram> {
        let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        let output = child.stdout.take().map(BufReader::new);
        Ok(ChildProgram { child, output, is_ending: false })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The next line of output. Returns an error after [`limits::START_TIMEOUT`] without output, or if the process
    /// ended.
    pub(crate) fn line(&mut self) -> Result<String> {
        let output = self.output.as_mut().context("its output is not available")?;
        if output.buffer().is_empty() {
            let wait = Timespec::try_from(limits::START_TIMEOUT)?;
            let said = poll(&mut [PollFd::new(output.get_ref(), PollFlags::IN)], Some(&wait))?;
            ensure!(said > 0, "no output for {:?}", limits::START_TIMEOUT);
        }
        let mut line = String::new();
        if output.read_line(&mut line)? == 0 {
            self.is_ending = true;
            bail!("it ended: {}", self.child.wait()?);
        }
        Ok(line.trim_end().to_owned())
    }

    /// Takes the rest of the output, to be read elsewhere.
    pub(crate) fn take_output(&mut self) -> Result<BufReader<ChildStdout>> {
        self.output.take().context("its output is not available")
    }

    /// Writes a line to standard input.
    pub(crate) fn say(&mut self, line: &str) -> Result<()> {
        Ok(writeln!(self.child.stdin.as_mut().context("its input has ended")?, "{line}")?)
    }

    /// Closes standard input, at which the process ends.
    pub(crate) fn end_input(&mut self) {
        self.is_ending = true;
        drop(self.child.stdin.take());
    }

    /// The exit status, or `None` while the process runs.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    /// Waits for the end; returns the rest of the output and the exit status.
    pub(crate) fn finish(&mut self) -> Result<(String, ExitStatus)> {
        self.is_ending = true;
        let mut said = String::new();
        self.take_output()?.read_to_string(&mut said)?;
        Ok((said, self.child.wait()?))
    }

    /// Kills the process, as a crash would. Notes for [`gone`] if it had already exited by itself.
    pub(crate) fn kill(&mut self) {
        if let (false, Ok(Some(status))) = (self.is_ending, self.child.try_wait()) {
            GONE.set(Some(format!("process {} ended by itself: {status}", self.pid())));
        }
        self.is_ending = true;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for ChildProgram {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::thread;

    use super::*;

    #[test]
    fn a_child_is_killed_when_the_thread_that_started_it_ends() {
        let start = || {
            let mut started =
                ChildProgram::heard(bound("sh").args(["-c", "echo here; exec sleep 1000"])).expect("it starts");
            started.line().expect("it is there");
            started
        };
        let mut left = thread::spawn(start).join().expect("it starts");
        let (_, status) = left.finish().expect("it ends");
        assert_eq!(status.signal(), Some(9));
    }

    #[test]
    fn a_child_that_ended_unexpectedly_is_reported_once() {
        let mut told = ChildProgram::heard(bound("sh").args(["-c", "exit 3"])).expect("it starts");
        told.finish().expect("it ends");
        drop(told);
        drop(ChildProgram::silent(bound("sleep").arg("1000")).expect("it starts"));
        assert_eq!(gone(), None, "one was asked to, one was ended");
        let mut crashed = ChildProgram::heard(bound("sh").args(["-c", "exit 3"])).expect("it starts");
        std::io::copy(&mut crashed.take_output().expect("it is heard"), &mut std::io::sink()).expect("it ends");
        while crashed.ended().expect("it is a child").is_none() {
            thread::yield_now();
        }
        drop(crashed);
        assert!(gone().expect("it had ended").ends_with("exit status: 3"));
        assert_eq!(gone(), None);
    }

    #[test]
    fn reading_from_an_ended_child_fails_with_its_exit_status() {
        let mut process =
            ChildProgram::heard(bound("sh").args(["-c", "echo one; read all; exit 3"])).expect("it starts");
        assert_eq!(process.line().expect("it says that"), "one");
        process.end_input();
        let error = process.line().expect_err("it said no more").to_string();
        assert!(error.contains('3'), "{error}");
    }
}
