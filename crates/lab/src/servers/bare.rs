//! Serves the motion plane's state machines alone: `state`'s scene, `net`'s netcode and datagrams, one thread, no
//! realm. A profile of this server shows only these. The server admits every token of the lab.

use std::collections::HashMap;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use stoa_net::datagrams::{DatagramAddresses, DatagramSender, DatagramSocket};
use stoa_net::netcode::{
    DueAction, NetcodeConfig, NetcodeDatagramOutcome, NetcodeServer, NetcodeSessionId, TokenContent, TokenIssuer,
    TokenRandomness,
};
use stoa_state::motion::{MotionEntrant, MotionRights, MotionScene, MotionSessionId, MotionSettings};
use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::limits::{FRAME_BYTES_MAX, MOTION_PROTOCOL_ID};

use crate::child::{ChildProgram, part};
use crate::machine::raise_file_limit;
use crate::servers::motion::{MotionOptions, SendTimingMode};

/// The key of connect tokens, valid only for this server on this machine.
const TOKEN_KEY: [u8; 32] = [4; 32];
/// Lifetime of the tokens: longer than a crowd needs to enter.
const TOKEN_TTL_S: u64 = 600;

/// A bare server, killed on drop.
pub(crate) struct BareServer {
    process: ChildProgram,
    pub(crate) address: SocketAddr,
}

impl BareServer {
    pub(crate) fn start(options: &MotionOptions) -> Result<BareServer> {
        let mut process = ChildProgram::server(part("bare")?.args(options.to_arguments()))?;
        let address = process.line()?.parse().context("the bare server's address")?;
        Ok(BareServer { process, address })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }
}

/// A connect token for a person at a bare server.
pub(crate) fn token(server: SocketAddr, person: usize, id_tag: &str) -> Result<Vec<u8>> {
    let mut rng = fastrand::Rng::with_seed(person as u64);
    let mut bytes = || std::array::from_fn(|_| rng.u8(..));
    let random = TokenRandomness {
        nonce: std::array::from_fn(|n| (person >> (8 * (n % 8))) as u8),
        client_to_server: bytes(),
        server_to_client: bytes(),
    };
    let now = stoa_server::clock::unix_now();
    let entry = TokenContent {
        client_id: person as u64,
        ticket: id_tag.as_bytes(),
        servers: vec![server],
        created_at: now,
        expires_at: UnixSeconds(now.0 + TOKEN_TTL_S),
        silence_max: Duration::from_secs(20),
        random,
    };
    Ok(TokenIssuer::new(MOTION_PROTOCOL_ID, TOKEN_KEY).issue(&entry)?)
}

struct BarePlane {
    datagrams: DatagramSocket,
    netcode: NetcodeServer,
    scene: MotionScene,
    motion_sessions: HashMap<NetcodeSessionId, MotionSessionId>,
    netcode_sessions: HashMap<MotionSessionId, NetcodeSessionId>,
    began: Instant,
    subtick: Duration,
    tick_at: Instant,
    at_once: bool,
}

/// Prints the address, then serves until killed.
pub(crate) fn serve(options: &MotionOptions) -> Result<()> {
    raise_file_limit();
    let (mut plane, address) = BarePlane::open(options)?;
    println!("{address}");
    std::io::stdout().flush()?;
    loop {
        plane.turn()?;
    }
}

impl BarePlane {
    fn open(options: &MotionOptions) -> Result<(BarePlane, SocketAddr)> {
        let datagrams = DatagramSocket::bind((Ipv4Addr::LOCALHOST, 0).into())?;
        let address = datagrams.local_address()?;
        let config = NetcodeConfig {
            protocol_id: MOTION_PROTOCOL_ID,
            token_key: TOKEN_KEY,
            challenge_key: [5; 32],
            started_at: stoa_server::clock::unix_now(),
        };
        let subtick = Duration::from_micros(options.subtick_us);
        let plane = BarePlane {
            datagrams,
            netcode: NetcodeServer::new(&config),
            scene: MotionScene::new(MotionSettings {
                policy: options.policy.policy(),
                bytes_per_s: options.bytes_per_s,
                ..MotionSettings::default()
            }),
            motion_sessions: HashMap::new(),
            netcode_sessions: HashMap::new(),
            began: Instant::now(),
            subtick,
            tick_at: Instant::now() + subtick,
            at_once: options.serving == Some(SendTimingMode::AtOnce),
        };
        Ok((plane, address))
    }

    fn turn(&mut self) -> Result<()> {
        let came = self.receive(self.tick_at)?;
        let now = Instant::now();
        if self.at_once {
            if came {
                self.serve(true);
            }
            self.tick_at = now + self.subtick;
            return Ok(());
        }
        if now >= self.tick_at {
            self.serve(false);
            // Missed ticks are not made up for.
            self.tick_at = (self.tick_at + self.subtick).max(now);
        }
        Ok(())
    }

    fn now(&self) -> Time {
        Time::from_nanos(self.began.elapsed().as_nanos() as u64)
    }

    /// Handles arrivals. Returns whether a frame was among them.
    fn receive(&mut self, until: Instant) -> Result<bool> {
        let BarePlane { datagrams, netcode, scene, motion_sessions, netcode_sessions, began, .. } = self;
        let batch = datagrams.incoming.receive(until)?;
        let now = Time::from_nanos(began.elapsed().as_nanos() as u64);
        let mut came = false;
        for (way, datagram) in batch {
            match netcode.handle(datagram, way, now) {
                NetcodeDatagramOutcome::Nothing => {}
                NetcodeDatagramOutcome::Answer(bytes) => send(&mut datagrams.outgoing, way, bytes),
                NetcodeDatagramOutcome::Entered { session, ticket, answer } => {
                    send(&mut datagrams.outgoing, way, answer);
                    let id_tag = String::from_utf8_lossy(ticket).trim_end_matches('\0').to_owned();
                    let motion_session = scene.enter(
                        MotionEntrant { id_tag, rights: MotionRights { may_track: false, ..MotionRights::ALL } },
                        now,
                    );
                    motion_sessions.insert(session, motion_session);
                    netcode_sessions.insert(motion_session, session);
                }
                NetcodeDatagramOutcome::Frame { session, bytes, .. } => {
                    if let Some(&motion_session) = motion_sessions.get(&session) {
                        came = true;
                        scene.handle_frame(motion_session, bytes, now);
                    }
                }
                NetcodeDatagramOutcome::Left { session } => {
                    if let Some(motion_session) = motion_sessions.remove(&session) {
                        netcode_sessions.remove(&motion_session);
                        scene.leave(motion_session, now);
                    }
                }
            }
        }
        Ok(came)
    }

    /// Sends to one group of receivers, or to all, and sends netcode's due keep-alives.
    fn serve(&mut self, all: bool) {
        let now = self.now();
        let BarePlane { datagrams, netcode, scene, netcode_sessions, .. } = self;
        let zeros = [0; FRAME_BYTES_MAX];
        let mut last: Option<(MotionSessionId, NetcodeSessionId, DatagramAddresses)> = None;
        let mut send_frame = |outgoing: stoa_state::motion::OutgoingFrame<'_>| {
            let (_, session, way) = match last {
                Some(found @ (motion_session, ..)) if motion_session == outgoing.session => found,
                _ => {
                    let Some(&session) = netcode_sessions.get(&outgoing.session) else { return };
                    let Some(way) = netcode.peer(session) else { return };
                    *last.insert((outgoing.session, session, way))
                }
            };
            let parts = [&outgoing.head[..], outgoing.own, outgoing.shared, &zeros[..outgoing.padding]];
            datagrams.outgoing.add(way, |room| netcode.seal(session, &parts, room));
        };
        if all {
            scene.flush(now, &mut send_frame)
        } else {
            scene.tick(now, &mut send_frame)
        }
        netcode.handle_timeout(now);
        while let Some(due) = netcode.poll_due() {
            if let DueAction::KeepAlive { peer: way, bytes } = due {
                send(&mut datagrams.outgoing, way, bytes);
            }
        }
        datagrams.outgoing.flush();
    }
}

fn send(outgoing: &mut DatagramSender, way: DatagramAddresses, bytes: &[u8]) {
    outgoing.add(way, |room| {
        room[..bytes.len()].copy_from_slice(bytes);
        bytes.len()
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::spawn;

    use base64::prelude::{BASE64_STANDARD, Engine};
    use serde_json::json;

    use super::*;
    use crate::bots::random_waypoint::RandomWaypointCrowd;
    use crate::crowd::connections::NetcodeConnections;
    use crate::crowd::tickets::TicketSource;
    use crate::crowd::{Crowd, CrowdSettings};
    use crate::load::person::PersonIdentifiers;
    use crate::servers::motion::PolicyName;

    #[test]
    fn three_people_see_each_other_drawn_at_their_true_positions() {
        let (mut plane, address) = BarePlane::open(&MotionOptions::default()).expect("a port");
        let ending = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&ending);
        let serving = spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                plane.turn().expect("a socket");
            }
        });
        let ticket = |person| {
            let token = token(address, person, &PersonIdentifiers::of(person).id_tag).expect("a token");
            json!({ "netcode": { "token": BASE64_STANDARD.encode(token) } })
        };
        let mut ticket_source = TicketSource::Given((0..3).map(ticket).collect());
        let connections = NetcodeConnections::new(3, address).expect("a socket");
        let cast = CrowdSettings { people: 3, decoders: 2, objects: 3, seed: 5, ..CrowdSettings::default() };
        let mut crowd = Crowd::new(cast, connections, Box::new(RandomWaypointCrowd::new(3, 5)));
        crowd.show();
        crowd.enter(&mut ticket_source).expect("they come in");
        crowd.await_roommates(PolicyName::All).expect("they know of each other");
        let from_us = crowd.now_us();
        crowd.open_ledger((from_us, from_us + 2_500_000));
        crowd.drive(from_us + 2_400_000).expect("a socket");
        let samples: Vec<_> = crowd.draw().collect();
        crowd.drive(from_us + 2_500_000).expect("a socket");
        let rates = crowd.close_ledger().expect("it was opened").rates(19.0);
        ending.store(true, Ordering::Relaxed);
        serving.join().expect("it does not panic");
        // Independent of the machine's current speed.
        assert!(rates.pairs == 2 * 6 && rates.least_per_s > 2.0 && rates.mean_per_s < 21.0, "{rates:?}");
        let heads: Vec<_> = samples.iter().filter(|sample| sample.object.index == 0).collect();
        assert_eq!(heads.len(), 2 * 3);
        for sample in &heads {
            // Interpolation cuts corners between two poses by a few centimetres.
            let away_mm = crowd.away_mm(sample, sample.shown_us);
            assert!(away_mm < 150.0, "{away_mm} mm: {sample:?}");
        }
        let before = heads.iter().map(|sample| crowd.away_mm(sample, sample.shown_us - 1e6));
        assert!(before.fold(0.0, f64::max) > 1_000.0, "negative control: a second before they were elsewhere");
    }
}
