//! Reads the papers' numbers from `experiments/*/paper.json`, which also names their sources. The constants are paths
//! of single numbers and lists. [`whole`] reads a whole file, [`of_figure`] a figure's number by name.

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde_json::Value;

macro_rules! files {
    ($($experiment:literal),+) => {
        const FILES: &[(&str, &str)] =
            &[$(($experiment, include_str!(concat!("../../../../experiments/", $experiment, "/paper.json")))),+];
    };
}

files!(
    "arena-click",
    "arena-load",
    "arena-rates",
    "arena-rights",
    "car",
    "fanout",
    "forest-game",
    "forest-trees",
    "ubiq",
    "vhct"
);

/// An experiment's file, and a path into it (a JSON pointer).
#[derive(Clone, Copy, Debug)]
struct PaperPointer(&'static str, &'static str);

/// The path of a number: plain, or the `value` of an object with a `source`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PaperNumberPath(PaperPointer);

/// The path of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PaperListPath(PaperPointer);

macro_rules! pointers {
    ($kind:ident, $all:ident: $($name:ident = $experiment:literal $path:literal;)+) => {
        $(pub(crate) const $name: $kind = $kind(PaperPointer($experiment, $path));)+
        #[cfg(test)]
        const $all: &[$kind] = &[$($name),+];
    };
}

pointers! { PaperNumberPath, NUMBERS:
    CLICK_LAN_MS = "arena-click" "/places/0/about_ms";
    CLICK_WIFI_MS = "arena-click" "/places/1/about_ms";
    CLICK_WAN_MS = "arena-click" "/places/2/about_ms";
    LOAD_USERS = "arena-load" "/server/1/users";
    LOAD_BYTES_PER_S = "arena-load" "/server/1/bytes_per_s";
    LOAD_CLUSTER_BYTES_PER_S = "arena-load" "/clusters/0/bytes_per_s";
    RATES_OBJECT_BYTES_PER_S = "arena-rates" "/streams/4/bytes_per_s";
    RATES_MOTION_BYTES_PER_S = "arena-rates" "/streams/6/bytes_per_s";
    RIGHTS_PUBLISH_PERCENT = "arena-rights" "/publish_percent";
    RIGHTS_SUBSCRIBE_PERCENT = "arena-rights" "/subscribe_percent";
    FANOUT_USERS = "fanout" "/users/1";
    GAME_UPDATE_BYTES = "forest-game" "/update_bytes";
    GAME_SUBSCRIPTION_BYTES = "forest-game" "/subscription_bytes";
    GAME_CPU_BASE = "forest-game" "/cpu_base";
    GAME_CPU_PLAYER = "forest-game" "/cpu_player";
    GAME_CPU_OF_PHYSICS = "forest-game" "/cpu_of_physics";
    GAME_FANIN_4X25 = "forest-game" "/fanin_4x25";
    GAME_FANIN_R144 = "forest-game" "/fanin_r144";
    GAME_REGIONS_R144 = "forest-game" "/regions_r144";
    GAME_SUBSCRIPTIONS_R144 = "forest-game" "/subscriptions_r144";
    GAME_SUBSCRIPTIONS_PEAK = "forest-game" "/subscriptions_peak";
    GAME_SUBSCRIPTIONS_PEAK_PLAYERS = "forest-game" "/subscriptions_peak_players";
    GAME_BYTES_UPDATES_TO_SUBSCRIPTIONS = "forest-game" "/bytes_updates_to_subscriptions";
    GAME_ROUTER_PACKETS_PER_S = "forest-game" "/router_packets_per_s";
    GAME_ROUTER_SUBSCRIPTIONS_PER_S = "forest-game" "/router_subscriptions_per_s";
    TREES_SPREAD_PERCENT_MAX = "forest-trees" "/spread_percent_max";
    TREES_WAY_MEAN = "forest-trees" "/tree_way_mean";
    TREES_DIRECT_WAY_MEAN = "forest-trees" "/direct_way_mean";
    TREES_LONGEST_WAY = "forest-trees" "/longest_way";
    UBIQ_BASELINE = "ubiq" "/people/baseline/1";
    UBIQ_BASELINE_60HZ = "ubiq" "/table_1/rows/3/peers";
    UBIQ_KNN = "ubiq" "/people/knn/1";
    UBIQ_HEX = "ubiq" "/people/hex_randomwalk/1";
    VHCT_CLIENTS = "vhct" "/clients_at_0.1_s";
}

pointers! { PaperListPath, LISTS:
    LOAD_SERVER = "arena-load" "/server";
    LOAD_CLUSTERS = "arena-load" "/clusters";
    RATES_STREAMS = "arena-rates" "/streams";
    UBIQ_ROWS = "ubiq" "/table_1/rows";
    VHCT_POINTS = "vhct" "/points";
}

impl PaperPointer {
    fn find(self) -> Result<Value> {
        let PaperPointer(experiment, path) = self;
        let found = whole::<Value>(experiment)?.pointer(path).cloned();
        found.with_context(|| format!("experiments/{experiment}/paper.json has no {path}"))
    }
}

impl PaperNumberPath {
    /// # Errors
    /// The number is missing; the error names its path.
    pub(crate) fn read(self) -> Result<f64> {
        let PaperNumberPath(PaperPointer(experiment, path)) = self;
        let found = self.0.find()?;
        number(&found).with_context(|| format!("experiments/{experiment}/paper.json has no number at {path}"))
    }
}

impl PaperListPath {
    /// # Errors
    /// The list is missing, or its elements are no `T`; the error names its path.
    pub(crate) fn read<T: DeserializeOwned>(self) -> Result<Vec<T>> {
        let PaperListPath(PaperPointer(experiment, path)) = self;
        serde_json::from_value(self.0.find()?).with_context(|| format!("experiments/{experiment}/paper.json, {path}"))
    }
}

fn number(found: &Value) -> Option<f64> {
    found["value"].as_f64().or(found.as_f64())
}

/// The paper's source and value for a figure, if the file has them.
pub(crate) fn of_figure(experiment: &str, name: &str) -> Result<Option<(String, f64)>> {
    let found = &whole::<Value>(experiment)?[name];
    Ok(found["source"].as_str().map(str::to_owned).zip(number(found)))
}

/// An experiment's whole file.
pub(crate) fn whole<T: DeserializeOwned>(experiment: &str) -> Result<T> {
    let text = FILES.iter().find(|(name, _)| *name == experiment).map_or("", |(_, text)| text);
    serde_json::from_str(text).with_context(|| format!("experiments/{experiment}/paper.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_path_exists_in_its_paper_file() {
        for number in NUMBERS {
            if let Err(error) = number.read() {
                panic!("{error:#}");
            }
        }
        for list in LISTS {
            match list.read::<Value>() {
                Ok(found) => assert!(!found.is_empty(), "{list:?}"),
                Err(error) => panic!("{error:#}"),
            }
        }
    }

    #[test]
    fn the_error_names_the_missing_number_and_its_file() {
        let error =
            |path| format!("{:#}", PaperNumberPath(PaperPointer("ubiq", path)).read().expect_err("negative control"));
        assert_eq!(error("/people/none"), "experiments/ubiq/paper.json has no /people/none");
        assert_eq!(error("/people/knn"), "experiments/ubiq/paper.json has no number at /people/knn");
        let discovery = Some(("section 4.1: an average of 0.5 seconds".to_owned(), 0.5));
        assert_eq!(of_figure("forest-game", "discovery_s").expect("a file"), discovery);
        assert_eq!(of_figure("forest-game", "links_centre_r144").expect("a file"), None);
        assert!(of_figure("nothing", "at_all").is_err());
    }
}
