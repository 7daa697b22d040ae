//! Runs the scripts `web/app/lab/*.mjs` with node. The scripts open real pages in the distribution's Chromium and
//! measure.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::Value;

use crate::child::{ChildProgram, bound};
use crate::limits;
use crate::machine;

/// The folder of the browser scripts.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct BrowserScripts {
    /// Folder of the scripts that open pages and measure, in a checkout where `npm ci` ran in `web`
    #[arg(long, value_name = "DIR", default_value = "web/app/lab")]
    scripts: PathBuf,
}

impl BrowserScripts {
    /// The reason why no script can run here, if something is missing.
    pub(crate) fn lacks(&self) -> Option<String> {
        let browser = std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
        let modules = self.scripts.join("../../node_modules/playwright-core");
        [(&browser, "install it, or set CHROMIUM"), (&modules, "this runs in a checkout where `npm ci` ran in web")]
            .into_iter()
            .find(|(path, _)| !path.exists())
            .map(|(path, hint)| format!("{} not found: {hint}", path.display()))
            .or_else(|| Command::new("node").arg("--version").output().err().map(|error| format!("node: {error}")))
    }

    /// Starts a script on the generator's core. The caller runs its own load on the server's core, so the browser has
    /// the generator's core for itself.
    pub(crate) fn start(&self, script: &str, arguments: &[String]) -> Result<RunningScript> {
        machine::on_core(limits::GENERATOR_CPU, || self.spawn(script, arguments))
    }

    /// Starts a script on all cores, for experiments where the server has little to do and drawing needs more than one
    /// core.
    pub(crate) fn start_wide(&self, script: &str, arguments: &[String]) -> Result<RunningScript> {
        machine::on_all_cores(|| self.spawn(script, arguments))
    }

    fn spawn(&self, script: &str, arguments: &[String]) -> Result<RunningScript> {
        Ok(RunningScript(ChildProgram::heard(bound("node").arg(self.scripts.join(script)).args(arguments))?))
    }
}

/// A running script. Dropping it kills the process.
pub(crate) struct RunningScript(ChildProgram);

impl RunningScript {
    /// Waits for the script's result.
    pub(crate) fn finish(mut self) -> Result<Value> {
        self.told()
    }

    /// The script's result, or `None` while it runs.
    pub(crate) fn seen(&mut self) -> Result<Option<Value>> {
        if self.0.ended()?.is_none() {
            return Ok(None);
        }
        self.told().map(Some)
    }

    fn told(&mut self) -> Result<Value> {
        let (told, status) = self.0.finish()?;
        ensure!(status.success(), "the page failed: {status}: {told}");
        let seen: Value = serde_json::from_str(&told)?;
        let errors = seen["errors"].as_array().map_or(0, Vec::len);
        ensure!(errors == 0, "something went wrong in a page: {}", seen["errors"]);
        Ok(seen)
    }
}
