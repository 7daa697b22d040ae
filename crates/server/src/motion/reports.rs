//! Reports from the motion plane to the realm: arrivals, departures, and poses of heads and hands for clients with
//! MQTT alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use stoa_state::realm::MotionPlaneEvent;
use stoa_wire::topic::SceneName;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::limits;

/// Reports of one scene. Counted as waiting until dropped.
#[derive(Debug)]
pub struct SceneReportBatch {
    /// The scene.
    pub scene: SceneName,
    /// The reports, in order.
    pub reports: Vec<MotionPlaneEvent>,
    _queued: QueuedItemGuard,
}

/// The threads' sender. The channel itself is unbounded. Poses are sent only while fewer than
/// `MOTION_NEWS_WAITING_MAX` reports wait. Arrivals and departures are always sent; the number of tickets bounds
/// them, since each admits one session per transport.
#[derive(Clone, Debug)]
pub(super) struct ReportSender {
    news: UnboundedSender<SceneReportBatch>,
    waiting: Arc<AtomicUsize>,
}

/// Counts a waiting item, or its bytes, in a shared counter until it is dropped.
#[derive(Debug)]
pub(super) struct QueuedItemGuard {
    all: Arc<AtomicUsize>,
    amount: usize,
}

impl QueuedItemGuard {
    /// Counts one more item in `all`.
    pub(super) fn among(all: &Arc<AtomicUsize>) -> QueuedItemGuard {
        QueuedItemGuard::of(all, 1)
    }

    /// Counts `amount` more in `all`.
    pub(super) fn of(all: &Arc<AtomicUsize>, amount: usize) -> QueuedItemGuard {
        all.fetch_add(amount, Ordering::Relaxed);
        QueuedItemGuard { all: Arc::clone(all), amount }
    }
}

impl Drop for QueuedItemGuard {
    fn drop(&mut self) {
        self.all.fetch_sub(self.amount, Ordering::Relaxed);
    }
}

pub(super) fn channel() -> (ReportSender, UnboundedReceiver<SceneReportBatch>) {
    let (news, taken) = unbounded_channel();
    (ReportSender { news, waiting: Arc::default() }, taken)
}

impl ReportSender {
    /// Whether poses may be reported. If the realm has fallen behind they are skipped, since the next ones
    /// supersede them.
    pub(super) fn has_room(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) < limits::MOTION_NEWS_WAITING_MAX
    }

    pub(super) fn send(&self, scene: &SceneName, reports: Vec<MotionPlaneEvent>) {
        let news = SceneReportBatch { scene: scene.clone(), reports, _queued: QueuedItemGuard::among(&self.waiting) };
        // The realm may have ended; the report is then dropped.
        let _ = self.news.send(news);
    }
}
