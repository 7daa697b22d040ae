//! What the paper's server does with a message, without its sockets: an update goes to all others of its group; an acknowledgement goes to who said the update (*passive*), or is
//! counted, and who said it gets one when all are there (*active*). Source: paper 002 section 3.1 and Table 1. What one client gets in one wake-up lies together, for one write.

use std::sync::Arc;

use super::message::{Kind, Message};
use super::servers::Times;

/// What a server does with acknowledgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Acks {
    /// It hands each on.
    Passive,
    /// It gathers them and hands on one.
    Active,
}

impl Acks {
    /// What figures of it end in.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Acks::Passive => "",
            Acks::Active => "_active",
        }
    }
}

/// Which clients work together: those whose numbers follow each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Groups {
    pub(crate) clients: usize,
    /// Members of each.
    pub(crate) size: usize,
}

impl Groups {
    /// All of a client's group, itself too.
    pub(crate) fn members(self, client: usize) -> std::ops::Range<usize> {
        let first = client - client % self.size;
        first..(first + self.size).min(self.clients)
    }

    /// Which of its group a client is.
    pub(crate) fn slot(self, client: usize) -> usize {
        client % self.size
    }

    /// How many others there are for a client.
    pub(crate) fn others(self, client: usize) -> usize {
        self.members(client).len() - 1
    }
}

/// What is still to come for an update.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Waiting {
    turn: u32,
    missing: usize,
}

impl Waiting {
    /// An update went out to so many.
    pub(crate) fn begin(&mut self, turn: u32, others: usize) {
        *self = Waiting { turn, missing: others };
    }

    /// One has got it; true: it was the last.
    pub(crate) fn count(&mut self, turn: u32) -> bool {
        if self.turn != turn || self.missing == 0 {
            return false;
        }
        self.missing -= 1;
        self.missing == 0
    }
}

/// A server's memory, for servers of one thread.
#[derive(Debug)]
pub(crate) struct Exchange {
    groups: Groups,
    acks: Acks,
    waiting: Vec<Waiting>,
    /// Who is there.
    present: Vec<bool>,
    outboxes: Vec<Vec<u8>>,
    /// Those whose outbox is not empty.
    dirty: Vec<usize>,
    times: Arc<Times>,
}

impl Exchange {
    pub(crate) fn new(groups: Groups, acks: Acks, times: Arc<Times>) -> Exchange {
        let Groups { clients, .. } = groups;
        Exchange {
            groups,
            acks,
            waiting: vec![Waiting::default(); clients],
            present: vec![false; clients],
            outboxes: vec![Vec::new(); clients],
            dirty: Vec::new(),
            times,
        }
    }

    pub(crate) fn groups(&self) -> Groups {
        self.groups
    }

    /// A message came. What is of nobody's is left out. Hot path: allocates nothing once the outboxes have found their size.
    pub(crate) fn handle(&mut self, message: Message) {
        let source = message.source as usize;
        if source >= self.groups.clients {
            return;
        }
        match message.kind {
            Kind::Update => self.times.note_update(source),
            Kind::Ack => self.times.note_ack(source),
            Kind::Hello | Kind::Welcome | Kind::AllAcks => {}
        }
        match (message.kind, self.acks) {
            (Kind::Hello, _) => {
                self.present[source] = true;
                let members = self.groups.members(source);
                if self.present[members.clone()].iter().all(|present| *present) {
                    members.for_each(|member| self.put(member, &Message::about(Kind::Welcome, member)));
                }
            }
            (Kind::Update, acks) => {
                if acks == Acks::Active {
                    self.waiting[source].begin(message.turn, self.groups.others(source));
                }
                self.groups
                    .members(source)
                    .filter(|member| *member != source)
                    .for_each(|member| self.put(member, &message));
            }
            (Kind::Ack, Acks::Passive) => self.put(source, &message),
            (Kind::Ack, Acks::Active) => {
                if self.waiting[source].count(message.turn) {
                    self.put(source, &Message { kind: Kind::AllAcks, ..message });
                }
            }
            (Kind::Welcome | Kind::AllAcks, _) => {}
        }
    }

    fn put(&mut self, client: usize, message: &Message) {
        let outbox = &mut self.outboxes[client];
        if outbox.is_empty() {
            self.dirty.push(client);
        }
        message.write(outbox);
    }

    /// Hands out what lies there: for each client all of it. What `send` leaves in an outbox is handed out again.
    pub(crate) fn drain(&mut self, mut send: impl FnMut(usize, &mut Vec<u8>)) {
        let Exchange { outboxes, dirty, .. } = self;
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

    fn drained(exchange: &mut Exchange) -> Vec<(usize, Vec<Message>)> {
        let mut all = Vec::new();
        exchange.drain(|client, outbox| {
            let mut bytes = &outbox[..];
            all.push((client, std::iter::from_fn(|| Message::take(&mut bytes)).collect()));
            outbox.clear();
        });
        all.sort_by_key(|(client, _)| *client);
        all
    }

    #[test]
    fn a_passive_server_hands_on_each_acknowledgement_and_an_active_one_the_last() {
        let groups = Groups { clients: 8, size: 4 };
        for acks in [Acks::Passive, Acks::Active] {
            let mut exchange = Exchange::new(groups, acks, Arc::new(Times::new(8)));
            let update = Message::update(5, 1);
            exchange.handle(update);
            let others = [4, 6, 7];
            assert_eq!(drained(&mut exchange), others.map(|other| (other, vec![update])));
            others[..2].iter().for_each(|other| exchange.handle(update.ack(*other)));
            let early = drained(&mut exchange);
            exchange.handle(update.ack(7));
            let last = drained(&mut exchange);
            match acks {
                Acks::Passive => {
                    assert_eq!(early, [(5, vec![update.ack(4), update.ack(6)])], "in one write");
                    assert_eq!(last, [(5, vec![update.ack(7)])]);
                }
                Acks::Active => {
                    assert_eq!(early, []);
                    assert_eq!(last, [(5, vec![Message { kind: Kind::AllAcks, ..update.ack(7) }])]);
                    exchange.handle(update.ack(7));
                    assert_eq!(drained(&mut exchange), [], "it was counted already");
                }
            }
        }
    }

    #[test]
    fn a_group_is_welcome_when_it_is_complete() {
        let mut exchange = Exchange::new(Groups { clients: 6, size: 4 }, Acks::Passive, Arc::new(Times::new(6)));
        for client in [4, 0, 1, 2] {
            exchange.handle(Message::about(Kind::Hello, client));
            assert_eq!(drained(&mut exchange), [], "{client} alone");
        }
        exchange.handle(Message::about(Kind::Hello, 5));
        assert_eq!(drained(&mut exchange).len(), 2, "the last group is smaller");
        exchange.handle(Message::about(Kind::Hello, 3));
        assert_eq!(drained(&mut exchange).len(), 4);
    }
}
