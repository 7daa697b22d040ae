//! Runs clients at one server and measures for some seconds.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::clients::ClosedLoopClients;
use super::exchange::{AckForwardingPolicy, ClientGroupLayout};
use super::servers::{AckLatencySummary, PaperServerKind, ReferenceServer, ReferenceServerOptions};
use super::tally::DelaySpread;
use super::transports::stoa::StoaTransport;
use super::transports::tcp::TcpTransport;
use super::transports::udp::UdpTransport;
use super::transports::{AllClientsTransport, ReceivedGroupMessage};
use crate::choice;
use crate::crowd::CrowdSettings;
use crate::crowd::connections::{GeneratorDatagramCounts, NetcodeConnections, overflowed_at};
use crate::crowd::tickets::TicketSource;
use crate::limits;
use crate::machine::{StolenCpuTimeReading, process_time, thread_time};
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest, SendTimingMode};

/// A server of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ComparedServer {
    /// A rebuilt server of the paper.
    Reference(PaperServerKind, AckForwardingPolicy),
    /// Stoa, each scene served as soon as frames arrive.
    AtOnce,
    /// Stoa in ticks.
    Ticks,
    /// Stoa by default.
    Auto,
}

/// A server on the command line, without its handling of acknowledgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CarServerArgument {
    Tcp,
    Select,
    Epoll,
    Udp,
    /// Stoa, as soon as frames arrive
    AtOnce,
    /// Stoa in ticks
    Ticks,
    /// Stoa by default, chosen by the load
    Auto,
}

impl ComparedServer {
    pub(crate) fn name(self) -> CarServerArgument {
        match self {
            ComparedServer::Reference(PaperServerKind::Tcp, _) => CarServerArgument::Tcp,
            ComparedServer::Reference(PaperServerKind::Select, _) => CarServerArgument::Select,
            ComparedServer::Reference(PaperServerKind::Epoll, _) => CarServerArgument::Epoll,
            ComparedServer::Reference(PaperServerKind::Udp, _) => CarServerArgument::Udp,
            ComparedServer::AtOnce => CarServerArgument::AtOnce,
            ComparedServer::Ticks => CarServerArgument::Ticks,
            ComparedServer::Auto => CarServerArgument::Auto,
        }
    }
}

impl fmt::Display for ComparedServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComparedServer::Reference(reference, AckForwardingPolicy::Passive) => formatter.write_str(reference.name()),
            ComparedServer::Reference(reference, AckForwardingPolicy::Active) => {
                write!(formatter, "{} active", reference.name())
            }
            // Stoa counts as active: its motion plane collects the acknowledgements of marked frames.
            stoa => write!(formatter, "stoa {} active", choice::word(stoa.name())),
        }
    }
}

/// The parameters of one run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct CarRunSettings {
    pub(crate) server: ComparedServer,
    pub(crate) clients: usize,
    /// Members of a group.
    pub(crate) group: usize,
    /// The clients' action cycle.
    pub(crate) period_us: u64,
    pub(crate) warm_up_ms: u64,
    pub(crate) measured_ms: u64,
    pub(crate) seed: u64,
    /// References only: the server records the answering times of its clients, at a small cost.
    pub(crate) is_timed: bool,
}

/// The results of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CarRunOutcome {
    pub(crate) clients: usize,
    /// Time from the sending of an update until its last acknowledgement arrives. Updates without all acknowledgements
    /// count with the time that they waited.
    pub(crate) response: DelaySpread,
    /// Time from the moment that an update was due until its last acknowledgement arrives. A client that waits for
    /// acknowledgements misses due moments; they count too. Updates without all acknowledgements do not.
    pub(crate) from_grid: DelaySpread,
    pub(crate) asked_per_s: f64,
    pub(crate) achieved_per_s: f64,
    /// Messages that clients should have received, and the share that is missing.
    pub(crate) expected: u64,
    pub(crate) lost_percent: f64,
    /// Updates that were given up, or lacked acknowledgements at the end.
    pub(crate) unfinished: u64,
    /// Shares of one core that the server and the load generator used.
    pub(crate) server_load: f64,
    pub(crate) generator_load: f64,
    /// The share of all cores that the hypervisor took away, in percent.
    pub(crate) steal_percent: f64,
    /// Datagrams or reads that arrived at the clients, a second.
    pub(crate) reads_per_s: f64,
    pub(crate) bytes_per_s: f64,
    /// Datagrams that overflowed the clients' sockets, and datagrams that could not be sent.
    pub(crate) overflowed: u64,
    pub(crate) unsent: u64,
    /// Datagrams that overflowed the server's sockets.
    pub(crate) server_overflowed: u64,
    /// References: time from an update to an acknowledgement of it, as the server sees it. Source: the paper's
    /// table 3.
    pub(crate) server_response: Option<AckLatencySummary>,
    /// Stoa: frames that the server sent and clients did not receive, counted from gaps in the sequence numbers.
    pub(crate) frames_lost: u64,
    /// Stoa: datagrams and frames that the server dropped, by reason.
    pub(crate) server_dropped: BTreeMap<String, u64>,
    /// Stoa: malformed frames that clients received.
    pub(crate) malformed: u64,
}

impl CarRunOutcome {
    /// The achieved share of the requested rate.
    pub(crate) fn achieved(&self) -> f64 {
        self.achieved_per_s / self.asked_per_s
    }

    pub(crate) fn is_generator_bound(&self) -> bool {
        self.generator_load > limits::GENERATOR_LOAD_MAX || self.overflowed > 0
    }
}

/// One run with a fresh server and its clients.
pub(crate) fn run(case: &CarRunSettings, testbed: &Testbed) -> Result<CarRunOutcome> {
    let groups = ClientGroupLayout { clients: case.clients, size: case.group };
    match case.server {
        ComparedServer::Reference(server, acks) => {
            let options = ReferenceServerOptions { server, acks, clients: case.clients, group: case.group };
            let mut running = ReferenceServer::start(&options)?;
            let (address, pid) = (running.address, running.pid());
            let mut begin = || if case.is_timed { running.time_clients() } else { Ok(()) };
            let watched = MeasuredProgram { pid, ports: vec![address.port()], begin: &mut begin };
            let outcome = match server {
                PaperServerKind::Udp => watch(case, watched, UdpTransport::enter(case.clients, address)?)?.0,
                _ => watch(case, watched, TcpTransport::enter(case.clients, address)?)?.0,
            };
            let server_response = if case.is_timed { Some(running.finish()?) } else { None };
            Ok(CarRunOutcome { server_response, ..outcome })
        }
        ComparedServer::AtOnce => on_stoa(case, (groups, SendTimingMode::AtOnce), testbed),
        ComparedServer::Ticks => on_stoa(case, (groups, SendTimingMode::Ticks), testbed),
        ComparedServer::Auto => on_stoa(case, (groups, SendTimingMode::Auto), testbed),
    }
}

fn on_stoa(
    case: &CarRunSettings,
    (groups, serving): (ClientGroupLayout, SendTimingMode),
    testbed: &Testbed,
) -> Result<CarRunOutcome> {
    let options = MotionOptions { serving: Some(serving), ..MotionOptions::default() };
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, testbed, &options)?;
    let mut ticket_source = TicketSource::of(
        &server,
        &CrowdSettings { people: case.clients, together: case.group, ..CrowdSettings::default() },
    )?;
    let connections = NetcodeConnections::new(case.clients, server.address())?;
    let transport = StoaTransport::enter(connections, groups, &mut ticket_source)?;
    let watched = MeasuredProgram { pid: server.pid(), ports: server.ports().collect(), begin: &mut || Ok(()) };
    let before_drops = server.drops()?;
    let before = transport.came();
    let (mut outcome, transport) = watch(case, watched, transport)?;
    let (frames, sent) = transport.came();
    outcome.frames_lost = (sent - before.1).saturating_sub(frames - before.0);
    outcome.malformed = transport.malformed();
    // The counters are updated once a second. By now no client sends.
    std::thread::sleep(2 * limits::GRACE);
    outcome.server_dropped = server.drops()?.since(&before_drops).dropped;
    Ok(outcome)
}

/// The measured server process.
struct MeasuredProgram<'a> {
    pid: u32,
    /// The ports of the program's sockets.
    ports: Vec<u16>,
    /// Called after the warm-up; starts a reference's recording of times.
    begin: &'a mut dyn FnMut() -> Result<()>,
}

struct RunCountersReading {
    at: Instant,
    generator: Duration,
    server: Duration,
    line: GeneratorDatagramCounts,
    overflowed: u64,
    cores: StolenCpuTimeReading,
}

impl RunCountersReading {
    fn read(watched: &MeasuredProgram<'_>, transport: &impl AllClientsTransport) -> RunCountersReading {
        RunCountersReading {
            at: Instant::now(),
            generator: thread_time(),
            server: process_time(watched.pid),
            line: transport.counts(),
            overflowed: overflowed_at(watched.ports.iter().copied()),
            cores: StolenCpuTimeReading::now(),
        }
    }
}

fn watch<W: AllClientsTransport>(
    case: &CarRunSettings,
    watched: MeasuredProgram<'_>,
    mut transport: W,
) -> Result<(CarRunOutcome, W)> {
    let groups = ClientGroupLayout { clients: case.clients, size: case.group };
    let mut clients = ClosedLoopClients::new(groups, case.period_us, case.seed);
    let began = Instant::now();
    let from_us = case.warm_up_ms * 1_000;
    let to_us = from_us + case.measured_ms * 1_000;
    clients.watch(from_us..to_us);
    drive(&mut clients, &mut transport, (began, from_us))?;
    (watched.begin)()?;
    let before = RunCountersReading::read(&watched, &transport);
    drive(&mut clients, &mut transport, (began, to_us))?;
    let after = RunCountersReading::read(&watched, &transport);
    // Pending updates may still be acknowledged.
    clients.end();
    let last_us = to_us + limits::GRACE.as_micros() as u64;
    while began.elapsed().as_micros() < u128::from(last_us) && !clients.is_quiet() {
        let soon_us = (began.elapsed().as_micros() as u64 + 10_000).min(last_us);
        drive(&mut clients, &mut transport, (began, soon_us))?;
    }
    let mut tally = clients.close(began.elapsed().as_micros() as u64);
    let wall = (after.at - before.at).as_secs_f64();
    let line = after.line.since(&before.line);
    let outcome = CarRunOutcome {
        clients: case.clients,
        response: tally.response(),
        from_grid: tally.by_grid(),
        asked_per_s: tally.asked_per_s,
        achieved_per_s: tally.achieved_per_s(),
        expected: tally.expected(),
        lost_percent: tally.lost_percent(),
        unfinished: tally.unfinished(),
        server_load: after.server.saturating_sub(before.server).as_secs_f64() / wall,
        generator_load: after.generator.saturating_sub(before.generator).as_secs_f64() / wall,
        steal_percent: before.cores.stolen_percent(),
        reads_per_s: line.opened as f64 / wall,
        bytes_per_s: line.bytes as f64 / wall,
        overflowed: line.overflowed,
        unsent: line.unsent,
        server_overflowed: after.overflowed - before.overflowed,
        server_response: None,
        frames_lost: 0,
        server_dropped: BTreeMap::new(),
        malformed: 0,
    };
    Ok((outcome, transport))
}

/// Sends and receives until `until_us`.
fn drive<W: AllClientsTransport>(
    clients: &mut ClosedLoopClients,
    transport: &mut W,
    (began, until_us): (Instant, u64),
) -> Result<()> {
    let now_us = || began.elapsed().as_micros() as u64;
    loop {
        let mut now = now_us();
        if now >= until_us {
            return Ok(());
        }
        while let Some((client, turn)) = clients.next(now) {
            transport.say(client, turn);
            now = now_us();
        }
        transport.flush();
        let wake_at = began + Duration::from_micros(clients.due_us().min(until_us));
        transport.receive(wake_at, &mut |heard| match heard {
            ReceivedGroupMessage::Update { source, turn } => clients.handle_update(source, turn),
            ReceivedGroupMessage::Ack { source, turn } => clients.handle_ack(source, turn, now_us),
            ReceivedGroupMessage::AllAcks { source, turn } => clients.handle_all_acks(source, turn, now_us),
        })?;
        transport.flush();
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::papers::car::servers::{BoundSocket, ServerAckLatencyRecorder};

    const GROUPS: ClientGroupLayout = ClientGroupLayout { clients: 12, size: 5 };

    /// The tally of the clients' updates over some cycles, with a server in its own thread.
    fn tally(options: ReferenceServerOptions) -> crate::papers::car::tally::UpdateWindowTally {
        let bound = BoundSocket::new(options.server).expect("a port");
        let address = bound.address().expect("bound");
        let times = std::sync::Arc::new(ServerAckLatencyRecorder::new(GROUPS.clients));
        std::thread::spawn(move || bound.serve(&options, times));
        let clients = ClosedLoopClients::new(GROUPS, 20_000, 7);
        match options.server {
            PaperServerKind::Udp => {
                some_cycles(clients, UdpTransport::enter(GROUPS.clients, address).expect("all come in"))
            }
            _ => some_cycles(clients, TcpTransport::enter(GROUPS.clients, address).expect("all come in")),
        }
    }

    fn some_cycles<W: AllClientsTransport>(
        mut clients: ClosedLoopClients,
        mut transport: W,
    ) -> crate::papers::car::tally::UpdateWindowTally {
        let began = Instant::now();
        clients.watch(0..100_000);
        drive(&mut clients, &mut transport, (began, 100_000)).expect("the server is there");
        clients.end();
        while !clients.is_quiet() {
            assert!(began.elapsed() < limits::ANSWER_TIMEOUT, "not all is acknowledged");
            let soon_us = began.elapsed().as_micros() as u64 + 1_000;
            drive(&mut clients, &mut transport, (began, soon_us)).expect("the server is there");
        }
        clients.close(began.elapsed().as_micros() as u64)
    }

    #[test]
    fn every_reference_server_forwards_every_update_and_its_acknowledgements() {
        for server in [PaperServerKind::Tcp, PaperServerKind::Select, PaperServerKind::Epoll, PaperServerKind::Udp] {
            for acks in AckForwardingPolicy::value_variants() {
                let options =
                    ReferenceServerOptions { server, acks: *acks, clients: GROUPS.clients, group: GROUPS.size };
                let mut tally = tally(options);
                assert_eq!((tally.unfinished(), tally.lost_percent()), (0, 0.0), "{server:?} {acks:?}");
                assert!(tally.response().count >= GROUPS.clients && tally.came() > 0, "{server:?} {acks:?}: {tally:?}");
            }
        }
    }
}
