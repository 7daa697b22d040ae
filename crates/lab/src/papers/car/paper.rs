//! Reads the tables of paper 002.

use anyhow::Result;
use serde::Deserialize;

use super::Options;
use super::exchange::AckForwardingPolicy;
use super::run::ComparedServer;
use super::servers::PaperServerKind;
use crate::papers::numbers;

/// The content of `experiments/car/paper.json`.
#[derive(Debug, Deserialize)]
pub(crate) struct PaperTables {
    /// The bound for feeling together. Source: the paper's reference 28.
    pub(crate) limit_ms: f64,
    pub(crate) periods_ms: PhoneCyclePeriods,
    pub(crate) columns: Vec<PaperTableColumn>,
}

/// Action cycles of the phones, in milliseconds.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct PhoneCyclePeriods {
    one: f64,
    miles: f64,
}

/// A phone that the paper measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, Deserialize)]
pub(crate) enum PhoneModel {
    /// HTC Nexus One, the quickest.
    One,
    /// Motorola Milestone, the slowest.
    Miles,
}

/// One server's column of a table.
#[derive(Debug, Deserialize)]
pub(crate) struct PaperTableColumn {
    pub(crate) table: u32,
    pub(crate) server: PaperServerKind,
    pub(crate) acks: AckForwardingPolicy,
    pub(crate) phone: PhoneModel,
    /// Members of a group.
    pub(crate) group: usize,
    pub(crate) points: Vec<PaperTableRow>,
}

/// One row of a server's column.
#[derive(Clone, Copy, Debug, serde::Serialize, Deserialize)]
pub(crate) struct PaperTableRow {
    pub(crate) clients: usize,
    pub(crate) response_ms: f64,
    pub(crate) deviation_ms: f64,
    pub(crate) cpu_percent: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dropped_percent: Option<f64>,
    /// Mean answering time of the clients as the server sees it; in Table 3 only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) server_response_ms: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) server_response_longest_ms: Option<f64>,
}

impl PaperTables {
    pub(crate) fn read() -> Result<PaperTables> {
        numbers::whole("car")
    }

    /// The value of Table 8 for a server, if the table has one for the options' number of clients, group size and
    /// period.
    pub(super) fn mean_ms(&self, server: ComparedServer, options: &Options) -> Option<f64> {
        let is_same = |column: &&PaperTableColumn| {
            column.table == 8
                && column.phone == PhoneModel::One
                && column.server() == server
                && (column.group, self.periods_ms.one) == (options.group, options.period_ms)
        };
        Some(self.columns.iter().find(is_same)?.at(options.clients)?.response_ms)
    }

    pub(crate) fn period_us(&self, phone: PhoneModel) -> u64 {
        let PhoneCyclePeriods { one, miles } = self.periods_ms;
        (if phone == PhoneModel::One { one } else { miles } * 1_000.0).round() as u64
    }
}

impl PhoneModel {
    pub(crate) fn name(self) -> &'static str {
        match self {
            PhoneModel::One => "Nexus One",
            PhoneModel::Miles => "Milestone",
        }
    }
}

impl PaperTableColumn {
    pub(crate) fn server(&self) -> ComparedServer {
        ComparedServer::Reference(self.server, self.acks)
    }

    pub(crate) fn at(&self, clients: usize) -> Option<&PaperTableRow> {
        self.points.iter().find(|point| point.clients == clients)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_tables_are_complete() {
        let paper = PaperTables::read().expect("they are JSON");
        let tables: Vec<u32> = paper.columns.iter().map(|column| column.table).collect();
        assert_eq!(tables, [1, 1, 2, 2, 3, 4, 4, 5, 5, 7, 7, 7, 8, 8, 8]);
        for column in &paper.columns {
            let populations: Vec<usize> = column.points.iter().map(|point| point.clients).collect();
            assert_eq!(populations, (100..=1_000).step_by(100).collect::<Vec<_>>(), "table {}", column.table);
        }
        // Values in the paper's text.
        let at = |table: u32, server: PaperServerKind, clients: usize| {
            let column = paper.columns.iter().find(|column| column.table == table && column.server == server);
            column.and_then(|column| column.at(clients)).expect("it is there").response_ms
        };
        assert_eq!((at(8, PaperServerKind::Tcp, 400), at(8, PaperServerKind::Select, 500)), (250.5, 268.2));
        assert_eq!((at(8, PaperServerKind::Udp, 1_000), at(1, PaperServerKind::Tcp, 1_000)), (122.4, 255.67));
        assert_eq!((paper.period_us(PhoneModel::One), paper.period_us(PhoneModel::Miles)), (167_110, 698_340));
    }
}
