//! Counts passed and failed tests in the output of each test runner.

use std::ops::AddAssign;

/// Tests passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Tally {
    pub(crate) const PASSED: Tally = Tally { passed: 1, failed: 0 };
    pub(crate) const FAILED: Tally = Tally { passed: 0, failed: 1 };

    /// Adds up the passed and failed tests that cargo test, Vitest, pytest and node's runner report in `output`.
    pub(crate) fn read(output: &str) -> Tally {
        let mut tally = Tally::default();
        for line in output.lines() {
            tally += read_line(line.trim());
        }
        tally
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

fn read_line(line: &str) -> Tally {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    // From a minute on, pytest repeats the time: `in 61.20s (0:01:01)`.
    words.pop_if(|word| word.starts_with('(') && word.contains(':'));
    let counted = |unit: &str| {
        let at = words.iter().position(|word| word.trim_matches([',', ';', '.', ')']) == unit)?;
        words.get(at.checked_sub(1)?)?.parse::<u64>().ok()
    };
    match words.as_slice() {
        ["test", "result:", ..] | ["Tests", ..] => {
            Tally { passed: counted("passed").unwrap_or(0), failed: counted("failed").unwrap_or(0) }
        }
        ["#" | "ℹ", "pass", count] => Tally { passed: count.parse().unwrap_or(0), failed: 0 },
        ["#" | "ℹ", "fail", count] => Tally { passed: 0, failed: count.parse().unwrap_or(0) },
        [.., "in", seconds] | [.., "in", seconds, "="] if is_seconds(seconds) => Tally {
            passed: counted("passed").unwrap_or(0),
            failed: counted("failed").unwrap_or(0) + counted("error").or(counted("errors")).unwrap_or(0),
        },
        _ => Tally::default(),
    }
}

fn is_seconds(word: &str) -> bool {
    word.trim_end_matches('=').strip_suffix('s').is_some_and(|number| number.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_lines_of_four_runners_are_added_up() {
        let output = "running 3 tests\n\
            test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured\n\
             Test Files  1 passed (1)\n      Tests  4 passed (4)\n      Tests  1 failed | 2 passed (3)\n\
            6 passed, 1 failed, 2 errors in 3.21s\n\
            50 passed, 132 deselected in 60.58s (0:01:00)\n\
            ℹ pass 7\nℹ fail 0\n# pass 1\n# fail 2\n";
        assert_eq!(Tally::read(output), Tally { passed: 2 + 4 + 2 + 6 + 50 + 7 + 1, failed: 1 + 1 + 3 + 2 });
    }

    #[test]
    fn lines_similar_to_test_summaries_are_not_counted() {
        assert_eq!(
            Tally::read("built in 3.1s\nwe passed 3 cars\npassed\nTest Files  1 passed (1)\n"),
            Tally::default()
        );
    }
}
