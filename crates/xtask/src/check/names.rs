//! STYLE.md, *Names* and *Numbers*: type names, tuple parameters and files per folder, as figures of the whole
//! repository.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::tidy::{files_below, folders, is_generated, parameters, type_names};
use crate::house::{Figure, Report};

pub(crate) fn report(root: &Path) -> Result<Report> {
    let Report { mut findings, mut figures } = type_names::report(root)?;
    let (crowded, largest) = folders::report(root)?;
    findings.extend(crowded);
    figures.push(largest);
    let tuples = tuples(root)?;
    figures.push(Figure::at_most("parameters_that_are_tuples", tuples.len() as f64, 0.0));
    findings.extend(tuples);
    Ok(Report { findings, figures })
}

fn tuples(root: &Path) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in files_below(root, &["rs"])? {
        let text = fs::read_to_string(&path)?;
        if is_generated(&text) {
            continue;
        }
        let shown = path.strip_prefix(root).unwrap_or(&path);
        findings.extend(parameters::findings(shown, &text));
    }
    Ok(findings)
}
