//! The network graph on `$NETWORK`.

use alloc::string::ToString;
use core::time::Duration;

use serde_json::Value;
use stoa_wire::packet::{MqttVersion, Packet, Publish, PublishAck, PublishProperties, Qos};
use stoa_wire::topic::Topic;

use super::world::{World, entry};
use crate::connection_id::ConnectionId;
use crate::grant::{SceneSettings, realm_filters};
use crate::limits;
use crate::realm::Command;

fn ping(world: &mut World, connection: ConnectionId, packet_id: u16) {
    let publish = Publish {
        topic: Topic::parse("$NETWORK/latency").unwrap(),
        payload: bytes::Bytes::new(),
        qos: Qos::ExactlyOnce,
        retain: false,
        dup: false,
        packet_id: Some(packet_id),
        properties: PublishProperties::default(),
    };
    world.send(connection, Packet::Publish(publish));
}

fn graphs(world: &mut World, connection: ConnectionId) -> alloc::vec::Vec<Value> {
    let inbox = world.inbox(connection).into_iter();
    let said = inbox.filter_map(|packet| match packet {
        Packet::Publish(publish) if publish.topic.as_str() == "$NETWORK" => Some(publish.payload),
        _ => None,
    });
    said.map(|payload| serde_json::from_slice(&payload).unwrap()).collect()
}

#[test]
fn the_graph_lists_latencies_and_topics_every_30_s_and_is_retained() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let mut owner = entry("olga", MqttVersion::V5);
    (owner.claims.publ, owner.claims.subs) = (realm_filters().publ, realm_filters().subs);
    let olga = world.enter(2, owner);
    world.subscribe(olga, "$NETWORK", Qos::AtMostOnce);
    world.pass(limits::GRAPH_INTERVAL.as_secs());
    assert_eq!(graphs(&mut world, olga), [] as [Value; 0], "negative control: nobody has pinged");
    ping(&mut world, alice, 7);
    world.now = world.now + Duration::from_millis(40);
    world.send(alice, Packet::PubRel(PublishAck::success(7)));
    let topic = "realm/s/public/lobby/x/alice_0123456789_web/alice_0123456789";
    let join = r#"{"object_id":"alice_0123456789","action":"join","dn":"a name that takes more than thirty bytes"}"#;
    world.say(alice, topic, join);
    world.pass(limits::GRAPH_INTERVAL.as_secs());
    let [graph] = &graphs(&mut world, olga)[..] else { panic!("one graph") };
    let client = &graph["ips"][0]["clients"][0];
    assert_eq!((&client["name"], &client["latency"]), (&"alice_0123456789_web".into(), &40.0.into()), "{graph}");
    assert!(client["published"].as_array().unwrap().iter().any(|said| said["topic"] == topic), "{graph}");
    let told = graph["topics"].as_array().unwrap().iter().find(|told| told["name"] == topic).expect("is told");
    assert_eq!(told["subscriptions"][0]["client"], "alice_0123456789_web");
    world.subscribe(olga, "$NETWORK", Qos::AtMostOnce);
    assert_eq!(graphs(&mut world, olga).len(), 1, "it is retained");
    world.pass(limits::GRAPH_INTERVAL.as_secs());
    assert_eq!(graphs(&mut world, olga).len(), 1, "and comes again");
    let private = SceneSettings { public_read: false, ..SceneSettings::default() };
    world.command(Command::ChangeSettings { name: "public/lobby".parse().unwrap(), settings: private });
    world.say(alice, topic, join);
    world.pass(limits::GRAPH_INTERVAL.as_secs());
    let [graph] = &graphs(&mut world, olga)[..] else { panic!("one graph") };
    assert!(!graph.to_string().contains("lobby"), "a private scene is not named: {graph}");
}

#[test]
fn a_large_graph_is_built_in_several_steps() {
    let mut world = World::new();
    let mut owner = entry("olga", MqttVersion::V5);
    (owner.claims.publ, owner.claims.subs) = (realm_filters().publ, realm_filters().subs);
    let olga = world.enter(1, owner);
    world.subscribe(olga, "$NETWORK", Qos::AtMostOnce);
    let clients = limits::GRAPH_CLIENTS_MAX as u64;
    for number in 0..clients + 1 {
        let name = alloc::format!("ada{number}");
        let connection = world.enter_scene(10 + number, entry(&name, MqttVersion::V5));
        ping(&mut world, connection, 7);
        let topic = alloc::format!("realm/s/public/lobby/x/{name}_0123456789_web/{name}_0123456789");
        let join = alloc::format!(r#"{{"object_id":"{name}_0123456789","action":"join","dn":"{:040}"}}"#, 7);
        world.say(connection, &topic, &join);
    }
    world.pass(limits::GRAPH_INTERVAL.as_secs() - 1);
    let mut parts = 0;
    let graph = loop {
        let next = world.realm.poll_timeout().expect("the graph is due");
        world.now = world.now.max(next);
        world.realm.handle_timeout(world.now);
        world.drain();
        parts += 1;
        if let [graph] = &graphs(&mut world, olga)[..] {
            break graph.clone();
        }
    };
    assert!(parts > 4, "{parts} parts");
    let topics = graph["topics"].as_array().unwrap();
    assert_eq!(topics.len(), limits::GRAPH_TOPICS_MAX);
    for topic in topics {
        assert_eq!(topic["subscriptions"].as_array().unwrap().len() as u64, clients, "{topic}");
    }
}

#[test]
fn the_graph_lists_exactly_the_subscribers_of_a_topic() {
    for crowd in [1, 2 * limits::GROUP_MEMBERS_MIN as u64] {
        let mut world = World::new();
        let mut owner = entry("olga", MqttVersion::V5);
        (owner.claims.publ, owner.claims.subs) = (realm_filters().publ, realm_filters().subs);
        let olga = world.enter(1, owner);
        world.subscribe(olga, "$NETWORK", Qos::AtMostOnce);
        for number in 0..crowd {
            let connection = world.enter_scene(10 + number, entry(&alloc::format!("ada{number}"), MqttVersion::V5));
            ping(&mut world, connection, 7);
        }
        // This client pings too, and receives nothing.
        let deaf = world.enter(2, entry("deaf", MqttVersion::V5));
        ping(&mut world, deaf, 7);
        let topic = "realm/s/public/lobby/x/deaf_0123456789_web/deaf_0123456789";
        world.say(
            deaf,
            topic,
            &alloc::format!(r#"{{"object_id":"deaf_0123456789","action":"join","dn":"{:040}"}}"#, 7),
        );
        world.pass(limits::GRAPH_INTERVAL.as_secs());
        let [graph] = &graphs(&mut world, olga)[..] else { panic!("one graph") };
        let told = graph["topics"].as_array().unwrap().iter().find(|told| told["name"] == topic).expect("is told");
        let named = told["subscriptions"].as_array().unwrap();
        assert_eq!(named.len() as u64, crowd, "{told}");
        assert!(named.iter().all(|it| it["client"] != "deaf_0123456789_web"), "{told}");
    }
}
