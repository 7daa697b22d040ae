//! Refusals, and their notices to the sender.

use alloc::format;
use alloc::string::{String, ToString};

use serde_json::{Value, json};
use stoa_wire::packet::{
    MqttVersion, Packet, Publish, Qos, ReasonCode, RetainHandling, Subscribe, SubscriptionRequest,
};
use stoa_wire::reason::Reason;

use super::world::{Entry, World, claims, entry, explicit, guest, publish};
use crate::grant::Role;
use crate::limits;
use crate::realm::RealmCounter;

const OWN: &str = "realm/s/public/lobby/o/alice_0123456789_web/box1";

fn delete() -> String {
    json!({"object_id": "box1", "action": "delete"}).to_string()
}

#[test]
fn an_mqtt_5_sender_gets_a_refusals_code_and_reason() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    for (topic, payload, reason) in [
        ("realm/s/public/lobby/o/alice_0123456789_web", delete(), Reason::BadTopic),
        (OWN, String::from("[1]"), Reason::NotAnObject),
        (OWN, json!({"object_id": "box2", "action": "delete"}).to_string(), Reason::IdMismatch),
        ("realm/s/public/lobby/o/mallory/box1", delete(), Reason::WrongIdentity),
        ("realm/s/public/lobby/o/stoa/box1", delete(), Reason::WrongIdentity),
        ("realm/s/public/elsewhere/o/alice_0123456789_web/box1", delete(), Reason::NotGranted),
        ("somewhere/else", delete(), Reason::NotGranted),
    ] {
        let ack = world.say_surely(alice, topic, &payload).expect("a refusal is told at once");
        assert_eq!((ack.code, ack.reason.as_deref()), (reason.code(), Some(reason.as_str())), "{topic}");
        assert_eq!(world.messages(alice), [], "nothing is forwarded, nothing is told twice");
        assert!(world.counts.contains_key(&(RealmCounter::Refused, Some(reason.as_str()))));
    }
    let ack = world.say_surely(alice, OWN, &json!({"object_id": "box1", "action": "create", "data": {}}).to_string());
    assert_eq!(ack.expect("negative control").code, ReasonCode::SUCCESS);
}

#[test]
fn an_mqtt_3_1_1_sender_gets_a_refusal_notice_at_most_once_a_second() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V311));
    for _ in 0..5 {
        world.say(alice, OWN, "[1]");
    }
    let topic = String::from("realm/s/public/lobby/d/stoa/-/alice_0123456789");
    let told = |count: u64| {
        (topic.clone(), json!({"object_id": "-", "action": "refused", "reason": "not_an_object", "count": count}))
    };
    assert_eq!(world.messages(alice), [told(1)]);
    world.pass(1);
    assert_eq!(world.messages(alice), [told(4)], "the rest follows by itself");
    world.pass(5);
    assert_eq!(world.messages(alice), []);
    assert_eq!(world.messages(bob), []);
}

#[test]
fn a_sender_without_a_subscription_gets_no_refusal_notice() {
    let mut world = World::new();
    let alice = world.enter(1, entry("alice", MqttVersion::V311));
    world.say(alice, OWN, "[1]");
    assert_eq!(world.messages(alice), []);
}

#[test]
fn a_guest_above_its_message_rate_is_refused_and_notified() {
    let mut world = World::new();
    let flood = world.enter_scene(1, guest("anonymous-1", MqttVersion::V311));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V311));
    let id_tag = "anonymous-1_0123456789";
    let topic = format!("realm/s/public/lobby/c/{id_tag}_web/{id_tag}");
    let chat = json!({"object_id": id_tag, "type": "chat", "text": "x"}).to_string();
    for _ in 0..1_000 {
        world.say(flood, &topic, &chat);
    }
    // Its two subscriptions counted as a message each.
    let passed = usize::try_from(limits::GUEST_MESSAGES_BURST - 2).unwrap();
    assert_eq!(world.messages(bob).len(), passed);
    let told = world.messages(flood);
    let last = &told.last().expect("the guest is told").1;
    assert_eq!((&last["reason"], &last["limit"]), (&json!("flood"), &json!("60 messages a second of a guest")));
    world.pass(10);
    world.inbox(flood);
    world.say(flood, &topic, &chat);
    assert_eq!(world.messages(bob).len(), 1, "it may speak again later");
}

#[test]
fn a_scenes_message_bound_refuses_only_the_largest_senders() {
    let mut world = World::new();
    let refused = |world: &World| world.counts.get(&(RealmCounter::Refused, Some("flood"))).copied().unwrap_or(0);
    for (number, name) in ["alice", "bob", "carla"].into_iter().enumerate() {
        let connection = world.enter(1 + number as u64, entry(name, MqttVersion::V311));
        let topic = format!("realm/s/public/lobby/o/{name}_0123456789_web/none");
        for _ in 0..limits::MEMBER_MESSAGES_BURST {
            world.say(connection, &topic, r#"{"object_id": "none", "action": "delete"}"#);
        }
    }
    let over = u64::from(3 * limits::MEMBER_MESSAGES_BURST - limits::SCENE_MESSAGES_BURST);
    assert!((over / 2..=over).contains(&refused(&world)), "each of them kept to its own allowance, and to its share");
    let dora = world.enter(9, entry("dora", MqttVersion::V5));
    let topic = "realm/s/public/lobby/o/dora_0123456789_web/none";
    let ack = world.say_surely(dora, topic, r#"{"object_id": "none", "action": "delete"}"#);
    assert_eq!(ack.expect("an answer").code, ReasonCode::SUCCESS, "the largest are refused, and she is small");
}

#[test]
fn a_refusal_names_the_exceeded_limit() {
    let mut world = World::new();
    let alice = world.enter(1, entry("alice", MqttVersion::V5));
    let id_tag = "alice_0123456789";
    let mut words = |below: &str, payload: Value| {
        let ack = world.say_surely(alice, &format!("realm/s/public/lobby/{below}"), &payload.to_string());
        ack.expect("is told").reason.expect("in words")
    };
    let chat = json!({"object_id": id_tag, "type": "chat", "text": "x".repeat(10_000)});
    assert_eq!(words(&format!("c/{id_tag}_web/{id_tag}"), chat), "too_large: at most 8192 bytes of a chat");
    let join = json!({"object_id": id_tag, "action": "join", "dn": "x".repeat(5_000)});
    assert_eq!(words(&format!("x/{id_tag}_web/{id_tag}"), join), "too_large: at most 4096 bytes of a join");
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let deep = json!({"object_id": "box", "action": "create", "type": "object", "data": {"deep": deep}});
    let levels = format!("too_deep: at most {} levels", stoa_wire::limits::JSON_DEPTH_MAX);
    assert_eq!(words(&format!("o/{id_tag}_web/box"), deep), levels);
}

#[test]
fn a_filter_beyond_the_grant_is_refused() {
    let mut world = World::new();
    let alice = world.enter(1, entry("alice", MqttVersion::V5));
    assert_eq!(world.subscribe(alice, "#", Qos::AtMostOnce), ReasonCode::NOT_AUTHORIZED);
    assert_eq!(world.subscribe(alice, "realm/s/public/lobby/#", Qos::AtMostOnce), ReasonCode::NOT_AUTHORIZED);
    assert_eq!(world.subscribe(alice, "a/#/b", Qos::AtMostOnce), ReasonCode::TOPIC_FILTER_INVALID);
    assert_eq!(world.subscribe(alice, "$share/g/realm/s/public/lobby/#", Qos::AtMostOnce), ReasonCode::NOT_AUTHORIZED);
    assert_eq!(
        world.subscribe(alice, "realm/s/public/lobby/+/+/+", Qos::ExactlyOnce),
        ReasonCode::GRANTED_QOS_2,
        "negative control"
    );
    let old = world.enter(2, entry("bob", MqttVersion::V311));
    assert_eq!(world.subscribe(old, "#", Qos::AtMostOnce), ReasonCode::UNSPECIFIED_ERROR);
}

#[test]
fn a_guest_with_the_viewer_role_cannot_delete_objects() {
    let mut world = World::new();
    let visitor = world.enter_scene(1, guest("anonymous-1", MqttVersion::V5));
    let topic = "realm/s/public/lobby/o/anonymous-1_0123456789_web/box1";
    let ack = world.say_surely(visitor, topic, &delete()).expect("is told");
    assert_eq!(ack.reason.as_deref(), Some("not_granted"));
}

#[test]
fn a_guests_whole_scene_reads_count_as_several_messages_each() {
    let mut world = World::new();
    world.let_everybody_build();
    let builder = Entry { claims: claims("anonymous-1", Role::Editor, true), ..guest("anonymous-1", MqttVersion::V5) };
    let client = world.enter_scene(1, builder);
    let topic = "realm/s/public/lobby/o/anonymous-1_0123456789_web/any";
    let ask = r#"{"object_id":"any","action":"getPersist","type":"object"}"#;
    let taken = (0..20)
        .filter(|_| world.say_surely(client, topic, ask).is_some_and(|ack| ack.code == ReasonCode::SUCCESS))
        .count();
    let most = limits::GUEST_MESSAGES_BURST / limits::READING_MESSAGES;
    assert!((1..=most as usize).contains(&taken), "{taken}");
}

#[test]
fn a_guests_message_is_not_retained() {
    let mut world = World::new();
    let say = |world: &mut World, id: u64, mut entry: Entry| {
        entry.claims.publ = explicit("x", MqttVersion::V5, &["$NETWORK/latency"]).claims.publ;
        let client = world.enter(id, entry);
        world.send(client, Packet::Publish(Publish { retain: true, ..publish("$NETWORK/latency", "1") }));
    };
    let retained = |world: &mut World, id: u64| {
        let late = world.enter(id, explicit(&alloc::format!("late-{id}"), MqttVersion::V5, &["$NETWORK/latency"]));
        world.subscribe(late, "$NETWORK/latency", Qos::AtMostOnce);
        world.messages(late).len()
    };
    say(&mut world, 1, guest("anonymous-1", MqttVersion::V5));
    assert_eq!(retained(&mut world, 2), 0);
    say(&mut world, 3, entry("alice", MqttVersion::V5));
    assert_eq!(retained(&mut world, 4), 1, "negative control");
}

#[test]
fn a_viewers_message_on_a_program_topic_is_not_retained() {
    let mut world = World::new();
    let topic = "realm/g/public/p/runtime";
    let mut retained_by = |id: u64, role: Role| {
        let sender = Entry { claims: claims("alice", role, false), ..entry("alice", MqttVersion::V5) };
        let sender = world.enter(id, sender);
        world.send(sender, Packet::Publish(Publish { retain: true, ..publish(topic, "1") }));
        let late = world.enter(id + 1, explicit(&alloc::format!("late-{id}"), MqttVersion::V5, &[topic]));
        world.subscribe(late, topic, Qos::AtMostOnce);
        world.messages(late).len()
    };
    assert_eq!(retained_by(1, Role::Viewer), 0);
    assert_eq!(retained_by(3, Role::Editor), 1, "negative control");
}

#[test]
fn a_guests_message_has_a_lower_size_limit_than_a_members() {
    for (kind, object, message) in [
        ("o", "any", json!({"action": "clientEvent", "type": "mousedown"})),
        ("c", "", json!({"type": "chat", "text": "hi"})),
    ] {
        let mut world = World::new();
        world.let_everybody_build();
        let mut answer = |id: u64, name: &str, entry: Entry, bytes: usize| {
            let client = world.enter(id, entry);
            let id_tag = format!("{name}_0123456789");
            let object = if object.is_empty() { &id_tag } else { object };
            let mut message = message.clone();
            (message["object_id"], message["data"]) = (json!(object), json!({"text": "x".repeat(bytes)}));
            let topic = format!("realm/s/public/lobby/{kind}/{id_tag}_web/{object}");
            world.say_surely(client, &topic, &message.to_string()).expect("an answer")
        };
        let builder = |name: &str| Entry { claims: claims(name, Role::Editor, true), ..guest(name, MqttVersion::V5) };
        let short = limits::GUEST_MESSAGE_BYTES_MAX - 200;
        let control = answer(1, "anonymous-1", builder("anonymous-1"), short);
        assert_eq!(control.code, ReasonCode::SUCCESS, "negative control: {kind}");
        let refused = answer(2, "anonymous-2", builder("anonymous-2"), short + 200).reason.unwrap_or_default();
        assert_eq!(refused, "too_large: at most 36864 bytes of a guest's message", "{kind}");
        assert_eq!(answer(3, "dora", entry("dora", MqttVersion::V5), 2 * short).code, ReasonCode::SUCCESS, "{kind}");
    }
}

#[test]
fn a_reconnecting_guest_gets_no_new_message_allowance() {
    let mut world = World::new();
    let id_tag = "anonymous-1_0123456789";
    let topic = format!("realm/s/public/lobby/c/{id_tag}_web/{id_tag}");
    let chat = json!({"object_id": id_tag, "type": "chat", "text": "x"}).to_string();
    let bob = world.enter_scene(100, entry("bob", MqttVersion::V311));
    for number in 1..=5 {
        let flood = world.enter(number, guest("anonymous-1", MqttVersion::V311));
        for _ in 0..limits::GUEST_MESSAGES_BURST {
            world.say(flood, &topic, &chat);
        }
        world.close(flood);
    }
    assert_eq!(world.messages(bob).len(), limits::GUEST_MESSAGES_BURST as usize);
}

#[test]
fn a_scenes_guest_bound_refuses_only_guests_above_their_share() {
    let mut world = World::new();
    for number in 0..limits::SCENE_MESSAGES_BURST / 2 / limits::GUEST_MESSAGES_BURST + 150 {
        let name = format!("anonymous-{number}");
        let connection = world.enter(u64::from(number), guest(&name, MqttVersion::V311));
        let topic = format!("realm/s/public/lobby/c/{name}_0123456789_web/{name}_0123456789");
        let chat = json!({"object_id": format!("{name}_0123456789"), "type": "chat", "text": "x"}).to_string();
        for _ in 0..limits::GUEST_MESSAGES_BURST {
            world.say(connection, &topic, &chat);
        }
    }
    let dora = world.enter(9_999, entry("dora", MqttVersion::V5));
    let topic = "realm/s/public/lobby/o/dora_0123456789_web/none";
    let ack = world.say_surely(dora, topic, r#"{"object_id": "none", "action": "delete"}"#);
    assert_eq!(ack.expect("an answer").code, ReasonCode::SUCCESS);
    let [greedy, visitor] =
        [(9_998, "greedy"), (9_997, "visitor")].map(|(id, name)| world.enter(id, guest(name, MqttVersion::V5)));
    let mut chat = |connection, name: &str| {
        let topic = format!("realm/s/public/lobby/c/{name}_0123456789_web/{name}_0123456789");
        let chat = json!({"object_id": format!("{name}_0123456789"), "type": "chat", "text": "x"}).to_string();
        world.say_surely(connection, &topic, &chat).expect("an answer")
    };
    let words = (0..limits::GUEST_MESSAGES_BURST).find_map(|_| chat(greedy, "greedy").reason);
    assert_eq!(words.as_deref(), Some("flood: at most 25000 messages a second of all guests in a scene"));
    for _ in 0..20 {
        assert_eq!(chat(visitor, "visitor").code, ReasonCode::SUCCESS, "below the fair share nothing is refused");
    }
}

#[test]
fn a_ping_flood_disconnects_only_its_sender() {
    let mut world = World::new();
    let [flood, bob] =
        [(1, "anonymous-1"), (2, "anonymous-2")].map(|(id, name)| world.enter(id, guest(name, MqttVersion::V5)));
    for _ in 0..limits::UNPAID_PACKETS_BURST {
        world.send(flood, Packet::PingReq);
    }
    assert!(!world.closed.contains(&flood), "negative control");
    world.inbox(flood);
    world.send(flood, Packet::PingReq);
    let [Packet::Disconnect(told)] = &world.inbox(flood)[..] else { panic!("is told") };
    assert_eq!(told.code, ReasonCode::MESSAGE_RATE_TOO_HIGH);
    world.inbox(bob);
    world.send(bob, Packet::PingReq);
    assert_eq!(world.inbox(bob), [Packet::PingResp]);
}

#[test]
fn a_guests_subscriptions_are_bounded_in_number_and_levels() {
    let mut world = World::new();
    let [visitor, member] =
        [world.enter(1, guest("anonymous-1", MqttVersion::V5)), world.enter(2, entry("bob", MqttVersion::V5))];
    let taken = |world: &mut World, connection, id_tag: &str| {
        let filter = |number: usize| format!("realm/s/public/lobby/+/+/+/{id_tag}/{number}");
        let granted = |number: &usize| !world.subscribe(connection, &filter(*number), Qos::AtMostOnce).is_error();
        (0..limits::SUBSCRIPTIONS_MAX).filter(granted).count()
    };
    let deep = format!("realm/s/public/lobby/+/+/+/anonymous-1_0123456789/{}", "/".repeat(2_000));
    assert!(world.subscribe(visitor, &deep, Qos::AtMostOnce).is_error());
    assert_eq!(taken(&mut world, visitor, "anonymous-1_0123456789"), limits::GUEST_SUBSCRIPTIONS_MAX);
    assert_eq!(taken(&mut world, member, "bob_0123456789"), limits::SUBSCRIPTIONS_MAX, "negative control");
}

#[test]
fn a_small_change_of_a_large_object_is_charged_for_the_whole_object() {
    let flooded_after = |bytes: usize| {
        let mut world = World::new();
        let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
        let data = json!({"object_type": "text", "value": "x".repeat(bytes)});
        let made = json!({"object_id": "box1", "action": "create", "persist": true, "data": data}).to_string();
        assert_eq!(world.say_surely(alice, OWN, &made).map(|ack| ack.code), Some(ReasonCode::SUCCESS));
        let change =
            json!({"object_id": "box1", "action": "update", "persist": true, "data": {"color": "#ff0000"}}).to_string();
        let mut said = 0;
        while said < 2_000 && world.count(RealmCounter::Refused) == 0 {
            world.say(alice, OWN, &change);
            said += 1;
        }
        said
    };
    let large = 200 * 1_024;
    let allowed = limits::MEMBER_KIB_BURST as usize * 1_024 / (2 * large);
    let said = flooded_after(large);
    assert!(said >= allowed && said < 2 * allowed, "{said} of {allowed}");
    assert_eq!(flooded_after(1_024), 2_000, "negative control");
}

#[test]
fn a_refused_change_of_a_large_object_is_charged_for_the_whole_object() {
    let refused_for_size = |bytes: usize| {
        let mut world = World::new();
        world.let_everybody_build();
        let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
        let data = json!({"object_type": "text", "value": "x".repeat(bytes)});
        let made = json!({"object_id": "box1", "action": "create", "persist": true, "data": data}).to_string();
        assert_eq!(world.say_surely(alice, OWN, &made).map(|ack| ack.code), Some(ReasonCode::SUCCESS));
        let builder = guest("anonymous-1", MqttVersion::V5);
        let visitor = world.enter(2, Entry { claims: claims("anonymous-1", Role::Editor, true), ..builder });
        let change = json!({"object_id": "box1", "action": "update", "persist": true, "data": {"a": 1}}).to_string();
        let topic = "realm/s/public/lobby/o/anonymous-1_0123456789_web/box1";
        let mut refusals = core::iter::from_fn(|| world.say_surely(visitor, topic, &change).map(|ack| ack.reason));
        refusals
            .by_ref()
            .take_while(|reason| reason.as_deref().is_some_and(|text| text.starts_with("too_large")))
            .count()
    };
    let large = 200 * 1_024;
    let allowed = limits::GUEST_KIB_BURST as usize * 1_024 / large;
    let refused = refused_for_size(large);
    assert!(refused >= allowed && refused < 2 * allowed, "{refused} of {allowed}");
    let least = refused_for_size(limits::GUEST_OBJECT_BYTES_MAX);
    assert!(least > 4 * allowed, "negative control: {least}");
}

#[test]
fn a_guest_limited_by_updates_of_a_large_object_can_still_chat() {
    let mut world = World::new();
    world.let_everybody_build();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let data = json!({"object_type": "text", "value": "x".repeat(28 * 1_024)});
    let made = json!({"object_id": "box1", "action": "create", "persist": true, "data": data}).to_string();
    assert_eq!(world.say_surely(alice, OWN, &made).map(|ack| ack.code), Some(ReasonCode::SUCCESS));
    let builder = Entry { claims: claims("anonymous-1", Role::Editor, true), ..guest("anonymous-1", MqttVersion::V5) };
    let visitor = world.enter_scene(2, builder);
    let uc = "anonymous-1_0123456789_web";
    let dragged =
        json!({"object_id": "box1", "action": "update", "persist": true, "data": {"color": "#ff0000"}}).to_string();
    let id_tag = "anonymous-1_0123456789";
    let chat = json!({"object_id": id_tag, "type": "chat", "text": "hi"}).to_string();
    let mut slowed_after = None;
    for said in 0..200 {
        let before = world.count(RealmCounter::Refused);
        world.say(visitor, &format!("realm/s/public/lobby/o/{uc}/box1"), &dragged);
        let after = world.count(RealmCounter::Refused);
        slowed_after = slowed_after.or((after > before).then_some(said));
        world.say(visitor, &format!("realm/s/public/lobby/c/{uc}/{id_tag}"), &chat);
        assert_eq!(world.count(RealmCounter::Refused), after, "what is no change of an object is heard");
        world.pass_millis(100);
    }
    assert!(slowed_after.is_some_and(|said| said > 10), "negative control: {slowed_after:?}");
}

#[test]
fn a_sessions_subscription_filters_are_bounded_in_total_bytes() {
    let mut world = World::new();
    let ada = world.enter(1, explicit("ada", MqttVersion::V5, &["a/#"]));
    let filter_of = |number: usize| match number % 2 {
        0 => format!("a/{}/{number:03}", "x".repeat(1_018)),
        _ => format!("$share/s/a/{}/{number:03}", "x".repeat(1_018)),
    };
    let mut granted = |number: &usize| {
        let filter = filter_of(*number);
        let subscription = SubscriptionRequest {
            filter,
            qos: Qos::AtMostOnce,
            no_local: false,
            retain_as_published: false,
            retain_handling: RetainHandling::Send,
        };
        let asked = Subscribe { packet_id: 9, subscriptions: alloc::vec![subscription], subscription_id: None };
        world.send(ada, Packet::Subscribe(asked));
        let inbox = world.inbox(ada);
        let [Packet::SubAck(acks)] = &inbox[..] else { panic!("{inbox:?}") };
        acks.codes[0] == ReasonCode::granted(Qos::AtMostOnce)
    };
    let most = limits::SUBSCRIPTION_BYTES_MAX / 1_024;
    assert_eq!((0..limits::SUBSCRIPTIONS_MAX).filter(&mut granted).count(), most);
    assert_eq!((0..most).filter(&mut granted).count(), most, "those that it has may be asked for again");
}

#[test]
fn changes_of_objects_below_the_free_size_are_not_charged_by_size() {
    let mut world = World::new();
    world.let_everybody_build();
    let builder = Entry { claims: claims("anonymous-1", Role::Editor, true), ..guest("anonymous-1", MqttVersion::V5) };
    let client = world.enter_scene(1, builder);
    let own = "realm/s/public/lobby/o/anonymous-1_0123456789_web/box1";
    let data = json!({"object_type": "text", "value": "x".repeat(limits::UNPAID_OBJECT_BYTES - 1_024)});
    let made = json!({"object_id": "box1", "action": "create", "data": data}).to_string();
    assert_eq!(world.say_surely(client, own, &made).map(|ack| ack.code), Some(ReasonCode::SUCCESS));
    let change = json!({"object_id": "box1", "action": "update", "data": {"color": "#ff0000"}}).to_string();
    for _ in 0..20 {
        (0..limits::GUEST_MESSAGES_PER_S).for_each(|_| world.say(client, own, &change));
        world.send(client, Packet::PingReq);
        world.pass(1);
    }
    assert_eq!(world.count(RealmCounter::Refused), 0);
}
