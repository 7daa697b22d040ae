//! Models one person's screen: `state`'s replica, a jitter buffer, and a short extrapolation where no newer pose
//! arrived.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use stoa_state::motion::replica::MotionReplica;
use stoa_state::time::Time;
use stoa_wire::motion::{MotionFrame, PackedPose};

use super::decoder::{PersonObjectId, object_of};
use crate::bots::GroundVector;
use crate::statistics::percentile;

/// Poses kept of each object: one second at 20 Hz.
const KEPT: usize = 20;
/// Arrivals that determine the buffer's depth.
const ARRIVALS: usize = 400;
/// The share of arrivals that come in time.
const IN_TIME: f64 = 0.95;
/// Maximum time of extrapolation beyond the newest pose.
const EXTRAPOLATED_MS_MAX: f64 = 100.0;

/// One screen.
#[derive(Debug)]
pub(crate) struct ScreenModel {
    replica: MotionReplica,
    paths: BTreeMap<u16, (PersonObjectId, VecDeque<ReceivedPose>)>,
    /// Our clock minus the motion clock, over the fastest path, in milliseconds.
    offset_ms: Option<f64>,
    lateness_ms: VecDeque<f64>,
    /// Time between two poses of a person. Just before the next pose arrives, the newest is older than its delay by
    /// this time.
    period_ms: f64,
}

/// A received pose.
#[derive(Clone, Copy, Debug)]
struct ReceivedPose {
    /// Time of the pose by the motion clock.
    taken_ms: f64,
    position: GroundVector,
    /// The time at which the pose was due.
    said_us: f64,
}

/// An object as drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawnPose {
    pub(crate) object: PersonObjectId,
    pub(crate) position: GroundVector,
    /// The moment that is shown.
    pub(crate) shown_us: f64,
    /// The moment at which it is shown.
    pub(crate) now_us: u64,
}

impl ScreenModel {
    /// A screen for people that send at this period.
    pub(crate) fn new(period: Duration) -> ScreenModel {
        ScreenModel {
            replica: MotionReplica::default(),
            paths: BTreeMap::new(),
            offset_ms: None,
            lateness_ms: VecDeque::new(),
            period_ms: period.as_secs_f64() * 1_000.0,
        }
    }

    /// Handles a received frame. `said_us` returns the time at which a pose was due, for the comparison only.
    pub(crate) fn hear(&mut self, bytes: &[u8], now_us: u64, said_us: impl Fn(PersonObjectId, &PackedPose) -> u64) {
        let Ok(frame) = MotionFrame::read(bytes) else { return };
        let now_ms = now_us as f64 / 1_000.0;
        let offset_ms = now_ms - f64::from(frame.head.time_ms);
        let offset_ms = *self.offset_ms.insert(self.offset_ms.map_or(offset_ms, |least| least.min(offset_ms)));
        let now = Time::from_nanos(now_us * 1_000);
        if self.replica.handle_frame(bytes, now).is_err() {
            return;
        }
        for (id, seen) in self.replica.objects() {
            let Some(object) = object_of(seen.kind, &seen.name) else { continue };
            let (_, path) = self.paths.entry(id).or_insert_with(|| (object, VecDeque::new()));
            let taken_ms = f64::from(seen.captured.0);
            if path.back().is_some_and(|newest| taken_ms <= newest.taken_ms) {
                continue;
            }
            let [x, _, z] = seen.pose.unpack().position;
            path.push_back(ReceivedPose { taken_ms, position: [x, z], said_us: said_us(object, &seen.pose) as f64 });
            self.lateness_ms.push_back(now_ms - offset_ms - taken_ms);
            if path.len() > KEPT {
                path.pop_front();
            }
        }
        while self.lateness_ms.len() > ARRIVALS {
            self.lateness_ms.pop_front();
        }
    }

    /// The objects whose baselines must be requested.
    pub(crate) fn take_baseline_requests(&mut self, now_us: u64) -> Vec<u16> {
        self.replica.take_baseline_requests(Time::from_nanos(now_us * 1_000))
    }

    /// Draws all objects at `now_us`.
    pub(crate) fn draw(&self, now_us: u64) -> Vec<DrawnPose> {
        let Some(offset_ms) = self.offset_ms else { return Vec::new() };
        let lateness: Vec<f64> = self.lateness_ms.iter().copied().collect();
        let shown_ms = now_us as f64 / 1_000.0 - offset_ms - percentile(&lateness, IN_TIME) - self.period_ms;
        let samples = self.paths.values().filter_map(|(object, path)| {
            let ReceivedPose { position, said_us, .. } = at(path, shown_ms)?;
            Some(DrawnPose { object: *object, position, shown_us: said_us, now_us })
        });
        samples.collect()
    }
}

/// Interpolates between the two poses around the moment, or extrapolates a little beyond the last pose. Before the
/// first pose, returns the first.
fn at(path: &VecDeque<ReceivedPose>, shown_ms: f64) -> Option<ReceivedPose> {
    let after = path.iter().position(|known| known.taken_ms >= shown_ms).unwrap_or(path.len());
    let (from, to) = match after {
        0 => return path.front().copied(),
        _ if path.len() < 2 => return path.back().copied(),
        after if after == path.len() => (path[after - 2], path[after - 1]),
        after => (path[after - 1], path[after]),
    };
    let share_at = |ms: f64| (ms - from.taken_ms) / (to.taken_ms - from.taken_ms);
    let (meant, share) = (share_at(shown_ms), share_at(shown_ms.min(to.taken_ms + EXTRAPOLATED_MS_MAX)));
    let position = [0, 1].map(|axis| from.position[axis] + (to.position[axis] - from.position[axis]) * share);
    Some(ReceivedPose { taken_ms: shown_ms, position, said_us: from.said_us + (to.said_us - from.said_us) * meant })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_pose_is_interpolated_or_briefly_extrapolated() {
        let known = |taken_ms: f64, x: f64| ReceivedPose { taken_ms, position: [x, -x], said_us: taken_ms * 1_000.0 };
        let path = VecDeque::from([known(100.0, 1.0), known(150.0, 2.0), known(250.0, 4.0)]);
        let drawn = |shown_ms| at(&path, shown_ms).expect("it has a path");
        for (shown_ms, x) in [(50.0, 1.0), (125.0, 1.5), (200.0, 3.0), (300.0, 5.0), (900.0, 6.0)] {
            assert_eq!(drawn(shown_ms).position, [x, -x], "{shown_ms}");
        }
        assert_eq!((drawn(200.0).said_us, drawn(900.0).said_us), (200_000.0, 900_000.0));
        assert!(at(&VecDeque::new(), 1.0).is_none());
    }
}
