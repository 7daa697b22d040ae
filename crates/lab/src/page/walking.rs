//! Lets a crowd walk while a page measures. The crowd uses the server's core.

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;

use crate::bots::random_waypoint::RandomWaypointCrowd;
use crate::browser::RunningScript;
use crate::crowd::connections::NetcodeConnections;
use crate::crowd::tickets::TicketSource;
use crate::crowd::{Crowd, CrowdSettings};
use crate::limits;
use crate::machine;
use crate::servers::motion::MotionServerUnderTest;

/// Interval between checks of the browser while the crowd walks.
const ASK_US: u64 = 100_000;
/// Members of the crowd that decode all poses: enough to show whether the server, whose core they share, keeps up.
const DECODERS: usize = 10;
/// The crowd is recorded in slices, since the start of the page's measurement is unknown. A slice is longer than
/// the minimum for a pair's rate.
const SLICE_US: u64 = 2_500_000;
/// Slices that one crowd stays, if crowds take turns.
const STAY_SLICES: usize = 8;
/// Minimum share of the expected rates. A page that gets fewer messages has less to do.
const SHARE_MIN: f64 = 0.95;

/// The crowd.
#[derive(Clone, Copy)]
pub(super) struct WalkingCrowdSettings {
    pub(super) people: usize,
    /// Duration of the page's measurement, which is its last step.
    pub(super) seconds: u64,
    pub(super) seed: u64,
    /// Whether one crowd stays all the time. Otherwise everyone leaves now and then, and as many new people enter.
    pub(super) is_constant: bool,
}

/// The page's result, and the crowd's rates meanwhile.
#[derive(Debug, Serialize)]
pub(super) struct MeasuredPageOutcome {
    pub(super) seen: Value,
    crowd: Vec<CrowdTrafficRates>,
    /// The reason why the page had less to do than it should.
    pub(super) fault: Option<String>,
}

/// Rates of the crowd in a slice.
#[derive(Clone, Copy, Debug, Serialize)]
struct CrowdTrafficRates {
    /// Frames sent by all.
    said_per_s: f64,
    /// New poses of each pair.
    poses_per_s: f64,
    /// Datagrams to each person.
    datagrams_per_s: f64,
}

impl MeasuredPageOutcome {
    /// The result without a crowd.
    pub(super) fn alone(seen: Value) -> MeasuredPageOutcome {
        MeasuredPageOutcome { seen, crowd: Vec::new(), fault: None }
    }
}

impl WalkingCrowdSettings {
    /// Lets a crowd enter, starts the script, and walks until it is done.
    pub(super) fn beside(
        self,
        server: &MotionServerUnderTest<'_>,
        start: impl FnOnce() -> Result<RunningScript>,
    ) -> Result<MeasuredPageOutcome> {
        machine::pin(limits::SERVER_CPU)?;
        let mut cast = self.cast(0);
        let mut crowd = enter(server, &cast)?;
        let (mut browser, mut slices) = (start()?, Vec::new());
        for shift in 1.. {
            let most = if self.is_constant { usize::MAX } else { STAY_SLICES };
            if let Some(seen) = walk(&mut crowd, &mut browser, (&cast, &mut slices, most))? {
                // The page measures last, so earlier slices don't count.
                let last = slices.len().saturating_sub((self.seconds * 1_000_000 / SLICE_US) as usize);
                let fault = self.is_constant.then(|| fault(&cast, &seen, &slices[last..])).flatten();
                return Ok(MeasuredPageOutcome { seen, crowd: slices, fault });
            }
            drop(crowd);
            cast = self.cast(shift);
            crowd = enter(server, &cast)?;
        }
        unreachable!("a browser ends, or is ended")
    }

    fn cast(&self, shift: u64) -> CrowdSettings {
        CrowdSettings {
            people: self.people,
            decoders: DECODERS.min(self.people),
            seed: self.seed + shift,
            ..CrowdSettings::default()
        }
    }
}

fn enter(server: &MotionServerUnderTest<'_>, cast: &CrowdSettings) -> Result<Crowd<NetcodeConnections>> {
    let connections = NetcodeConnections::new(cast.people, server.address())?;
    let mut crowd = Crowd::new(*cast, connections, Box::new(RandomWaypointCrowd::new(cast.people, cast.seed)));
    crowd.enter(&mut TicketSource::of(server, cast)?)?;
    Ok(crowd)
}

/// Walks for at most `most` slices, or until the page is done.
fn walk(
    crowd: &mut Crowd<NetcodeConnections>,
    browser: &mut RunningScript,
    (cast, slices, most): (&CrowdSettings, &mut Vec<CrowdTrafficRates>, usize),
) -> Result<Option<Value>> {
    for _ in 0..most {
        let (from_us, to_us) = (crowd.now_us(), crowd.now_us() + SLICE_US);
        let (said, opened) = (crowd.came().said, crowd.counts().opened);
        crowd.open_ledger((from_us, to_us));
        while crowd.now_us() < to_us {
            crowd.drive(to_us.min(crowd.now_us() + ASK_US))?;
            if let Some(seen) = browser.seen()? {
                return Ok(Some(seen));
            }
        }
        let seconds = (crowd.now_us() - from_us) as f64 / 1e6;
        let ledger = crowd.close_ledger().context("it was opened")?;
        slices.push(CrowdTrafficRates {
            said_per_s: (crowd.came().said - said) as f64 / seconds,
            poses_per_s: ledger.rates(0.0).mean_per_s,
            datagrams_per_s: (crowd.counts().opened - opened) as f64 / seconds / cast.people as f64,
        });
    }
    Ok(None)
}

/// The reason why a page had less to do than it should, since a slower server makes the page look better.
fn fault(cast: &CrowdSettings, seen: &Value, slices: &[CrowdTrafficRates]) -> Option<String> {
    let mean = |of: fn(&CrowdTrafficRates) -> f64| slices.iter().map(of).sum::<f64>() / slices.len().max(1) as f64;
    let rate_hz = 1.0 / cast.period.as_secs_f64();
    let told = |key: &str| seen[key].as_f64().unwrap_or(0.0);
    let people = cast.people as f64;
    if told("people") < people {
        return Some(format!("the page drew {} of {people} people", told("people")));
    }
    // The page is one more person in the same scene and gets as many datagrams as each member of the crowd.
    let due = [
        ("poses a second sent by the crowd", mean(|slice| slice.said_per_s), people * rate_hz),
        ("poses a second of each pair in the crowd", mean(|slice| slice.poses_per_s), rate_hz),
        ("datagrams a second at the page", told("datagrams_per_s"), mean(|slice| slice.datagrams_per_s)),
    ];
    let is_met = |(_, found, due): &(&str, f64, f64)| *due > 0.0 && *found >= SHARE_MIN * due;
    let missed = due.into_iter().find(|one| !is_met(one));
    missed.map(|(what, found, due)| format!("{what}: {found:.1} of {due:.1}"))
}
#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_measured_below_full_load_is_a_fault() {
        let cast = CrowdSettings { people: 500, ..CrowdSettings::default() };
        let slice =
            |said_per_s, poses_per_s, datagrams_per_s| CrowdTrafficRates { said_per_s, poses_per_s, datagrams_per_s };
        let seen =
            |people: usize, datagrams_per_s: f64| json!({ "people": people, "datagrams_per_s": datagrams_per_s });
        let whole = slice(9_990.0, 20.0, 165.0);
        let holds = |seen: Value, slices: &[CrowdTrafficRates]| fault(&cast, &seen, slices).is_none();
        assert!(holds(seen(500, 164.8), &[whole; 2]), "negative control");
        assert!(!holds(seen(499, 164.8), &[whole; 2]), "somebody was not drawn");
        assert!(!holds(seen(500, 150.0), &[whole; 2]), "the page lost some");
        assert!(!holds(seen(500, 164.8), &[whole, slice(8_900.0, 20.0, 165.0)]), "the crowd said too little");
        assert!(!holds(seen(500, 120.0), &[slice(9_990.0, 14.0, 120.0)]), "the server left some out for all");
        assert!(!holds(seen(500, 164.8), &[]), "nobody looked");
        assert!(!holds(json!({}), &[whole]), "the page said nothing");
    }
}
