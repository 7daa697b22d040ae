//! Clicks an object as a person and waits for it to move, over MQTT as ARENA's web client. The clicker is open-loop:
//! each click has its own due time, whether or not the last one was answered. Delays count from the due time, so a late
//! clicker shows as delay.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::limits;
use crate::load::connection::{MqttConnection, MqttEndpoint};
use crate::load::packet;
use crate::load::person::{PersonIdentifiers, SCENE};
use crate::statistics::percentile;

/// The clicked object.
pub(crate) const TARGET: &str = "arena-click-box";
/// The x coordinate of a click on the object encodes the click's number, in millimetres.
const PER_METRE: f64 = 1_000.0;
/// Clicks at the start that don't count, while all sides warm up.
const WARM_UP_CLICKS: usize = 10;

/// Interval of checks for missing answers after the last click.
const LOOK_US: u64 = 20_000;

/// A name with a number that no load uses.
pub(crate) fn clicker() -> PersonIdentifiers {
    PersonIdentifiers::of(9_999)
}

/// The rate and number of clicks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClickScheduleSettings {
    /// Delay of the first click.
    pub(crate) after: Duration,
    pub(crate) rate_hz: f64,
    /// Number of clicks that count.
    pub(crate) count: usize,
    pub(crate) seed: u64,
}

/// Delays from the due time of a click to the arrival of the update that answers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClickDelaySummary {
    pub(crate) clicks: usize,
    /// The share of clicks without an answer up to a second after the last click.
    pub(crate) unanswered: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p95_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
}

impl ClickDelaySummary {
    /// Computes delays from each click's due and answered time. An unanswered click counts with the time until
    /// `end_us`.
    fn of(clicks: &[(u64, Option<u64>)], end_us: u64) -> ClickDelaySummary {
        let unanswered = clicks.iter().filter(|(_, answered)| answered.is_none()).count();
        let delay_ms =
            |(due, answered): &(u64, Option<u64>)| answered.unwrap_or(end_us).saturating_sub(*due) as f64 / 1e3;
        let delays_ms: Vec<f64> = clicks.iter().map(delay_ms).collect();
        let [p50_ms, p95_ms, p99_ms, max_ms] = [0.5, 0.95, 0.99, 1.0].map(|share| percentile(&delays_ms, share));
        let unanswered = unanswered as f64 / clicks.len().max(1) as f64;
        ClickDelaySummary { clicks: clicks.len(), unanswered, p50_ms, p95_ms, p99_ms, max_ms }
    }
}

/// One person's connection to the scene.
pub(crate) struct Clicker {
    connection: MqttConnection,
    name: PersonIdentifiers,
    scratch: Vec<u8>,
    began: Instant,
}

impl Clicker {
    /// Enters with the subscriptions of ARENA's clients, so that it receives all messages of the scene.
    pub(crate) fn enter(endpoint: &MqttEndpoint, password: Option<&str>) -> Result<Clicker> {
        let name = clicker();
        let login = password.map(|password| (name.account.as_str(), password));
        let hello = [packet::connect(&name.user_client, login), packet::subscribe(1, &name.filters(), 0)];
        let connection = MqttConnection::enter(endpoint, &hello).context("the clicker")?;
        Ok(Clicker { connection, name, scratch: vec![0; limits::READ_BYTES], began: Instant::now() })
    }

    /// Clicks [`WARM_UP_CLICKS`] times and then as often as requested.
    pub(crate) fn run(&mut self, clicks: ClickScheduleSettings) -> Result<ClickDelaySummary> {
        self.began = Instant::now();
        let all = WARM_UP_CLICKS + clicks.count;
        let mut rng = fastrand::Rng::with_seed(clicks.seed);
        // Each click is due at a random time within its period, so that clicks don't fall into step with the server.
        let mut due_s = |number: usize| clicks.after.as_secs_f64() + (number as f64 + rng.f64()) / clicks.rate_hz;
        let due_us: Vec<u64> = (0..all).map(|number| (due_s(number) * 1e6) as u64).collect();
        let mut answered_us: Vec<Option<u64>> = vec![None; all];
        for (number, due_us) in due_us.iter().enumerate() {
            self.listen(*due_us, &mut answered_us)?;
            let click = click_packet(&self.name, number);
            self.connection.send(&click).context("the server ended the clicker's connection")?;
        }
        let last_us = self.now_us() + limits::GRACE.as_micros() as u64;
        while answered_us.contains(&None) && self.now_us() < last_us {
            self.listen(self.now_us() + LOOK_US, &mut answered_us)?;
        }
        let end_us = self.now_us();
        let counted: Vec<_> = due_us.into_iter().zip(answered_us).skip(WARM_UP_CLICKS).collect();
        Ok(ClickDelaySummary::of(&counted, end_us))
    }

    fn now_us(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    fn listen(&mut self, until_us: u64, answered_us: &mut [Option<u64>]) -> Result<()> {
        loop {
            let idle = Duration::from_micros(until_us.saturating_sub(self.now_us()));
            if idle.is_zero() {
                return Ok(());
            }
            let wait = Timespec { tv_sec: idle.as_secs() as i64, tv_nsec: i64::from(idle.subsec_nanos()) };
            let is_there = match poll(&mut [PollFd::new(self.connection.socket(), PollFlags::IN)], Some(&wait)) {
                Ok(count) => count > 0,
                Err(rustix::io::Errno::INTR) => false,
                Err(error) => return Err(error.into()),
            };
            if is_there {
                let began = self.began;
                let open = self.connection.receive(&mut self.scratch, |packet| {
                    if let Some(number) = read_answer(packet)
                        && let Some(answered @ None) = answered_us.get_mut(number)
                    {
                        *answered = Some(began.elapsed().as_micros() as u64);
                    }
                })?;
                anyhow::ensure!(open, "the server ended the clicker's connection");
            }
        }
    }
}

/// A mouse button pressed on the object, as ARENA's web client sends it.
pub(crate) fn click_packet(name: &PersonIdentifiers, number: usize) -> Vec<u8> {
    let met = number as f64 / PER_METRE;
    let payload = format!(
        "{{\"object_id\":\"{}\",\"action\":\"clientEvent\",\"type\":\"mousedown\",\"data\":{{\"target\":\"{TARGET}\",\
         \"targetPosition\":{{\"x\":{met:.3},\"y\":1.6,\"z\":-2}},\"originPosition\":{{\"x\":0,\"y\":1.6,\"z\":0}}}}}}",
        name.id_tag
    );
    packet::publish(&name.camera_topic(), payload.as_bytes(), None)
}

/// The object at a new position, as an agent sends it; `action` is `create` or `update`.
pub(crate) fn place_packet(name: &PersonIdentifiers, action: &str, x: f64) -> Vec<u8> {
    let payload = format!(
        "{{\"object_id\":\"{TARGET}\",\"action\":\"{action}\",\"type\":\"object\",\"persist\":false,\"data\":{{\"object_type\":\"box\",\
         \"click-listener\":true,\"position\":{{\"x\":{x:.3},\"y\":1.6,\"z\":-2}}}}}}"
    );
    packet::publish(&format!("realm/s/{SCENE}/o/{}/{TARGET}", name.user_client), payload.as_bytes(), None)
}

/// Topic and payload of a packet, if it is a PUBLISH of QoS 0.
fn read_publish(packet: &[u8]) -> Option<(&[u8], &[u8])> {
    let (head, _) = packet::extent(packet).ok()??;
    if packet[0] & 0xf6 != packet::PUBLISH {
        return None;
    }
    let (length, rest) = packet.get(head..)?.split_first_chunk()?;
    rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))
}

/// The x coordinate of a click on the object, in metres.
pub(crate) fn read_click(packet: &[u8]) -> Option<f64> {
    let (_, payload) = read_publish(packet)?;
    let message: Value = serde_json::from_slice(payload).ok()?;
    let data = &message["data"];
    (message["type"] == "mousedown" && data["target"] == TARGET).then(|| data["targetPosition"]["x"].as_f64())?
}

/// The number of the click that an update answers.
fn read_answer(packet: &[u8]) -> Option<usize> {
    let (topic, payload) = read_publish(packet)?;
    // The topic is checked first, since hundreds of cameras a second arrive here too.
    if !topic.ends_with(TARGET.as_bytes()) {
        return None;
    }
    let message: Value = serde_json::from_slice(payload).ok()?;
    let x = (message["action"] == "update").then(|| message["data"]["position"]["x"].as_f64())??;
    Some((x * PER_METRE).round() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_carries_the_number_of_its_click() {
        for number in [0, 7, 999, 12_345] {
            let met = read_click(&click_packet(&clicker(), number)).expect("a click");
            assert_eq!(read_answer(&place_packet(&clicker(), "update", met)), Some(number));
        }
        assert_eq!(read_answer(&place_packet(&clicker(), "create", 0.007)), None, "that it is there is no answer");
        assert_eq!(read_answer(&click_packet(&clicker(), 3)), None, "negative control");
        assert_eq!(read_click(&place_packet(&clicker(), "update", 0.003)), None, "negative control");
    }

    #[test]
    fn unanswered_clicks_are_counted_with_their_wait_until_the_end() {
        let delays =
            ClickDelaySummary::of(&[(1_000, Some(2_000)), (2_000, None), (3_000, Some(5_000)), (4_000, None)], 9_000);
        assert_eq!((delays.unanswered, delays.p50_ms, delays.max_ms), (0.5, 2.0, 7.0));
        assert_eq!(ClickDelaySummary::of(&[(1_000, None)], 3_000).p50_ms, 2.0, "it waited at least so long");
    }
}
