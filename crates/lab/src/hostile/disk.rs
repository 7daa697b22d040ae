//! Measures the disk that guests can fill: growth of the database under the attack `store`, its ceiling, and the space
//! that a removal frees.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use serde_json::json;
use stoa_server::store::FILE_NAME;

use super::attack::{self, AttackKind, AttackTotals, AttackerKind};
use super::outside::{HttpsConnection, HttpsRequest, bearer};
use super::stage::{ATTACKED, AttackPlan, RealmUnderAttack};
use super::topology::{self, AttackerAddressLayout};
use crate::report::{Figure, Report};
use crate::servers::start_outside;

/// Time of the attack.
const ATTACK: Duration = Duration::from_secs(60);
/// Growth that guests may cause at once: the burst of all guests.
const BURST_MIB: f64 = 64.0;
/// Time between two readings of the size.
const READING_PERIOD: Duration = Duration::from_millis(500);
/// The ceiling of the run that reaches it: twice the burst.
const CEILING_MIB: u32 = 128;
/// Time for the file to shrink.
const SHRINK: Duration = Duration::from_secs(60);
/// The header of an SQLite file (its format's section 1.3).
const HEADER_BYTES: usize = 100;
const MIB: f64 = 1_048_576.0;

/// The database at one moment of the attack.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct DatabaseSizeReading {
    /// Seconds since the attack began.
    pub(super) at_s: f64,
    /// File and WAL.
    pub(super) mib: f64,
}

/// The results of the disk runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DatabaseSizeOutcome {
    /// Sizes without a ceiling.
    pub(super) growth: Vec<DatabaseSizeReading>,
    /// The file after removal and pruning, divided by its content.
    pub(super) shrink: f64,
    /// Sizes below a ceiling; the error of a binary without one.
    pub(super) capped: Result<Vec<DatabaseSizeReading>, String>,
}

/// Measures growth, shrinking and ceiling of a binary, with guests as attackers.
pub(super) fn measure(stoa: &Path, topology: AttackerAddressLayout) -> Result<DatabaseSizeOutcome> {
    let stage = RealmUnderAttack::set_up(stoa, &[], AttackKind::Store)?;
    let growth = fill(&stage, topology)?;
    let shrink = shrink(stage)?;
    let flags = [format!("--database-mib={CEILING_MIB}")];
    // An older binary does not start with this flag.
    let capped = RealmUnderAttack::set_up(stoa, &flags, AttackKind::Store)
        .and_then(|stage| fill(&stage, topology))
        .map_err(|error| format!("{error:#}"));
    Ok(DatabaseSizeOutcome { growth, shrink, capped })
}

/// Attacks, and reads the size meanwhile.
fn fill(stage: &RealmUnderAttack, topology: AttackerAddressLayout) -> Result<Vec<DatabaseSizeReading>> {
    let plan = AttackPlan { kind: AttackKind::Store, actor: AttackerKind::Guest, topology };
    let clients = stage.hostile_clients(&plan, &Arc::new(AttackTotals::default()))?;
    let (began, mut sizes) = (Instant::now(), Vec::new());
    let folder = stage.testbed.folder.path();
    thread::scope(|scope| {
        let attacking = scope.spawn(|| attack::run(clients, plan.kind, began, began + ATTACK));
        while began.elapsed() < ATTACK {
            sizes.push(DatabaseSizeReading { at_s: began.elapsed().as_secs_f64(), mib: size_mib(folder) });
            sleep(READING_PERIOD);
        }
        attacking.join().map_err(|_| anyhow!("a hostile client panicked"))?
    })?;
    Ok(sizes)
}

/// Removes the attacked scene, restarts the realm with little history, and observes the file for [`SHRINK`]. Returns
/// the least ratio of the file to its content.
fn shrink(stage: RealmUnderAttack) -> Result<f64> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let owner = stage.testbed.folder.owner()?;
    runtime.block_on(async {
        let mut connection = HttpsConnection::open(&stage.outside, topology::READERS).await?;
        let (path, fields) = (format!("/api/v1/scenes/{ATTACKED}"), bearer(&owner));
        let request = HttpsRequest { method: "DELETE", path: &path, fields: &fields, body: "" };
        connection.fetch(&request).await
    })?;
    let RealmUnderAttack { testbed, mut server, .. } = stage;
    server.kill();
    let (_server, _) = start_outside(&testbed, topology::REALM, &["--history-mib=1".to_owned()])?;
    let (began, mut least) = (Instant::now(), f64::INFINITY);
    while began.elapsed() < SHRINK {
        least = least.min(excess(&testbed.folder.path().join(FILE_NAME))?);
        sleep(READING_PERIOD);
    }
    Ok(least)
}

/// The size of the database file and its WAL, in MiB.
pub(super) fn size_mib(folder: &Path) -> f64 {
    let bytes = |suffix: &str| fs::metadata(folder.join(format!("{FILE_NAME}{suffix}"))).map_or(0, |found| found.len());
    (bytes("") + bytes("-wal")) as f64 / MIB
}

/// The size of a database file divided by that of its pages in use.
fn excess(path: &Path) -> Result<f64> {
    let bytes = fs::metadata(path).with_context(|| path.display().to_string())?.len();
    let mut header = [0; HEADER_BYTES];
    std::io::Read::read_exact(&mut fs::File::open(path)?, &mut header)?;
    let content = content_bytes(&header);
    ensure!(content > 0, "{} has no pages", path.display());
    Ok(bytes as f64 / content as f64)
}

/// The bytes of all pages in use: the page size is at 16, the number of pages at 28, and that of free pages at 36.
fn content_bytes(header: &[u8; HEADER_BYTES]) -> u64 {
    let number = |at: usize| {
        let bytes = header.get(at..at + 4).and_then(|bytes| bytes.first_chunk::<4>());
        u64::from(bytes.map_or(0, |bytes| u32::from_be_bytes(*bytes)))
    };
    // A page of 65,536 bytes is written as 1.
    let page_bytes = match number(16) >> 16 {
        1 => 65_536,
        bytes => bytes,
    };
    number(28).saturating_sub(number(36)) * page_bytes
}

/// Growth beyond the burst, in MiB a second over the rest of the attack; 0 if the burst was not used up.
fn growth_after_burst(sizes: &[DatabaseSizeReading]) -> Option<f64> {
    let (first, last) = (sizes.first()?, sizes.last()?);
    let used_up = sizes.iter().find(|size| size.mib - first.mib >= BURST_MIB);
    Some(used_up.map_or(0.0, |from| (last.mib - from.mib).max(0.0) / (last.at_s - from.at_s).max(1.0)))
}

/// Adds the figures to the report.
pub(super) fn tell(report: &mut Report, outcome: &DatabaseSizeOutcome) {
    let growth = growth_after_burst(&outcome.growth).unwrap_or(f64::INFINITY);
    report.figure("hostile_disk_mib_per_s", Figure::new(growth, "MiB/s").held_to("<=", 1.0, "value"));
    report.figure("hostile_disk_shrink", Figure::new(outcome.shrink, "times").held_to("<=", 1.25, "value"));
    let ceiling = match &outcome.capped {
        Ok(sizes) => {
            let largest = sizes.iter().map(|size| size.mib).fold(0.0, f64::max);
            Figure::new(largest / f64::from(CEILING_MIB), "times")
        }
        Err(error) => Figure::none(error.clone(), "times"),
    };
    report.figure("hostile_disk_ceiling", ceiling.held_to("<=", 1.0, "value"));
    report.series("disk", json!(outcome));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(of: &[(f64, f64)]) -> Vec<DatabaseSizeReading> {
        of.iter().map(|&(at_s, mib)| DatabaseSizeReading { at_s, mib }).collect()
    }

    #[test]
    fn growth_counts_from_the_end_of_the_burst() {
        let grown = |of: &[(f64, f64)]| growth_after_burst(&sizes(of));
        assert_eq!(grown(&[(0.0, 10.0), (2.0, 74.0), (12.0, 79.0)]), Some(0.5));
        assert_eq!(grown(&[(0.0, 10.0), (30.0, 73.0), (60.0, 73.9)]), Some(0.0), "the burst has not been used up");
        assert_eq!(grown(&[(0.0, 10.0), (2.0, 90.0), (12.0, 40.0)]), Some(0.0), "it shrank");
        assert_eq!(grown(&[]), None);
    }

    #[test]
    fn the_content_of_a_database_is_its_pages_in_use() {
        let mut header = [0; HEADER_BYTES];
        header[16..18].copy_from_slice(&4_096_u16.to_be_bytes());
        header[28..32].copy_from_slice(&100_u32.to_be_bytes());
        header[36..40].copy_from_slice(&40_u32.to_be_bytes());
        assert_eq!(content_bytes(&header), 60 * 4_096);
        header[16..18].copy_from_slice(&1_u16.to_be_bytes());
        assert_eq!(content_bytes(&header), 60 * 65_536);
    }

    #[test]
    fn a_binary_without_a_ceiling_misses_its_bar() {
        let mut report = Report::new("hostile", json!({}));
        let growth = sizes(&[(0.0, 10.0), (60.0, 70.0)]);
        tell(&mut report, &DatabaseSizeOutcome { growth, shrink: 1.1, capped: Err("it does not start".to_owned()) });
        let figures = serde_json::to_value(report).expect("a report is JSON")["figures"].clone();
        assert_eq!(figures["hostile_disk_ceiling"]["holds"], false);
        assert_eq!(
            (&figures["hostile_disk_mib_per_s"]["holds"], &figures["hostile_disk_shrink"]["holds"]),
            (&json!(true), &json!(true))
        );
    }
}
