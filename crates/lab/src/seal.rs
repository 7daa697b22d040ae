//! Measures the cost of sending sealed datagrams. A tick to a thousand receivers, 17 datagrams of 1,200 B each, is
//! assembled, sealed and sent by the server's own modules. Figure `seal_send_ratio`. The reference is the bare send of
//! as many bytes (one `sendto` for each receiver, split into datagrams by the kernel) plus the same cipher over the
//! same bytes.
//!
//! Processor time of one thread on the server's core is measured. Another thread reads the datagrams on the
//! generator's core.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use aws_lc_rs::aead::{AES_128_GCM, Aad, Algorithm, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use nix::sys::socket::{setsockopt, sockopt};
use serde_json::json;
use stoa_net::datagrams::{DatagramAddresses, DatagramSocket, SocketCounts};
use stoa_net::netcode::{
    NetcodeConfig, NetcodeDatagramOutcome, NetcodeServer, NetcodeSessionId, TokenContent, TokenIssuer, TokenRandomness,
};
use stoa_state::time::{Time, UnixSeconds};

use crate::environment::ExperimentContext;
use crate::limits;
use crate::load::netcode::{NetcodeClient, OpenedDatagram};
use crate::machine;
use crate::report::{Figure, ReferenceSystemMeasurement, Report};
use crate::statistics::median;

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &["seal_send_ratio"];

/// Options of the sealing experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Number of receivers, each at its own address
    #[arg(long, default_value_t = 1_000)]
    receivers: usize,
    /// Datagrams to each receiver in one round
    #[arg(long, default_value_t = 17)]
    datagrams: usize,
    /// Rounds of each measurement; the report has the median
    #[arg(long, default_value_t = 60)]
    rounds: usize,
}

/// Size of a whole datagram.
const DATAGRAM_BYTES: usize = 1_200;
/// Plain text in a datagram: before it are the prefix and a sequence of two bytes, after it a tag.
const FRAME_BYTES: usize = DATAGRAM_BYTES - 3 - 16;
/// The part of a frame that differs between receivers.
const HEAD_BYTES: usize = 9;
/// Range of packet counts in which netcode's sequences have two bytes.
const SEQUENCES: std::ops::Range<usize> = 256..65_536;
/// Pause after each measured part, in which the receivers read the datagrams.
const SETTLE: Duration = Duration::from_millis(5);
const PROTOCOL: u64 = 1;

pub(crate) fn run(options: &Options, _: &ExperimentContext) -> Result<Report> {
    let &Options { receivers, datagrams, rounds } = options;
    let warm_up = SEQUENCES.start.div_ceil(datagrams.max(1));
    ensure!((1..=50).contains(&datagrams), "1 to 50 datagrams fit into one call");
    ensure!((1..=60_000).contains(&receivers), "1 to 60000 receivers have an address of their own");
    ensure!((warm_up + rounds + 1) * datagrams < SEQUENCES.end, "fewer rounds: sequences would get a third byte");
    let parameters = json!({
        "receivers": receivers, "datagrams": datagrams, "rounds": rounds, "datagram_bytes": DATAGRAM_BYTES,
        "warm_up_rounds": warm_up, "cipher": "ChaCha20-Poly1305",
    });
    let mut report = Report::new("seal", parameters);
    machine::pin(limits::SERVER_CPU)?;
    let drain = DatagramDrain::begin()?;
    let mut bench = SealBench::new(options, drain.port)?;
    for _ in 0..warm_up {
        bench.ours()?;
        sleep(SETTLE);
    }
    let before = bench.datagrams.counts();
    let mut costs = [const { Vec::new() }; PARTS.len()];
    for round in 0..rounds {
        for turn in 0..PARTS.len() {
            // The order rotates, so that a drift affects all parts equally.
            let part = (round + turn) % PARTS.len();
            costs[part].push(bench.cost(PARTS[part].1)?);
            sleep(SETTLE);
        }
    }
    let after = bench.datagrams.counts();
    let expected = (rounds * receivers * datagrams) as u64;
    ensure!(after.sent - before.sent == expected, "{} of {expected} datagrams were sent", after.sent - before.sent);
    tell(&mut report, &costs);
    let calls = (after.send_calls - before.send_calls) as f64 / rounds.max(1) as f64;
    let drained = drain.end()?;
    report
        .series("sending", json!({ "calls_a_round": calls, "taken": drained.received, "no_room": drained.overflowed }));
    Ok(report.finish())
}

/// Costs in microseconds a datagram.
#[derive(Clone, Copy, Debug)]
struct DatagramCost {
    processor_us: f64,
    wall_us: f64,
}

type BenchFunction = fn(&mut SealBench) -> Result<()>;

const PARTS: [(&str, BenchFunction); 4] = [
    ("ours", SealBench::ours),
    ("bare_send", SealBench::bare_send),
    ("sealing", SealBench::sealing),
    ("sealing_aes_128_gcm", SealBench::sealing_aes),
];

fn tell(report: &mut Report, costs: &[Vec<DatagramCost>; PARTS.len()]) {
    let medians = |of: fn(&DatagramCost) -> f64| -> Vec<f64> {
        costs.iter().map(|part| median(&part.iter().map(of).collect::<Vec<_>>())).collect()
    };
    let (processor, wall) = (medians(|cost| cost.processor_us), medians(|cost| cost.wall_us));
    for (n, (name, _)) in PARTS.iter().enumerate() {
        eprintln!("{name}: {:.3} µs a datagram, {:.3} by the clock", processor[n], wall[n]);
        report.series(name, json!([{ "processor_us": processor[n], "wall_us": wall[n] }]));
    }
    let version = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().trim().to_owned();
    let name = "bare GSO send and the same cipher".to_owned();
    let reference =
        ReferenceSystemMeasurement { name, version, value: processor[1] + processor[2], generator_bound: false };
    report.figure("seal_send_ratio", Figure::new(processor[0], "µs").beside(reference).held_to("<=", 1.5, "ratio"));
}

/// Everything the measured parts need, prepared before.
struct SealBench {
    datagrams: DatagramSocket,
    netcode: NetcodeServer,
    people: Vec<(NetcodeSessionId, DatagramAddresses)>,
    keys: Vec<LessSafeKey>,
    aes_keys: Vec<LessSafeKey>,
    bare: UdpSocket,
    each: usize,
    /// The part of a frame that all receivers share.
    shared: Vec<u8>,
    /// The bytes for one receiver.
    run: Vec<u8>,
    sequence: u64,
}

impl SealBench {
    fn new(options: &Options, port: u16) -> Result<SealBench> {
        let datagrams = DatagramSocket::bind((Ipv4Addr::UNSPECIFIED, 0).into())?;
        ensure!(datagrams.outgoing.segments_max() >= options.datagrams, "this kernel has no GSO");
        let bare = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        setsockopt(&bare, sockopt::UdpGsoSegment, &i32::try_from(DATAGRAM_BYTES)?).context("GSO for the bare send")?;
        let mut chance = fastrand::Rng::with_seed(1);
        let (netcode, people) = enter_all(options.receivers, port, &mut chance)?;
        let mut keys = |algorithm: &'static Algorithm| -> Result<Vec<LessSafeKey>> {
            (0..options.receivers).map(|_| key(algorithm, &mut chance)).collect()
        };
        let (keys, aes_keys) = (keys(&CHACHA20_POLY1305)?, keys(&AES_128_GCM)?);
        let shared = (0..FRAME_BYTES - HEAD_BYTES).map(|n| n as u8).collect();
        let run = vec![7; options.datagrams * DATAGRAM_BYTES];
        let each = options.datagrams;
        Ok(SealBench { datagrams, netcode, people, keys, aes_keys, bare, each, shared, run, sequence: 0 })
    }

    fn cost(&mut self, part: BenchFunction) -> Result<DatagramCost> {
        let (processor, wall) = (machine::thread_time(), Instant::now());
        part(self)?;
        let (processor, wall) = (machine::thread_time() - processor, wall.elapsed());
        let count = (self.people.len() * self.each) as f64;
        let us = |time: Duration| time.as_secs_f64() * 1e6 / count;
        Ok(DatagramCost { processor_us: us(processor), wall_us: us(wall) })
    }

    /// Sends as the server does: each receiver's datagrams in sequence, sealed in the send buffer.
    fn ours(&mut self) -> Result<()> {
        let SealBench { datagrams, netcode, people, shared, each, .. } = self;
        let mut head = [1; HEAD_BYTES];
        for &(session, way) in people.iter() {
            for n in 0..*each {
                head[1] = n as u8;
                datagrams.outgoing.add(way, |room| netcode.seal(session, &[&head, &shared[..]], room));
            }
        }
        datagrams.outgoing.flush();
        Ok(())
    }

    fn bare_send(&mut self) -> Result<()> {
        for (_, way) in &self.people {
            let sent = self.bare.send_to(&self.run, way.remote)?;
            ensure!(sent == self.run.len(), "only {sent} bytes were sent");
        }
        Ok(())
    }

    fn sealing(&mut self) -> Result<()> {
        seal_all(&self.keys, &mut self.run, &mut self.sequence)
    }

    fn sealing_aes(&mut self) -> Result<()> {
        seal_all(&self.aes_keys, &mut self.run, &mut self.sequence)
    }
}

/// The cipher alone, over as many bytes, with associated data of netcode's size.
fn seal_all(keys: &[LessSafeKey], run: &mut [u8], sequence: &mut u64) -> Result<()> {
    let beside = [9_u8; 22];
    for key in keys {
        for datagram in run.chunks_exact_mut(DATAGRAM_BYTES) {
            let (content, tag) = datagram[3..].split_at_mut(FRAME_BYTES);
            let nonce = Nonce::assume_unique_for_key(stoa_wire::netcode::nonce(*sequence));
            let sealed = key.seal_in_place_separate_tag(nonce, Aad::from(beside), content);
            tag.copy_from_slice(sealed.ok().context("sealing")?.as_ref());
            *sequence += 1;
        }
    }
    Ok(())
}

fn key(algorithm: &'static Algorithm, chance: &mut fastrand::Rng) -> Result<LessSafeKey> {
    let bytes: Vec<u8> = (0..algorithm.key_len()).map(|_| chance.u8(..)).collect();
    Ok(LessSafeKey::new(UnboundKey::new(algorithm, &bytes).ok().context("a key")?))
}

/// Runs all handshakes without a socket. Each receiver has its own loopback address; the port is shared.
fn enter_all(
    receivers: usize,
    port: u16,
    chance: &mut fastrand::Rng,
) -> Result<(NetcodeServer, Vec<(NetcodeSessionId, DatagramAddresses)>)> {
    let token_key = bytes(chance);
    let config = NetcodeConfig {
        protocol_id: PROTOCOL,
        token_key,
        challenge_key: bytes(chance),
        started_at: UnixSeconds(1_000),
    };
    let issuer = TokenIssuer::new(PROTOCOL, token_key);
    let mut netcode = NetcodeServer::new(&config);
    let people: Result<Vec<_>> = (0..receivers)
        .map(|n| {
            let ip = Ipv4Addr::new(127, 1, (n / 250) as u8, (n % 250 + 1) as u8);
            let way =
                DatagramAddresses { remote: SocketAddr::from((ip, port)), local: Some(Ipv4Addr::LOCALHOST.into()) };
            let random = TokenRandomness {
                nonce: bytes(chance),
                client_to_server: bytes(chance),
                server_to_client: bytes(chance),
            };
            let entry = TokenContent {
                client_id: n as u64,
                ticket: b"",
                servers: vec![SocketAddr::from((Ipv4Addr::LOCALHOST, port))],
                created_at: UnixSeconds(1_000),
                expires_at: UnixSeconds(1_000_000),
                silence_max: Duration::from_secs(1_000),
                random,
            };
            // One millisecond apart, to keep below the limit of requests in one second.
            enter(&mut netcode, &issuer.issue(&entry)?, (way, Time::from_millis(n as u64)))
        })
        .collect();
    Ok((netcode, people?))
}

fn enter(
    netcode: &mut NetcodeServer,
    token: &[u8],
    at: (DatagramAddresses, Time),
) -> Result<(NetcodeSessionId, DatagramAddresses)> {
    let (way, now) = at;
    let mut client = NetcodeClient::new(token)?;
    let mut said = [0; DATAGRAM_BYTES];
    let length = client.say(&mut said);
    let NetcodeDatagramOutcome::Answer(challenge) = netcode.handle(&mut said[..length], way, now) else {
        anyhow::bail!("a request without an answer");
    };
    client.hear(&mut challenge.to_vec());
    let length = client.say(&mut said);
    let NetcodeDatagramOutcome::Entered { session, answer, .. } = netcode.handle(&mut said[..length], way, now) else {
        anyhow::bail!("the response did not admit the client");
    };
    client.hear(&mut answer.to_vec());
    ensure!(client.is_in(), "the client is not connected");
    let length = client.seal(b"up", &mut said);
    let up = netcode.handle(&mut said[..length], way, now);
    ensure!(
        matches!(up, NetcodeDatagramOutcome::Frame { bytes: b"up", .. }),
        "the server cannot open the client's frame"
    );
    let length = netcode.seal(session, &[b"down"], &mut said);
    ensure!(
        client.hear(&mut said[..length]) == OpenedDatagram::Frame(b"down"),
        "the client cannot open the server's frame"
    );
    Ok((session, way))
}

fn bytes<const N: usize>(chance: &mut fastrand::Rng) -> [u8; N] {
    std::array::from_fn(|_| chance.u8(..))
}

/// Reads the datagrams on the other core.
struct DatagramDrain {
    port: u16,
    ending: Arc<AtomicBool>,
    thread: JoinHandle<Result<SocketCounts>>,
}

impl DatagramDrain {
    fn begin() -> Result<DatagramDrain> {
        let mut datagrams = DatagramSocket::bind((Ipv4Addr::UNSPECIFIED, 0).into())?;
        let port = datagrams.local_address()?.port();
        let ending = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&ending);
        let thread = spawn(move || {
            machine::pin(limits::GENERATOR_CPU)?;
            while !ended.load(Ordering::Relaxed) {
                datagrams.incoming.receive(Instant::now() + SETTLE)?;
            }
            Ok(datagrams.counts())
        });
        Ok(DatagramDrain { port, ending, thread })
    }

    fn end(self) -> Result<SocketCounts> {
        self.ending.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| anyhow::anyhow!("the receiver died"))?
    }
}
