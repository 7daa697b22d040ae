//! Collects the results of a run's steps, and prints durations, failed tests, and the count as the last line.

use std::time::Duration;

use crate::command::Outcome;
use crate::tally::Tally;
use crate::transcript::{self, TimedTest};

/// Number of tests listed by `--timings`.
const SLOW_TESTS: usize = 40;

/// One command, gate or test binary.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) took: Duration,
    pub(crate) tally: Tally,
    /// Names of failed tests, or findings.
    pub(crate) failed: Vec<String>,
    pub(crate) tests: Vec<TimedTest>,
}

impl Step {
    /// A step without tests, such as a linter or compiler. It counts only if it fails.
    pub(crate) fn of_tool(name: impl Into<String>, outcome: &Outcome) -> Step {
        let name = name.into();
        let mut step = Step { name, took: outcome.took, ..Step::default() };
        if !outcome.succeeded {
            step.tally = Tally::FAILED;
            step.failed.push(format!("failed: {}", step.name));
        }
        step
    }

    /// A step with tests. A runner that fails without counting a failed test counts as one failed test.
    pub(crate) fn of_tests(name: impl Into<String>, outcome: &Outcome) -> Step {
        let (name, output) = (name.into(), transcript::plain(&outcome.output));
        let mut tally = Tally::read(&output);
        let mut failed = transcript::failed_names(&output);
        if !outcome.succeeded {
            if tally.failed == 0 {
                tally += Tally::FAILED;
            }
            if failed.is_empty() {
                failed.push(format!("failed: {name}"));
            }
        }
        Step { name, took: outcome.took, tally, failed, tests: transcript::durations(&output) }
    }

    /// A gate counts as one test.
    pub(crate) fn of_gate(name: String, took: Duration, findings: Vec<String>) -> Step {
        for finding in &findings {
            println!("{name}: {finding}");
        }
        let tally = if findings.is_empty() { Tally::PASSED } else { Tally::FAILED };
        Step { name, took, tally, failed: findings, tests: Vec::new() }
    }

    /// A step that could not start.
    pub(crate) fn impossible(name: impl Into<String>, why: impl Into<String>) -> Step {
        Step { name: name.into(), tally: Tally::FAILED, failed: vec![why.into()], ..Step::default() }
    }
}

/// All steps of a run.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    steps: Vec<Step>,
    skipped: Vec<String>,
}

impl Summary {
    pub(crate) fn add(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Records a part that this run skips.
    pub(crate) fn skip(&mut self, name: impl Into<String>) {
        self.skipped.push(name.into());
    }

    pub(crate) fn tally(&self) -> Tally {
        let mut total = Tally::default();
        for step in &self.steps {
            total += step.tally;
        }
        total
    }

    /// Prints the end of a run; its last line is `N passed, N failed`.
    pub(crate) fn print(&self, with_timings: bool) {
        print!("{}", self.end(with_timings));
    }

    fn end(&self, with_timings: bool) -> String {
        let mut lines = vec![String::new(), "== steps".to_owned()];
        lines.extend(self.steps.iter().map(|step| {
            let mark = if step.failed.is_empty() && step.tally.failed == 0 { "ok" } else { "FAILED" };
            format!("{:>7.1} s  {mark:<6}  {}", step.took.as_secs_f64(), step.name)
        }));
        if with_timings {
            lines.extend(self.slowest());
        }
        if !self.skipped.is_empty() {
            lines.extend([String::new(), "== skipped".to_owned()]);
            lines.extend(self.skipped.iter().cloned());
        }
        let failed =
            self.steps.iter().flat_map(|step| step.failed.iter().map(move |name| format!("{}: {name}", step.name)));
        let failed: Vec<String> = failed.collect();
        if !failed.is_empty() {
            lines.extend([String::new(), "== failed".to_owned()]);
            lines.extend(failed);
        }
        let tally = self.tally();
        format!("{}\n{} passed, {} failed\n", lines.join("\n"), tally.passed, tally.failed)
    }

    fn slowest(&self) -> Vec<String> {
        let mut tests: Vec<(&Step, &TimedTest)> =
            self.steps.iter().flat_map(|step| step.tests.iter().map(move |test| (step, test))).collect();
        tests.sort_by_key(|(_, test)| std::cmp::Reverse(test.took));
        let shown = tests
            .into_iter()
            .take(SLOW_TESTS)
            .map(|(step, test)| format!("{:>7.2} s  {}: {}", test.took.as_secs_f64(), step.name, test.name));
        [String::new(), "== slowest tests".to_owned()].into_iter().chain(shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(succeeded: bool, output: &str) -> Outcome {
        Outcome { succeeded, output: output.to_owned(), took: Duration::from_millis(1_250) }
    }

    #[test]
    fn the_summary_lists_failed_tests_and_durations_before_the_count() {
        let mut summary = Summary::default();
        summary.add(Step::of_tool("linter", &outcome(true, "")));
        let output = "test a ... ok <0.500s>\ntest b ... FAILED <0.100s>\n\nfailures:\n    b\n\ntest result: FAILED. 1 passed; 1 failed;\n";
        summary.add(Step::of_tests("stoa-wire", &outcome(false, output)));
        summary.skip("end to end");
        let end = summary.end(true);
        let wanted = "\n== steps\n    1.2 s  ok      linter\n    1.2 s  FAILED  stoa-wire\n\
            \n== slowest tests\n   0.50 s  stoa-wire: a\n   0.10 s  stoa-wire: b\n\
            \n== skipped\nend to end\n\n== failed\nstoa-wire: b\n1 passed, 1 failed\n";
        assert_eq!(end, wanted);
        assert!(!summary.end(false).contains("slowest"));
    }

    #[test]
    fn a_runner_failure_without_a_failed_test_counts_as_one_failure() {
        let step = Step::of_tests("pages", &outcome(false, " Tests  3 passed (3)\n"));
        assert_eq!(step.tally, Tally { passed: 3, failed: 1 });
        assert_eq!(step.failed, ["failed: pages"]);
        let step =
            Step::of_tests("pages", &outcome(true, "\u{1b}[2m Tests \u{1b}[22m \u{1b}[32m3 passed\u{1b}[39m (3)\n"));
        assert_eq!(step.tally, Tally { passed: 3, failed: 0 }, "negative control, in colours");
    }
}
