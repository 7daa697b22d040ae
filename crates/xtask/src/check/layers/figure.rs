//! The figure of ARCHITECTURE.md shows exactly the dependencies between the workspace's crates and web packages.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Edge;

const PAGE: &str = "ARCHITECTURE.md";

/// Arrows from a package to its dependency. The names lack the prefixes `stoa-` and `@stoa/`.
type Arrows = BTreeSet<(String, String)>;

pub(super) fn findings(root: &Path, edges: &[Edge]) -> Result<Vec<String>> {
    let text = fs::read_to_string(root.join(PAGE)).with_context(|| format!("cannot read {PAGE}"))?;
    let ours = edges.iter().filter(|edge| edge.to.starts_with("stoa-"));
    let mut wanted: Arrows = ours.map(|edge| (plain(&edge.from), plain(&edge.to))).collect();
    wanted.extend(web_arrows(root)?);
    Ok(differences(&wanted, &drawn(&text)))
}

/// Dependencies between the packages of `web/`, by their `package.json`.
fn web_arrows(root: &Path) -> Result<Arrows> {
    let mut arrows = Arrows::new();
    for name in ["client", "voice", "aframe", "app"] {
        let path = root.join("web").join(name).join("package.json");
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let package: Value = serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))?;
        let used = package.get("dependencies").and_then(Value::as_object).into_iter().flatten();
        arrows.extend(used.filter_map(|(used, _)| Some((name.to_owned(), used.strip_prefix("@stoa/")?.to_owned()))));
    }
    Ok(arrows)
}

fn plain(package: &str) -> String {
    package.strip_prefix("stoa-").unwrap_or(package).to_owned()
}

/// Parses lines such as `server --> net & state` in the page's Mermaid block.
fn drawn(text: &str) -> Arrows {
    let block = text.split("```mermaid\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    let mut arrows = Arrows::new();
    for (from, to) in block.lines().filter_map(|line| line.split_once("-->")) {
        for to in to.split('&') {
            arrows.insert((from.trim().to_owned(), to.trim().to_owned()));
        }
    }
    arrows
}

fn differences(wanted: &Arrows, drawn: &Arrows) -> Vec<String> {
    let missing = wanted.difference(drawn).map(|(from, to)| format!("{PAGE}: the figure lacks {from} --> {to}"));
    let wrong = drawn
        .difference(wanted)
        .map(|(from, to)| format!("{PAGE}: the figure shows {from} --> {to}, a dependency that doesn't exist"));
    missing.chain(wrong).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extra_or_missing_arrow_in_the_figure_is_rejected() {
        let arrow = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let wanted = Arrows::from([arrow("net", "state"), arrow("net", "wire")]);
        let page = |line: &str| format!("# A\n```mermaid\nflowchart LR\n    {line}\n```\n");
        let found = |line: &str| differences(&wanted, &drawn(&page(line)));
        assert_eq!(found("net --> state & wire"), Vec::<String>::new(), "negative control");
        assert_eq!(found("net --> state").len(), 1);
        assert_eq!(found("net --> state & wire\n    wire --> net").len(), 1);
        assert_eq!(differences(&wanted, &drawn("no figure")).len(), 2);
    }
}
