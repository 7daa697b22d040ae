//! Measures a scene's delay while its snapshots are fetched. Figure `snapshot_block_ms` is the 99.9th percentile of the
//! processor time for which a snapshot of a large scene blocks the realm's task, as reported by the server. With fewer
//! than 1,000 snapshots in the last minute it is the longest.
//!
//! `snapshot_delivery_p999_ms` is the effect on a person: the 99.9th percentile of the time from sending a message
//! to its arrival at the sender. It includes the network, the scheduler and the transfer's share of the core.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::environment::ExperimentContext;
use crate::http;
use crate::limits;
use crate::load::connection::{MqttConnection, MqttTransport};
use crate::load::packet;
use crate::load::person::{PersonIdentifiers, SCENE, camera, read_mark};
use crate::machine;
use crate::report::{Figure, Report};
use crate::servers::{IssuedTokenScope, MqttServerKind, RunningServer, Testbed};
use crate::statistics::nearest_rank;

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &["snapshot_block_ms", "snapshot_delivery_p999_ms"];

/// Options of the snapshot experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Objects in the scene
    #[arg(long, default_value_t = 100_000)]
    objects: usize,
    /// Seconds of each run, with and without snapshots
    #[arg(long, default_value_t = 30)]
    run_s: u64,
}

/// Messages of the timed person: enough for a 99.9th percentile within seconds, too few to queue.
const PROBES_PER_S: f64 = 400.0;
/// Rate at which the objects are created: below a client's rate limit.
const OBJECTS_PER_S: f64 = 8_000.0;

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let parameters = json!({ "objects": options.objects, "run_s": options.run_s, "probes_per_s": PROBES_PER_S });
    let mut report = Report::new("snapshot", parameters);
    let testbed = Testbed::new(setting.stoa()?)?;
    let server = MqttServerKind::Stoa.start(&testbed)?;
    build(&server, &testbed, options.objects)?;
    let alone = probe(&server, &testbed, options.run_s)?;
    let fetching = SnapshotFetcher::begin(&server, &testbed, options.objects)?;
    let beside = probe(&server, &testbed, options.run_s)?;
    let fetched = fetching.end()?;
    eprintln!("alone {alone:?} ms, beside {fetched} snapshots {beside:?} ms");
    ensure!(fetched > 0, "no snapshot was whole in time");
    let held = block_times(&server)?;
    ensure!(held.count >= fetched, "of {fetched} snapshots the server counted {}", held.count);
    report.series("delivery_p999_ms", json!({ "alone": alone, "beside_snapshots": beside, "snapshots": fetched }));
    report.series("own_time_ms", json!({ "p999": held.p999_ms, "largest": held.largest_ms, "snapshots": held.count }));
    // Fewer snapshots have no 99.9th percentile, so the longest counts.
    let block_ms = if held.count < 1_000 { held.largest_ms } else { held.p999_ms };
    report.figure("snapshot_block_ms", Figure::new(block_ms, "ms").held_to("<", 10.0, "value"));
    let beside = beside.map_or_else(
        || Figure::none("more than one message in a thousand is missing", "ms"),
        |beside| Figure::new(beside, "ms"),
    );
    report.figure("snapshot_delivery_p999_ms", beside);
    Ok(report.finish())
}

/// The server's metric over the last minute.
struct SnapshotBlockTimeSummary {
    p999_ms: f64,
    largest_ms: f64,
    count: usize,
}

fn block_times(server: &RunningServer) -> Result<SnapshotBlockTimeSummary> {
    let page = String::from_utf8(http::get(server.admin()?, "/metrics", None)?)?;
    let value = |name: &str| {
        let line = page.lines().find_map(|line| line.strip_prefix(METRIC)?.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|value| value.parse::<f64>().ok()).with_context(|| format!("no {METRIC}{name} in /metrics"))
    };
    Ok(SnapshotBlockTimeSummary {
        p999_ms: value("{quantile=\"0.999\"}")? * 1_000.0,
        largest_ms: value("{quantile=\"1\"}")? * 1_000.0,
        count: value("_count")? as usize,
    })
}

const METRIC: &str = "stoa_realm_snapshot_seconds";

fn enter(server: &RunningServer, testbed: &Testbed, index: usize) -> Result<(PersonIdentifiers, MqttConnection)> {
    let name = PersonIdentifiers::of(index);
    let token = testbed.folder.token(&name, IssuedTokenScope::Scene)?;
    let mut hello = vec![packet::connect(&name.user_client, Some((&name.account, &token)))];
    if index == PROBE {
        hello.push(packet::subscribe(1, &[name.camera_topic()], 0));
    }
    let connection = MqttConnection::enter(&server.endpoint(MqttTransport::Tcp)?, &hello)?;
    Ok((name, connection))
}

/// The client that creates the objects, and the client that is timed.
const BUILDER: usize = 1;
const PROBE: usize = 0;

fn build(server: &RunningServer, testbed: &Testbed, objects: usize) -> Result<()> {
    let (name, mut connection) = enter(server, testbed, BUILDER)?;
    let began = Instant::now();
    let mut made = 0;
    while made < objects {
        let due = ((began.elapsed().as_secs_f64() * OBJECTS_PER_S) as usize).min(objects);
        while made < due {
            let id = format!("piece-{made}");
            let payload = format!(
                "{{\"object_id\":\"{id}\",\"action\":\"create\",\"type\":\"object\",\"persist\":false,\"data\":{{\
                 \"object_type\":\"box\",\"position\":{{\"x\":{made},\"y\":1.6,\"z\":-2}},\"material\":{{\"color\":\"#336699\"}}}}}}"
            );
            let topic = format!("realm/s/{SCENE}/o/{}/{id}", name.user_client);
            connection.send(&packet::publish(&topic, payload.as_bytes(), None))?;
            made += 1;
        }
        sleep(Duration::from_millis(2));
        connection.flush()?;
    }
    sleep(limits::GRACE);
    Ok(())
}

/// The 99.9th percentile of delivery, in milliseconds; `None` if more than one message in a thousand is missing.
fn probe(server: &RunningServer, testbed: &Testbed, run_s: u64) -> Result<Option<f64>> {
    let (name, mut connection) = enter(server, testbed, PROBE)?;
    let (began, mut payload, mut scratch) = (Instant::now(), String::new(), vec![0; limits::READ_BYTES]);
    let (mut sent, mut times_us) = (0_u64, Vec::new());
    let lasts = Duration::from_secs(run_s);
    while began.elapsed() < lasts + limits::GRACE {
        let due_us = (sent as f64 * 1e6 / PROBES_PER_S) as u64;
        let now_us = began.elapsed().as_micros() as u64;
        if due_us <= now_us && began.elapsed() < lasts {
            camera(&name, PROBE, now_us, &mut payload);
            connection.send(&packet::publish(&name.camera_topic(), payload.as_bytes(), None))?;
            sent += 1;
        }
        let open = connection.receive(&mut scratch, |packet| {
            if let Some((_, sent_us)) = read_mark(packet) {
                times_us.push(began.elapsed().as_micros() as u64 - sent_us);
            }
        })?;
        ensure!(open, "the server ended the probe");
        sleep(Duration::from_micros(100));
    }
    Ok(p999_ms(times_us, sent))
}

/// The percentile over all sent messages. A missing message counts as later than all.
fn p999_ms(mut times_us: Vec<u64>, sent: u64) -> Option<f64> {
    times_us.sort_unstable();
    times_us.get(nearest_rank(sent as usize, 0.999)).map(|time| *time as f64 / 1_000.0)
}

/// A thread that fetches snapshots in sequence.
struct SnapshotFetcher {
    ending: Arc<AtomicBool>,
    fetched: Arc<AtomicUsize>,
    thread: JoinHandle<Result<()>>,
}

impl SnapshotFetcher {
    fn begin(server: &RunningServer, testbed: &Testbed, objects: usize) -> Result<SnapshotFetcher> {
        let (address, token) =
            (server.http()?, testbed.folder.token(&PersonIdentifiers::of(BUILDER), IssuedTokenScope::Scene)?);
        let (ending, fetched) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let (asked, counted) = (Arc::clone(&ending), Arc::clone(&fetched));
        let thread = spawn(move || {
            machine::pin(limits::GENERATOR_CPU)?;
            while !asked.load(Ordering::Relaxed) {
                let body = http::get(address, &format!("/api/v1/scenes/{SCENE}/snapshot"), Some(&token))?;
                // Only the size is checked: parsing would take the generator's core.
                ensure!(body.len() > objects * 100, "the snapshot has {} bytes only", body.len());
                counted.fetch_add(1, Ordering::Relaxed);
                sleep(PAUSE);
            }
            Ok(())
        });
        Ok(SnapshotFetcher { ending, fetched, thread })
    }

    fn end(self) -> Result<usize> {
        self.ending.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| anyhow::anyhow!("the thread that fetches panicked"))??;
        Ok(self.fetched.load(Ordering::Relaxed))
    }
}

/// Pause between two snapshots, since the server limits how often an address may read whole scenes.
const PAUSE: Duration = Duration::from_millis(500);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_messages_count_as_the_latest_in_the_percentile() {
        let times = |count: u64| (1..=count).map(|number| number * 1_000).collect::<Vec<_>>();
        assert_eq!(p999_ms(times(1_000), 1_000), Some(999.0));
        assert_eq!(p999_ms(times(999), 1_000), Some(999.0), "one in a thousand may be lost");
        assert_eq!(p999_ms(times(998), 1_000), None);
        assert_eq!(p999_ms(Vec::new(), 0), None, "nothing was sent");
    }
}
