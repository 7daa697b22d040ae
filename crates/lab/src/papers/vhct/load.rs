//! Generates the flows of section IV, and measures their latency. A packet holds its due time, not its sending time
//! (open loop). A late generator or server therefore shows as latency, and no slow packet hides its successors.
//!
//! The paper gives only bytes a second, and 60 frames of video. A packet must hold at least its session and time
//! ([`packet::HEAD_BYTES`]), so voice cannot be fifty packets of two bytes. Its 100 B/s are a codec of 800 bits a
//! second, whose frames of 25 to 40 ms are sent together each 100 ms, 10 B each time. Location is sent twice a
//! second: three coordinates and a heading, 16 B. The total is 1,932 B/s in 72 packets, which the paper calls
//! "about 2,000".

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::clients::{TcpClients, UdpClients};
use super::packet::{self, FlowHeader};
use super::server::{FlowServer, FlowTransport, ReferenceSetup};
use crate::crowd::calendar::SendTurnSchedule;
use crate::crowd::connections::{CrowdConnections, SAID_TOGETHER, listen};
use crate::limits;
use crate::load::ledger::Percentiles;
use crate::machine::thread_time;

/// Bin width of latencies, up to ten seconds.
const STEP_US: u64 = 10;
const STEPS: usize = 1_000_000;

/// Rates and sizes of each client's flows.
#[derive(Clone, Debug, Serialize, clap::Args)]
pub(super) struct FlowOptions {
    /// Video frames a second
    #[arg(long, default_value_t = 60)]
    video_hz: u64,
    /// Bytes of a video frame
    #[arg(long, default_value_t = 30)]
    video_bytes: usize,
    /// Voice packets a second
    #[arg(long, default_value_t = 10)]
    voice_hz: u64,
    /// Bytes of a voice packet
    #[arg(long, default_value_t = 10)]
    voice_bytes: usize,
    /// Locations a second
    #[arg(long, default_value_t = 2)]
    location_hz: u64,
    /// Bytes of a location
    #[arg(long, default_value_t = 16)]
    location_bytes: usize,
}

impl FlowOptions {
    /// Rate and packet size of each flow.
    fn all(&self) -> [(u64, usize); 3] {
        [(self.video_hz, self.video_bytes), (self.voice_hz, self.voice_bytes), (self.location_hz, self.location_bytes)]
    }

    pub(super) fn check(&self) -> Result<()> {
        for (hz, bytes) in self.all() {
            ensure!((1..=1_000).contains(&hz), "{hz} packets a second");
            let (least, most) = (packet::HEAD_BYTES, packet::BYTES_MAX);
            ensure!((least..=most).contains(&bytes), "a packet of {bytes} bytes: {least} to {most}");
        }
        Ok(())
    }

    /// Bytes a second of one client.
    pub(super) fn bytes_per_s(&self) -> u64 {
        self.all().iter().map(|(hz, bytes)| hz * *bytes as u64).sum()
    }

    /// Packets a second of one client.
    pub(super) fn packets_per_s(&self) -> u64 {
        self.all().iter().map(|(hz, _)| hz).sum()
    }
}

/// The load of the clients.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct ClientLoad {
    pub(super) clients: usize,
    /// Clients in one scene.
    pub(super) together: usize,
    pub(super) seconds: u64,
    pub(super) seed: u64,
}

/// The results of one step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LoadStepOutcome {
    pub(super) clients: usize,
    /// Mean latency: the quantity that the paper reports.
    pub(super) mean_ms: f64,
    pub(super) latency: Percentiles,
    /// Packets due and sent, and the share of expected deliveries that did not arrive.
    pub(super) asked_per_s: f64,
    pub(super) said_per_s: f64,
    pub(super) lost: f64,
    /// Packets received.
    pub(super) heard_per_s: f64,
    /// Bytes sent by one client.
    pub(super) bytes_per_client_s: f64,
    /// Processor time of the server for each packet that it sent.
    pub(super) server_us: f64,
    pub(super) server_load: f64,
    pub(super) generator_load: f64,
    /// Datagrams that overflowed the server's and the generator's sockets.
    pub(super) server_overflowed: u64,
    pub(super) generator_overflowed: u64,
    /// Stoa only: new poses a second of each pair. In ticks the newest pose replaces earlier ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) poses_per_s: Option<f64>,
}

impl LoadStepOutcome {
    /// An outcome without latency and losses, with one pose a second of each client.
    #[cfg(test)]
    pub(super) fn borne(clients: usize) -> LoadStepOutcome {
        LoadStepOutcome {
            clients,
            mean_ms: 1.0,
            latency: Percentiles::default(),
            asked_per_s: clients as f64,
            said_per_s: clients as f64,
            lost: 0.0,
            heard_per_s: clients as f64,
            bytes_per_client_s: 1.0,
            server_us: 1.0,
            server_load: 0.5,
            generator_load: 0.5,
            server_overflowed: 0,
            generator_overflowed: 0,
            poses_per_s: Some(1.0),
        }
    }

    /// Whether the mean latency is within the limit at nearly the requested rate, with less than 1 % lost.
    pub(super) fn is_borne(&self, mean_ms_max: f64) -> bool {
        self.mean_ms <= mean_ms_max && self.has_rate() && self.lost < 0.01
    }

    pub(super) fn has_rate(&self) -> bool {
        self.said_per_s >= 0.9 * self.asked_per_s
    }

    /// Whether enough poses arrived themselves, without being replaced by newer ones.
    pub(super) fn has_poses(&self) -> bool {
        self.poses_per_s.is_none_or(|each| each * self.clients as f64 >= 0.9 * self.asked_per_s)
    }

    pub(super) fn is_generator_bound(&self) -> bool {
        self.generator_load > limits::GENERATOR_LOAD_MAX || self.generator_overflowed > 0
    }
}

/// One run with a fresh reference and its clients.
pub(super) fn measure(reference: ReferenceSetup, flows: &FlowOptions, load: &ClientLoad) -> Result<LoadStepOutcome> {
    let server = reference.start()?;
    let scenes: Vec<u32> = (0..load.clients).map(|client| (client / load.together) as u32).collect();
    match reference.kind {
        FlowTransport::Tcp => generate(TcpClients::enter(&server, &scenes)?, flows, load, &server),
        FlowTransport::Hybrid | FlowTransport::Vectors(_) => {
            generate(UdpClients::enter(&server, &scenes)?, flows, load, &server)
        }
    }
}

/// Generates the flows of clients that have entered, and measures their latency.
pub(super) fn generate(
    connections: impl CrowdConnections,
    flows: &FlowOptions,
    load: &ClientLoad,
    server: &impl FlowServer,
) -> Result<LoadStepOutcome> {
    FlowGenerator::new(connections, flows, load).run(server)
}

struct FlowGenerator<'a, L> {
    connections: L,
    flows: &'a FlowOptions,
    load: &'a ClientLoad,
    calendars: Vec<SendTurnSchedule>,
    began: Instant,
    tally: LatencyTally,
}

/// The record of sent and received packets.
struct LatencyTally {
    window_us: (u64, u64),
    /// Packets sent that were due in the window.
    said: u64,
    said_bytes: u64,
    arrived: u64,
    sum_us: u64,
    steps: Vec<u32>,
    /// All received packets, whatever their due time.
    heard: u64,
}

impl LatencyTally {
    fn hear(&mut self, packet: &[u8], now_us: u64) {
        let Some(head) = FlowHeader::read(packet) else { return };
        self.heard += 1;
        // A load is shorter than the 71 minutes after which these values repeat.
        let due_us = u64::from(head.due_us);
        if (self.window_us.0..self.window_us.1).contains(&due_us) {
            let latency_us = now_us.saturating_sub(due_us);
            self.arrived += 1;
            self.sum_us += latency_us;
            self.steps[((latency_us / STEP_US) as usize).min(STEPS)] += 1;
        }
    }

    fn percentile_ms(&self, share: f64) -> f64 {
        let mut left = (self.arrived as f64 * share).ceil() as u64;
        for (step, &count) in (1_u64..).zip(&self.steps) {
            if left <= u64::from(count) {
                return (step * STEP_US) as f64 / 1_000.0;
            }
            left -= u64::from(count);
        }
        0.0
    }
}

impl<L: CrowdConnections> FlowGenerator<'_, L> {
    fn new<'a>(connections: L, flows: &'a FlowOptions, load: &'a ClientLoad) -> FlowGenerator<'a, L> {
        let calendar = |(flow, (hz, _)): (u64, (u64, usize))| {
            SendTurnSchedule::new(load.clients, 1_000_000 / hz, load.seed.wrapping_mul(3).wrapping_add(flow))
        };
        let calendars = (0..).zip(flows.all()).map(calendar).collect();
        let from_us = limits::WARM_UP.as_micros() as u64;
        let tally = LatencyTally {
            window_us: (from_us, from_us + load.seconds * 1_000_000),
            said: 0,
            said_bytes: 0,
            arrived: 0,
            sum_us: 0,
            steps: vec![0; STEPS + 1],
            heard: 0,
        };
        FlowGenerator { connections, flows, load, calendars, began: Instant::now(), tally }
    }

    fn now_us(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    fn run(mut self, server: &impl FlowServer) -> Result<LoadStepOutcome> {
        let (from_us, to_us) = self.tally.window_us;
        self.drive(from_us, true)?;
        let (generator, in_server, heard) = (thread_time(), server.time(), self.tally.heard);
        let (wall, counts, overflowed) = (Instant::now(), self.connections.counts(), server.overflowed());
        self.drive(to_us, true)?;
        let wall = wall.elapsed().as_secs_f64();
        let (generator, in_server) = (thread_time() - generator, server.time().saturating_sub(in_server));
        let heard = (self.tally.heard - heard) as f64;
        // Packets that overflowed our own sockets cost the server as much.
        let overflown = self.connections.counts().since(&counts).overflowed as f64;
        // Packets in flight may still arrive.
        self.drive(to_us + limits::GRACE.as_micros() as u64, false)?;
        let FlowGenerator { connections, flows, load, tally, .. } = self;
        let seconds = load.seconds as f64;
        let receivers = (load.together.min(load.clients) - 1) as f64;
        let due = tally.said as f64 * receivers;
        let at = |share| tally.percentile_ms(share);
        Ok(LoadStepOutcome {
            clients: load.clients,
            mean_ms: tally.sum_us as f64 / tally.arrived.max(1) as f64 / 1_000.0,
            latency: Percentiles { p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99) },
            asked_per_s: (load.clients as u64 * flows.packets_per_s()) as f64,
            said_per_s: tally.said as f64 / seconds,
            lost: 1.0 - tally.arrived as f64 / due.max(1.0),
            heard_per_s: heard / wall,
            bytes_per_client_s: tally.said_bytes as f64 / seconds / load.clients as f64,
            server_us: in_server.as_secs_f64() * 1e6 / (heard + overflown).max(1.0),
            server_load: in_server.as_secs_f64() / wall,
            generator_load: generator.as_secs_f64() / wall,
            server_overflowed: server.overflowed() - overflowed,
            generator_overflowed: connections.counts().since(&counts).overflowed,
            poses_per_s: None,
        })
    }

    /// Receives until `until_us`; sends only if `speaks`.
    fn drive(&mut self, until_us: u64, speaks: bool) -> Result<()> {
        loop {
            let now_us = self.now_us();
            if now_us >= until_us {
                return Ok(());
            }
            let speaking_since = Instant::now();
            if speaks {
                self.say_due(now_us);
            }
            let next_us = self.calendars.iter().map(SendTurnSchedule::due_us).min().filter(|_| speaks);
            let wake_at = self.began + Duration::from_micros(next_us.unwrap_or(until_us).min(until_us));
            let FlowGenerator { connections, tally, began, .. } = self;
            let hear = &mut |_: usize, packet: &[u8]| tally.hear(packet, began.elapsed().as_micros() as u64);
            listen(connections, (speaking_since, wake_at), hear)?;
        }
    }

    fn say_due(&mut self, now_us: u64) {
        let FlowGenerator { connections, flows, calendars, tally, .. } = self;
        let mut room = [0; packet::BYTES_MAX];
        for ((flow, (_, bytes)), calendar) in (0..).zip(flows.all()).zip(calendars) {
            for _ in 0..SAID_TOGETHER {
                let Some((client, turn)) = calendar.next(now_us) else { break };
                let due_us = calendar.due_of(client, turn);
                FlowHeader { flow, session: client as u32, due_us: due_us as u32 }.write(&mut room);
                connections.say(client, &room[..bytes]);
                if (tally.window_us.0..tally.window_us.1).contains(&due_us) {
                    tally.said += 1;
                    tally.said_bytes += bytes as u64;
                }
            }
        }
    }
}
