//! Which poses go out where not all fit: each waits with a weight by its nearness, and who has waited most goes first. Source: `spec/wire.md` section 6.

/// The weight of what is near; the least is 1.
pub(super) const WEIGHT_MAX: u32 = 8;
/// Up to here everything is near, in millimetres: at arm's length of a group.
const NEAR_MM: i64 = 5_000;

/// An object of which a receiver has not got the newest pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) id: u16,
    /// A baseline was due for it and did not go out.
    pub(super) lacks_baseline: bool,
    /// The sum of its weights since then.
    pub(super) waited: u32,
}

/// How much an object counts for somebody: in proportion to nearness, between `WEIGHT_MAX` and 1.
pub(super) fn weight(one: [i32; 3], other: [i32; 3]) -> u32 {
    let apart = |axis: usize| i64::from(one[axis]) - i64::from(other[axis]);
    let squared = (0..3).map(|axis| apart(axis).saturating_mul(apart(axis))).fold(0, i64::saturating_add);
    // The farthest at which a weight still holds is `NEAR_MM` * WEIGHT_MAX / weight.
    let reaches = |weight: &u32| {
        let reach = NEAR_MM * i64::from(WEIGHT_MAX) / i64::from(*weight);
        squared <= reach * reach
    };
    (2..=WEIGHT_MAX).rev().find(reaches).unwrap_or(1)
}

/// Puts those that go out to the front, who waited most first; how many they are. `cost`: the bytes of one; `cost_min`: the least that any has.
///
/// Of N that wait, of which k go out each tick, none waits for more than `WEIGHT_MAX * N / k + 1` ticks: whoever goes before it has waited as long in weights, and comes back at most `WEIGHT_MAX` times
/// as often.
pub(super) fn choose(
    waiting: &mut [Waiting],
    bytes: usize,
    cost_min: usize,
    cost: impl Fn(&Waiting) -> usize,
) -> usize {
    let most = (bytes / cost_min.max(1)).min(waiting.len());
    if most == 0 {
        return 0;
    }
    let by_wait = |one: &Waiting, other: &Waiting| other.waited.cmp(&one.waited).then(one.id.cmp(&other.id));
    if most < waiting.len() {
        waiting.select_nth_unstable_by(most - 1, by_wait);
    }
    waiting[..most].sort_unstable_by(by_wait);
    let mut left = bytes;
    waiting[..most].iter().take_while(|one| left.checked_sub(cost(one)).inspect(|rest| left = *rest).is_some()).count()
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn the_weight_falls_with_the_distance_and_overflows_nowhere() {
        let at = |metres: i32| weight([0; 3], [metres * 1_000, 0, 0]);
        assert_eq!([0, 5, 6, 10, 20, 21, 40, 41, 1_000].map(at), [8, 8, 6, 4, 2, 1, 1, 1, 1]);
        assert_eq!(weight([i32::MIN; 3], [i32::MAX; 3]), 1);
    }

    #[test]
    fn nobody_waits_longer_than_the_bound_however_near_the_others_are() {
        for (count, k) in [(100, 10), (100, 1), (7, 3), (50, 49)] {
            let weights: Vec<u32> = (0..count).map(|id| if id == 0 { 1 } else { WEIGHT_MAX }).collect();
            let mut waiting: Vec<Waiting> =
                (0..count as u16).map(|id| Waiting { id, lacks_baseline: false, waited: 0 }).collect();
            let (mut since, mut longest) = (alloc::vec![0_usize; count], 0);
            for _ in 0..20 * count {
                for one in &mut waiting {
                    one.waited += weights[usize::from(one.id)];
                }
                let chosen = choose(&mut waiting, k * 15, 15, |_| 15);
                assert_eq!(chosen, k);
                since.iter_mut().for_each(|ticks| *ticks += 1);
                for one in &mut waiting[..chosen] {
                    one.waited = 0;
                    longest = longest.max(core::mem::take(&mut since[usize::from(one.id)]));
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
    fn no_more_goes_out_than_there_is_room_for() {
        let mut waiting: Vec<Waiting> =
            (0..9).map(|id| Waiting { id, lacks_baseline: id % 2 == 0, waited: u32::from(id) }).collect();
        let cost = |one: &Waiting| if one.lacks_baseline { 36 } else { 15 };
        let chosen = choose(&mut waiting, 70, 15, cost);
        assert_eq!(waiting[..chosen].iter().map(|one| one.id).collect::<Vec<_>>(), [8, 7]);
        assert_eq!(choose(&mut waiting, 14, 15, cost), 0);
        assert_eq!(choose(&mut [], 1_000, 15, cost), 0);
    }
}
