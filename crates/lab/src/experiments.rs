//! The table of experiments. A new experiment needs a line here, a module with `Options`, `FIGURES` and `run`, and a
//! `README.md` in its folder of `experiments/`.

use anyhow::Result;

use crate::environment::ExperimentContext;
use crate::papers::{arena, car, forest, ubiq, vhct};
use crate::report::Report;
use crate::{compare, fanout, hostile, idle, map, motion, page, persist, seal, slow, snapshot, voice};

/// An experiment's properties that are known without running it.
pub(crate) struct ExperimentDescription {
    pub(crate) name: &'static str,
    /// One line of description.
    about: &'static str,
    pub(crate) figures: &'static [&'static str],
    /// The arguments of the ten-minute version (fewer and shorter steps), or the reason why `stoa-lab all` leaves
    /// the experiment out.
    pub(crate) short: Result<&'static str, &'static str>,
}

impl ExperimentDescription {
    pub(crate) fn about(&self) -> &'static str {
        self.about.trim()
    }
}

/// The experiments that `stoa-lab all` runs.
pub(crate) fn in_all() -> impl Iterator<Item = &'static ExperimentDescription> {
    ALL.iter().filter(|entry| entry.short.is_ok())
}

const fn short(words: &'static str) -> Result<&'static str, &'static str> {
    Ok(words)
}

const fn apart(reason: &'static str) -> Result<&'static str, &'static str> {
    Err(reason)
}

/// Expands all patterns, by [`names`].
pub(crate) fn in_full(patterns: &[&str]) -> Vec<String> {
    patterns.iter().flat_map(|pattern| names(pattern)).collect()
}

/// Expands a name with any number of `{a,b}` alternatives.
pub(crate) fn names(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else { return vec![pattern.to_owned()] };
    let (choices, behind) = rest.split_once('}').expect("what opens is closed");
    let behind = names(behind);
    let all = choices.split(',').flat_map(|choice| behind.iter().map(move |rest| format!("{before}{choice}{rest}")));
    all.collect()
}

macro_rules! experiments {
    ($(#[doc = $about:literal] $variant:ident: $name:literal, $($module:ident)::+, $in_all:ident $words:literal;)+) => {
        /// The subcommands that measure.
        #[derive(clap::Subcommand)]
        pub(crate) enum Experiment {
            $(#[doc = $about] #[command(name = $name)] $variant($($module)::+::Options),)+
        }

        impl Experiment {
            pub(crate) fn run(&self, setting: &ExperimentContext) -> Result<Report> {
                let (report, figures) = match self {
                    $(Experiment::$variant(options) => ($($module)::+::run(options, setting)?, $($module)::+::FIGURES),)+
                };
                Ok(report.promised(in_full(figures)))
            }
        }

        /// All experiments, in the order in which they run.
        pub(crate) const ALL: &[ExperimentDescription] =
            &[$(ExperimentDescription { name: $name, about: $about, figures: $($module)::+::FIGURES, short: $in_all($words) }),+];
    };
}

experiments! {
    /// Users on one server: everyone sees everyone, 10 Hz, 300 B
    Fanout: "fanout", fanout, short "--transport=tcp --only=stoa,mosquitto --step-s=2 --users=100,300,600";
    /// Cost of one receiver that stops reading
    Slow: "slow", slow, short "--stall-s=8 --pairs=1";
    /// Memory of connections that send nothing
    Idle: "idle", idle, short "--connections=2000 --secure=500";
    /// Acknowledged persistent updates a second, and updates lost in a crash
    Persist: "persist", persist, short "--run-s=5 --kills=3";
    /// Cost of checking ARENA's lists of topic filters
    ArenaRights: "arena-rights", arena::rights, short "--pairs=5 --run-s=1";
    /// From a click to the update that an agent answers it with, for four network paths to the agent
    ArenaClick: "arena-click", arena::click, short "--clicks=25 --rate-hz=20 --runs=1 --page-clicks=5 --places=local,wan";
    /// Network rates of moving objects and users: ARENA's table 1
    ArenaRates: "arena-rates", arena::rates, short "--users=2,30 --seconds=2";
    /// Users on one server against an agent's delay, bandwidth, memory and processor: ARENA's figure 10
    ArenaLoad: "arena-load", arena::load, short "--users=40,150,320 --step-s=2 --runs=1 --no-search";
    /// Frame rate of a real page against triangles in its scene: ARENA's figure 8
    ArenaTriangles: "arena-triangles", arena::triangles, short "--triangles=1000,100000 --seconds=3 --runs=1";
    /// Time until one page receives and shows a pose of another page
    ArenaPages: "arena-pages", arena::pages, short "--seconds=5 --runs=1";
    /// The paper's servers for augmented reality on phones, and Stoa at the same load
    Car: "car", car, short "--only=load,ceiling,tables --servers=udp,select,at-once,ticks --runs=1 --load-ms=2000 --tables=8 --populations=100,1000 --step-ms=1000 --clients-max=1000";
    /// Effect on a scene while all of it is fetched
    Snapshot: "snapshot", snapshot, short "--objects=20000 --run-s=5";
    /// Loading time of a page, and its script in a large scene and among hundreds of moving people
    Page: "page", page, short "--only=visit,entering,objects,crowd,motion --people=200 --seconds=5 --runs=1";
    /// Cost of sealed datagrams to a thousand receivers, against the bare send and the cipher
    Seal: "seal", seal, short "--rounds=10";
    /// People on one motion plane, their cost, and the poses shown over a lossy path
    Motion: "motion", motion, short "--only=all,webtransport,memory --step-s=3 --people=300 --runs=1";
    /// Voices: listeners of one core and their cost, rates of slow paths, and how pages hear them beside WebRTC
    Voice: "voice", voice, short "--only=netcode,webtransport,rate --listeners=200 --step-s=3";
    /// Cost of Forest's trees between servers, and the lengths of the paths in them
    ForestTrees: "forest-trees", forest::trees, short "";
    /// A game like Forest's: the sources and subscriptions of servers, and their cost
    ForestGame: "forest-game", forest::game, short "--players=1,4,8,10,25 --regions=1,36,144 --seconds=60 --maps=2 --people=100 --plane-s=4 --runs=1";
    /// Crowds to failure by baseline, kNN and hexagons, rows of Ubiq's Table I, and flocks that steer by the server
    Ubiq: "ubiq", ubiq, short "--kinds=baseline_randomwalk,knn_boids --people=480 --step-s=2 --runs=1 --rows=2 --times=4 --servers=stoa --only=people,messages,flocks --flock=30 --trials=2 --trial-s=3 --together-only --latencies-ms=0";
    /// Cost of a person: people, rate and policy against processor time, bytes and staleness
    Map: "map", map, short "--people=250,350,500 --rates-hz=20 --step-s=2 --runs=1";
    /// Clients carried within 0.1 s: by TCP, by UDP, in vectors, and by Stoa
    Vhct: "vhct", vhct, short "--only=pairs,batches --clients=500 --batch-pairs=400 --batch-everyone=25 --runs=1 --step-s=2 --serving=auto";
    /// Processor time of a newer server divided by that of an older one, at fixed loads
    Compare: "compare", compare, apart "it needs a second server binary, by --before";
    /// Delay and refusals of honest people while hostile clients load the server
    Hostile: "hostile", hostile, apart "it needs a network namespace of its own";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_expands_to_all_of_its_names() {
        assert_eq!(names("a_{b,c}_{d,e}"), ["a_b_d", "a_b_e", "a_c_d", "a_c_e"]);
        assert_eq!(in_full(&["a", "b_{c,d}"]), ["a", "b_c", "b_d"]);
    }
}
