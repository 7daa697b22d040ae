//! What the motion plane tells the realm: who comes and goes, and where heads and hands are, for those who know MQTT alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use stoa_state::realm::FromMotion;
use stoa_wire::topic::SceneName;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::limits;

/// News of one scene. Dropped when the realm has taken them in.
#[derive(Debug)]
pub struct News {
    /// Which.
    pub scene: SceneName,
    /// In order.
    pub told: Vec<FromMotion>,
    _waiting: Waiting,
}

/// The threads' end. Who comes and goes is always told: that is bounded by the passes there are.
#[derive(Clone, Debug)]
pub(super) struct Teller {
    news: UnboundedSender<News>,
    waiting: Arc<AtomicUsize>,
}

/// One that waits.
#[derive(Debug)]
struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(super) fn channel() -> (Teller, UnboundedReceiver<News>) {
    let (news, taken) = unbounded_channel();
    (Teller { news, waiting: Arc::default() }, taken)
}

impl Teller {
    /// Whether places may be told: where the realm has fallen behind, the next ones tell as much.
    pub(super) fn has_room(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) < limits::MOTION_NEWS_WAITING_MAX
    }

    pub(super) fn tell(&self, scene: &SceneName, told: Vec<FromMotion>) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let news = News { scene: scene.clone(), told, _waiting: Waiting(Arc::clone(&self.waiting)) };
        // The realm may have ended; then nobody is left to be told.
        let _ = self.news.send(news);
    }
}
