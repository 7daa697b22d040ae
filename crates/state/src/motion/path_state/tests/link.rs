//! Rates on a simulated link with a drop-tail buffer.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use stoa_wire::motion::FrameArrivalsWriter;

use super::*;

/// Delay of an empty link, each way.
const WAY_US: u64 = 20_000;
/// Longest queue.
const BUFFER_US: u64 = 100_000;
const SUBTICK_US: u64 = 8_000;
/// Time between two reports of the client.
const REPORT_US: u64 = 50_000;
/// Shortest frame with poses that is worth its header.
const FRAME_BYTES_MIN: usize = 400;

/// The reports of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reports {
    Acks,
    Arrivals,
}

/// A frame on its way.
struct Underway {
    arrives_us: u64,
    sequence: u32,
    time_ms: u32,
    /// `None` for a lost one.
    arrived_q: Option<u32>,
}

/// A server's path to a client, the link between them, and the client.
struct LinkedClient {
    path: NetworkPathState,
    reports: Reports,
    now_us: u64,
    capacity: u64,
    lost_per_mille: u64,
    /// Delay of the empty link to the client.
    way_us: u64,
    free_at_us: u64,
    underway: VecDeque<Underway>,
    arrived: Vec<(u32, Option<u32>)>,
    newest: Option<(u32, u32, u64)>,
    received: u32,
    random: u64,
    offered: usize,
    acks: VecDeque<(u64, FrameAck, Vec<Vec<u8>>)>,
    /// Of the frames delivered since the last measurement.
    queues_us: Vec<u64>,
    bytes: u64,
    /// Speed of the client's clock, in millionths more than ours, and its jump.
    drift_ppm: i64,
    jump_q: u32,
}

impl LinkedClient {
    fn new(reports: Reports, capacity: u64) -> LinkedClient {
        LinkedClient {
            path: NetworkPathState::new(4 * 1_024 * 1_024, Time::ZERO),
            reports,
            now_us: 0,
            capacity,
            lost_per_mille: 0,
            way_us: WAY_US,
            free_at_us: 0,
            underway: VecDeque::new(),
            arrived: Vec::new(),
            newest: None,
            received: 0,
            random: 1,
            offered: 0,
            acks: VecDeque::new(),
            queues_us: Vec::new(),
            bytes: 0,
            drift_ppm: 0,
            jump_q: 0,
        }
    }

    fn now(&self) -> Time {
        Time::from_nanos(self.now_us * 1_000)
    }

    fn chance(&mut self) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % 1_000
    }

    fn client_q(&self, us: u64) -> u32 {
        let drift = us as i64 * self.drift_ppm / 1_000_000;
        (((us as i64 + drift) / 250) as u32).wrapping_add(0xffff_0000).wrapping_add(self.jump_q)
    }

    /// Sends a frame into the link.
    fn send(&mut self, bytes: usize) {
        let now = self.now();
        let head = self.path.next_head(MotionTime::at(now));
        self.path.handle_frame_sent(bytes, now);
        self.path.spend(bytes);
        let wait_us = self.free_at_us.saturating_sub(self.now_us);
        let is_lost = self.chance() < self.lost_per_mille;
        let mut frame = Underway {
            arrives_us: self.now_us + wait_us + self.way_us,
            sequence: head.sequence,
            time_ms: head.time_ms,
            arrived_q: None,
        };
        if wait_us <= BUFFER_US {
            self.queues_us.push(wait_us);
            self.free_at_us = self.now_us + wait_us + bytes as u64 * 1_000_000 / self.capacity;
            frame.arrives_us = self.free_at_us + self.way_us;
            if !is_lost {
                frame.arrived_q = Some(self.client_q(frame.arrives_us));
                self.bytes += bytes as u64;
            }
        }
        self.underway.push_back(frame);
    }

    /// Runs a subtick: sends all that the path may take, and exchanges reports.
    fn subtick(&mut self, offered_per_s: usize) {
        self.now_us += SUBTICK_US;
        let mut credit = self.path.credit(self.now());
        self.offered += offered_per_s * SUBTICK_US as usize / 1_000_000;
        while credit.min(self.offered) >= FRAME_BYTES_MIN {
            let bytes = credit.min(self.offered).min(1_150);
            self.send(bytes);
            (credit, self.offered) = (credit - bytes, self.offered - bytes);
        }
        self.offered = self.offered.min(100_000);
        while let Some(frame) = self.underway.pop_front_if(|frame| frame.arrives_us <= self.now_us) {
            self.arrived.push((frame.sequence, frame.arrived_q));
            if frame.arrived_q.is_some() {
                self.received += 1;
                self.newest = Some((frame.sequence, frame.time_ms, frame.arrives_us));
            }
        }
        if self.now_us % REPORT_US < SUBTICK_US {
            self.report();
        }
        while let Some((_, ack, parts)) = self.acks.pop_front_if(|(at, ..)| *at <= self.now_us) {
            let now = self.now();
            assert!(self.path.handle_ack(ack, 0, now));
            parts.iter().for_each(|part| self.path.handle_arrivals(part, 0, now));
        }
    }

    fn report(&mut self) {
        let Some((newest, time_ms, at_us)) = self.newest else { return };
        let held_ms = ((self.now_us - at_us) / 1_000) as u16;
        let ack = FrameAck { newest, received: self.received, time_ms, held_ms, changes: 0 };
        let mut parts: Vec<Vec<u8>> = Vec::new();
        let mut writer: Option<FrameArrivalsWriter> = None;
        for (sequence, arrived_q) in self.arrived.drain(..) {
            let fits = writer.as_mut().is_some_and(|writer| writer.push(arrived_q));
            if !fits && let Some(arrived_q) = arrived_q {
                parts.extend(writer.take().map(|writer| writer.bytes().to_vec()));
                writer.get_or_insert_default().begin(sequence, arrived_q);
            }
        }
        parts.extend(writer.map(|writer| writer.bytes().to_vec()));
        parts.retain(|_| self.reports == Reports::Arrivals);
        self.acks.push_back((self.now_us + WAY_US, ack, parts));
    }

    /// Runs with more frames than the link carries.
    fn run(&mut self, seconds: u64) -> LinkUse {
        self.run_offered(seconds, 375_000)
    }

    fn run_offered(&mut self, seconds: u64, offered_per_s: usize) -> LinkUse {
        (self.bytes, self.queues_us) = (0, Vec::new());
        for _ in 0..seconds * 1_000_000 / SUBTICK_US {
            self.subtick(offered_per_s);
        }
        self.queues_us.sort_unstable();
        let at = |percent: usize| self.queues_us.get(self.queues_us.len() * percent / 100).copied().unwrap_or(0);
        LinkUse {
            queue_p50_ms: at(50) / 1_000,
            queue_p95_ms: at(95) / 1_000,
            percent: self.bytes * 100 / (self.capacity * seconds),
        }
    }
}

/// Use of a link over some time.
#[derive(Clone, Copy, Debug)]
struct LinkUse {
    queue_p50_ms: u64,
    queue_p95_ms: u64,
    /// Share of the capacity.
    percent: u64,
}

const FAST: u64 = 250_000;
const SLOW: u64 = 50_000;

#[test]
fn the_rate_follows_the_capacity_with_a_short_queue() {
    let mut client = LinkedClient::new(Reports::Arrivals, FAST);
    for capacity in [FAST, SLOW, FAST] {
        client.capacity = capacity;
        let (begun, later) = (client.run(5), client.run(15));
        assert!(later.percent >= 85 && later.queue_p95_ms <= 40, "{capacity}: {begun:?}, {later:?}");
    }
    client.capacity = SLOW;
    let all = client.run(20);
    assert!(all.queue_p95_ms <= 40, "with the moment of the change: {all:?}");
    client.capacity = FAST;
    client.run(5);
    let sixth = client.run(1);
    assert!(sixth.percent >= 80, "{sixth:?}");
}

#[test]
fn random_loss_below_ten_percent_leaves_most_of_the_rate() {
    for reports in [Reports::Arrivals, Reports::Acks] {
        let mut client = LinkedClient::new(reports, FAST);
        client.run(15);
        client.lost_per_mille = 50;
        let used = client.run(30);
        assert!(used.percent >= 80, "{reports:?}: {used:?}");
        client.lost_per_mille = 200;
        client.run(20);
        assert!(client.run(5).percent < 40, "negative control");
    }
}

#[test]
fn acknowledgements_alone_show_the_capacity_too() {
    let mut client = LinkedClient::new(Reports::Acks, FAST);
    for capacity in [FAST, SLOW, FAST] {
        client.capacity = capacity;
        client.run(5);
        let used = client.run(15);
        assert!(used.percent >= 75 && used.queue_p50_ms <= 25, "{capacity}: {used:?}");
    }
}

#[test]
fn a_clients_clock_may_drift_and_jump() {
    for drift_ppm in [-500, 0, 500] {
        let mut client = LinkedClient { drift_ppm, ..LinkedClient::new(Reports::Arrivals, FAST) };
        client.run(10);
        for jump_ms in [1_000_i32, -3_000, 86_400_000, 0] {
            client.jump_q = client.jump_q.wrapping_add_signed(jump_ms.wrapping_mul(4));
            let used = client.run(10);
            let holds = used.percent >= 80 && used.queue_p95_ms <= 45;
            assert!(holds, "{drift_ppm} ppm, {jump_ms} ms: {used:?}");
        }
    }
}

#[test]
fn a_longer_path_is_no_queue_after_a_while() {
    let mut client = LinkedClient::new(Reports::Arrivals, FAST);
    client.run(10);
    client.way_us += 60_000;
    client.run(4);
    let used = client.run(4);
    assert!(used.percent >= 45, "{used:?}");
}

#[test]
fn a_stall_leaves_the_rate_of_a_client_that_is_sent_little() {
    for reports in [Reports::Arrivals, Reports::Acks] {
        let mut client = LinkedClient::new(reports, FAST);
        for _ in 0..20 {
            client.run_offered(2, 3_000);
            client.way_us += 60_000;
            client.run_offered(1, 3_000);
            client.way_us -= 60_000;
        }
        let rate = client.path.report().bytes_per_s;
        assert!(rate >= limits::MOTION_FIRST_BYTES_PER_S / 2, "{reports:?}: {rate}");
    }
}

#[test]
fn invented_arrivals_yield_the_budget_at_most() {
    const LEAST: u32 = limits::MOTION_BYTES_PER_S_MIN;
    let mut client = LinkedClient::new(Reports::Arrivals, FAST);
    client.path.set_budget(2 * LEAST);
    for second in 0..20_u32 {
        client.run(1);
        for sequence in [0, 1, client.path.sent(), client.path.sent().wrapping_add(5), u32::MAX] {
            let mut writer = FrameArrivalsWriter::default();
            writer.begin(sequence, second.wrapping_mul(0x9e37_79b9));
            (0..500_u32).for_each(|step| {
                writer.push((step % 3 > 0).then_some(step << 20));
            });
            client.path.handle_arrivals(writer.bytes(), 0, client.now());
        }
        let rate = client.path.report().bytes_per_s;
        assert!((LEAST..=2 * LEAST).contains(&rate), "{rate}");
    }
}

/// A client's way to the server: its capacity, the time, and the client's last sequence.
struct Uplink {
    capacity: u64,
    now_us: u64,
    sequence: u32,
}

/// Sends 20 kB/s of a client with flows for some seconds, and returns the rates that it was sent.
fn uplink(path: &mut NetworkPathState, link: &mut Uplink, seconds: u64) -> Vec<u32> {
    let Uplink { capacity, now_us, sequence } = link;
    let (end_us, mut free_at_us, mut told) = (*now_us + seconds * 1_000_000, *now_us, Vec::new());
    while *now_us < end_us {
        *now_us += 20_000;
        *sequence += 1;
        let bytes = 20_000 / 50;
        let wait_us = free_at_us.saturating_sub(*now_us);
        if wait_us <= BUFFER_US {
            free_at_us = *now_us + wait_us + bytes * 1_000_000 / *capacity;
            let arrived = Time::from_nanos((free_at_us + WAY_US) * 1_000);
            let head = head(*sequence, 77_000 + (*now_us / 1_000) as u32);
            assert!(path.handle_head(head, arrived).is_some());
            path.handle_length(head, bytes as usize, 0, arrived);
            told.extend(path.poll_uplink(arrived));
        }
    }
    told
}

#[test]
fn a_client_with_flows_is_sent_the_rate_of_its_slow_uplink() {
    let mut path = NetworkPathState::new(BUDGET, Time::ZERO);
    assert_eq!(path.poll_uplink(Time::from_secs(1)), None, "without flows");
    path.measure_uplink(Time::ZERO);
    let mut link = Uplink { capacity: 250_000, now_us: 0, sequence: 0 };
    let good = uplink(&mut path, &mut link, 5);
    assert_eq!(good.last(), Some(&limits::UPLINK_BYTES_PER_S_MAX));
    assert!(good.len() <= 8, "once a second, and after changes: {good:?}");
    link.capacity = 19_000;
    let full = uplink(&mut path, &mut link, 8);
    assert!(full.iter().any(|rate| *rate < 19_000), "by delay, with 5 % loss: {full:?}");
    link.capacity = 10_000;
    let slow = uplink(&mut path, &mut link, 5);
    assert!(slow.last().is_some_and(|rate| (6_000..=11_000).contains(rate)), "{slow:?}");
    assert!((5..=25).contains(&slow.len()), "{slow:?}");
    link.capacity = 250_000;
    let fast = uplink(&mut path, &mut link, 20);
    assert!(fast.last().is_some_and(|rate| *rate > 20_000), "{fast:?}");
}
