//! Describes the composition of a crowd: scenes, rates and objects.

use std::ops::Range;
use std::time::Duration;

use crate::limits;
use crate::load::person::SCENE;
use crate::servers::motion::PolicyName;

/// A crowd of equal people. By default as in `motion`: one scene, 20 Hz, one head each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CrowdSettings {
    pub(crate) people: usize,
    /// People that decode all poses.
    pub(crate) decoders: usize,
    /// Objects of each person: 1 for a head, 3 for a head and two hands, 0 for listeners.
    pub(crate) objects: usize,
    /// Time between two frames of a person.
    pub(crate) period: Duration,
    /// People in one scene: the first `together`, the next, and so on. The last scene has the rest.
    pub(crate) together: usize,
    /// Policies of the scenes, in turn. If empty, the server's default.
    pub(crate) policies: &'static [PolicyName],
    pub(crate) seed: u64,
}

impl Default for CrowdSettings {
    fn default() -> CrowdSettings {
        CrowdSettings {
            people: 0,
            decoders: 0,
            objects: 1,
            period: limits::MOTION_PERIOD,
            together: usize::MAX,
            policies: &[],
            seed: 1,
        }
    }
}

impl CrowdSettings {
    /// Number of scenes.
    pub(crate) fn scenes(&self) -> usize {
        self.people.div_ceil(self.together)
    }

    /// Name of a person's scene.
    pub(crate) fn scene_of(&self, person: usize) -> String {
        match person / self.together {
            0 => SCENE.to_owned(),
            number => format!("{SCENE}-{number}"),
        }
    }

    /// The interest policy of a scene.
    pub(crate) fn policy_of(&self, scene: usize) -> Option<PolicyName> {
        self.policies.get(scene.checked_rem(self.policies.len())?).copied()
    }

    /// All people in a person's scene, itself included.
    pub(crate) fn roommates(&self, person: usize) -> Range<usize> {
        let first = person - person % self.together;
        first..first.saturating_add(self.together).min(self.people)
    }

    pub(super) fn period_us(&self) -> u64 {
        self.period.as_micros() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_split_into_scenes_and_the_last_scene_gets_the_rest() {
        let cast = CrowdSettings { people: 60, together: 25, ..CrowdSettings::default() };
        assert_eq!(cast.scenes(), 3);
        assert_eq!([0, 24, 25, 59].map(|person| cast.roommates(person)), [0..25, 0..25, 25..50, 50..60]);
        assert_eq!(cast.scene_of(24), SCENE);
        assert!(cast.scene_of(25) == cast.scene_of(49) && cast.scene_of(25) != cast.scene_of(50));
        let cast = CrowdSettings { people: 60, ..CrowdSettings::default() };
        assert_eq!((cast.scenes(), cast.roommates(59), cast.scene_of(59)), (1, 0..60, SCENE.to_owned()));
    }
}
