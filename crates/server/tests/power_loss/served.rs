//! The real server: acknowledged messages survive a power loss, whatever the disk had not written yet.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use fastrand::Rng;
use serde_json::{Value, json};
use stoa_net::shutdown::{self, ShutdownTrigger};
use stoa_server::config::PartialConfig;
use stoa_server::ports::BoundAddresses;
use stoa_server::serve;
use stoa_server::tokens::TokenAuthority;
use stoa_wire::packet::{Decoder, MqttVersion, Packet, Publish, PublishAck, PublishProperties, Qos, Will};
use stoa_wire::topic::Topic;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::changes::Content;
use crate::client::{Client, Said, letter};
use crate::disk::{Disk, Image};
use crate::vfs;

/// A server in this process, and its data folder.
struct House {
    folder: PathBuf,
    ports: BoundAddresses,
    tasks: JoinSet<()>,
    _trigger: ShutdownTrigger,
}

impl House {
    async fn open(folder: PathBuf, image: Image) -> House {
        let moved = |(path, bytes): (PathBuf, Vec<u8>)| (folder.join(path.file_name().unwrap()), bytes);
        let image: Image = image.into_iter().map(moved).collect();
        for (path, bytes) in &image {
            std::fs::write(path, bytes).unwrap();
        }
        vfs::watch(&folder, Disk::holding(image, None));
        let (off, any) = (|| Some("off".to_owned()), || Some("127.0.0.1:0".to_owned()));
        let settings = PartialConfig {
            data: Some(folder.clone()),
            https: any(),
            http: off(),
            mqtt: any(),
            mqtts: off(),
            admin: off(),
            motion: any(),
            open: Some(false),
            ..PartialConfig::default()
        };
        let (trigger, shutdown) = shutdown::channel();
        let (ready, is_ready) = oneshot::channel();
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let ready = |ports: &BoundAddresses| ready.send(ports.clone()).expect("somebody waits");
            serve::run(settings.resolve().unwrap(), shutdown, ready).await.unwrap();
        });
        let ports = is_ready.await.expect("the server starts");
        House { folder, ports, tasks, _trigger: trigger }
    }

    /// Cuts the power and starts again from the disk's content.
    async fn cut(self, rng: &mut Rng) -> House {
        let image = vfs::with_disk(&self.folder, |disk| disk.cut(rng));
        let House { folder, mut tasks, .. } = self;
        tasks.shutdown().await;
        let number: u64 = folder.file_name().unwrap().to_str().unwrap().parse().unwrap();
        let next = folder.with_file_name((number + 1).to_string());
        std::fs::create_dir_all(next.join("keys")).unwrap();
        std::fs::copy(folder.join("keys/tokens.pem"), next.join("keys/tokens.pem")).unwrap();
        House::open(next, image).await
    }

    async fn enter(&self, name: &str) -> Client {
        Client::connect(self.ports.mqtt.unwrap(), (name, &token(&self.folder, name)), None).await
    }
}

fn token(folder: &Path, name: &str) -> String {
    let claims = stoa_server::claims::of_realm_owner(name, 3_600);
    TokenAuthority::load_or_create(folder).unwrap().issue(&claims).unwrap()
}

const BOXES: u64 = 7;

fn box_topic(number: u64) -> String {
    format!("realm/s/public/lobby/o/ada/box{}", number % BOXES)
}

fn box_of(number: u64) -> String {
    let id = format!("box{}", number % BOXES);
    json!({"object_id": id, "action": "create", "type": "object", "persist": true, "data": {"object_type": "box", "number": number}})
        .to_string()
}

/// Sends objects, retained messages and letters to an offline client until `acknowledged` messages were
/// acknowledged.
async fn speak(ada: &mut Client, rng: &mut Rng, (number, acknowledged): (&mut u64, u64)) {
    let mut left = acknowledged;
    while left > 0 {
        while ada.unsure.len() < 20 {
            *number += 1;
            let qos = Qos::AtLeastOnce;
            let (news, box_topic) = (format!("news/{}", rng.u8(..4)), box_topic(*number));
            let said = match rng.u8(..3) {
                0 => Said { topic: &box_topic, payload: box_of(*number), qos, retain: false },
                1 => Said { topic: &news, payload: number.to_string(), qos, retain: true },
                _ => letter(*number, Qos::ExactlyOnce),
            };
            ada.say(said, *number).await;
        }
        ada.receive().await;
        left -= 1;
    }
}

/// The number in an object, in a retained message, or in the last letter.
fn numbers(content: Content, heard: &[u64]) -> impl Fn(&str) -> u64 {
    let last_letter = heard.last().copied().unwrap_or(0);
    move |topic: &str| {
        if topic == "mail/cy" {
            return last_letter;
        }
        let object = topic.rsplit('/').next().unwrap();
        if let Some(object) = content.objects.get(object) {
            return object.attributes.get("number").and_then(Value::as_u64).unwrap_or(0);
        }
        let mut kept = content.broker.retained.iter().map(|kept| decoded(&kept.message.packet));
        let kept = kept.find(|publish| publish.topic.as_str() == topic);
        kept.map_or(0, |publish| String::from_utf8_lossy(&publish.payload).parse().unwrap())
    }
}

/// A will that is due an hour after its client disconnects.
fn will() -> Will {
    Will {
        topic: Topic::parse("gone/di").unwrap(),
        payload: Bytes::new(),
        qos: Qos::AtLeastOnce,
        retain: false,
        delay_s: 3_600,
        properties: PublishProperties::default(),
    }
}

fn decoded(packet: &[u8]) -> Publish {
    let mut decoder = Decoder::for_client(MqttVersion::V5);
    decoder.feed(packet);
    match decoder.next_packet() {
        Ok(Some(Packet::Publish(publish))) => publish,
        other => panic!("a message is stored: {other:?}"),
    }
}

/// Receives all queued letters up to one that is sent now.
async fn read_letters(house: &House, cy: &mut Client, heard: &mut Vec<u64>) {
    let mut post = house.enter("post").await;
    post.say(letter("the end", Qos::ExactlyOnce), 0).await;
    while !matches!(post.receive().await, Packet::PubRec(_)) {}
    post.release(1).await;
    let mut last = None;
    loop {
        match cy.receive().await {
            Packet::Publish(publish) if publish.payload == "the end" => {
                last = publish.packet_id;
                cy.send(&Packet::PubRec(PublishAck::success(publish.packet_id.unwrap()))).await;
            }
            Packet::Publish(publish) => {
                heard.push(String::from_utf8_lossy(&publish.payload).parse().unwrap());
                cy.send(&Packet::PubRec(PublishAck::success(publish.packet_id.unwrap()))).await;
            }
            Packet::PubRel(ack) => {
                cy.send(&Packet::PubComp(PublishAck::success(ack.packet_id))).await;
                if Some(ack.packet_id) == last {
                    return;
                }
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn acknowledged_messages_and_sessions_survive_power_loss() {
    let cuts = std::env::var("STOA_POWER_CUTS").map_or(30, |text| text.parse().expect("STOA_POWER_CUTS is a number"));
    let (root, mut rng) = (tempfile::tempdir().unwrap(), Rng::with_seed(8_123));
    std::fs::create_dir(root.path().join("1")).unwrap();
    let mut house = House::open(root.path().join("1"), Image::new()).await;
    let mut number = 0;
    for cut in 0..cuts {
        house.enter("cy").await.subscribe("mail/#").await;
        let mut ada = house.enter("ada").await;
        let acknowledged = rng.u64(1..120);
        speak(&mut ada, &mut rng, (&mut number, acknowledged)).await;
        let (folder, will) = (house.folder.clone(), Will { payload: cut.to_string().into(), ..will() });
        Client::connect(house.ports.mqtt.unwrap(), ("di", &token(&folder, "di")), Some(will))
            .await
            .subscribe("x")
            .await;
        let (promised, received, unsure) = (ada.sure, ada.received, ada.unsure.into_keys());
        house = house.cut(&mut rng).await;

        let mut ada = house.enter("ada").await;
        let mut cy = house.enter("cy").await;
        assert!(cy.session_present, "cut {cut}: it had subscribed");
        // The server remembers a received, unreleased packet id and doesn't accept it a second time.
        for id in received {
            ada.publish(letter("twice", Qos::ExactlyOnce), id, true).await;
            while !matches!(ada.receive().await, Packet::PubRec(_)) {}
            ada.release(id).await;
        }
        // Unacknowledged messages are given up, to free their packet ids.
        for id in unsure {
            ada.release(id).await;
        }
        let mut heard = Vec::new();
        read_letters(&house, &mut cy, &mut heard).await;
        assert!(heard.is_sorted_by(|a, b| a < b), "cut {cut}: in order, each once: {heard:?}");
        let content = Content::of(&stoa_server::store::Store::open(&house.folder).await.unwrap()).await;
        let mut sessions = content.broker.sessions.iter();
        let will = sessions.find(|session| session.name.client_id == "di").and_then(|session| session.will.as_ref());
        assert_eq!(decoded(&will.expect("it waits").message.packet).payload, cut.to_string());
        let found = numbers(content, &heard);
        for (topic, sure) in promised {
            assert!(found(&topic) >= sure, "cut {cut}: {topic} is {}, {sure} was acknowledged", found(&topic));
        }
    }
}
