mod model;
mod random_worlds;

use alloc::collections::BTreeMap;
use alloc::vec;

use super::*;

const POLICIES: [InterestSetPolicy; InterestSetPolicy::SAMPLES.len()] = InterestSetPolicy::SAMPLES;

/// Interest sets with their input and virtual time.
struct Scene {
    interest: InterestSets,
    items: BTreeMap<u32, InterestItem>,
    observers: BTreeMap<u32, Observer>,
    now: Time,
}

impl Scene {
    fn new(policy: InterestSetPolicy) -> Scene {
        let interest = InterestSets::new(policy);
        Scene { interest, items: BTreeMap::new(), observers: BTreeMap::new(), now: Time::from_secs(1) }
    }

    fn put_item(&mut self, id: u32, position: [i32; 3]) {
        let owner = self.items.get(&id).and_then(|item| item.owner);
        self.items.insert(id, InterestItem { id: ItemId(id), owner, position });
    }

    /// Puts an observer, and its own item of the same number.
    fn person(&mut self, id: u32, position: [i32; 3]) {
        self.items.insert(id, InterestItem { id: ItemId(id), owner: Some(ObserverId(id)), position });
        self.observers.insert(id, Observer { id: ObserverId(id), position });
    }

    fn update(&mut self) -> Vec<InterestMembershipChange> {
        let items: Vec<InterestItem> = self.items.values().copied().collect();
        let observers: Vec<Observer> = self.observers.values().copied().collect();
        let mut changes = Vec::new();
        self.interest.update(InterestInput { items: &items, observers: &observers }, self.now, &mut changes);
        changes
    }

    /// Evaluates, and advances time to the next evaluation.
    fn step(&mut self) -> Vec<InterestMembershipChange> {
        let changes = self.update();
        self.now = self.now + limits::INTEREST_INTERVAL;
        changes
    }

    /// Ascending.
    fn visible(&self, observer: u32) -> Vec<u32> {
        let mut items: Vec<u32> = self.interest.visible(ObserverId(observer)).map(|item| item.0).collect();
        items.sort_unstable();
        items
    }
}

fn change(observer: u32, item: u32, entered: bool) -> InterestMembershipChange {
    InterestMembershipChange { observer: ObserverId(observer), item: ItemId(item), entered }
}

#[test]
fn nearest_shows_the_closest_items_without_counting_the_observers_own() {
    let mut scene = Scene::new(InterestSetPolicy::Nearest { count: 2 });
    (0..5).for_each(|id| scene.person(id, [1_000 * id as i32, 0, 0]));
    scene.step();
    assert_eq!((scene.visible(0), scene.visible(2)), (vec![0, 1, 2], vec![1, 2, 3]));
    let watchers: Vec<ObserverId> = scene.interest.watchers(ItemId(2)).collect();
    assert_eq!(watchers, [0, 1, 2, 3, 4].map(ObserverId), "as many observe the one in the middle as may be");
}

#[test]
fn an_item_outside_the_nearest_leaves_after_half_a_second() {
    let mut scene = Scene::new(InterestSetPolicy::Nearest { count: 1 });
    scene.person(0, [0; 3]);
    scene.put_item(10, [1_000, 0, 0]);
    scene.put_item(11, [2_000, 0, 0]);
    assert_eq!(scene.step(), [change(0, 0, true), change(0, 10, true)]);
    scene.put_item(10, [3_000, 0, 0]);
    assert_eq!(scene.step(), [change(0, 11, true)], "10 has just fallen out");
    assert_eq!((scene.step(), scene.step()), (vec![], vec![]), "200 and 400 ms");
    assert_eq!(scene.visible(0), [0, 10, 11]);
    assert_eq!(scene.step(), [change(0, 10, false)], "600 ms");
    assert_eq!(scene.visible(0), [0, 11]);
}

#[test]
fn an_item_that_returns_to_the_nearest_within_half_a_second_never_leaves() {
    let mut scene = Scene::new(InterestSetPolicy::Nearest { count: 1 });
    scene.person(0, [0; 3]);
    scene.put_item(10, [1_000, 0, 0]);
    scene.put_item(11, [2_000, 0, 0]);
    let mut changes = scene.step();
    // 400 ms out, then in for one evaluation, four times over.
    for position in [3_000, 3_000, 3_000, 1_000].repeat(4) {
        scene.put_item(10, [position, 0, 0]);
        changes.extend(scene.step());
    }
    changes.retain(|change| change.item == ItemId(10));
    assert_eq!(changes, [change(0, 10, true)]);
}

#[test]
fn among_equally_near_items_the_lowest_ids_are_shown() {
    let mut scene = Scene::new(InterestSetPolicy::NEAREST);
    (0..300).for_each(|id| scene.person(id, [7, 8, 9]));
    scene.step();
    assert_eq!(scene.visible(0), (0..=20).collect::<Vec<_>>());
    assert_eq!(scene.visible(100), (0..20).chain([100]).collect::<Vec<_>>());
}

#[test]
fn an_item_at_the_border_of_a_radius_does_not_flap() {
    let mut scene = Scene::new(InterestSetPolicy::RADIUS);
    scene.person(0, [0; 3]);
    let mut at = |x: i32| {
        scene.put_item(1, [x, 0, 0]);
        scene.step().iter().any(|change| change.item == ItemId(1))
    };
    assert!(!at(24_001) && at(24_000), "in at the radius");
    assert!([24_900, 23_900, 26_400, 24_100].repeat(5).into_iter().all(|x| !at(x)));
    assert!(at(26_401), "out a tenth beyond");
    assert!([25_000, 24_001, 30_000].repeat(5).into_iter().all(|x| !at(x)));
    assert!(at(23_999));
}

#[test]
fn a_radius_reaches_as_far_up_as_it_does_along() {
    let mut scene = Scene::new(InterestSetPolicy::RADIUS);
    scene.person(0, [0; 3]);
    scene.put_item(1, [0, 23_000, 0]);
    scene.put_item(2, [0, 25_000, 0]);
    scene.step();
    assert_eq!(scene.visible(0), [0, 1]);
}

#[test]
fn an_item_at_the_border_of_a_cell_does_not_flap() {
    let mut scene = Scene::new(InterestSetPolicy::HEX);
    scene.person(0, [0; 3]);
    // Between the neighbour of the observer's cell and the cell beyond.
    let border = 8_660 * 3;
    let mut at = |beyond: i32| {
        scene.put_item(1, [border + beyond, 0, 0]);
        scene.step().iter().any(|change| change.item == ItemId(1))
    };
    assert!(at(-900));
    assert!([900, -300, 1_000, 1, -900].repeat(5).into_iter().all(|beyond| !at(beyond)));
    assert!(at(1_001), "more than a metre");
    assert!([900, -300, -1_000, 1].repeat(5).into_iter().all(|beyond| !at(beyond)));
    assert!(at(-1_001));
}

#[test]
fn an_observer_that_changes_cells_gets_only_the_differences() {
    let mut scene = Scene::new(InterestSetPolicy::HEX);
    scene.person(0, [0; 3]);
    for (id, x) in [(1, -17_320), (2, 1_000), (3, 17_320), (4, 34_640)] {
        scene.put_item(id, [x, 0, 0]);
    }
    scene.step();
    assert_eq!(scene.visible(0), [0, 1, 2, 3]);
    scene.person(0, [17_320, 0, 0]);
    assert_eq!(scene.step(), [change(0, 1, false), change(0, 4, true)]);
    assert_eq!(scene.visible(0), [0, 2, 3, 4]);
}

#[test]
fn a_distant_item_is_visible_only_to_its_owner_even_after_a_handover() {
    for policy in [InterestSetPolicy::RADIUS, InterestSetPolicy::Nearest { count: 1 }, InterestSetPolicy::HEX] {
        let mut scene = Scene::new(policy);
        (0..4).for_each(|id| scene.person(id, [1_000 * id as i32, 0, 0]));
        scene
            .items
            .insert(9, InterestItem { id: ItemId(9), owner: Some(ObserverId(2)), position: [900_000_000, 0, 0] });
        scene.step();
        assert!(scene.visible(2).contains(&9), "{policy:?}");
        assert_eq!(scene.interest.watchers(ItemId(9)).collect::<Vec<_>>(), [ObserverId(2)], "{policy:?}");
        // After a handover the new owner sees it at once, the old one only as the policy allows.
        scene
            .items
            .insert(9, InterestItem { id: ItemId(9), owner: Some(ObserverId(3)), position: [900_000_000, 0, 0] });
        assert!(scene.step().contains(&change(3, 9, true)), "{policy:?}");
        (0..3).for_each(|_| drop(scene.step()));
        assert_eq!(scene.interest.watchers(ItemId(9)).collect::<Vec<_>>(), [ObserverId(3)], "{policy:?}");
    }
}

#[test]
fn policy_all_shows_every_item_and_reports_no_changes() {
    let mut scene = Scene::new(InterestSetPolicy::All);
    (0..3).for_each(|id| scene.person(id, [1_000_000_000 * (id as i32 - 1), 0, 0]));
    scene.put_item(7, [0; 3]);
    assert!(scene.step().is_empty());
    assert_eq!(scene.visible(1), [0, 1, 2, 7]);
    assert_eq!(scene.interest.watchers(ItemId(7)).collect::<Vec<_>>(), [0, 1, 2].map(ObserverId));
    let mut changes = Vec::new();
    scene.interest.remove_item(ItemId(7), &mut changes);
    scene.interest.remove_observer(ObserverId(1));
    assert_eq!((changes, scene.visible(0), scene.visible(1)), (vec![], vec![0, 1, 2], vec![]));
}

#[test]
fn interest_sets_are_not_evaluated_before_they_are_due() {
    for policy in POLICIES {
        let mut scene = Scene::new(policy);
        scene.person(0, [0; 3]);
        scene.update();
        assert_eq!(scene.interest.poll_timeout(), scene.now + limits::INTEREST_INTERVAL);
        scene.put_item(1, [0; 3]);
        scene.now = scene.now + Duration::from_millis(199);
        assert_eq!((scene.update(), scene.visible(0)), (vec![], vec![0]), "{policy:?}");
        scene.now = scene.now + Duration::from_millis(1);
        scene.update();
        assert_eq!(scene.visible(0), [0, 1], "negative control: {policy:?}");
    }
}

#[test]
fn a_removed_item_leaves_at_once_and_its_slot_can_be_reused() {
    for policy in POLICIES.into_iter().filter(|policy| *policy != InterestSetPolicy::All) {
        let mut scene = Scene::new(policy);
        (0..3).for_each(|id| scene.person(id, [0; 3]));
        scene.step();
        let mut changes = Vec::new();
        scene.interest.remove_item(ItemId(1), &mut changes);
        let left = [0, 1, 2].map(|observer| change(observer, 1, false));
        assert_eq!(changes, left, "{policy:?}");
        assert_eq!((scene.visible(0), scene.interest.watchers(ItemId(1)).count()), (vec![0, 2], 0), "{policy:?}");
        let entered = left.map(|left| InterestMembershipChange { entered: true, ..left });
        assert_eq!(scene.step(), entered, "{policy:?}");
    }
}

#[test]
fn items_and_observers_missing_from_the_input_are_removed() {
    for policy in POLICIES {
        let mut scene = Scene::new(policy);
        (0..3).for_each(|id| scene.person(id, [0; 3]));
        scene.step();
        scene.items.remove(&1);
        scene.observers.remove(&2);
        let changes = scene.step();
        if policy != InterestSetPolicy::All {
            assert_eq!(changes, [change(0, 1, false), change(1, 1, false)], "{policy:?}");
        }
        assert_eq!([0, 1, 2].map(|id| scene.visible(id)), [vec![0, 2], vec![0, 2], vec![]], "{policy:?}");
    }
}

#[test]
fn empty_scenes_produce_no_changes() {
    for policy in POLICIES
        .into_iter()
        .chain([InterestSetPolicy::Nearest { count: 0 }, InterestSetPolicy::Radius { radius_mm: 0 }])
    {
        let mut scene = Scene::new(policy);
        assert_eq!((scene.step(), scene.visible(0)), (vec![], vec![]));
        scene.observers.insert(3, Observer { id: ObserverId(3), position: [0; 3] });
        assert_eq!((scene.step(), scene.visible(3)), (vec![], vec![]));
        scene.observers.clear();
        scene.put_item(5, [0; 3]);
        assert_eq!((scene.step(), scene.interest.watchers(ItemId(5)).count()), (vec![], 0));
        let mut changes = Vec::new();
        scene.interest.remove_item(ItemId(77), &mut changes);
        scene.interest.remove_observer(ObserverId(77));
        assert!(changes.is_empty());
    }
}

#[test]
fn positions_at_the_extent_limits_do_not_overflow() {
    let ends = [-1_000_000_000, 1_000_000_000];
    let corners: Vec<[i32; 3]> =
        ends.into_iter().flat_map(|x| ends.into_iter().flat_map(move |y| ends.map(|z| [x, y, z]))).collect();
    let widest = [InterestSetPolicy::Radius { radius_mm: u32::MAX }, InterestSetPolicy::Nearest { count: u32::MAX }];
    for policy in
        POLICIES.into_iter().chain(widest).chain([0, u32::MAX].map(|cell_mm| InterestSetPolicy::Hex { cell_mm }))
    {
        let mut scene = Scene::new(policy);
        for turn in 0..corners.len() {
            for (id, at) in (0..).zip(0..corners.len()) {
                scene.person(id, corners[(at + turn) % corners.len()]);
            }
            scene.step();
            (0..8).for_each(|id| assert!(scene.visible(id).contains(&id), "{policy:?}"));
        }
        if widest.contains(&policy) {
            assert_eq!(scene.visible(0).len(), 8, "{policy:?}");
        }
    }
}

#[test]
fn buffers_stop_growing_when_the_same_walk_repeats() {
    for policy in POLICIES {
        let mut scene = Scene::new(policy);
        let mut rng = fastrand::Rng::with_seed(1);
        let rounds: Vec<(i32, i32)> = (0..200).map(|_| (rng.i32(-50_000..50_000), rng.i32(-50_000..50_000))).collect();
        let mut walk = || {
            // A triangular walk there and back, 5 m a step.
            for step in (0..10).chain((0..10).rev()) {
                for (id, (x, z)) in (0..).zip(&rounds) {
                    scene.person(id, [x + 5_000 * step, 0, z - 3_000 * step]);
                }
                scene.step();
            }
            scene.interest.capacity()
        };
        let rooms: Vec<usize> = (0..5).map(|_| walk()).collect();
        assert!(rooms[0] > 0 && rooms[2..].iter().all(|&capacity| capacity == rooms[2]), "{policy:?}: {rooms:?}");
    }
}
