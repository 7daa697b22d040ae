//! Generates the limits of `spec/limits.json`, which clients obey too, in each language.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Number;

/// The file below the repository's root.
const SOURCE: &str = "spec/limits.json";
const NAME: &str = "limits.json";

/// One limit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limit {
    name: String,
    value: Number,
    unit: String,
    reason: String,
}

/// All limits, in the order of the file.
pub(super) struct Limits(Vec<Limit>);

impl Limits {
    /// Reads the limits; none if the repository has no such file.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let path = root.join(SOURCE);
        if !path.exists() {
            return Ok(Self(Vec::new()));
        }
        let limits: Vec<Limit> = serde_json::from_slice(&fs::read(&path)?).with_context(|| SOURCE.to_owned())?;
        for limit in &limits {
            let constant = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
            ensure!(limit.name.chars().all(constant), "{SOURCE}: {} is not in capitals", limit.name);
            ensure!(!limit.unit.is_empty(), "{SOURCE}: {} has no unit", limit.name);
            ensure!(limit.reason.ends_with('.'), "{SOURCE}: the reason of {} doesn't end with a period", limit.name);
            let same = limits.iter().filter(|other| other.name == limit.name).count();
            ensure!(same == 1, "{SOURCE}: {} is defined {same} times", limit.name);
        }
        Ok(Self(limits))
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A Rust module.
    pub(super) fn rust(&self) -> String {
        let mut out = format!("// {}\n//! Limits that clients obey too.\n", super::mark_of(NAME));
        for limit in &self.0 {
            let kind = match (limit.value.is_f64(), limit.unit.as_str()) {
                (true, _) => "f64",
                // Times are no sizes, and a protocol id may have 64 bits. `usize` has 32 where `wire` is checked
                // for purity.
                (false, "seconds" | "milliseconds" | "number") => "u64",
                (false, _) => "usize",
            };
            out.push_str(&format!("\n/// {}\npub const {}: {kind} = {};\n", limit.says(), limit.name, limit.digits()));
        }
        out
    }

    /// A TypeScript module.
    pub(super) fn typescript(&self) -> String {
        let mut out = format!("// {}\n/** Limits that clients obey too. */\n", super::mark_of(NAME));
        for limit in &self.0 {
            let digits = limit.digits();
            let value = digits.strip_suffix(".0").unwrap_or(&digits);
            out.push_str(&format!("\n/** {} */\nexport const {} = {value};\n", limit.says(), limit.name));
        }
        out
    }

    /// A Python module.
    pub(super) fn python(&self) -> String {
        let mut out = format!(
            "# {}\n\"\"\"Limits that clients obey too.\"\"\"\n\nfrom __future__ import annotations\n\nfrom typing import Final\n",
            super::mark_of(NAME)
        );
        for limit in &self.0 {
            out.push_str(&format!("\n{}: Final = {}\n\"\"\"{}\"\"\"\n", limit.name, limit.digits(), limit.says()));
        }
        out
    }
}

impl Limit {
    fn says(&self) -> String {
        format!("{} In {}.", self.reason, self.unit)
    }

    /// The value with `_` between thousands, which all three languages accept.
    fn digits(&self) -> String {
        let text = self.value.to_string();
        let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
        let mut digits = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                digits.push('_');
            }
            digits.push(digit);
        }
        digits + rest
    }
}
