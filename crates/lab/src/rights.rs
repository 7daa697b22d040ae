//! What checking rights costs: the filters of ARENA's account service against the one filter `#`. Figures `rights_publish_overhead`,
//! `rights_subscribe_overhead`: the upper ends of the 95 % intervals, in percent (paper 000: +24 and +17 %).

use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;

use crate::limits;
use crate::load::line::{Door, Line, Transport};
use crate::load::packet;
use crate::load::person::{Name, SCENE};
use crate::machine::process_time;
use crate::report::{Figure, Report};
use crate::servers::{Kind, Rights, Running, Stage};
use crate::statistics::interval;

/// Options of the rights experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Interleaved pairs of runs
    #[arg(long, default_value_t = 11)]
    pairs: usize,
    /// Seconds of each run
    #[arg(long, default_value_t = 20)]
    run_s: u64,
    /// Topics of each publisher
    #[arg(long, default_value_t = 100)]
    topics: usize,
}

const PUBLISHERS: usize = 4;
const SUBSCRIBERS: usize = 50;
/// Of all publishers together: half of what a core takes.
const PUBLISHES_PER_S: f64 = 12_000.0;
/// Of the one that the subscribers hear.
const HEARD_PER_S: f64 = 2_000.0;
const TICK: Duration = Duration::from_millis(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Load {
    /// Nobody listens.
    Publish,
    /// One speaks, the others listen.
    Subscribe,
}

pub(crate) fn run(options: &Options, stoa: PathBuf) -> Result<Report> {
    let parameters = json!({
        "pairs": options.pairs, "run_s": options.run_s, "topics": options.topics, "publishers": PUBLISHERS,
        "subscribers": SUBSCRIBERS, "publishes_per_s": PUBLISHES_PER_S, "heard_per_s": HEARD_PER_S,
    });
    let mut report = Report::new("arena-rights", parameters);
    let stage = Stage::new(stoa)?;
    let server = Kind::Stoa.start(&stage)?;
    let stand = Stand { stage: &stage, server: &server, door: server.door(Transport::Tcp)?, options };
    for (load, name) in [(Load::Publish, "rights_publish_overhead"), (Load::Subscribe, "rights_subscribe_overhead")] {
        let mut percents = Vec::new();
        let mut pairs = Vec::new();
        stand.cost_us(load, Rights::Scene)?; // warms up, and makes the objects
        for pair in 0..options.pairs {
            let order =
                if pair % 2 == 0 { [Rights::Scene, Rights::Everything] } else { [Rights::Everything, Rights::Scene] };
            let [mut listed, mut all] = [stand.cost_us(load, order[0])?, stand.cost_us(load, order[1])?];
            if pair % 2 == 1 {
                (listed, all) = (all, listed);
            }
            percents.push(100.0 * (listed / all - 1.0));
            eprintln!("{load:?} {}: {listed:.3} against {all:.3} microseconds", pair + 1);
            pairs.push(json!({ "listed_us": listed, "all_us": all }));
        }
        let (mean, half) = interval(&percents);
        report.series(name, json!({ "mean_percent": mean, "half_interval_percent": half, "pairs": pairs }));
        report.figure(name, Figure::new(mean + half, "%").held_to("<", 3.0, "value"));
    }
    Ok(report.finish())
}

struct Stand<'a> {
    stage: &'a Stage,
    server: &'a Running,
    door: Door,
    options: &'a Options,
}

struct Publisher {
    line: Line,
    packets: Vec<Vec<u8>>,
    next: usize,
}

impl Stand<'_> {
    fn enter(&self, name: &Name, rights: Rights, listens: bool) -> Result<Line> {
        let token = self.stage.folder.token(name, rights)?;
        let mut hello = vec![packet::connect(&name.user_client, Some((&name.account, &token)))];
        if listens {
            hello.push(packet::subscribe(1, &name.filters(), 0));
        }
        Line::enter(&self.door, &hello)
    }

    /// Server time for each publish, or each delivery, in microseconds.
    fn cost_us(&self, load: Load, rights: Rights) -> Result<f64> {
        let (speakers, per_s) = match load {
            Load::Publish => (PUBLISHERS, PUBLISHES_PER_S),
            Load::Subscribe => (1, HEARD_PER_S),
        };
        let listeners: Vec<Line> = match load {
            Load::Publish => Vec::new(),
            Load::Subscribe => (speakers..speakers + SUBSCRIBERS)
                .map(|index| self.enter(&Name::of(index), rights, true))
                .collect::<Result<_>>()?,
        };
        let mut publishers = (0..speakers)
            .map(|index| {
                let name = Name::of(index);
                let packets = (0..self.options.topics).map(|number| update(&name, number)).collect();
                Ok(Publisher { line: self.enter(&name, rights, false)?, packets, next: 0 })
            })
            .collect::<Result<Vec<Publisher>>>()?;
        let mut hall = Hall { listeners, scratch: vec![0; limits::READ_BYTES], heard: 0 };
        let (before, began) = (process_time(self.server.pid()), Instant::now());
        let lasts = Duration::from_secs(self.options.run_s);
        let mut sent = 0_u64;
        while began.elapsed() < lasts {
            let due = (began.elapsed().as_secs_f64() * per_s) as u64;
            while sent < due {
                let publisher = &mut publishers[sent as usize % speakers];
                publisher.line.send(&publisher.packets[publisher.next])?;
                publisher.next = (publisher.next + 1) % publisher.packets.len();
                sent += 1;
            }
            hall.listen()?;
            sleep(TICK);
        }
        // What is still on its way is part of the cost.
        let quiet = Instant::now();
        while quiet.elapsed() < limits::GRACE {
            hall.listen()?;
            sleep(TICK);
        }
        let spent = (process_time(self.server.pid()) - before).as_secs_f64() * 1e6;
        if load == Load::Publish {
            return Ok(spent / sent as f64);
        }
        ensure!(hall.heard * 100 >= sent * SUBSCRIBERS as u64 * 99, "{} of {sent} messages were heard", hall.heard);
        Ok(spent / hall.heard as f64)
    }
}

struct Hall {
    listeners: Vec<Line>,
    scratch: Vec<u8>,
    heard: u64,
}

impl Hall {
    fn listen(&mut self) -> Result<()> {
        for line in &mut self.listeners {
            let heard = &mut self.heard;
            line.receive(&mut self.scratch, |packet| *heard += u64::from(packet[0] & 0xf0 == packet::PUBLISH))?;
        }
        Ok(())
    }
}

/// A position for one of its objects, as arena-py sends it.
fn update(name: &Name, number: usize) -> Vec<u8> {
    let id = format!("{}-{number}", name.account);
    let payload = format!(
        "{{\"object_id\":\"{id}\",\"action\":\"update\",\"type\":\"object\",\"persist\":false,\"data\":{{\"object_type\":\"box\",\
         \"position\":{{\"x\":{number},\"y\":1.6,\"z\":-2}}}}}}"
    );
    packet::publish(&format!("realm/s/{SCENE}/o/{}/{id}", name.user_client), payload.as_bytes(), None)
}
