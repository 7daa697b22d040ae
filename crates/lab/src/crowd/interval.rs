//! Measures an interval of a crowd's run: its counts, and the load of both cores.

use std::thread::scope;
use std::time::Instant;

use anyhow::Result;

use super::connections::{CrowdConnections, GeneratorDatagramCounts, overflowed_at};
use super::{Crowd, CrowdFrameCounts};
use crate::limits;
use crate::machine::{process_time, thread_time};
use crate::servers::motion::{MotionServerUnderTest, ServerDropCounts};

/// The results of a measured interval.
pub(crate) struct IntervalMeasurements {
    pub(crate) wall_s: f64,
    pub(crate) came: CrowdFrameCounts,
    pub(crate) line: GeneratorDatagramCounts,
    /// Datagrams that overflowed the server's sockets.
    pub(crate) server_overflowed: u64,
    /// Shares of one core.
    pub(crate) generator_load: f64,
    pub(crate) server_load: f64,
    /// The server's drops since its start, requested when the interval began.
    before: ServerDropCounts,
}

impl IntervalMeasurements {
    /// Measures for as long as `drive` runs.
    pub(crate) fn drive<L: CrowdConnections>(
        crowd: &mut Crowd<L>,
        server: &MotionServerUnderTest<'_>,
        drive: impl FnOnce(&mut Crowd<L>) -> Result<()>,
    ) -> Result<IntervalMeasurements> {
        let began = Instant::now();
        let (generator, in_server) = (thread_time(), process_time(server.pid()));
        let (came, line, overflowed) = (crowd.came(), crowd.counts(), overflowed_at(server.ports()));
        // The request takes time, in which the crowd continues.
        let before = scope(|scope| {
            let asked = scope.spawn(|| server.drops());
            drive(crowd)?;
            asked.join().expect("asking does not panic")
        })?;
        let wall_s = began.elapsed().as_secs_f64();
        Ok(IntervalMeasurements {
            wall_s,
            generator_load: (thread_time() - generator).as_secs_f64() / wall_s,
            server_load: process_time(server.pid()).saturating_sub(in_server).as_secs_f64() / wall_s,
            came: crowd.came().since(&came),
            line: crowd.counts().since(&line),
            server_overflowed: overflowed_at(server.ports()) - overflowed,
            before,
        })
    }

    /// The server's drops since the interval began. The server updates its counters once a second, so the crowd first
    /// continues for two seconds, whose drops count too.
    pub(crate) fn drops<L: CrowdConnections>(
        &self,
        crowd: &mut Crowd<L>,
        server: &MotionServerUnderTest<'_>,
    ) -> Result<ServerDropCounts> {
        crowd.drive(crowd.now_us() + 2 * limits::GRACE.as_micros() as u64)?;
        Ok(server.drops()?.since(&self.before))
    }
}
