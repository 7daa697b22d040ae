//! The scenes of one thread that have sessions.

use std::collections::BTreeMap;

use stoa_state::motion::MotionCounts;
use stoa_state::motion::send_timing::{self, MotionSceneLoad, SendTimingMode};
use stoa_state::realm::MotionGrant;
use stoa_wire::topic::SceneName;

use super::scene::{HostedScene, HostedSessionKey};

/// Scenes by index and by name.
#[derive(Default)]
pub(super) struct HostedScenes {
    all: Vec<Option<HostedScene>>,
    by_name: BTreeMap<SceneName, usize>,
    /// Indexes of the scenes looked up since the last drain: each once, or twice if its index was reused.
    stirred: Vec<usize>,
    /// The newest scene's serial number.
    serial: u64,
    /// Counters of scenes that have ended.
    ended: MotionCounts,
}

impl HostedScenes {
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.by_name.len()
    }

    /// The scene of a session, unless it has ended.
    pub(super) fn at(&mut self, key: HostedSessionKey) -> Option<&mut HostedScene> {
        let hosted = self.all.get_mut(key.index)?.as_mut().filter(|hosted| hosted.serial == key.serial)?;
        stir(&mut self.stirred, key.index, hosted);
        Some(hosted)
    }

    pub(super) fn find(&mut self, name: &SceneName) -> Option<(usize, &mut HostedScene)> {
        let index = *self.by_name.get(name)?;
        let hosted = self.all[index].as_mut()?;
        stir(&mut self.stirred, index, hosted);
        Some((index, hosted))
    }

    /// The scene of a motion grant, created if needed.
    pub(super) fn find_or_make(&mut self, grant: &MotionGrant) -> (usize, &mut HostedScene) {
        let index = self.by_name.get(&grant.scene).copied().unwrap_or_else(|| self.make(grant));
        let hosted = self.all[index].as_mut().expect("a name leads to a room");
        stir(&mut self.stirred, index, hosted);
        (index, hosted)
    }

    fn make(&mut self, grant: &MotionGrant) -> usize {
        self.serial += 1;
        let hosted = Some(HostedScene::new(grant, self.serial));
        let index = self.all.iter().position(Option::is_none).unwrap_or(self.all.len());
        if index < self.all.len() {
            self.all[index] = hosted;
        } else {
            self.all.push(hosted);
        }
        self.by_name.insert(grant.scene.clone(), index);
        index
    }

    /// Removes the scene if it has no sessions.
    pub(super) fn tidy(&mut self, index: usize) {
        let Some(hosted) = self.all.get_mut(index).and_then(|hosted| hosted.take_if(|hosted| hosted.scene.is_empty()))
        else {
            return;
        };
        self.by_name.remove(&hosted.name);
        self.ended = sum(self.ended, hosted.scene.counts());
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (usize, &mut HostedScene)> {
        self.iter_mut_from(0)
    }

    /// All scenes from index `first` on, then those before it.
    pub(super) fn iter_mut_from(&mut self, first: usize) -> impl Iterator<Item = (usize, &mut HostedScene)> {
        let first = first.min(self.all.len());
        let (before, rest) = self.all.split_at_mut(first);
        let round = (first..).zip(rest).chain((0..).zip(before));
        round.filter_map(|(index, hosted)| Some((index, hosted.as_mut()?)))
    }

    /// Visits the scenes looked up since the last call; only those can have new frames. With a thousand scenes of
    /// two people, most have none in a wake-up.
    pub(super) fn drain_stirred(&mut self, mut each: impl FnMut(&mut HostedScene)) {
        for index in self.stirred.drain(..) {
            if let Some(hosted) = &mut self.all[index] {
                hosted.is_stirred = false;
                each(hosted);
            }
        }
    }

    /// Chooses the scenes to serve at once, by their load since the last call.
    pub(super) fn choose(&mut self, serving: SendTimingMode) {
        let mut loads: Vec<MotionSceneLoad> = self.iter_mut().map(|(_, hosted)| hosted.take_load()).collect();
        send_timing::choose(serving, &mut loads);
        self.iter_mut().zip(loads).for_each(|((_, hosted), load)| hosted.set_at_once(load.is_at_once));
    }

    /// The counters of all scenes, including those that have ended.
    pub(super) fn counts(&self) -> MotionCounts {
        self.all.iter().flatten().map(|hosted| hosted.scene.counts()).fold(self.ended, sum)
    }
}

fn stir(stirred: &mut Vec<usize>, index: usize, hosted: &mut HostedScene) {
    if !std::mem::replace(&mut hosted.is_stirred, true) {
        stirred.push(index);
    }
}

fn sum(one: MotionCounts, other: MotionCounts) -> MotionCounts {
    MotionCounts {
        sent: one.sent + other.sent,
        sent_bytes: one.sent_bytes + other.sent_bytes,
        thinned: one.thinned + other.thinned,
        taken: one.taken + other.taken,
        malformed: one.malformed + other.malformed,
        repeated: one.repeated + other.repeated,
        flooding: one.flooding + other.flooding,
        undeclared: one.undeclared + other.undeclared,
        beyond: one.beyond + other.beyond,
        refused: one.refused + other.refused,
        untrue: one.untrue + other.untrue,
        voice: one.voice + other.voice,
    }
}

#[cfg(test)]
mod tests {
    use stoa_state::motion::{MotionEntrant, MotionRights};
    use stoa_state::time::Time;

    use super::*;
    use crate::motion::tickets::tests::grant;

    fn drained(scenes: &mut HostedScenes) -> Vec<u64> {
        let mut drained = Vec::new();
        scenes.drain_stirred(|hosted| drained.push(hosted.serial));
        drained
    }

    #[test]
    fn draining_visits_each_looked_up_scene_once_and_no_other_scene() {
        let mut scenes = HostedScenes::default();
        let of = |name: &str| MotionGrant { scene: name.parse().unwrap(), ..grant(1) };
        let entrant = MotionEntrant { id_tag: "somebody".to_owned(), rights: MotionRights::ALL };
        let (index, hosted) = scenes.find_or_make(&of("public/one"));
        let key =
            HostedSessionKey { index, serial: hosted.serial, motion_session: hosted.scene.enter(entrant, Time::ZERO) };
        let (other, _) = scenes.find_or_make(&of("public/other"));
        assert_eq!(drained(&mut scenes), [1, 2]);
        assert_eq!(drained(&mut scenes), [0; 0], "nothing since");
        assert!(scenes.at(key).is_some() && scenes.at(key).is_some());
        assert_eq!(drained(&mut scenes), [1], "by its place");
        assert!(scenes.find(&of("public/other").scene).is_some());
        assert_eq!(scenes.iter_mut().count(), 2);
        assert_eq!(drained(&mut scenes), [2], "by its name");
        assert!(scenes.find(&of("public/other").scene).is_some());
        scenes.tidy(other);
        assert_eq!(drained(&mut scenes), [0; 0], "it is gone");
        assert_eq!(scenes.find_or_make(&of("public/third")).0, other);
        assert_eq!(drained(&mut scenes), [3], "another in its place");
    }
}
