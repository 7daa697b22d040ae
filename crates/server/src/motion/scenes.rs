//! The scenes of one thread in which somebody is.

use std::collections::BTreeMap;

use stoa_state::motion::MotionCounts;
use stoa_state::motion::serving::{self, SceneLoad, ServingMode};
use stoa_state::realm::MotionGrant;
use stoa_wire::topic::SceneName;

use super::scene::{Place, Room};

/// Rooms by number, and by name where they are looked for by it.
#[derive(Default)]
pub(super) struct Rooms {
    all: Vec<Option<Room>>,
    by_name: BTreeMap<SceneName, usize>,
    /// Those that something may have come to since they were last drained: each once, or twice where its index was given again.
    stirred: Vec<usize>,
    /// Of the room that was made last.
    serial: u64,
    /// What those counted that have ended.
    ended: MotionCounts,
}

impl Rooms {
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.by_name.len()
    }

    /// The room of a place, if that is still what it was.
    pub(super) fn at(&mut self, place: Place) -> Option<&mut Room> {
        let room = self.all.get_mut(place.index)?.as_mut().filter(|room| room.serial == place.serial)?;
        stir(&mut self.stirred, place.index, room);
        Some(room)
    }

    pub(super) fn find(&mut self, name: &SceneName) -> Option<(usize, &mut Room)> {
        let index = *self.by_name.get(name)?;
        let room = self.all[index].as_mut()?;
        stir(&mut self.stirred, index, room);
        Some((index, room))
    }

    /// The room of a pass, which is made where there is none.
    pub(super) fn find_or_make(&mut self, pass: &MotionGrant) -> (usize, &mut Room) {
        let index = self.by_name.get(&pass.scene).copied().unwrap_or_else(|| self.make(pass));
        let room = self.all[index].as_mut().expect("a name leads to a room");
        stir(&mut self.stirred, index, room);
        (index, room)
    }

    fn make(&mut self, pass: &MotionGrant) -> usize {
        self.serial += 1;
        let room = Some(Room::new(pass, self.serial));
        let index = self.all.iter().position(Option::is_none).unwrap_or(self.all.len());
        if index < self.all.len() {
            self.all[index] = room;
        } else {
            self.all.push(room);
        }
        self.by_name.insert(pass.scene.clone(), index);
        index
    }

    /// Takes a room away if nobody is in it.
    pub(super) fn tidy(&mut self, index: usize) {
        let Some(room) = self.all.get_mut(index).and_then(|room| room.take_if(|room| room.scene.is_empty())) else {
            return;
        };
        self.by_name.remove(&room.name);
        self.ended = sum(self.ended, room.scene.counts());
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (usize, &mut Room)> {
        self.iter_mut_from(0)
    }

    /// All of them, from that index on and round to it.
    pub(super) fn iter_mut_from(&mut self, first: usize) -> impl Iterator<Item = (usize, &mut Room)> {
        let first = first.min(self.all.len());
        let (before, rest) = self.all.split_at_mut(first);
        let round = (first..).zip(rest).chain((0..).zip(before));
        round.filter_map(|(index, room)| Some((index, room.as_mut()?)))
    }

    /// Those that somebody looked up by place or name since this was last called: something may have come to them, and to no other. Of a thousand scenes of two, most have nothing in a wake-up.
    pub(super) fn drain_stirred(&mut self, mut each: impl FnMut(&mut Room)) {
        for index in self.stirred.drain(..) {
            if let Some(room) = &mut self.all[index] {
                room.is_stirred = false;
                each(room);
            }
        }
    }

    /// Says which are served at once, by what came since this was last called.
    pub(super) fn choose(&mut self, serving: ServingMode) {
        let mut loads: Vec<SceneLoad> = self.iter_mut().map(|(_, room)| room.take_load()).collect();
        serving::choose(serving, &mut loads);
        self.iter_mut().zip(loads).for_each(|((_, room), load)| room.set_at_once(load.is_at_once));
    }

    /// What all of them have counted, those that have ended too.
    pub(super) fn counts(&self) -> MotionCounts {
        self.all.iter().flatten().map(|room| room.scene.counts()).fold(self.ended, sum)
    }
}

fn stir(stirred: &mut Vec<usize>, index: usize, room: &mut Room) {
    if !std::mem::replace(&mut room.is_stirred, true) {
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
    }
}

#[cfg(test)]
mod tests {
    use stoa_state::motion::MotionEntrant;
    use stoa_state::time::Time;

    use super::*;
    use crate::motion::tickets::tests::pass;

    fn drained(rooms: &mut Rooms) -> Vec<u64> {
        let mut drained = Vec::new();
        rooms.drain_stirred(|room| drained.push(room.serial));
        drained
    }

    #[test]
    fn a_room_that_was_looked_up_is_visited_once_and_no_other() {
        let mut rooms = Rooms::default();
        let of = |name: &str| MotionGrant { scene: name.parse().unwrap(), ..pass(1) };
        let entrant = MotionEntrant { id_tag: "somebody".to_owned(), may_show: true, may_track: true };
        let (index, room) = rooms.find_or_make(&of("public/one"));
        let place = Place { index, serial: room.serial, stay: room.scene.enter(entrant, Time::ZERO) };
        let (other, _) = rooms.find_or_make(&of("public/other"));
        assert_eq!(drained(&mut rooms), [1, 2]);
        assert_eq!(drained(&mut rooms), [0; 0], "nothing since");
        assert!(rooms.at(place).is_some() && rooms.at(place).is_some());
        assert_eq!(drained(&mut rooms), [1], "by its place");
        assert!(rooms.find(&of("public/other").scene).is_some());
        assert_eq!(rooms.iter_mut().count(), 2);
        assert_eq!(drained(&mut rooms), [2], "by its name");
        assert!(rooms.find(&of("public/other").scene).is_some());
        rooms.tidy(other);
        assert_eq!(drained(&mut rooms), [0; 0], "it is gone");
        assert_eq!(rooms.find_or_make(&of("public/third")).0, other);
        assert_eq!(drained(&mut rooms), [3], "another in its place");
    }
}
