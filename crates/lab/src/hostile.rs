//! Measures the effect of hostile clients on honest people. Figures `hostile_…`: the delay of people in another scene
//! and in the attacked one, refused and slow honest requests, history, growth of the database, and memory.

mod attack;
mod disk;
mod honest;
mod http2;
mod http_attacks;
mod mqtt_attacks;
mod namespace;
mod outside;
mod run;
mod stage;
mod topology;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};

use self::attack::{AttackKind, AttackerKind};
use self::run::{HistoryOutcome, HostileOutcome, QuietAndAttackedDelivery};
use self::stage::AttackPlan;
use self::topology::AttackerAddressLayout;
use crate::choice;
use crate::environment::{BinaryFingerprint, ExperimentContext};
use crate::limits;
use crate::report::{Figure, Report, Table};
use crate::search::if_carried;
use crate::statistics::{median, rounded};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &[
    concat!(
        "hostile_{store,history,getpersist,json,template,listeners,snapshots,uploads,http2files,tokens,lists}",
        "_{ratio,inside_ratio,refused,sign_in_s,snapshot_s,page_s,before_missed}",
    ),
    "hostile_history_{kept,size}",
    "hostile_disk_{mib_per_s,ceiling,shrink}",
    "hostile_memory_mib",
];

/// Delivery p99 under the attack, divided by that before it, of people in another scene.
const RATIO_MAX: f64 = 2.0;
/// Delivery p99 under the attack, divided by that before it, of honest people in the attacked scene.
const INSIDE_RATIO_MAX: f64 = 4.0;
/// A shorter undisturbed p99 counts as this long: its multiples are not noticed.
const QUIET_P99_MS_MIN: f64 = 5.0;
/// Smallest number of deliveries for a percentile.
const SAMPLES_MIN: u64 = 6_000;
/// Limit for the slowest sign-in, snapshot and page of a run, in seconds.
const REQUEST_S_MAX: f64 = 2.0;
/// Minimum share of the class's changes that the history keeps.
const HISTORY_KEPT_MIN: f64 = 0.99;
/// The database after the attack, in multiples of the history that the realm may keep: that history, as much again
/// until it is pruned, indexes, the write-ahead log, and pages that are not yet returned to the disk.
const HISTORY_SIZE_MAX: f64 = 4.0;
/// Growth of resident memory under an attack.
const MEMORY_MIB_MAX: f64 = 192.0;

/// Options of the experiment with hostile clients.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Measure only these attacks; the disk figures belong to `store`
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    only: Vec<AttackKind>,
    /// The addresses of the hostile clients
    #[arg(long, value_enum, default_value_t = AttackerAddressLayout::A)]
    topology: AttackerAddressLayout,
    /// The kind of hostile clients [default: each attack's own]
    #[arg(long)]
    actor: Option<AttackerKind>,
    /// An older server binary, measured in turn with the present one
    #[arg(long, value_name = "BINARY")]
    before: Option<PathBuf>,
    /// Runs of each attack, of which the median counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Measured seconds before the attack, and as many under it
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    run_s: u64,
}

impl Options {
    fn plan(&self, kind: AttackKind) -> AttackPlan {
        let actor = self.actor.unwrap_or(kind.profile().actor);
        AttackPlan { kind, actor, topology: self.topology }
    }
}

/// The runs of one attack with each binary.
struct AttackComparison {
    plan: AttackPlan,
    now: Vec<HostileOutcome>,
    before: Vec<HostileOutcome>,
}

/// A binary of the experiment.
struct TestedBinary {
    path: PathBuf,
    version: BinaryFingerprint,
    is_older: bool,
}

impl TestedBinary {
    fn of(path: PathBuf, is_older: bool) -> Result<TestedBinary> {
        let version = BinaryFingerprint::of(&path)?;
        Ok(TestedBinary { path, version, is_older })
    }
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    namespace::enter(&topology::all(options.topology))?;
    let mut binaries = vec![TestedBinary::of(setting.stoa()?, false)?];
    if let Some(before) = &options.before {
        binaries.push(TestedBinary::of(before.clone(), true)?);
    }
    let kinds = attack::ALL.into_iter().filter(|kind| choice::has(&options.only, kind));
    let mut attacks: Vec<AttackComparison> =
        kinds.map(|kind| AttackComparison { plan: options.plan(kind), now: Vec::new(), before: Vec::new() }).collect();
    let described: Vec<Value> = attacks.iter().map(|attack| described(&attack.plan)).collect();
    let mut report = Report::new(
        "hostile",
        json!({
            "topology": options.topology, "runs": options.runs, "run_s": options.run_s, "attacks": described,
            "before": options.before.as_ref().and(binaries.last()).map(|binary| &binary.version),
        }),
    );
    // A round runs all attacks, so a drift over minutes affects all attacks alike.
    for number in 0..options.runs {
        for attack in &mut attacks {
            measure(attack, (number, &binaries), options, setting)?;
        }
    }
    let mut rows = Vec::new();
    for attack in &attacks {
        rows.push(tell(&mut report, attack));
    }
    report.figure("hostile_memory_mib", memory(&attacks));
    report.table(table(rows));
    if choice::has(&options.only, &AttackKind::Store) {
        let key = json!({ "disk": options.topology, "binary": binaries[0].version });
        let outcome = setting.step(key, || disk::measure(&binaries[0].path, options.topology))?;
        disk::tell(&mut report, &outcome);
    }
    Ok(report.finish())
}

fn described(plan: &AttackPlan) -> Value {
    json!({ "attack": plan.kind, "actor": plan.actor, "period_s": plan.kind.profile().period.as_secs_f64() })
}

/// One run with each binary, in an order that alternates from round to round.
fn measure(
    attack: &mut AttackComparison,
    round: (u32, &[TestedBinary]),
    options: &Options,
    setting: &ExperimentContext,
) -> Result<()> {
    let (number, binaries) = round;
    let mut order: Vec<&TestedBinary> = binaries.iter().collect();
    if !number.is_multiple_of(2) {
        order.reverse();
    }
    let AttackComparison { plan, now, before } = attack;
    for TestedBinary { path, version, is_older } in order {
        let key = json!({
            "attack": plan.kind, "actor": plan.actor, "topology": plan.topology, "run": number, "binary": version,
        });
        let outcome = setting.step(key, || {
            let found = run::one(path, plan, Duration::from_secs(options.run_s));
            let carried = if_carried(found).and_then(|carried| carried.map_err(|why| anyhow!(why)));
            carried.with_context(|| format!("{} under {}, run {}", path.display(), plan.kind.name(), number + 1))
        })?;
        if *is_older { before.push(outcome) } else { now.push(outcome) }
    }
    Ok(())
}

/// Delivery p99 under the attack in multiples of that before it.
fn ratio(pair: &QuietAndAttackedDelivery) -> f64 {
    pair.attacked.p99_ms / pair.quiet.p99_ms.max(QUIET_P99_MS_MIN)
}

/// A fault that makes a ratio invalid, since a ratio counts only delivered messages.
fn fault<'a>(pairs: impl Iterator<Item = &'a QuietAndAttackedDelivery>) -> Option<String> {
    let parts: Vec<_> = pairs.flat_map(|pair| [pair.quiet, pair.attacked]).collect();
    let lost = parts.iter().map(|part| part.undelivered).fold(0.0, f64::max);
    if lost >= limits::UNDELIVERED_MAX {
        return Some(format!("{:.1} % were not delivered", 100.0 * lost));
    }
    let fewest = parts.iter().map(|part| part.delivered).min().unwrap_or(0);
    (fewest < SAMPLES_MIN).then(|| format!("{fewest} deliveries are fewer than {SAMPLES_MIN}"))
}

/// The figures of one attack on one binary, without their names' beginning.
fn figures(runs: &[HostileOutcome]) -> Vec<(&'static str, Figure)> {
    let values = |of: fn(&HostileOutcome) -> f64| runs.iter().map(of).collect::<Vec<_>>();
    let multiple = |of: fn(&HostileOutcome) -> &QuietAndAttackedDelivery, max: f64| {
        let ratios: Vec<f64> = runs.iter().map(|run| ratio(of(run))).collect();
        let figure = Figure::of_runs(&ratios, "times").held_to("<=", max, "value");
        figure.holds_unless(fault(runs.iter().map(of)).as_deref())
    };
    // Not a median: a single refusal counts.
    let refused = Figure::new(values(|run| run.honest.refused as f64).iter().sum(), "requests");
    let quoted = runs.iter().flat_map(|run| &run.honest.refusals).next();
    let seconds =
        |of: fn(&HostileOutcome) -> f64| Figure::of_runs(&values(of), "s").held_to("<=", REQUEST_S_MAX, "value");
    let mut figures = vec![
        ("ratio", multiple(|run| &run.bystanders, RATIO_MAX)),
        ("inside_ratio", multiple(|run| &run.inside, INSIDE_RATIO_MAX)),
        ("refused", refused.held_to("<=", 0.0, "value").holds_unless(quoted.map(String::as_str))),
        ("sign_in_s", seconds(|run| run.honest.sign_in_s)),
        ("snapshot_s", seconds(|run| run.honest.snapshot_s)),
        ("page_s", seconds(|run| run.honest.page_s)),
    ];
    let histories: Vec<HistoryOutcome> = runs.iter().filter_map(|run| run.history).collect();
    if !histories.is_empty() {
        // Not medians: each run counts.
        let kept = histories.iter().map(|history| history.kept).fold(f64::INFINITY, f64::min);
        let size = histories.iter().map(|history| history.size).fold(0.0, f64::max);
        figures.push(("kept", Figure::new(kept, "share").held_to(">=", HISTORY_KEPT_MIN, "value")));
        figures.push(("size", Figure::new(size, "times").held_to("<=", HISTORY_SIZE_MAX, "value")));
    }
    let is_bound = runs.iter().any(|run| run.honest.generator_load > limits::GENERATOR_LOAD_MAX);
    figures.iter_mut().for_each(|(_, figure)| figure.generator_bound = is_bound);
    figures
}

/// Adds an attack's figures and runs to the report. Returns its row of the table.
fn tell(report: &mut Report, attack: &AttackComparison) -> Vec<Value> {
    let AttackComparison { plan, now, before } = attack;
    let name = plan.kind.name();
    for (of, figure) in figures(now) {
        report.figure(&format!("hostile_{name}_{of}"), figure);
    }
    if !before.is_empty() {
        // The older binary must miss a bar. Otherwise the attack proves nothing.
        let missed = figures(before).iter().filter(|(_, figure)| figure.holds == Some(false)).count();
        let figure = Figure::new(missed as f64, "bars").held_to(">=", 1.0, "value");
        report.figure(&format!("hostile_{name}_before_missed"), figure);
    }
    report.series(&name, json!({ "runs": now, "before": before }));
    let of = |value: fn(&HostileOutcome) -> f64| json!(rounded(median(&now.iter().map(value).collect::<Vec<_>>())));
    vec![
        json!(name),
        json!(plan.actor),
        of(|run| run.attack.requests_per_s),
        of(|run| run.attack.mib_per_s),
        of(|run| run.attack.failures_per_s),
        of(|run| run.bystanders.quiet.p99_ms),
        of(|run| run.bystanders.attacked.p99_ms),
        of(|run| run.inside.quiet.p99_ms),
        of(|run| run.inside.attacked.p99_ms),
        of(|run| run.honest.memory_mib),
        of(|run| 100.0 * run.honest.generator_load),
    ]
}

fn table(rows: Vec<Vec<Value>>) -> Table {
    let columns = [
        "attack",
        "actor",
        "requests/s",
        "MiB/s",
        "failures/s",
        "bystanders' p99 before, ms",
        "under attack",
        "insiders' p99 before, ms",
        "under attack",
        "memory, MiB",
        "generator, %",
    ];
    let title = "Medians of each attack".to_owned();
    Table { title, columns: columns.map(str::to_owned).to_vec(), rows }
}

/// The largest growth of memory under any attack.
fn memory(attacks: &[AttackComparison]) -> Figure {
    let grown = attacks.iter().flat_map(|attack| &attack.now).map(|run| run.honest.memory_mib).fold(0.0, f64::max);
    Figure::new(grown, "MiB").held_to("<=", MEMORY_MIB_MAX, "value")
}

#[cfg(test)]
mod tests {
    use super::attack::AchievedAttackRates;
    use super::honest::HonestOutcome;
    use super::run::DeliveryPhaseStats;
    use super::*;

    fn pair(quiet_ms: f64, attacked_ms: f64) -> QuietAndAttackedDelivery {
        let part = |p99_ms| DeliveryPhaseStats { p99_ms, delivered: 10_000, undelivered: 0.0 };
        QuietAndAttackedDelivery { quiet: part(quiet_ms), attacked: part(attacked_ms) }
    }

    fn outcome(bystanders: QuietAndAttackedDelivery, inside: QuietAndAttackedDelivery) -> HostileOutcome {
        let attack = AchievedAttackRates { requests_per_s: 1.0, mib_per_s: 1.0, failures_per_s: 0.0 };
        HostileOutcome { bystanders, inside, honest: HonestOutcome::default(), attack, history: None }
    }

    fn holds(runs: &[HostileOutcome]) -> Vec<(&'static str, bool)> {
        figures(runs).into_iter().map(|(name, figure)| (name, figure.holds == Some(true))).collect()
    }

    #[test]
    fn a_short_delay_before_the_attack_counts_as_five_milliseconds() {
        assert_eq!([pair(1.0, 10.0), pair(20.0, 30.0), pair(5.0, 5.0)].map(|pair| ratio(&pair)), [2.0, 1.5, 1.0]);
    }

    #[test]
    fn each_scene_has_its_own_bar_on_the_median() {
        let run = |bystanders_ms: f64, inside_ms: f64| outcome(pair(5.0, bystanders_ms), pair(5.0, inside_ms));
        let all = holds(&[run(9.0, 19.0), run(10.0, 20.0), run(100.0, 100.0)]);
        assert!(all.len() == 6 && all.iter().all(|(_, holds)| *holds), "{all:?}");
        let missed = holds(&[run(11.0, 21.0), run(10.0, 20.0), run(100.0, 100.0)]);
        assert_eq!(missed[..3], [("ratio", false), ("inside_ratio", false), ("refused", true)]);
    }

    #[test]
    fn losses_and_few_deliveries_are_faults() {
        let whole = pair(5.0, 5.0);
        assert_eq!(fault([whole].iter()), None, "negative control");
        let lossy =
            QuietAndAttackedDelivery { attacked: DeliveryPhaseStats { undelivered: 0.01, ..whole.attacked }, ..whole };
        assert_eq!(fault([whole, lossy].iter()).as_deref(), Some("1.0 % were not delivered"));
        let few = QuietAndAttackedDelivery { quiet: DeliveryPhaseStats { delivered: 5_999, ..whole.quiet }, ..whole };
        assert_eq!(fault([few].iter()).as_deref(), Some("5999 deliveries are fewer than 6000"));
    }

    #[test]
    fn a_single_refusal_in_one_run_misses_the_bar() {
        let good = outcome(pair(5.0, 5.0), pair(5.0, 5.0));
        let refusals = vec!["a person enters: status 429".to_owned()];
        let refusing =
            HostileOutcome { honest: HonestOutcome { refused: 1, refusals, ..good.honest.clone() }, ..good.clone() };
        let (_, figure) = figures(&[good.clone(), refusing, good]).swap_remove(2);
        assert_eq!((figure.value, figure.holds), (Some(1.0), Some(false)));
        assert_eq!(figure.reason.as_deref(), Some("a person enters: status 429"));
    }

    #[test]
    fn an_incomplete_and_an_oversized_history_miss_their_bars() {
        let good = outcome(pair(5.0, 5.0), pair(5.0, 5.0));
        let told = |kept: f64, size: f64| {
            let history = Some(HistoryOutcome { kept, size });
            holds(&[HostileOutcome { history, ..good.clone() }]).split_off(6)
        };
        assert_eq!(told(1.0, 2.0), [("kept", true), ("size", true)]);
        assert_eq!(told(0.9, 2.0), [("kept", false), ("size", true)]);
        assert_eq!(told(1.0, 5.0), [("kept", true), ("size", false)]);
        assert_eq!(holds(&[good]).len(), 6, "other attacks leave the history alone");
    }

    #[test]
    fn an_older_binary_has_to_miss_a_bar() {
        let told = |before: HostileOutcome| {
            let plan =
                AttackPlan { kind: AttackKind::Json, actor: AttackerKind::Guest, topology: AttackerAddressLayout::A };
            let now = vec![outcome(pair(5.0, 5.0), pair(5.0, 5.0))];
            let mut report = Report::new("hostile", json!({}));
            let row = tell(&mut report, &AttackComparison { plan, now, before: vec![before] });
            report.table(table(vec![row]));
            serde_json::to_value(report).expect("a report is JSON")["figures"]["hostile_json_before_missed"].clone()
        };
        assert_eq!(told(outcome(pair(5.0, 450.0), pair(5.0, 5.0)))["holds"], true);
        assert_eq!(told(outcome(pair(5.0, 5.0), pair(5.0, 5.0)))["holds"], false);
    }
}
