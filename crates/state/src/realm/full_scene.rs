//! Decides who leaves a full scene for one more person. Source: `spec/topics.md` section 3.1.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Reverse;

use stoa_wire::reason::{Reason, Refusal};

use crate::limits;
use crate::network::{ClientNetwork, NetworkPrefix};
use crate::time::Time;

/// A person inside a full scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occupant<'a> {
    /// The person, as [`crate::grant::Claims::who`] identifies it.
    pub(super) who: &'a str,
    /// The person's network, from [`widest_prefix`].
    pub(super) network: Option<NetworkPrefix>,
    pub(super) came_at: Time,
    /// When the person last published, or else came.
    pub(super) silent_since: Time,
    /// Whether the person has a presence in the scene, or moderates it.
    pub(super) stays: bool,
}

/// One more person for a full scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct FullSceneEntry {
    /// Most people that the scene takes.
    pub(super) people_max: usize,
    /// Number of people that must leave.
    pub(super) over: usize,
    /// The person's network, from [`widest_prefix`].
    pub(super) network: Option<NetworkPrefix>,
}

/// The people of one network inside a scene.
#[derive(Clone, Copy, Debug, Default)]
struct NetworkOccupancy {
    /// People that have not joined.
    unjoined: usize,
    /// Unjoined people that came at least [`limits::LISTENER_GRACE`] ago.
    silent: usize,
    /// Unjoined people, and people that came later than that.
    unsettled: usize,
}

/// The people inside a scene by network.
#[derive(Debug)]
pub(super) struct SceneOccupancy {
    counted_at: Time,
    networks: BTreeMap<NetworkPrefix, NetworkOccupancy>,
    /// Silent people without a network.
    silent_elsewhere: usize,
}

/// The widest prefix in which a network's clients are counted. `None` for unknown networks, and for this machine, because
/// all clients of a proxy have its address.
pub(super) fn widest_prefix(network: Option<ClientNetwork>) -> Option<NetworkPrefix> {
    let outside = network.filter(|network| !network.is_here())?;
    outside.circles().last().map(|(prefix, _)| prefix)
}

/// Whether a person that came then has been inside for [`limits::LISTENER_GRACE`].
pub(super) fn is_settled(came_at: Time, now: Time) -> bool {
    now >= came_at + limits::LISTENER_GRACE
}

impl SceneOccupancy {
    /// Counts the people inside.
    pub(super) fn of(people: &[Occupant<'_>], now: Time) -> SceneOccupancy {
        let mut occupancy = SceneOccupancy { counted_at: now, networks: BTreeMap::new(), silent_elsewhere: 0 };
        for person in people {
            let (unjoined, settled) = (!person.stays, is_settled(person.came_at, now));
            let Some(network) = person.network else {
                occupancy.silent_elsewhere += usize::from(unjoined && settled);
                continue;
            };
            let counted = occupancy.networks.entry(network).or_default();
            counted.unjoined += usize::from(unjoined);
            counted.silent += usize::from(unjoined && settled);
            counted.unsettled += usize::from(unjoined || !settled);
        }
        occupancy
    }

    /// Whether the count is at most [`limits::SILENT_COUNT_LASTS`] old.
    pub(super) fn is_fresh(&self, now: Time) -> bool {
        now < self.counted_at + limits::SILENT_COUNT_LASTS
    }

    fn in_network(&self, network: Option<NetworkPrefix>) -> NetworkOccupancy {
        network.and_then(|network| self.networks.get(&network)).copied().unwrap_or_default()
    }
}

/// The people of a network of whom some may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EligibleLeavers {
    Unjoined,
    Silent,
    Nobody,
}

impl FullSceneEntry {
    /// The refusal if nobody leaves.
    pub(super) fn refusal(&self) -> Refusal {
        Refusal::beyond(Reason::Full, self.people_max, "people in the scene")
    }

    /// Whether enough people may leave.
    pub(super) fn is_possible(&self, occupancy: &SceneOccupancy) -> bool {
        let own = occupancy.in_network(self.network);
        let of_network = |theirs: &NetworkOccupancy| match self.eligible(*theirs, own) {
            EligibleLeavers::Unjoined => theirs.unjoined,
            EligibleLeavers::Silent => theirs.silent,
            EligibleLeavers::Nobody => 0,
        };
        occupancy.networks.values().map(of_network).sum::<usize>() + occupancy.silent_elsewhere >= self.over
    }

    /// The people that leave: of the network with the most that have not joined, those that were silent longest. `None`
    /// if too few may leave.
    pub(super) fn leavers(
        &self,
        people: &[Occupant<'_>],
        occupancy: &SceneOccupancy,
        now: Time,
    ) -> Option<Vec<String>> {
        let own = occupancy.in_network(self.network);
        let may_leave = |person: &&Occupant<'_>| {
            let eligible = match person.network {
                None => EligibleLeavers::Silent,
                Some(network) => self.eligible(occupancy.in_network(Some(network)), own),
            };
            match eligible {
                EligibleLeavers::Unjoined => !person.stays,
                EligibleLeavers::Silent => !person.stays && is_settled(person.came_at, now),
                EligibleLeavers::Nobody => false,
            }
        };
        let mut leavers: Vec<&Occupant<'_>> = people.iter().filter(may_leave).collect();
        leavers.sort_by_key(|it| (Reverse(occupancy.in_network(it.network).unjoined), it.silent_since));
        leavers.truncate(self.over);
        (leavers.len() == self.over).then(|| leavers.into_iter().map(|it| it.who.to_string()).collect())
    }

    fn eligible(&self, theirs: NetworkOccupancy, own: NetworkOccupancy) -> EligibleLeavers {
        // An entrant counts with the others that its network sent a moment ago, also those that joined: otherwise a
        // network could replace the people of another one again and again.
        if self.network.is_some() && theirs.unjoined > own.unsettled + self.over {
            EligibleLeavers::Unjoined
        } else if theirs.unjoined >= own.unjoined {
            EligibleLeavers::Silent
        } else {
            EligibleLeavers::Nobody
        }
    }
}

#[cfg(test)]
mod tests {
    use core::net::IpAddr;

    use super::*;

    const NOW: Time = Time::from_secs(3_600);

    fn network(address: &str) -> Option<NetworkPrefix> {
        widest_prefix(Some(address.parse::<IpAddr>().unwrap().into()))
    }

    /// A person from an address that came so many seconds ago, and has joined or not.
    fn person<'a>(who: &'a str, address: &str, ago_s: u64, stays: bool) -> Occupant<'a> {
        let came_at = Time::from_secs(3_600 - ago_s);
        Occupant { who, network: network(address), came_at, silent_since: came_at, stays }
    }

    fn leavers(people: &[Occupant<'_>], from: &str, over: usize) -> Option<Vec<String>> {
        let entry = FullSceneEntry { people_max: people.len(), over, network: network(from) };
        let occupancy = SceneOccupancy::of(people, NOW);
        let leavers = entry.leavers(people, &occupancy, NOW);
        assert_eq!(leavers.is_some(), entry.is_possible(&occupancy), "the counts decide as the search does");
        leavers
    }

    const A: &str = "192.0.2.1";
    const B: &str = "198.51.100.1";
    const C: &str = "203.0.113.1";

    #[test]
    fn the_largest_network_gives_up_its_longest_silent_person() {
        let people =
            [person("b", B, 9, false), person("a1", A, 5, false), person("a2", A, 7, false), person("a3", A, 8, true)];
        assert_eq!(leavers(&people, C, 1), Some(["a2".to_string()].into()));
        assert_eq!(leavers(&people, A, 1), None, "a network does not replace its own people");
        assert_eq!(leavers(&people, B, 1), None, "both would have as many as before");
        assert_eq!(leavers(&people[..2], C, 1), None, "each network has one");
    }

    #[test]
    fn a_silent_person_leaves_after_its_grace_for_no_larger_network() {
        let people = [person("b", B, 30, false), person("a1", A, 5, false), person("a2", A, 6, false)];
        assert_eq!(leavers(&people, "127.0.0.1", 1), Some(["b".to_string()].into()), "of this machine");
        assert_eq!(leavers(&people, A, 1), None, "its network has more");
        assert_eq!(leavers(&people, C, 1), Some(["a2".to_string()].into()), "the larger network comes first");
        assert_eq!(leavers(&people[..1], C, 1), Some(["b".to_string()].into()));
        assert_eq!(leavers(&[person("b", B, 29, false)], C, 1), None);
        assert_eq!(leavers(&[person("b", B, 30, true)], C, 1), None, "it has joined");
    }

    #[test]
    fn people_that_joined_a_moment_ago_count_for_an_entrant() {
        let class = [person("a1", A, 1, false), person("a2", A, 1, false), person("a3", A, 1, false)];
        let with = |more: Occupant<'static>| [class[0], class[1], class[2], more];
        assert_eq!(leavers(&with(person("c", C, 1, true)), C, 1), Some(["a1".to_string()].into()));
        let two = [class[0], class[1], person("c1", C, 1, true), person("c2", C, 2, true)];
        assert_eq!(leavers(&two, C, 1), None, "two already took places");
        let settled = [class[0], class[1], person("c1", C, 30, true), person("c2", C, 30, true)];
        assert_eq!(leavers(&settled, C, 1), Some(["a1".to_string()].into()), "they came long ago");
    }

    #[test]
    fn several_people_leave_where_moderators_came_in_above_the_limit() {
        let listeners = [person("a1", A, 5, false), person("a2", A, 7, false), person("a3", A, 6, false)];
        assert_eq!(leavers(&listeners, C, 2), Some(["a2".to_string(), "a3".to_string()].into()));
        assert_eq!(leavers(&listeners[..2], C, 2), None, "too few");
    }

    #[test]
    fn clients_of_this_machine_leave_after_their_grace_alone() {
        let here = "127.0.0.1";
        assert_eq!(network(here), None);
        let young = [person("p1", here, 29, false), person("p2", here, 29, false), person("p3", here, 29, false)];
        assert_eq!(leavers(&young, C, 1), None, "they may be a proxy's");
        assert_eq!(leavers(&[person("a1", A, 5, false), person("a2", A, 5, false)], here, 1), None);
        assert_eq!(leavers(&[person("p", here, 30, false)], C, 1), Some(["p".to_string()].into()));
    }

    #[test]
    fn a_count_lasts_for_a_second() {
        let occupancy = SceneOccupancy::of(&[], NOW);
        assert!(occupancy.is_fresh(NOW + limits::SILENT_COUNT_LASTS / 2));
        assert!(!occupancy.is_fresh(NOW + limits::SILENT_COUNT_LASTS));
    }
}
