//! Reads the names of failed tests and the durations of tests from the output of test runners.

use std::time::Duration;

/// A test and its duration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimedTest {
    pub(crate) name: String,
    pub(crate) took: Duration,
}

/// `output` without the terminal's escape sequences (colours and links).
pub(crate) fn plain(output: &str) -> String {
    let mut plain = String::with_capacity(output.len());
    let mut rest = output.chars();
    while let Some(letter) = rest.next() {
        if letter != '\u{1b}' {
            plain.push(letter);
            continue;
        }
        match rest.next() {
            // A control sequence ends with a letter or one of a few signs.
            Some('[') => while rest.next().is_some_and(|letter| !('@'..='~').contains(&letter)) {},
            // An operating system command (a link) ends with BEL or ESC \.
            Some(']') => while rest.next().is_some_and(|letter| letter != '\u{7}' && letter != '\\') {},
            _ => {}
        }
    }
    plain
}

/// Names of failed tests in a plain output of cargo test, Vitest, pytest or node's spec reporter, unique and in
/// order.
pub(crate) fn failed_names(output: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut is_in_rust_list = false;
    for line in output.lines() {
        let rust = if is_in_rust_list { line.strip_prefix("    ") } else { None };
        is_in_rust_list = line == "failures:" || rust.is_some();
        let found = rust.map(str::trim).or_else(|| failed_elsewhere(line.trim()));
        if let Some(name) = found.filter(|name| !names.iter().any(|known| known == name)) {
            names.push(name.to_owned());
        }
    }
    names
}

fn failed_elsewhere(line: &str) -> Option<&str> {
    if let Some(vitest) = line.strip_prefix("FAIL ") {
        return Some(vitest.trim());
    }
    if let Some(pytest) = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR ")) {
        return pytest.split_whitespace().next().filter(|name| name.contains(".py"));
    }
    let node = line.strip_prefix("✖ ")?;
    in_parentheses(node).map(|(name, _)| name)
}

/// Durations of tests, if the runner prints them.
pub(crate) fn durations(output: &str) -> Vec<TimedTest> {
    output.lines().filter_map(|line| timed(line.trim())).collect()
}

fn timed(line: &str) -> Option<TimedTest> {
    let (name, took) = rust_timed(line).or_else(|| pytest_timed(line)).or_else(|| script_timed(line))?;
    Some(TimedTest { name: name.to_owned(), took })
}

/// `test name ... ok <0.012s>`
fn rust_timed(line: &str) -> Option<(&str, Duration)> {
    let (name, end) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let (_, took) = end.strip_suffix('>')?.split_once('<')?;
    Some((name, read(took)?))
}

/// `0.52s call     tests/test_name.py::test_sentence`
fn pytest_timed(line: &str) -> Option<(&str, Duration)> {
    let mut words = line.split_whitespace();
    let (took, step, name) = (words.next()?, words.next()?, words.next()?);
    (step == "call" && name.contains("::")).then_some((name, read(took)?))
}

/// `✓ |app| test/name.test.ts > sentence 12ms` of Vitest, `✔ sentence (12.3ms)` of node.
fn script_timed(line: &str) -> Option<(&str, Duration)> {
    if let Some(node) = line.strip_prefix("✔ ").or_else(|| line.strip_prefix("✖ ")) {
        return in_parentheses(node);
    }
    let (name, took) = line.strip_prefix("✓ ").or_else(|| line.strip_prefix("× "))?.rsplit_once(' ')?;
    // A line of Vitest without a test's name sums up a file.
    name.contains(" > ").then_some((name, read(took)?))
}

fn in_parentheses(line: &str) -> Option<(&str, Duration)> {
    let (name, took) = line.rsplit_once(" (")?;
    Some((name, read(took.strip_suffix(')')?)?))
}

fn read(took: &str) -> Option<Duration> {
    let (number, unit_s) = match took.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (took.strip_suffix('s')?, 1.0),
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * unit_s).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_tests_of_four_runners_are_named_once() {
        let output = "test a::good ... ok\ntest a::bad ... FAILED\n\nfailures:\n\n---- a::bad stdout ----\n    no name\n\n\
            failures:\n    a::bad\n    b::worse\n\ntest result: FAILED. 1 passed; 2 failed;\n\
            \u{20}FAIL  |app| test/x.test.ts > a sentence\nAssertionError: x\n\
            FAILED tests/test_x.py::test_sentence - assert 1 == 2\nERROR tests/test_y.py - ImportError\nERROR in some log\n\
            ✖ a sentence of node (12.5ms)\n✖ failing tests:\n  ✖ a sentence of node (12.5ms)\n✔ a good one (1ms)\n";
        assert_eq!(
            failed_names(output),
            [
                "a::bad",
                "b::worse",
                "|app| test/x.test.ts > a sentence",
                "tests/test_x.py::test_sentence",
                "tests/test_y.py",
                "a sentence of node"
            ]
        );
    }

    #[test]
    fn durations_of_four_runners_are_read() {
        let output = "test a::slow ... ok <2.500s>\ntest a::untimed ... ok\n\
            0.25s call     tests/test_x.py::test_sentence\n9.00s setup    tests/test_x.py::test_sentence\n\
            \u{20}✓ |app| test/x.test.ts > a sentence 12ms\n ✓ |app| test/x.test.ts (9 tests) 5ms\n  ✔ of node (1500ms)\n";
        let found: Vec<(String, u128)> =
            durations(output).into_iter().map(|test| (test.name, test.took.as_millis())).collect();
        let wanted = [
            ("a::slow", 2_500),
            ("tests/test_x.py::test_sentence", 250),
            ("|app| test/x.test.ts > a sentence", 12),
            ("of node", 1_500),
        ];
        assert_eq!(found, wanted.map(|(name, ms)| (name.to_owned(), ms)));
    }

    #[test]
    fn terminal_colours_and_links_are_removed() {
        assert_eq!(
            plain("\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m4 passed\u{1b}[39m"),
            "      Tests  4 passed"
        );
        assert_eq!(plain("\u{1b}]8;;https://example.org\u{1b}\\a rule\u{1b}]8;;\u{1b}\\ here"), "a rule here");
    }
}
