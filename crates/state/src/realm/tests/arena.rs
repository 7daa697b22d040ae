//! The behaviour of ARENA's clients: their subscriptions, message types and connections.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use bytes::Bytes;
use serde_json::json;
use stoa_wire::packet::{MqttVersion, Packet, Publish, Qos, ReasonCode};
use stoa_wire::topic_filter::TopicFilter;

use super::world::{Entry, World, claims, entry, explicit, guest, lobby, publish, will};
use crate::grant::{Grant, RequestableRight, Role, RoleRequester, SceneSettings, TokenIds, filters};

const S: &str = "realm/s/public/lobby";
const ID: &str = "alice_0123456789";
const UC: &str = "alice_0123456789_web";

fn bytes(topic: &str, payload: &[u8]) -> Packet {
    Packet::Publish(Publish { payload: Bytes::copy_from_slice(payload), ..publish(topic, "") })
}

/// A host of render fusion and environment capture.
fn host(sub: &str) -> Entry {
    let plain = entry(sub, MqttVersion::V311);
    let id_tag = format!("{sub}_0123456789");
    let parts = Vec::from([RequestableRight::RenderHost, RequestableRight::EnvironmentHost]);
    let ids = TokenIds { user_client: Some(format!("{id_tag}_web")), id_tag: Some(id_tag), rights: parts };
    let granted = filters(&crate::grant::TokenFilterInput {
        role: Role::Editor,
        scene: &lobby(),
        settings: &SceneSettings::default(),
        account: &RoleRequester { name: sub, realm_owner: false, guest: false },
        ids: &ids,
    });
    let claims = crate::grant::Claims { publ: granted.publ, subs: granted.subs, ..plain.claims };
    Entry { claims, ..plain }
}

#[test]
fn arena_clients_may_subscribe_to_exactly_the_filters_that_they_use() {
    let everybody =
        ["+/+/+".to_string(), format!("+/+/+/{ID}/#"), "r/+/-".into(), format!("r/+/-/{ID}/#"), "p/+/+".into()];
    let hosts = ["e/+/+/-/#", "r/+/+/-/#"].map(String::from);
    let others = ["+/+/+/bob_0123456789/#", "#", "+/+/+/+", "d/+/+/-"];
    let grant = |entry: Entry| Grant::new(entry.claims, UC).unwrap();
    let (visitor, member, host) = (guest("alice", MqttVersion::V311), entry("alice", MqttVersion::V311), host("alice"));
    for (client, is_host) in [(grant(visitor), false), (grant(member), false), (grant(host), true)] {
        let may = |below: &str| client.may_subscribe(&TopicFilter::parse(&format!("{S}/{below}")).unwrap());
        for below in &everybody {
            assert!(may(below), "{below}");
        }
        for below in &hosts {
            assert_eq!(may(below), is_host, "{below}");
        }
        for below in others {
            assert!(!may(below), "{below}");
        }
    }
    let member = grant(entry("alice", MqttVersion::V311));
    for filter in ["realm/d/alice/lamp/#", "realm/g/public/p/rt1"] {
        assert!(member.may_subscribe(&TopicFilter::parse(filter).unwrap()), "{filter}");
        assert!(
            !grant(guest("alice", MqttVersion::V311)).may_subscribe(&TopicFilter::parse(filter).unwrap()),
            "{filter}"
        );
    }
}

#[test]
fn messages_of_every_topic_kind_reach_readers_unchanged() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V311));
    let object = br#"{ "object_id":"alice_0123456789", "action":"update","type":"x","n":1.50, "data":{"a":null} }"#;
    let signal = br#"{"type":"offer","source":"client","id":"1","data":{},"ts":1}"#;
    let mesh = b"\x81\xa4type\xa4mesh";
    let request = br#"{"object_id":"0a1b","action":"create","type":"req","data":{"type":"module"}}"#;
    for (kind, payload) in [
        ("u", &object[..]),
        ("o", object),
        ("c", object),
        ("x", br#"{"object_id":"alice_0123456789","action":"join","type":"arena","dn":"A"}"#),
        ("r", signal),
        ("e", mesh),
        ("p", request),
        ("d", br#"{"level":"warn"}"#),
    ] {
        let topic = format!("{S}/{kind}/{UC}/{ID}");
        world.send(alice, bytes(&topic, payload));
        let heard = world.publishes(bob);
        let [message] = &heard[..] else { panic!("{kind}: {heard:?}") };
        assert_eq!((message.topic.as_str(), &message.payload[..]), (&*topic, payload), "{kind}");
    }
}

#[test]
fn scene_messages_to_the_dash_address_reach_only_hosts() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let reader = world.enter_scene(2, entry("bob", MqttVersion::V311));
    let camera = world.enter(3, host("carol"));
    for filter in ["e/+/+/-/#", "r/+/+/-/#"] {
        assert_eq!(world.subscribe(camera, &format!("{S}/{filter}"), Qos::AtMostOnce), ReasonCode::SUCCESS);
    }
    world.send(alice, bytes(&format!("{S}/e/{UC}/{ID}/-"), b"[1]"));
    world.say(alice, &format!("{S}/r/{UC}/{ID}/-"), r#"{"type":"connect"}"#);
    world.say(alice, &format!("{S}/d/{UC}/{ID}/-"), "WARN a line of the console");
    assert_eq!((world.publishes(camera).len(), world.publishes(reader).len()), (2, 0));
    let answers = "carol_0123456789_web/-";
    world.say(camera, &format!("{S}/r/{answers}"), r#"{"type":"health"}"#);
    world.say(camera, &format!("{S}/r/{answers}/{ID}"), r#"{"type":"answer"}"#);
    assert_eq!((world.publishes(alice).len(), world.publishes(reader).len()), (2, 1));
}

#[test]
fn program_streams_carry_plain_text_and_reach_only_their_subscribers() {
    let mut world = World::new();
    let owner = world.enter(1, entry("alice", MqttVersion::V311));
    let visitor = world.enter_scene(2, entry("bob", MqttVersion::V311));
    let runtime = world.enter(3, explicit("runtime", MqttVersion::V311, &[&format!("{S}/p/#")]));
    assert_eq!(world.subscribe(owner, &format!("{S}/p/+/#"), Qos::AtMostOnce), ReasonCode::SUCCESS);
    assert_eq!(world.subscribe(runtime, &format!("{S}/p/rt1/+/-/stdin"), Qos::AtMostOnce), ReasonCode::SUCCESS);
    world.say(owner, &format!("{S}/p/rt1/module1/-/stdin"), "42");
    world.say(runtime, &format!("{S}/p/rt1/module1/-/stdout"), "the answer is [42]");
    assert_eq!(world.texts(runtime), ["42"]);
    assert_eq!(world.texts(owner), ["42", "the answer is [42]"]);
    assert_eq!(world.texts(visitor).len(), 0);
}

#[test]
fn a_chat_message_to_its_own_sender_is_delivered() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let chat = json!({"object_id": ID, "type": "chat", "text": "note"}).to_string();
    world.say(alice, &format!("{S}/c/{UC}/{ID}/{ID}"), &chat);
    assert_eq!(world.messages(alice).len(), 1);
}

#[test]
fn one_token_serves_all_connections_of_a_page_and_later_reconnects() {
    let mut world = World::new();
    for visitor in [false, true] {
        for round in 0..2 {
            for (number, client_id) in ["webClient", "rt", "hybrid-mqtt-client-1"].into_iter().enumerate() {
                let mut page = if visitor { guest("ada", MqttVersion::V311) } else { entry("ada", MqttVersion::V311) };
                page.connect.client_id = format!("{client_id}-ada_0123456789");
                world.enter(10 * round + number as u64, page);
            }
            assert_eq!(world.closed, [], "none of them takes another's place");
            (0..3).for_each(|number| world.close(super::ConnectionId(10 * round + number)));
        }
    }
}

#[test]
fn a_runtimes_will_announces_its_end_but_a_guests_will_is_not_published() {
    let runtime = r#"{"object_id":"rt1","action":"delete","type":"req","data":{"type":"runtime"}}"#;
    let topic = "realm/g/public/p/rt1";
    let mut world = World::new();
    let watch = world.enter(1, explicit("watch", MqttVersion::V311, &["realm/g/#"]));
    world.subscribe(watch, "realm/g/#", Qos::AtMostOnce);
    for (id, sub, heard) in [(2, entry("alice", MqttVersion::V311), 1), (3, guest("anonymous-1", MqttVersion::V311), 0)]
    {
        let mut page = sub;
        page.connect.will = Some(will(topic, runtime));
        let connection = world.enter(id, page);
        world.close(connection);
        assert_eq!(world.messages(watch).len(), heard);
    }
}

#[test]
fn a_viewer_may_send_a_click_to_a_private_objects_program_or_the_object() {
    let visitor = Grant::new(claims("alice", Role::Viewer, true), UC).unwrap();
    for below in [format!("p/{UC}/{ID}/pyClient-123456"), format!("u/{UC}/{ID}/box1")] {
        assert_eq!(visitor.may_publish(&format!("{S}/{below}")), Ok(()), "{below}");
    }
    let click = json!({"object_id": ID, "action": "clientEvent", "type": "mousedown", "data": {"target": "box1"}});
    let mut world = World::new();
    let program = explicit("program", MqttVersion::V311, &[&format!("{S}/+/+/+/client-program/#")]);
    let program = world.enter(1, program);
    world.subscribe(program, &format!("{S}/+/+/+/client-program/#"), Qos::AtMostOnce);
    let page = world.enter_scene(2, guest("alice", MqttVersion::V311));
    world.say(page, &format!("{S}/p/{UC}/{ID}/client-program"), &click.to_string());
    assert_eq!(world.messages(program).len(), 1);
}

#[test]
fn a_guests_environment_message_that_is_no_json_object_is_refused() {
    let mut world = World::new();
    let visitor = world.enter_scene(1, guest("alice", MqttVersion::V5));
    let program = world.enter_scene(2, entry("bob", MqttVersion::V311));
    for (topic, payload) in [(format!("{S}/e/{UC}/{ID}"), "[1]"), (format!("{S}/e/{UC}/{ID}/bob_0123456789"), "7")] {
        let ack = world.say_surely(visitor, &topic, payload).expect("is told");
        assert_eq!(ack.reason.as_deref(), Some("not_an_object"), "{topic}");
    }
    assert!(world.publishes(program).is_empty());
}
