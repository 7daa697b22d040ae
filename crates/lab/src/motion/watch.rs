//! One run: a crowd that is in, watched for some seconds.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::crowd::book::Rates;
use crate::crowd::lines::{LineCounts, Lines, overflowed_at};
use crate::crowd::{Cast, Crowd};
use crate::limits;
use crate::load::ledger::Percentiles;
use crate::machine::{process_time, resident_kib, thread_time};
use crate::servers::motion::MotionServer;

/// What one step found.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Outcome {
    pub(super) people: usize,
    pub(super) rates: Rates,
    pub(super) staleness: Percentiles,
    pub(super) delivery: Percentiles,
    pub(super) datagrams_per_s: f64,
    pub(super) bytes_per_receiver_s: f64,
    /// Of what was sent, frames that did not come.
    pub(super) frames_lost: u64,
    /// What the socket of the server had no room for.
    pub(super) server_overflowed: u64,
    /// What else it says that it dropped, and why.
    pub(super) server_dropped: BTreeMap<String, u64>,
    pub(super) line: LineCounts,
    /// Frames that the generator could not read.
    pub(super) malformed: u64,
    /// Poses that the server left out for receivers' budgets.
    pub(super) thinned: u64,
    /// Shares of one core.
    pub(super) generator_load: f64,
    pub(super) server_load: f64,
    pub(super) server_rss_kib: f64,
    /// Pairs that there should be.
    pub(super) pairs: usize,
}

impl Outcome {
    pub(super) fn holds(&self) -> bool {
        self.rates.below == 0
            && self.rates.pairs == self.pairs
            && self.staleness.p99_ms < limits::MOTION_STALENESS_P99_MS_MAX
            && self.delivery.p99_ms < limits::MOTION_DELIVERY_P99_MS_MAX
            && self.is_unhurt()
    }

    /// Whether everybody had all that was to be had, and enough of it.
    pub(super) fn is_whole(&self) -> bool {
        self.rates.pairs > 0 && self.rates.below == 0 && self.thinned == 0 && self.is_unhurt()
    }

    /// Whether nothing that was sent was lost.
    fn is_unhurt(&self) -> bool {
        self.frames_lost == 0
            && self.server_overflowed == 0
            && self.server_dropped.is_empty()
            && self.line.unsent == 0
            && self.line.closed == 0
            && self.malformed == 0
    }

    pub(super) fn is_generator_bound(&self) -> bool {
        self.generator_load > limits::GENERATOR_LOAD_MAX || self.line.overflowed > 0
    }
}

/// What is watched.
pub(super) struct Watch {
    pub(super) cast: Cast,
    pub(super) measured_s: u64,
}

/// Watches a crowd that is in.
pub(super) fn watch<L: Lines>(crowd: &mut Crowd<L>, server: &MotionServer<'_>, watch: &Watch) -> Result<Outcome> {
    let &Watch { cast, measured_s } = watch;
    let from_us = crowd.now_us() + limits::WARM_UP.as_micros() as u64;
    let to_us = from_us + measured_s * 1_000_000;
    crowd.open_book((from_us, to_us));
    crowd.drive(from_us)?;
    let (dropped, thinned) = server.dropped()?;
    let (generator, in_server) = (thread_time(), process_time(server.pid()));
    let (came, line, overflowed) = (crowd.came(), crowd.counts(), overflowed_at(server.ports()));
    crowd.drive(to_us)?;
    let wall = measured_s as f64;
    let generator_load = (thread_time() - generator).as_secs_f64() / wall;
    let server_load = process_time(server.pid()).saturating_sub(in_server).as_secs_f64() / wall;
    let (came_since, line_since) = (crowd.came().since(&came), crowd.counts().since(&line));
    let server_rss_kib = resident_kib(server.pid());
    let book = crowd.close_book().context("it was opened")?;
    let server_overflowed = overflowed_at(server.ports()) - overflowed;
    // The server counts anew once a second.
    crowd.drive(crowd.now_us() + 2 * limits::GRACE.as_micros() as u64)?;
    let (dropped_then, thinned_then) = server.dropped()?;
    let server_dropped = since(&dropped_then, &dropped);
    Ok(Outcome {
        people: cast.people,
        rates: book.rates(limits::MOTION_POSES_PER_S_MIN),
        staleness: book.staleness(),
        delivery: book.delivery(),
        datagrams_per_s: line_since.opened as f64 / wall,
        bytes_per_receiver_s: line_since.bytes as f64 / wall / cast.people as f64,
        frames_lost: came_since.sent.saturating_sub(came_since.frames),
        server_overflowed,
        server_dropped,
        line: line_since,
        malformed: crowd.malformed(),
        thinned: thinned_then - thinned,
        generator_load,
        server_load,
        server_rss_kib,
        pairs: cast.decoders * cast.people * cast.objects,
    })
}

/// Those that have grown, and by how much.
fn since(now: &BTreeMap<String, u64>, before: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let grown = now.iter().map(|(why, count)| (why.clone(), count - before.get(why).copied().unwrap_or(0)));
    grown.filter(|(_, count)| *count > 0).collect()
}
