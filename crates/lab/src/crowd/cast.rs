//! How a crowd is made up: who is in which scene, how often everybody speaks, and how much.

use std::ops::Range;
use std::time::Duration;

use crate::limits;
use crate::load::person::SCENE;
use crate::servers::motion::PolicyName;

/// Everybody alike. What is not named is as in `motion`: one scene, 20 Hz, a head each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cast {
    pub(crate) people: usize,
    /// How many of them look at everything.
    pub(crate) decoders: usize,
    /// A head, or a head and two hands; 0: they only listen.
    pub(crate) objects: usize,
    /// Between two frames of each.
    pub(crate) period: Duration,
    /// How many share a scene: the first so many, the next so many, … The last scene has the rest.
    pub(crate) together: usize,
    /// The scenes' policies, in turn. None: as the server was told at its start.
    pub(crate) policies: &'static [PolicyName],
    pub(crate) seed: u64,
}

impl Default for Cast {
    fn default() -> Cast {
        Cast {
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

impl Cast {
    /// How many scenes there are.
    pub(crate) fn scenes(&self) -> usize {
        self.people.div_ceil(self.together)
    }

    /// The name of somebody's scene.
    pub(crate) fn scene_of(&self, person: usize) -> String {
        match person / self.together {
            0 => SCENE.to_owned(),
            number => format!("{SCENE}-{number}"),
        }
    }

    /// How a scene chooses interest sets.
    pub(crate) fn policy_of(&self, scene: usize) -> Option<PolicyName> {
        self.policies.get(scene.checked_rem(self.policies.len())?).copied()
    }

    /// Everybody in somebody's scene, that one too.
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
    fn everybody_is_in_one_scene_and_the_last_has_the_rest() {
        let cast = Cast { people: 60, together: 25, ..Cast::default() };
        assert_eq!(cast.scenes(), 3);
        assert_eq!([0, 24, 25, 59].map(|person| cast.roommates(person)), [0..25, 0..25, 25..50, 50..60]);
        assert_eq!(cast.scene_of(24), SCENE);
        assert!(cast.scene_of(25) == cast.scene_of(49) && cast.scene_of(25) != cast.scene_of(50));
        let cast = Cast { people: 60, ..Cast::default() };
        assert_eq!((cast.scenes(), cast.roommates(59), cast.scene_of(59)), (1, 0..60, SCENE.to_owned()));
    }
}
