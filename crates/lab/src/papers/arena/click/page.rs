//! Measures the delay from a click in a real page to the update that answers it. `web/app/lab/click.mjs` clicks.

use anyhow::Result;
use serde_json::{Value, json};

use super::{EmulatedAgentPath, Options};
use crate::environment::ExperimentContext;
use crate::load::person::SCENE;
use crate::papers::arena::agent::{AgentImplementation, ClickAgent, DistantServer};
use crate::papers::arena::clicker::TARGET;
use crate::papers::arena::delay_proxy::LinkDelay;
use crate::report::{Figure, Report, Table};
use crate::servers::{MqttServerKind, Testbed};
use crate::statistics::{median, rounded};

pub(super) fn measure(
    report: &mut Report,
    options: &Options,
    (testbed, setting): (&Testbed, &ExperimentContext),
) -> Result<()> {
    if let Some(why) = options.scripts.lacks() {
        report.left_out(vec![json!({ "clicker": "page", "why": why })]);
        return Ok(());
    }
    let mut rows = Vec::new();
    for placement in options.placements()? {
        let mut seen: Vec<Value> = Vec::new();
        for turn in 0..options.runs as u64 {
            let key = json!({ "pair": "page", "place": placement.name, "run": turn + 1 });
            seen.push(setting.step(key, || page_step(options, testbed, (placement, turn)))?);
        }
        let of = |part: &str, share: &str| {
            median(&seen.iter().filter_map(|seen| seen[part][share].as_f64()).collect::<Vec<_>>())
        };
        let figure = Figure::new(of("had_ms", "p50"), "ms");
        let figure = match placement.paper {
            Some((source, about_ms)) => figure.published(source, about_ms),
            None => figure,
        };
        report.figure(&format!("arena_click_page_{}_ms", placement.name), figure);
        let parts = [("sent_ms", "p50"), ("had_ms", "p50"), ("had_ms", "p95"), ("shown_ms", "p50")];
        rows.push(
            [json!(placement.name)]
                .into_iter()
                .chain(parts.map(|(part, share)| json!(rounded(of(part, share)))))
                .collect(),
        );
        report.series(&format!("page_{}", placement.name), json!(seen));
    }
    let title =
        "A page clicks: from the mouse button to the sending of the click, the answer's arrival, and its render frame"
            .to_owned();
    let columns = ["place", "out, median ms", "answered, median ms", "answered, p95 ms", "shown, median ms"];
    report.table(Table { title, columns: columns.map(str::to_owned).into(), rows });
    Ok(())
}

/// One run with a fresh server, agent and page.
fn page_step(options: &Options, testbed: &Testbed, (placement, turn): (EmulatedAgentPath, u64)) -> Result<Value> {
    let server = MqttServerKind::Stoa.start(testbed)?;
    let distance = placement.distance.map(|distance| LinkDelay { seed: options.seed + 1_000 * turn, ..distance });
    let target = DistantServer { testbed, kind: MqttServerKind::Stoa, server: &server, distance };
    let _agent = ClickAgent::start(AgentImplementation::StoaXr, &target, &options.pythons)?;
    let [url, clicks] = [format!("http://localhost:{}", server.http()?.port()), options.page_clicks.to_string()];
    let arguments = ["--url", &url, "--scene", SCENE, "--target", TARGET, "--clicks", &clicks].map(str::to_owned);
    options.scripts.start_wide("click.mjs", &arguments)?.finish()
}
