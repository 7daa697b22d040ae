//! Measures the paper's tables 1 to 5, 7 and 8, with columns for Stoa except in table 3, and the paper's figures 5 to
//! 8. These compare both phones and both kinds of acknowledgement at the paper's first server.

use anyhow::Result;
use serde_json::{Value, json};

use super::exchange::AckForwardingPolicy;
use super::load::row;
use super::paper::{PaperTableColumn, PaperTables, PhoneModel};
use super::run::{CarRunOutcome, CarRunSettings, ComparedServer};
use super::servers::PaperServerKind;
use super::{CarExperimentContext, CarExperimentPart};
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Report, Table};
use crate::statistics::rounded;

/// Stoa's columns in each table except table 3.
const BESIDE: [ComparedServer; 2] = [ComparedServer::AtOnce, ComparedServer::Ticks];
/// The columns of a server; a table repeats them for the paper's values.
const COLUMNS: [&str; 5] = ["RT ms", "Dev", "CPU %", "SRT ms", "MaxSRT ms"];
/// The only table with all five columns: it has the clients' answering times as the server sees them.
const SERVER_RESPONSES: u32 = 3;

/// Group sizes of figures 5 to 8.
const FIGURE_GROUPS: [(u32, usize); 4] = [(5, 5), (6, 10), (7, 20), (8, 25)];

/// A server's columns: measured, and the paper's if it has them.
struct MeasuredAndPaperColumn<'a> {
    name: String,
    rows: Vec<(usize, Option<CarRunOutcome>)>,
    of_paper: Option<&'a PaperTableColumn>,
}

pub(super) fn measure(report: &mut Report, lab: &CarExperimentContext<'_>) -> Result<()> {
    let paper = PaperTables::read()?;
    if lab.has(CarExperimentPart::Tables) {
        tables(report, lab, &paper)?;
    }
    if lab.has(CarExperimentPart::Figures) {
        figures(report, lab, &paper)?;
    }
    Ok(())
}

fn tables(report: &mut Report, lab: &CarExperimentContext<'_>, paper: &PaperTables) -> Result<()> {
    for &table in &lab.options.tables {
        let columns: Vec<&PaperTableColumn> = paper.columns.iter().filter(|column| column.table == table).collect();
        let Some(first) = columns.first() else { continue };
        let is_timed = table == SERVER_RESPONSES;
        let sheet = PaperTableOrFigure { kind: "Table", number: table, group: first.group, is_timed };
        let all = sheet.measure((lab, paper), &columns, |phone| servers(lab, &columns, phone))?;
        if !all.is_empty() {
            sheet.tell(report, &all);
            report.table(to_table((table, first.group), &all));
            sheet.draw((lab, paper), &all)?;
        }
    }
    Ok(())
}

/// Measures and draws the figures. Dashed curves are from the paper's tables for the same group size, since its figures
/// are pictures without numbers.
fn figures(report: &mut Report, lab: &CarExperimentContext<'_>, paper: &PaperTables) -> Result<()> {
    let threads = [AckForwardingPolicy::Active, AckForwardingPolicy::Passive]
        .map(|acks| ComparedServer::Reference(PaperServerKind::Tcp, acks));
    let servers: Vec<ComparedServer> =
        threads.into_iter().filter(|server| lab.servers().any(|wanted| wanted == *server)).collect();
    for (number, group) in FIGURE_GROUPS {
        let columns: Vec<&PaperTableColumn> = paper.columns.iter().filter(|column| column.group == group).collect();
        let sheet = PaperTableOrFigure { kind: "Figure", number, group, is_timed: false };
        let all = sheet.measure((lab, paper), &columns, |_| servers.clone())?;
        sheet.tell(report, &all);
        sheet.draw((lab, paper), &all)?;
    }
    Ok(())
}

/// One of the paper's tables or figures.
struct PaperTableOrFigure {
    kind: &'static str,
    number: u32,
    /// Members of a group in this table or figure.
    group: usize,
    /// Whether the servers record the clients' answering times.
    is_timed: bool,
}

impl PaperTableOrFigure {
    /// Measures with the cycles of both phones; `columns` are the paper's for the same group size.
    fn measure<'a>(
        &self,
        (lab, paper): (&CarExperimentContext<'_>, &PaperTables),
        columns: &[&'a PaperTableColumn],
        servers: impl Fn(PhoneModel) -> Vec<ComparedServer>,
    ) -> Result<Vec<MeasuredAndPaperColumn<'a>>> {
        let mut all = Vec::new();
        for phone in [PhoneModel::One, PhoneModel::Miles] {
            for server in servers(phone) {
                let PaperTableOrFigure { group, is_timed, .. } = *self;
                let case = CarRunSettings { group, period_us: paper.period_us(phone), is_timed, ..lab.case(server, 0) };
                let rows = rows(lab, &case)?;
                let is_same = |column: &&&PaperTableColumn| column.phone == phone && column.server() == server;
                let of_paper = columns.iter().find(is_same).copied();
                all.push(MeasuredAndPaperColumn { name: format!("{server}, {}", phone.name()), rows, of_paper });
            }
        }
        Ok(all)
    }

    fn tell(&self, report: &mut Report, all: &[MeasuredAndPaperColumn<'_>]) {
        for measured in all {
            let name = format!("{} {} {}", self.kind.to_lowercase(), self.number, measured.name);
            report.series(&name, measured.points());
        }
    }

    fn draw(
        &self,
        (lab, paper): (&CarExperimentContext<'_>, &PaperTables),
        all: &[MeasuredAndPaperColumn<'_>],
    ) -> Result<()> {
        let PaperTableOrFigure { kind, number, group, .. } = self;
        let plot = Plot {
            title: format!("{kind} {number}: groups of {group}"),
            x: Axis::linear("clients"),
            y: Axis::logarithmic("mean response time, ms"),
            limit: Some(paper.limit_ms),
            curves: all.iter().flat_map(MeasuredAndPaperColumn::curves).collect(),
        };
        lab.setting.draw(&format!("{}{number}.svg", kind.to_lowercase()), &plot)
    }
}

/// The servers of a table for a phone: the paper's own, epoll if the paper has several, and Stoa except in table 3.
/// Empty if the paper has no column for the phone.
fn servers(lab: &CarExperimentContext<'_>, columns: &[&PaperTableColumn], phone: PhoneModel) -> Vec<ComparedServer> {
    let mut servers: Vec<ComparedServer> =
        columns.iter().filter(|column| column.phone == phone).map(|column| column.server()).collect();
    match servers.len() {
        0 => return servers,
        1 => {}
        _ => servers.insert(2, ComparedServer::Reference(PaperServerKind::Epoll, AckForwardingPolicy::Passive)),
    }
    if columns[0].table != SERVER_RESPONSES {
        servers.extend(BESIDE);
    }
    let wanted: Vec<ComparedServer> = lab.servers().collect();
    servers.retain(|server| wanted.contains(server));
    servers
}

fn rows(lab: &CarExperimentContext<'_>, case: &CarRunSettings) -> Result<Vec<(usize, Option<CarRunOutcome>)>> {
    let populations = lab.options.populations.iter();
    populations.map(|&clients| Ok((clients, lab.measure(&CarRunSettings { clients, ..*case })?))).collect()
}

impl MeasuredAndPaperColumn<'_> {
    fn points(&self) -> Value {
        let point = |(clients, outcome): &(usize, Option<CarRunOutcome>)| {
            let paper = self.of_paper.and_then(|column| column.at(*clients));
            json!({ "clients": clients, "ours": outcome.as_ref().map(row), "paper": paper })
        };
        self.rows.iter().map(point).collect()
    }

    fn curves(&self) -> Vec<Curve> {
        let ours = self.rows.iter().filter_map(|(clients, outcome)| {
            outcome.as_ref().map(|outcome| (*clients as f64, outcome.response.mean_ms))
        });
        let paper = self.of_paper.map(|column| {
            let points = column.points.iter().map(|point| (point.clients as f64, point.response_ms));
            Curve::new(format!("{}, paper", self.name), points).dashed()
        });
        std::iter::once(Curve::new(self.name.clone(), ours)).chain(paper).collect()
    }

    /// The cells in the row `at`: `width` of ours, and as many of the paper's.
    fn cells(&self, at: usize, width: usize) -> Vec<Value> {
        let (clients, outcome) = &self.rows[at];
        let ours = outcome.as_ref().map(|outcome| {
            let seen = outcome.server_response;
            [
                Some(outcome.response.mean_ms),
                Some(outcome.response.deviation_ms),
                Some(100.0 * outcome.server_load),
                seen.map(|seen| seen.mean_ms),
                seen.map(|seen| seen.longest_ms),
            ]
        });
        let paper = self.of_paper.map(|column| {
            let point = column.at(*clients)?;
            let [mean, deviation, load] = [point.response_ms, point.deviation_ms, point.cpu_percent].map(Some);
            Some([mean, deviation, load, point.server_response_ms, point.server_response_longest_ms])
        });
        let to_cells = |values: Option<[Option<f64>; COLUMNS.len()]>| {
            let values = values.unwrap_or_default();
            values.into_iter().take(width).map(move |value| value.map_or(Value::Null, |value| json!(rounded(value))))
        };
        std::iter::once(ours).chain(paper).flat_map(to_cells).collect()
    }
}

fn to_table((table, group): (u32, usize), all: &[MeasuredAndPaperColumn<'_>]) -> Table {
    let width = if table == SERVER_RESPONSES { COLUMNS.len() } else { 3 };
    let mut columns = vec!["clients".to_owned()];
    for measured in all {
        let kinds = || COLUMNS.into_iter().take(width);
        columns.extend(kinds().map(|column| format!("{}: {column}", measured.name)));
        if measured.of_paper.is_some() {
            columns.extend(kinds().map(|column| format!("paper: {column}")));
        }
    }
    let count = all.iter().map(|measured| measured.rows.len()).max().unwrap_or(0);
    let row = |at: usize| {
        let clients = all.first().map(|measured| json!(measured.rows[at].0));
        clients.into_iter().chain(all.iter().flat_map(|measured| measured.cells(at, width))).collect()
    };
    Table { title: format!("Table {table}, groups of {group}"), columns, rows: (0..count).map(row).collect() }
}
