//! What the motion plane tells the realm: who comes and goes, and where heads and hands are, for those who know MQTT alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use stoa_state::realm::MotionReport;
use stoa_wire::topic::SceneName;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::limits;

/// News of one scene. Dropped when the realm has taken them in.
#[derive(Debug)]
pub struct SceneReports {
    /// Which.
    pub scene: SceneName,
    /// In order.
    pub reports: Vec<MotionReport>,
    _queued: QueuedGuard,
}

/// The threads' end. The channel has no bound of its own: places are told up to `MOTION_NEWS_WAITING_MAX`, and who comes and goes always, which is bounded by the tickets
/// that the realm gives, each for one entry by each way.
#[derive(Clone, Debug)]
pub(super) struct ReportQueue {
    news: UnboundedSender<SceneReports>,
    waiting: Arc<AtomicUsize>,
}

/// One that waits, of those that are counted together.
#[derive(Debug)]
pub(super) struct QueuedGuard(Arc<AtomicUsize>);

impl QueuedGuard {
    /// One more of them.
    pub(super) fn among(all: &Arc<AtomicUsize>) -> QueuedGuard {
        all.fetch_add(1, Ordering::Relaxed);
        QueuedGuard(Arc::clone(all))
    }
}

impl Drop for QueuedGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(super) fn channel() -> (ReportQueue, UnboundedReceiver<SceneReports>) {
    let (news, taken) = unbounded_channel();
    (ReportQueue { news, waiting: Arc::default() }, taken)
}

impl ReportQueue {
    /// Whether places may be told: where the realm has fallen behind, the next ones tell as much.
    pub(super) fn has_room(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) < limits::MOTION_NEWS_WAITING_MAX
    }

    pub(super) fn send(&self, scene: &SceneName, reports: Vec<MotionReport>) {
        let news = SceneReports { scene: scene.clone(), reports, _queued: QueuedGuard::among(&self.waiting) };
        // The realm may have ended; then nobody is left to be told.
        let _ = self.news.send(news);
    }
}
