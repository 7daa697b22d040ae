//! Choice of poses for a limited budget. The wait of each unsent pose grows with each service, by a weight that is
//! larger for nearer objects. The poses with the longest waits are sent. Source: `spec/wire.md` section 6.

use core::cmp::Ordering;

/// Weight of near objects; the smallest is 1.
pub(super) const WEIGHT_MAX: u32 = 8;
/// Range of full weight in millimetres: a group's conversational distance.
const NEAR_MM: u64 = 5_000;

/// An object whose latest pose was not sent to a receiver yet, and its urgency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnsentPosePriority {
    pub(super) id: u16,
    /// Its baseline was due and was not sent.
    pub(super) lacks_baseline: bool,
    /// Sum of its weights, one for each service since the pose was due.
    pub(super) waited: u32,
}

/// Squared distances up to which the weight is `WEIGHT_MAX`, one less, …, 2.
const REACHES: [u64; WEIGHT_MAX as usize - 1] = {
    let mut reaches = [0; WEIGHT_MAX as usize - 1];
    let mut at = 0;
    while at < reaches.len() {
        let reach = NEAR_MM * WEIGHT_MAX as u64 / (WEIGHT_MAX as u64 - at as u64);
        reaches[at] = reach * reach;
        at += 1;
    }
    reaches
};

/// Bits of a weighted wait that one scan distinguishes.
const LEVEL_BITS: u32 = 10;
const LEVELS: usize = 1 << LEVEL_BITS;
/// Largest weighted wait that is distinguished. It exceeds any wait among as many objects as there are short ids, if
/// one of them is sent each tick.
const WAITED_MAX: u32 = (1 << (2 * LEVEL_BITS)) - 1;
const _: () = assert!(WEIGHT_MAX * crate::limits::INTEREST_SLOTS_MAX < WAITED_MAX);

/// Weight of an object for an observer: inversely proportional to the distance, from `WEIGHT_MAX` to 1. Hot path:
/// once for each waiting pair.
pub(super) fn weight(object: [i32; 3], observer: [i32; 3]) -> u32 {
    let squared = |axis: usize| {
        let apart = u64::from(object[axis].abs_diff(observer[axis]));
        apart * apart
    };
    let squared = squared(0).saturating_add(squared(1)).saturating_add(squared(2));
    1 + REACHES.iter().map(|reach| u32::from(squared <= *reach)).sum::<u32>()
}

/// Chooses the objects to send: those that waited longest, as many as fit into `bytes`. Calls `decide` for each object,
/// in the given order, with whether it is sent. `cost` returns an object's bytes.
///
/// Of N waiting objects, of which k are sent each tick, none waits for more than `WEIGHT_MAX * N / k + 1` ticks. An
/// object sent earlier has waited as long in weights, and returns at most `WEIGHT_MAX` times as often. Hot path: it
/// scans the objects three or four times and sorts nothing.
pub(super) fn choose(
    waiting: &[UnsentPosePriority],
    bytes: usize,
    cost: impl Fn(&UnsentPosePriority) -> usize,
    mut decide: impl FnMut(UnsentPosePriority, bool),
) {
    let waited = |object: &UnsentPosePriority| object.waited.min(WAITED_MAX);
    let highest = waiting.iter().map(waited).max().unwrap_or(0);
    // First by the upper bits, then by the lower bits among equals.
    let lower_bits = (u32::BITS - highest.leading_zeros()).saturating_sub(LEVEL_BITS);
    let (mut edge, mut left) =
        edge_of(waiting.iter().map(|object| (waited(object) >> lower_bits, cost(object))), bytes);
    if let Some(upper) = edge.filter(|_| lower_bits > 0) {
        let alike = waiting.iter().filter(|object| waited(object) >> lower_bits == upper);
        let (lower, rest) = edge_of(alike.map(|object| (waited(object) & ((1 << lower_bits) - 1), cost(object))), left);
        (edge, left) = (lower.map(|lower| upper << lower_bits | lower), rest);
    }
    for object in waiting {
        let is_sent = match edge.map(|edge| waited(object).cmp(&edge)) {
            None | Some(Ordering::Greater) => true,
            Some(Ordering::Less) => false,
            Some(Ordering::Equal) => left.checked_sub(cost(object)).inspect(|rest| left = *rest).is_some(),
        };
        decide(*object, is_sent);
    }
}

/// Finds the highest level that doesn't fit whole, and the bytes left for it. `None` if all fit.
fn edge_of(waiting: impl Iterator<Item = (u32, usize)>, bytes: usize) -> (Option<u32>, usize) {
    let (mut costs, mut highest) = ([0_u32; LEVELS], 0);
    for (level, cost) in waiting {
        costs[level as usize] += cost as u32;
        highest = highest.max(level as usize);
    }
    let mut left = bytes;
    let edge = (0..=highest).rev().find(|level| match left.checked_sub(costs[*level] as usize) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    (edge.map(|level| level as u32), left)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn chosen(waiting: &[UnsentPosePriority], bytes: usize, cost: impl Fn(&UnsentPosePriority) -> usize) -> Vec<u16> {
        let (mut told, mut chosen) = (Vec::new(), Vec::new());
        choose(waiting, bytes, cost, |object, is_sent| {
            told.push(object);
            chosen.extend(is_sent.then_some(object.id));
        });
        assert_eq!(told, waiting, "each is told of, in its order");
        chosen
    }

    #[test]
    fn the_weight_falls_with_the_distance_and_overflows_nowhere() {
        let at = |metres: i32| weight([0; 3], [metres * 1_000, 0, 0]);
        assert_eq!([0, 5, 6, 10, 20, 21, 40, 41, 1_000].map(at), [8, 8, 6, 4, 2, 1, 1, 1, 1]);
        assert_eq!(weight([i32::MIN; 3], [i32::MAX; 3]), 1);
    }

    #[test]
    fn no_object_waits_longer_than_the_bound_however_near_the_rest_are() {
        for (count, k, far) in [(100, 10, 0), (100, 1, 0), (7, 3, 0), (50, 49, 0), (300, 1, 299), (300, 1, 0)] {
            let weights: Vec<u32> = (0..count).map(|id| if id == far { 1 } else { WEIGHT_MAX }).collect();
            let mut waiting: Vec<UnsentPosePriority> =
                (0..count as u16).map(|id| UnsentPosePriority { id, lacks_baseline: false, waited: 0 }).collect();
            let (mut since, mut longest) = (alloc::vec![0_usize; count], 0);
            for _ in 0..20 * count {
                for object in &mut waiting {
                    object.waited += weights[usize::from(object.id)];
                }
                let chosen = chosen(&waiting, k * 15, |_| 15);
                assert_eq!(chosen.len(), k);
                since.iter_mut().for_each(|ticks| *ticks += 1);
                for id in chosen {
                    waiting[usize::from(id)].waited = 0;
                    longest = longest.max(core::mem::take(&mut since[usize::from(id)]));
                }
            }
            let bound = WEIGHT_MAX as usize * count / k + 1;
            assert!(
                longest <= bound && since.iter().all(|ticks| *ticks <= bound),
                "{longest} of {bound}: {count}, {k}"
            );
        }
    }

    #[test]
    fn chosen_poses_fit_into_the_byte_budget() {
        let waiting: Vec<UnsentPosePriority> =
            (0..9).map(|id| UnsentPosePriority { id, lacks_baseline: id % 2 == 0, waited: u32::from(id) }).collect();
        let cost = |object: &UnsentPosePriority| if object.lacks_baseline { 36 } else { 15 };
        assert_eq!(chosen(&waiting, 70, cost), [7, 8]);
        assert_eq!(chosen(&waiting, 14, cost).len(), 0);
        assert_eq!(chosen(&[], 1_000, cost).len(), 0);
        assert_eq!(chosen(&waiting, 1_000, cost).len(), 9);
    }

    #[test]
    fn among_equal_waits_as_many_objects_are_sent_as_fit() {
        let waiting = [0, 3, u32::MAX, 2_000, 3, 3].into_iter().zip(0..);
        let waiting: Vec<UnsentPosePriority> =
            waiting.map(|(waited, id)| UnsentPosePriority { id, lacks_baseline: false, waited }).collect();
        assert_eq!(chosen(&waiting, 4 * 15, |_| 15), [1, 2, 3, 4]);
    }
}
