//! The network graph of clients and topics, retained on `$NETWORK` for ARENA's network page. Source:
//! `spec/topics.md` section 1.1.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;

use serde_json::{Value, json};
use stoa_wire::topic::{REALM_CLIENT, SceneTopic, Topic};

use super::fan_out::OutgoingMessage;
use super::publishing::own_message;
use super::refusing::is_heard_by;
use super::timers::TimerKey;
use super::{ConnectionId, PacketClass, Realm};
use crate::limits;
use crate::mqtt::retained::RetainedMessage;
use crate::time::Time;

/// Topic of the graph.
const GRAPH: &str = "$NETWORK";

/// Topic of pings: empty QoS 2 messages.
pub(super) const LATENCY: &str = "$NETWORK/latency";

/// A client's traffic in the graph.
#[derive(Debug, Default)]
pub(super) struct ClientTraffic {
    /// The ping in progress: its packet id, and the time of its acceptance, after which our PUBREC follows.
    ping: Option<(u16, Time)>,
    latency: Option<Duration>,
    /// Payload bytes since the last graph.
    published: BTreeMap<Topic, u64>,
}

/// The clients of the network graph, and the draft of the next graph.
#[derive(Debug, Default)]
pub(super) struct NetworkGraphCollector {
    /// When the next part or the next graph is due; `None` while it would be empty.
    armed: Option<Time>,
    /// Clients that have pinged, including connections that ended since the last graph.
    pinging: BTreeSet<ConnectionId>,
    draft: Option<Box<GraphDraft>>,
}

/// A graph that is made in parts, so that no part takes long.
#[derive(Debug)]
struct GraphDraft {
    json: String,
    /// The graph's clients, with their names as JSON.
    clients: Vec<(ConnectionId, String)>,
    /// The topics, with bytes a second.
    topics: Vec<(Topic, u64)>,
    /// Index of the topic that is next.
    topic: usize,
    /// Index of the client that is next for this topic.
    client: usize,
    /// Whether the topic has no receiver yet.
    is_first: bool,
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

    /// Notes an accepted ping, which adds the client to the graph.
    pub(super) fn note_ping(&mut self, connection: ConnectionId, packet_id: u16, now: Time) {
        if self.graph.pinging.len() >= limits::GRAPH_CLIENTS_MAX && !self.graph.pinging.contains(&connection) {
            return;
        }
        if let Some(access) = self.clients.get_mut(&connection).and_then(|client| client.access.as_mut()) {
            access.traffic.get_or_insert_default().ping = Some((packet_id, now));
            self.graph.pinging.insert(connection);
        }
        self.timers.arm(TimerKey::Graph, Some(now + limits::GRAPH_INTERVAL), &mut self.graph.armed);
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

    /// Makes a part of the graph. After the last part, publishes the graph, and schedules the next one if the graph has
    /// clients.
    pub(super) fn fire_graph(&mut self, now: Time) {
        self.graph.armed = None;
        let mut draft = self.graph.draft.take().unwrap_or_else(|| self.begin_graph());
        if !self.extend_graph(&mut draft) {
            self.graph.draft = Some(draft);
            self.timers.arm(TimerKey::Graph, Some(now + limits::GRAPH_PART_INTERVAL), &mut self.graph.armed);
            return;
        }
        if !draft.clients.is_empty() {
            self.timers.arm(TimerKey::Graph, Some(now + limits::GRAPH_INTERVAL), &mut self.graph.armed);
        }
        draft.json.push_str("]}");
        let Some(mut publish) = own_message(GRAPH, draft.json.into_bytes().into()) else {
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

    /// Begins a graph with its clients and the topics that they published on since the last one.
    fn begin_graph(&mut self) -> Box<GraphDraft> {
        let mut hosts: BTreeMap<_, Vec<Value>> = BTreeMap::new();
        let mut topics: BTreeMap<Topic, u64> = BTreeMap::new();
        let mut clients = Vec::new();
        let pinging = core::mem::take(&mut self.graph.pinging);
        for connection in pinging {
            let Some(client) = self.clients.get_mut(&connection) else { continue };
            let Some(access) = client.access.as_mut() else { continue };
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
            hosts.entry(client.origin).or_default().push(json!({"name": name, "latency": latency, "published": shown}));
            self.graph.pinging.insert(connection);
            clients.push((connection, json!(name).to_string()));
        }
        // Addresses stay private: a number only shows which clients share one.
        let hosts = hosts.into_values().enumerate();
        let ips: Vec<Value> =
            hosts.map(|(number, clients)| json!({"id": format!("host {}", number + 1), "clients": clients})).collect();
        let json = format!(r#"{{"ips":{},"topics":["#, Value::Array(ips));
        Box::new(GraphDraft {
            json,
            clients,
            topics: topics.into_iter().collect(),
            topic: 0,
            client: 0,
            is_first: true,
        })
    }

    /// Adds receivers of topics to a graph, as many as one part allows. Returns whether the graph is complete.
    fn extend_graph(&self, draft: &mut GraphDraft) -> bool {
        let mut filters_left = limits::GRAPH_PART_FILTERS;
        while let Some((topic, per_s)) = draft.topics.get(draft.topic) {
            if draft.client == 0 {
                let comma = if draft.topic == 0 { "" } else { "," };
                draft.json.push_str(&format!(r#"{comma}{{"name":{},"subscriptions":["#, json!(topic.as_str())));
                draft.is_first = true;
            }
            while let Some((connection, name)) = draft.clients.get(draft.client) {
                if filters_left == 0 {
                    return false;
                }
                draft.client += 1;
                let Some(access) = self.access(*connection) else { continue };
                let filters = self.sessions.get(access.session).map_or(0, |session| session.subscriptions.len());
                filters_left = filters_left.saturating_sub(1 + filters);
                if is_heard_by(access, &self.sessions, topic.as_str()) {
                    let comma = if draft.is_first { "" } else { "," };
                    draft.json.push_str(&format!(r#"{comma}{{"client":{name},"bps":{per_s}}}"#));
                    draft.is_first = false;
                }
            }
            draft.json.push_str("]}");
            (draft.topic, draft.client) = (draft.topic + 1, 0);
        }
        true
    }
}

/// Whether the graph may show a topic. The name of a private scene must not leak.
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
