//! Plays a game like Forest's own (Figures 8 to 10), in virtual time. For each server it computes the foreign players
//! heard, the subscribed regions, the changes of these, and the bytes. `motion_plane.rs` runs the bots on the real
//! motion plane. Figures `forest_fanin_…`, `forest_regions_…`, `forest_subscriptions_…`, `forest_bytes_…`.

use anyhow::{Result, ensure};
use serde_json::json;

use super::plane_report::{self, PlaneOptions};
use super::regions::SIDE_MAX;
use super::session::{GameSessionSettings, MessageSizes, TICKS_PER_S};
use super::sweep::{ServerCpuModel, SessionFigureAccessor, SessionSweep, SweepPoint};
use crate::choice;
use crate::environment::ExperimentContext;
use crate::papers::numbers;
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, Report, Table};

/// The figures of the report: 4 servers with 1, 4, 10 and 25 players each (36 regions), and 1, 36 and 144 regions
/// (20 servers, 100 players). The series hold all points. `…_plane_…` and `…_router_…` are of `plane_report.rs`.
pub(crate) const FIGURES: &[&str] = &[
    "forest_fanin_{4x1,4x4,4x10,4x25,r1,r36,r144}",
    "forest_fanin_doubling",
    "forest_regions_{4x1,4x4,4x10,4x25,r1,r36,r144}",
    "forest_subscriptions_{4x1,4x4,4x10,4x25,r1,r36,r144}",
    "forest_subscriptions_peak",
    "forest_subscriptions_peak_players",
    "forest_subscriptions_max_r144",
    "forest_bytes_{sent,received,subscription}_{4x1,4x4,4x10,4x25}",
    "forest_bytes_received_to_sent",
    "forest_bytes_updates_to_subscriptions",
    "forest_cpu_{4x1,4x4,4x10,4x25,r1,r36,r144}",
    "forest_discovery_s",
    "forest_links_centre_r144",
    "forest_{fanin,subscriptions,bytes,cpu}_plane_{25,100,400,800,1600}",
    "forest_plane_deviation",
    "forest_plane_people",
    "forest_router_packets",
    "forest_router_subscriptions_{hex,radius,nearest}",
];

/// Options of the game.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Numbers of players of each of four servers, at 36 regions
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 4, 6, 8, 10, 12, 15, 18, 22, 25])]
    players: Vec<usize>,
    /// Numbers of regions (square numbers), with 100 players at 20 servers
    #[arg(long, value_delimiter = ',', default_values_t = [1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144])]
    regions: Vec<usize>,
    /// Seconds of a session
    #[arg(long, default_value_t = 300)]
    seconds: usize,
    /// Number of generated maps; the report has the median over them
    #[arg(long, default_value_t = 5)]
    maps: usize,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Measure only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<GameExperimentPart>,
    #[command(flatten)]
    plane: PlaneOptions,
}

/// A part of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum GameExperimentPart {
    /// The game with four servers, over the number of players
    Players,
    /// The game with twenty servers, over the number of regions
    Regions,
    /// The same bots on the real motion plane
    Plane,
    /// Rate of changes of interest sets
    Rates,
}

impl Options {
    fn has(&self, part: GameExperimentPart) -> bool {
        choice::has(&self.only, &part)
    }
}

/// Figures 8 and 9: "a single router with four servers", "36 uniform regions".
const FEW_SERVERS: usize = 4;
const FEW_ROUTERS: usize = 1;
const FEW_REGIONS_SIDE: usize = 6;
/// Figure 10: "100 users distributed across 20 servers linked by eight routers".
const MANY_SERVERS: usize = 20;
const MANY_ROUTERS: usize = 8;
const MANY_PLAYERS_EACH: usize = 5;
/// Points that have figures.
const FIGURE_PLAYERS: [usize; 4] = [1, 4, 10, 25];
const FIGURE_REGIONS: [usize; 3] = [1, 36, 144];

/// Values of a point's figures, with their units.
const FIGURE_MEASURES: [(&str, &str, SessionFigureAccessor); 3] = [
    ("fanin", "players", |played| played.fan_in),
    ("regions", "regions", |played| played.regions),
    ("subscriptions", "changes/s", |played| played.subscriptions_per_s),
];
const BYTES: [(&str, &str, SessionFigureAccessor); 3] = [
    ("sent", "MB", |played| played.sent_mb),
    ("received", "MB", |played| played.received_mb),
    ("subscription", "kB", |played| played.subscription_kb),
];

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let &Options { seconds, maps, seed, .. } = options;
    ensure!(seconds >= 1 && maps >= 1, "a session has a second, and a median a map");
    let sizes = MessageSizes::of_paper()?;
    let parameters = json!({
        "players": options.players, "regions": options.regions, "seconds": seconds, "maps": maps, "seed": seed,
        "arena_m": crate::bots::halls::SIDE_CELLS as f64 * crate::bots::halls::CELL_M, "corridor_m": crate::bots::halls::CELL_M,
        "speed_m_per_s": crate::bots::item_run::SPEED_M_PER_S, "plane": format!("{:?}", options.plane), "update_hz": TICKS_PER_S, "update_bytes": sizes.update_bytes, "subscription_bytes": sizes.subscription_bytes,
    });
    let mut report = Report::new("forest-game", parameters);
    let cpu = cpu_of()?;
    if options.has(GameExperimentPart::Players) {
        let mut sweep = SessionSweep { points: Vec::new(), cpu };
        for &players_each in &options.players {
            sweep.points.push(play_all(options, setting, (players_each, few(players_each, sizes)))?);
        }
        tell_players(&mut report, &sweep)?;
        draw_players(setting, &sweep)?;
    }
    if options.has(GameExperimentPart::Regions) {
        let mut sweep = SessionSweep { points: Vec::new(), cpu };
        for &count in &options.regions {
            let side = count.isqrt();
            ensure!(side * side == count && (1..=SIDE_MAX).contains(&side), "{count} regions are no square up to 256");
            sweep.points.push(play_all(options, setting, (count, many(side, sizes)))?);
        }
        tell_regions(&mut report, &sweep)?;
        draw_regions(setting, &sweep)?;
    }
    if options.has(GameExperimentPart::Plane) {
        plane_report::plane(&mut report, setting, (&options.plane, seed))?;
    }
    if options.has(GameExperimentPart::Rates) {
        plane_report::rates(&mut report, (&options.plane, seed))?;
    }
    Ok(report.finish())
}

fn few(players_each: usize, sizes: MessageSizes) -> GameSessionSettings {
    GameSessionSettings {
        servers: FEW_SERVERS,
        players_each,
        regions_side: FEW_REGIONS_SIDE,
        routers: FEW_ROUTERS,
        seconds: 0,
        seed: 0,
        sizes,
    }
}

fn many(regions_side: usize, sizes: MessageSizes) -> GameSessionSettings {
    GameSessionSettings {
        servers: MANY_SERVERS,
        players_each: MANY_PLAYERS_EACH,
        regions_side,
        routers: MANY_ROUTERS,
        seconds: 0,
        seed: 0,
        sizes,
    }
}

/// Plays the same session on all maps.
fn play_all(
    options: &Options,
    setting: &ExperimentContext,
    (x, session): (usize, GameSessionSettings),
) -> Result<SweepPoint> {
    let play = |map: usize| {
        let session =
            GameSessionSettings { seconds: options.seconds, seed: options.seed.wrapping_add(map as u64), ..session };
        let GameSessionSettings { servers, players_each, regions_side, routers, seconds, seed, .. } = session;
        let key = json!({
            "servers": servers, "players_each": players_each, "regions": regions_side * regions_side, "routers": routers,
            "seconds": seconds, "seed": seed,
        });
        setting.step(key, || session.play())
    };
    let maps: Result<Vec<_>> = (0..options.maps).map(play).collect();
    Ok(SweepPoint { x, players_each: session.players_each, maps: maps? })
}

/// The model of the paper's text. With the share for foreign players, 25 own players and the paper's fan-in of 65 cost
/// twice the physics of these 25.
fn cpu_of() -> Result<ServerCpuModel> {
    let (base_percent, player_percent) = (numbers::GAME_CPU_BASE.read()?, numbers::GAME_CPU_PLAYER.read()?);
    let physics = base_percent + player_percent * 25.0;
    let heard = physics * (numbers::GAME_CPU_OF_PHYSICS.read()? - 1.0) / numbers::GAME_FANIN_4X25.read()?;
    Ok(ServerCpuModel { base_percent, player_percent, heard_percent: heard })
}

/// Adds a figure at a point, with the paper's number if it has one.
fn told(report: &mut Report, (name, value, unit): (&str, f64, &'static str)) -> Result<()> {
    let mut figure = Figure::new(value, unit);
    let key = name.strip_prefix("forest_").unwrap_or(name);
    if let Some((source, number)) = numbers::of_figure("forest-game", key)? {
        figure = figure.published(format!("003, {source}"), number);
    }
    if name == "forest_fanin_4x1" {
        figure = figure.held_to("<", 1.0, "value");
    }
    report.figure(name, figure);
    Ok(())
}

fn tell_players(report: &mut Report, sweep: &SessionSweep) -> Result<()> {
    for point in sweep.points.iter().filter(|point| FIGURE_PLAYERS.contains(&point.x)) {
        for (name, unit, of) in FIGURE_MEASURES {
            told(report, (&format!("forest_{name}_4x{}", point.x), point.of(of), unit))?;
        }
        for (name, unit, of) in BYTES {
            told(report, (&format!("forest_bytes_{name}_4x{}", point.x), point.of(of), unit))?;
        }
        told(report, (&format!("forest_cpu_4x{}", point.x), sweep.cpu.percent(point), "% (the paper's model)"))?;
    }
    if let (Some(few), Some(twice)) = (sweep.at(4), sweep.at(8)) {
        let growth = twice.of(|played| played.fan_in) / few.of(|played| played.fan_in);
        report.figure("forest_fanin_doubling", Figure::new(growth, "times").held_to(">=", 2.0, "value"));
    }
    let rate = |point: &&SweepPoint| point.of(|played| played.subscriptions_per_s);
    if let Some(peak) = sweep.points.iter().max_by(|one, other| rate(one).total_cmp(&rate(other))) {
        told(report, ("forest_subscriptions_peak", rate(&peak), "changes/s"))?;
        told(report, ("forest_subscriptions_peak_players", peak.x as f64, "players"))?;
    }
    let shares = |of: SessionFigureAccessor| sweep.points.iter().map(move |point| point.of(of));
    let received: Vec<f64> = shares(|played| played.received_mb / played.sent_mb).collect();
    told(report, ("forest_bytes_received_to_sent", crate::statistics::median(&received), "times"))?;
    let least = shares(|played| 1e3 * played.sent_mb / played.subscription_kb).fold(f64::INFINITY, f64::min);
    let wanted = numbers::GAME_BYTES_UPDATES_TO_SUBSCRIPTIONS.read()?;
    let figure = Figure::new(least, "times")
        .published("003, Fig 9, text: a factor of 100 or more", wanted)
        .held_to(">=", wanted, "value");
    report.figure("forest_bytes_updates_to_subscriptions", figure);
    let known: Vec<f64> = shares(|played| played.discovery_s).collect();
    told(report, ("forest_discovery_s", crate::statistics::median(&known), "s"))?;
    report.series("players", sweep.series("players_each"));
    report.table(Table {
        title: "Figures 8 and 9: four servers, 36 regions, simulated (the paper: fan-in < 1 at 1 player each, 65 at 25; up to 5 changes/s at 10 to 12)".to_owned(),
        columns: SessionSweep::columns("players each"),
        rows: sweep.rows(),
    });
    Ok(())
}

fn tell_regions(report: &mut Report, sweep: &SessionSweep) -> Result<()> {
    for point in sweep.points.iter().filter(|point| FIGURE_REGIONS.contains(&point.x)) {
        for (name, unit, of) in FIGURE_MEASURES {
            told(report, (&format!("forest_{name}_r{}", point.x), point.of(of), unit))?;
        }
        told(report, (&format!("forest_cpu_r{}", point.x), sweep.cpu.percent(point), "% (the paper's model)"))?;
    }
    if let Some(point) = sweep.points.iter().find(|point| point.x == FIGURE_REGIONS[2]) {
        let share = point.links_share(|load| load.updates_per_s);
        report.figure("forest_links_centre_r144", Figure::new(share, "of all as core"));
        let most = point.of(|played| played.subscriptions_per_s_max);
        told(report, ("forest_subscriptions_max_r144", most, "changes/s"))?;
    }
    report.series("regions", sweep.series("regions_in_all"));
    report.table(Table {
        title: "Figure 10: 20 servers with 5 players each, 8 routers, simulated (the paper: fan-in 95 at 1 region, 40 at many; a quarter of 144 regions; up to 20 changes/s)".to_owned(),
        columns: SessionSweep::columns("regions in all"),
        rows: sweep.rows(),
    });
    Ok(())
}

fn plot(title: &str, x: &str, curves: Vec<Curve>) -> Plot {
    Plot {
        title: title.to_owned(),
        x: Axis::linear(x),
        y: Axis::linear("players, regions, changes/s, %"),
        limit: None,
        curves,
    }
}

fn curves(sweep: &SessionSweep) -> Vec<Curve> {
    let names = ["fan-in", "regions of interest", "subscription changes/s"];
    let of = names.into_iter().zip(FIGURE_MEASURES).map(|(name, (_, _, of))| sweep.curve(name, of));
    of.chain([sweep.cpu_curve("CPU, the paper's model")]).collect()
}

fn draw_players(setting: &ExperimentContext, sweep: &SessionSweep) -> Result<()> {
    let mut curves = curves(sweep);
    curves.push(Curve::new("paper: fan-in", [(25.0, numbers::GAME_FANIN_4X25.read()?)]).dashed());
    let peak = (numbers::GAME_SUBSCRIPTIONS_PEAK_PLAYERS.read()?, numbers::GAME_SUBSCRIPTIONS_PEAK.read()?);
    curves.push(Curve::new("paper: most changes/s", [peak]).dashed());
    let title = "Four servers, 36 regions (Forest Fig 8), simulated";
    setting.draw("players.svg", &plot(title, "players of a server", curves))?;
    let bytes = BYTES.map(|(name, unit, of)| sweep.curve(&format!("{name}, {unit}"), of)).to_vec();
    let mut volumes = plot("Traffic of a session (Forest Fig 9), simulated", "players of a server", bytes);
    volumes.y = Axis::logarithmic("MB, of subscriptions kB");
    setting.draw("bytes.svg", &volumes)
}

fn draw_regions(setting: &ExperimentContext, sweep: &SessionSweep) -> Result<()> {
    let mut curves = curves(sweep);
    curves.push(Curve::new("paper: fan-in", [(144.0, numbers::GAME_FANIN_R144.read()?)]).dashed());
    curves.push(Curve::new("paper: regions", [(144.0, numbers::GAME_REGIONS_R144.read()?)]).dashed());
    curves.push(Curve::new("paper: changes/s", [(144.0, numbers::GAME_SUBSCRIPTIONS_R144.read()?)]).dashed());
    let title = "20 servers, 100 players (Forest Fig 10), simulated";
    setting.draw("regions.svg", &plot(title, "regions", curves))
}
