//! Generates `docs/limits.md`, with a table of the limits in each file of limits of the product's crates.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The page below the repository's root.
pub(super) const PAGE: &str = "docs/limits.md";

/// Sources of the page with their headings.
const SOURCES: [(&str, &str); 8] = [
    ("crates/wire/src/limits/generated.rs", "Messages and motion frames: limits that clients obey too"),
    ("crates/wire/src/limits.rs", "Packets"),
    ("crates/state/src/limits.rs", "Clients, scenes and sessions"),
    ("crates/state/src/limits/motion.rs", "The motion plane and interest sets"),
    ("crates/state/src/limits/rate.rs", "Rates of the motion plane's paths"),
    ("crates/state/src/limits/voice.rs", "Voice"),
    ("crates/net/src/limits.rs", "Connections and datagrams"),
    ("crates/server/src/limits.rs", "HTTP, accounts, files, history and tasks"),
];

const HEAD: &str = "# All limits
Each line is a constant of the code with its value and its reason. [Bounds](bounds.md) explains the limits that users
reach, and [Running a realm](operator.md#limits) the flags that change some of them. The rest are fixed: to change one,
edit the file and build again. The build checks that related limits still fit together.
";

/// One constant.
#[derive(Debug, PartialEq, Eq)]
struct Constant {
    name: String,
    value: String,
    doc: String,
}

/// The numbers of constants by name.
type Values = BTreeMap<String, u128>;

/// The page's text; none for a repository without limits. `generated` is the new text of the first source.
pub(super) fn page(root: &Path, generated: Option<&str>) -> Result<Option<String>> {
    let mut out = format!("<!-- {} -->\n{HEAD}", super::mark_of("limits.json and crates/*/src/limits*"));
    let (mut is_empty, mut values) = (true, Values::new());
    for (source, heading) in SOURCES {
        let path = root.join(source);
        let text = match generated {
            Some(text) if source == SOURCES[0].0 => text.to_owned(),
            _ if !path.exists() => continue,
            _ => fs::read_to_string(&path).with_context(|| source.to_owned())?,
        };
        let constants = constants(&text, &mut values);
        if constants.is_empty() {
            continue;
        }
        is_empty = false;
        out.push_str(&format!("\n## {heading}\n`{source}`\n\n| limit | value | reason |\n|---|---|---|\n"));
        for Constant { name, value, doc } in constants {
            out.push_str(&format!("| `{name}` | {value} | {} |\n", doc.replace('|', "\\|")));
        }
    }
    Ok((!is_empty).then_some(out))
}

/// The public constants of a file, in its order. Adds their numbers to `values`, which holds those of earlier files.
fn constants(text: &str, values: &mut Values) -> Vec<Constant> {
    let mut found = Vec::new();
    let (mut doc, mut statement) = (String::new(), String::new());
    for line in text.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            doc.push_str(words);
        } else if !statement.is_empty() || line.starts_with("pub") && line.contains("const ") {
            statement.push_str(line);
            statement.push(' ');
            if line.ends_with(';') {
                let doc = std::mem::take(&mut doc);
                found.extend(constant(&std::mem::take(&mut statement), &doc, values));
            }
        } else if !line.is_empty() {
            doc.clear();
        }
    }
    found
}

/// Reads `pub const NAME: TYPE = VALUE;`.
fn constant(statement: &str, doc: &str, values: &mut Values) -> Option<Constant> {
    let (_, rest) = statement.split_once("const ")?;
    let (name, rest) = rest.split_once(':')?;
    let (_, value) = rest.split_once(" = ")?;
    let value = value.trim().trim_end_matches(';');
    if let Some(number) = number(value, values) {
        values.insert(name.to_owned(), number);
    }
    // Links of rustdoc become code.
    let doc = doc.trim().replace("[`", "`").replace("`]", "`");
    Some(Constant { name: name.to_owned(), value: readable(value, values), doc })
}

/// Shows a number in groups of three digits, a duration with its unit, and any other value as code.
fn readable(value: &str, values: &Values) -> String {
    for (call, unit) in [("Duration::from_secs(", "s"), ("Duration::from_millis(", "ms")] {
        let inner = value.strip_prefix(call).and_then(|rest| rest.strip_suffix(')'));
        if let Some(number) = inner.and_then(|inner| number(inner, values)) {
            return format!("{} {unit}", grouped(number));
        }
    }
    number(value, values).map_or_else(|| format!("`{value}`"), grouped)
}

/// The value of a sum of products or of a shift, such as `8 * 1_024`, `LIMIT + other::LIMIT as u64` or `1 << 20`.
fn number(text: &str, values: &Values) -> Option<u128> {
    if let Some((base, shift)) = text.split_once("<<") {
        return factor(base, values)?.checked_shl(u32::try_from(factor(shift, values)?).ok()?);
    }
    let product = |text: &str| {
        let mut factors = text.split('*');
        factors.try_fold(1_u128, |product, text| product.checked_mul(factor(text, values)?))
    };
    text.split('+').map(product).try_fold(0_u128, |sum, product| sum.checked_add(product?))
}

/// A literal or the name of a constant, perhaps with a cast.
fn factor(text: &str, values: &Values) -> Option<u128> {
    let text = text.split(" as ").next()?.trim();
    let name = text.rsplit("::").next()?;
    let literal = text.strip_suffix(".0").unwrap_or(text).replace('_', "");
    values.get(name).copied().or_else(|| literal.parse().ok())
}

fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_listed_with_its_value_and_its_reason() {
        let text = "/// Files, each\n/// of [`SIZE`].\npub(crate) const FILES_MAX: usize =\n    2 * 1_024;\nconst _: () = assert!(FILES_MAX < 4_096);\n/// Wait.\npub const WAIT: Duration = Duration::from_secs(3_600);\n/// Own.\nconst OWN: u8 = 1;\n/// Tied.\npub const TIED: usize = limits::FILES_MAX as usize + 1;\n";
        let listed: Vec<(String, String, String)> =
            constants(text, &mut Values::new()).into_iter().map(|found| (found.name, found.value, found.doc)).collect();
        let expected = [
            ("FILES_MAX", "2,048", "Files, each of `SIZE`."),
            ("WAIT", "3,600 s", "Wait."),
            ("TIED", "2,049", "Tied."),
        ];
        let expected = expected.map(|(name, value, doc)| (name.to_owned(), value.to_owned(), doc.to_owned()));
        assert_eq!(listed, expected);
    }

    #[test]
    fn a_value_that_cannot_be_computed_is_shown_as_code() {
        let values = Values::new();
        assert_eq!(readable("640 << 20", &values), "671,088,640");
        assert_eq!(readable("Duration::from_secs(10 * 365 * 86_400)", &values), "315,360,000 s");
        assert_eq!(readable("u32::MAX / 2", &values), "`u32::MAX / 2`");
    }
}
