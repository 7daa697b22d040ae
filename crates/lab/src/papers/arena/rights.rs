//! Compares two sets of filters in a token, both checked for each message: the dozen that ARENA's account service
//! lists, and the one filter `#`. Figures `rights_publish_overhead`, `rights_subscribe_overhead`: the upper ends of
//! the 95 % intervals, in percent (paper 000: +24 and +17 %).

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::environment::ExperimentContext;
use crate::limits;
use crate::load::connection::{MqttConnection, MqttEndpoint, MqttTransport};
use crate::load::packet;
use crate::load::person::{PersonIdentifiers, SCENE};
use crate::machine::process_time;
use crate::papers::numbers;
use crate::report::{Figure, Report, Table};
use crate::servers::{IssuedTokenScope, MqttServerKind, RunningServer, Testbed};
use crate::statistics::interval;

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &["rights_publish_overhead", "rights_subscribe_overhead"];

/// Options of the rights experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Number of pairs; the two sides exchange scenes from pair to pair
    #[arg(long, default_value_t = 25)]
    pairs: usize,
    /// Seconds of each side of a pair, in slices of one
    #[arg(long, default_value_t = 20)]
    run_s: u64,
    /// Topics of each publisher
    #[arg(long, default_value_t = 100)]
    topics: usize,
    /// Give both sides the filters of ARENA, to show the experiment's own error
    #[arg(long)]
    control: bool,
}

const PUBLISHERS: usize = 4;
const SUBSCRIBERS: usize = 50;
/// Messages a second of all publishers: half of a core's capacity.
const PUBLISHES_PER_S: f64 = 12_000.0;
/// Messages a second of the publisher that the subscribers receive.
const HEARD_PER_S: f64 = 2_000.0;
const TICK: Duration = Duration::from_millis(2);
/// Duration of a turn: short, so that a drift of the machine affects both sides.
const SLICE: Duration = Duration::from_secs(1);
/// Pause after a turn, in which its effects finish, so that its cost is its own.
const SETTLE: Duration = Duration::from_millis(50);
/// Each side has its own scene, so that neither receives the other's messages.
const SCENES: [&str; 2] = [SCENE, "public/sandbox"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RightsLoad {
    /// Several publishers without subscribers.
    Publish,
    /// One publisher with many subscribers.
    Subscribe,
}

impl RightsLoad {
    fn per_s(self) -> f64 {
        if self == RightsLoad::Publish { PUBLISHES_PER_S } else { HEARD_PER_S }
    }
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let parameters = json!({
        "pairs": options.pairs, "run_s": options.run_s, "topics": options.topics, "publishers": PUBLISHERS,
        "subscribers": SUBSCRIBERS, "publishes_per_s": PUBLISHES_PER_S, "heard_per_s": HEARD_PER_S,
        "slice_s": SLICE.as_secs_f64(), "control": options.control,
    });
    let mut report = Report::new("arena-rights", parameters);
    let testbed = Testbed::new(setting.stoa()?)?;
    let server = MqttServerKind::Stoa.start(&testbed)?;
    let bench =
        RightsBench { testbed: &testbed, server: &server, endpoint: server.endpoint(MqttTransport::Tcp)?, options };
    let mut rows = Vec::new();
    for (load, name, published) in [
        (RightsLoad::Publish, "rights_publish_overhead", numbers::RIGHTS_PUBLISH_PERCENT),
        (RightsLoad::Subscribe, "rights_subscribe_overhead", numbers::RIGHTS_SUBSCRIBE_PERCENT),
    ] {
        let published = published.read()?;
        let mut percents = Vec::new();
        let mut pairs = Vec::new();
        for pair in 0..options.pairs {
            let [listed, all] = bench.pair(load, pair)?;
            percents.push(100.0 * (listed.cost_us() / all.cost_us() - 1.0));
            eprintln!("{load:?} {}: {:.3} against {:.3} microseconds", pair + 1, listed.cost_us(), all.cost_us());
            pairs.push(json!({ "listed": listed.told(), "all": all.told() }));
        }
        let (mean, half) = interval(&percents);
        eprintln!("{load:?}: {mean:.2} % and {half:.2} to either side");
        report.series(name, json!({ "mean_percent": mean, "half_interval_percent": half, "pairs": pairs }));
        report.figure(name, overhead(mean, half).held_to("<", 3.0, "value").published("000, Fig. 7", published));
        let half = if half.is_finite() { json!(half) } else { json!("none") };
        rows.push(vec![json!(format!("{load:?}")), json!(published), json!(mean), half]);
    }
    let columns = ["for each", "paper, %", "ours, mean, %", "to either side (95 %)"].map(str::to_owned).to_vec();
    report.table(Table { title: "Cost of a dozen filters beyond one".to_owned(), columns, rows });
    Ok(report.finish())
}

/// The upper end of an interval. A single pair has none.
fn overhead(mean: f64, half: f64) -> Figure {
    let upper = mean + half;
    if upper.is_finite() { Figure::new(upper, "%") } else { Figure::none("of so few pairs there is no interval", "%") }
}

struct RightsBench<'a> {
    testbed: &'a Testbed,
    server: &'a RunningServer,
    endpoint: MqttEndpoint,
    options: &'a Options,
}

struct PreparedPacketPublisher {
    connection: MqttConnection,
    packets: Vec<Vec<u8>>,
    next: usize,
}

/// One side of a pair, with the costs of its slices.
struct ClientGroupCostMeter {
    publishers: Vec<PreparedPacketPublisher>,
    hall: ListenerGroup,
    slices_us: Vec<f64>,
    spent: Duration,
    /// Sent messages, or deliveries.
    count: u64,
}

impl ClientGroupCostMeter {
    /// Processor time of the server for each publish or delivery, in microseconds.
    fn cost_us(&self) -> f64 {
        self.spent.as_secs_f64() * 1e6 / self.count as f64
    }

    fn told(&self) -> Value {
        json!({ "cost_us": self.cost_us(), "slices_us": self.slices_us })
    }
}

impl RightsBench<'_> {
    /// Runs both sides of one pair in alternating turns on the same server. Returns the side with the listed filters,
    /// then the side with `#` (with `--control` also the listed filters).
    fn pair(&self, load: RightsLoad, pair: usize) -> Result<[ClientGroupCostMeter; 2]> {
        let second = if self.options.control { IssuedTokenScope::Scene } else { IssuedTokenScope::Everything };
        let mut sides = [self.side(load, IssuedTokenScope::Scene, pair % 2)?, self.side(load, second, (pair + 1) % 2)?];
        for side in &mut sides {
            // Warms up, and creates the objects.
            self.slice(load, side)?;
            (side.slices_us, side.spent, side.count) = (Vec::new(), Duration::ZERO, 0);
        }
        for slice in 0..self.options.run_s {
            let first = (slice as usize + pair) % 2;
            for side in [first, 1 - first] {
                self.slice(load, &mut sides[side])?;
            }
        }
        Ok(sides)
    }

    fn side(&self, load: RightsLoad, rights: IssuedTokenScope, scene: usize) -> Result<ClientGroupCostMeter> {
        let (speakers, listeners) = if load == RightsLoad::Publish { (PUBLISHERS, 0) } else { (1, SUBSCRIBERS) };
        let (scene, first) = (SCENES[scene], scene * (PUBLISHERS + SUBSCRIBERS));
        let listeners = (first + speakers..first + speakers + listeners)
            .map(|index| self.enter((&PersonIdentifiers::of(index), scene), rights, true))
            .collect::<Result<_>>()?;
        let publishers = (first..first + speakers)
            .map(|index| {
                let name = PersonIdentifiers::of(index);
                let packets = (0..self.options.topics).map(|number| update(&name, scene, number)).collect();
                Ok(PreparedPacketPublisher { connection: self.enter((&name, scene), rights, false)?, packets, next: 0 })
            })
            .collect::<Result<_>>()?;
        let hall = ListenerGroup { listeners, scratch: vec![0; limits::READ_BYTES], heard: 0 };
        Ok(ClientGroupCostMeter { publishers, hall, slices_us: Vec::new(), spent: Duration::ZERO, count: 0 })
    }

    fn enter(
        &self,
        (name, scene): (&PersonIdentifiers, &str),
        rights: IssuedTokenScope,
        listens: bool,
    ) -> Result<MqttConnection> {
        let token = self.testbed.folder.token_in(scene, name, rights)?;
        let mut hello = vec![packet::connect(&name.user_client, Some((&name.account, &token)))];
        if listens {
            hello.push(packet::subscribe(1, &name.filters_in(scene), 0));
        }
        MqttConnection::enter(&self.endpoint, &hello)
    }

    /// One turn of a side.
    fn slice(&self, load: RightsLoad, side: &mut ClientGroupCostMeter) -> Result<()> {
        let ClientGroupCostMeter { publishers, hall, .. } = side;
        let speakers = publishers.len();
        hall.heard = 0;
        let (before, began) = (process_time(self.server.pid()), Instant::now());
        let mut sent = 0_u64;
        while began.elapsed() < SLICE + SETTLE {
            let due = (began.elapsed().min(SLICE).as_secs_f64() * load.per_s()) as u64;
            while sent < due {
                let publisher = &mut publishers[sent as usize % speakers];
                publisher.connection.send(&publisher.packets[publisher.next])?;
                publisher.next = (publisher.next + 1) % publisher.packets.len();
                sent += 1;
            }
            hall.listen()?;
            sleep(TICK);
        }
        let spent = process_time(self.server.pid()).saturating_sub(before);
        let due = sent * hall.listeners.len() as u64;
        ensure!(hall.heard * 100 >= due * 99, "of {due} deliveries of a slice {} were there at its end", hall.heard);
        let count = if load == RightsLoad::Publish { sent } else { hall.heard };
        side.slices_us.push(spent.as_secs_f64() * 1e6 / count as f64);
        side.spent += spent;
        side.count += count;
        Ok(())
    }
}

struct ListenerGroup {
    listeners: Vec<MqttConnection>,
    scratch: Vec<u8>,
    heard: u64,
}

impl ListenerGroup {
    fn listen(&mut self) -> Result<()> {
        for connection in &mut self.listeners {
            let heard = &mut self.heard;
            connection.receive(&mut self.scratch, |packet| *heard += u64::from(packet[0] & 0xf0 == packet::PUBLISH))?;
        }
        Ok(())
    }
}

/// An update of the position of one of a person's objects: arena-py's keys without `program_id` and `timestamp`.
fn update(name: &PersonIdentifiers, scene: &str, number: usize) -> Vec<u8> {
    let id = format!("{}-{number}", name.account);
    let payload = format!(
        "{{\"object_id\":\"{id}\",\"action\":\"update\",\"type\":\"object\",\"persist\":false,\"data\":{{\"object_type\":\"box\",\
         \"position\":{{\"x\":{number},\"y\":1.6,\"z\":-2}}}}}}"
    );
    packet::publish(&format!("realm/s/{scene}/o/{}/{id}", name.user_client), payload.as_bytes(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overhead_of_too_few_pairs_misses_the_bar() {
        let of = |percents: &[f64]| {
            let (mean, half) = interval(percents);
            overhead(mean, half).held_to("<", 3.0, "value")
        };
        assert_eq!(of(&[1.0, 1.1, 0.9, 1.0]).holds, Some(true), "negative control");
        for few in [&[1.0][..], &[], &[1.0, f64::NAN]] {
            assert_eq!((of(few).value, of(few).holds), (None, Some(false)), "{few:?}");
        }
    }
}
