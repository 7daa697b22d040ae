use std::sync::Mutex;
use std::sync::mpsc as blocking;

use bytes::Bytes;
use stoa_net::background::BackgroundThreads;
use stoa_net::connection::{LargePacketQueuePermit, MqttConnectionService};
use stoa_net::counters::MqttConnectionCounters;
use stoa_net::outbox::ConnectionOutbox;
use stoa_net::shutdown;
use stoa_state::grant::{Claims, SceneSettings};
use stoa_state::origin::ConnectionOrigin;
use stoa_state::realm::{AuthError, Command, RealmStartParameters};
use stoa_state::scene::{StoredObject, StoredScene, UnixMillis};
use stoa_state::time::UnixSeconds;
use stoa_wire::packet::{
    Connect, DecodeError, MqttVersion, Packet, Publish, PublishProperties, Qos, ReasonCode, RetainHandling, Subscribe,
    SubscriptionRequest, encode,
};
use stoa_wire::topic::Topic;
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::super::changes::write_changes;
use super::super::token_verifier::FixedAccountLookup;
use super::*;
use crate::store::Store;

const PATIENCE: Duration = Duration::from_secs(30);

/// Refuses every token, as soon as the test lets it.
struct Gate(Mutex<blocking::Receiver<()>>);

impl VerifyToken for Gate {
    fn verify(&self, _token: &str) -> Result<Claims, AuthError> {
        let _ = self.0.lock().unwrap().recv();
        Err(AuthError::BadToken)
    }

    fn is_revoked(&self, _jti: &str) -> bool {
        false
    }
}

struct Rig {
    inputs: mpsc::Sender<(ConnectionId, ConnectionEvent)>,
    requests: mpsc::Sender<RealmRequest>,
    /// Each message lets one token through; dropping it lets all through.
    gate: blocking::Sender<()>,
    parts: RealmTaskParts,
    channels: RealmChannels,
    _outcomes: mpsc::Sender<CommitOutcome>,
    _trigger: shutdown::ShutdownTrigger,
}

fn rig() -> Rig {
    let (inputs, taken) = mpsc::channel(limits::INPUTS_QUEUED_MAX);
    let (requests, asked) = mpsc::channel(limits::REQUESTS_QUEUED_MAX);
    let (outcomes, told) = mpsc::channel(1);
    let (trigger, shutdown) = shutdown::channel();
    let (gate, passing) = blocking::channel();
    let parts = RealmTaskParts {
        realm: Realm::new(RealmStartParameters {
            unix_at_zero: UnixSeconds(1),
            seed: 1,
            motion: stoa_state::motion::MotionSettings::default(),
        }),
        zero: Instant::now(),
        keys: Arc::new(Gate(Mutex::new(passing))),
        accounts: Arc::new(FixedAccountLookup(&[])),
        addresses: NetworkConnectionLimiter::new(10),
        unread: RealmUnreadBytesLimiter::default(),
        metrics: Arc::new(Metrics::new()),
        changes: Arc::new(PendingChangeQueue::default()),
        motion: crate::motion::MotionHandle::nowhere(),
    };
    let channels = RealmChannels { inputs: taken, requests: asked, outcomes: told, shutdown };
    Rig { inputs, requests, gate, parts, channels, _outcomes: outcomes, _trigger: trigger }
}

impl Rig {
    async fn ask(&self) -> oneshot::Receiver<CommandAnswer> {
        self.command(Command::People).await
    }

    async fn command(&self, command: Command) -> oneshot::Receiver<CommandAnswer> {
        let (answer, answered) = oneshot::channel();
        self.requests.send(RealmRequest { command, answer }).await.unwrap();
        answered
    }

    async fn say(&self, inbound: ConnectionEvent) {
        self.inputs.send((ConnectionId(1), inbound)).await.unwrap();
    }
}

fn connect() -> Packet {
    Packet::Connect(
        Connect::new(MqttVersion::V5, "somebody").with_credentials("somebody", Bytes::from_static(b"a.b.c")),
    )
}

#[tokio::test]
async fn connection_inputs_are_handled_between_queued_requests() {
    let rig = rig();
    let outbox = Arc::new(ConnectionOutbox::default());
    let mut answers = Vec::new();
    for _ in 0..limits::REQUESTS_QUEUED_MAX {
        answers.push(rig.ask().await);
    }
    rig.say(ConnectionEvent::Opened { outbox: Arc::clone(&outbox), origin: ConnectionOrigin::Here }).await;
    rig.say(ConnectionEvent::Packet(connect().into(), LargePacketQueuePermit::default())).await;
    rig.say(ConnectionEvent::Malformed(DecodeError::new("the packet is malformed", ReasonCode::MALFORMED_PACKET)))
        .await;
    let running = tokio::spawn(run(rig.parts, rig.channels));
    while outbox.queued_bytes() == 0 {
        tokio::task::yield_now().await;
    }
    assert!(answers.last_mut().unwrap().try_recv().is_err(), "the connection was heard before the last request");
    drop((rig.gate, rig.inputs));
    timeout(PATIENCE, running).await.unwrap().unwrap();
}

/// An object of 200 kB. Its change takes three times as much memory, with the request and the replaced state.
fn large_object(id: usize) -> StoredObject {
    let attributes = serde_json::json!({"object_type": "text", "value": "x".repeat(200_000)});
    StoredObject {
        object_id: format!("sign{id}"),
        type_name: "object".into(),
        attributes: attributes.as_object().cloned().unwrap(),
        expires_at: None,
        created_at: UnixMillis(1),
        updated_at: UnixMillis(1),
    }
}

#[tokio::test]
async fn a_blocked_store_does_not_stop_the_reading_of_connections() {
    let rig = rig();
    let inputs = rig.inputs.clone();
    let (settings, stored) = (SceneSettings::default(), StoredScene::default());
    let name: stoa_wire::topic::SceneName = "public/lobby".parse().unwrap();
    let mut waiting = vec![rig.command(Command::OpenScene { name: name.clone(), epoch: 1, settings, stored }).await];
    for _ in 0..30 {
        let objects = (0..5).map(large_object).collect();
        waiting.push(rig.command(Command::PutObjects { name: name.clone(), author: "ada".into(), objects }).await);
    }
    let answer = rig.ask().await;
    let running = tokio::spawn(run(rig.parts, rig.channels));
    timeout(PATIENCE, answer).await.unwrap().unwrap();
    assert!(waiting.last_mut().unwrap().try_recv().is_err(), "negative control: 84 MB wait for the disk");
    let outbox = Arc::new(ConnectionOutbox::default());
    for inbound in [
        ConnectionEvent::Opened { outbox: Arc::clone(&outbox), origin: ConnectionOrigin::Here },
        ConnectionEvent::Packet(connect().into(), LargePacketQueuePermit::default()),
        ConnectionEvent::Malformed(DecodeError::new("the packet is malformed", ReasonCode::MALFORMED_PACKET)),
    ] {
        inputs.send((ConnectionId(1), inbound)).await.unwrap();
    }
    let answered = async {
        while outbox.queued_bytes() == 0 {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, answered).await.expect("the connection is read");
    drop((rig.gate, rig.inputs, inputs));
    timeout(PATIENCE, running).await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_token_verification_delays_no_request() {
    let rig = rig();
    let (outbox, answer) = (Arc::new(ConnectionOutbox::default()), rig.ask().await);
    rig.say(ConnectionEvent::Opened { outbox: Arc::clone(&outbox), origin: ConnectionOrigin::Here }).await;
    rig.say(ConnectionEvent::Packet(connect().into(), LargePacketQueuePermit::default())).await;
    let (inputs, requests) = (rig.inputs.clone(), rig.requests.clone());
    let running = tokio::spawn(run(rig.parts, rig.channels));
    timeout(PATIENCE, answer).await.unwrap().unwrap();
    // The connection was handled with the first request. This request arrives while its token is being verified.
    let (answer, answered) = oneshot::channel();
    requests.send(RealmRequest { command: Command::People, answer }).await.unwrap();
    timeout(PATIENCE, answered).await.expect("the loop goes on").unwrap();
    assert_eq!(outbox.queued_bytes(), 0, "negative control: there is no verdict yet");
    rig.gate.send(()).unwrap();
    let told = async {
        while outbox.queued_bytes() == 0 {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, told).await.expect("the verdict arrives");
    drop((inputs, rig.inputs));
    timeout(PATIENCE, running).await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_tokens_are_counted_against_their_address() {
    let rig = rig();
    drop(rig.gate);
    let (addresses, guesser) = (rig.parts.addresses.clone(), std::net::IpAddr::from([192, 0, 2, 1]));
    let inputs = rig.inputs.clone();
    let running = tokio::spawn(run(rig.parts, rig.channels));
    let mut left = 0;
    while let Ok(admission) = addresses.admit(guesser) {
        let (connection, outbox) = (ConnectionId(left), Arc::new(ConnectionOutbox::default()));
        inputs
            .send((connection, ConnectionEvent::Opened { outbox: Arc::clone(&outbox), origin: guesser.into() }))
            .await
            .unwrap();
        inputs
            .send((connection, ConnectionEvent::Packet(connect().into(), LargePacketQueuePermit::default())))
            .await
            .unwrap();
        let told = async {
            while outbox.queued_bytes() == 0 {
                tokio::task::yield_now().await;
            }
        };
        timeout(PATIENCE, told).await.expect("the verdict arrives");
        drop(admission);
        left += 1;
        assert!(left < 2_000, "it is turned away for its bad tokens, not for its openings");
    }
    assert!(left >= u64::from(stoa_net::limits::FAILURES_BURST));
    drop((inputs, rig.inputs));
    timeout(PATIENCE, running).await.unwrap().unwrap();
}

/// Admits every client as an owner of the realm.
struct OpenGate;

impl VerifyToken for OpenGate {
    fn verify(&self, _token: &str) -> Result<Claims, AuthError> {
        Ok(crate::identity::claims::of_realm_owner("somebody", 3_600))
    }

    fn is_revoked(&self, _jti: &str) -> bool {
        false
    }
}

/// An update of an object with many attributes.
fn heavy_publish() -> Packet {
    let attributes: serde_json::Map<String, serde_json::Value> =
        (0..3_000).map(|number| (format!("key-{number}"), number.into())).collect();
    let payload = serde_json::json!({"object_id": "box", "action": "update", "type": "object", "data": attributes});
    publish(payload.to_string())
}

/// A message on the topic of an object.
fn publish(payload: String) -> Packet {
    publish_to("realm/s/public/lobby/o/somebody/box", payload)
}

fn publish_to(topic: &str, payload: String) -> Packet {
    Packet::Publish(Publish {
        topic: Topic::parse(topic).unwrap(),
        payload: payload.into(),
        qos: Qos::AtMostOnce,
        retain: false,
        dup: false,
        packet_id: None,
        properties: PublishProperties::default(),
    })
}

/// The number at the end of a metric's line.
fn value_of(page: &str, metric: &str) -> u64 {
    let line = page.lines().find_map(|line| line.strip_prefix(metric));
    line.and_then(|value| value.trim().parse().ok()).unwrap_or_else(|| panic!("{metric} in {page}"))
}

/// Opens `public/lobby`.
async fn open(requests: &mpsc::Sender<RealmRequest>, stored: StoredScene) {
    let (name, settings) = ("public/lobby".parse().unwrap(), SceneSettings::default());
    let command = Command::OpenScene { name, epoch: 1, settings, stored };
    let (answer, answered) = oneshot::channel();
    requests.send(RealmRequest { command, answer }).await.unwrap();
    timeout(PATIENCE, answered).await.unwrap().unwrap();
}

/// Opens `public/lobby` and admits a client. Returns its outbox.
async fn open_and_connect(
    inputs: &mpsc::Sender<(ConnectionId, ConnectionEvent)>,
    requests: &mpsc::Sender<RealmRequest>,
    stored: StoredScene,
) -> Arc<ConnectionOutbox> {
    open(requests, stored).await;
    let outbox = Arc::new(ConnectionOutbox::default());
    let opened = ConnectionEvent::Opened { outbox: Arc::clone(&outbox), origin: ConnectionOrigin::Here };
    for input in [opened, ConnectionEvent::Packet(connect().into(), LargePacketQueuePermit::default())] {
        inputs.send((ConnectionId(1), input)).await.unwrap();
    }
    wait_for_bytes(&outbox, 1).await;
    outbox
}

async fn wait_for_bytes(outbox: &ConnectionOutbox, bytes: usize) {
    let waiting = async {
        while outbox.queued_bytes() < bytes {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, waiting).await.expect("the answer arrives");
}

#[tokio::test]
async fn heavy_messages_that_wait_together_are_applied_in_several_rounds() {
    let mut rig = rig();
    rig.parts.keys = Arc::new(OpenGate);
    let metrics = Arc::clone(&rig.parts.metrics);
    let running = tokio::spawn(run(rig.parts, rig.channels));
    let _outbox = open_and_connect(&rig.inputs, &rig.requests, StoredScene::default()).await;
    // Nothing awaits here, so the realm's task finds all of them at once.
    for _ in 0..100 {
        let input = ConnectionEvent::Packet(heavy_publish().into(), LargePacketQueuePermit::default());
        rig.inputs.try_send((ConnectionId(1), input)).unwrap();
    }
    drop(rig.inputs);
    timeout(PATIENCE, running).await.unwrap().unwrap();
    let page = metrics.render(&MqttConnectionCounters::default(), []);
    assert_eq!(value_of(&page, "stoa_accepted_total"), 100, "all of them are applied");
    assert!(value_of(&page, "stoa_realm_long_rounds_total{cause=\"publish\"}") >= 2, "{page}");
}

/// A subscription to all of `public/lobby`.
fn subscription() -> Packet {
    let subscription = SubscriptionRequest {
        filter: "realm/s/public/lobby/+/+/+".into(),
        qos: Qos::AtMostOnce,
        no_local: false,
        retain_as_published: false,
        retain_handling: RetainHandling::Send,
    };
    Packet::Subscribe(Subscribe { packet_id: 1, subscriptions: vec![subscription], subscription_id: None })
}

#[tokio::test]
async fn a_large_scene_is_returned_on_getpersist() {
    let mut rig = rig();
    rig.parts.keys = Arc::new(OpenGate);
    let running = tokio::spawn(run(rig.parts, rig.channels));
    let sign = StoredObject {
        object_id: "sign".into(),
        type_name: "object".into(),
        attributes: [("value".to_owned(), serde_json::Value::from("x".repeat(100_000)))].into_iter().collect(),
        expires_at: None,
        created_at: UnixMillis(0),
        updated_at: UnixMillis(0),
    };
    let stored = StoredScene { revision: 1, objects: vec![sign] };
    let outbox = open_and_connect(&rig.inputs, &rig.requests, stored).await;
    let subscribe = subscription();
    let request = r#"{"object_id": "box", "action": "getPersist"}"#;
    for packet in [subscribe, publish(request.to_owned())] {
        let input = ConnectionEvent::Packet(packet.into(), LargePacketQueuePermit::default());
        rig.inputs.send((ConnectionId(1), input)).await.unwrap();
    }
    wait_for_bytes(&outbox, 100_000).await;
    drop(rig.inputs);
    timeout(PATIENCE, running).await.unwrap().unwrap();
}

/// Connects a client that reads nothing, requests a scene `times` times, and stays.
async fn request_unread(intake: MqttConnectionService, name: &str, times: usize) -> (DuplexStream, JoinHandle<()>) {
    let (mut client, io) = tokio::io::duplex(16 * 1_024);
    let serving = tokio::spawn(async move { intake.serve(ConnectionOrigin::Here, io).await });
    let connect = Connect::new(MqttVersion::V5, name).with_credentials("somebody", Bytes::from_static(b"a.b.c"));
    let payload = r#"{"object_id": "box", "action": "getPersist"}"#.to_owned();
    let request = publish_to(&format!("realm/s/public/lobby/o/{name}/box"), payload);
    let requests = std::iter::repeat_n(request, times);
    for packet in [Packet::Connect(connect), subscription()].into_iter().chain(requests) {
        for part in encode(&packet, MqttVersion::V5).parts() {
            client.write_all(part).await.unwrap();
        }
    }
    (client, serving)
}

#[tokio::test]
async fn the_client_with_the_most_unread_bytes_is_disconnected_first() {
    let mut rig = rig();
    rig.parts.keys = Arc::new(OpenGate);
    rig.parts.unread = RealmUnreadBytesLimiter::new(1_000_000, 2_000_000);
    let intake = MqttConnectionService::new(rig.inputs.clone(), BackgroundThreads::start(1).unwrap())
        .under(rig.parts.unread.clone());
    let metrics = Arc::clone(&rig.parts.metrics);
    let running = tokio::spawn(run(rig.parts, rig.channels));
    let stored = StoredScene { revision: 1, objects: vec![large_object(1)] };
    open(&rig.requests, stored).await;
    let overflowed = || value_of(&metrics.render(&MqttConnectionCounters::default(), []), "stoa_overflowed_total");
    let hoarder = request_unread(intake.clone(), "hoarder", 4).await;
    let hoarded = async {
        while intake.unread().bytes() < 700_000 {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, hoarded).await.expect("four scenes of 200 kB wait");
    assert_eq!(overflowed(), 0, "negative control: the bound is not reached");
    let (small, serving) = request_unread(intake.clone(), "small", 2).await;
    let ended = async {
        while overflowed() == 0 {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, ended).await.expect("the hoarder ends");
    assert!((300_000..500_000).contains(&intake.unread().bytes()), "the small one's: {}", intake.unread().bytes());
    assert!(!serving.is_finished() && overflowed() == 1);
    drop((rig.inputs, intake, small, hoarder));
    timeout(PATIENCE, running).await.unwrap().unwrap();
}

#[tokio::test]
async fn the_store_task_ends_when_the_realm_task_dies() {
    let Rig { inputs: _inputs, requests, parts, channels, .. } = rig();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let (outcomes, _told) = mpsc::channel(1);
    let writing = tokio::spawn(write_changes(store, Arc::clone(&parts.changes), outcomes));
    let realm = tokio::spawn(run(parts, channels));
    let (answer, answered) = oneshot::channel();
    requests.send(RealmRequest { command: Command::People, answer }).await.unwrap();
    answered.await.expect("it lives");
    realm.abort();
    assert!(realm.await.unwrap_err().is_cancelled());
    timeout(PATIENCE, writing).await.expect("the store's task ends with the realm's").unwrap();
}

const CLIENT: ConnectionId = ConnectionId(1);

/// The task with one client in `public/lobby`, before its first round.
fn task_with_a_client() -> RealmTask {
    let mut task = RealmTask::new(rig().parts);
    let (settings, stored) = (SceneSettings::default(), StoredScene::default());
    task.apply_request(RealmRequest {
        command: Command::OpenScene { name: "public/lobby".parse().unwrap(), epoch: 1, settings, stored },
        answer: oneshot::channel().0,
    });
    let now = task.now();
    task.parts.realm.handle_opened(CLIENT, ConnectionOrigin::Here, now);
    task.parts.realm.handle_packet(CLIENT, connect(), now);
    while task.parts.realm.poll_output().is_some() {}
    task.parts.realm.handle_authenticated(CLIENT, OpenGate.verify(""), now);
    task.drain();
    task
}

/// Applies a message that takes longer than an ordinary one. Returns the number of accepted messages so far.
fn apply_heavy(task: &mut RealmTask) -> u64 {
    let input = ConnectionEvent::Packet(heavy_publish().into(), LargePacketQueuePermit::default());
    let mut round = RoundTimer::new(task.now(), own_time());
    task.apply_waiting(&mut VecDeque::from([(CLIENT, input)]), &mut round);
    accepted(task)
}

fn accepted(task: &RealmTask) -> u64 {
    value_of(&task.parts.metrics.render(&MqttConnectionCounters::default(), []), "stoa_accepted_total")
}

/// Lets the client send until it is paused, and checks that its next message waits for the end of the pause.
fn assert_pauses(task: &mut RealmTask) {
    let heavy = (0..100).find(|_| {
        apply_heavy(task);
        task.paused.next_due().is_some()
    });
    assert!(heavy.is_some(), "it is paused");
    let before = accepted(task);
    assert_eq!(apply_heavy(task), before, "its next message waits");
    let due = task.paused.next_due().expect("it is paused");
    task.paused.resume_due(due);
    task.apply_waiting(&mut VecDeque::new(), &mut RoundTimer::new(task.now(), own_time()));
    assert_eq!(accepted(task), before + 1);
}

#[tokio::test]
async fn a_client_that_used_up_its_long_input_time_is_paused_after_each_input() {
    let mut task = task_with_a_client();
    assert_eq!((apply_heavy(&mut task), task.paused.next_due()), (1, None), "negative control");
    let now = task.now();
    task.parts.realm.handle_long_input(CLIENT, PATIENCE, now);
    task.drain();
    assert_pauses(&mut task);
}

#[tokio::test]
async fn a_client_that_used_up_its_input_time_is_paused_after_each_input() {
    let mut task = task_with_a_client();
    assert_eq!((apply_heavy(&mut task), task.paused.next_due()), (1, None), "negative control");
    let (now, payer) = (task.now(), task.parts.realm.payer(CLIENT).expect("it entered"));
    task.parts.realm.handle_input_time(CLIENT, payer, PATIENCE, now);
    task.drain();
    assert_pauses(&mut task);
}

#[tokio::test]
async fn a_reported_database_size_over_its_limit_refuses_new_objects() {
    let size = DatabaseSize { bytes: 2, bytes_max: 1 };
    for outcome in [CommitOutcome::Stored { through: 1, size }, CommitOutcome::Measured(size)] {
        let mut task = task_with_a_client();
        let is_refused = |task: &mut RealmTask| {
            let (name, objects) = ("public/lobby".parse().unwrap(), vec![large_object(1)]);
            let command = Command::PutObjects { name, author: "ada".into(), objects };
            let (answer, mut answered) = oneshot::channel();
            task.apply_request(RealmRequest { command, answer });
            matches!(answered.try_recv(), Ok(CommandAnswer::Refused(_)))
        };
        assert!(!is_refused(&mut task), "negative control");
        task.apply_commit(outcome);
        assert!(is_refused(&mut task), "{outcome:?}");
    }
}
