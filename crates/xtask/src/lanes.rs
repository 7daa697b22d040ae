//! Runs commands in parallel, at most one per lane.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::command::{CommandLine, OutputTiming};
use crate::summary::Step;

/// Two, because test binaries use all cores in one part of their time, and wait in the other part.
const LANES: usize = 2;

/// A command whose output is shown as one block at its end.
pub(crate) struct Job {
    pub(crate) name: String,
    pub(crate) line: CommandLine,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A linter or a type checker.
    Tool,
    Tests,
    /// Tests that print the counts of vectors, in the language with this name.
    Vectors(&'static str),
}

/// Result of a job; the output is kept if the vectors gate needs it.
pub(crate) struct FinishedJob {
    pub(crate) step: Step,
    pub(crate) vectors: Option<(&'static str, String)>,
}

/// Queued and finished jobs.
pub(crate) struct Lanes {
    count: usize,
    waiting: Mutex<VecDeque<Job>>,
    finished: Mutex<Vec<FinishedJob>>,
}

impl Default for Lanes {
    fn default() -> Lanes {
        Lanes { count: LANES, waiting: Mutex::default(), finished: Mutex::default() }
    }
}

impl Lanes {
    pub(crate) fn push(&self, jobs: impl IntoIterator<Item = Job>) {
        locked(&self.waiting).extend(jobs);
    }

    /// Runs `first` in one lane while the other lanes take queued jobs. Then all lanes take queued jobs, including
    /// those that `first` added.
    pub(crate) fn run<T>(self, first: impl FnOnce(&Lanes) -> T) -> (T, Vec<FinishedJob>) {
        let result = std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.count).map(|_| scope.spawn(|| self.drain())).collect();
            let result = first(&self);
            // A lane that found an empty queue has ended.
            for other in others {
                if other.is_finished() {
                    scope.spawn(|| self.drain());
                }
            }
            self.drain();
            result
        });
        (result, self.finished.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes queued jobs from the end of the queue until it is empty.
    pub(crate) fn drain_from_end(&self) {
        self.drain_by(VecDeque::pop_back);
    }

    fn drain(&self) {
        self.drain_by(VecDeque::pop_front);
    }

    fn drain_by(&self, take: impl Fn(&mut VecDeque<Job>) -> Option<Job>) {
        while let Some(job) = { take(&mut locked(&self.waiting)) } {
            let finished = job.run();
            locked(&self.finished).push(finished);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    pub(crate) fn run(self) -> FinishedJob {
        let outcome = match self.line.run(OutputTiming::AtTheEnd) {
            Ok(outcome) => outcome,
            Err(error) => {
                return FinishedJob { step: Step::impossible(self.name, format!("{error:#}")), vectors: None };
            }
        };
        match self.kind {
            Kind::Tool => FinishedJob { step: Step::of_tool(self.name, &outcome), vectors: None },
            Kind::Tests => FinishedJob { step: Step::of_tests(self.name, &outcome), vectors: None },
            Kind::Vectors(language) => {
                FinishedJob { step: Step::of_tests(self.name, &outcome), vectors: Some((language, outcome.output)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(name: &str, script: &str, kind: Kind) -> Job {
        Job { name: name.to_owned(), line: CommandLine::new(".", ["sh", "-c", script]), kind }
    }

    #[test]
    fn a_failed_tool_is_reported_and_the_next_one_still_runs() {
        let lanes = Lanes::default();
        lanes.push([
            job("a", "exit 1", Kind::Tool),
            job("b", "echo 'test result: ok. 2 passed; 0 failed;'", Kind::Vectors("rust")),
            Job { name: "c".to_owned(), line: CommandLine::new("no such folder", ["true"]), kind: Kind::Tests },
        ]);
        let (added, mut finished) = lanes.run(|lanes| lanes.push([job("d", "exit 0", Kind::Tests)]));
        assert_eq!(added, ());
        finished.sort_by(|a, b| a.step.name.cmp(&b.step.name));
        let seen: Vec<_> = finished.iter().map(|job| (job.step.tally.passed, job.step.failed.len())).collect();
        assert_eq!(seen, [(0, 1), (2, 0), (0, 1), (0, 0)]);
        assert!(finished[1].vectors.as_ref().is_some_and(|(_, output)| output.contains("2 passed")));
    }

    /// The first job waits for files of both other jobs, which only another lane runs meanwhile.
    #[test]
    fn one_lane_takes_jobs_from_the_end_of_the_queue() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let job = |name: &str, script: &str| Job {
            name: name.to_owned(),
            line: CommandLine::new(folder.path(), ["sh", "-c", script]),
            kind: Kind::Tool,
        };
        let lanes = Lanes::default();
        let waits = "for i in $(seq 500); do [ -e middle ] && exit 0; sleep 0.02; done; exit 1";
        lanes.push([job("first", waits), job("middle", "[ -e last ] && touch middle"), job("last", "touch last")]);
        let ((), finished) = lanes.run(Lanes::drain_from_end);
        assert_eq!(finished.len(), 3);
        assert!(finished.iter().all(|job| job.step.failed.is_empty()));
        Ok(())
    }

    /// Each of two jobs waits for a file that only the other one creates.
    #[test]
    fn two_jobs_run_at_the_same_time() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let waits = |own: &str, other: &str| {
            let script =
                format!("touch {own}; for i in $(seq 500); do [ -e {other} ] && exit 0; sleep 0.02; done; exit 1");
            Job { name: own.to_owned(), line: CommandLine::new(folder.path(), ["sh", "-c", &script]), kind: Kind::Tool }
        };
        let lanes = Lanes::default();
        lanes.push([waits("a", "b"), waits("b", "a")]);
        let ((), finished) = lanes.run(|_| ());
        assert!(finished.iter().all(|job| job.step.failed.is_empty()));
        Ok(())
    }
}
