//! People in a room of LiveKit, in one process on the generator's core: its own client library, in Python.

use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::delivery::DeliveryCostOutcome;
use crate::child::{ChildProgram, bound};
use crate::limits;
use crate::machine::process_time;
use crate::search::LoadNotCarried;
use crate::servers::livekit::{KEY, LivekitServer};

/// Packets of a speaker a second, each of 20 ms.
const PACKETS_PER_S: f64 = 50.0;
/// Opus of a speaker in bits a second: its packets have about [`limits::VOICE_UNIT_BYTES`].
const BITS_PER_S: u32 = 32_000;

/// The program of LiveKit's clients.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct LivekitClients {
    /// Python with LiveKit's client library
    #[arg(long, value_name = "PROGRAM", env = "LIVEKIT_PYTHON")]
    livekit_python: Option<String>,
    /// Script of LiveKit's clients
    #[arg(long, value_name = "FILE", default_value = "experiments/voice/livekit_people.py")]
    livekit_people: PathBuf,
}

impl LivekitClients {
    fn python(&self) -> Result<&str> {
        self.livekit_python.as_deref().context("LIVEKIT_PYTHON is not set: see `make lab`")
    }

    /// The version of the client library, or the reason why it cannot run.
    pub(super) fn version(&self) -> Result<String> {
        let program = self.python()?;
        ensure!(
            self.livekit_people.exists(),
            "{} is not there: this runs in a checkout",
            self.livekit_people.display()
        );
        let ask = "import livekit.rtc, importlib.metadata as known; print(known.version('livekit'))";
        let output =
            Command::new(program).args(["-c", ask]).output().with_context(|| format!("cannot run {program}"))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{program}: {}", errors.lines().last().unwrap_or("it failed"));
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// A fresh server, and people who have entered.
pub(super) struct LivekitHall {
    /// Dropped first, so that the people leave and not the server.
    people: ChildProgram,
    server: LivekitServer,
    shape: (usize, usize),
}

/// The packets that all listeners have received so far.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
struct ReceivedPacketCounts {
    /// Pairs of a listener and a speaker.
    tracks: usize,
    packets: u64,
    lost: i64,
    /// Bytes of payloads.
    bytes: u64,
}

impl LivekitHall {
    /// Starts a server, and lets speakers and listeners enter.
    pub(super) fn enter(clients: &LivekitClients, shape: (usize, usize)) -> Result<LivekitHall> {
        let server = LivekitServer::start()?;
        let (speakers, listeners) = shape;
        let mut command = bound(clients.python()?);
        command.arg(&clients.livekit_people).arg(format!("ws://{}", server.address)).args([KEY.0, KEY.1]);
        command.args([speakers.to_string(), listeners.to_string(), BITS_PER_S.to_string()]);
        let mut people = ChildProgram::heard(&mut command)?;
        while people.line().map_err(|error| LoadNotCarried(format!("LiveKit's clients: {error:#}")))? != "ready" {}
        Ok(LivekitHall { people, server, shape })
    }

    /// Measures for some seconds.
    pub(super) fn measure(&mut self, seconds: u64) -> Result<DeliveryCostOutcome> {
        sleep(limits::WARM_UP);
        // All is read after the listeners' answers, so that packets and times are those of the same interval.
        let (before, began) = (self.counts()?, Instant::now());
        let (generator, in_server) = self.times();
        sleep(Duration::from_secs(seconds));
        let (after, wall_s) = (self.counts()?, began.elapsed().as_secs_f64());
        let (generator_then, in_server_then) = self.times();
        let (speakers, listeners) = self.shape;
        ensure!(after.tracks == speakers * listeners, "{} voices at {listeners} listeners", after.tracks);
        ensure!(after.lost == before.lost, "{} packets were lost", after.lost - before.lost);
        let deliveries = after.packets - before.packets;
        let server_s = in_server_then.saturating_sub(in_server).as_secs_f64();
        Ok(DeliveryCostOutcome {
            listeners,
            deliveries,
            share: deliveries as f64 / (speakers as f64 * PACKETS_PER_S * wall_s * listeners as f64),
            payload_bytes: (after.bytes - before.bytes) as f64 / deliveries.max(1) as f64,
            generator_load: generator_then.saturating_sub(generator).as_secs_f64() / wall_s,
            server_load: server_s / wall_s,
            us_per_delivery: server_s * 1e6 / deliveries.max(1) as f64,
        })
    }

    /// Processor time of the people and of the server.
    fn times(&self) -> (Duration, Duration) {
        (process_time(self.people.pid()), process_time(self.server.pid()))
    }

    fn counts(&mut self) -> Result<ReceivedPacketCounts> {
        self.people.say("count")?;
        Ok(serde_json::from_str(&self.people.line()?)?)
    }
}
