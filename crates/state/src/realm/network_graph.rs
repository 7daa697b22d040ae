//! The network graph of clients and topics, retained on `$NETWORK` for ARENA's network page. Source:
//! `spec/topics.md` section 1.1.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;

use serde_json::{Value, json};
use stoa_wire::topic::{REALM_CLIENT, SceneTopic, Topic};

use super::clients::ClientAccess;
use super::fan_out::OutgoingMessage;
use super::publishing::own_message;
use super::timers::Timer;
use super::{ConnectionId, PacketClass, Realm};
use crate::limits;
use crate::mqtt::retained::RetainedMessage;
use crate::mqtt::session::SessionId;
use crate::time::Time;

/// Topic of the graph.
const GRAPH: &str = "$NETWORK";

/// Topic of pings: empty QoS 2 messages.
pub(super) const LATENCY: &str = "$NETWORK/latency";

/// A client's traffic in the graph.
#[derive(Debug, Default)]
pub(super) struct ClientTraffic {
    /// The ping in progress: its packet id, and the time of our PUBREC.
    ping: Option<(u16, Time)>,
    latency: Option<Duration>,
    /// Payload bytes since the last graph.
    published: BTreeMap<Topic, u64>,
}

impl ClientTraffic {
    fn note(&mut self, topic: &Topic, bytes: usize) {
        if let Some(sum) = self.published.get_mut(topic) {
            *sum += bytes as u64;
        } else if self.published.len() < limits::GRAPH_PUBLISHED_MAX {
            self.published.insert(topic.clone(), bytes as u64);
        }
    }
}

impl Realm {
    /// Notes an accepted message of a client in the graph.
    pub(super) fn note_published(&mut self, connection: ConnectionId, topic: &Topic, bytes: usize) {
        if let Some(traffic) = self.access_mut(connection).and_then(|access| access.traffic.as_deref_mut()) {
            traffic.note(topic, bytes);
        }
    }

    /// Notes a PUBREC to a ping, which adds the client to the graph.
    pub(super) fn note_ping(&mut self, connection: ConnectionId, packet_id: u16, now: Time) {
        if let Some(access) = self.access_mut(connection) {
            access.traffic.get_or_insert_default().ping = Some((packet_id, now));
        }
        self.timers.arm(Timer::Graph, Some(now + limits::GRAPH_INTERVAL), &mut self.graph_armed);
    }

    /// Notes the PUBREL that ends a ping: the round trip is known.
    pub(super) fn note_pong(&mut self, connection: ConnectionId, packet_id: u16, now: Time) {
        let traffic = self.access_mut(connection).and_then(|access| access.traffic.as_deref_mut());
        if let Some(traffic) = traffic
            && let Some((_, at)) = traffic.ping.take_if(|(ping, _)| *ping == packet_id)
        {
            traffic.latency = Some(now.since(at));
        }
    }

    /// Publishes the graph, and schedules the next while it has clients.
    pub(super) fn fire_graph(&mut self, now: Time) {
        self.graph_armed = None;
        let (graph, is_empty) = self.graph();
        if !is_empty {
            self.timers.arm(Timer::Graph, Some(now + limits::GRAPH_INTERVAL), &mut self.graph_armed);
        }
        let Some(mut publish) = own_message(GRAPH, graph.to_string().into()) else {
            return;
        };
        publish.retain = true;
        let publish = Arc::new(publish);
        // Not stored: a restart makes a new graph.
        let graph = RetainedMessage { publish: Arc::clone(&publish), taken_at: now, subject: REALM_CLIENT.into() };
        if let Err(refused) = self.retained.keep(graph) {
            self.count_refused(refused.reason);
        }
        self.fan_out(&OutgoingMessage { publish, origin: None, class: PacketClass::Event, off_plane: None }, now);
    }

    fn graph(&mut self) -> (Value, bool) {
        let mut hosts: BTreeMap<_, Vec<Value>> = BTreeMap::new();
        let mut topics: BTreeMap<Topic, u64> = BTreeMap::new();
        let pinging = |access: &&mut ClientAccess| access.traffic.is_some();
        let clients = self.clients.values_mut().map(|client| (client.origin, client.access.as_mut().filter(pinging)));
        let clients = clients.filter_map(|(origin, access)| Some((origin, access?)));
        for (origin, access) in clients.take(limits::GRAPH_CLIENTS_MAX) {
            let Some(traffic) = access.traffic.as_deref_mut() else { continue };
            let published = core::mem::take(&mut traffic.published);
            let published = published.into_iter().filter(|(topic, _)| is_open(&self.scenes, topic));
            let mut shown = Vec::new();
            for (topic, bytes) in published {
                let per_s = per_second(bytes);
                shown.push(json!({"topic": topic.as_str(), "bps": per_s}));
                if topics.len() < limits::GRAPH_TOPICS_MAX || topics.contains_key(&topic) {
                    *topics.entry(topic).or_default() += per_s;
                }
            }
            let latency = traffic.latency.map_or(Value::Null, |latency| json!(latency.as_secs_f64() * 1_000.0));
            let name = access.grant.identity();
            hosts.entry(origin).or_default().push(json!({"name": name, "latency": latency, "published": shown}));
        }
        let is_empty = hosts.is_empty();
        // Addresses stay private: a number only shows which clients share one.
        let hosts = hosts.into_values().enumerate();
        let ips: Vec<Value> =
            hosts.map(|(number, clients)| json!({"id": format!("host {}", number + 1), "clients": clients})).collect();
        let topics: Vec<Value> = topics.into_iter().map(|(topic, per_s)| self.subscriptions(&topic, per_s)).collect();
        (json!({"ips": ips, "topics": topics}), is_empty)
    }

    /// Lists the clients in the graph that receive `topic`, from the cached routes.
    fn subscriptions(&mut self, topic: &Topic, per_s: u64) -> Value {
        let mut audiences = core::mem::take(&mut self.audiences);
        self.routes.audiences(topic.as_str(), &self.sessions, &mut audiences);
        let together = audiences.iter().flat_map(|audience| &audience.groups).flat_map(|group| &group.members);
        let apart = audiences.iter().flat_map(|audience| &audience.apart);
        let receiving: BTreeSet<SessionId> =
            together.map(|member| member.session).chain(apart.map(|(session, _)| *session)).collect();
        audiences.clear();
        self.audiences = audiences;
        let pinging =
            self.clients.values().filter_map(|client| client.access.as_ref()).filter(|it| it.traffic.is_some());
        let receivers = pinging.take(limits::GRAPH_CLIENTS_MAX).filter(|access| receiving.contains(&access.session));
        let subscriptions: Vec<Value> =
            receivers.map(|access| json!({"client": access.grant.identity(), "bps": per_s})).collect();
        json!({"name": topic.as_str(), "subscriptions": subscriptions})
    }
}

/// Whether a topic may be public. The name of a private scene must not leak.
fn is_open(scenes: &BTreeMap<stoa_wire::topic::SceneName, super::scenes::HostedScene>, topic: &Topic) -> bool {
    match SceneTopic::parse(topic.as_str()) {
        Some(Ok(topic)) => scenes.get(&topic.scene).is_some_and(|hosted| {
            // Private messages stay private, and guests see the graph too.
            topic.to_uid.is_none() && hosted.settings.public_read && hosted.settings.anonymous_users
        }),
        Some(Err(_)) => false,
        None => topic.as_str().starts_with(GRAPH),
    }
}

fn per_second(bytes: u64) -> u64 {
    bytes / limits::GRAPH_INTERVAL.as_secs()
}
