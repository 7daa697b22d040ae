//! The motion plane's machines with nothing around them: `state`'s scene, `net`'s netcode and datagrams, one thread, no realm. What it carries is what the machines carry; a profile of
//! it is theirs. It lets in whoever has a token of the lab's.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use stoa_net::datagrams::{Datagrams, Outgoing, Way};
use stoa_net::netcode::{Config, Due, Entry, Event, Issuer, Netcode, Random, SessionId};
use stoa_state::motion::{Entrant, MotionScene, Settings, StayId};
use stoa_state::time::{Time, UnixTime};
use stoa_wire::limits::{FRAME_BYTES_MAX, MOTION_PROTOCOL_ID};

use crate::limits;
use crate::machine::{on_core, raise_file_limit};
use crate::servers::motion::MotionOptions;

/// Whoever has it may let in; it is good for this server alone, on this machine alone.
const TOKEN_KEY: [u8; 32] = [4; 32];
/// Tokens are made while it starts and long good.
const TOKEN_TTL_S: u64 = 600;

/// A bare server that runs until this is dropped.
pub(crate) struct Bare {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Bare {
    pub(crate) fn start(options: &MotionOptions) -> Result<Bare> {
        let program = std::env::current_exe()?;
        let mut command = Command::new(program);
        command.arg("bare").args(options.to_arguments()).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = on_core(limits::SERVER_CPU, || command.spawn().context("cannot start the bare server"))?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("it has an output")?).read_line(&mut line)?;
        let address = line.trim().parse().context("the bare server's address")?;
        Ok(Bare { child, address })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// A token for somebody.
    pub(crate) fn token(&self, person: usize, id_tag: &str) -> Result<Vec<u8>> {
        let mut rng = fastrand::Rng::with_seed(person as u64);
        let mut bytes = || std::array::from_fn(|_| rng.u8(..));
        let random = Random {
            nonce: std::array::from_fn(|n| (person >> (8 * (n % 8))) as u8),
            client_to_server: bytes(),
            server_to_client: bytes(),
        };
        let now = stoa_server::clock::unix_now();
        let entry = Entry {
            client_id: person as u64,
            ticket: id_tag.as_bytes(),
            servers: vec![self.address],
            created_at: now,
            expires_at: UnixTime(now.0 + TOKEN_TTL_S),
            silence_max: Duration::from_secs(20),
            random,
        };
        Ok(Issuer::new(MOTION_PROTOCOL_ID, TOKEN_KEY).issue(&entry)?)
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Plane {
    datagrams: Datagrams,
    netcode: Netcode,
    scene: MotionScene,
    stays: HashMap<SessionId, StayId>,
    sessions: HashMap<StayId, SessionId>,
    began: Instant,
}

/// Serves until it is killed; prints its address first.
pub(crate) fn serve(options: &MotionOptions) -> Result<()> {
    raise_file_limit();
    let datagrams = Datagrams::bind((Ipv4Addr::LOCALHOST, 0).into())?;
    let address = datagrams.local_address()?;
    println!("{address}");
    std::io::stdout().flush()?;
    let config = Config {
        protocol_id: MOTION_PROTOCOL_ID,
        token_key: TOKEN_KEY,
        challenge_key: [5; 32],
        servers: vec![address],
        started_at: stoa_server::clock::unix_now(),
    };
    let mut plane = Plane {
        datagrams,
        netcode: Netcode::new(&config),
        scene: MotionScene::new(Settings { policy: options.policy()?, bytes_per_s: options.bytes_per_s }),
        stays: HashMap::new(),
        sessions: HashMap::new(),
        began: Instant::now(),
    };
    let subtick = Duration::from_micros(options.subtick_us);
    let mut tick_at = Instant::now() + subtick;
    loop {
        plane.receive(tick_at)?;
        let now = Instant::now();
        if now >= tick_at {
            plane.tick();
            // What was missed is not made up for.
            tick_at = (tick_at + subtick).max(now);
        }
    }
}

impl Plane {
    fn now(&self) -> Time {
        Time::from_nanos(self.began.elapsed().as_nanos() as u64)
    }

    fn receive(&mut self, until: Instant) -> Result<()> {
        let Plane { datagrams, netcode, scene, stays, sessions, began } = self;
        let batch = datagrams.incoming.receive(until)?;
        let now = Time::from_nanos(began.elapsed().as_nanos() as u64);
        for (way, datagram) in batch {
            match netcode.handle(datagram, way, now) {
                Event::Nothing => {}
                Event::Answer(bytes) => send(&mut datagrams.outgoing, way, bytes),
                Event::Entered { session, ticket, answer } => {
                    send(&mut datagrams.outgoing, way, answer);
                    let id_tag = String::from_utf8_lossy(ticket).trim_end_matches('\0').to_owned();
                    let stay = scene.enter(Entrant { id_tag, may_show: true, may_track: false }, now);
                    stays.insert(session, stay);
                    sessions.insert(stay, session);
                }
                Event::Frame { session, bytes, .. } => {
                    if let Some(&stay) = stays.get(&session) {
                        scene.handle_frame(stay, bytes, now);
                    }
                }
                Event::Left { session } => {
                    if let Some(stay) = stays.remove(&session) {
                        sessions.remove(&stay);
                        scene.leave(stay, now);
                    }
                }
            }
        }
        Ok(())
    }

    fn tick(&mut self) {
        let now = self.now();
        let Plane { datagrams, netcode, scene, sessions, .. } = self;
        let zeros = [0; FRAME_BYTES_MAX];
        let mut last: Option<(StayId, SessionId, Way)> = None;
        scene.tick(now, &mut |outgoing| {
            let (_, session, way) = match last {
                Some(found @ (stay, ..)) if stay == outgoing.stay => found,
                _ => {
                    let Some(&session) = sessions.get(&outgoing.stay) else { return };
                    let Some(way) = netcode.way(session) else { return };
                    *last.insert((outgoing.stay, session, way))
                }
            };
            let parts = [&outgoing.head[..], outgoing.own, outgoing.shared, &zeros[..outgoing.padding]];
            datagrams.outgoing.add(way, |room| netcode.seal(session, &parts, room));
        });
        netcode.handle_timeout(now);
        while let Some(due) = netcode.poll_due() {
            if let Due::KeepAlive { way, bytes } = due {
                send(&mut datagrams.outgoing, way, bytes);
            }
        }
        datagrams.outgoing.flush();
    }
}

fn send(outgoing: &mut Outgoing, way: Way, bytes: &[u8]) {
    outgoing.add(way, |room| {
        room[..bytes.len()].copy_from_slice(bytes);
        bytes.len()
    });
}
