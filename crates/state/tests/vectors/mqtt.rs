//! `spec/vectors/mqtt.json`: a broker's answers to streams of packets.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Map, Value, json};
use stoa_state::connection_id::ConnectionId;
use stoa_state::grant::Claims;
use stoa_state::mqtt::stored::StoredBroker;
use stoa_state::origin::ConnectionOrigin;
use stoa_state::realm::{Command, CommandId, Realm, RealmOutput, RealmStartParameters, StoreWrite};
use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::packet::{
    Connect, Decoder, Disconnect, MqttVersion, Packet, Publish, PublishAck, PublishProperties, Qos, ReasonCode,
    RetainHandling, Subscribe, SubscriptionRequest, Unsubscribe, Will,
};
use stoa_wire::topic::Topic;

const VECTORS: &str = include_str!("../../../../spec/vectors/mqtt.json");
const BEGIN: u64 = 1_700_000_000;

#[test]
fn broker_answers_match_the_vectors() {
    let file: Value = serde_json::from_str(VECTORS).expect("vectors are JSON");
    let cases = file["cases"].as_array().expect("cases are a list");
    for case in cases {
        let name = case["name"].as_str().expect("a case has a name");
        let mut stage = Stage::new();
        for (index, step) in case["steps"].as_array().expect("steps are a list").iter().enumerate() {
            stage.play(step, &format!("{name}, step {}", index + 1));
        }
        for (who, left) in stage.heard {
            assert!(left.is_empty(), "{name}: {who} got more: {left:?}");
        }
    }
    println!("vectors mqtt.json: {} run, 0 skipped", cases.len());
    assert!(!cases.is_empty(), "no vector was run");
}

/// A realm with its disk, and its clients by name.
struct Stage {
    realm: Realm,
    now: Time,
    kept: StoredBroker,
    connections: BTreeMap<String, (ConnectionId, Decoder)>,
    heard: BTreeMap<String, Vec<Value>>,
    opened: u64,
}

impl Stage {
    fn new() -> Stage {
        let realm = Realm::new(RealmStartParameters {
            unix_at_zero: UnixSeconds(BEGIN),
            seed: 1,
            motion: stoa_state::motion::MotionSettings::default(),
        });
        let (connections, heard) = (BTreeMap::new(), BTreeMap::new());
        Stage { realm, now: Time::ZERO, kept: StoredBroker::default(), connections, heard, opened: 0 }
    }

    fn play(&mut self, step: &Value, place: &str) {
        if let Some(seconds) = step["passes_s"].as_u64() {
            return self.pass(seconds);
        }
        if step["restarts"] == true {
            return self.restart();
        }
        let who = step["who"].as_str().unwrap_or_else(|| panic!("{place}: somebody does it"));
        if let Some(packets) = step["sends"].as_array() {
            for packet in packets {
                self.send(who, packet);
            }
        } else if let Some(expected) = step["gets"].as_array() {
            let heard = self.heard.remove(who).unwrap_or_default();
            assert_eq!(Value::from(heard), Value::from(expected.clone()), "{place}: what {who} gets");
        } else {
            assert_eq!(step["vanishes"], true, "{place}: there is such a step");
            let (connection, _) = self.connections.remove(who).expect("is connected");
            self.realm.handle_closed(connection, self.now);
            self.drain();
        }
    }

    fn send(&mut self, who: &str, text: &Value) {
        let packet = packet(who, text);
        if let Packet::Connect(connect) = &packet {
            self.opened += 1;
            let connection = ConnectionId(self.opened);
            self.connections.insert(who.into(), (connection, Decoder::for_client(connect.version)));
            self.realm.handle_opened(connection, ConnectionOrigin::Here, self.now);
        }
        self.realm.handle_packet(self.connections[who].0, packet, self.now);
        self.drain();
    }

    fn pass(&mut self, seconds: u64) {
        let until = self.now + Duration::from_secs(seconds);
        while let Some(at) = self.realm.poll_timeout().filter(|at| *at <= until) {
            self.now = self.now.max(at);
            self.realm.handle_timeout(self.now);
            self.drain();
        }
        self.now = until;
    }

    /// As after `kill -9`: only the disk's content remains.
    fn restart(&mut self) {
        let unix_at_zero = UnixSeconds(BEGIN + self.now.as_nanos() / 1_000_000_000);
        (self.realm, self.now) = (
            Realm::new(RealmStartParameters {
                unix_at_zero,
                seed: 2,
                motion: stoa_state::motion::MotionSettings::default(),
            }),
            Time::ZERO,
        );
        self.connections.clear();
        self.realm.handle_command(CommandId(1), Command::RestoreBroker { kept: self.kept.clone() }, self.now);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(output) = self.realm.poll_output() {
            match output {
                RealmOutput::Send { connection, frame, .. } => self.receive(connection, &frame.parts().concat()),
                RealmOutput::Share { group, frame, .. } => {
                    group.members.iter().for_each(|each| self.receive(each.connection, &frame.parts().concat()));
                }
                RealmOutput::Authenticate { connection, password, .. } => {
                    let claims = claims(&password);
                    self.realm.handle_authenticated(connection, Ok(claims), self.now);
                }
                RealmOutput::Store { sequence, write, .. } => {
                    if let StoreWrite::Broker(write) = write {
                        self.kept.apply(write);
                    }
                    self.realm.handle_stored(sequence, self.now);
                }
                RealmOutput::Close { connection } => {
                    let who = self.connections.iter().find(|(_, (id, _))| *id == connection);
                    if let Some(who) = who.map(|(who, _)| who.clone()) {
                        self.heard.entry(who).or_default().push("closed".into());
                    }
                }
                RealmOutput::Answer { .. } | RealmOutput::Count { .. } | RealmOutput::SlowReading { .. } => {}
                // These clients use neither stored objects nor the motion plane.
                RealmOutput::WriteRecords { .. }
                | RealmOutput::PauseReading { .. }
                | RealmOutput::ResumeReading { .. }
                | RealmOutput::MotionGranted { .. }
                | RealmOutput::MotionGrantEnded { .. }
                | RealmOutput::MotionChanged { .. }
                | RealmOutput::PoseFromMqtt { .. }
                | RealmOutput::BridgedPoseEnded { .. }
                | RealmOutput::Followed { .. } => {}
            }
        }
    }

    fn receive(&mut self, connection: ConnectionId, bytes: &[u8]) {
        let found = self.connections.iter_mut().find(|(_, (id, _))| *id == connection);
        let Some((who, (_, decoder))) = found else { return };
        decoder.feed(bytes);
        while let Some(packet) = decoder.next_packet().expect("the realm sends packets") {
            self.heard.entry(who.clone()).or_default().push(shown(packet));
        }
    }
}

/// A token with every right, and with these claims instead of its own.
fn claims(own: &[u8]) -> Claims {
    let own: Map<String, Value> = serde_json::from_slice(own).expect("a client sends claims");
    let mut token = json!({
        "aud": "stoa-mqtt", "typ": "mqtt", "iat": BEGIN, "exp": BEGIN + 1_000_000, "jti": own["sub"],
        "publ": ["#"], "subs": ["#"],
    });
    token.as_object_mut().expect("is an object").extend(own);
    serde_json::from_value(token).expect("are claims")
}

fn number<T: TryFrom<u64>>(value: &Value) -> Option<T> {
    value.as_u64().and_then(|number| T::try_from(number).ok())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn qos(value: &Value) -> Qos {
    match value.as_u64() {
        None | Some(0) => Qos::AtMostOnce,
        Some(1) => Qos::AtLeastOnce,
        _ => Qos::ExactlyOnce,
    }
}

fn packet(who: &str, said: &Value) -> Packet {
    let ack = |id: &Value| PublishAck::success(number(id).expect("a packet id"));
    match said.as_object().and_then(|said| said.keys().find(|key| KINDS.contains(&key.as_str()))).map(String::as_str) {
        Some("connect") => Packet::Connect(connect(who, &said["connect"])),
        Some("publish") => Packet::Publish(publish(said)),
        Some("puback") => Packet::PubAck(ack(&said["puback"])),
        Some("pubrec") => Packet::PubRec(ack(&said["pubrec"])),
        Some("pubrel") => Packet::PubRel(ack(&said["pubrel"])),
        Some("pubcomp") => Packet::PubComp(ack(&said["pubcomp"])),
        Some("subscribe") => Packet::Subscribe(Subscribe {
            packet_id: 1,
            subscriptions: vec![subscription(said)],
            subscription_id: number(&said["subscription_id"]),
        }),
        Some("unsubscribe") => {
            Packet::Unsubscribe(Unsubscribe { packet_id: 1, filters: vec![text(&said["unsubscribe"])] })
        }
        Some("disconnect") => {
            let code = if said["disconnect"] == 4 { ReasonCode::DISCONNECT_WITH_WILL } else { ReasonCode::SUCCESS };
            Packet::Disconnect(Disconnect { code, session_expiry_s: number(&said["expiry_s"]), reason: None })
        }
        _ => panic!("{said} is no packet"),
    }
}

const KINDS: [&str; 9] =
    ["connect", "publish", "puback", "pubrec", "pubrel", "pubcomp", "subscribe", "unsubscribe", "disconnect"];

fn connect(who: &str, asked: &Value) -> Connect {
    let is_old = asked["version"] == "3.1.1";
    let mut token = asked["token"].as_object().cloned().unwrap_or_default();
    token.insert("sub".to_owned(), who.into());
    let will = asked["will"].as_object().map(|_| Will {
        topic: Topic::parse(asked["will"]["topic"].as_str().expect("a topic")).expect("a topic"),
        payload: Bytes::from(text(&asked["will"]["text"])),
        qos: qos(&asked["will"]["qos"]),
        retain: false,
        delay_s: number(&asked["will"]["delay_s"]).unwrap_or(0),
        properties: PublishProperties::default(),
    });
    Connect {
        clean_start: asked["clean_start"].as_bool().unwrap_or(false),
        will,
        session_expiry_s: number(&asked["expiry_s"]),
        receive_max: number(&asked["receive_max"]),
        packet_bytes_max: number(&asked["packet_bytes_max"]),
        topic_alias_max: number(&asked["topic_alias_max"]),
        ..Connect::new(if is_old { MqttVersion::V311 } else { MqttVersion::V5 }, who)
            .with_credentials(who, Bytes::from(Value::from(token).to_string()))
    }
}

fn publish(said: &Value) -> Publish {
    let topic = text(&said["publish"]);
    let properties = PublishProperties {
        message_expiry_s: number(&said["expiry_s"]),
        topic_alias: number(&said["alias"]),
        ..PublishProperties::default()
    };
    Publish {
        topic: if topic.is_empty() { Topic::by_alias() } else { Topic::parse(&topic).expect("a topic") },
        payload: Bytes::from(text(&said["text"])),
        qos: qos(&said["qos"]),
        retain: said["retain"] == true,
        dup: said["dup"] == true,
        packet_id: number(&said["id"]),
        properties,
    }
}

fn subscription(said: &Value) -> SubscriptionRequest {
    SubscriptionRequest {
        filter: text(&said["subscribe"]),
        qos: qos(&said["qos"]),
        no_local: said["no_local"] == true,
        retain_as_published: said["retain_as_published"] == true,
        retain_handling: match said["retain_handling"].as_u64() {
            None | Some(0) => RetainHandling::Send,
            Some(1) => RetainHandling::SendIfNew,
            _ => RetainHandling::DoNotSend,
        },
    }
}

/// A packet in the vectors' notation, which omits defaults.
fn shown(packet: Packet) -> Value {
    let ack = |kind: &str, ack: PublishAck| match ack.code {
        ReasonCode::SUCCESS => json!({ kind: ack.packet_id }),
        code => json!({ kind: ack.packet_id, "code": code.0 }),
    };
    match packet {
        Packet::ConnAck(answer) => json!({"connack": answer.code.0, "present": answer.session_present}),
        Packet::Publish(publish) => shown_message(publish),
        Packet::PubAck(answer) => ack("puback", answer),
        Packet::PubRec(answer) => ack("pubrec", answer),
        Packet::PubRel(answer) => ack("pubrel", answer),
        Packet::PubComp(answer) => ack("pubcomp", answer),
        Packet::SubAck(answer) => json!({"suback": answer.codes[0].0}),
        Packet::UnsubAck(answer) => json!({"unsuback": answer.codes[0].0}),
        Packet::Disconnect(farewell) => json!({"disconnect": farewell.code.0}),
        other => panic!("{other:?} is not expected"),
    }
}

fn shown_message(publish: Publish) -> Value {
    let mut shown = Map::new();
    shown.insert("publish".into(), publish.topic.as_str().into());
    shown.insert("text".into(), String::from_utf8_lossy(&publish.payload).into());
    let numbers = [
        ("qos", Some(publish.qos as u32).filter(|qos| *qos > 0)),
        ("id", publish.packet_id.map(u32::from)),
        ("expiry_s", publish.properties.message_expiry_s),
        ("alias", publish.properties.topic_alias.map(u32::from)),
    ];
    shown.extend(numbers.into_iter().filter_map(|(key, value)| Some((key.into(), value?.into()))));
    for (key, is_set) in [("retain", publish.retain), ("dup", publish.dup)] {
        if is_set {
            shown.insert(key.into(), true.into());
        }
    }
    if !publish.properties.subscription_ids.is_empty() {
        shown.insert("subscription_ids".into(), publish.properties.subscription_ids.into());
    }
    shown.into()
}
