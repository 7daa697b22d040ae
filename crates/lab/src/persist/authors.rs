//! Runs authors that update persistent objects at QoS 1, and records the newest acknowledged update of each object.

use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::limits;
use crate::load::connection::{MqttConnection, MqttTransport};
use crate::load::packet;
use crate::load::person::{PersonIdentifiers, SCENE};
use crate::servers::{IssuedTokenScope, RealmFolder, RunningServer};

pub(crate) const AUTHORS: usize = 8;
/// Maximum number of unacknowledged messages of one author. The messages of all authors fill a group commit.
pub(crate) const WINDOW: usize = 200;
const POLL: Duration = Duration::from_micros(500);

/// Connected authors.
pub(crate) struct AuthorCrew {
    authors: Vec<Author>,
    scratch: Vec<u8>,
    objects: usize,
    /// Updates sent by all authors.
    pub(super) counter: u64,
    pub(crate) acknowledged: u64,
}

struct Author {
    name: PersonIdentifiers,
    connection: MqttConnection,
    next_id: u16,
    /// The object and update in each unacknowledged packet.
    waiting: BTreeMap<u16, (usize, u64)>,
    /// The newest acknowledged update of each of the author's objects.
    done: BTreeMap<usize, u64>,
}

impl AuthorCrew {
    pub(crate) fn enter(server: &RunningServer, folder: &RealmFolder, objects: usize) -> Result<AuthorCrew> {
        let endpoint = server.endpoint(MqttTransport::Tcp)?;
        let authors = (0..AUTHORS).map(|index| {
            let name = PersonIdentifiers::of(index);
            let token = folder.token(&name, IssuedTokenScope::Scene)?;
            let connection =
                MqttConnection::enter(&endpoint, &[packet::connect(&name.user_client, Some((&name.account, &token)))])?;
            Ok(Author { name, connection, next_id: 0, waiting: BTreeMap::new(), done: BTreeMap::new() })
        });
        let authors = authors.collect::<Result<_>>()?;
        Ok(AuthorCrew { authors, scratch: vec![0; limits::READ_BYTES], objects, counter: 0, acknowledged: 0 })
    }

    /// Runs all authors, each with a full window.
    pub(super) fn work(&mut self, lasts: Duration) -> Result<()> {
        let began = Instant::now();
        while began.elapsed() < lasts {
            let before = self.acknowledged;
            for index in 0..self.authors.len() {
                self.turn(index, WINDOW)?;
            }
            if self.acknowledged == before {
                sleep(POLL);
            }
        }
        Ok(())
    }

    /// Sends `per_s` updates a second from all authors together, unless their windows are full.
    pub(crate) fn work_at(&mut self, per_s: f64, lasts: Duration) -> Result<()> {
        let (began, before) = (Instant::now(), self.counter);
        while began.elapsed() < lasts {
            let due = before + (began.elapsed().as_secs_f64() * per_s) as u64;
            let (authors, first) = (self.authors.len(), self.counter as usize);
            for turn in 0..authors {
                let share = (due.saturating_sub(self.counter) as usize).div_ceil(authors - turn);
                self.turn((first + turn) % authors, share)?;
            }
            sleep(POLL);
        }
        Ok(())
    }

    /// One author reads its acknowledgements and sends as many updates as its window allows, at most `most`.
    fn turn(&mut self, index: usize, most: usize) -> Result<()> {
        let author = &mut self.authors[index];
        let (waiting, done, acknowledged) = (&mut author.waiting, &mut author.done, &mut self.acknowledged);
        let open = author.connection.receive(&mut self.scratch, |packet| {
            if let (packet::PUBACK, [_, _, high, low, ..]) = (packet[0], packet)
                && let Some((object, count)) = waiting.remove(&u16::from_be_bytes([*high, *low]))
            {
                *acknowledged += 1;
                let newest = done.entry(object).or_default();
                *newest = count.max(*newest);
            }
        })?;
        ensure!(open, "the server ended a connection");
        let mut burst = Vec::new();
        for _ in 0..most.min(WINDOW.saturating_sub(author.waiting.len())) {
            self.counter += 1;
            author.next_id = author.next_id.checked_add(1).unwrap_or(1);
            // Each object has one author. Up to `AUTHORS` consecutive updates of a burst go to one object, the next to
            // the author's next object.
            let round = self.counter as usize / AUTHORS % (self.objects / AUTHORS).max(1);
            let object = round * AUTHORS + index;
            burst.extend(update(&author.name, object, self.counter, author.next_id));
            author.waiting.insert(author.next_id, (object, self.counter));
        }
        if !burst.is_empty() {
            author.connection.send(&burst)?;
        }
        author.connection.flush()
    }

    /// The newest acknowledged update of each object.
    pub(super) fn promises(&self) -> BTreeMap<String, u64> {
        let of = |author: &Author| {
            author.done.iter().map(|(object, count)| (format!("kept-{object}"), *count)).collect::<Vec<_>>()
        };
        self.authors.iter().flat_map(of).collect()
    }
}

fn update(name: &PersonIdentifiers, object: usize, count: u64, packet_id: u16) -> Vec<u8> {
    let id = format!("kept-{object}");
    let payload = format!(
        "{{\"object_id\":\"{id}\",\"action\":\"create\",\"type\":\"object\",\"persist\":true,\"data\":{{\"object_type\":\"box\",\
         \"count\":{count},\"position\":{{\"x\":1,\"y\":1.6,\"z\":-2}}}}}}"
    );
    packet::publish(&format!("realm/s/{SCENE}/o/{}/{id}", name.user_client), payload.as_bytes(), Some(packet_id))
}
