//! A realm with clients that send packets, and a store that commits at once unless told to wait.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::IpAddr;
use core::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use stoa_wire::motion::MotionObjectKind as Part;
use stoa_wire::packet::{
    Connect, Decoder, EncodedPacket, MqttVersion, Packet, Publish, PublishAck, PublishProperties, Qos, ReasonCode,
    RetainHandling, Subscribe, SubscriptionRequest, Will,
};
use stoa_wire::topic::{SceneName, Topic};
use stoa_wire::topic_filter::TopicFilter;

use crate::grant::{Claims, Role, RoleRequester, SceneSettings, TokenIds, filters};
use crate::mqtt::received_packet::ReceivedPacket;
use crate::mqtt::stored::{BrokerWrite, StoredBroker};
use crate::origin::ConnectionOrigin;
use crate::realm::{
    AuthError, Command, CommandAnswer, CommandId, ConnectionId, MotionGrant, MotionGrantId, PoseFromMqtt, Realm,
    RealmCounter, RealmOutput, RealmStartParameters, RecordsSerializationJob, StoreWrite,
};
use crate::scene::{PendingLogEntry, StoredScene};
use crate::time::{Time, UnixSeconds};

pub(super) const NOW_UNIX: u64 = 1_700_000_000;

pub(super) fn lobby() -> SceneName {
    "public/lobby".parse().unwrap()
}

pub(super) struct World {
    pub(super) realm: Realm,
    pub(super) now: Time,
    /// Each client's token verdict, until the realm requests it.
    verdicts: BTreeMap<ConnectionId, Result<Claims, AuthError>>,
    decoders: BTreeMap<ConnectionId, Decoder>,
    pub(super) frames: Vec<(ConnectionId, EncodedPacket)>,
    inboxes: BTreeMap<ConnectionId, Vec<Packet>>,
    pub(super) closed: Vec<ConnectionId>,
    /// Pauses of connections' readers.
    pub(super) pauses: Vec<(ConnectionId, Duration)>,
    pub(super) changes: Vec<(u64, PendingLogEntry)>,
    pub(super) store_waits: bool,
    /// Writes not yet on disk, and the disk's content.
    pub(super) writes: Vec<(u64, BrokerWrite)>,
    pub(super) kept: StoredBroker,
    pub(super) counts: BTreeMap<(RealmCounter, Option<&'static str>), u64>,
    pub(super) answers: Vec<CommandAnswer>,
    pub(super) motion_grants: Vec<(ConnectionId, MotionGrant)>,
    pub(super) ended_motion_grants: Vec<MotionGrantId>,
    pub(super) motion_changes: Vec<(SceneName, crate::motion::MotionSettings)>,
    /// Poses of plain MQTT clients, or as errors their ends.
    pub(super) placed: Vec<Result<PoseFromMqtt, (String, Option<Part>)>>,
    /// Each report of whether MQTT clients receive motion poses.
    pub(super) followed: Vec<bool>,
    /// Connections that are not read at present.
    pub(super) paused: Vec<ConnectionId>,
    pub(super) records_wait: bool,
    /// Records not yet written.
    pub(super) jobs: Vec<RecordsSerializationJob>,
    /// Number of requests to write records.
    pub(super) jobs_begun: usize,
}

/// Parameters of a client's connection.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) claims: Claims,
    pub(super) connect: Connect,
}

pub(super) fn claims(sub: &str, role: Role, guest: bool) -> Claims {
    let id_tag = alloc::format!("{sub}_0123456789");
    let user_client = alloc::format!("{id_tag}_web");
    let ids = TokenIds::person(user_client.clone(), id_tag.clone());
    let granted = filters(&crate::grant::TokenFilterInput {
        role,
        scene: &lobby(),
        settings: &SceneSettings::default(),
        account: &RoleRequester { name: sub, realm_owner: false, guest },
        ids: &ids,
    });
    Claims {
        user_client: Some(user_client),
        user_id: Some(id_tag),
        scene: Some(lobby()),
        role: Some(role),
        guest,
        by_realm: !guest,
        ..Claims::new(sub, alloc::format!("jti-{sub}"), UnixSeconds(NOW_UNIX)..UnixSeconds(NOW_UNIX + 3_600), granted)
    }
}

pub(super) fn entry(sub: &str, version: MqttVersion) -> Entry {
    let claims = claims(sub, Role::Owner, false);
    let connect = Connect {
        keep_alive_s: 60,
        ..Connect::new(version, alloc::format!("client-{sub}")).with_credentials(sub, Bytes::from_static(b"token"))
    };
    Entry { claims, connect }
}

pub(super) fn guest(sub: &str, version: MqttVersion) -> Entry {
    Entry { claims: claims(sub, Role::Viewer, true), ..entry(sub, version) }
}

pub(super) fn explicit(sub: &str, version: MqttVersion, filters: &[&str]) -> Entry {
    let parsed: Vec<TopicFilter> = filters.iter().map(|text| TopicFilter::parse(text).unwrap()).collect();
    let plain = entry(sub, version);
    let claims = Claims {
        publ: parsed.clone(),
        subs: parsed,
        user_client: None,
        user_id: None,
        scene: None,
        role: None,
        explicit: true,
        ..plain.claims
    };
    Entry { claims, ..plain }
}

pub(super) fn will(topic: &str, payload: &'static str) -> Will {
    Will {
        topic: Topic::parse(topic).unwrap(),
        payload: Bytes::from_static(payload.as_bytes()),
        qos: Qos::ExactlyOnce,
        retain: false,
        delay_s: 0,
        properties: PublishProperties::default(),
    }
}

pub(super) fn publish(topic: &str, payload: &str) -> Publish {
    Publish {
        topic: Topic::parse(topic).unwrap(),
        payload: Bytes::copy_from_slice(payload.as_bytes()),
        qos: Qos::AtMostOnce,
        retain: false,
        dup: false,
        packet_id: None,
        properties: PublishProperties::default(),
    }
}

impl World {
    /// Opens a world with the scene `public/lobby`.
    pub(super) fn new() -> World {
        let start = RealmStartParameters {
            unix_at_zero: UnixSeconds(NOW_UNIX),
            seed: 1,
            motion: crate::motion::MotionSettings::default(),
        };
        let mut world = World {
            realm: Realm::new(start),
            now: Time::ZERO,
            verdicts: BTreeMap::new(),
            decoders: BTreeMap::new(),
            frames: Vec::new(),
            inboxes: BTreeMap::new(),
            closed: Vec::new(),
            pauses: Vec::new(),
            changes: Vec::new(),
            store_waits: false,
            writes: Vec::new(),
            kept: StoredBroker::default(),
            counts: BTreeMap::new(),
            answers: Vec::new(),
            motion_grants: Vec::new(),
            ended_motion_grants: Vec::new(),
            motion_changes: Vec::new(),
            placed: Vec::new(),
            followed: Vec::new(),
            paused: Vec::new(),
            records_wait: false,
            jobs: Vec::new(),
            jobs_begun: 0,
        };
        let (settings, stored) = (SceneSettings::default(), StoredScene::default());
        world.command(Command::OpenScene { name: lobby(), epoch: 7, settings, stored });
        world
    }

    pub(super) fn command(&mut self, command: Command) -> CommandAnswer {
        self.realm.handle_command(CommandId(1), command, self.now);
        self.drain();
        self.answers.pop().expect("each command is answered")
    }

    /// Changes the settings of `public/lobby`.
    pub(super) fn set(&mut self, settings: SceneSettings) {
        self.command(Command::ChangeSettings { name: lobby(), settings });
    }

    /// Lets everybody build in `public/lobby`, guests too.
    pub(super) fn let_everybody_build(&mut self) {
        self.set(SceneSettings { public_write: true, ..SceneSettings::default() });
    }

    /// Connects and drops the CONNACK.
    pub(super) fn enter(&mut self, id: u64, entry: Entry) -> ConnectionId {
        let connection = self.try_enter(id, entry);
        let inbox = self.inbox(connection);
        assert!(matches!(&inbox[..], [Packet::ConnAck(ack), ..] if ack.code == ReasonCode::SUCCESS), "{inbox:?}");
        connection
    }

    pub(super) fn try_enter(&mut self, id: u64, entry: Entry) -> ConnectionId {
        self.try_enter_from(ConnectionOrigin::Here, id, entry)
    }

    /// Connects from an address.
    pub(super) fn enter_from(&mut self, address: &str, id: u64, entry: Entry) -> ConnectionId {
        let connection = self.try_enter_from(address.parse::<IpAddr>().unwrap().into(), id, entry);
        self.inbox(connection);
        connection
    }

    /// Connects from an address, and returns the answers.
    pub(super) fn answers_from(&mut self, address: &str, id: u64, entry: Entry) -> Vec<Packet> {
        let connection = self.try_enter_from(address.parse::<IpAddr>().unwrap().into(), id, entry);
        self.inbox(connection)
    }

    /// Opens a connection whose answers are in this version.
    pub(super) fn open(&mut self, id: u64, version: MqttVersion, origin: ConnectionOrigin) {
        self.decoders.insert(ConnectionId(id), Decoder::for_own(version));
        self.realm.handle_opened(ConnectionId(id), origin, self.now);
    }

    fn try_enter_from(&mut self, origin: ConnectionOrigin, id: u64, entry: Entry) -> ConnectionId {
        let (Entry { claims, connect }, connection) = (entry, ConnectionId(id));
        self.open(id, connect.version, origin);
        self.verdicts.insert(connection, Ok(claims));
        self.send(connection, Packet::Connect(connect));
        connection
    }

    /// Connects with a scene client's subscriptions.
    pub(super) fn enter_scene(&mut self, id: u64, entry: Entry) -> ConnectionId {
        let own = entry.claims.user_id.clone().unwrap_or(entry.connect.client_id.clone());
        let connection = self.enter(id, entry);
        self.subscribe(connection, "realm/s/public/lobby/+/+/+", Qos::AtMostOnce);
        self.subscribe(connection, &alloc::format!("realm/s/public/lobby/+/+/+/{own}/#"), Qos::AtMostOnce);
        connection
    }

    /// Returns the SUBACK's code; the inbox keeps later packets.
    pub(super) fn subscribe(&mut self, connection: ConnectionId, filter: &str, qos: Qos) -> ReasonCode {
        let subscription = SubscriptionRequest {
            filter: filter.into(),
            qos,
            no_local: false,
            retain_as_published: false,
            retain_handling: RetainHandling::Send,
        };
        let subscribe = Subscribe { packet_id: 9, subscriptions: alloc::vec![subscription], subscription_id: None };
        self.send(connection, Packet::Subscribe(subscribe));
        let inbox = self.inboxes.get_mut(&connection).expect("a SUBACK came");
        let at = inbox.iter().position(|packet| matches!(packet, Packet::SubAck(_))).expect("a SUBACK came");
        let Packet::SubAck(acks) = inbox.remove(at) else { unreachable!("was just looked at") };
        acks.codes[0]
    }

    pub(super) fn send(&mut self, connection: ConnectionId, packet: impl Into<ReceivedPacket>) {
        self.realm.handle_packet(connection, packet, self.now);
        self.drain();
    }

    pub(super) fn say(&mut self, connection: ConnectionId, topic: &str, payload: &str) {
        self.send(connection, Packet::Publish(publish(topic, payload)));
    }

    /// Publishes at QoS 1 and returns the PUBACK, if any.
    pub(super) fn say_surely(&mut self, connection: ConnectionId, topic: &str, payload: &str) -> Option<PublishAck> {
        let surely = Publish { qos: Qos::AtLeastOnce, packet_id: Some(1), ..publish(topic, payload) };
        self.send(connection, Packet::Publish(surely));
        self.take_ack(connection)
    }

    pub(super) fn take_ack(&mut self, connection: ConnectionId) -> Option<PublishAck> {
        let inbox = self.inboxes.get_mut(&connection)?;
        let at = inbox.iter().position(|packet| matches!(packet, Packet::PubAck(_) | Packet::PubRec(_)))?;
        match inbox.remove(at) {
            Packet::PubAck(ack) | Packet::PubRec(ack) => Some(ack),
            _ => unreachable!("was just looked at"),
        }
    }

    pub(super) fn close(&mut self, connection: ConnectionId) {
        self.realm.handle_closed(connection, self.now);
        self.drain();
    }

    /// Advances time from deadline to deadline.
    pub(super) fn pass(&mut self, seconds: u64) {
        self.pass_millis(seconds * 1_000);
    }

    /// Advances time in milliseconds.
    pub(super) fn pass_millis(&mut self, millis: u64) {
        let until = self.now + core::time::Duration::from_millis(millis);
        while let Some(at) = self.realm.poll_timeout().filter(|at| *at <= until) {
            self.now = self.now.max(at);
            self.realm.handle_timeout(self.now);
            self.drain();
        }
        self.now = until;
    }

    pub(super) fn inbox(&mut self, connection: ConnectionId) -> Vec<Packet> {
        self.inboxes.remove(&connection).unwrap_or_default()
    }

    /// Returns a client's messages as topic and payload.
    pub(super) fn messages(&mut self, connection: ConnectionId) -> Vec<(String, Value)> {
        let message = |packet: Packet| match packet {
            Packet::Publish(publish) => {
                let payload = serde_json::from_slice(&publish.payload).unwrap_or(Value::Null);
                Some((publish.topic.as_str().to_string(), payload))
            }
            _ => None,
        };
        self.inbox(connection).into_iter().filter_map(message).collect()
    }

    /// Returns a client's messages as text.
    pub(super) fn texts(&mut self, connection: ConnectionId) -> Vec<String> {
        let text = |publish: Publish| String::from_utf8(publish.payload.to_vec()).expect("tests speak in text");
        self.publishes(connection).into_iter().map(text).collect()
    }

    pub(super) fn publishes(&mut self, connection: ConnectionId) -> Vec<Publish> {
        let publish = |packet: Packet| if let Packet::Publish(publish) = packet { Some(publish) } else { None };
        self.inbox(connection).into_iter().filter_map(publish).collect()
    }

    /// Commits all pending writes.
    pub(super) fn commit(&mut self) {
        self.write();
        self.drain();
    }

    fn write(&mut self) {
        let Some((last, _)) = self.writes.last() else {
            return;
        };
        let last = *last;
        for (_, write) in core::mem::take(&mut self.writes) {
            self.kept.apply(write);
        }
        self.realm.handle_stored(last, self.now);
    }

    /// Fails all pending writes.
    pub(super) fn fail(&mut self) {
        let last = self.writes.drain(..).map(|(sequence, _)| sequence).last().expect("something waits");
        self.realm.handle_store_failed(last, self.now);
        self.drain();
    }

    /// Writes all pending records.
    pub(super) fn write_records(&mut self) {
        for job in core::mem::take(&mut self.jobs) {
            self.realm.handle_records(job.write(), self.now);
        }
        self.drain();
    }

    /// Kills the server and starts it again after `seconds`. Pending writes are lost.
    pub(super) fn restart(&mut self, seconds: u64) {
        let unix_at_zero = UnixSeconds(NOW_UNIX + self.now.as_nanos() / 1_000_000_000 + seconds);
        self.restart_at(unix_at_zero);
    }

    fn restart_at(&mut self, unix_at_zero: UnixSeconds) {
        let kept = self.kept.clone();
        self.writes.clear();
        self.inboxes.clear();
        self.realm = Realm::new(RealmStartParameters {
            unix_at_zero,
            seed: 2,
            motion: crate::motion::MotionSettings::default(),
        });
        self.now = Time::ZERO;
        self.command(Command::RestoreBroker { kept });
    }

    pub(super) fn count(&self, counter: RealmCounter) -> u64 {
        self.counts.iter().filter(|((counted, _), _)| *counted == counter).map(|(_, times)| times).sum()
    }

    pub(super) fn drain(&mut self) {
        while let Some(output) = self.realm.poll_output() {
            match output {
                RealmOutput::Send { connection, frame, .. } => self.receive(connection, frame),
                RealmOutput::Share { group, frame, .. } => {
                    group.members.iter().for_each(|member| self.receive(member.connection, frame.clone()));
                }
                RealmOutput::Authenticate { connection, .. } => {
                    let verdict = self.verdicts.remove(&connection).unwrap_or(Err(AuthError::BadToken));
                    self.realm.handle_authenticated(connection, verdict, self.now);
                }
                RealmOutput::Close { connection } => self.closed.push(connection),
                RealmOutput::SlowReading { connection, pause } => self.pauses.push((connection, pause)),
                RealmOutput::Store { sequence, write: StoreWrite::Change(change), .. } => {
                    self.changes.push((sequence, change));
                    if !self.store_waits {
                        self.realm.handle_stored(sequence, self.now);
                    }
                }
                RealmOutput::Store { sequence, write: StoreWrite::Broker(write), .. } => {
                    self.writes.push((sequence, write));
                    if !self.store_waits {
                        self.write();
                    }
                }
                RealmOutput::Answer { answer, .. } => self.answers.push(answer),
                RealmOutput::MotionGranted { connection, motion_grant, .. } => {
                    self.motion_grants.push((connection, motion_grant))
                }
                RealmOutput::MotionGrantEnded { motion_grant, .. } => self.ended_motion_grants.push(motion_grant),
                RealmOutput::MotionChanged { scene, settings } => self.motion_changes.push((scene, settings)),
                RealmOutput::PoseFromMqtt { bridged_pose, .. } => self.placed.push(Ok(bridged_pose)),
                RealmOutput::BridgedPoseEnded { id_tag, part, .. } => self.placed.push(Err((id_tag, part))),
                RealmOutput::PauseReading { connection } => self.paused.push(connection),
                RealmOutput::ResumeReading { connection } => self.paused.retain(|paused| *paused != connection),
                RealmOutput::Followed { is_followed, .. } => self.followed.push(is_followed),
                RealmOutput::WriteRecords { job } => {
                    self.jobs_begun += 1;
                    if self.records_wait {
                        self.jobs.push(job);
                    } else {
                        self.realm.handle_records(job.write(), self.now);
                    }
                }
                RealmOutput::Count { counter, reason, times } => {
                    *self.counts.entry((counter, reason)).or_default() += times
                }
            }
        }
    }

    fn receive(&mut self, connection: ConnectionId, frame: EncodedPacket) {
        let decoder = self.decoders.get_mut(&connection).expect("frames go to clients that came in");
        frame.parts().iter().for_each(|part| decoder.feed(part));
        while let Some(packet) = decoder.next_packet().expect("the realm sends well-formed packets") {
            self.inboxes.entry(connection).or_default().push(packet);
        }
        self.frames.push((connection, frame));
    }
}
