//! Chooses the person that is evicted from a full scene for one more person. Source: `spec/topics.md` section 3.1.

use alloc::collections::{BTreeMap, VecDeque};
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
    pub(super) joined_at: Time,
    /// When the person last published, or else came.
    pub(super) silent_since: Time,
    /// Whether the person has a presence in the scene, or moderates it.
    pub(super) stays: bool,
}

/// One more person for a full scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct FullSceneEntrant {
    /// Largest number of people inside.
    pub(super) people_max: usize,
    /// The person's network, from [`widest_prefix`].
    pub(super) network: Option<NetworkPrefix>,
    /// Number of people that entrants of this network replaced within [`limits::LISTENER_GRACE`].
    pub(super) replaced: usize,
}

/// The people of one network inside a scene.
#[derive(Clone, Copy, Debug, Default)]
struct NetworkOccupancy {
    /// People without a presence, apart from moderators.
    unjoined: usize,
    /// Unjoined people that came at least [`limits::LISTENER_GRACE`] ago.
    settled: usize,
    /// Unjoined people, and all people that came within [`limits::LISTENER_GRACE`].
    unjoined_or_new: usize,
}

/// Counts of the people inside a scene, by network. People without a network are one group.
#[derive(Debug)]
pub(super) struct SceneOccupancy {
    counted_at: Time,
    networks: BTreeMap<Option<NetworkPrefix>, NetworkOccupancy>,
}

/// The networks whose entrants replaced other people in a scene a moment ago.
#[derive(Debug, Default)]
pub(super) struct RecentEvictions(VecDeque<(Time, NetworkPrefix)>);

/// The people of a network of whom one may be evicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EvictableOccupants {
    Unjoined,
    Settled,
    Nobody,
}

/// The widest prefix in which a network's clients are counted. `None` for unknown networks, and for this machine,
/// because all clients of a proxy have its address.
pub(super) fn widest_prefix(network: Option<ClientNetwork>) -> Option<NetworkPrefix> {
    let outside = network.filter(|network| !network.is_here())?;
    outside.circles().last().map(|(prefix, _)| prefix)
}

/// Whether a person that came at `joined_at` has been inside for [`limits::LISTENER_GRACE`].
pub(super) fn is_settled(joined_at: Time, now: Time) -> bool {
    now >= joined_at + limits::LISTENER_GRACE
}

impl RecentEvictions {
    /// Notes an eviction for an entrant of this network.
    pub(super) fn note(&mut self, network: NetworkPrefix, now: Time) {
        self.0.retain(|(at, _)| !is_settled(*at, now));
        if self.0.len() < limits::LEFT_MAX {
            self.0.push_back((now, network));
        }
    }

    /// The number of evictions for entrants of this network within [`limits::LISTENER_GRACE`].
    pub(super) fn count(&self, network: Option<NetworkPrefix>, now: Time) -> usize {
        self.0.iter().filter(|(at, by)| Some(*by) == network && !is_settled(*at, now)).count()
    }
}

impl SceneOccupancy {
    /// Counts the people inside.
    pub(super) fn of(people: &[Occupant<'_>], now: Time) -> SceneOccupancy {
        let mut networks: BTreeMap<_, NetworkOccupancy> = BTreeMap::new();
        for person in people {
            let counted = networks.entry(person.network).or_default();
            let (unjoined, settled) = (!person.stays, is_settled(person.joined_at, now));
            counted.unjoined += usize::from(unjoined);
            counted.settled += usize::from(unjoined && settled);
            counted.unjoined_or_new += usize::from(unjoined || !settled);
        }
        SceneOccupancy { counted_at: now, networks }
    }

    /// Whether the count is younger than [`limits::OCCUPANCY_COUNT_LASTS`].
    pub(super) fn is_fresh(&self, now: Time) -> bool {
        now < self.counted_at + limits::OCCUPANCY_COUNT_LASTS
    }

    fn of_network(&self, network: Option<NetworkPrefix>) -> NetworkOccupancy {
        self.networks.get(&network).copied().unwrap_or_default()
    }
}

impl FullSceneEntrant {
    /// The refusal if no person is evicted.
    pub(super) fn refusal(&self) -> Refusal {
        Refusal::beyond(Reason::Full, self.people_max, "people in the scene")
    }

    /// Whether a person may be evicted.
    pub(super) fn is_possible(&self, occupancy: &SceneOccupancy) -> bool {
        occupancy.networks.iter().any(|(network, theirs)| match self.evictable(*network, occupancy) {
            EvictableOccupants::Unjoined => true,
            EvictableOccupants::Settled => theirs.settled > 0,
            EvictableOccupants::Nobody => false,
        })
    }

    /// The person to evict: of the evictable people, in the network with the most unjoined people, the longest silent
    /// one.
    pub(super) fn evicted<'a>(
        &self,
        people: &[Occupant<'a>],
        occupancy: &SceneOccupancy,
        now: Time,
    ) -> Option<&'a str> {
        let may_be_evicted = |person: &&Occupant<'_>| match self.evictable(person.network, occupancy) {
            EvictableOccupants::Unjoined => !person.stays,
            EvictableOccupants::Settled => !person.stays && is_settled(person.joined_at, now),
            EvictableOccupants::Nobody => false,
        };
        let evictable = people.iter().filter(may_be_evicted);
        let rank =
            |person: &&Occupant<'_>| (Reverse(occupancy.of_network(person.network).unjoined), person.silent_since);
        evictable.min_by_key(rank).map(|person| person.who)
    }

    fn evictable(&self, network: Option<NetworkPrefix>, occupancy: &SceneOccupancy) -> EvictableOccupants {
        let (theirs, own) = (occupancy.of_network(network), occupancy.of_network(self.network));
        // The network's people that joined a moment ago, and its entrants that replaced a person and left again, count
        // too: a network could otherwise replace another one's people again and again.
        let own_share = own.unjoined_or_new.max(self.replaced) + 1;
        if network.is_some() && self.network.is_some() && theirs.unjoined > own_share {
            EvictableOccupants::Unjoined
        } else if theirs.unjoined >= own.unjoined {
            EvictableOccupants::Settled
        } else {
            EvictableOccupants::Nobody
        }
    }
}

#[cfg(test)]
mod tests {
    use core::net::IpAddr;

    use super::*;

    const NOW: Time = Time::from_secs(3_600);
    const A: &str = "192.0.2.1";
    const B: &str = "198.51.100.1";
    const C: &str = "203.0.113.1";
    const HERE: &str = "127.0.0.1";

    fn network(address: &str) -> Option<NetworkPrefix> {
        widest_prefix(Some(address.parse::<IpAddr>().unwrap().into()))
    }

    /// A person from an address that came so many seconds ago, and has joined or not.
    fn person<'a>(who: &'a str, address: &str, ago_s: u64, stays: bool) -> Occupant<'a> {
        let joined_at = Time::from_secs(3_600 - ago_s);
        Occupant { who, network: network(address), joined_at, silent_since: joined_at, stays }
    }

    fn evicted_after<'a>(replaced: usize, people: &[Occupant<'a>], from: &str) -> Option<&'a str> {
        let entrant = FullSceneEntrant { people_max: people.len(), network: network(from), replaced };
        let occupancy = SceneOccupancy::of(people, NOW);
        let evicted = entrant.evicted(people, &occupancy, NOW);
        assert_eq!(evicted.is_some(), entrant.is_possible(&occupancy), "the counts decide as the search does");
        evicted
    }

    fn evicted<'a>(people: &[Occupant<'a>], from: &str) -> Option<&'a str> {
        evicted_after(0, people, from)
    }

    #[test]
    fn the_longest_silent_person_of_the_largest_network_is_evicted() {
        let people =
            [person("b", B, 9, false), person("a1", A, 5, false), person("a2", A, 7, false), person("a3", A, 8, true)];
        assert_eq!(evicted(&people, C), Some("a2"));
        assert_eq!(evicted(&people, A), None, "a network does not replace its own people");
        assert_eq!(evicted(&people, B), None, "both would have as many as before");
        assert_eq!(evicted(&people[..2], C), None, "each network has one");
    }

    #[test]
    fn a_person_past_its_grace_is_evicted_for_an_entrant_of_no_larger_network() {
        let people = [person("b", B, 30, false), person("a1", A, 5, false), person("a2", A, 6, false)];
        assert_eq!(evicted(&people, A), None, "its network has more");
        assert_eq!(evicted(&people, C), Some("a2"), "the larger network comes first");
        assert_eq!(evicted(&people[..2], A), Some("b"), "its network has as many");
        assert_eq!(evicted(&people[..1], C), Some("b"));
        assert_eq!(evicted(&[person("b", B, 29, false)], C), None);
        assert_eq!(evicted(&[person("b", B, 30, true)], C), None, "it has joined");
    }

    #[test]
    fn recently_joined_people_count_toward_the_entrants_network() {
        let class = [person("a1", A, 2, false), person("a2", A, 1, false), person("a3", A, 1, false)];
        let with = |more: Occupant<'static>| [class[0], class[1], class[2], more];
        assert_eq!(evicted(&with(person("c", C, 1, true)), C), Some("a1"));
        let two = [class[0], class[1], person("c1", C, 1, true), person("c2", C, 2, true)];
        assert_eq!(evicted(&two, C), None, "two already took slots");
        let settled = [class[0], class[1], person("c1", C, 30, true), person("c2", C, 30, true)];
        assert_eq!(evicted(&settled, C), Some("a1"), "they came long ago");
    }

    #[test]
    fn recent_evictions_for_a_network_count_toward_its_next_entrant() {
        let class = [person("a1", A, 2, false), person("a2", A, 1, false), person("a3", A, 1, false)];
        assert_eq!(evicted_after(1, &class, C), Some("a1"));
        assert_eq!(evicted_after(2, &class, C), None);
        let [a, c] = [A, C].map(|address| network(address).unwrap());
        let mut evictions = RecentEvictions::default();
        for (ago_s, by) in [(31, c), (30, c), (29, c), (1, a), (0, c)] {
            evictions.note(by, Time::from_secs(3_600 - ago_s));
        }
        assert_eq!([C, A, B].map(|address| evictions.count(network(address), NOW)), [2, 1, 0]);
    }

    #[test]
    fn clients_on_this_machine_form_one_group_evicted_only_after_its_grace() {
        assert_eq!(network(HERE), None);
        let young = [person("p1", HERE, 29, false), person("p2", HERE, 29, false), person("p3", HERE, 29, false)];
        assert_eq!(evicted(&young, C), None, "they may be a proxy's");
        assert_eq!(evicted(&[person("a1", A, 5, false), person("a2", A, 5, false)], HERE), None);
        let mixed = [person("p1", HERE, 30, false), person("p2", HERE, 30, false), person("a", A, 40, false)];
        assert_eq!(evicted(&mixed, C), Some("p1"), "the larger group comes first");
        assert_eq!(evicted(&mixed[1..], HERE), Some("a"), "of as many, the longest silent one");
        assert_eq!(evicted(&mixed[2..], HERE), Some("a"));
    }

    #[test]
    fn an_occupancy_count_expires_after_a_second() {
        let occupancy = SceneOccupancy::of(&[], NOW);
        assert!(occupancy.is_fresh(NOW + limits::OCCUPANCY_COUNT_LASTS / 2));
        assert!(!occupancy.is_fresh(NOW + limits::OCCUPANCY_COUNT_LASTS));
    }
}
