//! Handles messages as the paper's server does, without sockets. An update is forwarded to all other members of the
//! group. A *passive* server forwards each acknowledgement to the update's sender; an *active* server counts the
//! acknowledgements and sends one after the last. Source: paper 002 section 3.1 and Table 1. Output to one client in
//! one wake-up is collected for one write.

use std::sync::Arc;

use super::message::{GroupMessage, MessageKind};
use super::servers::ServerAckLatencyRecorder;

/// The handling of acknowledgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AckForwardingPolicy {
    /// Forwards each.
    Passive,
    /// Collects them and forwards one.
    Active,
}

impl AckForwardingPolicy {
    /// The suffix of figure names.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            AckForwardingPolicy::Passive => "",
            AckForwardingPolicy::Active => "_active",
        }
    }
}

/// The working groups: clients with consecutive numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientGroupLayout {
    pub(crate) clients: usize,
    /// Members of a group.
    pub(crate) size: usize,
}

impl ClientGroupLayout {
    /// The group of a client, itself included.
    pub(crate) fn members(self, client: usize) -> std::ops::Range<usize> {
        let first = client - client % self.size;
        first..(first + self.size).min(self.clients)
    }

    /// The index of a client in its group.
    pub(crate) fn slot(self, client: usize) -> usize {
        client % self.size
    }

    /// The number of other members in a client's group.
    pub(crate) fn others(self, client: usize) -> usize {
        self.members(client).len() - 1
    }
}

/// Missing acknowledgements of an update.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PendingAckCounter {
    turn: u32,
    missing: usize,
}

impl PendingAckCounter {
    /// Starts an update to `others` members.
    pub(crate) fn begin(&mut self, turn: u32, others: usize) {
        *self = PendingAckCounter { turn, missing: others };
    }

    /// Counts an acknowledgement; true for the last.
    pub(crate) fn count(&mut self, turn: u32) -> bool {
        if self.turn != turn || self.missing == 0 {
            return false;
        }
        self.missing -= 1;
        self.missing == 0
    }
}

/// The state of one server thread that serves all clients, or one group with `select`.
#[derive(Debug)]
pub(crate) struct SingleThreadedForwarder {
    groups: ClientGroupLayout,
    acks: AckForwardingPolicy,
    waiting: Vec<PendingAckCounter>,
    /// Clients that have entered.
    present: Vec<bool>,
    outboxes: Vec<Vec<u8>>,
    /// Clients with pending output.
    dirty: Vec<usize>,
    times: Arc<ServerAckLatencyRecorder>,
}

impl SingleThreadedForwarder {
    pub(crate) fn new(
        groups: ClientGroupLayout,
        acks: AckForwardingPolicy,
        times: Arc<ServerAckLatencyRecorder>,
    ) -> SingleThreadedForwarder {
        let ClientGroupLayout { clients, .. } = groups;
        SingleThreadedForwarder {
            groups,
            acks,
            waiting: vec![PendingAckCounter::default(); clients],
            present: vec![false; clients],
            outboxes: vec![Vec::new(); clients],
            dirty: Vec::new(),
            times,
        }
    }

    pub(crate) fn groups(&self) -> ClientGroupLayout {
        self.groups
    }

    /// Handles a message. Messages with an unknown `source` are dropped. Hot path: allocates nothing once the outboxes
    /// have grown.
    pub(crate) fn handle(&mut self, message: GroupMessage) {
        let source = message.source as usize;
        if source >= self.groups.clients {
            return;
        }
        match message.kind {
            MessageKind::Update => self.times.note_update(source),
            MessageKind::Ack => self.times.note_ack(source),
            MessageKind::Hello | MessageKind::Welcome | MessageKind::AllAcks => {}
        }
        match (message.kind, self.acks) {
            (MessageKind::Hello, _) => {
                self.present[source] = true;
                let members = self.groups.members(source);
                if self.present[members.clone()].iter().all(|present| *present) {
                    members.for_each(|member| self.put(member, &GroupMessage::about(MessageKind::Welcome, member)));
                }
            }
            (MessageKind::Update, acks) => {
                if acks == AckForwardingPolicy::Active {
                    self.waiting[source].begin(message.turn, self.groups.others(source));
                }
                self.groups
                    .members(source)
                    .filter(|member| *member != source)
                    .for_each(|member| self.put(member, &message));
            }
            (MessageKind::Ack, AckForwardingPolicy::Passive) => self.put(source, &message),
            (MessageKind::Ack, AckForwardingPolicy::Active) => {
                if self.waiting[source].count(message.turn) {
                    self.put(source, &GroupMessage { kind: MessageKind::AllAcks, ..message });
                }
            }
            (MessageKind::Welcome | MessageKind::AllAcks, _) => {}
        }
    }

    fn put(&mut self, client: usize, message: &GroupMessage) {
        let outbox = &mut self.outboxes[client];
        if outbox.is_empty() {
            self.dirty.push(client);
        }
        message.write(outbox);
    }

    /// Passes each client's pending output to `send`. Bytes left in an outbox are passed again next time.
    pub(crate) fn drain(&mut self, mut send: impl FnMut(usize, &mut Vec<u8>)) {
        let SingleThreadedForwarder { outboxes, dirty, .. } = self;
        dirty.retain(|client| {
            let outbox = &mut outboxes[*client];
            send(*client, outbox);
            !outbox.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drained(exchange: &mut SingleThreadedForwarder) -> Vec<(usize, Vec<GroupMessage>)> {
        let mut all = Vec::new();
        exchange.drain(|client, outbox| {
            let mut bytes = &outbox[..];
            all.push((client, std::iter::from_fn(|| GroupMessage::take(&mut bytes)).collect()));
            outbox.clear();
        });
        all.sort_by_key(|(client, _)| *client);
        all
    }

    #[test]
    fn a_passive_server_forwards_each_ack_and_an_active_server_only_the_last() {
        let groups = ClientGroupLayout { clients: 8, size: 4 };
        for acks in [AckForwardingPolicy::Passive, AckForwardingPolicy::Active] {
            let mut exchange = SingleThreadedForwarder::new(groups, acks, Arc::new(ServerAckLatencyRecorder::new(8)));
            let update = GroupMessage::update(5, 1);
            exchange.handle(update);
            let others = [4, 6, 7];
            assert_eq!(drained(&mut exchange), others.map(|other| (other, vec![update])));
            others[..2].iter().for_each(|other| exchange.handle(update.ack(*other)));
            let early = drained(&mut exchange);
            exchange.handle(update.ack(7));
            let last = drained(&mut exchange);
            match acks {
                AckForwardingPolicy::Passive => {
                    assert_eq!(early, [(5, vec![update.ack(4), update.ack(6)])], "in one write");
                    assert_eq!(last, [(5, vec![update.ack(7)])]);
                }
                AckForwardingPolicy::Active => {
                    assert_eq!(early, []);
                    assert_eq!(last, [(5, vec![GroupMessage { kind: MessageKind::AllAcks, ..update.ack(7) }])]);
                    exchange.handle(update.ack(7));
                    assert_eq!(drained(&mut exchange), [], "it was counted already");
                }
            }
        }
    }

    #[test]
    fn a_group_is_welcomed_when_all_its_members_have_connected() {
        let mut exchange = SingleThreadedForwarder::new(
            ClientGroupLayout { clients: 6, size: 4 },
            AckForwardingPolicy::Passive,
            Arc::new(ServerAckLatencyRecorder::new(6)),
        );
        for client in [4, 0, 1, 2] {
            exchange.handle(GroupMessage::about(MessageKind::Hello, client));
            assert_eq!(drained(&mut exchange), [], "{client} alone");
        }
        exchange.handle(GroupMessage::about(MessageKind::Hello, 5));
        assert_eq!(drained(&mut exchange).len(), 2, "the last group is smaller");
        exchange.handle(GroupMessage::about(MessageKind::Hello, 3));
        assert_eq!(drained(&mut exchange).len(), 4);
    }
}
