//! The broker's guarantees across a crash of the server.

use alloc::vec::Vec;

use stoa_wire::packet::{MqttVersion, Packet, Publish, PublishAck, Qos, ReasonCode};

use super::world::{Entry, World, explicit, publish};

fn lasting(sub: &str) -> Entry {
    let mut entry = explicit(sub, MqttVersion::V5, &["a/#"]);
    (entry.connect.session_expiry_s, entry.connect.clean_start) = (Some(600), false);
    entry
}

fn surely(text: &str, qos: Qos, packet_id: u16) -> Packet {
    Packet::Publish(Publish { qos, packet_id: Some(packet_id), ..publish("a/b", text) })
}

#[test]
fn sessions_restore_subscriptions_and_queued_messages_after_a_restart_until_expiry() {
    for (away_s, lives) in [(500, true), (700, false)] {
        let mut world = World::new();
        let ada = world.enter(1, lasting("ada"));
        world.subscribe(ada, "a/b", Qos::ExactlyOnce);
        world.subscribe(ada, "$share/g/a/c", Qos::ExactlyOnce);
        world.subscribe(ada, "a/d", Qos::ExactlyOnce);
        let unsubscribe = stoa_wire::packet::Unsubscribe { packet_id: 3, filters: alloc::vec!["a/d".into()] };
        world.send(ada, Packet::Unsubscribe(unsubscribe));
        world.close(ada);
        let bo = world.enter(2, lasting("bo"));
        world.send(bo, surely("1", Qos::AtLeastOnce, 1));
        world.restart(away_s);
        let bo = world.enter(3, lasting("bo"));
        for (packet_id, topic) in [(2, "a/b"), (3, "a/c"), (4, "a/d")] {
            let message = Publish { qos: Qos::AtLeastOnce, packet_id: Some(packet_id), ..publish(topic, topic) };
            world.send(bo, Packet::Publish(message));
        }
        let ada = world.try_enter(4, lasting("ada"));
        let expected: &[&str] = if lives { &["1", "a/b", "a/c"] } else { &[] };
        assert_eq!(world.texts(ada), expected, "{away_s} s away");
    }
}

#[test]
fn retained_messages_survive_a_restart_until_they_expire_or_are_cleared() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada"));
    for (topic, text, expiry_s) in
        [("a/1", "1", None), ("a/2", "2", Some(10)), ("a/3", "3", Some(90)), ("a/4", "4", None)]
    {
        let mut kept = Publish { retain: true, qos: Qos::AtLeastOnce, packet_id: Some(1), ..publish(topic, text) };
        kept.properties.message_expiry_s = expiry_s;
        world.send(ada, Packet::Publish(kept));
    }
    world.send(ada, Packet::Publish(Publish { retain: true, ..publish("a/4", "") }));
    world.restart(60);
    let ada = world.enter(2, lasting("ada"));
    world.subscribe(ada, "a/#", Qos::ExactlyOnce);
    let heard = world.publishes(ada);
    let heard: Vec<_> =
        heard.iter().map(|each| (each.topic.as_str(), each.qos, each.properties.message_expiry_s)).collect();
    assert_eq!(heard, [("a/1", Qos::AtLeastOnce, None), ("a/3", Qos::AtLeastOnce, Some(30))]);
    assert_eq!(world.kept.retained.len(), 2, "what had expired is forgotten on disk too");
}

#[test]
fn nothing_is_acknowledged_before_it_is_on_disk() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada"));
    let bo = world.enter(2, explicit("bo", MqttVersion::V5, &["a/#"]));
    world.store_waits = true;
    world.send(bo, surely("nobody waits for it", Qos::AtLeastOnce, 1));
    assert!(world.take_ack(bo).is_some(), "negative control: nothing is written for this");
    let subscribe = stoa_wire::packet::Subscribe {
        packet_id: 9,
        subscriptions: alloc::vec![stoa_wire::packet::SubscriptionRequest {
            filter: "a/b".into(),
            qos: Qos::ExactlyOnce,
            no_local: false,
            retain_as_published: false,
            retain_handling: stoa_wire::packet::RetainHandling::Send,
        }],
        subscription_id: None,
    };
    let waits = |world: &mut World, connection, packet: Packet, is_answer: fn(&Packet) -> bool| {
        world.send(connection, packet);
        let early = world.inbox(connection);
        assert!(!early.iter().any(is_answer), "before the disk: {early:?}");
        world.commit();
        let late = world.inbox(connection);
        assert!(late.iter().any(is_answer), "after the disk: {late:?}");
    };
    waits(&mut world, ada, Packet::Subscribe(subscribe), |packet| matches!(packet, Packet::SubAck(_)));
    waits(&mut world, bo, surely("x", Qos::AtLeastOnce, 2), |packet| matches!(packet, Packet::PubAck(_)));
    waits(&mut world, ada, surely("y", Qos::ExactlyOnce, 3), |packet| matches!(packet, Packet::PubRec(_)));
    waits(&mut world, ada, Packet::PubRel(PublishAck::success(3)), |packet| matches!(packet, Packet::PubComp(_)));
    waits(&mut world, ada, Packet::PubRec(PublishAck::success(2)), |packet| matches!(packet, Packet::PubRel(_)));
}

#[test]
fn a_qos_2_message_is_delivered_exactly_once_wherever_the_server_crashes() {
    // The server crashes after this many commits; then both clients reconnect and finish.
    for commits in 0..8 {
        let mut world = World::new();
        let ada = world.enter(1, lasting("ada"));
        world.subscribe(ada, "a/b", Qos::ExactlyOnce);
        let bo = world.enter(2, lasting("bo"));
        world.store_waits = true;
        let mut talk = Talk { unsaid: true, ..Talk::default() };
        talk.go_on(&mut world, (bo, ada), commits);
        world.store_waits = false;
        world.restart(1);
        let bo = world.try_enter(3, lasting("bo"));
        let ada = world.try_enter(4, lasting("ada"));
        talk.resend(&mut world, bo);
        talk.go_on(&mut world, (bo, ada), 8);
        assert_eq!(talk.heard, 1, "died after {commits} commits");
        assert!(talk.acknowledged);
    }
}

/// Two clients that keep their side of QoS 2 through a crash.
#[derive(Default)]
struct Talk {
    unsaid: bool,
    released: bool,
    acknowledged: bool,
    /// Packet ids at the receiver.
    received: Vec<u16>,
    heard: usize,
}

impl Talk {
    fn resend(&mut self, world: &mut World, bo: super::ConnectionId) {
        if self.acknowledged {
            return;
        }
        if self.released {
            world.send(bo, Packet::PubRel(PublishAck::success(5)));
        } else {
            let Packet::Publish(again) = surely("once", Qos::ExactlyOnce, 5) else { unreachable!("was just made") };
            world.send(bo, Packet::Publish(Publish { dup: true, ..again }));
        }
    }

    fn go_on(&mut self, world: &mut World, (bo, ada): (super::ConnectionId, super::ConnectionId), commits: usize) {
        if core::mem::take(&mut self.unsaid) {
            world.send(bo, surely("once", Qos::ExactlyOnce, 5));
        }
        for left in (0..=commits).rev() {
            for _ in 0..3 {
                self.answer(world, bo, ada);
            }
            if left > 0 {
                world.commit();
            }
        }
    }

    fn answer(&mut self, world: &mut World, bo: super::ConnectionId, ada: super::ConnectionId) {
        for packet in world.inbox(bo) {
            match packet {
                Packet::PubRec(ack) if !ack.code.is_error() => {
                    self.released = true;
                    world.send(bo, Packet::PubRel(PublishAck::success(ack.packet_id)));
                }
                Packet::PubComp(_) => self.acknowledged = true,
                _ => {}
            }
        }
        for packet in world.inbox(ada) {
            match packet {
                Packet::Publish(publish) => {
                    let packet_id = publish.packet_id.expect("is of QoS 2");
                    if !self.received.contains(&packet_id) {
                        self.received.push(packet_id);
                        self.heard += 1;
                    }
                    world.send(ada, Packet::PubRec(PublishAck::success(packet_id)));
                }
                Packet::PubRel(ack) => {
                    self.received.retain(|packet_id| *packet_id != ack.packet_id);
                    let code = ReasonCode::SUCCESS;
                    world.send(ada, Packet::PubComp(PublishAck { packet_id: ack.packet_id, code, reason: None }));
                }
                _ => {}
            }
        }
    }
}

/// A persistent session with a will.
fn mortal(sub: &str, delay_s: u32) -> Entry {
    let mut entry = lasting(sub);
    entry.connect.will = Some(stoa_wire::packet::Will { delay_s, ..super::world::will("a/will", "gone") });
    entry
}

#[test]
fn a_delayed_will_survives_a_crash_and_is_published_once() {
    for gone_before in [true, false] {
        let mut world = World::new();
        let bo = world.enter(1, lasting("bo"));
        world.subscribe(bo, "a/#", Qos::ExactlyOnce);
        let ada = world.enter(2, mortal("ada", 60));
        if gone_before {
            world.close(ada);
        }
        world.restart(20);
        let bo = world.enter(3, lasting("bo"));
        // Counts from the end of the connection, or from the next start if the crash ended it.
        let left = if gone_before { 40 } else { 60 };
        world.pass(left - 1);
        assert!(world.texts(bo).is_empty());
        world.pass(1);
        assert_eq!(world.texts(bo), ["gone"], "gone before the server: {gone_before}");
        world.restart(0);
        let bo = world.enter(4, lasting("bo"));
        world.pass(100);
        assert!(world.texts(bo).is_empty(), "once");
    }
}

#[test]
fn a_stored_will_is_dropped_if_its_client_returns_disconnects_or_is_revoked() {
    for (is_back, says_goodbye, is_revoked) in [(true, false, false), (false, true, false), (false, false, true)] {
        let mut world = World::new();
        let ada = world.enter(1, mortal("ada", 60));
        if says_goodbye {
            world.send(ada, Packet::Disconnect(stoa_wire::packet::Disconnect::default()));
        }
        world.close(ada);
        if is_revoked {
            world.command(crate::realm::Command::Revoke { jti: "jti-ada".into() });
        }
        world.restart(1);
        let bo = world.enter(2, lasting("bo"));
        world.subscribe(bo, "a/#", Qos::ExactlyOnce);
        if is_back {
            world.enter(3, lasting("ada"));
        }
        world.pass(100);
        assert!(world.texts(bo).is_empty(), "{is_back} {says_goodbye} {is_revoked}");
        assert!(world.kept.sessions.iter().all(|session| session.will.is_none()), "nor is it kept");
    }
}

#[test]
fn a_session_that_expires_while_the_server_is_down_publishes_its_will() {
    let mut world = World::new();
    let mut entry = lasting("bo");
    entry.connect.session_expiry_s = Some(6_000);
    let bo = world.enter(1, entry.clone());
    world.subscribe(bo, "a/#", Qos::ExactlyOnce);
    let ada = world.enter(2, mortal("ada", 3_000));
    world.close(ada);
    world.restart(601);
    world.pass(0);
    let bo = world.try_enter(3, entry);
    assert_eq!(world.texts(bo), ["gone"]);
    assert_eq!(world.kept.sessions.len(), 1, "its session is gone from the disk");
}

#[test]
fn a_qos_2_message_is_not_sent_before_it_is_stored_even_after_a_reconnect() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada"));
    world.subscribe(ada, "a/b", Qos::ExactlyOnce);
    let bo = world.enter(2, lasting("bo"));
    world.store_waits = true;
    world.send(bo, surely("x", Qos::ExactlyOnce, 1));
    world.send(bo, surely("y", Qos::AtLeastOnce, 2));
    assert_eq!(world.texts(ada), ["y"], "what is of QoS 2 waits for the disk");
    // The client reconnects before the write is on disk, and is not answered sooner.
    world.close(ada);
    let ada = world.enter(3, lasting("ada"));
    assert_eq!(world.texts(ada), [] as [&str; 0]);
    world.commit();
    assert_eq!(world.texts(ada), ["x"]);
}

#[test]
fn a_retained_duplicate_is_delivered_without_the_dup_flag() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada"));
    let Packet::Publish(said) = surely("x", Qos::AtLeastOnce, 1) else { unreachable!("is one") };
    world.send(ada, Packet::Publish(Publish { retain: true, dup: true, ..said }));
    let bo = world.enter(2, lasting("bo"));
    // MQTT 5 section 3.3.1.1: never DUP at QoS 0.
    world.subscribe(bo, "a/b", Qos::AtMostOnce);
    let flags: Vec<_> = world.publishes(bo).iter().map(|each| (each.retain, each.dup)).collect();
    assert_eq!(flags, [(true, false)]);
}

#[test]
fn a_repeated_pubrel_is_completed_only_after_the_release_is_stored() {
    let mut world = World::new();
    let bo = world.enter(1, lasting("bo"));
    world.send(bo, surely("1", Qos::ExactlyOnce, 7));
    world.store_waits = true;
    world.send(bo, Packet::PubRel(PublishAck::success(7)));
    world.close(bo);
    let bo = world.enter(2, lasting("bo"));
    world.send(bo, Packet::PubRel(PublishAck::success(7)));
    let complete = |packets: Vec<Packet>| packets.iter().any(|packet| matches!(packet, Packet::PubComp(_)));
    assert!(!complete(world.inbox(bo)));
    world.commit();
    assert!(complete(world.inbox(bo)));
}

#[test]
fn a_stored_will_is_dropped_when_its_tokens_parent_is_revoked() {
    let mut world = World::new();
    let mut entry = mortal("ada", 60);
    entry.claims.parents = alloc::vec!["parent".into()];
    let ada = world.enter(1, entry);
    world.close(ada);
    let wills = |world: &World| world.kept.sessions.iter().filter(|session| session.will.is_some()).count();
    world.kept.drop_wills(|jti| jti == "another");
    assert_eq!(wills(&world), 1, "negative control");
    world.kept.drop_wills(|jti| jti == "parent");
    assert_eq!(wills(&world), 0);
}
