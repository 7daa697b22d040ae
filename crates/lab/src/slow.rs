//! Measures one receiver that stops reading: its cost in memory, its effect on the other receivers, and its recovery.
//! Figures `slow_receiver_…`.

use std::fs;

use anyhow::Result;
use serde::Serialize;
use serde_json::json;

use crate::environment::ExperimentContext;
use crate::limits;
use crate::load::connection::MqttTransport;
use crate::load::ledger::DeliveryLedger;
use crate::load::swarm::{MqttSwarm, SendSchedule};
use crate::machine::resident_kib;
use crate::report::{Figure, Report};
use crate::servers::{IssuedTokenScope, MqttServerKind, Testbed, login};
use crate::statistics::median;

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &["slow_receiver_kib", "slow_receiver_others_p99", "slow_receiver_recovery_ms"];

/// Options of the slow-receiver experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Number of users
    #[arg(long, default_value_t = 100)]
    users: usize,
    /// Seconds for which one user does not read
    #[arg(long, default_value_t = 60)]
    stall_s: u64,
    /// Pairs of runs, one without and one with such a receiver
    #[arg(long, default_value_t = 5)]
    pairs: usize,
}

/// The user that stops reading.
const STALLED: usize = 0;
/// Interval between readings of the server's memory.
const LOOK_US: u64 = 500_000;
/// Maximum time for the receiver to catch up.
const RECOVERY_US_MAX: u64 = 10_000_000;

#[derive(Clone, Copy, Debug, Serialize)]
struct StallOutcome {
    stalled: bool,
    /// Delivery to all users except the stalled one.
    delivery_p99_ms: f64,
    /// Share of the messages due to these users that did not arrive.
    undelivered: f64,
    resident_growth_kib: f64,
    send_buffer_kib: f64,
    /// The largest sum of memory growth and send buffer at one reading.
    growth_kib: f64,
    /// Time from reading again until no known state is older than the limit of staleness.
    recovery_ms: Option<f64>,
    gone: usize,
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let parameters = json!({
        "users": options.users, "stall_s": options.stall_s, "pairs": options.pairs,
        "rate_hz": limits::RATE_HZ, "payload_bytes": limits::PAYLOAD_BYTES,
    });
    let mut report = Report::new("slow", parameters);
    let testbed = Testbed::new(setting.stoa()?)?;
    let mut outcomes: Vec<[StallOutcome; 2]> = Vec::new();
    for pair in 0..options.pairs {
        let mut both = Vec::new();
        // The order alternates, so that a drift of the machine affects both.
        for stalled in [pair % 2 == 1, pair % 2 == 0] {
            let outcome = one(options, &testbed, stalled)?;
            eprintln!("pair {}: {}", pair + 1, serde_json::to_string(&outcome)?);
            both.push(outcome);
        }
        both.sort_by_key(|outcome| outcome.stalled);
        outcomes.push([both[0], both[1]]);
    }
    let fault = fault(&outcomes);
    let mut tell = |name: &str, figure: Figure| report.figure(name, figure.holds_unless(fault.as_deref()));
    let of = |value: fn(&[StallOutcome; 2]) -> f64| median(&outcomes.iter().map(value).collect::<Vec<_>>());
    let growth = outcomes.iter().map(|[_, with]| with.growth_kib).fold(0.0, f64::max);
    tell("slow_receiver_kib", Figure::new(growth, "KiB").held_to("<", 1_024.0, "value"));
    let others = of(|[without, with]| with.delivery_p99_ms / without.delivery_p99_ms);
    tell("slow_receiver_others_p99", Figure::new(others, "times").held_to("<", 1.25, "value"));
    let recoveries: Vec<Option<f64>> = outcomes.iter().map(|[_, with]| with.recovery_ms).collect();
    tell("slow_receiver_recovery_ms", slowest(&recoveries).held_to("<", 1_000.0, "value"));
    report.series("pairs", json!(outcomes));
    Ok(report.finish())
}

/// A fault that makes the figures invalid, since they count only delivered messages of open connections.
fn fault(outcomes: &[[StallOutcome; 2]]) -> Option<String> {
    let all = || outcomes.iter().flatten();
    let gone: usize = all().map(|outcome| outcome.gone).sum();
    let undelivered = all().map(|outcome| outcome.undelivered).fold(0.0, f64::max);
    if outcomes.is_empty() {
        return Some("nothing was run".to_owned());
    }
    if gone > 0 {
        return Some(format!("{gone} connections were ended by the server"));
    }
    (undelivered >= limits::UNDELIVERED_MAX).then(|| format!("the others lost {:.1} %", 100.0 * undelivered))
}

/// The slowest recovery. No value if a receiver did not recover.
fn slowest(recoveries: &[Option<f64>]) -> Figure {
    match recoveries.iter().copied().collect::<Option<Vec<f64>>>() {
        Some(all) if !all.is_empty() => Figure::new(all.into_iter().fold(0.0, f64::max), "ms"),
        Some(_) => Figure::none("no receiver stalled", "ms"),
        None => Figure::none(format!("not back within {} s", RECOVERY_US_MAX / 1_000_000), "ms"),
    }
}

fn one(options: &Options, testbed: &Testbed, stalled: bool) -> Result<StallOutcome> {
    let server = MqttServerKind::Stoa.start(testbed)?;
    let endpoint = server.endpoint(MqttTransport::Tcp)?;
    let mut swarm =
        MqttSwarm::enter(options.users, &endpoint, &login(MqttServerKind::Stoa, testbed, IssuedTokenScope::Scene))?;
    let client_port = swarm.port(STALLED)?;
    swarm.begin();
    let from_us = 2 * limits::WARM_UP.as_micros() as u64;
    let to_us = from_us + options.stall_s * 1_000_000;
    let mut ledger = DeliveryLedger::new((options.users, options.users), (from_us, to_us)).set_apart(STALLED);
    let mut pace = SendSchedule::new(options.users, limits::RATE_HZ);
    swarm.drive(&mut pace, from_us, &mut ledger)?;
    let resident = resident_kib(server.pid())?;
    swarm.set_reading(STALLED, !stalled)?;
    let (mut grown, mut buffered, mut together) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut at_us = from_us;
    while at_us < to_us {
        at_us += LOOK_US;
        swarm.drive(&mut pace, at_us, &mut ledger)?;
        let growth = resident_kib(server.pid())? - resident;
        let buffer = send_buffer_kib(server.port(), client_port);
        (grown, buffered, together) = (grown.max(growth), buffered.max(buffer), together.max(growth + buffer));
    }
    swarm.set_reading(STALLED, true)?;
    let mut recovery_ms = None;
    while recovery_ms.is_none() && at_us < to_us + RECOVERY_US_MAX {
        at_us += 10_000;
        swarm.drive(&mut pace, at_us, &mut ledger)?;
        let age_ms = ledger.oldest_us(STALLED, swarm.now_us()) as f64 / 1_000.0;
        recovery_ms = (age_ms < limits::STALENESS_P99_MS_MAX).then(|| (swarm.now_us() - to_us) as f64 / 1_000.0);
    }
    // The last messages may still arrive.
    swarm.drive(&mut pace, to_us + limits::GRACE.as_micros() as u64, &mut ledger)?;
    Ok(StallOutcome {
        stalled,
        delivery_p99_ms: ledger.delivery().p99_ms,
        undelivered: ledger.undelivered(),
        resident_growth_kib: grown,
        send_buffer_kib: buffered,
        growth_kib: together,
        recovery_ms,
        gone: swarm.gone(),
    })
}

/// The kernel's send queue of a connection at the server's end, in KiB.
fn send_buffer_kib(server_port: u16, client_port: u16) -> f64 {
    let table = fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    let queue = table.lines().find_map(|line| queued(line, server_port, client_port));
    queue.unwrap_or(0) as f64 / 1_024.0
}

/// The queued bytes in a line, if the line is of this connection. Column 2 of the table is the local end and column 3
/// the remote, both `ADDRESS:PORT` in hexadecimal. Column 5 is `TX:RX`.
fn queued(line: &str, local: u16, other: u16) -> Option<u64> {
    let mut fields = line.split_whitespace().skip(1);
    let port = |field: Option<&str>| u16::from_str_radix(field?.rsplit(':').next()?, 16).ok();
    if port(fields.next())? != local || port(fields.next())? != other {
        return None;
    }
    u64::from_str_radix(fields.nth(1)?.split(':').next()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_of_other_receivers_and_ended_connections_are_faults() {
        let one = |undelivered: f64, gone: usize| StallOutcome {
            stalled: false,
            delivery_p99_ms: 5.0,
            undelivered,
            resident_growth_kib: 0.0,
            send_buffer_kib: 0.0,
            growth_kib: 0.0,
            recovery_ms: Some(11.0),
            gone,
        };
        let whole = [one(0.0, 0), one(0.009, 0)];
        assert_eq!(fault(&[whole]), None, "negative control");
        assert_eq!(fault(&[whole, [one(0.0, 0), one(0.01, 0)]]).as_deref(), Some("the others lost 1.0 %"));
        assert_eq!(
            fault(&[whole, [one(0.0, 1), one(0.0, 0)]]).as_deref(),
            Some("1 connections were ended by the server")
        );
        assert!(fault(&[]).is_some());
    }

    #[test]
    fn a_receiver_that_does_not_recover_misses_the_bar() {
        let holds = |recoveries: &[Option<f64>]| slowest(recoveries).held_to("<", 1_000.0, "value").holds;
        assert_eq!(slowest(&[Some(3.0), Some(11.0), Some(2.0)]).value, Some(11.0));
        assert_eq!(holds(&[Some(3.0), Some(11.0)]), Some(true), "negative control");
        assert_eq!(holds(&[Some(3.0), None]), Some(false));
        assert_eq!(holds(&[]), Some(false));
    }

    #[test]
    fn the_send_queue_is_read_from_the_kernels_table() {
        let line = "   1: 0100007F:C350 0100007F:8D04 01 0001F400:00000010 01:00000014 00000000     0        0 31337 2";
        assert_eq!(queued(line, 50_000, 36_100), Some(128_000));
        assert_eq!(queued(line, 36_100, 50_000), None, "that is the other end");
        assert_eq!(queued("  sl  local_address rem_address   st tx_queue rx_queue", 1, 2), None);
    }
}
