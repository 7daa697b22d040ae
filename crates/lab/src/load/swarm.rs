//! Runs many MQTT clients in one scene: each sends its camera, or an opaque message, at a fixed rate and receives the
//! messages of all clients.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::event::Timespec;
use rustix::event::epoll;
use rustix::fd::OwnedFd;
use serde::{Deserialize, Serialize};

use super::connection::{MqttConnection, MqttEndpoint};
use super::ledger::{DeliveryLedger, Percentiles};
use super::packet;
use super::person::{PersonIdentifiers, camera, opaque, read_mark};
use crate::limits;
use crate::machine::{process_time, resident_kib, thread_time};

/// The parameters of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwarmPlan {
    pub(crate) people: usize,
    pub(crate) rate_hz: f64,
    pub(crate) measured: Duration,
}

/// The results of a run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SwarmOutcome {
    pub(crate) users: usize,
    pub(crate) staleness: Percentiles,
    pub(crate) delivery: Percentiles,
    pub(crate) delivery_mean_ms: f64,
    pub(crate) undelivered: f64,
    pub(crate) deliveries_per_s: f64,
    /// Shares of one core.
    pub(crate) generator_load: f64,
    pub(crate) server_load: f64,
    pub(crate) server_rss_kib: f64,
}

impl SwarmOutcome {
    /// Whether the run is within the limits of `docs/benchmarks.md`.
    pub(crate) fn holds(&self) -> bool {
        self.staleness.p99_ms < limits::STALENESS_P99_MS_MAX
            && self.delivery.p99_ms < limits::DELIVERY_P99_MS_MAX
            && self.undelivered < limits::UNDELIVERED_MAX
    }

    pub(crate) fn is_generator_bound(&self) -> bool {
        self.generator_load > limits::GENERATOR_LOAD_MAX
    }
}

/// Names, password and topics of one client of a swarm.
#[derive(Debug)]
pub(crate) struct SwarmClientSettings {
    pub(crate) name: PersonIdentifiers,
    pub(crate) password: Option<String>,
    pub(crate) topic: String,
    pub(crate) filters: Vec<String>,
}

impl SwarmClientSettings {
    /// The packets with which the member enters.
    fn hello(&self) -> [Vec<u8>; 2] {
        let login = self.password.as_deref().map(|password| (self.name.account.as_str(), password));
        [packet::connect(&self.name.user_client, login), packet::subscribe(1, &self.filters, 0)]
    }
}

struct SwarmClient {
    name: PersonIdentifiers,
    connection: MqttConnection,
    topic: String,
    gone: bool,
}

/// The messages of the people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SwarmTrafficKind {
    /// Cameras in their scene, as ARENA's clients send them.
    Cameras,
    /// Opaque messages of `bytes` on plain topics.
    Opaque { bytes: usize },
}

impl SwarmTrafficKind {
    /// A person's topic, and the filters that receive all topics.
    fn topics(self, name: &PersonIdentifiers) -> (String, Vec<String>) {
        match self {
            SwarmTrafficKind::Cameras => (name.camera_topic(), name.filters()),
            SwarmTrafficKind::Opaque { .. } => (format!("lab/{}", name.id_tag), vec!["lab/+".to_owned()]),
        }
    }
}

/// Connected people.
pub(crate) struct MqttSwarm {
    epoll: OwnedFd,
    people: Vec<SwarmClient>,
    talk: SwarmTrafficKind,
    scratch: Vec<u8>,
    payload: String,
    said: PayloadByteCounts,
    began: Instant,
}

/// Payload bytes since the swarm connected.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PayloadByteCounts {
    /// Sent by all, and received by all.
    pub(crate) said: u64,
    pub(crate) heard: u64,
}

impl MqttSwarm {
    /// Connects `people`, with the passwords that `login` returns.
    pub(crate) fn enter(
        people: usize,
        endpoint: &MqttEndpoint,
        login: &dyn Fn(&PersonIdentifiers) -> Result<Option<String>>,
    ) -> Result<MqttSwarm> {
        MqttSwarm::enter_talking((people, SwarmTrafficKind::Cameras), endpoint, login)
    }

    /// Connects `people` that send the given kind of messages, with the passwords that `login` returns.
    pub(crate) fn enter_talking(
        (people, talk): (usize, SwarmTrafficKind),
        endpoint: &MqttEndpoint,
        login: &dyn Fn(&PersonIdentifiers) -> Result<Option<String>>,
    ) -> Result<MqttSwarm> {
        let member = |name: PersonIdentifiers| {
            let (password, (topic, filters)) = (login(&name)?, talk.topics(&name));
            Ok(SwarmClientSettings { name, password, topic, filters })
        };
        let members = (0..people).map(PersonIdentifiers::of).map(member).collect::<Result<Vec<_>>>()?;
        MqttSwarm::enter_members(members, talk, endpoint)
    }

    /// Connects people with given names, passwords and topics.
    pub(crate) fn enter_members(
        members: Vec<SwarmClientSettings>,
        talk: SwarmTrafficKind,
        endpoint: &MqttEndpoint,
    ) -> Result<MqttSwarm> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let hellos: Vec<_> = members.iter().map(SwarmClientSettings::hello).collect();
        let mut entered = Vec::with_capacity(members.len());
        let mut members = members.into_iter();
        for some in hellos.chunks(limits::ENTERING_TOGETHER) {
            for (connection, member) in enter_together(endpoint, some)?.into_iter().zip(members.by_ref()) {
                let data = epoll::EventData::new_u64(entered.len() as u64);
                epoll::add(&epoll, connection.socket(), data, epoll::EventFlags::IN)?;
                let SwarmClientSettings { name, topic, .. } = member;
                entered.push(SwarmClient { name, connection, topic, gone: false });
            }
        }
        let scratch = vec![0; limits::READ_BYTES];
        Ok(MqttSwarm {
            epoll,
            people: entered,
            talk,
            scratch,
            payload: String::new(),
            said: PayloadByteCounts::default(),
            began: Instant::now(),
        })
    }

    /// Stops or resumes reading from a person's socket.
    pub(crate) fn set_reading(&mut self, index: usize, reading: bool) -> Result<()> {
        let flags = if reading { epoll::EventFlags::IN } else { epoll::EventFlags::empty() };
        let data = epoll::EventData::new_u64(index as u64);
        Ok(epoll::modify(&self.epoll, self.people[index].connection.socket(), data, flags)?)
    }

    /// The client's port of a person's connection.
    pub(crate) fn port(&self, index: usize) -> Result<u16> {
        Ok(self.people[index].connection.socket().local_addr()?.port())
    }

    /// Restarts the clock of a run that the caller steps by [`MqttSwarm::drive`].
    pub(crate) fn begin(&mut self) {
        self.began = Instant::now();
    }

    /// Payload bytes sent and received so far.
    pub(crate) fn said(&self) -> PayloadByteCounts {
        self.said
    }

    pub(crate) fn now_us(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    /// One run of the load. Every message carries its due time, so a late generator shows as late delivery.
    pub(crate) fn run(&mut self, plan: &SwarmPlan, server: u32) -> Result<SwarmOutcome> {
        self.begin();
        let warm_us = limits::WARM_UP.as_micros() as u64;
        let measured_us = plan.measured.as_micros() as u64;
        let mut ledger = DeliveryLedger::new((self.people.len(), self.people.len()), (warm_us, warm_us + measured_us));
        let mut pace = SendSchedule::new(self.people.len(), plan.rate_hz);
        self.drive(&mut pace, warm_us, &mut ledger)?;
        let (generator, in_server, began) = (thread_time(), process_time(server), Instant::now());
        self.drive(&mut pace, warm_us + measured_us, &mut ledger)?;
        let wall = began.elapsed().as_secs_f64();
        let generator_load = (thread_time() - generator).as_secs_f64() / wall;
        let server_load = process_time(server).saturating_sub(in_server).as_secs_f64() / wall;
        let end_us = warm_us + measured_us + limits::GRACE.as_micros() as u64;
        self.drive(&mut pace, end_us, &mut ledger)?;
        ledger.close();
        Ok(SwarmOutcome {
            users: self.people.len(),
            staleness: ledger.staleness(),
            delivery: ledger.delivery(),
            delivery_mean_ms: ledger.delivery_mean_ms(),
            undelivered: ledger.undelivered(),
            deliveries_per_s: ledger.delivered() as f64 / plan.measured.as_secs_f64(),
            generator_load,
            server_load,
            server_rss_kib: resident_kib(server)?,
        })
    }

    /// Sends and receives until `until_us`.
    pub(crate) fn drive(&mut self, pace: &mut SendSchedule, until_us: u64, ledger: &mut DeliveryLedger) -> Result<()> {
        let mut events = Vec::with_capacity(1_024);
        loop {
            let now_us = self.now_us();
            if now_us >= until_us {
                return Ok(());
            }
            while let Some((sender, due_us)) = pace.next_due(now_us) {
                ledger.note_sent(due_us);
                self.say(sender, due_us)?;
            }
            let idle = pace.due_us().min(until_us).saturating_sub(self.now_us());
            let wait = Timespec { tv_sec: (idle / 1_000_000) as i64, tv_nsec: (idle % 1_000_000 * 1_000) as i64 };
            events.clear();
            match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut events), Some(&wait)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            for event in &events {
                self.listen(event.data.u64() as usize, ledger)?;
            }
        }
    }

    fn say(&mut self, sender: usize, due_us: u64) -> Result<()> {
        let person = &mut self.people[sender];
        if person.gone {
            return Ok(());
        }
        match self.talk {
            SwarmTrafficKind::Cameras => camera(&person.name, sender, due_us, &mut self.payload),
            SwarmTrafficKind::Opaque { bytes } => opaque((sender, due_us), bytes, &mut self.payload),
        }
        self.said.said += self.payload.len() as u64;
        let packet = packet::publish(&person.topic, self.payload.as_bytes(), None);
        if person.connection.send(&packet).is_err() {
            self.lose(sender)?;
        }
        Ok(())
    }

    fn listen(&mut self, receiver: usize, ledger: &mut DeliveryLedger) -> Result<()> {
        let began = self.began;
        let person = &mut self.people[receiver];
        let (mut now_us, heard) = (0, &mut self.said.heard);
        let open = person.connection.receive(&mut self.scratch, |packet| {
            if packet[0] & 0xf0 == packet::PUBLISH
                && let Some((sender, sent_us)) = read_mark(packet)
            {
                if now_us == 0 {
                    now_us = began.elapsed().as_micros() as u64;
                }
                *heard += packet::payload(packet).map_or(0, <[u8]>::len) as u64;
                ledger.note_arrival((receiver, sender), sent_us, now_us);
            }
        });
        if !open.unwrap_or(false) {
            self.lose(receiver)?;
        }
        Ok(())
    }

    /// Marks a connection that has ended or failed. Its missing messages show in the ledger.
    fn lose(&mut self, index: usize) -> Result<()> {
        if !self.people[index].gone {
            self.people[index].gone = true;
            epoll::delete(&self.epoll, self.people[index].connection.socket())?;
        }
        Ok(())
    }

    pub(crate) fn gone(&self) -> usize {
        self.people.iter().filter(|person| person.gone).count()
    }
}

/// Connects several people at the same time. Mosquitto polls its WebSockets only ten times a second, and each
/// client waits for five polls until it has entered.
fn enter_together(endpoint: &MqttEndpoint, hellos: &[[Vec<u8>; 2]]) -> Result<Vec<MqttConnection>> {
    thread::scope(|scope| {
        let entering: Vec<_> =
            hellos.iter().map(|hello| scope.spawn(|| MqttConnection::enter(endpoint, hello))).collect();
        entering
            .into_iter()
            .map(|connection| connection.join().expect("entering does not panic").context("entering"))
            .collect()
    })
}

/// The send times: every person once a period, evenly spread over it.
#[derive(Debug)]
pub(crate) struct SendSchedule {
    people: u64,
    period_us: f64,
    sent: u64,
}

impl SendSchedule {
    pub(crate) fn new(people: usize, rate_hz: f64) -> SendSchedule {
        SendSchedule { people: people as u64, period_us: 1e6 / rate_hz, sent: 0 }
    }

    fn due_us(&self) -> u64 {
        // Never zero: zero marks a receiver that has got nothing.
        1 + (self.sent as f64 * self.period_us / self.people as f64) as u64
    }

    fn next_due(&mut self, now_us: u64) -> Option<(usize, u64)> {
        let due_us = self.due_us();
        (due_us <= now_us).then(|| {
            let sender = (self.sent % self.people) as usize;
            self.sent += 1;
            (sender, due_us)
        })
    }
}
