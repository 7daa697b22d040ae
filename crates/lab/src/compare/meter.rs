//! Measures the processor time of the server and the generator over the measured part of a run.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::limits;
use crate::machine::{StolenCpuTimeReading, process_time, resident_kib, thread_time};

/// One run of one binary.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct MeasuredRun {
    /// Processor time of the server for each unit of the load, nanoseconds.
    pub(super) cost_ns: f64,
    /// Units of the load in the measured time.
    pub(super) units: f64,
    /// The share of due messages that did not arrive in time to count.
    pub(super) missing: f64,
    /// Shares of one core.
    pub(super) server_load: f64,
    pub(super) generator_load: f64,
    /// The share of all cores' time that the hypervisor took away.
    pub(super) stolen: f64,
    pub(super) resident_kib: f64,
}

impl MeasuredRun {
    /// A run without faults.
    #[cfg(test)]
    pub(super) fn of_cost(cost_ns: f64) -> MeasuredRun {
        MeasuredRun {
            cost_ns,
            units: 1.0,
            missing: 0.0,
            server_load: 0.2,
            generator_load: 0.2,
            stolen: 0.0,
            resident_kib: 1.0,
        }
    }

    pub(super) fn is_generator_bound(&self) -> bool {
        self.generator_load > limits::GENERATOR_LOAD_MAX
    }
}

/// Measures from start to stop. The calling thread counts as the generator.
pub(super) struct CpuTimeMeter {
    server: u32,
    began: Instant,
    server_time: Duration,
    generator_time: Duration,
    cores: StolenCpuTimeReading,
}

/// A [`CpuTimeMeter`]'s measurements.
pub(super) struct MeterReading {
    pub(super) wall_s: f64,
    server_s: f64,
    generator_s: f64,
    stolen: f64,
    resident_kib: f64,
}

impl CpuTimeMeter {
    pub(super) fn start(server: u32) -> CpuTimeMeter {
        let (server_time, generator_time) = (process_time(server), thread_time());
        CpuTimeMeter { server, began: Instant::now(), server_time, generator_time, cores: StolenCpuTimeReading::now() }
    }

    /// # Errors
    /// The server has exited: its processor time would look like zero.
    pub(super) fn stop(self) -> Result<MeterReading> {
        let CpuTimeMeter { server, began, server_time, generator_time, cores } = self;
        let (server_now, generator_now, wall_s) = (process_time(server), thread_time(), began.elapsed().as_secs_f64());
        let resident_kib = resident_kib(server)?;
        Ok(MeterReading {
            wall_s,
            server_s: server_now.saturating_sub(server_time).as_secs_f64(),
            generator_s: (generator_now - generator_time).as_secs_f64(),
            stolen: cores.stolen_percent() / 100.0,
            resident_kib,
        })
    }
}

impl MeterReading {
    /// The processor time for each of the `units` of load that the server completed, in nanoseconds, and the loads of
    /// both cores. `missing` is the part of the load that it did not complete.
    ///
    /// # Errors
    /// The server did nothing.
    pub(super) fn on(self, units: f64, missing: f64) -> Result<MeasuredRun> {
        let MeterReading { wall_s, server_s, generator_s, stolen, resident_kib } = self;
        ensure!(units > 0.0 && server_s > 0.0, "{units} units of the load in {server_s} s of processor time");
        Ok(MeasuredRun {
            cost_ns: server_s * 1e9 / units,
            units,
            missing,
            server_load: server_s / wall_s,
            generator_load: generator_s / wall_s,
            stolen,
            resident_kib,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_cost_is_processor_time_per_operation() {
        let meter = CpuTimeMeter::start(std::process::id());
        while meter.began.elapsed() < Duration::from_millis(30) {}
        let spent = meter.stop().expect("this process runs");
        let (server_s, wall_s) = (spent.server_s, spent.wall_s);
        assert!(server_s > 0.0 && wall_s >= 0.03, "{server_s} {wall_s}");
        let run = spent.on(1_000.0, 0.0).expect("it did something");
        assert!(
            (run.cost_ns - server_s * 1e6).abs() < 1e-3 && (run.server_load - server_s / wall_s).abs() < 1e-9,
            "{run:?}"
        );
        assert!(CpuTimeMeter::start(std::process::id()).stop().expect("this process runs").on(0.0, 0.0).is_err());
    }

    #[test]
    fn measuring_a_server_that_ended_is_an_error() {
        let mut server = Command::new("sleep").arg("1000").spawn().expect("it starts");
        let meter = CpuTimeMeter::start(server.id());
        server.kill().expect("it runs");
        server.wait().expect("it ends");
        assert!(meter.stop().is_err());
    }
}
