//! The server's interface to the motion plane.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use stoa_net::datagrams::DatagramSocket;
use stoa_net::frames::FrameSink;
use stoa_net::netcode::{self, NetcodeServer, TokenIssuer, TokenRandomness};
use stoa_state::motion::send_timing::SendTimingMode;
use stoa_state::motion::{MotionRights, MotionSettings};
use stoa_state::realm::{MotionGrant, MotionGrantId, PoseFromMqtt};
use stoa_state::time::UnixSeconds;
use stoa_wire::limits::MOTION_PROTOCOL_ID;
use stoa_wire::motion::MotionObjectKind;
use stoa_wire::topic::SceneName;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::{Notify, oneshot};
use utoipa::ToSchema;

use super::browsers::BrowserEndpointAddresses;
use super::connection::DedicatedMotionSession;
use super::reports::{self, QueuedItemGuard, SceneReportBatch};
use super::thread::{EntryRequest, MotionThread, MotionThreadResources, ThreadCommand};
use super::thread_counters::SharedThreadCounters;
use super::tickets::{MotionGrantRegistry, MotionTransportKind, TicketBytes};
use crate::limits;
#[cfg(test)]
use crate::os::clock;

/// A handle to the motion plane. Cheap to clone.
#[derive(Clone, Debug)]
pub struct MotionHandle(Arc<HandleState>);

#[derive(Debug)]
struct HandleState {
    /// The state machines' time zero.
    zero: Instant,
    started_at: UnixSeconds,
    /// Locked when a grant or session starts, changes or ends, never for a frame.
    tickets: Arc<Mutex<MotionGrantRegistry>>,
    threads: Vec<ThreadHandle>,
    /// The channel of reports, present until the realm takes it.
    news: Mutex<Option<UnboundedReceiver<SceneReportBatch>>>,
    browsers: BrowserEndpointAddresses,
}

/// A thread's channels and shared state.
#[derive(Debug)]
struct ThreadHandle {
    commands: Sender<ThreadCommand>,
    /// Number of poses bridged from MQTT that the thread has not handled yet.
    places: Arc<AtomicUsize>,
    figures: SharedThreadCounters,
    queue_full: Arc<AtomicU64>,
    issuer: TokenIssuer,
    /// `None` without native clients.
    bound: Option<SocketAddr>,
}

/// The motion plane's configuration.
#[derive(Debug)]
pub struct MotionConfig {
    /// The state machines' time zero.
    pub zero: Instant,
    /// A bound socket for each thread. If empty, one thread runs without a socket.
    pub sockets: Vec<DatagramSocket>,
    /// Wall-clock time at `zero`. Tickets for netcode are issued and checked by both, so a later change of the
    /// clock has no effect.
    pub started_at: UnixSeconds,
    /// The addresses for browsers. If a socket is bound to all addresses, native clients are offered
    /// [`BrowserEndpointAddresses::addresses`], the address to which they sent their request, and loopback.
    pub browsers: BrowserEndpointAddresses,
    /// The serving mode: at ticks, as soon as frames arrive, or by load.
    pub serving: SendTimingMode,
}

/// The running threads. Dropping this value ends the threads and waits for their end.
#[derive(Debug)]
pub struct MotionThreads {
    ending: Arc<AtomicBool>,
    ended: Arc<Notify>,
    threads: Vec<JoinHandle<()>>,
}

/// Held by a thread: reports its end, also after a panic.
struct EndReport(Arc<Notify>);

impl Drop for EndReport {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

/// The origin of a request for a ticket.
#[derive(Clone, Debug, Default)]
pub struct TicketRequestContext {
    /// The request's `Host` header; `None` over MQTT.
    pub host: Option<String>,
    /// Whether the request came over HTTPS. A page loaded by HTTPS may open only secure connections.
    pub is_secure: bool,
    /// The client's address.
    pub address: Option<IpAddr>,
}

/// The entry data of a ticket for each transport. Transports that the realm doesn't offer are null. Source:
/// `spec/wire.md` section 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TicketDocument {
    /// The client's id in the scene.
    pub id_tag: String,
    /// The client's identity.
    pub user_client: String,
    /// Seconds until the ticket expires.
    pub expires_s: u64,
    /// For browsers.
    pub webtransport: Option<WebTransportOffer>,
    /// For networks without UDP.
    pub websocket: Option<WebSocketOffer>,
    /// For native clients.
    pub netcode: Option<NetcodeOffer>,
    /// The client's rights to media flows. Null in a scene without voice.
    pub flows: Option<FlowRights>,
}

/// A client's rights to media flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FlowRights {
    /// Send its voice.
    pub speak: bool,
    /// Receive voices.
    pub hear: bool,
}

/// Entry by WebTransport.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WebTransportOffer {
    /// The URL with the ticket. It is a secret.
    pub url: String,
    /// SHA-256, in base64, of the currently valid certificates. Empty if a public authority issued them.
    pub certificate_hashes: Vec<String>,
}

/// Entry by WebSocket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WebSocketOffer {
    /// The URL with the ticket. It is a secret.
    pub url: String,
}

/// Entry by netcode 1.02.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NetcodeOffer {
    /// A connect token: 2,048 bytes in base64. It is a secret.
    pub token: String,
}

/// Starts the threads.
///
/// # Errors
/// The system's error, if it can't start a thread or name a socket's address.
pub fn start(config: MotionConfig) -> io::Result<(MotionHandle, MotionThreads)> {
    let MotionConfig { zero, started_at, sockets, browsers, serving } = config;
    let tickets: Arc<Mutex<MotionGrantRegistry>> = Arc::default();
    let mut running = MotionThreads { ending: Arc::default(), ended: Arc::default(), threads: Vec::new() };
    let mut threads = Vec::new();
    let (reports, news) = reports::channel();
    let news = Mutex::new(Some(news));
    let sockets: Vec<Option<DatagramSocket>> =
        if sockets.is_empty() { vec![None] } else { sockets.into_iter().map(Some).collect() };
    for (number, socket) in sockets.into_iter().enumerate() {
        let bound = socket.as_ref().map(DatagramSocket::local_address).transpose()?;
        let (token_key, figures, queue_full) = (rand::random(), SharedThreadCounters::default(), Arc::default());
        let (commands, taken) = mpsc::channel();
        let config = netcode::NetcodeConfig {
            protocol_id: MOTION_PROTOCOL_ID,
            token_key,
            challenge_key: rand::random(),
            started_at,
        };
        let parts = MotionThreadResources {
            zero,
            tickets: Arc::clone(&tickets),
            commands: taken,
            reports: reports.clone(),
            serving,
            ending: Arc::clone(&running.ending),
            figures: figures.clone(),
            queue_full: Arc::clone(&queue_full),
            socket,
            netcode: NetcodeServer::new(&config),
        };
        let report = EndReport(Arc::clone(&running.ended));
        let run = move || {
            let _report = report;
            MotionThread::new(parts).run();
        };
        running.threads.push(std::thread::Builder::new().name(format!("motion {number}")).spawn(run)?);
        threads.push(ThreadHandle {
            commands,
            places: Arc::default(),
            figures,
            queue_full,
            issuer: TokenIssuer::new(MOTION_PROTOCOL_ID, token_key),
            bound,
        });
    }
    Ok((MotionHandle(Arc::new(HandleState { zero, started_at, tickets, threads, news, browsers })), running))
}

impl MotionHandle {
    /// A handle whose threads have ended: tickets can be issued but admit nobody.
    #[cfg(test)]
    pub(crate) fn nowhere() -> MotionHandle {
        let config = MotionConfig {
            zero: Instant::now(),
            started_at: clock::unix_now(),
            sockets: Vec::new(),
            browsers: BrowserEndpointAddresses::default(),
            serving: SendTimingMode::Auto,
        };
        start(config).expect("threads can be had").0
    }

    /// Starts a session by a ticket, which is valid once for each transport. `None` if the ticket is invalid.
    pub async fn enter(
        &self,
        ticket: &str,
        transport: MotionTransportKind,
        sink: Box<dyn FrameSink>,
    ) -> Option<DedicatedMotionSession> {
        let ticket = TicketBytes::from_text(ticket)?;
        let scene = self.lock().peek(ticket)?.scene.clone();
        let ThreadHandle { commands, queue_full, .. } = self.thread_of(&scene);
        let (answer, answered) = oneshot::channel();
        commands.send(ThreadCommand::Enter(EntryRequest { ticket, transport, sink, answer })).ok()?;
        Some(DedicatedMotionSession::new(answered.await.ok()?, commands.clone(), self.0.zero, Arc::clone(queue_full)))
    }

    /// Stores a motion grant and creates its ticket.
    pub fn hold(&self, grant: MotionGrant) {
        self.lock().issue(grant, Instant::now());
    }

    /// The ticket's document for the holder of a motion grant; `None` if the grant has ended.
    pub fn document(&self, grant: MotionGrantId, requester: &TicketRequestContext) -> Option<TicketDocument> {
        let tickets = self.lock();
        let (ticket, grant) = tickets.of(grant)?;
        let (id_tag, user_client) = (grant.id_tag.clone(), grant.user_client.clone());
        let expires_s = limits::MOTION_TICKET_TTL.as_secs();
        let netcode = self.token(ticket, grant, requester).map(|token| NetcodeOffer { token: STANDARD.encode(token) });
        let MotionRights { may_speak, may_hear, .. } = grant.rights;
        let flows = grant.settings.has_voice.then_some(FlowRights { speak: may_speak, hear: may_hear });
        let text = ticket.to_text();
        let browsers = &self.0.browsers;
        let (webtransport, websocket) = (browsers.webtransport(&text, requester), browsers.websocket(&text, requester));
        Some(TicketDocument { id_tag, user_client, expires_s, webtransport, websocket, netcode, flows })
    }

    /// Ends a motion grant and its session.
    pub fn end(&self, grant: MotionGrantId, scene: SceneName) {
        self.lock().end(grant);
        // A thread that has ended has ended its sessions too.
        let _ = self.thread_of(&scene).commands.send(ThreadCommand::End { grant, scene });
    }

    /// The channel of reports from the threads to the realm.
    ///
    /// # Panics
    /// On a second call: there is one realm.
    pub fn take_reports(&self) -> UnboundedReceiver<SceneReportBatch> {
        let mut news = self.0.news.lock().expect("no code panics while it holds this lock");
        news.take().expect("there is one realm")
    }

    /// Passes a pose that arrived over MQTT to the plane. Drops it if the thread has fallen far behind, since the next
    /// pose supersedes it.
    pub fn set_pose(&self, scene: SceneName, pose: PoseFromMqtt) {
        let ThreadHandle { commands, places, .. } = self.thread_of(&scene);
        if places.load(Ordering::Relaxed) < limits::MOTION_PLACES_WAITING_MAX {
            let _ = commands.send(ThreadCommand::SetPose { scene, pose, _queued: QueuedItemGuard::among(places) });
        }
    }

    /// Removes a person known by MQTT alone, or one of that person's parts, from the plane.
    pub fn remove_pose(&self, scene: SceneName, id_tag: String, part: Option<MotionObjectKind>) {
        let _ = self.thread_of(&scene).commands.send(ThreadCommand::RemovePose { scene, id_tag, part });
    }

    /// Sets whether any client follows the scene's poses over MQTT.
    pub fn follow(&self, scene: SceneName, is_followed: bool) {
        let _ = self.thread_of(&scene).commands.send(ThreadCommand::Follow { scene, is_followed });
    }

    /// Changes a scene's motion settings.
    pub fn change(&self, scene: SceneName, settings: MotionSettings) {
        // Grants first: without a session the thread has no scene to change.
        self.lock().change(&scene, settings);
        let _ = self.thread_of(&scene).commands.send(ThreadCommand::Change { scene, settings });
    }

    /// Removes unused motion grants with expired tickets. Returns their ids: the caller ends them in the realm.
    pub fn sweep(&self) -> Vec<MotionGrantId> {
        self.lock().sweep(Instant::now())
    }

    /// Each thread's counters.
    pub fn figures(&self) -> impl Iterator<Item = &SharedThreadCounters> {
        self.0.threads.iter().map(|thread| &thread.figures)
    }

    /// The first thread's address for native clients.
    pub fn bound(&self) -> Option<SocketAddr> {
        self.0.threads.first()?.bound
    }

    fn lock(&self) -> MutexGuard<'_, MotionGrantRegistry> {
        self.0.tickets.lock().expect("no code panics while it holds this lock")
    }

    /// The thread that owns the scene, by a hash of its name.
    fn thread_of(&self, scene: &SceneName) -> &ThreadHandle {
        let mut hasher = DefaultHasher::new();
        scene.hash(&mut hasher);
        let count = self.0.threads.len() as u64;
        &self.0.threads[(hasher.finish() % count) as usize]
    }

    fn token(&self, ticket: TicketBytes, grant: &MotionGrant, requester: &TicketRequestContext) -> Option<Vec<u8>> {
        let thread = self.thread_of(&grant.scene);
        let created_at = UnixSeconds(self.0.started_at.0.saturating_add(self.0.zero.elapsed().as_secs()));
        let entry = netcode::TokenContent {
            client_id: grant.id.0,
            ticket: ticket.bytes(),
            servers: servers(thread.bound?, &self.0.browsers.addresses, requester),
            created_at,
            expires_at: UnixSeconds(created_at.0 + limits::MOTION_TICKET_TTL.as_secs()),
            silence_max: stoa_state::limits::MOTION_SILENCE,
            random: TokenRandomness {
                nonce: rand::random(),
                client_to_server: rand::random(),
                server_to_client: rand::random(),
            },
        };
        Some(thread.issuer.issue(&entry).expect("a ticket fits, and there is an address"))
    }
}

impl MotionThreads {
    /// Tells all threads to end.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }

    /// Returns once a thread has ended. For one caller: each end is reported once.
    pub async fn wait_for_end(&self) {
        self.ended.notified().await;
    }
}

impl Drop for MotionThreads {
    fn drop(&mut self) {
        self.end();
        for thread in self.threads.drain(..) {
            // A thread that panicked has reported it.
            let _ = thread.join();
        }
    }
}

/// Server addresses for a connect token: the bound address if it is specific. Otherwise the host of the request if it
/// is an address, loopback if the client is on this machine, the machine's known addresses, and loopback last. At most
/// [`limits::MOTION_SERVERS_MAX`].
fn servers(bound: SocketAddr, known: &[IpAddr], requester: &TicketRequestContext) -> Vec<SocketAddr> {
    if !bound.ip().is_unspecified() {
        return vec![bound];
    }
    let asked = requester.host.as_deref().and_then(host_address);
    let here =
        requester.address.filter(|address| address.to_canonical().is_loopback()).map(|_| Ipv4Addr::LOCALHOST.into());
    let loopback = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
    let mut ips: Vec<IpAddr> = Vec::new();
    for ip in asked.into_iter().chain(here).chain(known.iter().copied()).chain(loopback) {
        let fits = bound.is_ipv6() || ip.is_ipv4();
        if fits && !ips.contains(&ip) && ips.len() < limits::MOTION_SERVERS_MAX {
            ips.push(ip);
        }
    }
    ips.into_iter().map(|ip| SocketAddr::new(ip, bound.port())).collect()
}

/// The address in a host such as `192.0.2.7:8443` or `[::1]`.
fn host_address(host: &str) -> Option<IpAddr> {
    let address = host.parse::<SocketAddr>().map(|address| address.ip());
    address.ok().or_else(|| host.trim_start_matches('[').trim_end_matches(']').parse().ok())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use stoa_state::motion::MotionSettings;
    use stoa_wire::netcode::ConnectToken;
    use tokio::time::timeout;

    use super::*;
    use crate::motion::tickets::tests::grant;

    #[test]
    fn changed_scene_settings_apply_to_motion_grants_issued_before() {
        let motion = MotionHandle::nowhere();
        motion.hold(grant(1));
        motion.hold(MotionGrant { scene: "public/attic".parse().unwrap(), ..grant(2) });
        let settings =
            MotionSettings { bytes_per_s: 2 * MotionSettings::default().bytes_per_s, ..MotionSettings::default() };
        motion.change("public/lobby".parse().unwrap(), settings);
        let held = |id| motion.lock().of(MotionGrantId(id)).unwrap().1.settings;
        assert_eq!((held(1), held(2)), (settings, MotionSettings::default()));
    }

    #[test]
    fn connect_token_times_do_not_depend_on_the_system_clock() {
        let started_at = UnixSeconds(1_000_000);
        let zero = Instant::now().checked_sub(Duration::from_secs(100)).unwrap();
        let sockets = vec![DatagramSocket::bind("127.0.0.1:0".parse().unwrap()).unwrap()];
        let config = MotionConfig {
            zero,
            started_at,
            sockets,
            browsers: BrowserEndpointAddresses::default(),
            serving: SendTimingMode::Auto,
        };
        let (motion, _running) = start(config).unwrap();
        motion.hold(grant(1));
        let document = motion.document(MotionGrantId(1), &TicketRequestContext::default()).unwrap();
        let token = STANDARD.decode(document.netcode.unwrap().token).unwrap();
        let token = ConnectToken::read(&token).unwrap();
        assert!((1_000_100..1_000_200).contains(&token.created_at), "{} by the clock that judges it", token.created_at);
        assert_eq!(token.expires_at - token.created_at, limits::MOTION_TICKET_TTL.as_secs());
    }

    #[tokio::test]
    async fn the_end_of_motion_threads_is_reported() {
        let sockets = (0..2).map(|_| DatagramSocket::bind("127.0.0.1:0".parse().unwrap()).unwrap()).collect();
        let config = MotionConfig {
            zero: Instant::now(),
            started_at: clock::unix_now(),
            sockets,
            browsers: BrowserEndpointAddresses::default(),
            serving: SendTimingMode::Auto,
        };
        let (_motion, running) = start(config).unwrap();
        assert!(timeout(Duration::from_millis(1), running.wait_for_end()).await.is_err(), "negative control");
        running.end();
        timeout(Duration::from_secs(10), running.wait_for_end()).await.unwrap();
    }

    #[test]
    fn poses_from_mqtt_to_a_lagging_motion_thread_are_bounded() {
        let (commands, taken) = mpsc::channel();
        let issuer = TokenIssuer::new(1, [1; 32]);
        let (places, figures, queue_full) = (Arc::default(), SharedThreadCounters::default(), Arc::default());
        let motion = MotionHandle(Arc::new(HandleState {
            zero: Instant::now(),
            started_at: UnixSeconds(1),
            tickets: Arc::default(),
            threads: vec![ThreadHandle { commands, places, figures, queue_full, issuer, bound: None }],
            news: Mutex::default(),
            browsers: BrowserEndpointAddresses::default(),
        }));
        let pose = PoseFromMqtt {
            id_tag: "bob".into(),
            part: MotionObjectKind::Head,
            position: Some([1.0; 3]),
            rotation: None,
        };
        for _ in 0..limits::MOTION_PLACES_WAITING_MAX + 100 {
            motion.set_pose("public/lobby".parse().unwrap(), pose.clone());
        }
        assert_eq!(taken.try_iter().count(), limits::MOTION_PLACES_WAITING_MAX);
        motion.set_pose("public/lobby".parse().unwrap(), pose);
        assert_eq!(taken.try_iter().count(), 1, "it has caught up");
    }
}
