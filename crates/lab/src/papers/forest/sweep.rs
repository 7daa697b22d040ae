//! Sums up sessions of the game over players or regions, by the median of several maps at each point, for the report.

use serde_json::{Value, json};

use super::session::{RouterLinkTrafficRates, SessionFigures};
use crate::plot::Curve;
use crate::statistics::{median, rounded};

/// The results of all maps at one point.
pub(super) struct SweepPoint {
    /// Players of a server, or regions.
    pub(super) x: usize,
    pub(super) players_each: usize,
    pub(super) maps: Vec<SessionFigures>,
}

/// A series of points.
pub(super) struct SessionSweep {
    pub(super) points: Vec<SweepPoint>,
    pub(super) cpu: ServerCpuModel,
}

/// Load of a server's processor by the paper's own numbers: a constant share, one for each of its players (the
/// game's physics), and one for each foreign player it hears of. It models a Quake server of 2009, not ours.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerCpuModel {
    pub(super) base_percent: f64,
    pub(super) player_percent: f64,
    pub(super) heard_percent: f64,
}

/// A value of [`SessionFigures`].
pub(super) type SessionFigureAccessor = fn(&SessionFigures) -> f64;

impl SweepPoint {
    /// The median over all maps.
    pub(super) fn of(&self, of: impl Fn(&SessionFigures) -> f64) -> f64 {
        median(&self.maps.iter().map(of).collect::<Vec<_>>())
    }

    /// The least and greatest value over all maps.
    fn span(&self, of: SessionFigureAccessor) -> [f64; 2] {
        let values = self.maps.iter().map(of);
        [values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max)]
    }

    /// Traffic on the links with the centre as core, relative to all routers as core.
    pub(super) fn links_share(&self, of: fn(&RouterLinkTrafficRates) -> f64) -> f64 {
        self.of(|played| match &played.links[..] {
            [all, centre] if of(all) > 0.0 => of(centre) / of(all),
            _ => 1.0,
        })
    }

    fn row(&self, name: &str, cpu: ServerCpuModel) -> Value {
        let loads = |core: usize, of: fn(&RouterLinkTrafficRates) -> f64| self.of(|played| of(&played.links[core]));
        json!({
            name: self.x,
            "fan_in": self.of(|played| played.fan_in), "fan_in_maps": self.span(|played| played.fan_in),
            "fan_in_max": self.of(|played| played.fan_in_max),
            "regions": self.of(|played| played.regions), "regions_maps": self.span(|played| played.regions),
            "subscriptions_per_s": self.of(|played| played.subscriptions_per_s),
            "subscriptions_per_s_maps": self.span(|played| played.subscriptions_per_s),
            "subscriptions_per_s_max": self.of(|played| played.subscriptions_per_s_max),
            "sent_mb": self.of(|played| played.sent_mb), "received_mb": self.of(|played| played.received_mb),
            "subscription_kb": self.of(|played| played.subscription_kb),
            "discovery_s": self.of(|played| played.discovery_s), "cpu_model_percent": cpu.percent(self),
            "links_updates_per_s": { "all": loads(0, |load| load.updates_per_s), "centre": loads(1, |load| load.updates_per_s) },
            "links_subscriptions_per_s": { "all": loads(0, |load| load.subscriptions_per_s), "centre": loads(1, |load| load.subscriptions_per_s) },
        })
    }
}

impl ServerCpuModel {
    pub(super) fn percent(self, point: &SweepPoint) -> f64 {
        let heard = point.of(|played| played.fan_in);
        self.base_percent + self.player_percent * point.players_each as f64 + self.heard_percent * heard
    }
}

impl SessionSweep {
    pub(super) fn at(&self, x: usize) -> Option<&SweepPoint> {
        self.points.iter().find(|point| point.x == x)
    }

    /// The points for the report; `name` is the key of x.
    pub(super) fn series(&self, name: &str) -> Value {
        json!(self.points.iter().map(|point| point.row(name, self.cpu)).collect::<Vec<_>>())
    }

    pub(super) fn curve(&self, name: &str, of: SessionFigureAccessor) -> Curve {
        Curve::new(name, self.points.iter().map(|point| (point.x as f64, point.of(of))))
    }

    pub(super) fn cpu_curve(&self, name: &str) -> Curve {
        Curve::new(name, self.points.iter().map(|point| (point.x as f64, self.cpu.percent(point))))
    }

    /// The rows of a table.
    pub(super) fn rows(&self) -> Vec<Vec<Value>> {
        let digits = |value: f64| json!(rounded(value));
        let row = |point: &SweepPoint| {
            let of: [SessionFigureAccessor; 8] = [
                |played| played.fan_in,
                |played| played.fan_in_max,
                |played| played.regions,
                |played| played.subscriptions_per_s,
                |played| played.subscriptions_per_s_max,
                |played| played.sent_mb,
                |played| played.received_mb,
                |played| played.subscription_kb,
            ];
            let numbers = of.into_iter().map(|of| digits(point.of(of)));
            [json!(point.x)].into_iter().chain(numbers).chain([digits(self.cpu.percent(point))]).collect()
        };
        self.points.iter().map(row).collect()
    }

    /// The column heads of these rows.
    pub(super) fn columns(x: &str) -> Vec<String> {
        let heads = ["fan-in", "most", "regions", "changes/s", "most", "sent, MB", "received, MB", "subscriptions, kB"];
        [x].into_iter().chain(heads).chain(["CPU by the paper's model, %"]).map(str::to_owned).collect()
    }
}
