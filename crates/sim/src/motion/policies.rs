//! The expected interest set of a person by policy, computed simply: every pair is checked. Borders get a tolerance.

use std::collections::BTreeSet;

use fastrand::Rng;
use stoa_state::motion::interest::InterestSetPolicy;
use stoa_wire::motion::MotionObjectKind;

use super::people::{MotionPerson, MovedObject};

/// Expected interest set of a person.
#[derive(Debug, Default)]
pub(super) struct InterestSetBounds {
    /// Objects that have to be in the set.
    pub(super) must: BTreeSet<(MotionObjectKind, String)>,
    /// Objects on a border, which may be in the set.
    pub(super) may: BTreeSet<(MotionObjectKind, String)>,
}

pub(super) fn any(rng: &mut Rng) -> InterestSetPolicy {
    match InterestSetPolicy::SAMPLES[rng.usize(..InterestSetPolicy::SAMPLES.len())] {
        // Often fewer than the people.
        InterestSetPolicy::Nearest { .. } => InterestSetPolicy::Nearest { count: rng.u32(1..8) },
        policy => policy,
    }
}

pub(super) fn expected_set(
    policy: InterestSetPolicy,
    person: &MotionPerson,
    objects: &[MovedObject],
) -> InterestSetBounds {
    let mut expected_set = InterestSetBounds::default();
    // The person's own objects are always in the set and don't count.
    let items: Vec<&MovedObject> =
        objects.iter().filter(|object| is_item(object) && object.owner != person.id_tag).collect();
    let mut by_distance: Vec<(i64, &MovedObject)> =
        items.iter().map(|object| (squared(person.head_position(), object.pose.position), *object)).collect();
    by_distance.sort_by_key(|(distance, _)| *distance);
    for object in objects.iter().filter(|object| object.owner == person.id_tag) {
        expected_set.must.insert((object.kind, object.name.clone()));
    }
    for (rank, (distance, item)) in by_distance.iter().enumerate() {
        let into = match policy {
            InterestSetPolicy::All => &mut expected_set.must,
            InterestSetPolicy::Radius { radius_mm } => match distance.isqrt() {
                near if near <= i64::from(radius_mm) => &mut expected_set.must,
                near if near <= i64::from(radius_mm) * 11 / 10 => &mut expected_set.may,
                _ => continue,
            },
            InterestSetPolicy::Nearest { count } => {
                let last = by_distance.get(count as usize - 1).map_or(i64::MAX, |(last, _)| *last);
                match rank < count as usize {
                    // Of equally distant objects, any may be in the set.
                    true if *distance < last || by_distance.len() <= count as usize => &mut expected_set.must,
                    true => &mut expected_set.may,
                    false if *distance == last => &mut expected_set.may,
                    false => continue,
                }
            }
            // `state`'s own tests model the cells. This model knows only objects that are certainly or possibly in the
            // seven cells.
            InterestSetPolicy::Hex { cell_mm } => match flat(person.head_position(), item.pose.position).isqrt() {
                near if near <= i64::from(cell_mm) / 2 => &mut expected_set.must,
                near if near <= i64::from(cell_mm) * 2 => &mut expected_set.may,
                _ => continue,
            },
        };
        into.insert((item.kind, item.name.clone()));
        // Hands follow their person.
        let hands = objects
            .iter()
            .filter(|object| item.kind == MotionObjectKind::Head && object.owner == item.owner && is_hand(object));
        into.extend(hands.map(|hand| (hand.kind, hand.name.clone())));
    }
    expected_set
}

fn is_hand(object: &MovedObject) -> bool {
    matches!(object.kind, MotionObjectKind::LeftHand | MotionObjectKind::RightHand)
}

/// Whether the object's own position decides. A hand follows its head.
fn is_item(object: &MovedObject) -> bool {
    !is_hand(object)
}

fn squared(one: [i32; 3], other: [i32; 3]) -> i64 {
    one.iter().zip(other).map(|(one, other)| (i64::from(*one) - i64::from(other)).pow(2)).sum()
}

fn flat(one: [i32; 3], other: [i32; 3]) -> i64 {
    squared([one[0], 0, one[2]], [other[0], 0, other[2]])
}
