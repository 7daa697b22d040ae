//! Reports of gates, and their figures, which `cargo xtask house` prints. Most figures have a limit.

use std::fmt;

/// Findings and figures of a gate.
pub(crate) struct Report {
    pub(crate) findings: Vec<String>,
    pub(crate) figures: Vec<Figure>,
}

/// One measured number. `limit` is the gate's maximum; without one the figure is only printed.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    pub(crate) limit: Option<f64>,
}

impl Figure {
    pub(crate) fn at_most(name: &'static str, value: f64, limit: f64) -> Figure {
        Figure { name, value, limit: Some(limit) }
    }

    pub(crate) fn unbounded(name: &'static str, value: f64) -> Figure {
        Figure { name, value, limit: None }
    }

    pub(crate) fn holds(&self) -> bool {
        self.limit.is_none_or(|limit| self.value <= limit)
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{:<40} {:>9.2}", self.name, self.value)?;
        match self.limit {
            Some(limit) if self.holds() => write!(to, "   at most {limit}"),
            Some(limit) => write!(to, "   at most {limit}: MISSED"),
            None => Ok(()),
        }
    }
}
