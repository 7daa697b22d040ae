//! Measures the bandwidth of an object that is updated ten times a second, and of moving users: table 1 of paper 000.
//! Figures `arena_object_bytes_per_s` and `arena_motion_bytes_per_s_pair` (ARENA's JSON on the scene plane, 10 Hz),
//! `arena_motion_bytes_per_s_pair_plane` (the motion plane at 10 Hz) and `…_plane_20hz`.
//!
//! A figure is the payload at a receiver, since the paper's table has raw video and audio without headers. Bytes with
//! headers are counted at the server's TCP sockets on the scene plane, and at the receivers on the motion plane. Users'
//! values are for each pair of a receiver and a sender. On the scene plane everyone also receives itself, as with
//! ARENA's broker (n² pairs), on the motion plane not (n² − n). As with ARENA's clients, JSON is not compressed.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::traffic::{SentTcpTraffic, UDP_BYTES};
use crate::bots::random_waypoint::RandomWaypointCrowd;
use crate::crowd::connections::{CrowdConnections, GeneratorDatagramCounts, NetcodeConnections};
use crate::crowd::tickets::TicketSource;
use crate::crowd::webtransport::WebTransportConnections;
use crate::crowd::{Crowd, CrowdSettings};
use crate::environment::ExperimentContext;
use crate::limits;
use crate::load::connection::{MqttConnection, MqttEndpoint, MqttTransport};
use crate::load::ledger::DeliveryLedger;
use crate::load::packet;
use crate::load::person::{PersonIdentifiers, SCENE};
use crate::load::swarm::{MqttSwarm, SendSchedule};
use crate::papers::numbers::{self, PaperNumberPath};
use crate::report::{Figure, Report, Table};
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest, PolicyName};
use crate::servers::{IssuedTokenScope, MqttServerKind, RunningServer, Testbed, login};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &[
    "arena_object_bytes_per_s",
    "arena_motion_bytes_per_s_pair",
    "arena_motion_bytes_per_s_pair_plane",
    "arena_motion_bytes_per_s_pair_plane_20hz",
];

/// The number of users of the figures: a class.
const FIGURE_USERS: usize = 30;

/// Options of the rates experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Numbers of users
    #[arg(long, value_delimiter = ',', default_values_t = [2, 10, FIGURE_USERS, 100])]
    users: Vec<usize>,
    /// Number of updated objects
    #[arg(long, default_value_t = 20)]
    objects: usize,
    /// Updates a second of each object, and camera messages of each user
    #[arg(long, default_value_t = limits::RATE_HZ)]
    rate_hz: f64,
    /// Poses a second on the motion plane
    #[arg(long, value_delimiter = ',', default_values_t = [10.0, 20.0])]
    plane_hz: Vec<f64>,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Seed of people's movement
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Bytes a second of one stream: an object's to one receiver, or a pair's.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct StreamByteRates {
    /// Payload at receivers: MQTT payloads, or opened frames.
    payload: f64,
    /// Payload with the overhead of MQTT, netcode or QUIC.
    packets: f64,
    /// These packets with the headers of TCP or UDP, and of IP.
    on_the_wire: f64,
    /// Payload that a sender sends to the server.
    up: f64,
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let parameters = json!({
        "users": options.users, "objects": options.objects, "rate_hz": options.rate_hz, "plane_hz": options.plane_hz,
        "seconds": options.seconds, "payload_bytes": limits::PAYLOAD_BYTES, "seed": options.seed,
    });
    let mut report = Report::new("arena-rates", parameters);
    let testbed = Testbed::new(setting.stoa()?)?;
    let object = setting.step("object", || objects(options, &testbed))?;
    report.series("object", json!(object));
    let mut table = vec![row("object updates, JSON", options.rate_hz, object, streams)];
    report.figure("arena_object_bytes_per_s", beside_the_paper(object, numbers::RATES_OBJECT_BYTES_PER_S)?);
    let motion = numbers::RATES_MOTION_BYTES_PER_S;
    for &users in &options.users {
        let has_figures = users == FIGURE_USERS;
        let json = setting.step(json!({ "json": users }), || cameras(options, &testbed, users))?;
        report.series(&format!("json_{users}"), json!(json));
        table.push(row(&format!("{users} users, JSON"), options.rate_hz, json, users_within));
        if has_figures {
            report.figure("arena_motion_bytes_per_s_pair", beside_the_paper(json, motion)?);
        }
        for &rate_hz in &options.plane_hz {
            for transport in [PlaneTransport::Netcode, PlaneTransport::WebTransport] {
                let key = json!({ "plane": users, "rate_hz": rate_hz, "way": transport });
                let plane = setting.step(key, || walkers(options, &testbed, (users, rate_hz, transport)))?;
                report.series(&format!("plane_{users}_{rate_hz}hz_{}", transport.name()), json!(plane));
                table.push(row(
                    &format!("{users} users, motion plane by {}", transport.name()),
                    rate_hz,
                    plane,
                    users_within,
                ));
                if has_figures && transport == PlaneTransport::Netcode {
                    let suffix = if rate_hz == limits::RATE_HZ { String::new() } else { format!("_{rate_hz}hz") };
                    report.figure(
                        &format!("arena_motion_bytes_per_s_pair_plane{suffix}"),
                        beside_the_paper(plane, motion)?,
                    );
                }
            }
        }
    }
    report.table(table_1(table)?);
    Ok(report.finish())
}

fn beside_the_paper(rate: StreamByteRates, of_paper: PaperNumberPath) -> Result<Figure> {
    Ok(Figure::new(rate.payload, "B/s").published("000, Table 1, raw", of_paper.read()?))
}

/// A row in the paper's layout: the number of streams that fit into a network, by their size on the wire.
fn row(name: &str, rate_hz: f64, rate: StreamByteRates, fit: fn(f64, f64) -> f64) -> Vec<Value> {
    let [at_10, at_100] = [10e6, 100e6].map(|bits_per_s| fit(bits_per_s / 8.0, rate.on_the_wire).floor());
    let [payload, on_the_wire] = [rate.payload, rate.on_the_wire].map(f64::round);
    vec![json!(format!("{name}, {rate_hz} Hz")), json!(payload), json!(on_the_wire), json!(at_10), json!(at_100)]
}

/// The paper's rows, then ours.
fn table_1(ours: Vec<Vec<Value>>) -> Result<Table> {
    let paper: Vec<Value> = numbers::RATES_STREAMS.read()?;
    let told = |stream: &Value| {
        let name = format!("paper: {}", stream["stream"].as_str().unwrap_or_default());
        let [bytes, at_10, at_100] = ["bytes_per_s", "fit_10_mbit_s", "fit_100_mbit_s"].map(|key| stream[key].clone());
        vec![json!(name), bytes, json!("–"), at_10, at_100]
    };
    let rows = paper.iter().map(told).chain(ours).collect();
    let columns = ["stream", "payload received, B/s", "with headers, B/s", "fit into 10 Mbit/s", "fit into 100 Mbit/s"];
    let title =
        "Data rates (table 1): for each pair of users, n users being n² pairs. Ours fit by their size on the wire at the row's number of users; more fit where that size falls with the number"
            .to_owned();
    Ok(Table { title, columns: columns.map(str::to_owned).into(), rows })
}

fn streams(bytes_per_s: f64, each: f64) -> f64 {
    bytes_per_s / each
}

/// The number of users that fit if everyone receives everyone: bytes grow with the square of the users.
fn users_within(bytes_per_s: f64, pair: f64) -> f64 {
    (bytes_per_s / pair).sqrt()
}

/// Measures the stream of an object: one author with its objects, and one receiver.
fn objects(options: &Options, testbed: &Testbed) -> Result<StreamByteRates> {
    let server = MqttServerKind::Stoa.start(testbed)?;
    let endpoint = server.endpoint(MqttTransport::Tcp)?;
    let enter = |index: usize, listens: bool| -> Result<(PersonIdentifiers, MqttConnection)> {
        let name = PersonIdentifiers::of(index);
        let token = testbed.folder.token(&name, IssuedTokenScope::Scene)?;
        let mut hello = vec![packet::connect(&name.user_client, Some((&name.account, &token)))];
        if listens {
            hello.push(packet::subscribe(1, &name.filters(), 0));
        }
        let connection = MqttConnection::enter(&endpoint, &hello)?;
        Ok((name, connection))
    };
    let (author, mut saying) = enter(0, false)?;
    let (_, mut receiver) = enter(1, true)?;
    let mut scratch = vec![0; limits::READ_BYTES];
    let (mut said_bytes, mut heard_bytes, mut came) = (0, 0, 0);
    let before = traffic(&server)?;
    let all = (options.seconds as f64 * options.rate_hz) as u64 * options.objects as u64;
    let began = Instant::now();
    let mut said = 0;
    while began.elapsed() < Duration::from_secs(options.seconds) + limits::GRACE {
        let due = (began.elapsed().as_secs_f64() * options.rate_hz * options.objects as f64) as u64;
        while said < due.min(all) {
            let update = object_update(&author, (said % options.objects as u64, said));
            said_bytes += update.len() as u64;
            let topic = format!("realm/s/{SCENE}/o/{}/object-{:02}", author.user_client, said % options.objects as u64);
            saying.send(&packet::publish(&topic, update.as_bytes(), None))?;
            said += 1;
        }
        receiver.receive(&mut scratch, |packet| {
            if let Some(payload) = packet::payload(packet) {
                (came, heard_bytes) = (came + 1, heard_bytes + payload.len() as u64);
            }
        })?;
        sleep(Duration::from_millis(1));
    }
    ensure!(came == said, "{came} of {said} updates arrived");
    let traffic = traffic(&server)?.since(before);
    let each = |bytes: u64| bytes as f64 / options.seconds as f64 / options.objects as f64;
    Ok(StreamByteRates {
        payload: each(heard_bytes),
        packets: each(traffic.sent_bytes),
        on_the_wire: each(traffic.sent_ip_bytes()),
        up: each(said_bytes),
    })
}

/// A new position of an object, byte for byte as arena-py 1.6.0 sends it (except its client's name).
fn object_update(author: &PersonIdentifiers, (object, step): (u64, u64)) -> String {
    let x = (step % 1_000) as f64 / 1_000.0;
    format!(
        "{{\"object_id\": \"object-{object:02}\", \"type\": \"object\", \"persist\": false, \"data\": {{\"position\": {{\"x\": {x:.3}, \"y\": 1.6, \
         \"z\": -2}}, \"object_type\": \"box\"}}, \"program_id\": \"{}\", \"action\": \"update\", \"timestamp\": \"2026-11-22T05:08:42.188705+00Z\"}}",
        author.user_client
    )
}

fn traffic(server: &RunningServer) -> Result<SentTcpTraffic> {
    let MqttEndpoint::Plain(address) = server.endpoint(MqttTransport::Tcp)? else {
        anyhow::bail!("a plain TCP endpoint")
    };
    SentTcpTraffic::of(address)
}

/// Measures the stream of a pair on the scene plane: users whose cameras are sent to everyone as JSON.
fn cameras(options: &Options, testbed: &Testbed, users: usize) -> Result<StreamByteRates> {
    let server = MqttServerKind::Stoa.start(testbed)?;
    let mut swarm = MqttSwarm::enter(
        users,
        &server.endpoint(MqttTransport::Tcp)?,
        &login(MqttServerKind::Stoa, testbed, IssuedTokenScope::Scene),
    )?;
    let (warm_us, measured_us) = (limits::WARM_UP.as_micros() as u64, options.seconds * 1_000_000);
    let mut ledger = DeliveryLedger::new((users, users), (warm_us, warm_us + measured_us));
    let mut pace = SendSchedule::new(users, options.rate_hz);
    swarm.begin();
    swarm.drive(&mut pace, warm_us, &mut ledger)?;
    let (before, said) = (traffic(&server)?, swarm.said());
    swarm.drive(&mut pace, warm_us + measured_us, &mut ledger)?;
    let (traffic, said_then) = (traffic(&server)?.since(before), swarm.said());
    // Messages in flight may still arrive.
    swarm.drive(&mut pace, warm_us + measured_us + limits::GRACE.as_micros() as u64, &mut ledger)?;
    ensure!(ledger.undelivered() < limits::UNDELIVERED_MAX, "{} of the cameras did not arrive", ledger.undelivered());
    let pairs = (users * users) as f64;
    let each = |bytes: u64| bytes as f64 / options.seconds as f64 / pairs;
    Ok(StreamByteRates {
        payload: each(said_then.heard - said.heard),
        packets: each(traffic.sent_bytes),
        on_the_wire: each(traffic.sent_ip_bytes()),
        up: (said_then.said - said.said) as f64 / options.seconds as f64 / users as f64,
    })
}

/// Transport of the motion plane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum PlaneTransport {
    Netcode,
    WebTransport,
}

impl PlaneTransport {
    /// The name in tables.
    fn name(self) -> &'static str {
        if self == PlaneTransport::Netcode { "netcode" } else { "WebTransport" }
    }
}

/// Measures the stream of a pair on the motion plane: users that walk with a head each.
fn walkers(
    options: &Options,
    testbed: &Testbed,
    (users, rate_hz, transport): (usize, f64, PlaneTransport),
) -> Result<StreamByteRates> {
    let plane = MotionOptions::default();
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, testbed, &plane)?;
    let period = Duration::from_secs_f64(1.0 / rate_hz);
    let walk = StreamRateMeter {
        options,
        server: &server,
        policy: plane.policy,
        cast: CrowdSettings { people: users, decoders: 1, period, seed: options.seed, ..CrowdSettings::default() },
    };
    if transport == PlaneTransport::Netcode {
        let bytes_of = |connections: &NetcodeConnections| (connections.counts().opened, connections.counts().bytes);
        walk.measure(NetcodeConnections::new(users, server.address())?, bytes_of)
    } else {
        walk.measure(WebTransportConnections::new(users)?, WebTransportConnections::received)
    }
}

struct StreamRateMeter<'a> {
    options: &'a Options,
    server: &'a MotionServerUnderTest<'a>,
    policy: PolicyName,
    cast: CrowdSettings,
}

impl StreamRateMeter<'_> {
    /// `received` returns the UDP datagrams received so far, and their bytes.
    fn measure<L: CrowdConnections>(
        &self,
        connections: L,
        received: impl Fn(&L) -> (u64, u64),
    ) -> Result<StreamByteRates> {
        let &StreamRateMeter { options, server, policy, cast } = self;
        let connections = ByteCountingConnections { connections, frames: PlaintextTrafficBytes::default() };
        let mut crowd = Crowd::new(cast, connections, Box::new(RandomWaypointCrowd::new(cast.people, options.seed)));
        crowd.enter(&mut TicketSource::of(server, &cast)?)?;
        crowd.await_roommates(policy)?;
        crowd.drive(crowd.now_us() + limits::WARM_UP.as_micros() as u64)?;
        let (before, frames_before, came_before) =
            (crowd.counts(), crowd.connections.frames, received(&crowd.connections.connections));
        crowd.drive(crowd.now_us() + options.seconds * 1_000_000)?;
        let (counts, frames, came) =
            (crowd.counts().since(&before), crowd.connections.frames, received(&crowd.connections.connections));
        ensure!(counts.overflowed == 0 && counts.closed == 0, "the generator lost datagrams: {counts:?}");
        let pairs = (cast.people * (cast.people - 1)) as f64;
        let each = |bytes: u64| bytes as f64 / options.seconds as f64 / pairs;
        let (datagrams, bytes) = (came.0 - came_before.0, came.1 - came_before.1);
        let said = (frames.said_bytes - frames_before.said_bytes) as f64;
        Ok(StreamByteRates {
            payload: each(frames.heard_bytes - frames_before.heard_bytes),
            packets: each(bytes),
            on_the_wire: each(bytes + datagrams * UDP_BYTES),
            up: said / options.seconds as f64 / cast.people as f64,
        })
    }
}

/// Bytes of frames, before sealing and after opening.
#[derive(Clone, Copy, Default)]
struct PlaintextTrafficBytes {
    heard_bytes: u64,
    said_bytes: u64,
}

/// Connections that count their frames' bytes.
struct ByteCountingConnections<L> {
    connections: L,
    frames: PlaintextTrafficBytes,
}

impl<L: CrowdConnections> CrowdConnections for ByteCountingConnections<L> {
    const WAVE: usize = L::WAVE;

    fn admit(&mut self, tickets: &[Value]) -> Result<()> {
        self.connections.admit(tickets)
    }

    fn say(&mut self, person: usize, frame: &[u8]) {
        self.frames.said_bytes += frame.len() as u64;
        self.connections.say(person, frame);
    }

    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
        let ByteCountingConnections { connections, frames } = self;
        connections.receive(until, &mut |person, frame| {
            frames.heard_bytes += frame.len() as u64;
            hear(person, frame);
        })
    }

    fn is_in(&self, person: usize) -> bool {
        self.connections.is_in(person)
    }

    fn counts(&self) -> GeneratorDatagramCounts {
        self.connections.counts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_counts_for_a_bandwidth_match_the_papers_table() {
        let read = |number: PaperNumberPath| number.read().expect("it is there");
        let [object, motion] = [numbers::RATES_OBJECT_BYTES_PER_S, numbers::RATES_MOTION_BYTES_PER_S].map(read);
        assert_eq!([10e6, 100e6].map(|bits| streams(bits / 8.0, object).floor()), [1_000.0, 10_000.0]);
        assert_eq!([10e6, 100e6].map(|bits| users_within(bits / 8.0, motion).floor()), [31.0, 100.0]);
    }

    #[test]
    fn an_object_update_contains_its_id_and_position() {
        let update = object_update(&PersonIdentifiers::of(0), (7, 1_234));
        let read: Value = serde_json::from_str(&update).expect("JSON");
        assert_eq!((&read["object_id"], &read["data"]["position"]["x"]), (&json!("object-07"), &json!(0.234)));
    }
}
