//! Experiments of Forest ("Performance-Engineered Network Overlays for High Quality Interaction in Virtual Worlds", Haitjema et al.): its trees (Figures 4 to 6), and a game like its
//! own (Figures 8 to 10).

mod beside;
mod figures;
pub(crate) mod game;
mod plane;
mod points;
mod regions;
mod routers;
mod session;
mod sweep;
pub(crate) mod trees;

use anyhow::{Context, Result};
use serde_json::Value;

/// The paper's numbers.
struct Paper(Value);

impl Paper {
    /// From a `paper.json`.
    fn read(text: &str) -> Result<Paper> {
        Ok(Paper(serde_json::from_str(text).context("paper.json")?))
    }

    fn number(&self, name: &str) -> Result<f64> {
        let found = &self.0[name];
        found["value"].as_f64().or(found.as_f64()).with_context(|| format!("paper.json has no number {name}"))
    }
}
