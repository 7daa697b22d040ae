//! MQTT outside of scenes: sessions, wills, shared subscriptions, identifiers, expiry.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use stoa_wire::packet::{
    Disconnect, MqttVersion, Packet, Publish, PublishAck, Qos, ReasonCode, RetainHandling, Subscribe,
    SubscriptionRequest, Will,
};

use super::ConnectionId;
use super::world::{Entry, World, explicit, guest, publish, will};
use crate::limits;
use crate::mqtt::retained::RetainedMessage;
use crate::realm::RealmCounter;

fn member(sub: &str) -> Entry {
    explicit(sub, MqttVersion::V5, &["a/#"])
}

/// A session that outlives its connection.
fn lasting(sub: &str, expiry_s: u32) -> Entry {
    let mut entry = member(sub);
    entry.connect.session_expiry_s = Some(expiry_s);
    entry.connect.clean_start = false;
    entry
}

fn surely(text: &str, qos: Qos, packet_id: u16) -> Packet {
    Packet::Publish(Publish { qos, packet_id: Some(packet_id), ..publish("a/b", text) })
}

fn leave(world: &mut World, connection: ConnectionId, session_expiry_s: Option<u32>) {
    let farewell = Disconnect { code: ReasonCode::SUCCESS, session_expiry_s, reason: None };
    world.send(connection, Packet::Disconnect(farewell));
}

fn delayed(delay_s: u32) -> Will {
    Will { delay_s, ..will("a/will", "gone") }
}

fn subscribe(filter: &str, subscription_id: Option<u32>) -> Packet {
    let subscription = SubscriptionRequest {
        filter: filter.into(),
        qos: Qos::ExactlyOnce,
        no_local: false,
        retain_as_published: false,
        retain_handling: RetainHandling::Send,
    };
    Packet::Subscribe(Subscribe { packet_id: 9, subscriptions: vec![subscription], subscription_id })
}

#[test]
fn a_disconnect_may_extend_or_end_its_session() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada", 1));
    leave(&mut world, ada, Some(5));
    world.pass(3);
    assert_eq!(session_present(&mut world, 2, lasting("ada", 1)), (true, ConnectionId(2)));
    leave(&mut world, ConnectionId(2), None);
    world.pass(2);
    assert!(!session_present(&mut world, 3, lasting("ada", 5)).0, "negative control: 1 s is over");
    leave(&mut world, ConnectionId(3), Some(0));
    assert!(!session_present(&mut world, 4, lasting("ada", 1)).0);
}

fn session_present(world: &mut World, id: u64, entry: Entry) -> (bool, ConnectionId) {
    let connection = world.try_enter(id, entry);
    match &world.inbox(connection)[..] {
        [Packet::ConnAck(ack), ..] => (ack.session_present, connection),
        other => panic!("a CONNACK comes first: {other:?}"),
    }
}

#[test]
fn a_delayed_will_is_published_after_its_delay_or_session_unless_the_client_returns() {
    for (delay_s, expiry_s, silent_s, back) in [(3, 5, 2, false), (5, 2, 1, false), (3, 5, 2, true)] {
        let mut world = World::new();
        let bo = world.enter(1, member("bo"));
        world.subscribe(bo, "a/will", Qos::ExactlyOnce);
        let mut entry = lasting("ada", expiry_s);
        entry.connect.will = Some(delayed(delay_s));
        let ada = world.enter(2, entry);
        world.close(ada);
        world.pass(silent_s);
        assert!(world.texts(bo).is_empty());
        if back {
            world.enter(3, lasting("ada", expiry_s));
        }
        world.pass(1);
        assert_eq!(world.texts(bo).len(), usize::from(!back), "delay {delay_s}, expiry {expiry_s}, back {back}");
        world.pass(9);
        assert!(world.texts(bo).is_empty(), "once");
    }
}

#[test]
fn a_will_is_published_at_once_if_its_session_ends_or_is_started_clean() {
    let mut world = World::new();
    let bo = world.enter(1, member("bo"));
    world.subscribe(bo, "a/will", Qos::ExactlyOnce);
    for (id, expiry_s) in [(2, 0), (3, 60)] {
        let mut entry = lasting("ada", expiry_s);
        entry.connect.will = Some(delayed(30));
        let ada = world.enter(id, entry);
        world.close(ada);
        assert_eq!(world.texts(bo).len(), usize::from(expiry_s == 0));
    }
    world.enter(4, member("ada"));
    assert_eq!(world.texts(bo), ["gone"], "a clean start ends the session");
}

#[test]
fn a_delayed_will_is_not_published_after_its_token_expires_or_is_revoked() {
    let mut world = World::new();
    let bo = world.enter(1, member("bo"));
    world.subscribe(bo, "a/will", Qos::ExactlyOnce);
    let mut entry = lasting("ada", 600);
    entry.connect.will = Some(delayed(60));
    entry.claims.exp.0 = super::world::NOW_UNIX + 30;
    let ada = world.enter(2, entry.clone());
    world.close(ada);
    world.pass(100);
    assert!(world.texts(bo).is_empty());
    assert_eq!(world.count(RealmCounter::Refused), 1, "negative control: it was tried");
    entry.claims.exp.0 = super::world::NOW_UNIX + 3_600;
    world.enter(3, entry);
    world.command(crate::realm::Command::Revoke { jti: "jti-ada".into() });
    world.pass(100);
    assert!(world.texts(bo).is_empty());
}

#[test]
fn a_will_in_a_scene_is_published_without_its_delay() {
    let mut world = World::new();
    let bo = world.enter_scene(1, super::world::entry("bo", MqttVersion::V5));
    let mut ada = super::world::entry("ada", MqttVersion::V5);
    ada.connect.session_expiry_s = Some(600);
    let id_tag = "ada_0123456789";
    let topic = alloc::format!("realm/s/public/lobby/x/{id_tag}_web/{id_tag}");
    let payload = r#"{"object_id":"ada_0123456789","action":"leave"}"#;
    ada.connect.will = Some(Will { delay_s: 600, ..will(&topic, payload) });
    let ada = world.enter(2, ada);
    world.close(ada);
    assert_eq!(world.messages(bo).len(), 1);
}

#[test]
fn members_of_a_share_take_turns_and_need_a_grant_for_the_filter() {
    let mut world = World::new();
    let [ada, bo, eve] = [(1, "ada"), (2, "bo"), (3, "eve")].map(|(id, sub)| world.enter(id, member(sub)));
    for member in [ada, bo] {
        assert_eq!(world.subscribe(member, "$share/g/a/#", Qos::AtLeastOnce), ReasonCode::GRANTED_QOS_1);
    }
    assert_eq!(world.subscribe(eve, "$share/g/b/#", Qos::AtMostOnce), ReasonCode::NOT_AUTHORIZED);
    assert_eq!(world.subscribe(eve, "$share/g", Qos::AtMostOnce), ReasonCode::TOPIC_FILTER_INVALID);
    for text in ["1", "2", "3", "4"] {
        world.say(eve, "a/b", text);
    }
    assert_eq!((world.texts(ada), world.texts(bo)), (vec!["1".into(), "3".into()], vec!["2".into(), "4".into()]));
    let unsubscribe = stoa_wire::packet::Unsubscribe { packet_id: 3, filters: vec!["$share/g/a/#".into()] };
    world.send(ada, Packet::Unsubscribe(unsubscribe));
    world.inbox(ada);
    world.say(eve, "a/b", "5");
    assert_eq!((world.texts(ada).len(), world.texts(bo).len()), (0, 1));
}

#[test]
fn a_member_that_returns_without_the_grant_gets_no_messages_of_its_share() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada", 600));
    world.subscribe(ada, "$share/g/a/#", Qos::AtLeastOnce);
    world.close(ada);
    let mut entry = explicit("ada", MqttVersion::V5, &["c/#"]);
    (entry.connect.clean_start, entry.connect.session_expiry_s) = (false, Some(600));
    let ada = world.enter(2, entry);
    let bo = world.enter(3, member("bo"));
    world.say(bo, "a/b", "secret");
    assert!(world.texts(ada).is_empty());
}

#[test]
fn a_share_prefers_connected_members_and_queues_for_an_absent_one() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada", 600));
    let bo = world.enter(2, lasting("bo", 600));
    for member in [ada, bo] {
        world.subscribe(member, "$share/g/a/b", Qos::AtLeastOnce);
    }
    world.close(ada);
    let eve = world.enter(3, member("eve"));
    for (packet_id, text) in [(1, "1"), (2, "2")] {
        world.send(eve, surely(text, Qos::AtLeastOnce, packet_id));
    }
    assert_eq!(world.texts(bo), ["1", "2"]);
    world.close(bo);
    world.send(eve, surely("3", Qos::AtLeastOnce, 3));
    let ada = world.try_enter(4, lasting("ada", 600));
    let bo = world.try_enter(5, lasting("bo", 600));
    let (ada, bo) = (world.texts(ada), world.texts(bo));
    assert_eq!((ada.len() + bo.len(), ada.contains(&"3".into()) ^ bo.contains(&"3".into())), (3, true));
}

#[test]
fn a_shared_subscription_with_no_local_closes_the_connection() {
    let mut world = World::new();
    let ada = world.enter(1, member("ada"));
    let Packet::Subscribe(mut asked) = subscribe("$share/g/a/b", None) else { unreachable!("was just made") };
    asked.subscriptions[0].no_local = true;
    world.send(ada, Packet::Subscribe(asked));
    assert_eq!(world.closed, [ada]);
}

#[test]
fn a_message_is_delivered_once_with_the_ids_of_all_matching_subscriptions() {
    let mut world = World::new();
    let ada = world.enter(1, member("ada"));
    for (filter, id) in [("a/b", Some(2)), ("a/#", Some(3)), ("a/+", None)] {
        world.send(ada, subscribe(filter, id));
    }
    let bo = world.enter(2, member("bo"));
    world.send(bo, subscribe("$share/g/a/b", Some(7)));
    world.send(bo, subscribe("a/+", None));
    world.inbox(ada);
    world.inbox(bo);
    for qos in [Qos::AtMostOnce, Qos::AtLeastOnce] {
        let packet_id = (qos > Qos::AtMostOnce).then_some(1);
        world.send(ada, Packet::Publish(Publish { qos, packet_id, ..publish("a/b", "x") }));
        let ids = |publishes: Vec<Publish>| -> Vec<Vec<u32>> {
            publishes.into_iter().map(|publish| publish.properties.subscription_ids).collect()
        };
        assert_eq!(ids(world.publishes(ada)), [vec![2, 3]]);
        assert_eq!(ids(world.publishes(bo)), [vec![], vec![7]], "its own, and the share's");
    }
}

#[test]
fn retained_messages_carry_the_remaining_expiry_and_are_not_sent_to_shares() {
    let mut world = World::new();
    let ada = world.enter(1, member("ada"));
    let mut kept = publish("a/kept", "kept");
    (kept.retain, kept.properties.message_expiry_s) = (true, Some(10));
    world.send(ada, Packet::Publish(kept));
    world.pass(4);
    world.send(ada, subscribe("$share/g/a/#", None));
    assert!(world.publishes(ada).is_empty());
    world.send(ada, subscribe("a/#", Some(5)));
    let [heard] = &world.publishes(ada)[..] else { panic!("one is retained") };
    assert_eq!((heard.properties.message_expiry_s, &heard.properties.subscription_ids[..]), (Some(6), &[5][..]));
    world.pass(6);
    world.send(ada, subscribe("a/#", None));
    assert!(world.publishes(ada).is_empty());
}

#[test]
fn a_subscriber_pays_for_comparisons_with_many_retained_topics() {
    let codes = |retained: usize| {
        let mut world = World::new();
        let ada = world.enter(1, member("ada"));
        for number in 0..retained {
            let publish = Publish { retain: true, ..publish(&format!("a/{number}"), "kept") };
            let subject = format!("account-{}", number % 5).into();
            let message = RetainedMessage { publish: publish.into(), taken_at: world.now, subject };
            world.realm.retained.keep(message).unwrap();
        }
        let subscribed = |number: usize| {
            world.send(ada, subscribe(&format!("a/+/{number}"), None));
            let inbox = world.inbox(ada);
            let [Packet::SubAck(acks)] = &inbox[..] else { panic!("{inbox:?}") };
            acks.codes[0]
        };
        // The same filters once more are compared once more.
        (0..300).map(|number| number % limits::SUBSCRIPTIONS_MAX).map(subscribed).collect::<Vec<_>>()
    };
    assert!(codes(100).iter().all(|code| *code == ReasonCode::GRANTED_QOS_2), "negative control");
    let costly = codes(limits::RETAINED_SHARED);
    let paid = limits::MEMBER_MESSAGES_BURST as usize / (limits::RETAINED_SHARED / limits::COMPARED_PER_MESSAGE);
    assert!(costly[..paid - 1].iter().all(|code| *code == ReasonCode::GRANTED_QOS_2));
    assert!(costly[paid..].iter().all(|code| *code == ReasonCode::QUOTA_EXCEEDED));
}

#[test]
fn unacknowledged_messages_are_resent_in_order_and_marked_as_duplicates() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada", 600));
    world.subscribe(ada, "a/b", Qos::ExactlyOnce);
    let bo = world.enter(2, member("bo"));
    world.send(bo, surely("1", Qos::AtLeastOnce, 1));
    world.send(bo, surely("2", Qos::ExactlyOnce, 2));
    let ids: Vec<_> = world.publishes(ada).into_iter().map(|publish| publish.packet_id).collect();
    world.send(ada, Packet::PubRec(PublishAck::success(ids[1].unwrap())));
    world.close(ada);
    world.send(bo, surely("3", Qos::AtLeastOnce, 3));
    let ada = world.try_enter(3, lasting("ada", 600));
    let inbox = world.inbox(ada);
    // QoS 2 waits for the disk; each QoS keeps its own order.
    let [Packet::ConnAck(_), Packet::Publish(first), Packet::Publish(third), Packet::PubRel(second)] = &inbox[..]
    else {
        panic!("{inbox:?}")
    };
    assert_eq!((first.dup, first.packet_id, Some(second.packet_id)), (true, ids[0], ids[1]));
    assert_eq!((third.dup, &third.payload[..]), (false, &b"3"[..]));
}

#[test]
fn the_number_of_a_members_idle_sessions_is_limited() {
    let mut world = World::new();
    for number in 0..=limits::MEMBER_IDLE_SESSIONS_MAX as u64 {
        let mut entry = lasting("ada", 600);
        entry.connect.client_id = alloc::format!("client-{number}");
        let connection = world.enter(number, entry);
        world.close(connection);
    }
    let mut last = lasting("ada", 600);
    last.connect.client_id = alloc::format!("client-{}", limits::MEMBER_IDLE_SESSIONS_MAX);
    assert!(!session_present(&mut world, 5_000, last).0);
    let mut first = lasting("ada", 600);
    first.connect.client_id = "client-0".into();
    assert!(session_present(&mut world, 5_001, first).0, "negative control: the others still wait");
}

#[test]
fn messages_queued_for_all_idle_sessions_are_bounded() {
    let mut world = World::new();
    let sessions = limits::MEMBERS_IDLE_BYTES_MAX / limits::PENDING_BYTES_MAX + 2;
    for number in 0..sessions as u64 {
        let entry = lasting(&alloc::format!("sub-{number}"), 600);
        let connection = world.enter(number, entry);
        world.subscribe(connection, "a/b", Qos::AtLeastOnce);
        world.close(connection);
    }
    let bo = world.enter(1_000, member("bo"));
    let text = "x".repeat(stoa_wire::limits::PAYLOAD_BYTES_MAX);
    for packet_id in 1..=20 {
        world.send(bo, surely(&text, Qos::AtLeastOnce, packet_id));
    }
    // A further idle session has no message to drop, so it gets none. Messages that one brings along are dropped, but
    // the session lives on.
    let [late, busy] = [(1_001, "late", "a/late"), (1_002, "busy", "a/busy")].map(|(id, sub, topic)| {
        let connection = world.enter(id, lasting(sub, 600));
        world.subscribe(connection, topic, Qos::AtLeastOnce);
        connection
    });
    world.close(late);
    for (packet_id, topic) in [(30, "a/late"), (31, "a/busy")] {
        let message = Publish { qos: Qos::AtLeastOnce, packet_id: Some(packet_id), ..publish(topic, &text) };
        world.send(bo, Packet::Publish(message));
    }
    assert_eq!(world.texts(busy).len(), 1, "negative control: who is there is sent it");
    world.close(busy);
    let late = world.try_enter(1_003, lasting("late", 600));
    assert!(matches!(&world.inbox(late)[..], [Packet::ConnAck(ack)] if ack.session_present));
    let busy = world.try_enter(1_004, lasting("busy", 600));
    assert!(matches!(&world.inbox(busy)[..], [Packet::ConnAck(ack)] if ack.session_present));
    let mut waiting = 0;
    for number in 0..sessions as u64 {
        let connection = world.try_enter(2_000 + number, lasting(&alloc::format!("sub-{number}"), 600));
        waiting += world.texts(connection).len();
        world.close(connection);
    }
    let each = publish("a/b", &text).size_bytes();
    assert_eq!(waiting, limits::MEMBERS_IDLE_BYTES_MAX / each);
}

#[test]
fn messages_queued_for_one_member_use_no_room_of_another_member() {
    let mut world = World::new();
    let text = "x".repeat(stoa_wire::limits::PAYLOAD_BYTES_MAX);
    let each = publish("a/0", &text).size_bytes();
    let full = limits::MEMBER_IDLE_BYTES_MAX / each;
    for number in 0..10 {
        let mut entry = lasting("mallory", 600);
        entry.connect.client_id = alloc::format!("client-{number}");
        let connection = world.enter(number, entry);
        world.subscribe(connection, &alloc::format!("a/{number}"), Qos::AtLeastOnce);
        world.close(connection);
    }
    let victim = world.enter(50, lasting("ada", 600));
    world.subscribe(victim, "a/victim", Qos::AtLeastOnce);
    world.close(victim);
    let bo = world.enter(100, member("bo"));
    let topics = (0..10).flat_map(|number| [number; 10]).map(|number| alloc::format!("a/{number}"));
    for (packet_id, topic) in (1..).zip(topics.chain(["a/victim".into()])) {
        let message = Publish { qos: Qos::AtLeastOnce, packet_id: Some(packet_id), ..publish(&topic, &text) };
        world.send(bo, Packet::Publish(message));
    }
    let back = world.try_enter(51, lasting("ada", 600));
    assert_eq!(world.texts(back).len(), 1);
    let mut waited = 0;
    for number in 0..10 {
        let mut entry = lasting("mallory", 600);
        entry.connect.client_id = alloc::format!("client-{number}");
        let connection = world.try_enter(200 + number, entry);
        waited += world.texts(connection).len();
    }
    assert_eq!(waited, full, "all that one member may have");
}

#[test]
fn a_message_to_sessions_that_are_not_stored_costs_one_message() {
    let mut world = World::new();
    for number in 0..100 {
        let connection = world.enter(number, explicit(&alloc::format!("ada{number}"), MqttVersion::V5, &["a/#"]));
        world.subscribe(connection, "a/b", Qos::AtLeastOnce);
    }
    let bo = world.enter(1_000, member("bo"));
    for packet_id in 1..=50 {
        world.send(bo, surely("x", Qos::AtLeastOnce, packet_id));
    }
    for _ in 0..limits::MEMBER_MESSAGES_BURST - 50 {
        world.say(bo, "a/x", "x");
    }
    assert_eq!(world.count(RealmCounter::Refused), 0);
}

#[test]
fn a_shutdown_notifies_clients_and_publishes_only_guests_wills() {
    for guest in [true, false] {
        let mut world = World::new();
        let bo = world.enter(1, lasting("bo", 600));
        world.subscribe(bo, "a/will", Qos::AtLeastOnce);
        let mut entry = lasting("ada", 600);
        entry.connect.will = Some(delayed(60));
        entry.claims.guest = guest;
        let ada = world.enter(2, entry);
        world.close(ada);
        world.realm.handle_shutdown(world.now);
        world.drain();
        let inbox = world.inbox(bo);
        let told = |packet: &Packet| matches!(packet, Packet::Disconnect(farewell) if farewell.code == ReasonCode::SERVER_SHUTTING_DOWN);
        assert!(inbox.iter().any(told), "{inbox:?}");
        assert_eq!(world.closed, [bo]);
        world.restart(1);
        let bo = world.try_enter(3, lasting("bo", 600));
        assert_eq!(world.texts(bo).len(), usize::from(guest), "a guest's session ends with the server");
        world.pass(60);
        assert_eq!(world.texts(bo).len(), usize::from(!guest), "a member's goes on");
    }
}

#[test]
fn connack_names_an_assigned_client_id_only_if_the_server_assigned_it() {
    let mut world = World::new();
    for (id, client_id) in [(1, ""), (2, "auto-0000000000000000")] {
        let mut entry = member("ada");
        entry.connect.client_id = client_id.into();
        let connection = world.try_enter(id, entry);
        let inbox = world.inbox(connection);
        let [Packet::ConnAck(ack)] = &inbox[..] else { panic!("{inbox:?}") };
        assert_eq!(ack.properties.assigned_client_id.is_some(), client_id.is_empty());
    }
}

#[test]
fn a_guests_session_is_not_stored() {
    let mut world = World::new();
    let mut entry = guest("anonymous-1", MqttVersion::V5);
    (entry.connect.session_expiry_s, entry.connect.clean_start) = (Some(600), false);
    let connection = world.enter(1, entry);
    world.close(connection);
    assert_eq!(world.kept, crate::mqtt::stored::StoredBroker::default());
    let ada = world.enter(2, lasting("ada", 600));
    world.close(ada);
    assert_eq!(world.kept.sessions.len(), 1, "negative control");
}

#[test]
fn topic_aliases_are_used_except_for_qos_2_to_a_persistent_session() {
    let mut world = World::new();
    let ada = world.enter(1, member("ada"));
    let mut entry = member("bo");
    entry.connect.topic_alias_max = Some(1);
    entry.connect.session_expiry_s = Some(60);
    entry.connect.clean_start = false;
    let bo = world.enter(2, entry.clone());
    world.subscribe(bo, "a/#", Qos::ExactlyOnce);
    let heard = |world: &mut World, bo| {
        let heard = world.publishes(bo);
        heard.iter().map(|each| (each.topic.as_str().into(), each.properties.topic_alias)).collect::<Vec<_>>()
    };
    let named = |topic: &str, alias| (alloc::string::String::from(topic), alias);
    world.send(ada, Packet::Publish(publish("a/b", "0")));
    world.send(ada, surely("1", Qos::AtLeastOnce, 1));
    world.send(ada, surely("2", Qos::ExactlyOnce, 2));
    world.send(ada, Packet::Publish(publish("a/c", "no alias is left")));
    // QoS 2 to a persistent session waits for the disk and may be overtaken, so it uses no alias.
    let expected = [named("a/b", Some(1)), named("", Some(1)), named("a/b", None), named("a/c", None)];
    assert_eq!(heard(&mut world, bo), expected);
    world.close(bo);
    let bo = world.try_enter(3, entry);
    assert_eq!(heard(&mut world, bo), [named("a/b", Some(1)), named("a/b", None)], "a new connection knows none");
    assert!(world.publishes(ada).is_empty());
}

#[test]
fn requested_response_information_is_a_topic_within_the_clients_grant() {
    let answer = |filter: &str, is_asked| {
        let mut world = World::new();
        let mut entry = explicit("ada", MqttVersion::V5, &[filter]);
        entry.connect.response_information = is_asked;
        let ada = world.try_enter(1, entry);
        match &world.inbox(ada)[..] {
            [Packet::ConnAck(ack)] => ack.properties.response_information.clone(),
            other => panic!("a CONNACK: {other:?}"),
        }
    };
    let place = answer("reply/#", true).expect("a place");
    assert!(place.starts_with("reply/ada/"), "{place}");
    assert_eq!(answer("reply/#", false), None, "nobody asked");
    assert_eq!(answer("a/#", true), None, "it could not listen there");
}
