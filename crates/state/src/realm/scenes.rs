//! Open scenes of the realm, with their settings and allowances, and the execution of their outputs.

use alloc::collections::VecDeque;
use alloc::sync::Arc;

use stoa_wire::topic::SceneName;

use super::fan_out::OutgoingMessage;
use super::full_scene::{RecentEvictions, SceneOccupancy};
use super::publishing::{add_revision, own_message};
use super::scene_admission::RecentlyDepartedPeople;
use super::scene_bounds::SceneRateLimiter;
use super::templates::TemplateCopyJob;
use super::timers::TimerKey;
use super::{PacketClass, Realm, StoreWrite};
use crate::grant::SceneSettings;
use crate::scene::{self, Scene};
use crate::time::Time;

/// An open scene.
#[derive(Debug)]
pub(super) struct HostedScene {
    pub(super) scene: Scene,
    /// Shared with scene lists, which then need no copy.
    pub(super) settings: Arc<SceneSettings>,
    /// Bounds of the messages of all people in the scene together.
    pub(super) bounds: SceneRateLimiter,
    /// People who left a moment ago.
    pub(super) left: RecentlyDepartedPeople,
    /// People that were evicted a moment ago after at least [`crate::limits::LISTENER_GRACE`] in the full scene.
    pub(super) evicted: RecentlyDepartedPeople,
    /// Evictions of a moment ago, by the networks of the entrants.
    pub(super) evictions: RecentEvictions,
    /// The last count of the people inside, for entrants of a full scene.
    pub(super) occupancy: Option<SceneOccupancy>,
    /// Templates that are copied into the scene in pieces, in the scene's order.
    pub(super) loads: VecDeque<TemplateCopyJob>,
    /// When the scene's timer fires.
    pub(super) armed: Option<Time>,
}

impl HostedScene {
    pub(super) fn new(scene: Scene, settings: SceneSettings, now: Time) -> HostedScene {
        HostedScene {
            scene,
            settings: Arc::new(settings),
            bounds: SceneRateLimiter::new(now),
            left: RecentlyDepartedPeople::leavers(),
            evicted: RecentlyDepartedPeople::evicted(),
            evictions: RecentEvictions::default(),
            occupancy: None,
            loads: VecDeque::new(),
            armed: None,
        }
    }
}

impl Realm {
    /// Deletes all descendants of a scene's deleted objects that still exist.
    pub(super) fn finish_deletions(&mut self, name: &SceneName, now: Time) {
        if let Some(hosted) = self.scenes.get_mut(name) {
            hosted.scene.finish_deletions(now);
            self.drain_scene(name, now);
        }
    }

    /// Executes a scene's outputs, then arms its timer.
    pub(super) fn drain_scene(&mut self, name: &SceneName, now: Time) {
        while let Some(hosted) = self.scenes.get_mut(name) {
            let Some(output) = hosted.scene.poll_output() else {
                let wanted = hosted.scene.poll_timeout();
                self.timers.arm(TimerKey::Scene(name.clone()), wanted, &mut hosted.armed);
                return;
            };
            let epoch = hosted.scene.epoch();
            match output {
                scene::SceneOutput::Publish { topic, payload, revision } => {
                    let Some(mut publish) = own_message(&topic, payload) else {
                        // Ids that no topic can hold are refused earlier.
                        continue;
                    };
                    if let Some(revision) = revision {
                        add_revision(&mut publish, epoch, revision);
                    }
                    self.note_person_left(&topic);
                    let publish = Arc::new(publish);
                    self.fan_out(
                        &OutgoingMessage { publish, origin: None, class: PacketClass::Event, off_plane: None },
                        now,
                    );
                }
                scene::SceneOutput::Return(request) => self.return_records(name, request),
                scene::SceneOutput::TemplateCopied { written_bytes } => self.finish_load(name, written_bytes, now),
                scene::SceneOutput::Store(change) => {
                    self.give_to_store(StoreWrite::Change(change), self.store_queue.payer);
                }
            }
        }
    }
}
