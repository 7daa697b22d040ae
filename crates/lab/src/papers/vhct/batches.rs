//! Measures the gain of vectors and the cost of a shared table: the server's processor time for each packet that it
//! sends, by the vector's length and by load. Figure `vhct_batch_gain` is the time with vectors of one over that with
//! the longest, at the load with the largest ratio.

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::curve::{MeasuredServerSetup, VhctExperimentContext};
use super::load::{ClientLoad, LoadStepOutcome};
use super::server::{FlowTransport, ProcessCount, ReferenceSetup};
use super::{PAIR, VhctExperimentPart};
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, ReferenceSystemMeasurement, Report, Table};
use crate::statistics::{median, rounded_to};

/// One load, with each server's cost of a packet.
struct PacketCostRow {
    together: &'static str,
    clients: usize,
    /// Medians of the runs, in the order of [`servers`].
    each_us: Vec<f64>,
    generator_bound: bool,
}

/// Sequential, then vectors by length, in one process; then sequential and the longest vectors in two.
fn servers(lab: &VhctExperimentContext<'_>) -> Vec<ReferenceSetup> {
    let one = |kind| ReferenceSetup { kind, processes: ProcessCount::One };
    let mut batches = lab.options.batches.clone();
    batches.sort_unstable();
    let longest = batches.last().copied().unwrap_or(1);
    let mut servers = vec![one(FlowTransport::Hybrid)];
    servers.extend(batches.into_iter().map(|batch| one(FlowTransport::Vectors(batch))));
    for kind in [FlowTransport::Hybrid, FlowTransport::Vectors(longest)] {
        servers.push(ReferenceSetup { kind, processes: ProcessCount::Two });
    }
    servers
}

pub(super) fn measure(report: &mut Report, lab: &VhctExperimentContext<'_>) -> Result<()> {
    if !lab.options.has(VhctExperimentPart::Batches) {
        return Ok(());
    }
    ensure!(lab.options.batches.contains(&1), "--batches without 1: the gain is over single datagrams");
    let servers = servers(lab);
    let mut rows = Vec::new();
    for (together, size, numbers) in
        [("pairs", PAIR, &lab.options.batch_pairs), ("everyone", usize::MAX, &lab.options.batch_everyone)]
    {
        for &clients in numbers {
            let load = ClientLoad { clients, together: size, ..ClientLoad::default() };
            rows.push(row(report, lab, (together, &load), &servers)?);
        }
    }
    report.figure("vhct_batch_gain", gain(&rows, &servers)?);
    report.table(table(&rows, &servers));
    ["pairs", "everyone"].iter().try_for_each(|together| draw(lab, together, &rows, &servers))
}

/// Measures one load. The servers take turns, so that a drift of the machine affects all.
fn row(
    report: &mut Report,
    lab: &VhctExperimentContext<'_>,
    (together, load): (&'static str, &ClientLoad),
    servers: &[ReferenceSetup],
) -> Result<PacketCostRow> {
    let mut found: Vec<Vec<LoadStepOutcome>> = vec![Vec::new(); servers.len()];
    for run in 0..lab.options.runs {
        for (server, outcomes) in servers.iter().zip(&mut found) {
            outcomes.extend(lab.measure(&MeasuredServerSetup::Reference(*server), load, ("batches", run))?);
        }
    }
    for (server, outcomes) in servers.iter().zip(&found) {
        report.series(&format!("batches, {together} of {}: {}", load.clients, server.name()), json!(outcomes));
    }
    let each_us = found.iter().map(|outcomes| {
        let each: Vec<f64> = outcomes.iter().map(|outcome| outcome.server_us).collect();
        median(&each)
    });
    ensure!(found.iter().all(|outcomes| !outcomes.is_empty()), "{} clients: not all could enter", load.clients);
    let generator_bound = found.iter().flatten().any(LoadStepOutcome::is_generator_bound);
    Ok(PacketCostRow { together, clients: load.clients, each_us: each_us.collect(), generator_bound })
}

/// The largest gain of all loads.
fn gain(rows: &[PacketCostRow], servers: &[ReferenceSetup]) -> Result<Figure> {
    let (shortest, longest) = (1, servers.len() - 3);
    let gain = |row: &&PacketCostRow| {
        if row.each_us[longest] > 0.0 { row.each_us[shortest] / row.each_us[longest] } else { 0.0 }
    };
    let best = rows.iter().max_by(|one, other| gain(one).total_cmp(&gain(other))).context("a load")?;
    let version = format!("{} of {}, us a packet", best.together, best.clients);
    let (name, value) = (servers[shortest].name(), best.each_us[shortest]);
    let reference = ReferenceSystemMeasurement { name, version, value, generator_bound: false };
    let mut figure = Figure::new(gain(&best), "times");
    figure.generator_bound = best.generator_bound;
    figure.reference = Some(reference);
    Ok(figure)
}

fn table(rows: &[PacketCostRow], servers: &[ReferenceSetup]) -> Table {
    let mut columns = vec!["together".to_owned(), "clients".to_owned()];
    columns.extend(servers.iter().map(|server| server.name()));
    let cells = |row: &PacketCostRow| {
        let each = row.each_us.iter().map(|each| json!(rounded_to(3, *each)));
        [json!(row.together), json!(row.clients)].into_iter().chain(each).collect()
    };
    let title = "Processor time of the server for each packet that it sends, in microseconds".to_owned();
    Table { title, columns, rows: rows.iter().map(cells).collect() }
}

fn draw(
    lab: &VhctExperimentContext<'_>,
    together: &str,
    rows: &[PacketCostRow],
    servers: &[ReferenceSetup],
) -> Result<()> {
    let curve = |(at, server): (usize, &ReferenceSetup)| {
        let of = rows.iter().filter(|row| row.together == together);
        let curve = Curve::new(server.name(), of.map(|row| (row.clients as f64, row.each_us[at])));
        if server.processes == ProcessCount::Two { curve.dashed() } else { curve }
    };
    let plot = Plot {
        title: format!("Processor time for a packet, {together}"),
        x: Axis::linear("clients"),
        y: Axis::linear("microseconds of the server's core"),
        limit: None,
        curves: servers.iter().enumerate().map(curve).collect(),
    };
    lab.setting.draw(&format!("batches_{together}.svg"), &plot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gain_is_the_largest_ratio_of_single_datagrams_to_longest_vectors() {
        let of = |kind, processes| ReferenceSetup { kind, processes };
        let servers = [
            of(FlowTransport::Hybrid, ProcessCount::One),
            of(FlowTransport::Vectors(1), ProcessCount::One),
            of(FlowTransport::Vectors(32), ProcessCount::One),
            of(FlowTransport::Vectors(256), ProcessCount::One),
            of(FlowTransport::Hybrid, ProcessCount::Two),
            of(FlowTransport::Vectors(256), ProcessCount::Two),
        ];
        let row = |clients: usize, each_us: [f64; 6]| PacketCostRow {
            together: "pairs",
            clients,
            each_us: each_us.to_vec(),
            generator_bound: clients == 100,
        };
        // Other vectors and two processes are fastest here, so that the test fails if they count.
        let rows = [row(224, [0.1, 3.0, 0.1, 2.0, 0.1, 0.1]), row(100, [0.1, 6.0, 0.1, 3.0, 0.1, 0.1])];
        let figure = gain(&rows, &servers).expect("two loads");
        assert_eq!((figure.value, figure.generator_bound), (Some(2.0), true));
        let reference = figure.reference.expect("single datagrams");
        assert_eq!((reference.value, reference.version.as_str()), (6.0, "pairs of 100, us a packet"));
        assert_eq!(reference.name, servers[1].name());
        let figure = gain(&rows[..1], &servers).expect("a load");
        assert_eq!((figure.value, figure.generator_bound), (Some(1.5), false));
        let nothing = gain(&[row(10, [1.0, 1.0, 1.0, 0.0, 1.0, 1.0])], &servers).expect("a load");
        assert_eq!(nothing.value, Some(0.0), "longest vectors that took nothing carried nothing");
        assert!(gain(&[], &servers).is_err());
    }
}
